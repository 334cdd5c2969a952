-- The runs of image jobs. A run is queued until the workflow service accepts it, then running, and ends as succeeded,
-- failed or canceled. Only `next_image_run` and `move_image` change its status, together with the job's. A function that
-- queues a run locks the project before the job, so that the project cannot be archived or deleted meanwhile.

-- Changes the status of a job and its run. The end of a run clears its progress and note. Returns false if `p_run` is
-- not the current run or the status is not in `p_from`. The job must be locked.
create function private.move_image(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_finished_at timestamptz := case when p_to in ('succeeded', 'failed', 'canceled') then v_now end;
begin
  update public.image_jobs
     set status = p_to, status_seq = status_seq + 1, updated_at = v_now, finished_at = v_finished_at,
         started_at = case when p_to = 'running' then v_now else started_at end,
         error_code = p_error_code, error = left(p_error, 10000), deadline_at = coalesce(p_deadline, deadline_at),
         progress = case when v_finished_at is null then progress end,
         progress_at = case when v_finished_at is null then progress_at end,
         note = case when v_finished_at is null then note end
   where id = p_id and run = p_run and status = any (p_from);
  if not found then return false; end if;
  update public.image_runs
     set status = p_to, error_code = p_error_code, error = left(p_error, 10000), finished_at = v_finished_at,
         started_at = case when p_to = 'running' then v_now else started_at end
   where job_id = p_id and run = p_run;
  return true;
end $$;

-- Queues the next run of a job whose last run has ended. The job must be locked.
create function private.next_image_run(p_job uuid, p_run int, p_message uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.image_runs (job_id, run, message_id) values (p_job, p_run, p_message);
  update public.image_jobs
     set run = p_run, status = 'queued', status_seq = status_seq + 1, updated_at = clock_timestamp(), started_at = null,
         finished_at = null, error_code = null, error = null, deadline_at = null
   where id = p_job;
end $$;

-- Creates a job and queues its first run. The id of the input image takes precedence over its path, which can be that
-- of a generated image.
-- outcome: created (with the job's id) | image_not_found (the project has neither) | idempotency_mismatch
create function public.create_image_job(p_user uuid, p_project uuid, p_prompt text, p_input_image_id uuid default null,
  p_input_image_path text default null, p_page_id text default null, p_material_ids text[] default '{}',
  p_material_payload jsonb default '[]', p_options jsonb default '{}', p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'image_jobs', p_idempotency_key, p_request_sha256);
  v_image_id uuid;
  v_image_path text;
  v_job_id uuid := gen_random_uuid();
  v_message_id uuid := gen_random_uuid();
begin
  if v_result is not null then return v_result; end if;
  perform 1 from public.projects where id = p_project for share;
  select id into v_image_id from public.document_images
   where project_id = p_project and (id = p_input_image_id or storage_path = p_input_image_path)
   order by id = p_input_image_id desc nulls last limit 1;
  if exists (select 1 from public.document_images where project_id = p_project and storage_path = p_input_image_path)
     or exists (select 1 from public.image_variants
                 where project_id = p_project and path = p_input_image_path and deleted_at is null) then
    v_image_path := p_input_image_path;
  end if;
  if v_image_id is null and v_image_path is null and (p_input_image_id is not null or p_input_image_path is not null) then
    v_result := jsonb_build_object('outcome', 'image_not_found');
  else
    insert into public.image_jobs (id, project_id, prompt, input_image_id, input_image_path, page_id, material_ids,
      material_payload, options, created_by)
    values (v_job_id, p_project, p_prompt, v_image_id, v_image_path, p_page_id, p_material_ids, p_material_payload,
      p_options, p_user);
    insert into public.image_messages (id, job_id, ordinal, prompt, created_by)
    values (v_message_id, v_job_id, 1, p_prompt, p_user);
    insert into public.image_runs (job_id, run, message_id) values (v_job_id, 1, v_message_id);
    v_result := jsonb_build_object('outcome', 'created', 'job_id', v_job_id);
  end if;
  return private.idempotency_end(p_user, 'image_jobs', p_idempotency_key, v_result);
end $$;

-- Adds a prompt to a job whose last run has ended, and queues its run. It refines the given variant, by default the
-- latest. Null materials or options stand for the job's.
-- outcome: created (with the message's id and the run) | not_found | variant_not_found (also for a mask without a
-- variant) | conflict (with the status) | idempotency_mismatch | an outcome of `private.mask_problem`
create function public.send_image_message(p_user uuid, p_job uuid, p_prompt text, p_variant_id text default null,
  p_material_ids text[] default null, p_material_payload jsonb default null, p_options jsonb default null,
  p_mask_image_id uuid default null, p_idempotency_key text default null, p_request_sha256 text default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'image_messages', p_idempotency_key, p_request_sha256);
  v_job public.image_jobs;
  v_variant record;
  v_message_id uuid := gen_random_uuid();
begin
  if v_result is not null then return v_result; end if;
  perform 1 from public.projects where id = (select project_id from public.image_jobs where id = p_job) for share;
  select * into v_job from public.image_jobs where id = p_job for update;
  select variant_id, run, width, height into v_variant from public.image_variants
   where job_id = p_job and deleted_at is null and (p_variant_id is null or variant_id = p_variant_id)
   order by run desc, position desc limit 1;
  v_result := case
    when v_job.id is null then jsonb_build_object('outcome', 'not_found')
    when v_job.status in ('queued', 'running') then jsonb_build_object('outcome', 'conflict', 'status', v_job.status)
    when coalesce(p_variant_id, p_mask_image_id::text) is not null and v_variant.variant_id is null
      then jsonb_build_object('outcome', 'variant_not_found')
    else private.mask_problem(p_mask_image_id, v_job.project_id, v_variant.width, v_variant.height)
    end;
  if v_result is null then
    insert into public.image_messages (id, job_id, ordinal, prompt, variant_id, variant_run, material_ids,
      material_payload, options, mask_image_id, created_by)
    values (v_message_id, p_job, (select coalesce(max(ordinal), 0) + 1 from public.image_messages where job_id = p_job),
      p_prompt, v_variant.variant_id, v_variant.run, p_material_ids, p_material_payload, p_options, p_mask_image_id,
      p_user);
    update public.document_images set is_mask = true where id = p_mask_image_id and not is_mask;
    perform private.next_image_run(p_job, v_job.run + 1, v_message_id);
    v_result := jsonb_build_object('outcome', 'created', 'message_id', v_message_id, 'run', v_job.run + 1);
  end if;
  return private.idempotency_end(p_user, 'image_messages', p_idempotency_key, v_result);
end $$;

-- Queues another run of the latest prompt.
-- outcome: retried (with the run) | not_found | conflict (with the status, unless failed or canceled)
create function public.retry_image_job(p_job uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_job public.image_jobs;
begin
  perform 1 from public.projects where id = (select project_id from public.image_jobs where id = p_job) for share;
  select * into v_job from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_job.status not in ('failed', 'canceled') then
    return jsonb_build_object('outcome', 'conflict', 'status', v_job.status);
  end if;
  perform private.next_image_run(p_job, v_job.run + 1,
    (select message_id from public.image_runs where job_id = p_job and run = v_job.run));
  return jsonb_build_object('outcome', 'retried', 'run', v_job.run + 1);
end $$;

-- Cancels the current run.
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

-- Returns a run's `trigger_retry` without the reason, or null if the caller may not see the job. Users call it through
-- `image_job_rows`.
create function private.image_retrying(p_job uuid, p_run int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_admin() or exists (
    select 1 from public.image_jobs j where j.id = p_job and j.project_id in (select private.my_projects())) then
    return private.trigger_retry('image_dispatch', p_job, p_run) - 'reason';
  end if;
  return null;
end $$;
grant execute on function private.image_retrying to anon, authenticated;

-- Returns the run that a report is about. A file is evidence: it belongs to the run of which it is a variant, else to
-- the run in whose folder it is. A report is about the run that it names, or else the current one, unless all of its
-- files belong to earlier runs.
create function private.reported_image_run(p_job uuid, p_current_run int, p_run int, p_paths text[]) returns int
language sql stable set search_path = '' as $$
  select case when bool_and(coalesce(e.run < coalesce(p_run, p_current_run), false)) then max(e.run)
              else coalesce(p_run, p_current_run) end
    from (select coalesce(
                   (select v.run from public.image_variants v where v.job_id = p_job and v.path = p.path limit 1),
                   substring(p.path from '^images/projects/[^/]+/jobs/' || p_job || '/(\d{1,6})/')::int) as run
            from unnest(p_paths) p(path)) e
$$;

-- Returns how many more images a run may have: its prompt asks for a number, or else the service decides.
create function private.images_missing(p_job uuid, p_run int) returns int
language sql stable set search_path = '' as $$
  select coalesce((coalesce(m.options, j.options) ->> 'count')::int, 32)
         - (select count(*) from public.image_variants v where v.job_id = p_job and v.run = p_run)::int
    from public.image_runs r
    join public.image_jobs j on j.id = r.job_id
    join public.image_messages m on m.id = r.message_id
   where r.job_id = p_job and r.run = p_run
$$;

-- Stores a run's checked outputs: [{ variant_id, path, thumb_path, meta, width, height }]. Returns how many are new. An
-- output without an id gets the next free one of the job, and one whose id an earlier run has, a prefix. A run has at
-- most 32 (`MAX_OUTPUTS`), which stay as first reported. Their order does not depend on that of the reports:
-- first those in a final report, then by length of the path and path. The job must be locked.
create function private.store_variants(p_job uuid, p_run int, p_outputs jsonb, p_is_final boolean) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_output jsonb;
  v_variant_id text;
  v_variant_ids text[] := '{}';
  v_stored_count int := (select count(*) from public.image_variants where job_id = p_job and run = p_run);
  v_new_count int;
  -- Of the earlier runs of the prompt, including removed images.
  v_last_number int := coalesce((
    select greatest(max(e.removed_number), max(v.number))
      from public.image_runs r
      join public.image_runs e on e.message_id = r.message_id and e.run < r.run
      left join public.image_variants v on v.job_id = e.job_id and v.run = e.run
     where r.job_id = p_job and r.run = p_run), 0);
begin
  for v_output in select value from jsonb_array_elements(p_outputs) loop
    v_variant_id := v_output ->> 'variant_id';
    if v_variant_id is null then
      select variant_id into v_variant_id from public.image_variants
       where job_id = p_job and run = p_run and path = v_output ->> 'path';
      if v_variant_id is null then
        select 'v' || n into v_variant_id from generate_series(1, 10000) n
         where 'v' || n <> all (v_variant_ids)
           and not exists (select 1 from jsonb_array_elements(p_outputs) o where o.value ->> 'variant_id' = 'v' || n)
           and not exists (select 1 from public.image_variants where job_id = p_job and variant_id = 'v' || n)
         limit 1;
      end if;
    elsif exists (select 1 from public.image_variants
                   where job_id = p_job and run <> p_run and variant_id = v_variant_id) then
      v_variant_id := 'r' || p_run || '-' || v_variant_id;
    end if;
    v_variant_ids := v_variant_ids || v_variant_id;
  end loop;
  insert into public.image_variants (job_id, project_id, run, variant_id, position, number, path, thumb_path, meta,
    width, height)
  select p_job, (select project_id from public.image_jobs where id = p_job), p_run, v_variant_ids[o.ordinality],
         o.ordinality, v_last_number + o.ordinality, o.value ->> 'path', o.value ->> 'thumb_path',
         nullif(o.value -> 'meta', 'null'), (o.value ->> 'width')::int, (o.value ->> 'height')::int
    from jsonb_array_elements(p_outputs) with ordinality o
   where not exists (select 1 from public.image_variants x
                      where x.job_id = p_job and x.run = p_run and x.variant_id = v_variant_ids[o.ordinality])
   order by o.ordinality limit greatest(0, 32 - v_stored_count)
  on conflict (job_id, run, variant_id) do nothing;
  get diagnostics v_new_count = row_count;
  update public.image_variants v set position = sorted.position, number = v_last_number + sorted.position
    from (select variant_id, row_number() over (
                   order by case when p_is_final then array_position(v_variant_ids, variant_id) end nulls last,
                            char_length(path), path collate "C", variant_id collate "C") as position
            from public.image_variants where job_id = p_job and run = p_run) sorted
   where v.job_id = p_job and v.run = p_run and v.variant_id = sorted.variant_id and v.position <> sorted.position;
  return v_new_count;
end $$;

-- Returns a run's variants in the format of `store_variants`.
create function private.variants_of_run(p_job uuid, p_run int) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('variant_id', v.variant_id, 'path', v.path, 'thumb_path', v.thumb_path,
           'meta', v.meta, 'width', v.width, 'height', v.height) order by v.position), '[]')
    from public.image_variants v where v.job_id = p_job and v.run = p_run
$$;

-- Applies a progress report on a job as `report_spec_progress` does on a spec.
-- outcome: applied | too_often | duplicate (another execution has taken the run) | late | canceled | stale_run |
-- unknown_run (all with the status, the run, the project, the run's variants and the id of the request that started the
-- run) | not_found
create function public.report_image_progress(p_id uuid, p_deadline_s int, p_limit_s int, p_run int default null,
  p_progress double precision default null, p_note text default null, p_execution text default null,
  p_paths text[] default '{}') returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_run int;
  v_outcome text;
  v_now timestamptz := clock_timestamp();
  v_note text := nullif(btrim(left(private.strip_url_queries(p_note), 200)), '');
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := private.reported_image_run(p_id, v_job.run, p_run, p_paths);
  v_outcome := private.progress_outcome('image', p_id, v_run, v_job.run, v_job.status, p_execution);
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
    perform private.note_progress('image', p_id, v_run, v_outcome, p_progress, v_note, p_execution);
  end if;
  return jsonb_build_object('outcome', v_outcome, 'run', v_run, 'project_id', v_job.project_id,
    'status', (select status from public.image_jobs where id = p_id),
    'stored', private.variants_of_run(p_id, v_run),
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;

-- Stores checked outputs of a run in progress, in the format of `store_variants`.
-- outcome: applied | late | stale_run | canceled (all with the job's status and the run's variants) | not_found
create function public.add_image_outputs(p_id uuid, p_run int, p_outputs jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_outcome text;
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  -- The run can end while its outputs are being checked.
  v_outcome := case
    when v_job.run <> p_run then 'stale_run'
    when v_job.status = 'canceled' then 'canceled'
    when v_job.status in ('succeeded', 'failed') then 'late'
    else 'applied' end;
  if v_outcome = 'applied' then
    if private.store_variants(p_id, p_run, p_outputs, false) > 0 then
      update public.image_jobs set status_seq = status_seq + 1, updated_at = clock_timestamp() where id = p_id;
    end if;
  end if;
  return jsonb_build_object('outcome', v_outcome, 'status', v_job.status, 'stored', private.variants_of_run(p_id, p_run));
end $$;

-- Applies the result of a run, succeeded or failed. `p_paths` are the files that it reports. A success takes two calls:
-- the first, without `p_outputs`, returns checkable. The caller then checks the outputs that are not stored, and passes
-- the usable ones, in the format of `store_variants`, or `p_error` if none is.
--
-- The first result of a run wins, with two exceptions. Within five minutes, other successes add their images, up to the
-- number that the prompt asks for, because a workflow can call back once per image. Within 24 hours, a success replaces
-- a failure that the service did not report (timeout, unreachable, or if it has files, invalid_output) or reported for
-- no certain run.
-- outcome: checkable (with the run, the project and the run's variants) | applied | held (see `is_doubtful`) |
-- duplicate | late | conflict | canceled | stale_run | unknown_run (these with the run, the status, the run's variants,
-- the id of the request that started the run, and `kept`, the number of variants of a run that this call made fail) |
-- not_found
create function public.apply_image_callback(p_id uuid, p_status text, p_run int default null,
  p_outputs jsonb default null, p_error text default null, p_notes text[] default '{}', p_paths text[] default '{}')
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_run int;
  v_outcome text;
  v_error_code text := case when p_status = 'failed' then 'workflow_failed' when p_error is not null then 'invalid_output' end;
  v_new_status text := case when v_error_code is null then 'succeeded' else 'failed' end;
  v_has_more boolean; -- Whether this is another success of a run, with other files.
  v_more jsonb;
  v_notes text[] := p_notes;
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := private.reported_image_run(p_id, v_job.run, p_run, p_paths);
  v_has_more := p_status = 'succeeded' and v_job.status = 'succeeded' and v_run = v_job.run
    and v_job.finished_at > now() - interval '5 minutes'
    and exists (select 1 from unnest(p_paths) path
                 where path not in (select v.path from public.image_variants v where v.job_id = p_id and v.run = v_run));
  v_outcome := case
    when v_run < v_job.run then 'stale_run'
    when v_run > v_job.run then 'unknown_run'
    when v_job.status in ('queued', 'running') and p_paths = '{}'
      and private.is_doubtful(p_run, v_run, v_job.started_at) then 'held'
    when v_job.status in ('queued', 'running') or v_has_more then 'applied'
    when v_job.status = 'canceled' then 'canceled'
    when p_status = 'succeeded' and v_job.finished_at > now() - interval '24 hours'
      and (v_job.error_code in ('timeout', 'unreachable') or v_job.error_code = 'invalid_output' and p_paths <> '{}'
        or (p_run is not null or p_paths <> '{}') and v_job.status = 'failed'
          and private.failed_without_run('image', p_id, v_run)) then 'applied'
    when v_job.error_code in ('timeout', 'unreachable') then 'late'
    when v_job.status = p_status then 'duplicate'
    else 'conflict' end;
  if v_outcome = 'applied' and p_status = 'succeeded' and p_outputs is null then
    return jsonb_build_object('outcome', 'checkable', 'run', v_run, 'project_id', v_job.project_id,
      'stored', private.variants_of_run(p_id, v_run));
  end if;
  if v_outcome = 'applied' and v_has_more then
    select jsonb_agg(n.value order by n.ordinality) into v_more
      from (select o.value, o.ordinality from jsonb_array_elements(p_outputs) with ordinality o
             where not exists (
                     select 1 from public.image_variants v where v.job_id = p_id and v.run = v_run
                        and (v.path = o.value ->> 'path' or v.variant_id in
                              (o.value ->> 'variant_id', 'r' || v_run || '-' || (o.value ->> 'variant_id'))))
             order by o.ordinality limit greatest(private.images_missing(p_id, v_run), 0)) n;
    if v_more is null then v_outcome := 'duplicate';
    else perform private.store_variants(p_id, v_run, v_more, false); end if;
    if exists (select 1 from jsonb_array_elements(p_outputs) o where o.value ->> 'path' not in
                (select v.path from public.image_variants v where v.job_id = p_id and v.run = v_run)) then
      v_notes := v_notes || case when private.images_missing(p_id, v_run) > 0
        then 'An image was left out because another image has the same variant_id.'
        else 'The image service sent more images than the prompt asks for. They were left out.' end;
    end if;
    if v_new_status = 'failed' then v_notes := v_notes || p_error; end if;
  elsif v_outcome = 'applied' and v_job.status = 'failed' and v_new_status = 'failed' then
    -- A success without usable outputs replaces no failure.
    v_outcome := 'late';
  end if;
  if v_outcome = 'applied' and not v_has_more then
    perform private.move_image(p_id, v_run, array['queued', 'running', 'failed'], v_new_status, v_error_code,
      case when v_new_status = 'failed' then coalesce(nullif(btrim(private.strip_url_queries(p_error)), ''),
        'The workflow service reported a failure without a reason.') end);
    if v_new_status = 'succeeded' then perform private.store_variants(p_id, v_run, p_outputs, true); end if;
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'image_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  elsif v_outcome = 'held' then
    update public.image_jobs set deadline_at = least(deadline_at, clock_timestamp() + interval '2 minutes') where id = p_id;
  end if;
  if v_has_more or v_outcome = 'applied' and v_new_status = 'succeeded' then
    update public.image_runs r
       set notes = r.notes || array(select n.note from unnest(v_notes) with ordinality n(note, position)
                                     where n.note <> all (r.notes) order by n.position)
     where job_id = p_id and run = v_run and not v_notes <@ r.notes;
    if v_has_more and (found or v_outcome = 'applied') then
      update public.image_jobs set status_seq = status_seq + 1, updated_at = clock_timestamp() where id = p_id;
    end if;
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason, names_run)
  values ('image', p_id, v_run, p_status, v_outcome,
    private.plain_reason(coalesce(p_error, nullif(array_to_string(v_notes, ' '), ''))), p_run is not null);
  return jsonb_build_object('outcome', v_outcome, 'run', v_run,
    'status', case when v_outcome = 'applied' then v_new_status else v_job.status end,
    'stored', private.variants_of_run(p_id, v_run),
    'kept', case when v_outcome = 'applied' and v_new_status = 'failed' then
      (select count(*) from public.image_variants where job_id = p_id and run = v_run) else 0 end,
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;

