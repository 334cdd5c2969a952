-- A refinement can have its own materials and options, and a mask that marks the region to change.

alter table public.image_messages
  -- The next three columns are null if the prompt uses the job's values. `material_ids` and `material_payload` are set
  -- together.
  add column material_ids text[] check (cardinality(material_ids) <= 32),
  add column material_payload jsonb check (pg_column_size(material_payload) < 524288),
  add column options jsonb check (pg_column_size(options) < 4096),
  -- Checked at the end of the transaction, because deleting a project deletes its images before its prompts. `on delete
  -- set null` is not an option, because a refinement without its mask would change the whole image.
  add column mask_image_id uuid references public.document_images (id) deferrable initially deferred,
  add constraint image_messages_materials check ((material_ids is null) = (material_payload is null)),
  add constraint image_messages_mask check (mask_image_id is null or variant_id is not null);
create index image_messages_mask on public.image_messages (mask_image_id) where mask_image_id is not null;

-- Masks are not listed among the images uploaded to a project.
alter table public.document_images add column is_mask boolean not null default false;

drop function public.send_image_message(uuid, uuid, text, text, text, text);
-- A mask must be a PNG that belongs to the project and has the same size as the image to refine. outcome: created |
-- not_found | variant_not_found | mask_not_found | mask_unfit (with the required size) | conflict (with the current
-- status) | idempotency_mismatch
create function public.send_image_message(p_user uuid, p_job uuid, p_prompt text, p_variant_id text default null,
  p_material_ids text[] default null, p_material_payload jsonb default null, p_options jsonb default null,
  p_mask_image_id uuid default null, p_idempotency_key text default null, p_request_sha256 text default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'image_messages', p_idempotency_key, p_request_sha256);
  v_job public.image_jobs;
  v_variant record;
  v_mask public.document_images;
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  select * into v_job from public.image_jobs where id = p_job for update;
  select variant_id, run, width, height into v_variant from public.image_variants
   where job_id = p_job and deleted_at is null and (p_variant_id is null or variant_id = p_variant_id)
   order by run desc, position desc limit 1;
  select * into v_mask from public.document_images where id = p_mask_image_id and project_id = v_job.project_id;
  v_answer := case
    when v_job.id is null then jsonb_build_object('outcome', 'not_found')
    when v_job.status in ('queued', 'running') then jsonb_build_object('outcome', 'conflict', 'status', v_job.status)
    when p_variant_id is not null and v_variant.variant_id is null then jsonb_build_object('outcome', 'variant_not_found')
    when p_mask_image_id is not null and v_mask.id is null then jsonb_build_object('outcome', 'mask_not_found')
    when v_mask.mime_type <> 'image/png' or v_mask.width <> v_variant.width or v_mask.height <> v_variant.height
      then jsonb_build_object('outcome', 'mask_unfit', 'width', v_variant.width, 'height', v_variant.height)
    end;
  if v_answer is null then
    insert into public.image_messages (id, job_id, prompt, variant_id, variant_run, material_ids, material_payload,
      options, mask_image_id, created_by)
    values (v_message, p_job, p_prompt, v_variant.variant_id, v_variant.run, p_material_ids, p_material_payload,
      p_options, v_mask.id, p_user);
    update public.document_images set is_mask = true where id = v_mask.id and not is_mask;
    perform private.next_image_run(p_job, v_job.run + 1, v_message);
    v_answer := jsonb_build_object('outcome', 'created', 'message_id', v_message, 'run', v_job.run + 1);
  end if;
  return private.idempotency_end(p_user, 'image_messages', p_idempotency_key, v_answer);
end $$;

revoke execute on function
  public.send_image_message(uuid, uuid, text, text, text[], jsonb, jsonb, uuid, text, text) from public, anon, authenticated;
grant execute on function
  public.send_image_message(uuid, uuid, text, text, text[], jsonb, jsonb, uuid, text, text) to service_role;
