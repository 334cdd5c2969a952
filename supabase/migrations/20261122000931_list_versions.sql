-- As before, but counts only current versions, because the list leaves out replaced ones.
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
