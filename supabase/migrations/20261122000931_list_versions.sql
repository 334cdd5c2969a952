-- Leaves replaced versions out of the list, its search and its counts, unless `p_all_versions` asks for them.

-- As before, but counts current versions only.
create or replace function private.tally_specs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  case tg_op
    when 'INSERT' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, count(*) from added where is_current group by 1, 2, 3;
    when 'DELETE' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, -count(*) from removed where is_current group by 1, 2, 3;
    when 'UPDATE' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, sum(n)
          from (select brand_id, area_type_id, processing_status, 1 as n from changed where is_current
                union all select brand_id, area_type_id, processing_status, -1 from before where is_current) moved
         group by 1, 2, 3 having sum(n) <> 0;
  end case;
  return null;
end $$;

drop function public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int);
create function public.find_specs(p_q text default null, p_status text default null, p_brand text default null,
  p_area text default null, p_from timestamptz default null, p_before timestamptz default null,
  p_sort text default 'newest', p_after_key text default null, p_after_at timestamptz default null,
  p_after_id uuid default null, p_limit int default 21, p_all_versions boolean default false)
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

  -- Where the key has few values, each value is a query that an index can order.
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
        -- With so many matches, an index of the sort order soon finds the first of them. The planner cannot know their
        -- number, so `case` keeps it from using an index of words.
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
    if not p_all_versions then v_where := v_where || ' and u.is_current'; end if;
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

drop function public.spec_counts(text, text, text, timestamptz, timestamptz);
create function public.spec_counts(p_brand text default null, p_area text default null, p_q text default null,
  p_from timestamptz default null, p_before timestamptz default null, p_all_versions boolean default false)
returns table (status text, n bigint, is_exact boolean)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_words text[] := private.words_of(p_q);
  v_query tsquery;
  v_brand uuid;
  v_area uuid;
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
    v_query := private.all_words_query(v_words, true);
    if v_brand is not null then v_query := v_query && private.place_key(v_brand)::tsquery; end if;
    if v_area is not null then v_query := v_query && private.place_key(v_area)::tsquery; end if;
    return query execute format(
      'select m.processing_status, count(*) filter (where m.place <= 1000), max(max(m.place)) over () <= 1000
         from (select u.processing_status, row_number() over () as place
                 from private.spec_search x join public.spec_uploads u on u.id = x.spec_id
                where (strip(x.head) || x.body) @@ $1 %s %s %s limit 1001) m
        group by 1',
      case when not p_all_versions then 'and u.is_current' end,
      case when p_from is not null then 'and u.created_at >= $2' end,
      case when p_before is not null then 'and u.created_at < $3' end)
      using v_query, p_from, p_before;
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

revoke execute on function
  public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean),
  public.spec_counts(text, text, text, timestamptz, timestamptz, boolean) from public, anon, authenticated;
grant execute on function
  public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz, uuid, int, boolean),
  public.spec_counts(text, text, text, timestamptz, timestamptz, boolean) to authenticated, anon;
