-- One text vector a spec for the search.

set check_function_bodies = off;
-- Filling the new table of words can take longer than the usual timeout.
set local statement_timeout = 0;

drop trigger drop_merged on public.brands;
drop trigger drop_merged on public.area_types;
drop trigger add_to_search on public.spec_uploads;
drop trigger update_search on public.spec_uploads;
drop trigger tally_added on public.spec_uploads;
drop trigger tally_removed on public.spec_uploads;
drop trigger tally_changed on public.spec_uploads;
drop function private.drop_merged();
drop function private.block_at(timestamptz);
drop function private.names_words(int, text, text, text, uuid, uuid);
drop function private.plain_words(tsvector);
drop function private.text_words(int, text[]);
drop function private.add_to_search();
drop function private.update_search();
drop function private.index_spec(uuid);
drop function public.refresh_spec_search(int);
drop function private.tally_specs();
drop function public.fold_spec_tally();
drop function private.any_query(text, boolean, text[], text[]);
drop function private.place_query(uuid, text);
drop function private.spec_queries(text[], uuid, uuid);
drop function private.wide_query(text);
drop function private.some_specs(text, text, uuid[], int);
drop function private.some_with_prefix(text, text, text, uuid[], int);
drop function private.few_with_status(text);
drop function private.outdated_matches(private.spec_query);
drop function private.some_matches(private.spec_query, uuid[], int);
drop function private.pick_specs(uuid[], private.spec_range, int);
drop function private.is_rarer_status(text, text);
drop function private.scan_specs(text, text, uuid[], private.spec_range, int);
drop function private.scan_matches(private.spec_query, text, uuid[], private.spec_range, int);
drop function private.rank_specs(uuid[], private.spec_query, private.spec_range, text, int);
drop function private.scan_by_rank(private.spec_query, private.spec_range, text, int);
drop function private.search_specs(private.spec_query, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean, uuid[], boolean);
drop function private.list_specs(text, uuid[], text, uuid, uuid, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean);
drop function private.page_of_specs(private.spec_query, uuid[], boolean, text, uuid, uuid, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean);
drop function private.count_specs(private.spec_query, uuid[], boolean, uuid, uuid, timestamptz, timestamptz, boolean);
drop function private.matching_page(uuid, private.spec_query);
drop type private.spec_query;
drop type private.spec_range;
drop table private.outdated_specs;
drop table private.spec_words;
drop table private.spec_blocks;
drop table private.spec_tally;
drop table private.merged_places;
drop function private.wide_words(int, tsvector);
drop index public.spec_uploads_replaced;


alter table public.brands add merged_ids uuid[] not null default '{}';

alter table public.area_types add merged_ids uuid[] not null default '{}';

create or replace function public.merge_in_list(p_list text, p_name text, p_into text) returns jsonb
language plpgsql volatile set search_path = '' set statement_timeout = '60s' as $$
declare
  v_table text := private.list_table(p_list);
  v_column text := case p_list when 'brands' then 'brand_id' else 'area_type_id' end;
  v_from record;
  v_into record;
  v_count int;
begin
  if private.name_key(p_name) = private.name_key(p_into) then return jsonb_build_object('outcome', 'same'); end if;
  -- Uploads and edits that use the names wait for these locks.
  execute format('select 1 from %s where name_key in ($1, $2) order by id for update', v_table)
    using private.name_key(p_name), private.name_key(p_into);
  execute format('select id, merged_ids from %s where name_key = private.name_key($1)', v_table) into v_from using p_name;
  execute format('select id, name from %s where name_key = private.name_key($1)', v_table) into v_into using p_into;
  if v_from.id is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_into.id is null then return jsonb_build_object('outcome', 'unknown_target'); end if;
  perform set_config('atelier.merged_into', v_into.name, true);
  execute format('update %s set merged_ids = merged_ids || $1 || $2 where id = $3', v_table)
    using v_from.id, v_from.merged_ids, v_into.id;
  execute format('select 1 from public.spec_uploads where %I = $1 order by id for update', v_column) using v_from.id;
  execute format('update public.spec_uploads set %1$I = $2 where %1$I = $1', v_column) using v_from.id, v_into.id;
  get diagnostics v_count = row_count;
  execute format('delete from %s where id = $1', v_table) using v_from.id;
  perform set_config('atelier.merged_into', '', true);
  return jsonb_build_object('outcome', 'merged', 'name', v_into.name, 'specs', v_count);
end $$;

create or replace function public.catalogue() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'brands', (
      select coalesce(jsonb_agg(jsonb_build_object('name', b.name, 'specs', coalesce(t.specs, 0))), '[]')
        from public.brands b
        left join (select brand_id, count(*) as specs from public.spec_uploads where is_current group by 1) t
          on t.brand_id = b.id),
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'specs', coalesce(t.specs, 0))), '[]')
        from public.area_types a
        left join (select area_type_id, count(*) as specs from public.spec_uploads where is_current group by 1) t
          on t.area_type_id = a.id))
$$;

create or replace function public.edit_specs(p_ids uuid[], p_brand text default null, p_area text default null,
  p_property text default null, p_clear_property boolean default false) returns jsonb
language plpgsql volatile set search_path = '' set statement_timeout = '60s' as $$
declare
  v_brand uuid;
  v_area uuid;
  v_count int;
begin
  if p_brand is not null then
    select id into v_brand from public.brands where name_key = private.name_key(p_brand) for key share;
    if not found then return jsonb_build_object('outcome', 'unknown_brand'); end if;
  end if;
  if p_area is not null then
    select id into v_area from public.area_types where name_key = private.name_key(p_area) for key share;
    if not found then return jsonb_build_object('outcome', 'unknown_area'); end if;
  end if;
  perform private.lock_series(p_ids);
  update public.spec_uploads
     set brand_id = coalesce(v_brand, brand_id), area_type_id = coalesce(v_area, area_type_id),
         property_name = case when p_clear_property then null else coalesce(p_property, property_name) end,
         status_seq = status_seq + 1, updated_at = clock_timestamp()
   where series_id in (select series_id from public.spec_uploads where id = any (p_ids));
  select count(*) into v_count from public.spec_uploads where id = any (p_ids);
  return jsonb_build_object('outcome', 'edited', 'count', v_count);
end $$;

create or replace function public.retry_specs(p_user uuid, p_ids uuid[]) returns int
language plpgsql volatile set search_path = '' set statement_timeout = '60s' as $$
declare v_count int;
begin
  perform 1 from public.spec_uploads where id = any (p_ids) order by id for update;
  v_count := cardinality(private.start_next_runs(p_ids, p_user));
  if v_count > 0 then
    perform private.write_audit('spec.retried', null, v_count || case when v_count = 1 then ' spec' else ' specs' end,
      null, p_user);
  end if;
  return v_count;
end $$;

create or replace function public.finish_spec_text(p_id bigint, p_token uuid, p_state text, p_pages int, p_sections jsonb)
returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_spec uuid := private.spec_being_read(p_id, p_token);
begin
  perform 1 from public.spec_uploads where id = v_spec for update;
  if not found then return false; end if;
  if not private.close_item(p_id, p_token) then return false; end if;
  update public.documents set text_state = p_state
   where id = (select document_id from public.spec_uploads where id = v_spec);
  -- An earlier attempt may have stored more pages.
  delete from public.spec_pages where spec_id = v_spec and page > p_pages;
  if not exists (select 1 from public.spec_sections where spec_id = v_spec and source <> 'outline') then
    perform private.put_sections(v_spec, 'outline', p_sections);
  end if;
  update private.spec_words w set words = private.names_words(s) || private.pages_words(s.id)
    from public.spec_uploads s where s.id = v_spec and w.spec_id = s.id;
  return true;
end $$;

create table private.spec_words (
  spec_id uuid primary key references public.spec_uploads (id) on delete cascade,
  words tsvector not null
);


create function private.names_words(p_spec public.spec_uploads) returns tsvector
language sql stable set search_path = '' as $$
  select array_to_tsvector(array(
    select w.word
      from (select 'n' || n.lexeme
              from public.documents d
              cross join unnest(private.search_words(d.file_name || ' ' || coalesce(p_spec.property_name, ''))) n
             where d.id = p_spec.document_id
            union all select 'e' || e.lexeme from unnest(private.search_words(left(p_spec.error, 2000))) e
            union all
            select 'n' || private.place_key(p.id) from unnest(array[p_spec.brand_id, p_spec.area_type_id]) p (id)) w (word)
     where octet_length(w.word) <= 2000))
$$;

create function private.pages_words(p_id uuid) returns tsvector
language sql stable set search_path = '' as $$
  select array_to_tsvector(array(
    select 't' || w.lexeme
      from (select u.lexeme, sum(octet_length(u.lexeme) + 1) over (order by count(*) desc, u.lexeme) as bytes
              from public.spec_pages p cross join unnest(p.words) u
             where p.spec_id = p_id and octet_length(u.lexeme) <= 100
             group by u.lexeme) w
     where w.bytes <= 800000))
$$;

create function private.update_names_words() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.spec_words as x (spec_id, words) values (new.id, private.names_words(new))
    on conflict (spec_id) do update
      set words = excluded.words || array_to_tsvector(array(
        select t.word from unnest(tsvector_to_array(x.words)) t (word) where t.word like 't%'));
  return null;
end $$;

create trigger add_words after insert on public.spec_uploads
  for each row execute function private.update_names_words();

create trigger update_words after update on public.spec_uploads
  for each row when ((old.property_name, old.error, old.brand_id, old.area_type_id)
    is distinct from (new.property_name, new.error, new.brand_id, new.area_type_id)
    and coalesce(current_setting('atelier.merged_into', true), '') = '')
  execute function private.update_names_words();

create type private.spec_query as (
  -- All words are in the names, the error or the text.
  whole tsquery,
  -- All words are in the names or the error.
  head tsquery,
  -- One query per rank: all words are in the names; all are, but the last one only as a prefix; some are only in the
  -- error; some are only in the text.
  ranks tsquery[],
  -- For each word, the query for a page.
  page_words tsquery[]
);

create or replace function private.keys_of(p_word tsquery) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select private.place_key(k.id)
      from (select b.id, b.merged_ids from public.brands b where private.search_words(b.name) @@ p_word
            union all
            select a.id, a.merged_ids from public.area_types a where private.search_words(a.name) @@ p_word) n
      cross join unnest(n.id || n.merged_ids) k (id));
end $$;

create function private.word_query(p_word text, p_is_prefix boolean, p_letters text[], p_keys text[]) returns tsquery
language sql immutable set search_path = '' as $$
  select string_agg(w.query, ' | ')::tsquery
    from (select quote_literal(l.letter || p_word) || case when p_is_prefix then ':*' else '' end
            from unnest(p_letters) l (letter)
          union all select quote_literal('n' || k.key) from unnest(p_keys) k (key)) w (query)
$$;

create function private.spec_queries(p_words text[]) returns private.spec_query
language plpgsql stable set search_path = '' as $$
declare
  v_query private.spec_query;
  v_term record;
  v_word tsquery;
  v_page tsquery;
  v_keys text[];
  v_exact tsquery;
  v_names tsquery;
begin
  for v_term in
    select distinct l.lexeme as word, w.n = cardinality(p_words) as is_last
      from unnest(p_words) with ordinality as w (word, n)
      cross join lateral unnest(to_tsvector('simple'::regconfig, left(w.word, 500))) l
  loop
    v_page := (quote_literal(v_term.word) || case when v_term.is_last then ':*' else '' end)::tsquery;
    v_keys := private.keys_of(quote_literal(v_term.word)::tsquery);
    v_word := private.word_query(v_term.word, false, '{n}', v_keys);
    v_exact := coalesce(v_exact && v_word, v_word);
    if v_term.is_last then v_keys := private.keys_of(v_page); end if;
    v_word := private.word_query(v_term.word, v_term.is_last, '{n}', v_keys);
    v_names := coalesce(v_names && v_word, v_word);
    v_word := private.word_query(v_term.word, v_term.is_last, '{n,e}', v_keys);
    v_query.head := coalesce(v_query.head && v_word, v_word);
    v_word := private.word_query(v_term.word, v_term.is_last, '{n,e,t}', v_keys);
    v_query.whole := coalesce(v_query.whole && v_word, v_word);
    v_query.page_words := v_query.page_words || v_page;
  end loop;
  if v_query.whole is null then return null; end if;
  v_query.ranks :=
    array[v_exact, v_names && !!v_exact, v_query.head && !!v_names, v_query.whole && !!v_query.head];
  return v_query;
end $$;

create function private.matching_specs(p_query tsquery, p_most int default null) returns setof uuid
language plpgsql stable rows 10000 set search_path = '' set enable_seqscan = off as $$
begin
  return query select w.spec_id from private.spec_words w where w.words @@ p_query limit p_most;
end $$;

create function private.few_matching(p_query tsquery) returns uuid[]
language plpgsql stable set search_path = '' as $$
declare v_ids uuid[] := array(select private.matching_specs(p_query, 1001));
begin
  return case when p_query is not null and cardinality(v_ids) <= 1000 then v_ids end;
end $$;

create type private.spec_filters as (
  status text, brand_id uuid, area_type_id uuid, from_at timestamptz, before_at timestamptz, all_versions boolean
);

create function private.filter_condition() returns text
language sql immutable set search_path = '' as $$
  select '(($1).status is null or u.processing_status = ($1).status)
    and (($1).brand_id is null or u.brand_id = ($1).brand_id)
    and (($1).area_type_id is null or u.area_type_id = ($1).area_type_id)
    and (($1).from_at is null or u.created_at >= ($1).from_at)
    and (($1).before_at is null or u.created_at < ($1).before_at)
    and (($1).all_versions or u.is_current)'
$$;

create function private.list_specs(p_query private.spec_query, p_filters private.spec_filters, p_sort text,
  p_after_key text, p_after_at timestamptz, p_after_id uuid, p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_is_search boolean := p_query.whole is not null;
  v_search tsquery;
  v_ids uuid[];
  v_keys text[];
  v_key text;
  v_sort_key text := '$2';
  v_from text := 'public.spec_uploads u';
  v_where text := private.filter_condition();
  v_direction text := case p_sort when 'oldest' then 'asc' else 'desc' end;
  v_order text;
  v_after text;
  v_rows text;
  v_left int := p_limit;
  v_count int;
begin
  -- If the sort key has few values, query each value separately, because an index can then return the rows in order.
  case
    when p_sort = 'match' and v_is_search then v_keys := array['1', '2', '3', '4'];
    when p_sort = 'status' then
      v_keys := array['completed', 'failed', 'pending', 'processing'];
      v_where := v_where || ' and u.processing_status = $2';
    when p_sort = 'brand' and not v_is_search then
      v_keys := array(
        select private.sort_key(b.name) from public.brands b
         where p_filters.brand_id is null or b.id = p_filters.brand_id order by 1);
      v_where := v_where || ' and u.brand_id = (select b.id from public.brands b where private.sort_key(b.name) = $2)';
    when p_sort = 'brand' then
      v_sort_key := 'private.sort_key(b.name)';
      v_from := v_from || ' join public.brands b on b.id = u.brand_id';
    when p_sort = 'file' then
      v_sort_key := 'private.sort_key(d.file_name)';
      v_from := v_from || ' join public.documents d on d.id = u.document_id';
    else null;
  end case;
  v_order := format('created_at %1$s, id %1$s', v_direction);
  if v_keys is null and v_sort_key <> '$2' then v_order := 'sort_key, ' || v_order; end if;
  v_after := format(
    case when v_sort_key = '$2' then ' and (u.created_at, u.id) %s ($4, $5)'
         else ' and %2$s >= $3 and (%2$s > $3 or (u.created_at, u.id) %1$s ($4, $5))' end,
    case v_direction when 'desc' then '<' else '>' end, v_sort_key);

  foreach v_key in array coalesce(v_keys, array[null::text]) loop
    continue when v_keys is not null and v_key < p_after_key;
    -- The rows without the search. The placeholders are for a condition and the number of rows.
    v_rows := format('select u.id, u.created_at, %s::text as sort_key from %s where %s%s%%s order by %s limit %%s',
      v_sort_key, v_from, v_where,
      case when p_after_id is not null and (v_keys is null or v_key = p_after_key) then v_after else '' end, v_order);
    if v_is_search then
      v_search := case when p_sort = 'match' then p_query.ranks[v_key::int] else p_query.whole end;
      v_ids := private.few_matching(v_search);
      if v_ids is null then
        -- Usually, enough of the first 2,000 rows match. If the matches are further back, read all matches.
        execute format(
          'with first as (%1$s),
                hits as materialized (
                  select f.id from first f where (select w.words @@ $6 from private.spec_words w where w.spec_id = f.id)
                   order by %2$s limit %3$s)
           select array(select h.id from hits h)
            where (select count(*) from hits) = %3$s or (select count(*) from first) < 2000',
          format(v_rows, '', 2000), v_order, v_left)
          into v_ids using p_filters, v_key, p_after_key, p_after_at, p_after_id, v_search;
        v_ids := coalesce(v_ids, array(select private.matching_specs(v_search)));
      end if;
    end if;
    return query execute format(v_rows, case when v_is_search then ' and u.id = any ($6)' else '' end, v_left)
      using p_filters, v_key, p_after_key, p_after_at, p_after_id, v_ids;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
end $$;

create function private.count_matching(p_query tsquery, p_filters private.spec_filters) returns int
language plpgsql stable set search_path = '' set enable_seqscan = off as $$
declare v_count int;
begin
  execute format(
    'select count(*) from (select from public.spec_uploads u join private.spec_words w on w.spec_id = u.id
                            where w.words @@ $2 and %s limit 1001) m', private.filter_condition())
    into v_count using p_filters, p_query;
  return v_count;
end $$;

create function private.count_specs(p_query private.spec_query, p_filters private.spec_filters, out counts jsonb,
  out is_exact boolean)
language plpgsql stable set search_path = '' as $$
declare
  v_few uuid[];
  v_count int;
begin
  counts := '{}';
  is_exact := true;
  -- If many names match, the many more words of the texts need not be read.
  if private.few_matching(p_query.head) is not null then v_few := private.few_matching(p_query.whole); end if;
  if p_query.whole is null or v_few is not null then
    execute format(
      'select coalesce(jsonb_object_agg(c.status, c.n), ''{}'')
         from (select u.processing_status as status, count(*) as n from public.spec_uploads u
                where %s and ($2 is null or u.id = any ($2)) group by 1) c', private.filter_condition())
      into counts using p_filters, v_few;
    return;
  end if;
  foreach p_filters.status in array array['completed', 'failed', 'pending', 'processing'] loop
    v_count := private.count_matching(p_query.whole, p_filters);
    is_exact := is_exact and v_count <= 1000;
    if v_count > 0 then counts := counts || jsonb_build_object(p_filters.status, least(v_count, 1000)); end if;
  end loop;
end $$;

create or replace function private.matching_page(p_id uuid, p_query private.spec_query) returns table (page int, text text)
language plpgsql stable rows 1 set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select p.page, p.text
      from public.spec_pages p
      cross join lateral (select count(*) as n from unnest(p_query.page_words) w (word) where p.words @@ w.word) found
     where p.spec_id = p_id and found.n > 0
       and not (select w.words @@ p_query.head from private.spec_words w where w.spec_id = p_id)
     order by found.n desc, p.page limit 1;
end $$;

create or replace function public.find_specs(p_q text default null, p_status text default null,
  p_brand text default null, p_area text default null, p_from timestamptz default null,
  p_before timestamptz default null, p_sort text default 'newest', p_after_key text default null,
  p_after_at timestamptz default null, p_after_id uuid default null, p_limit int default 21,
  p_all_versions boolean default false, p_is_only_ids boolean default false)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_words text[];
  v_filters private.spec_filters := (p_status, null, null, p_from, p_before, p_all_versions);
  v_query private.spec_query;
  v_specs jsonb := '[]';
  v_counts jsonb := '{}';
  v_is_exact boolean := true;
  v_has_matches boolean := true;
begin
  if not private.is_admin() then
    return jsonb_build_object('specs', v_specs, 'counts', v_counts, 'isExact', v_is_exact);
  end if;
  perform private.require_short(p_q, p_status, p_brand, p_area, p_sort, p_after_key);
  v_words := private.words_of(p_q);
  if p_brand is not null then
    select b.id into v_filters.brand_id from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    v_has_matches := v_has_matches and found;
  end if;
  if p_area is not null then
    select a.id into v_filters.area_type_id from public.area_types a where a.name_key = private.name_key(p_area) and a.name = p_area;
    v_has_matches := v_has_matches and found;
  end if;
  if v_has_matches and cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words);
    v_has_matches := v_query.whole is not null;
  end if;
  if v_has_matches then
    select coalesce(jsonb_agg(
             jsonb_build_object('id', l.id, 'created_at', l.created_at, 'sort_key', l.sort_key, 'page', m.page, 'text', m.text,
                                'spec', case when not p_is_only_ids then private.spec_json(l.id) end)
             order by l.n), '[]') into v_specs
      from private.list_specs(v_query, v_filters, p_sort, p_after_key, p_after_at, p_after_id, p_limit)
             with ordinality l (id, created_at, sort_key, n)
      left join lateral private.matching_page(l.id, v_query) m on v_query.whole is not null and not p_is_only_ids;
    if not p_is_only_ids then
      v_filters.status := null;
      select c.counts, c.is_exact into v_counts, v_is_exact from private.count_specs(v_query, v_filters) c;
    end if;
  end if;
  return jsonb_build_object('specs', v_specs, 'counts', v_counts, 'isExact', v_is_exact);
end $$;

create or replace function private.list_standards(p_q text, p_brand text, p_after_key text, p_after_at timestamptz, p_after_id uuid,
  p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable rows 21 set search_path = '' as $$
#variable_conflict use_column
declare
  v_words text[] := private.words_of(p_q);
  v_filters private.spec_filters := ('completed', null, null, null, null, false);
  v_query private.spec_query;
begin
  if p_brand is not null then
    select b.id into v_filters.brand_id from public.brands b
     where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    if not found then return; end if;
  end if;
  if cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words);
    if v_query.whole is null then return; end if;
  end if;
  return query select l.id, l.created_at, l.sort_key
    from private.list_specs(v_query, v_filters, 'match', p_after_key, p_after_at, p_after_id, p_limit) l;
end $$;


alter table private.spec_words enable row level security;

insert into private.spec_words (spec_id, words)
  select s.id, private.names_words(s) || private.pages_words(s.id) from public.spec_uploads s;
create index spec_words_words on private.spec_words using gin (words);
analyze private.spec_words;
