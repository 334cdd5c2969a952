-- Exports of documents as PDFs. An export prints the snapshot of its request, so later saves do not change it.

create table public.export_jobs (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed', 'canceled')),
  status_seq bigint not null default 1,
  run int not null default 1,
  options jsonb not null default '{}',
  -- What determines the PDF, except `options` and the image files.
  snapshot json not null,
  -- Exports with the same hash have the same content.
  input_sha256 text not null check (input_sha256 ~ '^[0-9a-f]{64}$'),
  pages_done int not null default 0,
  page_count int,
  result_path text,
  result_bytes bigint,
  warnings jsonb not null default '[]',
  error_code text,
  error text,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The printed version. Null if the snapshot differs from it.
  version_id uuid references private.document_versions (id) on delete set null,
  -- Null for the main document, which may have no row.
  document_id uuid references public.project_pages (id) on delete cascade,
  images_done int not null default 0,
  -- 0 until they have been counted.
  images_total int not null default 0,
  check ((status = 'processing') = (finished_at is null)),
  check (status <> 'completed' or (result_path is not null and page_count is not null)),
  check (status <> 'failed' or error_code is not null),
  check (document_id <> project_id)
);
create index export_jobs_page on public.export_jobs (project_id, created_at desc, id desc);
create index export_jobs_created_by on public.export_jobs (created_by);
create index export_jobs_version on public.export_jobs (version_id) where version_id is not null;
create index export_jobs_document on public.export_jobs (document_id) where document_id is not null;
create index export_jobs_input on public.export_jobs (project_id, input_sha256) where status = 'completed';
create index export_jobs_age on public.export_jobs (finished_at) where finished_at is not null;
create index export_jobs_result on public.export_jobs (result_path) where result_path is not null;

alter table public.export_jobs enable row level security;
grant select on public.export_jobs to anon, authenticated;
create policy export_jobs_read on public.export_jobs for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.export_jobs as restrictive for select to anon
  using ((select private.has_token()));

create trigger require_open_project before insert on public.export_jobs
  for each row execute function private.require_open_project();
create trigger keep_printed before insert on public.export_jobs
  for each row execute function private.keep_printed_document();

-- Requests an export of a document, by default the main one.
-- outcome: created (with the job's id) | not_found (the project has no such document) | idempotency_mismatch
create function public.create_export_job(p_user uuid, p_project uuid, p_options jsonb, p_snapshot json,
  p_input_sha256 text, p_idempotency_key text default null, p_request_sha256 text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'export_jobs', p_idempotency_key, p_request_sha256);
  v_document_id uuid := nullif(p_document, p_project);
  v_job_id uuid := gen_random_uuid();
begin
  if v_result is not null then return v_result; end if;
  if v_document_id is not null and not exists (
    select 1 from public.project_pages d
     where d.id = v_document_id and d.project_id = p_project and d.deleted_at is null) then
    v_result := jsonb_build_object('outcome', 'not_found');
  else
    insert into public.export_jobs (id, project_id, document_id, options, snapshot, input_sha256, created_by)
    values (v_job_id, p_project, v_document_id, p_options, p_snapshot, p_input_sha256, p_user);
    v_result := jsonb_build_object('outcome', 'created', 'job_id', v_job_id);
  end if;
  return private.idempotency_end(p_user, 'export_jobs', p_idempotency_key, v_result);
end $$;

-- Cancels an export and its work item.
-- outcome: canceled | already (it was canceled before) | not_found | conflict (with the final status)
create function public.cancel_export_job(p_job uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_status text;
begin
  select status into v_status from public.export_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_status = 'canceled' then return jsonb_build_object('outcome', 'already'); end if;
  if v_status <> 'processing' then return jsonb_build_object('outcome', 'conflict', 'status', v_status); end if;
  update public.export_jobs
     set status = 'canceled', status_seq = status_seq + 1, updated_at = clock_timestamp(), finished_at = clock_timestamp()
   where id = p_job;
  update private.work_items set state = 'canceled', finished_at = clock_timestamp(), lease_token = null
   where kind = 'pdf_export' and subject_id = p_job and state = 'pending';
  return jsonb_build_object('outcome', 'canceled');
end $$;

-- Records the progress of an export; a count never decreases. Returns false if the lease is lost or the export has
-- ended.
create function public.export_progress(p_id bigint, p_token uuid, p_pages_done int, p_images_done int default 0,
  p_images_total int default 0) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_job_id uuid;
begin
  select subject_id into v_job_id from private.work_items where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  -- Each update is broadcast.
  update public.export_jobs
     set pages_done = greatest(pages_done, p_pages_done), images_done = greatest(images_done, p_images_done),
         images_total = greatest(images_total, p_images_total), updated_at = clock_timestamp()
   where id = v_job_id and status = 'processing'
     and (pages_done < p_pages_done or images_done < p_images_done or images_total < p_images_total);
  return true;
end $$;

-- Completes an export whose PDF is stored, and its work item. Returns false if the lease is lost or the export has
-- ended. The caller must then remove the PDF.
create function public.export_finished(p_id bigint, p_token uuid, p_path text, p_bytes bigint, p_page_count int,
  p_warnings jsonb default '[]') returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items := private.lock_subject(p_id, 'pdf_export');
begin
  if not private.close_item(v_item.id, p_token) then return false; end if;
  update public.export_jobs
     set status = 'completed', status_seq = status_seq + 1, pages_done = p_page_count, page_count = p_page_count,
         result_path = p_path, result_bytes = p_bytes, warnings = p_warnings, updated_at = clock_timestamp(),
         finished_at = clock_timestamp()
   where id = v_item.subject_id and run = v_item.run and status = 'processing';
  return found;
end $$;
