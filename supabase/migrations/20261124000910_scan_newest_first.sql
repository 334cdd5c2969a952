-- Speeds up the first page of a search that is sorted by rank and not filtered by status. Before, such a search looked
-- up a frequent prefix twice: first to find that more than 1,000 specs have it in their names, and then to get the
-- newest of these specs. Now, it gets the newest specs first. If the newest two blocks contain a full page of them, it
-- skips the other lookup.

create or replace function private.scan_by_rank(p_query private.spec_query, p_range private.spec_range, p_after_key text, p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
declare
  v_pool uuid[] := private.few_with_status(p_range.status);
  -- All specs with a rank up to `v_last`, at most 1,000.
  v_few uuid[];
  v_last text := '0';
  v_ids uuid[];
  -- The newest specs of the rank after `v_last`. Used only if they fill a page.
  v_latest uuid[];
  v_times timestamptz[];
  v_key text;
  v_range private.spec_range;
  v_recent timestamptz;
  v_left int := p_limit;
  v_count int;
begin
  if p_range.status is null then
    v_recent := (select b.first_at from private.spec_blocks b
                  where p_range.before_at is null or b.first_at <= p_range.before_at
                  order by b.first_at desc offset 1 limit 1);
  end if;
  foreach v_key in array array['1', '2', '3'] loop
    if v_recent is not null and p_after_key is null then
      v_range := p_range;
      v_range.from_at := greatest(p_range.from_at, v_recent);
      select array_agg(s.id), array_agg(s.created_at) into v_latest, v_times
        from private.scan_specs(
          case v_key when '1' then p_query.exact when '2' then p_query.names else p_query.head end,
          case v_key when '2' then p_query.exact when '3' then p_query.names end, null, v_range, p_limit) s;
      exit when cardinality(v_latest) = p_limit;
    end if;
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
  if cardinality(v_latest) = p_limit then
    return query select s.id, s.created_at, v_key
      from unnest(v_latest, v_times) with ordinality s (id, created_at, n) order by s.n limit v_left;
    return;
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

-- Keeps the planner from reading all brands for each spec, as it did when there were a few hundred brands.
alter function private.spec_json(uuid) set enable_seqscan = off;
