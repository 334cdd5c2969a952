-- Lets a newer file replace a spec as its next version. The versions of a series have unique numbers, so a series can
-- neither fork nor have a cycle.

-- By default, a spec starts a new series. All versions of a series have the same brand, area and property.
alter table public.spec_uploads
  add column series_id uuid not null default gen_random_uuid(),
  add column version int not null default 1 check (version >= 1),
  -- Whether this is the newest version of its series.
  add column is_current boolean not null default true,
  add constraint spec_uploads_version unique (series_id, version);
create index spec_uploads_replaced on public.spec_uploads (brand_id, area_type_id, processing_status) where not is_current;

create or replace view public.specs with (security_invoker = true) as
  select s.id, s.document_id, s.processing_status, s.status_seq, s.run, s.property_name, s.sections_count, s.error_code,
         s.error, s.deadline_at, s.created_by, s.created_at, s.updated_at, b.name as brand_name, a.name as area,
         d.file_name, d.size_bytes, d.sha256, d.storage_path,
         lower(d.file_name || ' ' || coalesce(s.property_name, '') || ' ' || b.name || ' ' || a.name) as search_text,
         d.is_protected, s.started_at, s.progress, s.progress_at, s.note,
         private.sort_key(d.file_name) as file_key, private.sort_key(b.name) as brand_key,
         s.series_id, s.version, s.is_current
    from public.spec_uploads s
    join public.documents d on d.id = s.document_id
    join public.brands b on b.id = s.brand_id
    join public.area_types a on a.id = s.area_type_id;

-- Locks the specs in `p_ids` and all their other versions, in the order of their ids to avoid deadlocks.
create function private.lock_series(p_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.spec_uploads
    where series_id in (select series_id from public.spec_uploads where id = any (p_ids)) order by id for update;
end $$;

-- When the current version of a series is deleted, makes the newest remaining version the current one.
create function private.restore_previous_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.spec_uploads s
     set is_current = true, status_seq = s.status_seq + 1, updated_at = clock_timestamp()
   where s.series_id in (select series_id from removed where is_current)
     and s.version = (select max(v.version) from public.spec_uploads v where v.series_id = s.series_id);
  return null;
end $$;
create trigger restore_previous_version after delete on public.spec_uploads referencing old table as removed
  for each statement execute function private.restore_previous_version();

-- As before, but `p_replaces` makes the file the next version of a current spec with the same brand, area and property.
-- outcome: created | duplicate (with the oldest existing spec) | idempotency_mismatch | unknown_brand | unknown_area |
-- unknown_spec | other_place | replaced (with the current version)
drop function public.create_spec_upload(uuid, uuid, uuid, uuid, text, text, bigint, text, text, boolean, text, text, boolean);
create function public.create_spec_upload(p_user uuid, p_id uuid, p_brand_id uuid, p_area_type_id uuid,
  p_storage_path text, p_file_name text, p_size_bytes bigint, p_sha256 text, p_property_name text default null,
  p_keep_duplicate boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_is_protected boolean default false,
  p_replaces uuid default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'specs', p_idempotency_key, p_request_sha256);
  v_document uuid := gen_random_uuid();
  v_standing uuid;
  v_replaced public.spec_uploads;
begin
  if v_answer is not null then return v_answer; end if;
  perform 1 from public.brands where id = p_brand_id for key share;
  if not found then
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, jsonb_build_object('outcome', 'unknown_brand'));
  end if;
  perform 1 from public.area_types where id = p_area_type_id for key share;
  if not found then
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, jsonb_build_object('outcome', 'unknown_area'));
  end if;
  if not p_keep_duplicate then
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', p_brand_id, p_area_type_id, p_sha256), 0));
    select id into v_standing from public.spec_uploads
     where brand_id = p_brand_id and area_type_id = p_area_type_id and sha256 = p_sha256 and processing_status <> 'failed'
       and private.name_key(property_name) is not distinct from private.name_key(p_property_name)
     order by created_at, id limit 1;
  end if;
  if v_standing is not null then
    v_answer := jsonb_build_object('outcome', 'duplicate', 'spec_upload_id', v_standing);
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
  end if;
  if p_replaces is not null then
    select * into v_replaced from public.spec_uploads where id = p_replaces for update;
    v_answer := case
      when not found then jsonb_build_object('outcome', 'unknown_spec')
      when (v_replaced.brand_id, v_replaced.area_type_id, private.name_key(v_replaced.property_name))
        is distinct from (p_brand_id, p_area_type_id, private.name_key(p_property_name))
        then jsonb_build_object('outcome', 'other_place')
      when not v_replaced.is_current then (
        select jsonb_build_object('outcome', 'replaced', 'spec_upload_id', id, 'version', version)
          from public.spec_uploads where series_id = v_replaced.series_id and is_current)
      end;
    if v_answer is not null then
      return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
    end if;
    update public.spec_uploads
       set is_current = false, status_seq = status_seq + 1, updated_at = clock_timestamp()
     where id = p_replaces;
  end if;
  insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, is_protected, created_by)
  values (v_document, 'spec', p_storage_path, p_file_name, p_size_bytes, p_sha256, p_is_protected, p_user);
  insert into public.spec_uploads (id, document_id, brand_id, area_type_id, property_name, sha256, created_by,
    series_id, version)
  values (p_id, v_document, p_brand_id, p_area_type_id, p_property_name, p_sha256, p_user,
    coalesce(v_replaced.series_id, gen_random_uuid()), coalesce(v_replaced.version, 0) + 1);
  insert into public.upload_jobs (spec_upload_id, run) values (p_id, 1);
  if p_replaces is not null then
    perform private.write_audit('spec.version_added', p_id, p_file_name,
        concat_ws(' · ', 'v' || s.version, s.brand_name, s.area, s.property_name), p_user)
      from public.specs s where s.id = p_id;
  end if;
  v_answer := jsonb_build_object('outcome', 'created', 'spec_upload_id', p_id, 'document_id', v_document);
  return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
end $$;

-- As before, but locks all versions, because deleting the newest version changes the one before it.
create or replace function public.delete_spec(p_id uuid) returns text
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid;
  v_path text;
begin
  -- Lock the spec before its document, as all functions do.
  perform private.lock_series(array[p_id]);
  select document_id into v_document from public.spec_uploads where id = p_id;
  delete from public.documents where id = v_document returning storage_path into v_path;
  return v_path;
end $$;

create or replace function public.delete_specs(p_ids uuid[]) returns text[]
language plpgsql volatile set search_path = '' as $$
declare v_paths text[];
begin
  perform private.lock_series(p_ids);
  with gone as (
    delete from public.documents d using public.spec_uploads s
     where s.id = any (p_ids) and d.id = s.document_id
    returning d.storage_path)
  select coalesce(array_agg(storage_path), '{}') into v_paths from gone;
  return v_paths;
end $$;

-- As before, but changes all versions of a spec, so that all keep the same brand, area and property. Counts only the
-- specs in `p_ids`.
create or replace function public.edit_specs(p_ids uuid[], p_brand text default null, p_area text default null,
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
  perform private.lock_series(p_ids);
  update public.spec_uploads
     set brand_id = coalesce(v_brand, brand_id), area_type_id = coalesce(v_area, area_type_id),
         property_name = case when p_clear_property then null else coalesce(p_property, property_name) end,
         status_seq = status_seq + 1, updated_at = clock_timestamp()
   where series_id in (select series_id from public.spec_uploads where id = any (p_ids));
  select count(*) into v_count from public.spec_uploads where id = any (p_ids);
  return jsonb_build_object('outcome', 'edited', 'count', v_count);
end $$;

revoke execute on function private.lock_series(uuid[]), private.restore_previous_version() from public, anon, authenticated;
grant execute on function private.lock_series(uuid[]) to service_role;
revoke execute on function public.create_spec_upload(uuid, uuid, uuid, uuid, text, text, bigint, text, text, boolean, text,
  text, boolean, uuid) from public, anon, authenticated;
grant execute on function public.create_spec_upload(uuid, uuid, uuid, uuid, text, text, bigint, text, text, boolean, text,
  text, boolean, uuid) to service_role;
