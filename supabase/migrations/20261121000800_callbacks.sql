-- Callbacks of the workflow service. The first result of a run wins. Later ones are acknowledged and only recorded.

create table private.callback_events (
  id bigint generated always as identity primary key,
  source text not null check (source in ('spec', 'image')),
  subject_id uuid not null,
  run int,
  status text not null,
  outcome text not null,
  reason text,
  -- Breaks ties between events with the same time in the list that combines callbacks and triggers.
  key uuid not null default gen_random_uuid(),
  received_at timestamptz not null default now()
);
create index callback_events_subject on private.callback_events (subject_id, id);
create index callback_events_page on private.callback_events (received_at desc, key desc);

-- Returns the id of the request that started a run, for the log lines of the run's callbacks.
create function private.ordered_by(p_kind text, p_subject uuid, p_run int) returns text
language sql stable set search_path = '' as $$
  select w.request_id from private.work_items w where w.kind = p_kind and w.subject_id = p_subject and w.run = p_run
$$;

-- outcome: applied | duplicate | late | conflict | stale_run | unknown_run | not_found
create function public.apply_spec_callback(p_id uuid, p_status text, p_run int default null, p_sections int default null,
  p_error text default null) returns jsonb
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
  return jsonb_build_object('outcome', v_outcome, 'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

-- outcome: checkable, canceled or any outcome of `apply_spec_callback`. If a success would be applied but `p_outputs`
-- is null, changes nothing and returns checkable. The caller then checks the reported outputs and calls again.
-- `p_outputs` contains the outputs that passed: [{ variant_id, path, thumb_path, meta, width, height }]. If none
-- passed, a run that has not ended fails with the code `invalid_output`. A run that has already failed does not change,
-- and the outcome is late.
create function public.apply_image_callback(p_id uuid, p_status text, p_run int default null, p_outputs jsonb default null,
  p_error text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_run int;
  v_outcome text;
  v_to text;
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
  -- Only a success with usable outputs replaces a failure that the workflow service did not report.
  if v_outcome = 'applied' and v_job.status = 'failed' and jsonb_array_length(p_outputs) = 0 then v_outcome := 'late'; end if;
  if v_outcome = 'applied' then
    v_to := case when p_status = 'succeeded' and jsonb_array_length(p_outputs) > 0 then 'succeeded' else 'failed' end;
    perform private.move_image(p_id, v_run, array['queued', 'running', 'failed'], v_to,
      case when v_to = 'succeeded' then null when p_status = 'succeeded' then 'invalid_output' else 'workflow_failed' end,
      case when v_to = 'succeeded' then null
           else coalesce(nullif(btrim(private.plain_words(p_error)), ''), 'The workflow service reported a failure without a reason.') end);
    if v_to = 'succeeded' then
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
  values ('image', p_id, v_run, p_status, v_outcome, private.plain_reason(p_error));
  return jsonb_build_object('outcome', v_outcome, 'run', v_run,
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;

-- Returns a page of sent triggers and received callbacks, newest first, each with the label and current status of its
-- subject. The page starts after the event with the time `p_before` and the id `p_before_id`. `p_trouble` leaves out
-- accepted triggers. It also leaves out applied callbacks, except those that report a failure.
create function public.workflow_events(p_source text default null, p_direction text default null,
  p_subject uuid default null, p_trouble boolean default false, p_before timestamptz default null,
  p_before_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, direction text, source text, subject_id uuid, run int, attempt int,
  outcome text, status text, reason text, label text, project_id uuid, subject_status text, subject_run int)
language sql stable set search_path = '' as $$
  with page as (
    select * from (
      (select t.id, t.created_at, 'sent' as direction, t.source, t.subject_id, t.run, t.attempt, t.outcome,
              null::text as status, t.reason
         from private.trigger_events t
        where coalesce(p_direction, 'sent') = 'sent' and (p_source is null or t.source = p_source)
          and (p_subject is null or t.subject_id = p_subject)
          and (not p_trouble or t.outcome <> 'accepted')
          and (p_before is null or (t.created_at, t.id) < (p_before, p_before_id))
        order by t.created_at desc, t.id desc limit p_limit)
      union all
      (select c.key, c.received_at, 'received', c.source, c.subject_id, c.run, null, c.outcome, c.status, c.reason
         from private.callback_events c
        where coalesce(p_direction, 'received') = 'received' and (p_source is null or c.source = p_source)
          and (p_subject is null or c.subject_id = p_subject)
          and (not p_trouble or c.outcome <> 'applied' or c.status = 'failed')
          and (p_before is null or (c.received_at, c.key) < (p_before, p_before_id))
        order by c.received_at desc, c.key desc limit p_limit)) both_ways
     order by created_at desc, id desc limit p_limit)
  select p.id, p.created_at, p.direction, p.source, p.subject_id, p.run, p.attempt, p.outcome, p.status, p.reason,
         coalesce(d.file_name, left(j.prompt, 120)), j.project_id, coalesce(s.processing_status, j.status),
         coalesce(s.run, j.run)
    from page p
    left join public.spec_uploads s on p.source = 'spec' and s.id = p.subject_id
    left join public.documents d on d.id = s.document_id
    left join public.image_jobs j on p.source = 'image' and j.id = p.subject_id
   order by p.created_at desc, p.id desc
$$;

alter table private.callback_events enable row level security;
grant select, insert, update, delete on private.callback_events to service_role;
grant usage, select on all sequences in schema private to service_role;
revoke execute on function private.ordered_by(text, uuid, int) from public, anon;
grant execute on function private.ordered_by(text, uuid, int) to service_role;
revoke execute on function public.apply_spec_callback(uuid, text, int, int, text),
  public.apply_image_callback(uuid, text, int, jsonb, text),
  public.workflow_events(text, text, uuid, boolean, timestamptz, uuid, int) from public, anon, authenticated;
grant execute on function public.apply_spec_callback(uuid, text, int, int, text),
  public.apply_image_callback(uuid, text, int, jsonb, text),
  public.workflow_events(text, text, uuid, boolean, timestamptz, uuid, int) to service_role;
