-- The images of a project: the ones that users upload, and the ones that image jobs generate.
--
-- An image job is a conversation. Each prompt (a message) starts a run, and a run produces variants, which are the
-- generated images. `31_image_runs.sql` holds what starts, moves and ends runs. The rule for every writer: lock the row
-- of the job before changing its messages, runs or variants.

-- Images that users upload to a project, and masks for refinements. The server stores the file before it adds the row.
-- Archived and deleted projects take no new images.
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
  -- Masks are not listed among the images uploaded to a project.
  is_mask boolean not null default false,
  -- The sanitized drawing of an image that was uploaded as an SVG. The image's file in storage is a PNG of the drawing.
  -- The app uses the drawing for exports and for copies of the image, and sends only the PNG to users' browsers.
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

-- Records a stored file as an image of the project. With `p_reuse`, returns an existing image of the project with the
-- same bytes, if there is one. A call that repeats an idempotency key returns the image of the first call. The caller
-- must remove the file at `p_storage_path` unless the returned image has that path. `p_svg` is the sanitized drawing of
-- an image that was uploaded as an SVG. outcome: created (with the image) | idempotency_mismatch
create function public.create_project_image(p_user uuid, p_project uuid, p_id uuid, p_storage_path text, p_file_name text,
  p_mime_type text, p_size_bytes bigint, p_width int, p_height int, p_sha256 text, p_reuse boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_svg text default null) returns jsonb
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
      sha256, created_by, svg)
    values (p_id, p_project, p_storage_path, p_file_name, p_mime_type, p_size_bytes, p_width, p_height, p_sha256, p_user,
      p_svg)
    returning * into v_image;
  end if;
  v_answer := jsonb_build_object('outcome', 'created', 'id', v_image.id, 'path', v_image.storage_path,
    'file_name', v_image.file_name, 'width', v_image.width, 'height', v_image.height, 'created_at', v_image.created_at);
  return private.idempotency_end(p_user, 'document_images', p_idempotency_key, v_answer);
end $$;

-- Returns what `create_project_image` returned for this key, so that a caller need not fetch the file again.
-- outcome: created (with the image) | idempotency_mismatch | unused
create function public.find_project_image(p_user uuid, p_idempotency_key text, p_request_sha256 text) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(
    (select case when request_sha256 = p_request_sha256 then answer
                 else jsonb_build_object('outcome', 'idempotency_mismatch') end
       from private.idempotency_keys
      where user_id = p_user and scope = 'document_images' and key = p_idempotency_key),
    jsonb_build_object('outcome', 'unused'))
$$;

-- Returns null if `p_mask` is null, or if it is a PNG that belongs to the project and has the given size. Otherwise
-- returns the outcome: mask_not_found | mask_unfit (with the required size)
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

-- Returns the SVG drawings of the given images of a project, up to 8 MB in total. The limit exists because an export
-- holds the drawings in memory. For an image whose drawing is left out, the export prints the PNG.
create function public.project_image_drawings(p_project uuid, p_paths text[])
returns table (path text, svg text)
language sql stable set search_path = '' as $$
  select d.path, d.svg
    from (select i.storage_path as path, i.svg, sum(octet_length(i.svg)) over (order by i.storage_path) as total
            from public.document_images i
           where i.project_id = p_project and i.storage_path = any (p_paths) and i.svg is not null) d
   where d.total <= 8388608
$$;

-- Combines the material ids of both arguments. A job or prompt can name a material in its column `material_ids` or in
-- `material_payload`. Immutable, because indexes use it.
create function private.material_ids_of(p_material_ids text[], p_material_payload jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select p_material_ids || array(select m ->> 'id' from jsonb_array_elements(p_material_payload) m where m ? 'id')
$$;

-- Conversations that generate images. `run`, `status`, the times and the error are those of the latest run and change
-- together with its row in `image_runs`. `prompt`, the materials and the options are those of the first prompt; a later
-- prompt can have its own materials and options. An update that users must see increments `status_seq`, which causes a
-- broadcast.
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
  -- The material swap that started the job. `32_material_swaps.sql` adds the foreign key.
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

-- Keeps the jobs of archived and deleted projects from being renamed. New jobs are covered by the trigger on
-- `image_runs`.
create trigger require_open_project before update of name on public.image_jobs
  for each row execute function private.require_open_project();

-- Names an image job, or removes its name. Increments `status_seq`, which causes a broadcast, only if the name changes.
-- outcome: renamed | not_found
create function public.rename_image_job(p_job uuid, p_name text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  update public.image_jobs set name = p_name, status_seq = status_seq + 1, updated_at = clock_timestamp()
   where id = p_job and name is distinct from p_name;
  return jsonb_build_object('outcome', 'renamed');
end $$;

-- The prompts of a job, in the order of `ordinal`.
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
  created_at timestamptz not null default now(),
  -- Position of the prompt in its conversation, from 1. Used as the cursor to page through a conversation from its end.
  ordinal int not null,
  -- The next three columns are null if the prompt uses the job's values. `material_ids` and `material_payload` are set
  -- together.
  material_ids text[] check (cardinality(material_ids) <= 32),
  material_payload jsonb check (pg_column_size(material_payload) < 524288),
  options jsonb check (pg_column_size(options) < 4096),
  -- Checked at the end of the transaction, because deleting a project deletes its images before its prompts. `on delete
  -- set null` is not an option, because a refinement without its mask would change the whole image.
  mask_image_id uuid references public.document_images (id) deferrable initially deferred,
  constraint image_messages_materials check ((material_ids is null) = (material_payload is null)),
  -- The first prompt of a job has no variant. Its mask belongs to the image that the swap starts from.
  constraint image_messages_mask check (mask_image_id is null or variant_id is not null or ordinal = 1)
);
create unique index image_messages_ordinal on public.image_messages (job_id, ordinal);
create index image_messages_created_by on public.image_messages (created_by);
create index image_messages_mask on public.image_messages (mask_image_id) where mask_image_id is not null;
create index image_messages_materials on public.image_messages
  using gin (private.material_ids_of(material_ids, material_payload)) where material_ids is not null;

alter table public.image_messages enable row level security;
grant select on public.image_messages to anon, authenticated;
-- The row level security of `image_jobs` applies to the subquery, so everyone who can see a job can see its prompts.
create policy image_messages_read on public.image_messages for select to authenticated, anon
  using (exists (select 1 from public.image_jobs j where j.id = job_id));
create policy anon_needs_token on public.image_messages as restrictive for select to anon
  using ((select private.has_token()));

-- Sets the next number of the job. Prompts are added only while their job is locked, so numbers are unique.
create function private.number_message() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  new.ordinal := 1 + coalesce((select max(ordinal) from public.image_messages where job_id = new.job_id), 0);
  return new;
end $$;

create trigger number_message before insert on public.image_messages
  for each row when (new.ordinal is null) execute function private.number_message();

-- The runs of a job, numbered from 1. A retry is another run of the same message.
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
  -- The highest number among the removed images of this run, stored so that a retry does not reuse it.
  removed_number int not null default 0,
  primary key (job_id, run)
);
create index image_runs_message on public.image_runs (message_id);

alter table public.image_runs enable row level security;
grant select on public.image_runs to anon, authenticated;
-- The row level security of `image_jobs` applies to the subquery, so everyone who can see a job can see its runs.
create policy image_runs_read on public.image_runs for select to authenticated, anon
  using (exists (select 1 from public.image_jobs j where j.id = job_id));
create policy anon_needs_token on public.image_runs as restrictive for select to anon
  using ((select private.has_token()));

-- Every generation starts by adding a run, whether for a new job, a message or a retry, so this trigger covers them
-- all.
create trigger require_open_project before insert on public.image_runs
  for each row execute function private.require_open_project();

-- The images that runs produce. `private.store_variants` adds them as the workflow service reports them.
create table public.image_variants (
  job_id uuid not null references public.image_jobs (id) on delete cascade,
  run int not null,
  -- The id that the workflow chose (up to 128 characters). If another run of the job already has a variant with that
  -- id, the id gets a prefix with the number of this variant's run, such as `r2-`.
  variant_id text not null check (char_length(variant_id) between 1 and 140),
  -- The order of the variants within their run, from 1.
  position int not null,
  path text not null,
  thumb_path text,
  meta jsonb,
  width int not null check (width > 0),
  height int not null check (height > 0),
  -- Images that are stored in one transaction get different times, so they keep their order in a list sorted by time.
  created_at timestamptz not null default clock_timestamp(),
  -- Identifies the image with a single value. The primary key combines the job, the run and the variant id.
  id uuid not null default gen_random_uuid(),
  -- The project of the job, so that the policy and the lists need no other table.
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The image's number within its prompt, counted across all runs of the prompt: the 3 in `1.3`. A later report for
  -- the image's run can change it, but the deletion of other images cannot.
  number int not null,
  starred_at timestamptz,
  -- When the image was deleted. After the retention period, the sweep removes the row, and then the files.
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

-- Sets the project and the number of a variant. Numbers continue after those of earlier runs of the same prompt,
-- including images that have been removed.
create function private.place_variant() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  new.project_id := (select project_id from public.image_jobs where id = new.job_id);
  new.number := new.position + coalesce((
    select greatest(max(e.removed_number), max(v.number))
      from public.image_runs r
      join public.image_runs e on e.message_id = r.message_id and e.run < r.run
      left join public.image_variants v on v.job_id = e.job_id and v.run = e.run
     where r.job_id = new.job_id and r.run = new.run), 0);
  return new;
end $$;

create trigger place_variant before insert or update of position on public.image_variants
  for each row execute function private.place_variant();
create trigger require_open_project before update of starred_at, deleted_at on public.image_variants
  for each row execute function private.require_open_project();

-- Returns the requested images that belong to the project, uploaded or generated, including deleted variants. `key` is
-- the id or path by which an image was requested. Only uploaded images can be requested by id.
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

-- Returns the prompts and seeds of the images at these paths. Leaves out images that were not generated in the project.
create function public.image_origins(p_project uuid, p_paths text[])
returns table (path text, prompt text, seed text)
language sql stable set search_path = '' as $$
  select v.path, m.prompt, left(v.meta ->> 'seed', 100)
    from public.image_variants v
    join public.image_jobs j on j.id = v.job_id
    join public.image_runs r on r.job_id = v.job_id and r.run = v.run
    join public.image_messages m on m.id = r.message_id
   where j.project_id = p_project and v.path = any (p_paths)
   order by v.path
$$;

-- Returns the paths in `p_paths` that page templates use. An image at such a path stays usable after it is deleted in
-- its project.
create function public.template_images(p_paths text[]) returns setof text
language sql stable set search_path = '' as $$
  select distinct path from unnest(p_paths) path
   where exists (select 1 from private.page_templates t where path = any (t.images))
$$;
