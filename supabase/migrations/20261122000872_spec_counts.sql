-- Keeps the number of specs per brand, area and status, so that the list need not count all specs. Also adapts the
-- indexes to the filters of the list.

-- The number of specs with a brand, area and status is the sum of `n` over the rows with these values. `n` can be
-- negative. Writers only add rows, so they never wait for each other. `fold_spec_tally` combines the rows.
create table private.spec_tally (
  id bigint generated always as identity primary key,
  brand_id uuid not null,
  area_type_id uuid not null,
  status text not null,
  n bigint not null
);
alter table private.spec_tally enable row level security;
grant select, insert, update, delete on private.spec_tally to service_role;
grant usage, select on all sequences in schema private to service_role;

create function private.tally_specs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  case tg_op
    when 'INSERT' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, count(*) from added group by 1, 2, 3;
    when 'DELETE' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, -count(*) from removed group by 1, 2, 3;
    when 'UPDATE' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, sum(n)
          from (select brand_id, area_type_id, processing_status, 1 as n from changed
                union all select brand_id, area_type_id, processing_status, -1 from before) moved
         group by 1, 2, 3 having sum(n) <> 0;
  end case;
  return null;
end $$;
create trigger tally_added after insert on public.spec_uploads referencing new table as added
  for each statement execute function private.tally_specs();
create trigger tally_removed after delete on public.spec_uploads referencing old table as removed
  for each statement execute function private.tally_specs();
create trigger tally_changed after update on public.spec_uploads referencing new table as changed old table as before
  for each statement execute function private.tally_specs();

-- No spec changes between this count and the end of the migration, because creating a trigger locks the table.
insert into private.spec_tally (brand_id, area_type_id, status, n)
  select brand_id, area_type_id, processing_status, count(*) from public.spec_uploads group by 1, 2, 3;

-- Replaces rows that have the same brand, area and status with one row, or with none if the sum of `n` is 0. Skips rows
-- that are locked. Returns the number of replaced rows.
create function public.fold_spec_tally() returns int
language plpgsql volatile set search_path = '' as $$
declare v_count int;
begin
  with gone as (
    delete from private.spec_tally where id in (
      select t.id from private.spec_tally t
       where t.id in (
         select g.id from (select x.id, count(*) over (partition by x.brand_id, x.area_type_id, x.status) as rows
                             from private.spec_tally x) g
          where g.rows > 1)
         for update skip locked)
    returning brand_id, area_type_id, status, n),
  kept as (
    insert into private.spec_tally (brand_id, area_type_id, status, n)
    select brand_id, area_type_id, status, sum(n) from gone group by 1, 2, 3 having sum(n) <> 0)
  select count(*) into v_count from gone;
  return v_count;
end $$;

drop index public.spec_uploads_counts;
drop index public.spec_uploads_area;
create index spec_uploads_brand_status on public.spec_uploads (brand_id, processing_status, created_at desc, id desc);
create index spec_uploads_area on public.spec_uploads (area_type_id, created_at desc, id desc);
create index brands_sort_key on public.brands (private.sort_key(name));

-- Returns the number of specs per status among those that match the given filters. For administrators only. If a search
-- has more than 1,000 matches, counts only 1,000 of them. `is_exact` is then false, and each number is a minimum.
drop function public.spec_counts(text, text, text, timestamptz, timestamptz);
create function public.spec_counts(p_brand text default null, p_area text default null, p_q text default null,
  p_from timestamptz default null, p_before timestamptz default null)
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
                where (strip(x.head) || x.body) @@ $1 %s %s limit 1001) m
        group by 1',
      case when p_from is not null then 'and u.created_at >= $2' end,
      case when p_before is not null then 'and u.created_at < $3' end)
      using v_query, p_from, p_before;
  elsif p_from is not null or p_before is not null then
    return query execute format(
      'select u.processing_status, count(*), true from public.spec_uploads u where true %s %s %s %s group by 1',
      case when v_brand is not null then 'and u.brand_id = $1' end,
      case when v_area is not null then 'and u.area_type_id = $2' end,
      case when p_from is not null then 'and u.created_at >= $3' end,
      case when p_before is not null then 'and u.created_at < $4' end)
      using v_brand, v_area, p_from, p_before;
  else
    return query select t.status, sum(t.n)::bigint, true from private.spec_tally t
     where (v_brand is null or t.brand_id = v_brand) and (v_area is null or t.area_type_id = v_area)
     group by 1;
  end if;
end $$;

create or replace function public.catalogue() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'brands', (select coalesce(jsonb_agg(jsonb_build_object('name', b.name, 'specs', coalesce(u.n, 0))), '[]')
      from public.brands b
        left join (select t.brand_id, sum(t.n) as n from private.spec_tally t group by 1) u on u.brand_id = b.id),
    'areas', (select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'specs', coalesce(u.n, 0))), '[]')
      from public.area_types a
        left join (select t.area_type_id, sum(t.n) as n from private.spec_tally t group by 1) u on u.area_type_id = a.id))
$$;

revoke execute on function private.tally_specs() from public, anon, authenticated;
revoke execute on function public.fold_spec_tally(),
  public.spec_counts(text, text, text, timestamptz, timestamptz) from public, anon, authenticated;
grant execute on function public.fold_spec_tally() to service_role;
grant execute on function public.spec_counts(text, text, text, timestamptz, timestamptz) to authenticated, anon;
