-- An image job is a conversation; each prompt in it is a run, and a run brings variants.

create table public.document_images (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  storage_path text not null unique,
  file_name text not null check (char_length(file_name) between 1 and 255),
  mime_type text not null check (mime_type in ('image/png', 'image/jpeg', 'image/webp')),
  size_bytes bigint not null check (size_bytes between 1 and 15728640),
  width int not null check (width > 0),
  height int not null check (height > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index document_images_page on public.document_images (project_id, created_at desc, id desc);
create index document_images_created_by on public.document_images (created_by);

create table public.image_jobs (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  status_seq bigint not null default 1,
  run int not null default 1 check (run >= 1),
  prompt text not null check (char_length(prompt) between 1 and 4000),
  input_image_id uuid references public.document_images (id) on delete set null,
  input_image_path text,
  page_id text,
  material_ids text[] not null default '{}' check (cardinality(material_ids) <= 12),
  material_payload jsonb not null default '[]' check (pg_column_size(material_payload) < 65536),
  options jsonb not null default '{}' check (pg_column_size(options) < 4096),
  error_code text,
  error text,
  deadline_at timestamptz,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((status in ('succeeded', 'failed', 'canceled')) = (finished_at is not null)),
  check (status <> 'failed' or error_code is not null)
);
create index image_jobs_page on public.image_jobs (project_id, created_at desc, id desc);
create index image_jobs_status on public.image_jobs (project_id, status, created_at desc, id desc);
create index image_jobs_overdue on public.image_jobs (deadline_at) where status = 'running';
create index image_jobs_input on public.image_jobs (input_image_id);
create index image_jobs_created_by on public.image_jobs (created_by);

create table public.image_messages (
  id uuid primary key default gen_random_uuid(),
  job_id uuid not null references public.image_jobs (id) on delete cascade,
  role text not null default 'user' check (role in ('user')),
  prompt text not null check (char_length(prompt) between 1 and 4000),
  variant_id text,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index image_messages_job on public.image_messages (job_id, created_at, id);
create index image_messages_created_by on public.image_messages (created_by);

-- A retry is another run of the same message.
create table public.image_runs (
  job_id uuid not null references public.image_jobs (id) on delete cascade,
  run int not null,
  message_id uuid not null references public.image_messages (id) on delete cascade,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  error_code text,
  error text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  primary key (job_id, run)
);
create index image_runs_message on public.image_runs (message_id);

create table public.image_variants (
  job_id uuid not null,
  run int not null,
  variant_id text not null check (char_length(variant_id) between 1 and 128),
  path text not null,
  thumb_path text,
  meta jsonb,
  width int not null check (width > 0),
  height int not null check (height > 0),
  created_at timestamptz not null default now(),
  primary key (job_id, run, variant_id),
  foreign key (job_id, run) references public.image_runs (job_id, run) on delete cascade
);

-- Moves the job and its run together; false when it was not in one of `p_from`. The job row must be locked.
create function private.move_image(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_finished timestamptz := case when p_to in ('succeeded', 'failed', 'canceled') then v_now end;
begin
  update public.image_jobs
     set status = p_to, status_seq = status_seq + 1, updated_at = v_now, finished_at = v_finished,
         started_at = case when p_to = 'running' then v_now else started_at end,
         error_code = p_error_code, error = left(p_error, 2000), deadline_at = coalesce(p_deadline, deadline_at)
   where id = p_id and run = p_run and status = any (p_from);
  if not found then return false; end if;
  update public.image_runs
     set status = p_to, error_code = p_error_code, error = left(p_error, 2000), finished_at = v_finished,
         started_at = case when p_to = 'running' then v_now else started_at end
   where job_id = p_id and run = p_run;
  return true;
end $$;

alter table public.document_images enable row level security;
alter table public.image_jobs enable row level security;
alter table public.image_messages enable row level security;
alter table public.image_runs enable row level security;
alter table public.image_variants enable row level security;
create policy document_images_read on public.document_images for select to authenticated
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy image_jobs_read on public.image_jobs for select to authenticated
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
-- What hangs on a job is seen by whoever sees the job.
create policy image_messages_read on public.image_messages for select to authenticated
  using (exists (select 1 from public.image_jobs j where j.id = job_id));
create policy image_runs_read on public.image_runs for select to authenticated
  using (exists (select 1 from public.image_jobs j where j.id = job_id));
create policy image_variants_read on public.image_variants for select to authenticated
  using (exists (select 1 from public.image_jobs j where j.id = job_id));
revoke all on public.document_images, public.image_jobs, public.image_messages, public.image_runs, public.image_variants
  from anon, authenticated;
grant select on public.document_images, public.image_jobs, public.image_messages, public.image_runs, public.image_variants
  to authenticated;
grant all on public.document_images, public.image_jobs, public.image_messages, public.image_runs, public.image_variants
  to service_role;
revoke execute on all functions in schema private from public, anon;
grant execute on function private.move_image(uuid, int, text[], text, text, text, timestamptz) to service_role;
