-- Speeds up searches that are filtered by status. Before, such a search scanned the blocks for its words and looked up
-- the status of each match. For a frequent word and the status `failed`, one page of the list took a thousand lookups.
-- If the status is rarer than the words, the search now scans the specs with this status instead.

-- Returns whether a status is probably rarer than the words of a query. Compares the status's share of all current
-- specs with the share of matches in the newest full block, which has about 4,096 specs.
create function private.is_rarer_status(p_status text, p_query text) returns boolean
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
declare
  v_block int;
  v_share numeric;
begin
  if p_status is null then return false; end if;
  select b.no into v_block from private.spec_blocks b order by b.first_at desc offset 1 limit 1;
  if not found then return false; end if;
  select sum(t.n) filter (where t.status = p_status) / nullif(sum(t.n), 0) into v_share from private.spec_tally t;
  return (select count(*) from private.spec_words w where w.words @@ replace(p_query, '~', v_block::text)::tsquery)
    > 4096 * v_share;
end $$;

-- As before, but if the newest specs come first and the status is rarer than the words, scans up to 2,000 specs with
-- this status before the blocks.
create or replace function private.scan_specs(p_query text, p_not text, p_except uuid[], p_range private.spec_range, p_limit int)
returns table (id uuid, created_at timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
#variable_conflict use_column
declare
  v_before timestamptz;
  v_from timestamptz;
  v_blocks int[];
  v_has_outdated boolean := p_query like '%~a%' and exists (select 1 from private.outdated_specs);
  v_spec record;
  v_seen int := 0;
  v_next int := 1;
  v_size int := 1;
  v_left int := p_limit;
  v_count int;
begin
  if not p_range.is_rising and private.is_rarer_status(p_range.status, p_query) then
    for v_spec in
      select u.id, u.created_at from public.spec_uploads u
       where u.processing_status = p_range.status
         and (p_range.from_at is null or u.created_at >= p_range.from_at)
         and (p_range.before_at is null or u.created_at < p_range.before_at)
         and (p_range.after_id is null or (u.created_at, u.id) < (p_range.after_at, p_range.after_id))
         and (p_range.all_versions or u.is_current)
       order by u.created_at desc, u.id desc limit 2000
    loop
      v_seen := v_seen + 1;
      p_range.after_at := v_spec.created_at;
      p_range.after_id := v_spec.id;
      continue when v_spec.id = any (coalesce(p_except, '{}'))
        or v_has_outdated and exists (select 1 from private.outdated_specs o where o.spec_id = v_spec.id)
        or not exists (
          select 1 from private.spec_words w
           where w.spec_id = v_spec.id and w.words @@ replace(p_query, '~', w.block::text)::tsquery)
        or p_not is not null and (
          select n.words @@ replace(p_not, '~', n.block::text)::tsquery from private.spec_words n
           where n.spec_id = v_spec.id and n.part = 'names');
      id := v_spec.id;
      created_at := v_spec.created_at;
      return next;
      v_left := v_left - 1;
      exit when v_left = 0;
    end loop;
    -- If 2,000 specs do not fill the page, the words are unexpectedly rare in specs with this status, so scan the
    -- blocks for the rest.
    if v_left = 0 or v_seen < 2000 then return; end if;
  end if;
  v_before := least(p_range.before_at, case when not p_range.is_rising then p_range.after_at end);
  v_from := greatest(p_range.from_at, case when p_range.is_rising then p_range.after_at end);
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

revoke execute on function private.is_rarer_status(text, text) from public, anon, authenticated;
