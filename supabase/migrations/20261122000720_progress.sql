-- Lets the workflow service report progress and a note while a run is in progress. For an image run, the service can
-- also report the outputs that are ready so far.

alter table public.spec_uploads
  -- When the current run became `processing`. Progress reports can extend the deadline only up to a fixed time after
  -- `started_at`.
  add column started_at timestamptz,
  -- From 0 to 1; null before the first report and after the run has ended.
  add column progress double precision check (progress between 0 and 1),
  add column progress_at timestamptz,
  add column note text check (char_length(note) <= 200);
alter table public.image_jobs
  add column progress double precision check (progress between 0 and 1),
  add column progress_at timestamptz,
  add column note text check (char_length(note) <= 200);

-- Gives runs that are already in progress a start time.
update public.spec_uploads set started_at = updated_at where processing_status = 'processing';

create or replace view public.specs with (security_invoker = true) as
  select s.id, s.document_id, s.processing_status, s.status_seq, s.run, s.property_name, s.sections_count, s.error_code,
         s.error, s.deadline_at, s.created_by, s.created_at, s.updated_at, b.name as brand_name, a.name as area,
         d.file_name, d.size_bytes, d.sha256, d.storage_path,
         lower(d.file_name || ' ' || coalesce(s.property_name, '') || ' ' || b.name || ' ' || a.name) as search_text,
         d.is_protected, s.started_at, s.progress, s.progress_at, s.note
    from public.spec_uploads s
    join public.documents d on d.id = s.document_id
    join public.brands b on b.id = s.brand_id
    join public.area_types a on a.id = s.area_type_id;

-- Recreate the view: `j.*` stands for the columns that the table had when the view was created.
drop view public.image_job_rows;
create view public.image_job_rows with (security_invoker = true) as
  select j.*, (
    select to_jsonb(c) from (
      select v.variant_id, v.path, v.thumb_path, v.meta, v.width, v.height, v.run, v.created_at
        from public.image_variants v where v.job_id = j.id order by v.run desc, v.position limit 1) c) as cover
    from public.image_jobs j;
revoke all on public.image_job_rows from anon, authenticated;
grant select on public.image_job_rows to authenticated, service_role;

create or replace function private.move_spec(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_sections int default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid;
  v_now timestamptz := clock_timestamp();
  v_finished timestamptz := case when p_to in ('completed', 'failed') then v_now end;
begin
  update public.spec_uploads
     set processing_status = p_to, status_seq = status_seq + 1, updated_at = v_now, finished_at = v_finished,
         started_at = case when p_to = 'processing' then v_now else started_at end,
         error_code = p_error_code, error = left(p_error, 10000), sections_count = p_sections,
         deadline_at = coalesce(p_deadline, deadline_at),
         progress = case when v_finished is null then progress end,
         progress_at = case when v_finished is null then progress_at end,
         note = case when v_finished is null then note end
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

create or replace function public.retry_spec(p_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_spec public.spec_uploads;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_spec.processing_status <> 'failed' then
    return jsonb_build_object('outcome', 'conflict', 'status', v_spec.processing_status);
  end if;
  update public.spec_uploads
     set run = run + 1, processing_status = 'pending', status_seq = status_seq + 1, updated_at = clock_timestamp(),
         started_at = null, finished_at = null, error_code = null, error = null, sections_count = null, deadline_at = null
   where id = p_id;
  update public.documents set processing_status = 'pending' where id = v_spec.document_id;
  insert into public.upload_jobs (spec_upload_id, run) values (p_id, v_spec.run + 1);
  return jsonb_build_object('outcome', 'retried', 'run', v_spec.run + 1);
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

-- Records a progress report. Keeps only the latest one per run and outcome, because a workflow can send many.
create function private.note_progress(p_source text, p_subject uuid, p_run int, p_outcome text, p_progress double precision,
  p_note text) returns void
language plpgsql volatile set search_path = '' as $$
declare v_reason text := nullif(concat_ws(': ', round(p_progress * 100) || '%', p_note), '');
begin
  update private.callback_events set received_at = now(), reason = v_reason
   where source = p_source and subject_id = p_subject and run = p_run and status = 'running' and outcome = p_outcome;
  if not found then
    insert into private.callback_events (source, subject_id, run, status, outcome, reason)
    values (p_source, p_subject, p_run, 'running', p_outcome, v_reason);
  end if;
end $$;

-- Returns the outcome of a progress report. The outcome is `applied` unless the run has ended, is not the current one,
-- or has sent reports too often. The limit is one report per second, with bursts of up to 30.
create function private.progress_outcome(p_source text, p_id uuid, p_run int, p_current_run int, p_status text)
returns text
language sql volatile set search_path = '' as $$
  select case
    when p_run < p_current_run then 'stale_run'
    when p_run > p_current_run then 'unknown_run'
    when p_status = 'canceled' then 'canceled'
    when p_status in ('succeeded', 'completed', 'failed') then 'late'
    when public.rate_take(concat_ws(':', 'progress', p_source, p_id, p_run), 30, 1000) > 0 then 'too_often'
    else 'applied' end
$$;

-- Applies a progress report on a spec. While the spec is being processed, extends the deadline to `p_deadline_s`
-- seconds from now, but not beyond `p_limit_s` seconds after the start. Progress never goes back: a report with less
-- progress than an earlier one changes neither the progress nor the note. A report that names its run proves that the
-- trigger has arrived, so it also marks a pending spec as being processed. outcome: applied | too_often | late |
-- stale_run | unknown_run (all with the spec's status) | not_found
create function public.report_spec_progress(p_id uuid, p_deadline_s int, p_limit_s int, p_run int default null,
  p_progress double precision default null, p_note text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_spec public.spec_uploads;
  v_run int;
  v_outcome text;
  v_now timestamptz := clock_timestamp();
  v_note text := nullif(btrim(left(private.plain_words(p_note), 200)), '');
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_spec.run);
  v_outcome := private.progress_outcome('spec', p_id, v_run, v_spec.run, v_spec.processing_status);
  if v_outcome = 'applied' then
    if v_spec.processing_status = 'pending' and p_run is not null then
      perform private.move_spec(p_id, v_run, array['pending'], 'processing');
      update private.work_items set state = 'done', finished_at = v_now, lease_token = null
       where kind = 'spec_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
    end if;
    update public.spec_uploads
       set deadline_at = greatest(deadline_at,
             least(v_now + make_interval(secs => p_deadline_s), started_at + make_interval(secs => p_limit_s)))
     where id = p_id and processing_status = 'processing';
    -- Increment `status_seq`, which causes a broadcast, only for a visible change.
    update public.spec_uploads
       set status_seq = status_seq + 1, updated_at = v_now, note = coalesce(v_note, note),
           progress_at = case when p_progress is distinct from progress and p_progress is not null then v_now
                            else progress_at end,
           progress = coalesce(p_progress, progress)
     where id = p_id and not coalesce(p_progress < progress, false)
       and (coalesce(p_progress, progress), coalesce(v_note, note)) is distinct from (progress, note);
  end if;
  if v_outcome <> 'too_often' then
    perform private.note_progress('spec', p_id, v_run, v_outcome, p_progress, v_note);
  end if;
  return jsonb_build_object('outcome', v_outcome,
    'status', (select processing_status from public.spec_uploads where id = p_id),
    'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

-- Does the same as `report_spec_progress` for an image job. outcome: any outcome of `report_spec_progress`, or
-- canceled. Unless the outcome is not_found, the result contains the run, the job's project and the run's stored
-- variants, so that the caller checks only new outputs.
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

-- Stores checked outputs of a run that is in progress. outcome: applied | late | stale_run | canceled | not_found
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

-- Unlike in the earlier version, a success need not repeat outputs that were reported earlier. With the outcome
-- checkable, the result also contains the variants that are already stored. With every other outcome except not_found,
-- it also contains `kept`. If this callback made the run fail, `kept` is the number of variants that the run keeps.
-- Otherwise, `kept` is 0.
create or replace function public.apply_image_callback(p_id uuid, p_status text, p_run int default null,
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

create or replace function private.broadcast_spec() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_spec public.spec_uploads := coalesce(new, old);
begin
  perform realtime.send(
    jsonb_build_object('specUploadId', v_spec.id, 'status', case when tg_op = 'DELETE' then 'deleted' else v_spec.processing_status end,
                       'statusSeq', v_spec.status_seq, 'progress', v_spec.progress),
    'spec', 'specs', true);
  return null;
end $$;

create or replace function private.broadcast_image_job() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_payload jsonb := jsonb_build_object('jobId', new.id, 'status', new.status, 'statusSeq', new.status_seq, 'run', new.run,
  'progress', new.progress);
begin
  perform realtime.send(v_payload, 'job', 'image-job:' || new.id, true);
  perform realtime.send(v_payload, 'job', 'project:' || new.project_id, true);
  return null;
end $$;

revoke execute on function private.store_variants(uuid, int, jsonb, boolean), private.stored_variants(uuid, int),
  private.note_progress(text, uuid, int, text, double precision, text),
  private.progress_outcome(text, uuid, int, int, text) from public, anon;
grant execute on function private.store_variants(uuid, int, jsonb, boolean), private.stored_variants(uuid, int),
  private.note_progress(text, uuid, int, text, double precision, text),
  private.progress_outcome(text, uuid, int, int, text) to service_role;
revoke execute on function public.report_spec_progress(uuid, int, int, int, double precision, text),
  public.report_image_progress(uuid, int, int, int, double precision, text),
  public.add_image_outputs(uuid, int, jsonb) from public, anon, authenticated;
grant execute on function public.report_spec_progress(uuid, int, int, int, double precision, text),
  public.report_image_progress(uuid, int, int, int, double precision, text),
  public.add_image_outputs(uuid, int, jsonb) to service_role;
