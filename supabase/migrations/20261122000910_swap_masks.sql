-- Lets a material swap have a mask that marks the region to change.

-- The first prompt of a job has no variant. Its mask belongs to the image that the swap starts from.
alter table public.image_messages drop constraint image_messages_mask;
alter table public.image_messages add constraint image_messages_mask
  check (mask_image_id is null or variant_id is not null or ordinal = 1);

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

-- As before, but if there is a mask and the job has no image to refine, the outcome is now variant_not_found.
create or replace function public.send_image_message(p_user uuid, p_job uuid, p_prompt text, p_variant_id text default null,
  p_material_ids text[] default null, p_material_payload jsonb default null, p_options jsonb default null,
  p_mask_image_id uuid default null, p_idempotency_key text default null, p_request_sha256 text default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'image_messages', p_idempotency_key, p_request_sha256);
  v_job public.image_jobs;
  v_variant record;
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  select * into v_job from public.image_jobs where id = p_job for update;
  select variant_id, run, width, height into v_variant from public.image_variants
   where job_id = p_job and deleted_at is null and (p_variant_id is null or variant_id = p_variant_id)
   order by run desc, position desc limit 1;
  v_answer := case
    when v_job.id is null then jsonb_build_object('outcome', 'not_found')
    when v_job.status in ('queued', 'running') then jsonb_build_object('outcome', 'conflict', 'status', v_job.status)
    when coalesce(p_variant_id, p_mask_image_id::text) is not null and v_variant.variant_id is null
      then jsonb_build_object('outcome', 'variant_not_found')
    else private.mask_problem(p_mask_image_id, v_job.project_id, v_variant.width, v_variant.height)
    end;
  if v_answer is null then
    insert into public.image_messages (id, job_id, prompt, variant_id, variant_run, material_ids, material_payload,
      options, mask_image_id, created_by)
    values (v_message, p_job, p_prompt, v_variant.variant_id, v_variant.run, p_material_ids, p_material_payload,
      p_options, p_mask_image_id, p_user);
    update public.document_images set is_mask = true where id = p_mask_image_id and not is_mask;
    perform private.next_image_run(p_job, v_job.run + 1, v_message);
    v_answer := jsonb_build_object('outcome', 'created', 'message_id', v_message, 'run', v_job.run + 1);
  end if;
  return private.idempotency_end(p_user, 'image_messages', p_idempotency_key, v_answer);
end $$;

drop function public.create_image_swap(uuid, uuid, uuid, text, jsonb, jsonb, bigint, text, text);
-- As before, but accepts a mask: a PNG that belongs to the project and has the same size as the image. Additional
-- outcomes: mask_not_found | mask_unfit (with the required size)
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

revoke execute on function private.mask_problem(uuid, uuid, int, int) from public, anon, authenticated;
grant execute on function private.mask_problem(uuid, uuid, int, int) to service_role;
revoke execute on function
  public.create_image_swap(uuid, uuid, uuid, text, jsonb, jsonb, bigint, uuid, text, text) from public, anon, authenticated;
grant execute on function
  public.create_image_swap(uuid, uuid, uuid, text, jsonb, jsonb, bigint, uuid, text, text) to service_role;
