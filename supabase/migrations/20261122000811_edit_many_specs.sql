-- Adds functions that delete or edit many specs in one transaction.

-- The brand, area and property that are sent in the triggers of a run. They stay as they were when the run started,
-- so that all attempts of one trigger contain the same values. The workflow service may receive several attempts.
alter table public.upload_jobs
  add column brand_name text,
  add column area text,
  add column property_name text;
update public.upload_jobs j set brand_name = s.brand_name, area = s.area, property_name = s.property_name
  from public.specs s where s.id = j.spec_upload_id;
alter table public.upload_jobs
  alter column brand_name set not null,
  alter column area set not null;

create function private.note_place() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select s.brand_name, s.area, s.property_name into new.brand_name, new.area, new.property_name
    from public.specs s where s.id = new.spec_upload_id;
  return new;
end $$;
create trigger note_place before insert on public.upload_jobs for each row execute function private.note_place();

-- Deletes specs with their documents, upload jobs and work items. Returns the paths of their files.
create function public.delete_specs(p_ids uuid[]) returns text[]
language plpgsql volatile set search_path = '' as $$
declare v_paths text[];
begin
  perform 1 from public.spec_uploads where id = any (p_ids) order by id for update;
  with gone as (
    delete from public.documents d using public.spec_uploads s
     where s.id = any (p_ids) and d.id = s.document_id
    returning d.storage_path)
  select coalesce(array_agg(storage_path), '{}') into v_paths from gone;
  return v_paths;
end $$;

-- Changes the brand, area and property of specs. Null leaves a value unchanged, and `p_clear_property` removes the
-- property. Status, runs and files do not change. Like a retry, an edit can make a spec a duplicate of another.
-- outcome: edited (with the number of specs) | unknown_brand | unknown_area
create function public.edit_specs(p_ids uuid[], p_brand text default null, p_area text default null,
  p_property text default null, p_clear_property boolean default false) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_brand uuid;
  v_area uuid;
  v_count int;
begin
  -- To avoid deadlocks, lock brands and areas before specs, and specs in the order of their ids.
  if p_brand is not null then
    select id into v_brand from public.brands where name_key = private.name_key(p_brand) for key share;
    if not found then return jsonb_build_object('outcome', 'unknown_brand'); end if;
  end if;
  if p_area is not null then
    select id into v_area from public.area_types where name_key = private.name_key(p_area) for key share;
    if not found then return jsonb_build_object('outcome', 'unknown_area'); end if;
  end if;
  perform 1 from public.spec_uploads where id = any (p_ids) order by id for update;
  update public.spec_uploads
     set brand_id = coalesce(v_brand, brand_id), area_type_id = coalesce(v_area, area_type_id),
         property_name = case when p_clear_property then null else coalesce(p_property, property_name) end,
         status_seq = status_seq + 1, updated_at = clock_timestamp()
   where id = any (p_ids);
  get diagnostics v_count = row_count;
  return jsonb_build_object('outcome', 'edited', 'count', v_count);
end $$;

revoke execute on function private.note_place() from public, anon, authenticated;
revoke execute on function public.delete_specs(uuid[]), public.edit_specs(uuid[], text, text, text, boolean)
  from public, anon, authenticated;
grant execute on function public.delete_specs(uuid[]), public.edit_specs(uuid[], text, text, text, boolean)
  to service_role;
