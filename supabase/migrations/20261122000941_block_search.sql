-- Searches `spec_words` block by block, newest specs first, so a search for frequent words reads only a few blocks.

-- The queries of a search, with `~` in place of the block number.
create type private.spec_query as (
  -- All words are in the names.
  exact text,
  -- All words are in the names, the last one as a prefix. `head` and `whole` also treat the last word as a prefix.
  names text,
  -- All words are in the names or the error.
  head text,
  -- All words are in the names, the error or the text.
  whole text,
  -- The same as `whole`, but the last word is not a prefix.
  whole_exact text,
  -- `head` and `whole` without the last word. Null if the search has only one word.
  head_start text,
  whole_start text,
  -- For each word, the query for the names and the error, and the query for a page.
  head_words text[],
  page_words tsquery[],
  -- The brand and area that the search is limited to, or null.
  place text
);

-- Returns the keys of the brands and areas whose names contain a word, and the keys of the brands and areas that were
-- merged into these. Written in plpgsql, which caches the plan.
create function private.keys_of(p_word tsquery) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    with named as (
      select b.id from public.brands b where private.search_words(b.name) @@ p_word
      union all select a.id from public.area_types a where private.search_words(a.name) @@ p_word)
    select private.place_key(n.id) from named n
    union all select private.place_key(m.id) from named n join private.merged_places m on m.into_id = n.id);
end $$;

-- Returns a query that matches the key of a brand or area, or the key of one that was merged into it. Each key is
-- preceded by `p_letter`.
create function private.place_query(p_id uuid, p_letter text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select '(' || string_agg(format('%L', '~' || p_letter || private.place_key(k.id)), ' | ') || ')'
      from (select p_id as id union all select m.id from private.merged_places m where m.into_id = p_id) k
     where k.id is not null);
end $$;

-- Returns a query that matches `p_word` with any of `p_letters` before it, or any of `p_keys` with the first of these
-- letters before it.
create function private.any_query(p_word text, p_is_prefix boolean, p_letters text[], p_keys text[]) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_query text;
  v_letter text;
  v_key text;
begin
  foreach v_letter in array p_letters loop
    v_query := concat_ws(' | ', v_query,
      quote_literal('~' || v_letter || p_word) || case when p_is_prefix then ':*' else '' end);
  end loop;
  foreach v_key in array p_keys loop
    v_query := concat_ws(' | ', v_query, quote_literal('~' || p_letters[1] || v_key));
  end loop;
  return '(' || v_query || ')';
end $$;

-- Returns the queries for the words of a search, or null if full-text search ignores all of them. For a word that the
-- parser splits, such as `3e5f0c`, the queries contain its parts. The parser ignores words over 2,046 bytes, so long
-- words are cut to 500 characters.
create function private.spec_queries(p_words text[], p_brand_id uuid, p_area_type_id uuid) returns private.spec_query
language plpgsql stable set search_path = '' as $$
declare
  v_query private.spec_query;
  v_term record;
  v_page tsquery;
  v_keys text[];
  v_place text;
begin
  for v_term in
    select distinct l.lexeme as word, w.n = cardinality(p_words) as is_last
      from unnest(p_words) with ordinality as w (word, n)
      cross join lateral unnest(to_tsvector('simple'::regconfig, left(w.word, 500))) l
  loop
    v_page := (quote_literal(v_term.word) || case when v_term.is_last then ':*' else '' end)::tsquery;
    v_keys := private.keys_of(quote_literal(v_term.word)::tsquery);
    v_query.exact := concat_ws(' & ', v_query.exact, private.any_query(v_term.word, false, '{n}', v_keys));
    v_query.whole_exact := concat_ws(' & ', v_query.whole_exact, private.any_query(v_term.word, false, '{a}', v_keys));
    if v_term.is_last then
      v_keys := private.keys_of(v_page);
    else
      v_query.head_start := concat_ws(' & ', v_query.head_start, private.any_query(v_term.word, false, '{n,e}', v_keys));
      v_query.whole_start := concat_ws(' & ', v_query.whole_start, private.any_query(v_term.word, false, '{a}', v_keys));
    end if;
    v_query.names := concat_ws(' & ', v_query.names, private.any_query(v_term.word, v_term.is_last, '{n}', v_keys));
    v_query.head_words := v_query.head_words || private.any_query(v_term.word, v_term.is_last, '{n,e}', v_keys);
    v_query.page_words := v_query.page_words || v_page;
    v_query.whole := concat_ws(' & ', v_query.whole, private.any_query(v_term.word, v_term.is_last, '{a}', v_keys));
  end loop;
  if v_query.whole is null then return null; end if;
  v_query.head := array_to_string(v_query.head_words, ' & ');
  if p_brand_id is not null or p_area_type_id is not null then
    v_query.place := concat_ws(' & ', private.place_query(p_brand_id, 'n'), private.place_query(p_area_type_id, 'n'));
    v_place := concat_ws(' & ', private.place_query(p_brand_id, 'a'), private.place_query(p_area_type_id, 'a'));
    v_query.exact := v_query.exact || ' & ' || v_query.place;
    v_query.names := v_query.names || ' & ' || v_query.place;
    v_query.head := v_query.head || ' & ' || v_query.place;
    v_query.whole := v_query.whole || ' & ' || v_place;
    v_query.whole_exact := v_query.whole_exact || ' & ' || v_place;
    v_query.head_start := v_query.head_start || ' & ' || v_query.place;
    v_query.whole_start := v_query.whole_start || ' & ' || v_place;
  end if;
  return v_query;
end $$;

-- Returns the specs with a row that matches a query, at most `p_most` of them. The nested loop reads the newest blocks
-- first and stops once it has enough. With `p_pool`, checks only the specs in it and returns all that match.
create function private.some_specs(p_query text, p_part text, p_pool uuid[], p_most int) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
begin
  if p_pool is not null then
    return array(select x.spec_id from private.spec_words x
      where x.spec_id = any (p_pool) and x.part = p_part and x.words @@ replace(p_query, '~', x.block::text)::tsquery);
  end if;
  return array(
    select x.spec_id
      from (select no from private.spec_blocks order by first_at desc) b
      cross join lateral (
        select w.spec_id from private.spec_words w where w.words @@ replace(p_query, '~', b.no::text)::tsquery) x
     limit p_most);
end $$;

-- Returns the specs with a status. Returns null if there are more than 1,000, or if `p_status` is null.
create function private.few_with_status(p_status text) returns uuid[]
language plpgsql stable set search_path = '' as $$
declare v_ids uuid[];
begin
  if p_status is null then return null; end if;
  v_ids := array(select u.id from public.spec_uploads u where u.processing_status = p_status limit 1001);
  return case when cardinality(v_ids) <= 1000 then v_ids end;
end $$;

-- Does the same as `some_specs` for a query whose last word is a prefix. For a prefix, an index scan reads all words
-- that start with it, even if few specs have the other words. So this function first searches for the other words
-- (`p_start`). If at most 100 specs have them, it checks only these specs. Otherwise, it searches for `p_exact`, in
-- which the last word is not a prefix, because this search may find enough specs. If it does not, the function searches
-- for `p_query`.
create function private.some_with_prefix(p_query text, p_start text, p_exact text, p_part text, p_pool uuid[], p_most int)
returns uuid[]
language plpgsql stable set search_path = '' as $$
declare v_ids uuid[];
begin
  if p_pool is null and p_start is not null then
    v_ids := private.some_specs(p_start, p_part, null, 101);
    if cardinality(v_ids) <= 100 then return private.some_specs(p_query, p_part, v_ids, p_most); end if;
    v_ids := private.some_specs(p_exact, p_part, null, p_most);
    if cardinality(v_ids) = p_most then return v_ids; end if;
  end if;
  return private.some_specs(p_query, p_part, p_pool, p_most);
end $$;

-- Returns the outdated specs whose names, error and pages together contain all words of a search.
create function private.outdated_matches(p_query private.spec_query) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select o.spec_id from private.outdated_specs o
      join private.spec_words n on n.spec_id = o.spec_id and n.part = 'names'
     where coalesce(n.words @@ replace(p_query.place, '~', n.block::text)::tsquery, true)
       and not exists (
         select 1 from unnest(p_query.head_words, p_query.page_words) w (head, page)
          where not n.words @@ replace(w.head, '~', n.block::text)::tsquery
            and not exists (select 1 from public.spec_pages p where p.spec_id = o.spec_id and p.words @@ w.page)));
end $$;

-- Returns the specs with all words of a search, and in `is_all` whether `ids` contains all such specs. If more than
-- `p_most` specs have all words, returns about `p_most`. With `p_pool`, checks only the specs in it and the outdated
-- specs.
create function private.some_matches(p_query private.spec_query, p_pool uuid[], p_most int, out ids uuid[], out is_all boolean)
language plpgsql stable set search_path = '' as $$
begin
  ids := private.some_with_prefix(
    p_query.whole, p_query.whole_start, p_query.whole_exact, 'all', p_pool, p_most + 1);
  is_all := p_pool is not null or cardinality(ids) <= p_most;
  if exists (select 1 from private.outdated_specs) then
    ids := array(select unnest(ids) except select o.spec_id from private.outdated_specs o)
      || private.outdated_matches(p_query);
  end if;
end $$;

-- Which specs a search reads. Contains filters by status, creation time and version, and the position after which the
-- page of results starts. With `is_rising`, the oldest specs come first, otherwise the newest. Without
-- `all_versions`, replaced versions are left out.
create type private.spec_range as (
  status text, from_at timestamptz, before_at timestamptz, is_rising boolean, after_at timestamptz, after_id uuid,
  all_versions boolean
);

-- Returns the first `p_limit` specs of `p_ids` that are in the range.
create function private.pick_specs(p_ids uuid[], p_range private.spec_range, p_limit int)
returns table (id uuid, created_at timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
#variable_conflict use_column
begin
  return query
    select u.id, u.created_at from public.spec_uploads u
     where u.id = any (p_ids) and (p_range.status is null or u.processing_status = p_range.status)
       and (p_range.all_versions or u.is_current) and (p_range.from_at is null or u.created_at >= p_range.from_at)
       and (p_range.before_at is null or u.created_at < p_range.before_at)
       and case when p_range.after_id is null then true
                when p_range.is_rising then (u.created_at, u.id) > (p_range.after_at, p_range.after_id)
                else (u.created_at, u.id) < (p_range.after_at, p_range.after_id) end
     order by case when p_range.is_rising then u.created_at end, case when p_range.is_rising then u.id end,
              u.created_at desc, u.id desc
     limit p_limit;
end $$;

-- Returns the first specs in the range that have a row matching a query. Leaves out the specs in `p_except`, those
-- whose `names` row matches `p_not` and, for a query on `all` rows, outdated specs. Reads one block, then 4, then 16,
-- and so on.
create function private.scan_specs(p_query text, p_not text, p_except uuid[], p_range private.spec_range, p_limit int)
returns table (id uuid, created_at timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
#variable_conflict use_column
declare
  v_before timestamptz := least(p_range.before_at, case when not p_range.is_rising then p_range.after_at end);
  v_from timestamptz := greatest(p_range.from_at, case when p_range.is_rising then p_range.after_at end);
  v_blocks int[];
  v_has_outdated boolean := p_query like '%~a%' and exists (select 1 from private.outdated_specs);
  v_next int := 1;
  v_size int := 1;
  v_left int := p_limit;
  v_count int;
begin
  select array_agg(b.no order by case when p_range.is_rising then b.first_at end, b.first_at desc) into v_blocks
    from (select no, first_at, lead(first_at) over (order by first_at) as end_at from private.spec_blocks) b
   where (v_before is null or b.first_at <= v_before) and (v_from is null or b.end_at is null or b.end_at > v_from);
  while v_left > 0 and v_next <= cardinality(v_blocks) loop
    return query
      select f.spec_id, f.created_at
        from (select x.spec_id, x.created_at
                from unnest(v_blocks[v_next : v_next + v_size - 1]) b (no)
                cross join lateral (
                  select w.spec_id, w.created_at, w.is_current, w.block from private.spec_words w
                   where w.words @@ replace(p_query, '~', b.no::text)::tsquery) x
               where (p_range.from_at is null or x.created_at >= p_range.from_at)
                 and (p_range.before_at is null or x.created_at < p_range.before_at)
                 and case when p_range.after_id is null then true
                          when p_range.is_rising then (x.created_at, x.spec_id) > (p_range.after_at, p_range.after_id)
                          else (x.created_at, x.spec_id) < (p_range.after_at, p_range.after_id) end
                 and (p_range.all_versions or x.is_current)
                 -- Use scalar subqueries, because the planner can turn joins and other subqueries into scans of whole
                 -- tables.
                 and case when p_range.status is null then true
                     else (select u.processing_status = p_range.status from public.spec_uploads u where u.id = x.spec_id) end
                 and case when p_not is null then true
                     else (select not n.words @@ replace(p_not, '~', n.block::text)::tsquery from private.spec_words n
                            where n.spec_id = x.spec_id and n.part = 'names') end
                 and case when v_has_outdated
                     then (select o.spec_id from private.outdated_specs o where o.spec_id = x.spec_id) is null
                     else true end
               order by case when p_range.is_rising then x.created_at end, case when p_range.is_rising then x.spec_id end,
                        x.created_at desc, x.spec_id desc
               limit v_left + coalesce(cardinality(p_except), 0)) f
       where f.spec_id <> all (coalesce(p_except, '{}'))
       limit v_left;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    v_next := v_next + v_size;
    v_size := v_size * 4;
  end loop;
end $$;

-- Returns the first specs in the range that have all words of a search, except the specs in `p_except` and those whose
-- `names` row matches `p_not`.
create function private.scan_matches(p_query private.spec_query, p_not text, p_except uuid[], p_range private.spec_range,
  p_limit int)
returns table (id uuid, created_at timestamptz)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_outdated uuid[];
begin
  if exists (select 1 from private.outdated_specs) then
    v_outdated := array(select unnest(private.outdated_matches(p_query)) except select unnest(p_except));
    if p_not is not null then
      v_outdated := array(
        select unnest(v_outdated) except select unnest(private.some_specs(p_not, 'names', v_outdated, null)));
    end if;
  end if;
  return query
    select f.id, f.created_at
      from (select s.id, s.created_at from private.scan_specs(p_query.whole, p_not, p_except, p_range, p_limit) s
            union all select p.id, p.created_at from private.pick_specs(v_outdated, p_range, p_limit) p) f
     order by case when p_range.is_rising then f.created_at end, case when p_range.is_rising then f.id end,
              f.created_at desc, f.id desc
     limit p_limit;
end $$;

-- Returns the first `p_limit` specs of `p_ids` that are in the range. The best matches of a search come first. Among
-- equal matches, the newest specs come first.
create function private.rank_specs(p_ids uuid[], p_query private.spec_query, p_range private.spec_range,
  p_after_key text, p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
#variable_conflict use_column
begin
  return query
    select r.id, r.created_at, r.key
      from (select u.id, u.created_at,
                   case when n.words @@ replace(p_query.exact, '~', n.block::text)::tsquery then '1'
                        when n.words @@ replace(p_query.names, '~', n.block::text)::tsquery then '2'
                        when n.words @@ replace(p_query.head, '~', n.block::text)::tsquery then '3' else '4' end as key
              from private.spec_words n join public.spec_uploads u on u.id = n.spec_id
             where n.spec_id = any (p_ids) and n.part = 'names'
               and (p_range.status is null or u.processing_status = p_range.status)
               and (p_range.all_versions or u.is_current)
               and (p_range.from_at is null or u.created_at >= p_range.from_at)
               and (p_range.before_at is null or u.created_at < p_range.before_at)) r
     where p_after_key is null or r.key > p_after_key
        or r.key = p_after_key and (r.created_at, r.id) < (p_range.after_at, p_range.after_id)
     order by r.key, r.created_at desc, r.id desc
     limit p_limit;
end $$;

-- Returns the specs that match a search. Used if there are too many matches to rank each one. Specs whose names and
-- error together contain all words come first.
create function private.scan_by_rank(p_query private.spec_query, p_range private.spec_range, p_after_key text, p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_heads uuid[] := private.some_with_prefix(
    p_query.head, p_query.head_start, p_query.exact, 'names', private.few_with_status(p_range.status), 1001);
  v_key text;
  v_range private.spec_range;
  v_left int := p_limit;
  v_count int;
begin
  if cardinality(v_heads) > 1000 then v_heads := null; end if;
  if v_heads is not null and coalesce(p_after_key, '1') < '4' then
    return query select r.id, r.created_at, r.sort_key
      from private.rank_specs(v_heads, p_query, p_range, p_after_key, p_limit) r;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
  end if;
  foreach v_key in array case when v_heads is null then array['1', '2', '3', '4'] else array['4'] end loop
    exit when v_left <= 0;
    continue when v_key < p_after_key;
    v_range := p_range;
    if v_key is distinct from p_after_key then
      v_range.after_at := null;
      v_range.after_id := null;
    end if;
    if v_key = '4' then
      return query select s.id, s.created_at, v_key from private.scan_matches(
        p_query, case when v_heads is null then p_query.head end, v_heads, v_range, v_left) s;
    else
      return query select s.id, s.created_at, v_key from private.scan_specs(
        case v_key when '1' then p_query.exact when '2' then p_query.names else p_query.head end,
        case v_key when '2' then p_query.exact when '3' then p_query.names end, null, v_range, v_left) s;
    end if;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
  end loop;
end $$;

-- Returns the specs that match a search and the filters, sorted by `p_sort`: `match`, `status`, `newest` or `oldest`.
create function private.search_specs(p_query private.spec_query, p_status text, p_from timestamptz, p_before timestamptz,
  p_sort text, p_after_key text, p_after_at timestamptz, p_after_id uuid, p_limit int, p_all_versions boolean)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_status text;
  v_range private.spec_range :=
    (p_status, p_from, p_before, p_sort = 'oldest', p_after_at, p_after_id, p_all_versions);
  v_found record;
  v_left int := p_limit;
  v_count int;
begin
  foreach v_status in array case when p_sort = 'status' and p_status is null
    then array['completed', 'failed', 'pending', 'processing'] else array[p_status] end
  loop
    continue when p_sort = 'status' and v_status < p_after_key;
    if p_sort = 'status' and v_status > p_after_key then
      v_range.after_at := null;
      v_range.after_id := null;
    end if;
    v_range.status := v_status;
    v_found := private.some_matches(p_query, private.few_with_status(v_status), 1000);
    if p_sort = 'match' then
      return query select r.id, r.created_at, r.sort_key
        from private.rank_specs(v_found.ids, p_query, v_range, p_after_key, p_limit) r where v_found.is_all
      union all select r.id, r.created_at, r.sort_key
        from private.scan_by_rank(p_query, v_range, p_after_key, p_limit) r where not v_found.is_all;
    else
      return query select p.id, p.created_at, v_status
        from private.pick_specs(v_found.ids, v_range, v_left) p where v_found.is_all
      union all select s.id, s.created_at, v_status
        from private.scan_matches(p_query, null, null, v_range, v_left) s where not v_found.is_all;
    end if;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
end $$;

-- Returns the specs that match the filters, sorted by `p_sort`. Used without a search, and for a search sorted by file
-- or brand. With `p_ids` but without `p_query`, returns only specs in `p_ids`. With both, returns the specs in `p_ids`
-- and those that match `p_query` and are not outdated.
create function private.list_specs(p_query text, p_ids uuid[], p_status text, p_brand_id uuid, p_area_type_id uuid,
  p_from timestamptz, p_before timestamptz, p_sort text, p_after_key text, p_after_at timestamptz, p_after_id uuid,
  p_limit int, p_all_versions boolean)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_keys text[];
  v_key text;
  v_order text := case p_sort when 'oldest' then 'asc' else 'desc' end;
  v_sort_key text := '$1';
  v_tables text;
  v_where text;
  v_left int := p_limit;
  v_count int;
begin
  -- If the sort key has few values, query each value separately, because an index can then return the rows in order.
  case
    when p_sort = 'status' then v_keys := array['completed', 'failed', 'pending', 'processing'];
    when p_sort = 'brand' and p_ids is null then
      v_keys := array(
        select private.sort_key(b.name) from public.brands b where p_brand_id is null or b.id = p_brand_id order by 1);
    when p_sort = 'brand' then v_sort_key := 'private.sort_key(b.name)';
    when p_sort = 'file' then v_sort_key := 'private.sort_key(d.file_name)';
    else null;
  end case;

  foreach v_key in array coalesce(v_keys, array[null::text]) loop
    continue when v_keys is not null and v_key < p_after_key;
    v_tables := 'public.spec_uploads u';
    v_where := 'true';
    if p_query is not null then
      -- `p_query` is given only if there are thousands of matches, so an index on the sort order soon finds the first
      -- matches. The planner cannot know how many matches there are, so a `case` keeps the planner from using the index
      -- on words.
      v_tables := v_tables || ' join private.spec_words x on x.spec_id = u.id and x.part = ''all''';
      v_where := 'case when u.id = any ($2) then true
                       when (select o.spec_id from private.outdated_specs o where o.spec_id = u.id) is not null then false
                       else x.words @@ replace($11, ''~'', x.block::text)::tsquery end';
    elsif p_ids is not null then
      v_where := 'u.id = any ($2)';
    elsif p_sort = 'brand' then
      v_where := 'u.brand_id = (select b.id from public.brands b where private.sort_key(b.name) = $1)';
    end if;
    if p_sort = 'brand' and p_ids is not null then
      v_tables := v_tables || ' join public.brands b on b.id = u.brand_id';
    elsif p_sort = 'file' then
      v_tables := v_tables || ' join public.documents d on d.id = u.document_id';
    elsif p_sort = 'status' then
      v_where := v_where || ' and u.processing_status = $1';
    end if;
    if not p_all_versions then v_where := v_where || ' and u.is_current'; end if;
    if p_status is not null then v_where := v_where || ' and u.processing_status = $3'; end if;
    if p_brand_id is not null then v_where := v_where || ' and u.brand_id = $4'; end if;
    if p_area_type_id is not null then v_where := v_where || ' and u.area_type_id = $5'; end if;
    if p_from is not null then v_where := v_where || ' and u.created_at >= $6'; end if;
    if p_before is not null then v_where := v_where || ' and u.created_at < $7'; end if;
    if p_after_id is not null and (v_keys is null or v_key = p_after_key) then
      v_where := v_where || format(
        case when v_sort_key = '$1' then ' and (u.created_at, u.id) %s ($9, $10)'
             else ' and %2$s >= $8 and (%2$s > $8 or (u.created_at, u.id) %1$s ($9, $10))' end,
        case v_order when 'desc' then '<' else '>' end, v_sort_key);
    end if;
    return query execute format(
      'select u.id, u.created_at, %1$s from %2$s where %3$s order by %4$s u.created_at %5$s, u.id %5$s limit %6$s',
      v_sort_key || '::text', v_tables, v_where, case when v_sort_key = '$1' then '' else v_sort_key || ', ' end,
      v_order, v_left)
      using v_key, p_ids, p_status, p_brand_id, p_area_type_id, p_from, p_before, p_after_key, p_after_at, p_after_id,
            p_query;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
end $$;

-- As before, but searches block by block, and leaves replaced versions out unless `p_all_versions` is true.
drop function public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int);
create function public.find_specs(p_q text default null, p_status text default null,
  p_brand text default null, p_area text default null, p_from timestamptz default null,
  p_before timestamptz default null, p_sort text default 'newest', p_after_key text default null,
  p_after_at timestamptz default null, p_after_id uuid default null, p_limit int default 21,
  p_all_versions boolean default false)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_words text[] := private.words_of(p_q);
  v_brand uuid;
  v_area uuid;
  v_query private.spec_query;
  v_found record;
  v_few uuid[];
  v_scanned text;
begin
  if not private.is_admin() then return; end if;
  if p_brand is not null then
    select b.id into v_brand from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    if not found then return; end if;
  end if;
  if p_area is not null then
    select a.id into v_area from public.area_types a where a.name_key = private.name_key(p_area) and a.name = p_area;
    if not found then return; end if;
  end if;
  if cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words, v_brand, v_area);
    if v_query.whole is null then return; end if;
    if p_sort not in ('brand', 'file') then
      return query select s.id, s.created_at, s.sort_key
        from private.search_specs(v_query, p_status, p_from, p_before, p_sort, p_after_key, p_after_at, p_after_id, p_limit,
          p_all_versions) s;
      return;
    end if;
    v_found := private.some_matches(v_query, private.few_with_status(p_status), 5000);
    if v_found.is_all then
      v_few := v_found.ids;
    else
      v_few := private.outdated_matches(v_query);
      v_scanned := v_query.whole;
    end if;
  end if;
  return query select l.id, l.created_at, l.sort_key
    from private.list_specs(v_scanned, v_few, p_status, v_brand, v_area, p_from, p_before, p_sort, p_after_key, p_after_at,
      p_after_id, p_limit, p_all_versions) l;
end $$;

-- As before, but counts block by block. If a search has more than 1,000 matches, counts at most 1,000 of them, mostly
-- the newest.
drop function public.spec_counts(text, text, text, timestamptz, timestamptz);
create function public.spec_counts(p_brand text default null, p_area text default null, p_q text default null,
  p_from timestamptz default null, p_before timestamptz default null, p_all_versions boolean default false)
returns table (status text, n bigint, is_exact boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_words text[] := private.words_of(p_q);
  v_query private.spec_query;
  v_brand uuid;
  v_area uuid;
  v_found record;
begin
  if not private.is_admin() then return; end if;
  if p_brand is not null then
    select b.id into v_brand from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    if not found then return; end if;
  end if;
  if p_area is not null then
    select a.id into v_area from public.area_types a where a.name_key = private.name_key(p_area) and a.name = p_area;
    if not found then return; end if;
  end if;
  if cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words, v_brand, v_area);
    if v_query.whole is null then return; end if;
    v_found := private.some_matches(v_query, null, 1000);
    if not v_found.is_all and (p_from is not null or p_before is not null
        or not p_all_versions
          and exists (select 1 from public.spec_uploads u where u.id = any (v_found.ids) and not u.is_current)) then
      v_found.ids := array(
        select s.id from private.scan_matches(v_query, null, null, (null, p_from, p_before, false, null, null, p_all_versions), 1001) s);
      v_found.is_all := cardinality(v_found.ids) <= 1000;
    end if;
    return query
      select p.status, count(*), v_found.is_all
        from (select u.processing_status as status from public.spec_uploads u
               where u.id = any (v_found.ids) and (p_all_versions or u.is_current) and (p_from is null or u.created_at >= p_from)
                 and (p_before is null or u.created_at < p_before)
               limit case when not v_found.is_all then 1000 end) p
       group by 1;
  elsif p_from is not null or p_before is not null then
    return query execute format(
      'select u.processing_status, count(*), true from public.spec_uploads u where true %s %s %s %s %s group by 1',
      case when not p_all_versions then 'and u.is_current' end,
      case when v_brand is not null then 'and u.brand_id = $1' end,
      case when v_area is not null then 'and u.area_type_id = $2' end,
      case when p_from is not null then 'and u.created_at >= $3' end,
      case when p_before is not null then 'and u.created_at < $4' end)
      using v_brand, v_area, p_from, p_before;
  else
    return query select c.status, sum(c.n)::bigint, true
      from (select t.status, t.n from private.spec_tally t
             where (v_brand is null or t.brand_id = v_brand) and (v_area is null or t.area_type_id = v_area)
            union all
            select u.processing_status, count(*) from public.spec_uploads u
             where p_all_versions and not u.is_current
               and (v_brand is null or u.brand_id = v_brand) and (v_area is null or u.area_type_id = v_area)
             group by 1) c
     group by 1;
  end if;
end $$;

-- As before, but reads `spec_words`.
create or replace function public.matching_pages(p_ids uuid[], p_q text)
returns table (spec_id uuid, page int, text text)
language plpgsql stable security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_query private.spec_query := private.spec_queries(private.words_of(p_q), null, null);
begin
  if not private.is_admin() then return; end if;
  return query
    select x.spec_id, best.page, best.text
      from private.spec_words x
      cross join lateral (
        select p.page, p.text
          from public.spec_pages p
          cross join lateral (select count(*) as n from unnest(v_query.page_words) w (word) where p.words @@ w.word) found
         where p.spec_id = x.spec_id and found.n > 0
         order by found.n desc, p.page limit 1) best
     where x.spec_id = any (p_ids) and x.part = 'names' and not x.words @@ replace(v_query.head, '~', x.block::text)::tsquery;
end $$;

drop function private.few_specs(text, tsquery, tsquery, int);
drop function private.all_words_query(text[], boolean, text);
drop function private.word_query(text, boolean, text);
revoke execute on function private.keys_of(tsquery), private.place_query(uuid, text),
  private.any_query(text, boolean, text[], text[]), private.spec_queries(text[], uuid, uuid),
  private.some_specs(text, text, uuid[], int), private.few_with_status(text),
  private.some_with_prefix(text, text, text, text, uuid[], int), private.outdated_matches(private.spec_query),
  private.some_matches(private.spec_query, uuid[], int),
  private.pick_specs(uuid[], private.spec_range, int),
  private.scan_specs(text, text, uuid[], private.spec_range, int),
  private.scan_matches(private.spec_query, text, uuid[], private.spec_range, int),
  private.rank_specs(uuid[], private.spec_query, private.spec_range, text, int),
  private.scan_by_rank(private.spec_query, private.spec_range, text, int),
  private.search_specs(private.spec_query, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean),
  private.list_specs(text, uuid[], text, uuid, uuid, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean)
  from public, anon, authenticated;
revoke execute on function
  public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean),
  public.spec_counts(text, text, text, timestamptz, timestamptz, boolean) from public, anon, authenticated;
grant execute on function
  public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean),
  public.spec_counts(text, text, text, timestamptz, timestamptz, boolean) to authenticated, anon;
