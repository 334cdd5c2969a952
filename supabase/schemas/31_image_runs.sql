-- The runs of image jobs: what starts, moves and ends them, and what stores their images.
--
-- A run goes from queued to running when the workflow service accepts it, and ends as succeeded, failed or canceled.
-- The job's row must be locked while its runs change: the public functions lock it, and the private ones rely on that.
-- All status changes go through `private.next_image_run` and `private.move_image`, which keep the job and its latest
-- run in step. Reports about earlier runs change nothing.

-- Changes the status of a job and its run together. Returns false if `p_run` is not the current run or the status was
-- not in `p_from`. The end of a run clears the progress and the note. The job row must be locked.
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
         error_code = p_error_code, error = left(p_error, 10000), deadline_at = coalesce(p_deadline, deadline_at),
         progress = case when v_finished is null then progress end,
         progress_at = case when v_finished is null then progress_at end,
         note = case when v_finished is null then note end
   where id = p_id and run = p_run and status = any (p_from);
  if not found then return false; end if;
  update public.image_runs
     set status = p_to, error_code = p_error_code, error = left(p_error, 10000), finished_at = v_finished,
         started_at = case when p_to = 'running' then v_now else started_at end
   where job_id = p_id and run = p_run;
  return true;
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

-- Creates a job and queues its first run. The job starts from an uploaded image of the project, or from a generated one
-- that is not deleted, given by its path. The id takes precedence over the path. If only one of them matches, the other
-- is ignored; image_not_found means that neither does. With `p_caller`, checks the role and the rate limit.
-- outcome: created (with the job's id) | image_not_found | idempotency_mismatch | an outcome of `private.refuse_start`
create function public.create_image_job(p_user uuid, p_project uuid, p_prompt text, p_input_image_id uuid default null,
  p_input_image_path text default null, p_page_id text default null, p_material_ids text[] default '{}',
  p_material_payload jsonb default '[]', p_options jsonb default '{}', p_idempotency_key text default null,
  p_request_sha256 text default null, p_caller jsonb default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_start(p_user, p_caller, p_project);
  v_image uuid;
  v_path text;
  v_job uuid := gen_random_uuid();
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.idempotency_begin(p_user, 'image_jobs', p_idempotency_key, p_request_sha256);
  if v_answer is not null then return v_answer; end if;
  select id into v_image from public.document_images
   where project_id = p_project and (id = p_input_image_id or storage_path = p_input_image_path)
   order by id = p_input_image_id desc nulls last limit 1;
  if exists (select 1 from public.document_images where project_id = p_project and storage_path = p_input_image_path)
     or exists (select 1 from public.image_variants v join public.image_jobs j on j.id = v.job_id
                 where v.path = p_input_image_path and j.project_id = p_project and v.deleted_at is null) then
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

-- Adds a prompt to a job whose last run has ended, and queues its run. The prompt refines the given variant, by default
-- the last one of the latest run that has any, or none if the job has no images. Deleted variants do not count.
-- A mask must be a PNG that belongs to the project and has the size of that variant; without a variant, the outcome is
-- variant_not_found. Null materials or options stand for those of the job. With `p_caller`, checks the role and the
-- rate limit. outcome: created (with the message's id and the run) | not_found | variant_not_found | mask_not_found |
-- mask_unfit (with the required size) | conflict (with the current status) | idempotency_mismatch | an outcome of
-- `private.refuse_start`
create function public.send_image_message(p_user uuid, p_job uuid, p_prompt text, p_variant_id text default null,
  p_material_ids text[] default null, p_material_payload jsonb default null, p_options jsonb default null,
  p_mask_image_id uuid default null, p_idempotency_key text default null, p_request_sha256 text default null,
  p_caller jsonb default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_start(p_user, p_caller, (select project_id from public.image_jobs where id = p_job));
  v_job public.image_jobs;
  v_variant record;
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.idempotency_begin(p_user, 'image_messages', p_idempotency_key, p_request_sha256);
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

-- Starts another run of the latest prompt, after its last run failed or was canceled. With `p_caller`, checks the role
-- and the rate limit. outcome: retried (with the run) | not_found | conflict (with the current status) | an outcome of
-- `private.refuse_start`
create function public.retry_image_job(p_job uuid, p_user uuid default null, p_caller jsonb default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_start(p_user, p_caller, (select project_id from public.image_jobs where id = p_job));
  v_job public.image_jobs;
begin
  if v_answer is not null then return v_answer; end if;
  select * into v_job from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_job.status not in ('failed', 'canceled') then
    return jsonb_build_object('outcome', 'conflict', 'status', v_job.status);
  end if;
  perform private.next_image_run(p_job, v_job.run + 1,
    (select message_id from public.image_runs where job_id = p_job and run = v_job.run));
  return jsonb_build_object('outcome', 'retried', 'run', v_job.run + 1);
end $$;

-- Cancels the current run. Later reports and callbacks do not change its result.
-- outcome: canceled | already | not_found | conflict (with the final status)
create function public.cancel_image_job(p_job uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_job public.image_jobs;
begin
  select * into v_job from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if private.move_image(p_job, v_job.run, array['queued', 'running'], 'canceled') then
    update private.work_items set state = 'canceled', finished_at = clock_timestamp(), lease_token = null
     where kind = 'image_dispatch' and subject_id = p_job and state = 'pending';
    return jsonb_build_object('outcome', 'canceled');
  end if;
  if v_job.status = 'canceled' then return jsonb_build_object('outcome', 'already'); end if;
  return jsonb_build_object('outcome', 'conflict', 'status', v_job.status);
end $$;

-- Returns the number of the current or next attempt of a run that is being retried, and the maximum number of attempts,
-- as { attempt, maxAttempts }. Returns null if no attempt has failed yet, the run is not waiting to be accepted, or the
-- caller may not see the job. Users may execute it, because the view `image_job_rows` calls it with their rights. It
-- checks the caller itself, because it reads `work_items` with the owner's rights.
create function private.image_retrying(p_job uuid, p_run int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('maxAttempts', w.max_attempts,
             -- Without a lease, `attempts` does not count the next attempt yet.
             'attempt', least(w.max_attempts, w.attempts + case when w.lease_token is null then 1 else 0 end))
      from private.work_items w
     where w.kind = 'image_dispatch' and w.subject_id = p_job and w.run = p_run and w.state = 'pending'
       and w.last_error is not null
       and (private.is_admin() or exists (
             select 1 from public.image_jobs j where j.id = p_job and j.project_id in (select private.my_projects()))));
end $$;
grant execute on function private.image_retrying to anon, authenticated;

-- Broadcasts that an attempt to start a run has failed and will be repeated, so that users see the run is being
-- retried. `work_failed`, which causes this trigger on `trigger_events`, has already locked the job.
create function private.tell_retry() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.image_jobs set status_seq = status_seq + 1
   where id = new.subject_id and run = new.run and status = 'queued';
  return null;
end $$;

-- Stores a run's checked outputs: [{ variant_id, path, thumb_path, meta, width, height }]. Each variant is stored once,
-- as it was first reported. A run has at most 32 variants (`MAX_OUTPUTS`). Variants are ordered by the length of their
-- path, then by path, so the order in which reports arrive makes no difference. The variants in a final report come
-- first, in the order of that report. The job must be locked.
create function private.store_variants(p_job uuid, p_run int, p_outputs jsonb, p_is_final boolean) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_ids text[];
  v_stored int := (select count(*) from public.image_variants where job_id = p_job and run = p_run);
begin
  -- A workflow can report the same variant id again in another run, but variant ids must be unique within the job.
  select array_agg(
           case when exists (select 1 from public.image_variants x
                              where x.job_id = p_job and x.run <> p_run and x.variant_id = o.value ->> 'variant_id')
                then 'r' || p_run || '-' || (o.value ->> 'variant_id') else o.value ->> 'variant_id' end
           order by o.ordinality)
    into v_ids from jsonb_array_elements(p_outputs) with ordinality o;
  insert into public.image_variants (job_id, run, variant_id, position, path, thumb_path, meta, width, height)
  select p_job, p_run, v_ids[o.ordinality], o.ordinality, o.value ->> 'path', o.value ->> 'thumb_path',
         nullif(o.value -> 'meta', 'null'), (o.value ->> 'width')::int, (o.value ->> 'height')::int
    from jsonb_array_elements(p_outputs) with ordinality o
   where not exists (select 1 from public.image_variants x
                      where x.job_id = p_job and x.run = p_run and x.variant_id = v_ids[o.ordinality])
   order by o.ordinality limit greatest(0, 32 - v_stored)
  on conflict (job_id, run, variant_id) do nothing;
  update public.image_variants v set position = placed.position
    from (select variant_id, row_number() over (
                   order by case when p_is_final then array_position(v_ids, variant_id) end nulls last,
                            char_length(path), path collate "C", variant_id collate "C") as position
            from public.image_variants where job_id = p_job and run = p_run) placed
   where v.job_id = p_job and v.run = p_run and v.variant_id = placed.variant_id and v.position <> placed.position;
end $$;

-- Returns the variants that a run already has, in the format of `store_variants`.
create function private.stored_variants(p_job uuid, p_run int) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('variant_id', v.variant_id, 'path', v.path, 'thumb_path', v.thumb_path,
           'meta', v.meta, 'width', v.width, 'height', v.height) order by v.position), '[]')
    from public.image_variants v where v.job_id = p_job and v.run = p_run
$$;

-- Applies a progress report on a job. While the job is running, extends the deadline to `p_deadline_s` seconds from
-- now, but not beyond `p_limit_s` seconds after the start. Progress never goes back: a report with less progress than
-- an earlier one changes neither the progress nor the note. A report that names its run proves that the trigger has
-- arrived, so it also marks a queued run as running. outcome: applied | too_often | late | canceled | stale_run |
-- unknown_run (all with the status, the run, the project, and the run's stored variants, so that the caller checks only
-- new outputs) | not_found
create function public.report_image_progress(p_id uuid, p_deadline_s int, p_limit_s int, p_run int default null,
  p_progress double precision default null, p_note text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_run int;
  v_outcome text;
  v_now timestamptz := clock_timestamp();
  v_note text := nullif(btrim(left(private.plain_words(p_note), 200)), '');
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_job.run);
  v_outcome := private.progress_outcome('image', p_id, v_run, v_job.run, v_job.status);
  if v_outcome = 'applied' then
    if v_job.status = 'queued' and p_run is not null then
      perform private.move_image(p_id, v_run, array['queued'], 'running');
      update private.work_items set state = 'done', finished_at = v_now, lease_token = null
       where kind = 'image_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
    end if;
    update public.image_jobs
       set deadline_at = greatest(deadline_at,
             least(v_now + make_interval(secs => p_deadline_s), started_at + make_interval(secs => p_limit_s)))
     where id = p_id and status = 'running';
    update public.image_jobs
       set status_seq = status_seq + 1, updated_at = v_now, note = coalesce(v_note, note),
           progress_at = case when p_progress is distinct from progress and p_progress is not null then v_now
                            else progress_at end,
           progress = coalesce(p_progress, progress)
     where id = p_id and not coalesce(p_progress < progress, false)
       and (coalesce(p_progress, progress), coalesce(v_note, note)) is distinct from (progress, note);
  end if;
  if v_outcome <> 'too_often' then
    perform private.note_progress('image', p_id, v_run, v_outcome, p_progress, v_note);
  end if;
  return jsonb_build_object('outcome', v_outcome, 'run', v_run, 'project_id', v_job.project_id,
    'status', (select status from public.image_jobs where id = p_id),
    'stored', private.stored_variants(p_id, v_run),
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;

-- Stores checked outputs of a run that is in progress, in the format of `store_variants`.
-- outcome: applied | late | stale_run | canceled (all with the job's status) | not_found
create function public.add_image_outputs(p_id uuid, p_run int, p_outputs jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_before int;
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  -- The run can end while its outputs are being checked.
  if v_job.run <> p_run or v_job.status not in ('queued', 'running') then
    return jsonb_build_object('status', v_job.status, 'outcome', case
      when v_job.run <> p_run then 'stale_run' when v_job.status = 'canceled' then 'canceled' else 'late' end);
  end if;
  v_before := (select count(*) from public.image_variants where job_id = p_id and run = p_run);
  perform private.store_variants(p_id, p_run, p_outputs, false);
  if v_before < (select count(*) from public.image_variants where job_id = p_id and run = p_run) then
    update public.image_jobs set status_seq = status_seq + 1, updated_at = clock_timestamp() where id = p_id;
  end if;
  return jsonb_build_object('outcome', 'applied', 'status', v_job.status);
end $$;

-- Applies a callback with the result of a run: `p_status` is succeeded or failed. If a success would be applied but
-- `p_outputs` is null, changes nothing and returns checkable, with the run, the project and the run's stored variants.
-- The caller then checks the outputs that are not stored yet, and calls again with those that passed, in the format of
-- `store_variants`. A success need not repeat outputs that were reported earlier. If no outputs were reported, the run
-- succeeds even without images. If outputs were reported but the run would have no images, the caller passes `p_error`:
-- a run in progress then fails with the code `invalid_output`, and a failed run stays as it is (late). A success
-- replaces a failure that the workflow service did not report (timeout, unreachable) within 24 hours. `p_notes` is
-- stored on a run that succeeds. `kept` is the number of variants that the run keeps if this callback made it fail,
-- otherwise 0.
-- outcome: checkable | applied | duplicate | late | conflict | canceled | stale_run | unknown_run (all but checkable
-- with the run, the status and `kept`) | not_found
create function public.apply_image_callback(p_id uuid, p_status text, p_run int default null,
  p_outputs jsonb default null, p_error text default null, p_notes text[] default '{}') returns jsonb
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
    return jsonb_build_object('outcome', 'checkable', 'run', v_run, 'project_id', v_job.project_id,
      'stored', private.stored_variants(p_id, v_run));
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
      perform private.store_variants(p_id, v_run, p_outputs, true);
    end if;
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'image_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason)
  values ('image', p_id, v_run, p_status, v_outcome,
    private.plain_reason(coalesce(p_error, nullif(array_to_string(p_notes, ' '), ''))));
  return jsonb_build_object('outcome', v_outcome, 'run', v_run,
    'status', case when v_outcome = 'applied' then v_to else v_job.status end,
    'kept', case when v_outcome = 'applied' and v_to = 'failed' then
      (select count(*) from public.image_variants where job_id = p_id and run = v_run) else 0 end,
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;

