-- An image job is a conversation. Each prompt starts a run, and a run produces variants.

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
  material_payload jsonb not null default '[]' check (pg_column_size(material_payload) < 131072),
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
create index image_jobs_input_path on public.image_jobs (input_image_path) where input_image_path is not null;
create index image_jobs_overdue on public.image_jobs (deadline_at) where status = 'running';
create index image_jobs_input on public.image_jobs (input_image_id);
create index image_jobs_created_by on public.image_jobs (created_by);

create table public.image_messages (
  id uuid primary key default gen_random_uuid(),
  job_id uuid not null references public.image_jobs (id) on delete cascade,
  role text not null default 'user' check (role in ('user')),
  prompt text not null check (char_length(prompt) between 1 and 4000),
  -- The id and the run of the variant to refine, which identify it within the job. Null for a prompt that refines no
  -- variant.
  variant_id text,
  variant_run int,
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
  job_id uuid not null references public.image_jobs (id) on delete cascade,
  run int not null,
  -- The id that the workflow chose (up to 128 characters). If another run of the job already has a variant with that
  -- id, the id gets a prefix with the number of this variant's run, such as `r2-`.
  variant_id text not null check (char_length(variant_id) between 1 and 140),
  position int not null,
  path text not null,
  thumb_path text,
  meta jsonb,
  width int not null check (width > 0),
  height int not null check (height > 0),
  created_at timestamptz not null default now(),
  primary key (job_id, run, variant_id),
  foreign key (job_id, run) references public.image_runs (job_id, run) on delete cascade
);

create index image_variants_path on public.image_variants (path);
create index image_variants_thumb on public.image_variants (thumb_path);

-- Changes the status of a job and its run together. Returns false if `p_run` is not the current run or the status was
-- not in `p_from`. The job row must be locked.
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

-- A job with its cover: the first variant of the latest run that has variants. The reader's row level security applies.
create view public.image_job_rows with (security_invoker = true) as
  select j.*, (
    select to_jsonb(c) from (
      select v.variant_id, v.path, v.thumb_path, v.meta, v.width, v.height, v.run, v.created_at
        from public.image_variants v where v.job_id = j.id order by v.run desc, v.position limit 1) c) as cover
    from public.image_jobs j;
revoke all on public.image_job_rows from anon, authenticated;
grant select on public.image_job_rows to authenticated, service_role;

-- Records a stored file as an image of the project. With `p_reuse`, returns an existing image of the project with the
-- same bytes, if there is one. A call that repeats an idempotency key returns the image of the first call. The caller
-- must remove the file at `p_storage_path` unless the returned image has that path. outcome: created (with the image) |
-- idempotency_mismatch
create function public.create_project_image(p_user uuid, p_project uuid, p_id uuid, p_storage_path text, p_file_name text,
  p_mime_type text, p_size_bytes bigint, p_width int, p_height int, p_sha256 text, p_reuse boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'document_images', p_idempotency_key, p_request_sha256);
  v_image public.document_images;
begin
  if v_answer is not null then return v_answer; end if;
  if p_reuse then
    -- Without this lock, two concurrent calls would not see each other's image.
    perform 1 from public.projects where id = p_project for update;
    select * into v_image from public.document_images
     where project_id = p_project and sha256 = p_sha256 order by created_at, id limit 1;
  end if;
  if v_image.id is null then
    insert into public.document_images (id, project_id, storage_path, file_name, mime_type, size_bytes, width, height,
      sha256, created_by)
    values (p_id, p_project, p_storage_path, p_file_name, p_mime_type, p_size_bytes, p_width, p_height, p_sha256, p_user)
    returning * into v_image;
  end if;
  v_answer := jsonb_build_object('outcome', 'created', 'id', v_image.id, 'path', v_image.storage_path,
    'file_name', v_image.file_name, 'width', v_image.width, 'height', v_image.height, 'created_at', v_image.created_at);
  return private.idempotency_end(p_user, 'document_images', p_idempotency_key, v_answer);
end $$;

-- Returns what `create_project_image` returned for this key, so that a caller need not fetch the file again. outcome:
-- created (with the image) | idempotency_mismatch | unused
create function public.find_project_image(p_user uuid, p_idempotency_key text, p_request_sha256 text) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(
    (select case when request_sha256 = p_request_sha256 then answer
                 else jsonb_build_object('outcome', 'idempotency_mismatch') end
       from private.idempotency_keys
      where user_id = p_user and scope = 'document_images' and key = p_idempotency_key),
    jsonb_build_object('outcome', 'unused'))
$$;

-- outcome: created | image_not_found | idempotency_mismatch. `p_input_image_id` takes precedence over
-- `p_input_image_path`, which must belong to an uploaded image or a variant of this project.
create function public.create_image_job(p_user uuid, p_project uuid, p_prompt text, p_input_image_id uuid default null,
  p_input_image_path text default null, p_page_id text default null, p_material_ids text[] default '{}',
  p_material_payload jsonb default '[]', p_options jsonb default '{}', p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'image_jobs', p_idempotency_key, p_request_sha256);
  v_image uuid;
  v_path_known boolean;
  v_job uuid := gen_random_uuid();
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  select id into v_image from public.document_images
   where project_id = p_project and (id = p_input_image_id or storage_path = p_input_image_path)
   order by id = p_input_image_id desc nulls last limit 1;
  v_path_known := p_input_image_path is not null and (
    exists (select 1 from public.document_images where project_id = p_project and storage_path = p_input_image_path)
    or exists (select 1 from public.image_variants v join public.image_jobs j on j.id = v.job_id
                where v.path = p_input_image_path and j.project_id = p_project));
  if (p_input_image_path is not null and not v_path_known)
     or (p_input_image_id is not null and v_image is null and not v_path_known) then
    v_answer := jsonb_build_object('outcome', 'image_not_found');
  else
    insert into public.image_jobs (id, project_id, prompt, input_image_id, input_image_path, page_id, material_ids,
      material_payload, options, created_by)
    values (v_job, p_project, p_prompt, v_image, p_input_image_path, p_page_id, p_material_ids, p_material_payload,
      p_options, p_user);
    insert into public.image_messages (id, job_id, prompt, created_by) values (v_message, v_job, p_prompt, p_user);
    insert into public.image_runs (job_id, run, message_id) values (v_job, 1, v_message);
    v_answer := jsonb_build_object('outcome', 'created', 'job_id', v_job);
  end if;
  return private.idempotency_end(p_user, 'image_jobs', p_idempotency_key, v_answer);
end $$;

-- Queues the next run of a job whose last run has ended. The job row must be locked.
create function private.next_image_run(p_job uuid, p_run int, p_message uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.image_runs (job_id, run, message_id) values (p_job, p_run, p_message);
  update public.image_jobs
     set run = p_run, status = 'queued', status_seq = status_seq + 1, updated_at = clock_timestamp(), started_at = null,
         finished_at = null, error_code = null, error = null, deadline_at = null
   where id = p_job;
end $$;

-- outcome: created | not_found | variant_not_found | conflict (with the current status) | idempotency_mismatch
create function public.send_image_message(p_user uuid, p_job uuid, p_prompt text, p_variant_id text default null,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'image_messages', p_idempotency_key, p_request_sha256);
  v_job public.image_jobs;
  v_variant record;
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  select * into v_job from public.image_jobs where id = p_job for update;
  select variant_id, run into v_variant from public.image_variants
   where job_id = p_job and (p_variant_id is null or variant_id = p_variant_id)
   order by run desc, position desc limit 1;
  v_answer := case
    when v_job.id is null then jsonb_build_object('outcome', 'not_found')
    when v_job.status in ('queued', 'running') then jsonb_build_object('outcome', 'conflict', 'status', v_job.status)
    when p_variant_id is not null and v_variant.variant_id is null then jsonb_build_object('outcome', 'variant_not_found')
    end;
  if v_answer is null then
    insert into public.image_messages (id, job_id, prompt, variant_id, variant_run, created_by)
    values (v_message, p_job, p_prompt, v_variant.variant_id, v_variant.run, p_user);
    perform private.next_image_run(p_job, v_job.run + 1, v_message);
    v_answer := jsonb_build_object('outcome', 'created', 'message_id', v_message, 'run', v_job.run + 1);
  end if;
  return private.idempotency_end(p_user, 'image_messages', p_idempotency_key, v_answer);
end $$;

-- Starts another run of the latest prompt. outcome: retried | not_found | conflict (with the current status)
create function public.retry_image_job(p_job uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_job public.image_jobs;
begin
  select * into v_job from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_job.status not in ('failed', 'canceled') then
    return jsonb_build_object('outcome', 'conflict', 'status', v_job.status);
  end if;
  perform private.next_image_run(p_job, v_job.run + 1,
    (select message_id from public.image_runs where job_id = p_job and run = v_job.run));
  return jsonb_build_object('outcome', 'retried', 'run', v_job.run + 1);
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
-- The messages, runs and variants of a job are visible to everyone who can see the job.
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
grant execute on function private.next_image_run(uuid, int, uuid) to service_role;
revoke execute on function
  public.create_project_image(uuid, uuid, uuid, text, text, text, bigint, int, int, text, boolean, text, text),
  public.find_project_image(uuid, text, text),
  public.create_image_job(uuid, uuid, text, uuid, text, text, text[], jsonb, jsonb, text, text),
  public.send_image_message(uuid, uuid, text, text, text, text), public.retry_image_job(uuid)
  from public, anon, authenticated;
grant execute on function
  public.create_project_image(uuid, uuid, uuid, text, text, text, bigint, int, int, text, boolean, text, text),
  public.find_project_image(uuid, text, text),
  public.create_image_job(uuid, uuid, text, uuid, text, text, text[], jsonb, jsonb, text, text),
  public.send_image_message(uuid, uuid, text, text, text, text), public.retry_image_job(uuid)
  to service_role;
