-- The runs of specs: reports of the workflow service, and what administrators stop or start again.
--
-- Each function locks the spec first. A report is about the current run unless it names another one, in which case it
-- changes nothing.

-- Changes the status of a spec, its document and its upload job together. Returns false if `p_run` is not the current
-- run or the status is not in `p_from`. The caller must have locked the spec.
create function private.move_spec(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_sections_count int default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid;
  v_now timestamptz := clock_timestamp();
  v_finished timestamptz := case when p_to in ('completed', 'failed') then v_now end;
begin
  update public.spec_uploads
     set processing_status = p_to, status_seq = status_seq + 1, updated_at = v_now, finished_at = v_finished,
         started_at = case when p_to = 'processing' then v_now else started_at end,
         error_code = p_error_code, error = left(p_error, 10000), sections_count = p_sections_count,
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

-- Starts the next run of each spec among `p_ids` whose status is in `p_from`, and returns the ids of those specs. The
-- runs use the turns of `p_user` in the queue or, if it is null, the uploaders'. The caller must have locked the specs.
create function private.start_next_runs(p_ids uuid[], p_user uuid, p_from text[] default array['failed'])
returns uuid[]
language plpgsql volatile set search_path = '' as $$
declare
  v_ids uuid[];
  v_documents uuid[];
begin
  with started as (
    update public.spec_uploads
       set run = run + 1, processing_status = 'pending', status_seq = status_seq + 1, updated_at = clock_timestamp(),
           started_at = null, finished_at = null, error_code = null, error = null, sections_count = null, deadline_at = null
     where id = any (p_ids) and processing_status = any (p_from)
    returning id, document_id)
  select coalesce(array_agg(id), '{}'), array_agg(document_id) into v_ids, v_documents from started;
  update public.documents set processing_status = 'pending' where id = any (v_documents);
  insert into public.upload_jobs (spec_upload_id, run, brand_name, area, property_name)
    select id, run, brand_name, area, property_name from public.specs where id = any (v_ids);
  if p_user is not null then
    update private.work_items w set user_id = p_user from public.spec_uploads s
     where s.id = any (v_ids) and w.kind = 'spec_dispatch' and w.subject_id = s.id and w.run = s.run;
  end if;
  return v_ids;
end $$;

-- Ends a run as the workflow service reports, and records the callback. A completed run replaces the sections of the
-- spec with `p_sections` (see `report_sections`) unless it is null. A success within a day also replaces a failure that
-- the service did not report itself (`timeout` or `unreachable`); other reports on such a run are late. One that names
-- its run replaces a failure that was reported without a run, too. A held failure shortens the deadline.
-- outcome: applied | held (see `is_doubtful`) | duplicate | late | conflict | stale_run | unknown_run (all with the spec's
-- status and the id of the request that started the run) | not_found
create function public.apply_spec_callback(p_id uuid, p_status text, p_run int default null,
  p_sections_count int default null, p_error text default null, p_sections jsonb default null) returns jsonb
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
    when v_spec.processing_status in ('pending', 'processing') and p_status = 'failed'
      and private.is_doubtful(p_run, v_run, v_spec.started_at) then 'held'
    when v_spec.processing_status in ('pending', 'processing') then 'applied'
    when p_status = 'completed' and v_spec.finished_at > now() - interval '24 hours'
      and (v_spec.error_code in ('timeout', 'unreachable')
        or p_run is not null and v_spec.processing_status = 'failed' and private.failed_without_run('spec', p_id, v_run))
      then 'applied'
    when v_spec.error_code in ('timeout', 'unreachable') then 'late'
    when v_spec.processing_status = p_status then 'duplicate'
    else 'conflict' end;
  if v_outcome = 'applied' then
    case p_status
      when 'completed' then
        perform private.move_spec(p_id, v_run, array['pending', 'processing', 'failed'], 'completed',
          p_sections_count => coalesce(p_sections_count, jsonb_array_length(p_sections)));
        if p_sections is not null then perform private.report_sections(p_id, p_sections); end if;
      when 'failed' then
        perform private.move_spec(p_id, v_run, array['pending', 'processing'], 'failed', 'workflow_failed',
          coalesce(nullif(btrim(private.strip_url_queries(p_error)), ''),
            'The workflow service reported a failure without a reason.'));
    end case;
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'spec_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  elsif v_outcome = 'held' then
    update public.spec_uploads set deadline_at = least(deadline_at, clock_timestamp() + interval '2 minutes')
     where id = p_id;
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason, names_run)
  values ('spec', p_id, v_run, p_status, v_outcome, private.plain_reason(p_error), p_run is not null);
  return jsonb_build_object('outcome', v_outcome,
    'status', case when v_outcome = 'applied' then p_status else v_spec.processing_status end,
    'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

-- Applies a progress report. Extends the deadline to `p_deadline_s` seconds from now, but at most to `p_limit_s` seconds
-- after the start. A report with less progress than an earlier one changes neither the progress nor the note. One that
-- names its run proves that the trigger has arrived, so it also marks a pending spec as being processed.
-- outcome: applied | too_often | duplicate (another execution has taken the run) | late | stale_run | unknown_run (all
-- with the spec's status and the id of the request that started the run) | not_found
create function public.report_spec_progress(p_id uuid, p_deadline_s int, p_limit_s int, p_run int default null,
  p_progress double precision default null, p_note text default null, p_execution text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_spec public.spec_uploads;
  v_run int;
  v_outcome text;
  v_now timestamptz := clock_timestamp();
  v_note text := nullif(btrim(left(private.strip_url_queries(p_note), 200)), '');
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_spec.run);
  v_outcome := private.progress_outcome('spec', p_id, v_run, v_spec.run, v_spec.processing_status, p_execution);
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
    -- `status_seq` causes a broadcast, so change it only with something visible.
    update public.spec_uploads
       set status_seq = status_seq + 1, updated_at = v_now, note = coalesce(v_note, note),
           progress_at = case when p_progress is distinct from progress and p_progress is not null then v_now
                            else progress_at end,
           progress = coalesce(p_progress, progress)
     where id = p_id and not coalesce(p_progress < progress, false)
       and (coalesce(p_progress, progress), coalesce(v_note, note)) is distinct from (progress, note);
  end if;
  if v_outcome <> 'too_often' then
    perform private.note_progress('spec', p_id, v_run, v_outcome, p_progress, v_note, p_execution);
  end if;
  return jsonb_build_object('outcome', v_outcome,
    'status', (select processing_status from public.spec_uploads where id = p_id),
    'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

-- Fails the current run of a spec, after which callbacks do not change its result. Does nothing if the run was already
-- stopped.
-- outcome: stopped | conflict (with the current status) | not_found
create function public.stop_spec(p_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_spec public.spec_uploads;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_spec.error_code = 'stopped' then return jsonb_build_object('outcome', 'stopped'); end if;
  if not private.move_spec(p_id, v_spec.run, array['pending', 'processing'], 'failed', 'stopped',
    'Stopped by an administrator.') then
    return jsonb_build_object('outcome', 'conflict', 'status', v_spec.processing_status);
  end if;
  update private.work_items set state = 'canceled', finished_at = clock_timestamp(), lease_token = null
   where kind = 'spec_dispatch' and subject_id = p_id and state = 'pending';
  perform private.audit_spec_change('spec.stopped', p_id);
  return jsonb_build_object('outcome', 'stopped');
end $$;

-- Starts the next run of a failed spec, or with `p_again` also of a completed one. `p_user` is as in `start_next_runs`.
-- Writes an audit event.
-- outcome: retried (with the run) | conflict (with the current status) | not_found
create function public.retry_spec(p_id uuid, p_user uuid default null, p_again boolean default false) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_spec public.spec_uploads;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if cardinality(private.start_next_runs(array[p_id], p_user,
    case when p_again then array['failed', 'completed'] else array['failed'] end)) = 0 then
    return jsonb_build_object('outcome', 'conflict', 'status', v_spec.processing_status);
  end if;
  perform private.audit_spec_change(case when p_again then 'spec.processed_again' else 'spec.retried' end, p_id, p_user);
  return jsonb_build_object('outcome', 'retried', 'run', v_spec.run + 1);
end $$;

-- Starts the next run of each failed spec among `p_ids`, in the turns of `p_user` in the queue. Returns the number of
-- runs started, and writes one audit event for all of them.
create function public.retry_specs(p_user uuid, p_ids uuid[]) returns int
language plpgsql volatile set search_path = '' set statement_timeout = '60s' as $$
declare v_count int;
begin
  perform 1 from public.spec_uploads where id = any (p_ids) order by id for update;
  v_count := cardinality(private.start_next_runs(p_ids, p_user));
  if v_count > 0 then
    perform private.write_audit('spec.retried', null, v_count || case when v_count = 1 then ' spec' else ' specs' end,
      null, p_user);
  end if;
  return v_count;
end $$;
