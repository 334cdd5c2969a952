-- Material swaps: image jobs that start from one image with one seed, each with another material in the same place.

-- The jobs of a swap have its id in `swap_id`, and the order of `created_at`.
create table public.image_swaps (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The image that the jobs start from, or null after its removal.
  variant_id uuid references public.image_variants (id) on delete set null,
  -- What gets the material, such as `the floor`.
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

-- Here because jobs, variants and swaps refer to each other in a circle.
alter table public.image_jobs add foreign key (swap_id) references public.image_swaps (id) on delete set null;

-- Starts a job for each of `p_jobs` ([{ prompt, material }]), all with the same seed: the one in `p_options`, else the
-- image's, else `p_random_seed`. The size of the image is the default. Raises an error if a job cannot be created.
-- outcome: created (with the ids of the swap and its jobs) | not_found (the project has no such image) |
-- idempotency_mismatch | an outcome of `private.mask_problem`
create function public.create_image_swap(p_user uuid, p_project uuid, p_variant uuid, p_place text, p_jobs jsonb,
  p_options jsonb, p_random_seed bigint, p_mask_image_id uuid default null, p_idempotency_key text default null,
  p_request_sha256 text default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'image_swaps', p_idempotency_key, p_request_sha256);
  v_variant public.image_variants;
  v_swap_id uuid := gen_random_uuid();
  v_seed bigint;
  v_size jsonb := '{}';
  v_job record;
  v_job_ids uuid[] := '{}';
begin
  if v_result is not null then return v_result; end if;
  -- The lock keeps the image from being deleted before all jobs exist.
  select * into v_variant from public.image_variants
   where id = p_variant and project_id = p_project and deleted_at is null for share;
  v_result := case when v_variant.id is null then jsonb_build_object('outcome', 'not_found')
    else private.mask_problem(p_mask_image_id, p_project, v_variant.width, v_variant.height) end;
  if v_result is not null then
    return private.idempotency_end(p_user, 'image_swaps', p_idempotency_key, v_result);
  end if;
  v_seed := coalesce((p_options ->> 'seed')::bigint,
    -- The workflow service can report any value as the seed.
    case when jsonb_typeof(v_variant.meta -> 'seed') = 'number' and v_variant.meta ->> 'seed' ~ '^-?\d{1,15}$'
         then (v_variant.meta ->> 'seed')::bigint end,
    p_random_seed);
  -- The option `size` allows only these sizes.
  if least(v_variant.width, v_variant.height) >= 64 and greatest(v_variant.width, v_variant.height) <= 16384 then
    v_size := jsonb_build_object('size', v_variant.width || 'x' || v_variant.height);
  end if;
  insert into public.image_swaps (id, project_id, variant_id, place, seed, created_by)
  values (v_swap_id, p_project, p_variant, p_place, v_seed, p_user);
  for v_job in select value, ordinality from jsonb_array_elements(p_jobs) with ordinality order by ordinality loop
    v_result := public.create_image_job(p_user, p_project, v_job.value ->> 'prompt',
      p_input_image_path => v_variant.path,
      p_material_ids => array[v_job.value #>> '{material,id}'],
      p_material_payload => jsonb_build_array(v_job.value -> 'material'),
      p_options => v_size || p_options || jsonb_build_object('seed', v_seed));
    -- Distinct times keep the jobs in the order of their materials.
    update public.image_jobs
       set swap_id = v_swap_id, created_at = created_at + v_job.ordinality * interval '1 microsecond'
     where id = (v_result ->> 'job_id')::uuid;
    if not found then raise exception 'a job of a swap was not created: %', v_result; end if;
    v_job_ids := v_job_ids || (v_result ->> 'job_id')::uuid;
  end loop;
  if p_mask_image_id is not null then
    update public.image_messages set mask_image_id = p_mask_image_id where job_id = any (v_job_ids);
    update public.document_images set is_mask = true where id = p_mask_image_id and not is_mask;
  end if;
  v_result := jsonb_build_object('outcome', 'created', 'swap_id', v_swap_id, 'job_ids', v_job_ids);
  return private.idempotency_end(p_user, 'image_swaps', p_idempotency_key, v_result);
end $$;

-- Returns the cover of each job that has one: the first image, not counting deleted ones, of the latest run with the
-- job's material. A later prompt can use another one.
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

-- Image jobs, each with its cover (the first image of the latest run with images, not counting deleted ones), whether
-- its start is being retried, and the place of its swap.
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
