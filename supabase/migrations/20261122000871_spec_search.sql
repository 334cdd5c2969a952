-- Adds full-text search for specs by file name, brand, area, property, error and page text.

create table private.spec_search (
  spec_id uuid primary key references public.spec_uploads (id) on delete cascade,
  -- With weight A, the words of the file name and the property, and the keys of the brand and the area. With weight B,
  -- the words in the first 2,000 characters of the error. Brands and areas are stored as keys, so renaming one changes
  -- no row here.
  head tsvector not null,
  -- The words of the pages, without positions.
  body tsvector not null default ''
);
create index spec_search_head on private.spec_search using gin (head);
-- Covers both columns, because a spec can have some words of a search in the head and the others in the body.
create index spec_search_all on private.spec_search using gin ((strip(head) || body));
alter table private.spec_search enable row level security;
grant select, insert, update, delete on private.spec_search to service_role;

create index brands_words on public.brands using gin (private.search_words(name));
create index area_types_words on public.area_types using gin (private.search_words(name));

-- Returns the word that stands for a brand or an area in `spec_search.head`.
create function private.place_key(p_id uuid) returns text
language sql immutable strict set search_path = '' as $$
  select 'p' || replace(p_id::text, '-', '')
$$;

create function private.spec_head(p_file_name text, p_property text, p_error text, p_brand_id uuid, p_area_type_id uuid)
returns tsvector
language sql immutable set search_path = '' as $$
  select setweight(private.search_words(p_file_name || ' ' || coalesce(p_property, '')), 'A')
    || setweight(coalesce(private.search_words(left(p_error, 2000)), ''), 'B')
    || format('%s:1A %s:1A', private.place_key(p_brand_id), private.place_key(p_area_type_id))::tsvector
$$;

create function private.add_to_search() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.spec_search (spec_id, head)
    select s.id, private.spec_head(d.file_name, s.property_name, s.error, s.brand_id, s.area_type_id)
      from added s join public.documents d on d.id = s.document_id;
  return null;
end $$;
create trigger add_to_search after insert on public.spec_uploads referencing new table as added
  for each statement execute function private.add_to_search();

create function private.update_search() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update private.spec_search x
     set head = private.spec_head(d.file_name, s.property_name, s.error, s.brand_id, s.area_type_id)
    from changed s
    join before o on o.id = s.id
    join public.documents d on d.id = s.document_id
   where x.spec_id = s.id and (s.property_name, s.error, s.brand_id, s.area_type_id)
     is distinct from (o.property_name, o.error, o.brand_id, o.area_type_id);
  return null;
end $$;
create trigger update_search after update on public.spec_uploads referencing new table as changed old table as before
  for each statement execute function private.update_search();

insert into private.spec_search (spec_id, head)
  select s.id, private.spec_head(d.file_name, s.property_name, s.error, s.brand_id, s.area_type_id)
    from public.spec_uploads s join public.documents d on d.id = s.document_id;

-- Finishes the work item of a spec's text, after its pages have been stored. `p_sections` holds the sections in the
-- outline: [{ title, page, level }]. If the spec has sections from another source, those stay and the outline is not
-- stored. Returns false if the lease is lost.
create function public.finish_spec_text(p_id bigint, p_token uuid, p_state text, p_pages int, p_sections jsonb)
returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_spec uuid := private.spec_being_read(p_id, p_token);
begin
  perform 1 from public.spec_uploads where id = v_spec for update;
  if not found then return false; end if;
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update public.documents set text_state = p_state
   where id = (select document_id from public.spec_uploads where id = v_spec);
  -- An earlier attempt may have stored more pages.
  delete from public.spec_pages where spec_id = v_spec and page > p_pages;
  delete from public.spec_sections where spec_id = v_spec and source = 'outline';
  insert into public.spec_sections (spec_id, ordinal, title, page, level, source)
    select v_spec, x.n, x.section ->> 'title', (x.section ->> 'page')::int, (x.section ->> 'level')::int, 'outline'
      from jsonb_array_elements(p_sections) with ordinality as x (section, n)
     where not exists (select 1 from public.spec_sections where spec_id = v_spec);
  -- A tsvector holds less than 1 MB, so keep at most 800,000 bytes of words, preferring words that occur on more pages.
  -- Leave out words over 100 bytes.
  update private.spec_search set body = array_to_tsvector(array(
      select w.lexeme
        from (select u.lexeme, sum(octet_length(u.lexeme)) over (order by count(*) desc, u.lexeme) as bytes
                from public.spec_pages p cross join lateral unnest(p.words) u
               where p.spec_id = v_spec and octet_length(u.lexeme) <= 100
               group by u.lexeme) w
       where w.bytes <= 800000))
   where spec_id = v_spec;
  return true;
end $$;

-- Returns the folded words of a search.
create function private.words_of(p_text text) returns text[]
language sql immutable set search_path = '' as $$
  select string_to_array(btrim(private.fold_text(coalesce(p_text, ''))), ' ')
$$;

create function private.word_query(p_word text, p_is_prefix boolean, p_weight text default '') returns tsquery
language sql immutable set search_path = '' as $$
  select to_tsquery('simple'::regconfig, quote_literal(p_word) || ':' || case when p_is_prefix then '*' else '' end || p_weight)
$$;

-- Returns the query for specs that have all words. With `p_is_prefix`, the last word is a prefix. A word in the name of
-- a brand or area also matches the specs of that brand or area. Written in plpgsql, which caches the plan.
create function private.all_words_query(p_words text[], p_is_prefix boolean, p_weight text default '') returns tsquery
language plpgsql stable set search_path = '' as $$
begin
  return (
    select string_agg('(' || concat_ws(' | ', private.word_query(t.word, t.is_prefix, p_weight)::text, (
             select string_agg(private.place_key(n.id), ' | ')
               from (select b.id from public.brands b where private.search_words(b.name) @@ t.plain
                     union all select a.id from public.area_types a where private.search_words(a.name) @@ t.plain) n)) || ')',
             ' & ' order by t.n)::tsquery
      from (select w.word, w.n, p_is_prefix and w.n = cardinality(p_words) as is_prefix,
                   private.word_query(w.word, p_is_prefix and w.n = cardinality(p_words)) as plain
              from unnest(p_words) with ordinality as w (word, n)) t);
end $$;

-- `p_condition` is an SQL condition on `spec_search x`, in which $1 is `p_query` and $2 is `p_narrower`. Returns the
-- specs that match it, or null if there are more than `p_most`.
create function private.few_specs(p_condition text, p_query tsquery, p_narrower tsquery, p_most int) returns uuid[]
language plpgsql stable set search_path = '' as $$
declare v_ids uuid[];
begin
  execute format('select array(select x.spec_id from private.spec_search x where %s limit %s)', p_condition, p_most + 1)
    into v_ids using p_query, p_narrower;
  return case when cardinality(v_ids) <= p_most then v_ids end;
end $$;

-- Returns up to `p_limit` specs that match the filters, sorted by `p_sort`, starting after (`p_after_key`,
-- `p_after_at`, `p_after_id`). For administrators only. `sort_key` is the value that `p_sort` sorts by, or null for
-- `newest` and `oldest`. For `match`, it is how well a spec matches:
--   1 all words are in the names (of the file, property, brand and area);
--   2 all words are in the names, the last one as a prefix;
--   3 some words are in the error; 4 some words are in the pages
create function public.find_specs(p_q text default null, p_status text default null, p_brand text default null,
  p_area text default null, p_from timestamptz default null, p_before timestamptz default null,
  p_sort text default 'newest', p_after_key text default null, p_after_at timestamptz default null,
  p_after_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  c_all constant text := '(strip(x.head) || x.body) @@ $1';
  v_words text[] := private.words_of(p_q);
  v_place tsquery;
  v_brand uuid;
  v_area uuid;
  v_keys text[];
  v_key text;
  v_order text := 'desc';
  v_sort_key text := '$3';
  v_tables text;
  v_where text;
  v_condition text;
  v_all tsquery;
  v_names tsquery;
  v_exact tsquery;
  v_query tsquery;
  v_narrower tsquery;
  v_ids uuid[];
  v_left int := p_limit;
  v_count int;
begin
  if not private.is_admin() then return; end if;
  if p_brand is not null then
    select b.id into v_brand from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    if not found then return; end if;
    v_place := private.place_key(v_brand)::tsquery;
  end if;
  if p_area is not null then
    select a.id into v_area from public.area_types a where a.name_key = private.name_key(p_area) and a.name = p_area;
    if not found then return; end if;
    v_place := coalesce(v_place && private.place_key(v_area)::tsquery, private.place_key(v_area)::tsquery);
  end if;

  if cardinality(v_words) > 0 then
    v_all := private.all_words_query(v_words, true);
    if v_place is not null then v_all := v_all && v_place; end if;
  end if;
  if p_sort = 'match' and v_all is not null then
    v_names := private.all_words_query(v_words, true, 'A');
    v_exact := private.all_words_query(v_words, false, 'A');
    if v_place is not null then
      v_names := v_names && v_place;
      v_exact := v_exact && v_place;
    end if;
  end if;

  -- If the sort key has few values, query each value separately, because an index can then return the rows in order.
  case
    when p_sort = 'match' and cardinality(v_words) > 0 then v_keys := array['1', '2', '3', '4'];
    when p_sort = 'status' then v_keys := array['completed', 'failed', 'pending', 'processing'];
    when p_sort = 'brand' and cardinality(v_words) = 0 then
      v_keys := array(select private.sort_key(b.name) from public.brands b where v_brand is null or b.id = v_brand order by 1);
    when p_sort = 'brand' then v_sort_key := 'private.sort_key(b.name)';
    when p_sort = 'file' then v_sort_key := 'private.sort_key(d.file_name)';
    when p_sort = 'oldest' then v_order := 'asc';
    else null;
  end case;

  foreach v_key in array coalesce(v_keys, array[null::text]) loop
    continue when v_keys is not null and v_key < p_after_key;
    v_tables := 'public.spec_uploads u';
    v_where := 'true';
    if cardinality(v_words) > 0 then
      v_condition := c_all;
      v_query := v_all;
      if p_sort = 'match' then
        case v_key
          when '1' then
            v_condition := 'x.head @@ $1';
            v_query := v_exact;
          when '2' then
            v_condition := 'x.head @@ $1 and not x.head @@ $2';
            v_query := v_names;
            v_narrower := v_exact;
          when '3' then
            v_condition := 'x.head @@ $1 and not x.head @@ $2';
            v_narrower := v_names;
          when '4' then
            v_condition := c_all || ' and not x.head @@ $2';
            v_narrower := v_all;
        end case;
      end if;
      v_ids := private.few_specs(v_condition, v_query, v_narrower, 5000);
      if v_ids is not null then
        v_where := 'u.id = any ($4)';
      else
        -- There are so many matches that a scan in sort order soon finds the first of them. The planner cannot know how
        -- many matches there are, so `case` keeps the planner from using an index on words.
        v_tables := v_tables || ' join private.spec_search x on x.spec_id = u.id';
        v_where := format('case when %s then true else false end', v_condition);
      end if;
    elsif p_sort = 'brand' then
      v_where := 'u.brand_id = (select b.id from public.brands b where private.sort_key(b.name) = $3)';
    end if;
    if p_sort = 'brand' and cardinality(v_words) > 0 then
      v_tables := v_tables || ' join public.brands b on b.id = u.brand_id';
    elsif p_sort = 'file' then
      v_tables := v_tables || ' join public.documents d on d.id = u.document_id';
    elsif p_sort = 'status' then
      v_where := v_where || ' and u.processing_status = $3';
    end if;
    if p_status is not null then v_where := v_where || ' and u.processing_status = $5'; end if;
    if v_brand is not null then v_where := v_where || ' and u.brand_id = $6'; end if;
    if v_area is not null then v_where := v_where || ' and u.area_type_id = $7'; end if;
    if p_from is not null then v_where := v_where || ' and u.created_at >= $8'; end if;
    if p_before is not null then v_where := v_where || ' and u.created_at < $9'; end if;
    if p_after_id is not null and (v_keys is null or v_key = p_after_key) then
      v_where := v_where || format(
        case when v_sort_key = '$3' then ' and (u.created_at, u.id) %s ($11, $12)'
             else ' and %2$s >= $10 and (%2$s > $10 or (u.created_at, u.id) %1$s ($11, $12))' end,
        case v_order when 'desc' then '<' else '>' end, v_sort_key);
    end if;
    return query execute format(
      'select u.id, u.created_at, %1$s from %2$s where %3$s order by %4$s u.created_at %5$s, u.id %5$s limit %6$s',
      v_sort_key || '::text', v_tables, v_where, case when v_sort_key = '$3' then '' else v_sort_key || ', ' end,
      v_order, v_left)
      using v_query, v_narrower, v_key, v_ids, p_status, v_brand, v_area, p_from, p_before, p_after_key, p_after_at, p_after_id;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
end $$;

-- Returns, for each spec of `p_ids`, the page that contains the most words of the search, or the first of several such
-- pages. Skips specs whose names and error contain all words of the search, and specs whose pages contain none. For
-- administrators only.
create function public.matching_pages(p_ids uuid[], p_q text) returns table (spec_id uuid, page int, text text)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_words text[] := private.words_of(p_q);
  v_query tsquery := private.all_words_query(v_words, true);
begin
  if not private.is_admin() then return; end if;
  return query
    select x.spec_id, best.page, best.text
      from private.spec_search x
      cross join lateral (
        select p.page, p.text
          from public.spec_pages p
          cross join lateral (
            select count(*) as n from unnest(v_words) with ordinality as w (word, n)
             where p.words @@ private.word_query(w.word, w.n = cardinality(v_words))) found
         where p.spec_id = x.spec_id and found.n > 0
         order by found.n desc, p.page limit 1) best
     where x.spec_id = any (p_ids) and not x.head @@ v_query;
end $$;

revoke execute on function private.place_key(uuid), private.spec_head(text, text, text, uuid, uuid),
  private.add_to_search(), private.update_search(), private.words_of(text), private.word_query(text, boolean, text),
  private.all_words_query(text[], boolean, text), private.few_specs(text, tsquery, tsquery, int)
  from public, anon, authenticated;
revoke execute on function public.finish_spec_text(bigint, uuid, text, int, jsonb),
  public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int),
  public.matching_pages(uuid[], text) from public, anon, authenticated;
grant execute on function public.finish_spec_text(bigint, uuid, text, int, jsonb) to service_role;
grant execute on function
  public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int),
  public.matching_pages(uuid[], text) to authenticated, anon;
