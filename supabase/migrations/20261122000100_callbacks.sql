-- An image run can succeed without outputs. The callback functions return the status of the spec or image job. Notes on
-- a successful image callback, such as why an output was left out, are stored on the image run. The error of a failed
-- run can have up to 10,000 characters.

alter table public.image_runs add column notes text[] not null default '{}';

create or replace function private.move_spec(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_sections int default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid;
  v_finished timestamptz := case when p_to in ('completed', 'failed') then clock_timestamp() end;
begin
  update public.spec_uploads
     set processing_status = p_to, status_seq = status_seq + 1, updated_at = clock_timestamp(), finished_at = v_finished,
         error_code = p_error_code, error = left(p_error, 10000), sections_count = p_sections,
         deadline_at = coalesce(p_deadline, deadline_at)
   where id = p_id and run = p_run and processing_status = any (p_from)
  returning document_id into v_document;
  if not found then return false; end if;
  update public.documents set processing_status = p_to where id = v_document;
  update public.upload_jobs set status = p_to, error = left(p_error, 10000), finished_at = v_finished
   where spec_upload_id = p_id and run = p_run;
  return true;
end $$;

create or replace function private.move_image(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_finished timestamptz := case when p_to in ('succeeded', 'failed', 'canceled') then v_now end;
begin
  update public.image_jobs
     set status = p_to, status_seq = status_seq + 1, updated_at = v_now, finished_at = v_finished,
         started_at = case when p_to = 'running' then v_now else started_at end,
         error_code = p_error_code, error = left(p_error, 10000), deadline_at = coalesce(p_deadline, deadline_at)
   where id = p_id and run = p_run and status = any (p_from);
  if not found then return false; end if;
  update public.image_runs
     set status = p_to, error_code = p_error_code, error = left(p_error, 10000), finished_at = v_finished,
         started_at = case when p_to = 'running' then v_now else started_at end
   where job_id = p_id and run = p_run;
  return true;
end $$;

-- outcome: applied | duplicate | late | conflict | stale_run | unknown_run (all with the spec's status) | not_found
create or replace function public.apply_spec_callback(p_id uuid, p_status text, p_run int default null,
  p_sections int default null, p_error text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_spec public.spec_uploads;
  v_run int;
  v_outcome text;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_spec.run);
  v_outcome := case
    when v_run < v_spec.run then 'stale_run'
    when v_run > v_spec.run then 'unknown_run'
    when v_spec.processing_status in ('pending', 'processing') then 'applied'
    -- The workflow service did not report these failures itself. If it reports a success within a day, the success
    -- replaces the failure.
    when p_status = 'completed' and v_spec.error_code in ('timeout', 'unreachable')
      and v_spec.finished_at > now() - interval '24 hours' then 'applied'
    when v_spec.error_code in ('timeout', 'unreachable') then 'late'
    when v_spec.processing_status = p_status then 'duplicate'
    else 'conflict' end;
  if v_outcome = 'applied' then
    perform private.move_spec(p_id, v_run, array['pending', 'processing', 'failed'], p_status,
      case when p_status = 'failed' then 'workflow_failed' end,
      case when p_status = 'failed' then coalesce(nullif(btrim(private.plain_words(p_error)), ''), 'The workflow service reported a failure without a reason.') end,
      case when p_status = 'completed' then p_sections end);
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'spec_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason)
  values ('spec', p_id, v_run, p_status, v_outcome, private.plain_reason(p_error));
  return jsonb_build_object('outcome', v_outcome,
    'status', case when v_outcome = 'applied' then p_status else v_spec.processing_status end,
    'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

drop function public.apply_image_callback(uuid, text, int, jsonb, text);

-- outcome: checkable, canceled or any outcome of `apply_spec_callback`. If a success would be applied but `p_outputs`
-- is null, changes nothing and returns checkable. The caller then checks the reported outputs and calls again.
-- `p_outputs` contains the outputs that passed: [{ variant_id, path, thumb_path, meta, width, height }]. If outputs
-- were reported but none passed, the caller also passes `p_error`, and a run that has not ended fails with the code
-- `invalid_output`. If no outputs were reported, the run succeeds without images. `p_notes` is stored on a run that
-- succeeds.
create function public.apply_image_callback(p_id uuid, p_status text, p_run int default null, p_outputs jsonb default null,
  p_error text default null, p_notes text[] default '{}') returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_run int;
  v_outcome text;
  v_to text := case when p_status = 'succeeded' and p_error is null then 'succeeded' else 'failed' end;
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_job.run);
  v_outcome := case
    when v_run < v_job.run then 'stale_run'
    when v_run > v_job.run then 'unknown_run'
    when v_job.status in ('queued', 'running') then 'applied'
    when v_job.status = 'canceled' then 'canceled'
    when p_status = 'succeeded' and v_job.error_code in ('timeout', 'unreachable')
      and v_job.finished_at > now() - interval '24 hours' then 'applied'
    when v_job.error_code in ('timeout', 'unreachable') then 'late'
    when v_job.status = p_status then 'duplicate'
    else 'conflict' end;
  if v_outcome = 'applied' and p_status = 'succeeded' and p_outputs is null then
    return jsonb_build_object('outcome', 'checkable', 'run', v_run, 'project_id', v_job.project_id);
  end if;
  -- Only a success with usable outputs, or with no outputs at all, replaces a failure that the workflow service did not
  -- report.
  if v_outcome = 'applied' and v_job.status = 'failed' and v_to = 'failed' then v_outcome := 'late'; end if;
  if v_outcome = 'applied' then
    perform private.move_image(p_id, v_run, array['queued', 'running', 'failed'], v_to,
      case when v_to = 'succeeded' then null when p_status = 'succeeded' then 'invalid_output' else 'workflow_failed' end,
      case when v_to = 'succeeded' then null
           else coalesce(nullif(btrim(private.plain_words(p_error)), ''), 'The workflow service reported a failure without a reason.') end);
    if v_to = 'succeeded' then
      update public.image_runs set notes = p_notes where job_id = p_id and run = v_run;
      insert into public.image_variants (job_id, run, variant_id, position, path, thumb_path, meta, width, height)
      -- A workflow can report the same variant id again in another run, but variant ids must be unique within the job.
      select p_id, v_run,
             case when exists (select 1 from public.image_variants x
                                where x.job_id = p_id and x.run <> v_run and x.variant_id = o.value ->> 'variant_id')
                  then 'r' || v_run || '-' || (o.value ->> 'variant_id') else o.value ->> 'variant_id' end,
             o.ordinality, o.value ->> 'path', o.value ->> 'thumb_path',
             nullif(o.value -> 'meta', 'null'), (o.value ->> 'width')::int, (o.value ->> 'height')::int
        from jsonb_array_elements(p_outputs) with ordinality o
      on conflict (job_id, run, variant_id) do nothing;
    end if;
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'image_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason)
  values ('image', p_id, v_run, p_status, v_outcome,
    private.plain_reason(coalesce(p_error, nullif(array_to_string(p_notes, ' '), ''))));
  return jsonb_build_object('outcome', v_outcome, 'run', v_run,
    'status', case when v_outcome = 'applied' then v_to else v_job.status end,
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;

revoke execute on function public.apply_image_callback(uuid, text, int, jsonb, text, text[]) from public, anon, authenticated;
grant execute on function public.apply_image_callback(uuid, text, int, jsonb, text, text[]) to service_role;
