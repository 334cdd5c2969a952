-- Speeds up searches for words that seldom occur in the same spec. Such a search now reads groups of 64 blocks at once.
-- Before, it looked up each word in every block. `lib/specs/SEARCH.md` explains the layout.

-- Returns the words in the form that the index of groups stores: each word starts with the number of its group of 64
-- blocks instead of the block number, and has a period before its last character. Because of the period, a prefix
-- matches only longer words. A search for a prefix that is also a frequent word thus need not read all specs with this
-- word.
create function private.wide_words(p_block int, p_words tsvector) returns tsvector
language sql immutable parallel safe cost 500 set search_path = '' as $$
  select array_to_tsvector(array(
    select p_block / 64 || substr(left(w.word, -1), length(p_block::text) + 1) || '.' || right(w.word, 1)
      from unnest(tsvector_to_array(p_words)) w (word)))
$$;

-- Converts a query from `spec_query` for the index of groups. A search for a prefix becomes a search for the prefix as
-- a whole word or for any longer word that starts with it.
create function private.wide_query(p_query text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    regexp_replace(p_query, '''([^'']+)([^''])''', '''\1.\2''', 'g'),
    '''([^'']+)\.([^''])'':\*', '''\1.\2'' | ''\1\2'':*', 'g')
$$;
revoke execute on function private.wide_words(int, tsvector), private.wide_query(text) from public, anon, authenticated;
grant execute on function private.wide_words(int, tsvector) to service_role;
create index spec_words_wide on private.spec_words using gin (private.wide_words(block, words)) with (fastupdate = off);

-- As before, but reads groups of blocks if the newest blocks have too few matches. Reads the newest four blocks first.
-- If these have at least an eighth of the `p_most` matches, the newest 32 blocks probably have enough, so reads those
-- before any groups.
create or replace function private.some_specs(p_query text, p_part text, p_pool uuid[], p_most int) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
declare
  v_blocks int;
  v_ids uuid[];
  v_wide text := private.wide_query(p_query);
begin
  if p_pool is not null then
    return array(select x.spec_id from private.spec_words x
      where x.spec_id = any (p_pool) and x.part = p_part and x.words @@ replace(p_query, '~', x.block::text)::tsquery);
  end if;
  foreach v_blocks in array array[4, 32] loop
    v_ids := array(
      select x.spec_id
        from (select no from private.spec_blocks order by first_at desc limit v_blocks) b
        cross join lateral (
          select w.spec_id from private.spec_words w where w.words @@ replace(p_query, '~', b.no::text)::tsquery) x
       limit p_most);
    if cardinality(v_ids) = p_most then return v_ids; end if;
    exit when cardinality(v_ids) * 8 < p_most;
  end loop;
  return array(
    select x.spec_id
      from (select distinct no / 64 as no from private.spec_blocks order by 1 desc) g
      cross join lateral (
        select w.spec_id from private.spec_words w
         where private.wide_words(w.block, w.words) @@ replace(v_wide, '~', g.no::text)::tsquery) x
     limit p_most);
end $$;

-- As before, but does not first search for the last word as a complete word, because that seldom saves time.
drop function private.some_with_prefix(text, text, text, text, uuid[], int);
create function private.some_with_prefix(p_query text, p_start text, p_part text, p_pool uuid[], p_most int) returns uuid[]
language plpgsql stable set search_path = '' as $$
declare v_ids uuid[];
begin
  if p_pool is null and p_start is not null then
    v_ids := private.some_specs(p_start, p_part, null, 101);
    if cardinality(v_ids) <= 100 then return private.some_specs(p_query, p_part, v_ids, p_most); end if;
  end if;
  return private.some_specs(p_query, p_part, p_pool, p_most);
end $$;
revoke execute on function private.some_with_prefix(text, text, text, uuid[], int) from public, anon, authenticated;

create or replace function private.some_matches(p_query private.spec_query, p_pool uuid[], p_most int, out ids uuid[],
  out is_all boolean)
language plpgsql stable set search_path = '' as $$
begin
  ids := private.some_with_prefix(p_query.whole, p_query.whole_start, 'all', p_pool, p_most + 1);
  is_all := p_pool is not null or cardinality(ids) <= p_most;
  if exists (select 1 from private.outdated_specs) then
    ids := array(select unnest(ids) except select o.spec_id from private.outdated_specs o)
      || private.outdated_matches(p_query);
  end if;
end $$;

alter type private.spec_query drop attribute whole_exact;
create or replace function private.spec_queries(p_words text[], p_brand_id uuid, p_area_type_id uuid) returns private.spec_query
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
    v_query.head_start := v_query.head_start || ' & ' || v_query.place;
    v_query.whole_start := v_query.whole_start || ' & ' || v_place;
  end if;
  return v_query;
end $$;

-- As before, but reads one block, then one more, then two, then four, and so on, because the newest block can contain
-- few specs.
create or replace function private.scan_specs(p_query text, p_not text, p_except uuid[], p_range private.spec_range, p_limit int)
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
                 -- These conditions use scalar subqueries, because the planner can turn joins and other subqueries
                 -- into scans of whole tables.
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
    v_size := v_next - 1;
  end loop;
end $$;

-- As before, but needs only one comparison to recognize a match in the text. Most matches are of this kind.
create or replace function private.rank_specs(p_ids uuid[], p_query private.spec_query, p_range private.spec_range,
  p_after_key text, p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
#variable_conflict use_column
begin
  return query
    select r.id, r.created_at, r.key
      from (select u.id, u.created_at,
                   case when not n.words @@ replace(p_query.head, '~', n.block::text)::tsquery then '4'
                        when n.words @@ replace(p_query.exact, '~', n.block::text)::tsquery then '1'
                        when n.words @@ replace(p_query.names, '~', n.block::text)::tsquery then '2' else '3' end as key
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

-- As before, but scans no blocks for ranks that few specs have.
create or replace function private.scan_by_rank(p_query private.spec_query, p_range private.spec_range, p_after_key text, p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
declare
  v_pool uuid[] := private.few_with_status(p_range.status);
  -- All specs with a rank up to `v_last`. `v_last` rises as long as there are at most 1,000 such specs.
  v_few uuid[];
  v_last text := '0';
  v_ids uuid[];
  v_key text;
  v_range private.spec_range;
  v_left int := p_limit;
  v_count int;
begin
  foreach v_key in array array['1', '2', '3'] loop
    v_ids := case v_key
      when '1' then private.some_specs(p_query.exact, 'names', v_pool, 1001)
      when '2' then private.some_specs(p_query.names, 'names', v_pool, 1001)
      else private.some_with_prefix(p_query.head, p_query.head_start, 'names', v_pool, 1001) end;
    exit when cardinality(v_ids) > 1000;
    v_few := v_ids;
    v_last := v_key;
  end loop;
  if coalesce(p_after_key, '1') <= v_last then
    return query select r.id, r.created_at, r.sort_key
      from private.rank_specs(v_few, p_query, p_range, p_after_key, p_limit) r;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
  end if;
  foreach v_key in array array['1', '2', '3', '4'] loop
    exit when v_left <= 0;
    continue when v_key <= v_last or v_key < p_after_key;
    v_range := p_range;
    if v_key is distinct from p_after_key then
      v_range.after_at := null;
      v_range.after_id := null;
    end if;
    if v_key = '4' then
      return query select s.id, s.created_at, v_key from private.scan_matches(
        p_query, case when v_last < '3' then p_query.head end, case when v_last = '3' then v_few end, v_range, v_left) s;
    else
      return query select s.id, s.created_at, v_key from private.scan_specs(
        case v_key when '1' then p_query.exact when '2' then p_query.names else p_query.head end,
        case v_key when '2' then p_query.exact when '3' then p_query.names end, null, v_range, v_left) s;
    end if;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
  end loop;
end $$;

-- As before, but a caller that has already called `some_matches` with a null pool can pass the result in `p_found` and
-- `p_is_all`. The function then does not repeat this call.
drop function private.search_specs(
  private.spec_query, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean);
create function private.search_specs(p_query private.spec_query, p_status text, p_from timestamptz, p_before timestamptz,
  p_sort text, p_after_key text, p_after_at timestamptz, p_after_id uuid, p_limit int, p_all_versions boolean,
  p_found uuid[] default null, p_is_all boolean default null)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_status text;
  v_range private.spec_range :=
    (p_status, p_from, p_before, p_sort = 'oldest', p_after_at, p_after_id, p_all_versions);
  v_pool uuid[];
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
    v_pool := private.few_with_status(v_status);
    if v_pool is null and p_found is not null then
      select p_found as ids, p_is_all as is_all into v_found;
    else
      v_found := private.some_matches(p_query, v_pool, 1000);
    end if;
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

-- Returns one page of the specs that match the filters, sorted by `p_sort`. `p_found` and `p_is_all` are the result of
-- calling `some_matches` with a null pool. Both are null if there is no search.
create function private.page_of_specs(p_query private.spec_query, p_found uuid[], p_is_all boolean, p_status text,
  p_brand_id uuid, p_area_type_id uuid, p_from timestamptz, p_before timestamptz, p_sort text, p_after_key text,
  p_after_at timestamptz, p_after_id uuid, p_limit int, p_all_versions boolean)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_found record;
  v_few uuid[];
  v_scanned text;
begin
  if p_query.whole is not null then
    if p_sort not in ('brand', 'file') then
      return query select s.id, s.created_at, s.sort_key
        from private.search_specs(p_query, p_status, p_from, p_before, p_sort, p_after_key, p_after_at, p_after_id, p_limit,
          p_all_versions, p_found, p_is_all) s;
      return;
    end if;
    v_found := private.some_matches(p_query, private.few_with_status(p_status), 5000);
    if v_found.is_all then
      v_few := v_found.ids;
    else
      v_few := private.outdated_matches(p_query);
      v_scanned := p_query.whole;
    end if;
  end if;
  return query select l.id, l.created_at, l.sort_key
    from private.list_specs(v_scanned, v_few, p_status, p_brand_id, p_area_type_id, p_from, p_before, p_sort, p_after_key,
      p_after_at, p_after_id, p_limit, p_all_versions) l;
end $$;

-- Returns the number of specs in each status that match the filters, and whether the numbers are exact. If a search has
-- more than 1,000 matches, counts at most 1,000 of them, mostly the newest.
create function private.count_specs(p_query private.spec_query, p_found uuid[], p_is_all boolean, p_brand_id uuid,
  p_area_type_id uuid, p_from timestamptz, p_before timestamptz, p_all_versions boolean, out counts jsonb,
  out is_exact boolean)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  v_where text;
begin
  is_exact := true;
  if p_query.whole is not null then
    is_exact := p_is_all;
    if not p_is_all and (p_from is not null or p_before is not null
        or not p_all_versions
          and exists (select 1 from public.spec_uploads u where u.id = any (p_found) and not u.is_current)) then
      p_found := array(
        select s.id from private.scan_matches(p_query, null, null, (null, p_from, p_before, false, null, null, p_all_versions), 1001) s);
      is_exact := cardinality(p_found) <= 1000;
    end if;
    select jsonb_object_agg(c.status, c.n) into counts
      from (select p.status, count(*) as n
              from (select u.processing_status as status from public.spec_uploads u
                     where u.id = any (p_found) and (p_all_versions or u.is_current)
                       and (p_from is null or u.created_at >= p_from) and (p_before is null or u.created_at < p_before)
                     limit case when not is_exact then 1000 end) p
             group by 1) c;
  elsif p_from is not null or p_before is not null then
    v_where := concat_ws(' and ', 'true',
      case when not p_all_versions then 'u.is_current' end,
      case when p_brand_id is not null then 'u.brand_id = $1' end,
      case when p_area_type_id is not null then 'u.area_type_id = $2' end,
      case when p_from is not null then 'u.created_at >= $3' end,
      case when p_before is not null then 'u.created_at < $4' end);
    execute format('select jsonb_object_agg(c.status, c.n)
        from (select u.processing_status as status, count(*) as n from public.spec_uploads u where %s group by 1) c', v_where)
      into counts using p_brand_id, p_area_type_id, p_from, p_before;
  else
    select jsonb_object_agg(c.status, c.n) into counts
      from (select x.status, sum(x.n)::bigint as n
              from (select t.status, t.n from private.spec_tally t
                     where (p_brand_id is null or t.brand_id = p_brand_id)
                       and (p_area_type_id is null or t.area_type_id = p_area_type_id)
                    union all
                    select u.processing_status, count(*) from public.spec_uploads u
                     where p_all_versions and not u.is_current
                       and (p_brand_id is null or u.brand_id = p_brand_id)
                       and (p_area_type_id is null or u.area_type_id = p_area_type_id)
                     group by 1) x
             group by 1) c;
  end if;
  counts := coalesce(counts, '{}');
end $$;

-- Of a spec's pages, returns the one that contains the most words of a search. Returns no row if the spec's names and
-- error together contain all words, or if no page contains any of them.
create function private.matching_page(p_id uuid, p_query private.spec_query) returns table (page int, text text)
language plpgsql stable rows 1 set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select p.page, p.text
      from public.spec_pages p
      cross join lateral (select count(*) as n from unnest(p_query.page_words) w (word) where p.words @@ w.word) found
     where p.spec_id = p_id and found.n > 0
       and not (select x.words @@ replace(p_query.head, '~', x.block::text)::tsquery
                  from private.spec_words x where x.spec_id = p_id and x.part = 'names')
     order by found.n desc, p.page limit 1;
end $$;

-- Returns one page of the specs that match the filters, and the number of matches with each status. The numbers ignore
-- `p_status`. For a search, each spec comes with its `matching_page`. With `p_is_only_ids`, leaves out the matching
-- pages and the numbers. Replaces three functions that each ran the same search. Only administrators get any specs.
drop function public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean);
drop function public.spec_counts(text, text, text, timestamptz, timestamptz, boolean);
drop function public.matching_pages(uuid[], text);
create function public.find_specs(p_q text default null, p_status text default null,
  p_brand text default null, p_area text default null, p_from timestamptz default null,
  p_before timestamptz default null, p_sort text default 'newest', p_after_key text default null,
  p_after_at timestamptz default null, p_after_id uuid default null, p_limit int default 21,
  p_all_versions boolean default false, p_is_only_ids boolean default false)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_words text[] := private.words_of(p_q);
  v_brand uuid;
  v_area uuid;
  v_query private.spec_query;
  v_found uuid[];
  v_is_all boolean;
  v_specs jsonb := '[]';
  v_counts jsonb := '{}';
  v_is_exact boolean := true;
  v_has_matches boolean := private.is_admin();
begin
  if p_brand is not null then
    select b.id into v_brand from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    v_has_matches := v_has_matches and found;
  end if;
  if p_area is not null then
    select a.id into v_area from public.area_types a where a.name_key = private.name_key(p_area) and a.name = p_area;
    v_has_matches := v_has_matches and found;
  end if;
  if v_has_matches and cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words, v_brand, v_area);
    v_has_matches := v_query.whole is not null;
    if v_has_matches then
      select m.ids, m.is_all into v_found, v_is_all from private.some_matches(v_query, null, 1000) m;
    end if;
  end if;
  if v_has_matches then
    select coalesce(jsonb_agg(
             jsonb_build_object('id', l.id, 'created_at', l.created_at, 'sort_key', l.sort_key, 'page', m.page, 'text', m.text)
             order by l.n), '[]') into v_specs
      from private.page_of_specs(v_query, v_found, v_is_all, p_status, v_brand, v_area, p_from, p_before, p_sort,
             p_after_key, p_after_at, p_after_id, p_limit, p_all_versions) with ordinality l (id, created_at, sort_key, n)
      left join lateral private.matching_page(l.id, v_query) m on v_query.whole is not null and not p_is_only_ids;
    if not p_is_only_ids then
      select c.counts, c.is_exact into v_counts, v_is_exact
        from private.count_specs(v_query, v_found, v_is_all, v_brand, v_area, p_from, p_before, p_all_versions) c;
    end if;
  end if;
  return jsonb_build_object('specs', v_specs, 'counts', v_counts, 'isExact', v_is_exact);
end $$;

revoke execute on function
  private.search_specs(private.spec_query, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean,
    uuid[], boolean),
  private.page_of_specs(private.spec_query, uuid[], boolean, text, uuid, uuid, timestamptz, timestamptz, text, text,
    timestamptz, uuid, int, boolean),
  private.count_specs(private.spec_query, uuid[], boolean, uuid, uuid, timestamptz, timestamptz, boolean),
  private.matching_page(uuid, private.spec_query)
  from public, anon, authenticated;
revoke execute on function public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid,
  int, boolean, boolean) from public, anon, authenticated;
grant execute on function public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid,
  int, boolean, boolean) to authenticated, anon;
