-- A project's document (its pages, as one versioned value) and the PDFs made from it.

create table public.project_pages (
  project_id uuid primary key references public.projects (id) on delete cascade,
  version int not null default 1,
  format text not null default 'A4' check (format in ('A4', 'letter')),
  orientation text not null default 'portrait' check (orientation in ('portrait', 'landscape')),
  cover jsonb not null default '{}',
  -- json instead of jsonb, because no query filters by values inside it and storing 13 MB is four times as fast.
  pages json not null default '[]' check (json_typeof(pages) = 'array'),
  updated_by uuid references auth.users (id) on delete set null,
  updated_at timestamptz not null default now()
);
create index project_pages_updated_by on public.project_pages (updated_by);

create table public.export_jobs (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed', 'canceled')),
  status_seq bigint not null default 1,
  run int not null default 1,
  options jsonb not null default '{}',
  -- All inputs of the PDF except `options` and the image files, as they were when the export was requested.
  snapshot json not null,
  -- Hash of everything that determines the content of the PDF. Exports with the same hash have the same content.
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
  check ((status = 'processing') = (finished_at is null)),
  check (status <> 'completed' or (result_path is not null and page_count is not null)),
  check (status <> 'failed' or error_code is not null)
);
create index export_jobs_page on public.export_jobs (project_id, created_at desc, id desc);
create index export_jobs_created_by on public.export_jobs (created_by);
create index export_jobs_input on public.export_jobs (project_id, input_sha256) where status = 'completed';
create index export_jobs_age on public.export_jobs (finished_at) where finished_at is not null;
create index export_jobs_result on public.export_jobs (result_path) where result_path is not null;

alter table public.project_pages enable row level security;
alter table public.export_jobs enable row level security;
create policy project_pages_read on public.project_pages for select to authenticated
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy export_jobs_read on public.export_jobs for select to authenticated
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
revoke all on public.project_pages, public.export_jobs from anon, authenticated;
grant select on public.project_pages, public.export_jobs to authenticated;
grant all on public.project_pages, public.export_jobs to service_role;

-- Saves a project's document if `p_version` is still its current version. For the first save, `p_version` is 0.
-- outcome: saved | conflict, both with the current version.
create function public.save_project_pages(p_user uuid, p_project uuid, p_version int, p_format text, p_orientation text,
  p_cover jsonb, p_pages json) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_version int;
begin
  if p_version = 0 then
    insert into public.project_pages (project_id, format, orientation, cover, pages, updated_by)
    values (p_project, p_format, p_orientation, p_cover, p_pages, p_user)
    on conflict (project_id) do nothing returning version into v_version;
  else
    update public.project_pages
       set version = version + 1, format = p_format, orientation = p_orientation, cover = p_cover, pages = p_pages,
           updated_by = p_user, updated_at = clock_timestamp()
     where project_id = p_project and version = p_version returning version into v_version;
  end if;
  if v_version is not null then return jsonb_build_object('outcome', 'saved', 'version', v_version); end if;
  select version into v_version from public.project_pages where project_id = p_project;
  return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_version, 0));
end $$;

-- Returns the requested images that belong to the project. `key` is the id or path by which an image was requested.
create function public.project_image_files(p_project uuid, p_ids uuid[] default '{}', p_paths text[] default '{}')
returns table (key text, path text, width int, height int)
language sql stable set search_path = '' as $$
  select i.id::text, i.storage_path, i.width, i.height from public.document_images i
   where i.project_id = p_project and i.id = any (p_ids)
  union all
  select i.storage_path, i.storage_path, i.width, i.height from public.document_images i
   where i.project_id = p_project and i.storage_path = any (p_paths)
  union all
  select v.path, v.path, v.width, v.height from public.image_variants v join public.image_jobs j on j.id = v.job_id
   where j.project_id = p_project and v.path = any (p_paths)
$$;

-- outcome: created | idempotency_mismatch
create function public.create_export_job(p_user uuid, p_project uuid, p_options jsonb, p_snapshot json,
  p_input_sha256 text, p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'export_jobs', p_idempotency_key, p_request_sha256);
  v_job uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  insert into public.export_jobs (id, project_id, options, snapshot, input_sha256, created_by)
  values (v_job, p_project, p_options, p_snapshot, p_input_sha256, p_user);
  return private.idempotency_end(p_user, 'export_jobs', p_idempotency_key,
    jsonb_build_object('outcome', 'created', 'job_id', v_job));
end $$;

revoke execute on function
  public.save_project_pages(uuid, uuid, int, text, text, jsonb, json),
  public.project_image_files(uuid, uuid[], text[]),
  public.create_export_job(uuid, uuid, jsonb, json, text, text, text) from public, anon, authenticated;
grant execute on function
  public.save_project_pages(uuid, uuid, int, text, text, jsonb, json),
  public.project_image_files(uuid, uuid[], text[]),
  public.create_export_job(uuid, uuid, jsonb, json, text, text, text) to service_role;

-- Rate-limits costly work that the caller starts. Returns 0 if the work is allowed, otherwise the milliseconds to wait.
-- A user who calls `project_access` directly can choose the arguments, but they affect only that user's own bucket.
create function private.take_own_start(p_burst int, p_interval_ms int) returns int
language sql volatile security definer set search_path = '' as $$
  select public.rate_take('costly:' || auth.uid(), p_burst, p_interval_ms)
$$;

-- Returns the project that a call concerns and the caller's role in it, or no row if the caller may not see it. An
-- admin is treated as an owner of every project. With `p_burst`, also calls `take_own_start`, to save a separate query.
create function public.project_access(p_project uuid default null, p_image_job uuid default null,
  p_export_job uuid default null, p_burst int default null, p_interval_ms int default null)
returns table (project_id uuid, role text, wait_ms int)
language sql volatile security invoker set search_path = '' as $$
  select p.id, case when (select private.is_admin()) then 'owner' else m.role end,
         case when p_burst is null then 0 else private.take_own_start(p_burst, p_interval_ms) end
    from public.projects p
    left join public.project_members m on m.project_id = p.id and m.user_id = (select auth.uid())
   where p.id = coalesce(p_project, (select j.project_id from public.image_jobs j where j.id = p_image_job),
                         (select e.project_id from public.export_jobs e where e.id = p_export_job))
$$;
revoke execute on function private.take_own_start(int, int) from public, anon;
grant execute on function private.take_own_start(int, int) to authenticated, service_role;
revoke execute on function public.project_access(uuid, uuid, uuid, int, int) from public, anon, authenticated;
grant execute on function public.project_access(uuid, uuid, uuid, int, int) to authenticated, service_role;
