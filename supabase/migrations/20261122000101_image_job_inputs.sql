-- Allows up to 32 materials per image job instead of 12. Ignores an unknown input path if the input id matches an image
-- of the project.

alter table public.image_jobs
  drop constraint image_jobs_material_ids_check,
  drop constraint image_jobs_material_payload_check,
  add constraint image_jobs_material_ids_check check (cardinality(material_ids) <= 32),
  add constraint image_jobs_material_payload_check check (pg_column_size(material_payload) < 524288);

-- outcome: created | image_not_found | idempotency_mismatch. `p_input_image_id` takes precedence over
-- `p_input_image_path`, which can belong to an uploaded image or a variant of this project. If the id matches an image
-- of the project, an unknown path is ignored.
create or replace function public.create_image_job(p_user uuid, p_project uuid, p_prompt text, p_input_image_id uuid default null,
  p_input_image_path text default null, p_page_id text default null, p_material_ids text[] default '{}',
  p_material_payload jsonb default '[]', p_options jsonb default '{}', p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'image_jobs', p_idempotency_key, p_request_sha256);
  v_image uuid;
  v_path text;
  v_job uuid := gen_random_uuid();
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  select id into v_image from public.document_images
   where project_id = p_project and (id = p_input_image_id or storage_path = p_input_image_path)
   order by id = p_input_image_id desc nulls last limit 1;
  if exists (select 1 from public.document_images where project_id = p_project and storage_path = p_input_image_path)
     or exists (select 1 from public.image_variants v join public.image_jobs j on j.id = v.job_id
                 where v.path = p_input_image_path and j.project_id = p_project) then
    v_path := p_input_image_path;
  end if;
  if v_image is null and v_path is null and (p_input_image_id is not null or p_input_image_path is not null) then
    v_answer := jsonb_build_object('outcome', 'image_not_found');
  else
    insert into public.image_jobs (id, project_id, prompt, input_image_id, input_image_path, page_id, material_ids,
      material_payload, options, created_by)
    values (v_job, p_project, p_prompt, v_image, v_path, p_page_id, p_material_ids, p_material_payload,
      p_options, p_user);
    insert into public.image_messages (id, job_id, prompt, created_by) values (v_message, v_job, p_prompt, p_user);
    insert into public.image_runs (job_id, run, message_id) values (v_job, 1, v_message);
    v_answer := jsonb_build_object('outcome', 'created', 'job_id', v_job);
  end if;
  return private.idempotency_end(p_user, 'image_jobs', p_idempotency_key, v_answer);
end $$;
