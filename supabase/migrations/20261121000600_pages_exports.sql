-- A project's document (its pages as one versioned value) and the PDFs made from it.

create table public.project_pages (
  project_id uuid primary key references public.projects (id) on delete cascade,
  version int not null default 1,
  format text not null default 'A4' check (format in ('A4', 'letter')),
  orientation text not null default 'portrait' check (orientation in ('portrait', 'landscape')),
  cover jsonb not null default '{}',
  pages jsonb not null default '[]' check (jsonb_typeof(pages) = 'array'),
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
  snapshot jsonb not null,
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

alter table public.project_pages enable row level security;
alter table public.export_jobs enable row level security;
create policy project_pages_read on public.project_pages for select to authenticated
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy export_jobs_read on public.export_jobs for select to authenticated
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
revoke all on public.project_pages, public.export_jobs from anon, authenticated;
grant select on public.project_pages, public.export_jobs to authenticated;
grant all on public.project_pages, public.export_jobs to service_role;

-- Counts one costly start of whoever asks. Answers 0 when it may go on, else the milliseconds until one may. Asked by
-- hand with other bounds it only fills the asker's own bucket.
create function private.take_own_start(p_burst int, p_interval_ms int) returns int
language sql volatile security definer set search_path = '' as $$
  select public.rate_take('costly:' || auth.uid(), p_burst, p_interval_ms)
$$;

-- The project that a call is about and the caller's role in it; nothing where the caller may not see it. An admin has
-- every right in every project. With `p_burst` the call is a costly start and counted: one question instead of two.
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
