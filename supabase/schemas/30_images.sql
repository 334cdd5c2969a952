-- The images of projects. Users upload some, and image jobs generate the others.
--
-- An image job is a conversation. Each prompt (a message) starts a run, and the run produces images (variants). Lock a
-- job before changing its messages, runs or variants.

-- Images and masks that users upload.
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
  created_at timestamptz not null default now(),
  -- Lists of uploaded images leave out masks.
  is_mask boolean not null default false,
  -- The sanitized SVG of an image whose stored file is a PNG of it. Only exports and copies use it.
  svg text check (octet_length(svg) <= 262144)
);
create index document_images_page on public.document_images (project_id, created_at desc, id desc);
create index document_images_created_by on public.document_images (created_by);

alter table public.document_images enable row level security;
grant select on public.document_images to anon, authenticated;
create policy document_images_read on public.document_images for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.document_images as restrictive for select to anon
  using ((select private.has_token()));

create trigger require_open_project before insert on public.document_images
  for each row execute function private.require_open_project();

-- Adds the image in a stored file. With `p_reuse`, returns the project's image with the same bytes if there is one. The
-- caller must remove the file unless the returned image has its path.
-- outcome: created (with the image) | idempotency_mismatch
create function public.create_project_image(p_user uuid, p_project uuid, p_id uuid, p_storage_path text, p_file_name text,
  p_mime_type text, p_size_bytes bigint, p_width int, p_height int, p_sha256 text, p_reuse boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_svg text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'document_images', p_idempotency_key, p_request_sha256);
  v_image public.document_images;
begin
  if v_result is not null then return v_result; end if;
  if p_reuse then
    -- Without the lock, concurrent calls would not see each other's image.
    perform 1 from public.projects where id = p_project for update;
    select * into v_image from public.document_images
     where project_id = p_project and sha256 = p_sha256 order by created_at, id limit 1;
  end if;
  if v_image.id is null then
    insert into public.document_images (id, project_id, storage_path, file_name, mime_type, size_bytes, width, height,
      sha256, created_by, svg)
    values (p_id, p_project, p_storage_path, p_file_name, p_mime_type, p_size_bytes, p_width, p_height, p_sha256, p_user,
      p_svg)
    returning * into v_image;
  end if;
  v_result := jsonb_build_object('outcome', 'created', 'id', v_image.id, 'path', v_image.storage_path,
    'file_name', v_image.file_name, 'width', v_image.width, 'height', v_image.height, 'created_at', v_image.created_at);
  return private.idempotency_end(p_user, 'document_images', p_idempotency_key, v_result);
end $$;

-- Returns what `create_project_image` returned for this key.
-- outcome: created (with the image) | idempotency_mismatch | unused
create function public.find_project_image(p_user uuid, p_idempotency_key text, p_request_sha256 text) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(
    (select case when request_sha256 = p_request_sha256 then result
                 else jsonb_build_object('outcome', 'idempotency_mismatch') end
       from private.idempotency_keys
      where user_id = p_user and scope = 'document_images' and key = p_idempotency_key),
    jsonb_build_object('outcome', 'unused'))
$$;

-- Returns null if `p_mask` is null or a PNG of the project with this size, else the outcome:
-- mask_not_found | mask_unfit (with the required size)
create function private.mask_problem(p_mask uuid, p_project uuid, p_width int, p_height int) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_mask public.document_images;
begin
  if p_mask is null then return null; end if;
  select * into v_mask from public.document_images where id = p_mask and project_id = p_project;
  return case
    when v_mask.id is null then jsonb_build_object('outcome', 'mask_not_found')
    when v_mask.mime_type <> 'image/png' or v_mask.width <> p_width or v_mask.height <> p_height
      then jsonb_build_object('outcome', 'mask_unfit', 'width', p_width, 'height', p_height)
    end;
end $$;

-- Returns the SVGs of these images of a project, up to 8 MB in total, because an export holds them in memory.
create function public.project_image_drawings(p_project uuid, p_paths text[])
returns table (path text, svg text)
language sql stable set search_path = '' as $$
  select d.path, d.svg
    from (select i.storage_path as path, i.svg, sum(octet_length(i.svg)) over (order by i.storage_path) as total
            from public.document_images i
           where i.project_id = p_project and i.storage_path = any (p_paths) and i.svg is not null) d
   where d.total <= 8388608
$$;

-- Returns the ids of the materials of a job or prompt, which can be in either column.
create function private.material_ids_of(p_material_ids text[], p_material_payload jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select p_material_ids || array(select m ->> 'id' from jsonb_array_elements(p_material_payload) m where m ? 'id')
$$;

-- `run`, `status`, the times and the error are those of the latest run; `prompt`, the materials and the options are
-- those of the first prompt. Incrementing `status_seq` broadcasts the job.
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
  material_ids text[] not null default '{}' check (cardinality(material_ids) <= 32),
  material_payload jsonb not null default '[]' check (pg_column_size(material_payload) < 524288),
  options jsonb not null default '{}' check (pg_column_size(options) < 4096),
  error_code text,
  error text,
  deadline_at timestamptz,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  progress double precision check (progress between 0 and 1),
  progress_at timestamptz,
  note text check (char_length(note) <= 200),
  -- `32_material_swaps.sql` adds the foreign key.
  swap_id uuid,
  name text check (name is null or length(name) between 1 and 120),
  check ((status in ('succeeded', 'failed', 'canceled')) = (finished_at is not null)),
  check (status <> 'failed' or error_code is not null)
);
create index image_jobs_page on public.image_jobs (project_id, created_at desc, id desc);
create index image_jobs_status on public.image_jobs (project_id, status, created_at desc, id desc);
create index image_jobs_input_path on public.image_jobs (input_image_path) where input_image_path is not null;
create index image_jobs_overdue on public.image_jobs (deadline_at) where status = 'running';
create index image_jobs_input on public.image_jobs (input_image_id);
create index image_jobs_created_by on public.image_jobs (created_by);
create index image_jobs_materials on public.image_jobs
  using gin (private.material_ids_of(material_ids, material_payload));
create index image_jobs_swap on public.image_jobs (swap_id, created_at, id) where swap_id is not null;

alter table public.image_jobs enable row level security;
grant select on public.image_jobs to anon, authenticated;
create policy image_jobs_read on public.image_jobs for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.image_jobs as restrictive for select to anon
  using ((select private.has_token()));

-- For new jobs, see the trigger on `image_runs`.
create trigger require_open_project before update of name on public.image_jobs
  for each row execute function private.require_open_project();

-- Names an image job, or removes its name. Broadcasts the job only if the name changes.
-- outcome: renamed | not_found
create function public.rename_image_job(p_job uuid, p_name text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  update public.image_jobs set name = p_name, status_seq = status_seq + 1, updated_at = clock_timestamp()
   where id = p_job and name is distinct from p_name;
  return jsonb_build_object('outcome', case
    when found or exists (select 1 from public.image_jobs where id = p_job) then 'renamed' else 'not_found' end);
end $$;

-- The prompts of a job.
create table public.image_messages (
  id uuid primary key default gen_random_uuid(),
  job_id uuid not null references public.image_jobs (id) on delete cascade,
  role text not null default 'user' check (role in ('user')),
  prompt text not null check (char_length(prompt) between 1 and 4000),
  -- The variant to refine, or null.
  variant_id text,
  variant_run int,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- The position in the conversation, from 1.
  ordinal int not null,
  -- The next three columns are null if the prompt uses the job's values.
  material_ids text[] check (cardinality(material_ids) <= 32),
  material_payload jsonb check (pg_column_size(material_payload) < 524288),
  options jsonb check (pg_column_size(options) < 4096),
  -- Deferred, because deleting a project deletes its images before its prompts.
  mask_image_id uuid references public.document_images (id) deferrable initially deferred,
  constraint image_messages_materials check ((material_ids is null) = (material_payload is null)),
  -- The first prompt of a swap has a mask, but no variant.
  constraint image_messages_mask check (mask_image_id is null or variant_id is not null or ordinal = 1)
);
create unique index image_messages_ordinal on public.image_messages (job_id, ordinal);
create index image_messages_created_by on public.image_messages (created_by);
create index image_messages_mask on public.image_messages (mask_image_id) where mask_image_id is not null;
create index image_messages_materials on public.image_messages
  using gin (private.material_ids_of(material_ids, material_payload)) where material_ids is not null;

alter table public.image_messages enable row level security;
grant select on public.image_messages to anon, authenticated;
-- The row level security of `image_jobs` applies to the subquery.
create policy image_messages_read on public.image_messages for select to authenticated, anon
  using (exists (select 1 from public.image_jobs j where j.id = job_id));
create policy anon_needs_token on public.image_messages as restrictive for select to anon
  using ((select private.has_token()));

-- The runs of a job, from 1. A retry is another run of the same message.
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
  notes text[] not null default '{}',
  -- The highest number of its removed images, which a retry must not reuse.
  removed_number int not null default 0,
  primary key (job_id, run)
);
create index image_runs_message on public.image_runs (message_id);

alter table public.image_runs enable row level security;
grant select on public.image_runs to anon, authenticated;
-- The row level security of `image_jobs` applies to the subquery.
create policy image_runs_read on public.image_runs for select to authenticated, anon
  using (exists (select 1 from public.image_jobs j where j.id = job_id));
create policy anon_needs_token on public.image_runs as restrictive for select to anon
  using ((select private.has_token()));

-- New jobs, messages and retries add a run.
create trigger require_open_project before insert on public.image_runs
  for each row execute function private.require_open_project();

-- The generated images. Only `private.store_variants` adds them.
create table public.image_variants (
  job_id uuid not null references public.image_jobs (id) on delete cascade,
  run int not null,
  -- From the workflow service, with the run as a prefix (`r2-`) if another run of the job has the same id.
  variant_id text not null check (char_length(variant_id) between 1 and 140),
  -- The order within the run, from 1.
  position int not null,
  path text not null,
  thumb_path text,
  meta jsonb,
  width int not null check (width > 0),
  height int not null check (height > 0),
  -- Differs within a transaction, so that it keeps the order.
  created_at timestamptz not null default clock_timestamp(),
  id uuid not null default gen_random_uuid(),
  -- That of the job.
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The number within the prompt, across its runs: the 3 in `1.3`.
  number int not null,
  starred_at timestamptz,
  -- After the retention period, the sweep removes the row, and then the files.
  deleted_at timestamptz,
  primary key (job_id, run, variant_id),
  foreign key (job_id, run) references public.image_runs (job_id, run) on delete cascade
);
create unique index image_variants_id on public.image_variants (id);
create index image_variants_page on public.image_variants (project_id, created_at desc, id desc);
create index image_variants_path on public.image_variants (path);
create index image_variants_thumb on public.image_variants (thumb_path);
create index image_variants_deleted_age on public.image_variants (deleted_at) where deleted_at is not null;

alter table public.image_variants enable row level security;
grant select on public.image_variants to anon, authenticated;
create policy image_variants_read on public.image_variants for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.image_variants as restrictive for select to anon
  using ((select private.has_token()));

create trigger require_open_project before update of starred_at, deleted_at on public.image_variants
  for each row execute function private.require_open_project();

-- Returns the project's uploaded images with these ids and all its images at these paths, even deleted ones. `key` is
-- the id or path.
create function public.project_image_files(p_project uuid, p_ids uuid[] default '{}', p_paths text[] default '{}')
returns table (key text, path text, width int, height int)
language sql stable set search_path = '' as $$
  select i.id::text, i.storage_path, i.width, i.height from public.document_images i
   where i.project_id = p_project and i.id = any (p_ids)
  union all
  select i.storage_path, i.storage_path, i.width, i.height from public.document_images i
   where i.project_id = p_project and i.storage_path = any (p_paths)
  union all
  select v.path, v.path, v.width, v.height from public.image_variants v
   where v.project_id = p_project and v.path = any (p_paths)
$$;

-- Returns the prompts and seeds of the images at these paths that were generated in the project.
create function public.image_origins(p_project uuid, p_paths text[])
returns table (path text, prompt text, seed text)
language sql stable set search_path = '' as $$
  select v.path, m.prompt, left(v.meta ->> 'seed', 100)
    from public.image_variants v
    join public.image_runs r on r.job_id = v.job_id and r.run = v.run
    join public.image_messages m on m.id = r.message_id
   where v.project_id = p_project and v.path = any (p_paths)
   order by v.path
$$;
