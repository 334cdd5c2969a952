-- Material swaps: image jobs that start from the same image with the same seed, each with a different material in the
-- same place, so that the results can be compared.

-- Each row is one swap. Its jobs name it in `image_jobs.swap_id`, ordered by `created_at`.
create table public.image_swaps (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The image that the jobs start from. Null once the row of the image has been removed.
  variant_id uuid references public.image_variants (id) on delete set null,
  -- The part of the image whose material is swapped, such as `the floor`.
  place text not null check (char_length(place) between 1 and 500),
  seed bigint not null,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index image_swaps_page on public.image_swaps (project_id, created_at desc, id desc);
create index image_swaps_variant on public.image_swaps (variant_id);
create index image_swaps_created_by on public.image_swaps (created_by);

alter table public.image_swaps enable row level security;
grant select on public.image_swaps to anon, authenticated;
create policy image_swaps_read on public.image_swaps for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.image_swaps as restrictive for select to anon
  using ((select private.has_token()));

-- Stands here because jobs, variants and swaps refer to each other in a circle.
alter table public.image_jobs add foreign key (swap_id) references public.image_swaps (id) on delete set null;

-- Returns the seed that the workflow service reported for an image, or null if it did not report an integer of up to 15
-- digits.
create function private.seed_of(p_meta jsonb) returns bigint
language sql immutable set search_path = '' as $$
  select (p_meta ->> 'seed')::bigint
   where jsonb_typeof(p_meta -> 'seed') = 'number' and p_meta ->> 'seed' ~ '^-?\d{1,15}$'
$$;

-- Starts a job for each of `p_jobs` (objects with a prompt and a material). If a job cannot be created, raises an error
-- and starts none. All jobs get the same seed: the one in `p_options`, else that of the image, else `p_random_seed`. If
-- `p_options` has no size, the jobs also get the size of the image, provided that the option `size` allows it. A mask
-- must be a PNG that belongs to the project and has the same size as the image.
-- outcome: created (with the ids of the swap and of its jobs, in the order of `p_jobs`) | not_found (the project has no
-- such image) | mask_not_found | mask_unfit (with the required size) | idempotency_mismatch
create function public.create_image_swap(p_user uuid, p_project uuid, p_variant uuid, p_place text, p_jobs jsonb,
  p_options jsonb, p_random_seed bigint, p_mask_image_id uuid default null, p_idempotency_key text default null,
  p_request_sha256 text default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'image_swaps', p_idempotency_key, p_request_sha256);
  v_source public.image_variants;
  v_swap uuid := gen_random_uuid();
  v_seed bigint;
  v_size jsonb := '{}';
  v_job record;
  v_created jsonb;
  v_jobs uuid[] := '{}';
begin
  if v_answer is not null then return v_answer; end if;
  -- The lock keeps the image from being deleted before all jobs have been created.
  select * into v_source from public.image_variants
   where id = p_variant and project_id = p_project and deleted_at is null for share;
  v_answer := case when v_source.id is null then jsonb_build_object('outcome', 'not_found')
    else private.mask_problem(p_mask_image_id, p_project, v_source.width, v_source.height) end;
  if v_answer is not null then
    return private.idempotency_end(p_user, 'image_swaps', p_idempotency_key, v_answer);
  end if;
  v_seed := coalesce((p_options ->> 'seed')::bigint, private.seed_of(v_source.meta), p_random_seed);
  -- The option `size` only allows sizes within these limits.
  if least(v_source.width, v_source.height) >= 64 and greatest(v_source.width, v_source.height) <= 16384 then
    v_size := jsonb_build_object('size', v_source.width || 'x' || v_source.height);
  end if;
  insert into public.image_swaps (id, project_id, variant_id, place, seed, created_by)
  values (v_swap, p_project, p_variant, p_place, v_seed, p_user);
  for v_job in select value, ordinality from jsonb_array_elements(p_jobs) with ordinality order by ordinality loop
    v_created := public.create_image_job(p_user, p_project, v_job.value ->> 'prompt',
      p_input_image_path => v_source.path,
      p_material_ids => array[v_job.value #>> '{material,id}'],
      p_material_payload => jsonb_build_array(v_job.value -> 'material'),
      p_options => v_size || p_options || jsonb_build_object('seed', v_seed));
    -- Distinct creation times keep the jobs in the order of their materials.
    update public.image_jobs
       set swap_id = v_swap, created_at = created_at + v_job.ordinality * interval '1 microsecond'
     where id = (v_created ->> 'job_id')::uuid;
    if not found then raise exception 'a job of a swap was not created: %', v_created; end if;
    v_jobs := v_jobs || (v_created ->> 'job_id')::uuid;
  end loop;
  if p_mask_image_id is not null then
    update public.image_messages set mask_image_id = p_mask_image_id where job_id = any (v_jobs);
    update public.document_images set is_mask = true where id = p_mask_image_id and not is_mask;
  end if;
  v_answer := jsonb_build_object('outcome', 'created', 'swap_id', v_swap, 'job_ids', v_jobs);
  return private.idempotency_end(p_user, 'image_swaps', p_idempotency_key, v_answer);
end $$;

-- Returns, for each job of a swap, the first image of the latest run that used the job's material and has images.
-- Deleted images do not count. Later prompts of the job can have other materials. Jobs without such an image are left
-- out.
create function public.swap_covers(p_swap uuid) returns table (job_id uuid, cover jsonb)
language sql stable set search_path = '' as $$
  select j.id, to_jsonb(c)
    from public.image_jobs j
   cross join lateral (
     select v.id, v.variant_id, v.number, v.path, v.thumb_path, v.meta, v.width, v.height, v.run, v.created_at, v.starred_at
       from public.image_variants v
       join public.image_runs r on r.job_id = v.job_id and r.run = v.run
       join public.image_messages m on m.id = r.message_id
      where v.job_id = j.id and v.deleted_at is null
        and (m.material_ids is null
             or private.material_ids_of(m.material_ids, m.material_payload) @> j.material_ids)
      order by v.run desc, v.position limit 1) c
   where j.swap_id = p_swap
$$;

-- Each row is an image job with `cover`, the first image of the latest run that has images (deleted ones do not count),
-- `retrying` (see `private.image_retrying`), and the place of its swap. The reader's row level security applies. Stands
-- here because it reads `image_swaps`.
create view public.image_job_rows with (security_invoker = true) as
  select j.*, (
    select to_jsonb(c) from (
      select v.id, v.variant_id, v.number, v.path, v.thumb_path, v.meta, v.width, v.height, v.run, v.created_at,
             v.starred_at
        from public.image_variants v where v.job_id = j.id and v.deleted_at is null
       order by v.run desc, v.position limit 1) c) as cover,
    case when j.status = 'queued' then private.image_retrying(j.id, j.run) end as retrying,
    (select s.place from public.image_swaps s where s.id = j.swap_id) as swap_place
    from public.image_jobs j;
grant select on public.image_job_rows to anon, authenticated;
