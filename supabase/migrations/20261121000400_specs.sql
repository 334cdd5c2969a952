-- A spec consists of a document (the file), a spec upload (brand, area and status) and one upload job per run.

create table public.documents (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('spec')),
  storage_path text not null unique,
  file_name text not null check (char_length(file_name) between 1 and 255),
  size_bytes bigint not null check (size_bytes between 1 and 52428800),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  processing_status text not null default 'pending'
    check (processing_status in ('pending', 'processing', 'completed', 'failed')),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index documents_created_by on public.documents (created_by);

create table public.spec_uploads (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null unique references public.documents (id) on delete cascade,
  brand_id uuid not null references public.brands (id),
  area_type_id uuid not null references public.area_types (id),
  property_name text check (char_length(property_name) between 1 and 120),
  sha256 text not null,
  kept_duplicate boolean not null default false,
  processing_status text not null default 'pending'
    check (processing_status in ('pending', 'processing', 'completed', 'failed')),
  status_seq bigint not null default 1,
  run int not null default 1 check (run >= 1),
  sections_count int check (sections_count >= 0),
  error_code text,
  error text,
  deadline_at timestamptz,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  check ((processing_status in ('completed', 'failed')) = (finished_at is not null)),
  check (processing_status <> 'failed' or error_code is not null)
);
create index spec_uploads_page on public.spec_uploads (created_at desc, id desc);
create index spec_uploads_status on public.spec_uploads (processing_status, created_at desc, id desc);
create index spec_uploads_brand on public.spec_uploads (brand_id, created_at desc, id desc);
create index spec_uploads_area on public.spec_uploads (area_type_id);
create index spec_uploads_counts on public.spec_uploads (processing_status, brand_id, area_type_id);
create index spec_uploads_created_by on public.spec_uploads (created_by);
create index spec_uploads_overdue on public.spec_uploads (deadline_at) where processing_status = 'processing';
-- A file is unique per brand and area, except for copies that an uploader chose to keep.
create unique index spec_uploads_content on public.spec_uploads (brand_id, area_type_id, sha256) where not kept_duplicate;

create table public.upload_jobs (
  id uuid primary key default gen_random_uuid(),
  spec_upload_id uuid not null references public.spec_uploads (id) on delete cascade,
  run int not null,
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'failed')),
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (spec_upload_id, run)
);

-- Changes the status of a spec, its document and its upload job together. Returns false if `p_run` is not the current
-- run or the status was not in `p_from`. The spec row must be locked.
create function private.move_spec(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_sections int default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid;
  v_finished timestamptz := case when p_to in ('completed', 'failed') then clock_timestamp() end;
begin
  update public.spec_uploads
     set processing_status = p_to, status_seq = status_seq + 1, updated_at = clock_timestamp(), finished_at = v_finished,
         error_code = p_error_code, error = left(p_error, 2000), sections_count = p_sections,
         deadline_at = coalesce(p_deadline, deadline_at)
   where id = p_id and run = p_run and processing_status = any (p_from)
  returning document_id into v_document;
  if not found then return false; end if;
  update public.documents set processing_status = p_to where id = v_document;
  update public.upload_jobs set status = p_to, error = left(p_error, 2000), finished_at = v_finished
   where spec_upload_id = p_id and run = p_run;
  return true;
end $$;

-- outcome: created | duplicate (with the existing spec) | idempotency_mismatch
create function public.create_spec_upload(p_user uuid, p_id uuid, p_brand_id uuid, p_area_type_id uuid,
  p_storage_path text, p_file_name text, p_size_bytes bigint, p_sha256 text, p_property_name text default null,
  p_keep_duplicate boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'specs', p_idempotency_key, p_request_sha256);
  v_document uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, created_by)
  values (v_document, 'spec', p_storage_path, p_file_name, p_size_bytes, p_sha256, p_user);
  insert into public.spec_uploads (id, document_id, brand_id, area_type_id, property_name, sha256, kept_duplicate, created_by)
  values (p_id, v_document, p_brand_id, p_area_type_id, p_property_name, p_sha256, p_keep_duplicate, p_user)
  on conflict (brand_id, area_type_id, sha256) where not kept_duplicate do nothing;
  if found then
    insert into public.upload_jobs (spec_upload_id, run) values (p_id, 1);
    v_answer := jsonb_build_object('outcome', 'created', 'spec_upload_id', p_id, 'document_id', v_document);
  else
    delete from public.documents where id = v_document;
    select jsonb_build_object('outcome', 'duplicate', 'spec_upload_id', id) into v_answer from public.spec_uploads
     where brand_id = p_brand_id and area_type_id = p_area_type_id and sha256 = p_sha256 and not kept_duplicate;
    -- If v_answer is null, the conflicting row has just been deleted, so the caller must try again.
    if v_answer is null then raise exception 'try again' using errcode = '40001'; end if;
  end if;
  return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
end $$;

-- Finds a brand and an area by name. Returns one row, with nulls for a brand or area that does not exist.
create function public.find_spec_place(p_brand text, p_area text)
returns table (brand_id uuid, brand_name text, area_type_id uuid)
language sql stable set search_path = '' as $$
  select b.id, b.name, a.id from (select 1) one
    left join public.brands b on b.name_key = private.name_key(p_brand)
    left join public.area_types a on a.name_key = private.name_key(p_area)
$$;

-- Starts the next run of a failed spec. outcome: retried | conflict (with the current status) | not_found
create function public.retry_spec(p_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_spec public.spec_uploads;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_spec.processing_status <> 'failed' then
    return jsonb_build_object('outcome', 'conflict', 'status', v_spec.processing_status);
  end if;
  update public.spec_uploads
     set run = run + 1, processing_status = 'pending', status_seq = status_seq + 1, updated_at = clock_timestamp(),
         finished_at = null, error_code = null, error = null, sections_count = null, deadline_at = null
   where id = p_id;
  update public.documents set processing_status = 'pending' where id = v_spec.document_id;
  insert into public.upload_jobs (spec_upload_id, run) values (p_id, v_spec.run + 1);
  return jsonb_build_object('outcome', 'retried', 'run', v_spec.run + 1);
end $$;

-- Deletes a spec with its document, upload jobs and work items. Returns the path of its file, or null if there is no
-- such spec.
create function public.delete_spec(p_id uuid) returns text
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid;
  v_path text;
begin
  -- Lock the spec before its document, as all functions do.
  select document_id into v_document from public.spec_uploads where id = p_id for update;
  delete from public.documents where id = v_document returning storage_path into v_path;
  return v_path;
end $$;

-- The columns that lists and detail pages read, under the reader's row level security.
create view public.specs with (security_invoker = true) as
  select s.id, s.document_id, s.processing_status, s.status_seq, s.run, s.property_name, s.sections_count, s.error_code,
         s.error, s.deadline_at, s.created_by, s.created_at, s.updated_at, b.name as brand_name, a.name as area,
         d.file_name, d.size_bytes, d.sha256, d.storage_path,
         lower(d.file_name || ' ' || coalesce(s.property_name, '') || ' ' || b.name || ' ' || a.name) as search_text
    from public.spec_uploads s
    join public.documents d on d.id = s.document_id
    join public.brands b on b.id = s.brand_id
    join public.area_types a on a.id = s.area_type_id;

-- Counts the specs that match the given filters, by status. Without `p_pattern`, an index is enough. With `p_pattern`,
-- all specs are scanned.
create function public.spec_counts(p_brand text default null, p_area text default null, p_pattern text default null)
returns table (status text, n bigint)
language plpgsql stable security invoker set search_path = '' as $$
begin
  if p_pattern is null then
    return query select s.processing_status, count(*) from public.spec_uploads s
     where (p_brand is null or s.brand_id = (select b.id from public.brands b where b.name = p_brand))
       and (p_area is null or s.area_type_id = (select a.id from public.area_types a where a.name = p_area))
     group by 1;
  else
    return query select s.processing_status, count(*) from public.specs s
     where (p_brand is null or s.brand_name = p_brand) and (p_area is null or s.area = p_area)
       and s.search_text like p_pattern
     group by 1;
  end if;
end $$;

alter table public.documents enable row level security;
alter table public.spec_uploads enable row level security;
alter table public.upload_jobs enable row level security;
create policy documents_read on public.documents for select to authenticated using ((select private.is_admin()));
create policy spec_uploads_read on public.spec_uploads for select to authenticated using ((select private.is_admin()));
create policy upload_jobs_read on public.upload_jobs for select to authenticated using ((select private.is_admin()));
revoke all on public.documents, public.spec_uploads, public.upload_jobs, public.specs from anon, authenticated;
grant select on public.documents, public.spec_uploads, public.upload_jobs, public.specs to authenticated;
grant all on public.documents, public.spec_uploads, public.upload_jobs, public.specs to service_role;
revoke execute on all functions in schema private from public, anon;
grant execute on function private.move_spec(uuid, int, text[], text, text, text, int, timestamptz) to service_role;
revoke execute on function public.create_spec_upload(uuid, uuid, uuid, uuid, text, text, bigint, text, text, boolean, text, text),
  public.find_spec_place(text, text), public.retry_spec(uuid), public.delete_spec(uuid),
  public.spec_counts(text, text, text) from public, anon, authenticated;
grant execute on function public.create_spec_upload(uuid, uuid, uuid, uuid, text, text, bigint, text, text, boolean, text, text),
  public.find_spec_place(text, text), public.retry_spec(uuid), public.delete_spec(uuid),
  public.spec_counts(text, text, text) to service_role;
grant execute on function public.spec_counts(text, text, text) to authenticated;
