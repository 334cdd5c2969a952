-- What the workflow service sends back: callbacks, rejected callbacks, and tests of the service.
--
-- The first result of a run wins. Later ones are only recorded, with the exceptions that `apply_spec_callback` and
-- `apply_image_callback` list.

-- Of a run's progress reports and of its refused callbacks, only the latest with each outcome is kept. The status of a
-- refused callback is null.
create table private.callback_events (
  source text not null check (source in ('spec', 'image')),
  subject_id uuid not null,
  run int,
  status text,
  outcome text not null,
  reason text,
  id uuid primary key default gen_random_uuid(),
  received_at timestamptz not null default clock_timestamp(),
  -- Which execution of the workflow reported progress. The first one that a run's reports name takes the run.
  execution text,
  names_run boolean not null default true
);
create index callback_events_page on private.callback_events (received_at desc, id desc);
create index callback_events_subject on private.callback_events (subject_id, received_at desc, id desc);
alter table private.callback_events enable row level security;

-- URLs that have acknowledged a trigger. A 2xx response from them accepts a trigger only with an acknowledgment,
-- because a server that is restarting can return 2xx before its workflows exist.
create table private.workflow_endpoints (
  -- A URL can contain a token.
  url_hash text primary key check (url_hash ~ '^[0-9a-f]{64}$'),
  -- The first and the latest of a series of 2xx responses without an acknowledgment.
  unacknowledged_since timestamptz,
  unacknowledged_at timestamptz
);
alter table private.workflow_endpoints enable row level security;

-- Counts a progress report and returns its outcome. The subject must be locked, so that only one of two simultaneous
-- executions takes the run.
-- outcome: applied | stale_run | unknown_run | canceled | late (the run has ended) | duplicate (another execution has
-- taken the run) | too_often (above one per second)
create function private.progress_outcome(p_source text, p_id uuid, p_run int, p_current_run int, p_status text,
  p_execution text) returns text
language sql volatile set search_path = '' as $$
  select case
    when p_run < p_current_run then 'stale_run'
    when p_run > p_current_run then 'unknown_run'
    when p_status = 'canceled' then 'canceled'
    when p_status in ('succeeded', 'completed', 'failed') then 'late'
    when exists (select 1 from private.callback_events
                  where source = p_source and subject_id = p_id and run = p_run and status = 'running'
                    and outcome = 'applied' and execution <> p_execution) then 'duplicate'
    when public.rate_take(concat_ws(':', 'progress', p_source, p_id, p_run), 30, 1000) > 0 then 'too_often'
    else 'applied' end
$$;

-- Replaces the run's earlier callback with this status and outcome. The caller must have locked the subject.
create function private.replace_callback_event(p_source text, p_subject uuid, p_run int, p_status text, p_outcome text,
  p_reason text, p_execution text default null) returns void
language plpgsql volatile set search_path = '' as $$
begin
  update private.callback_events
     set received_at = clock_timestamp(), reason = p_reason, execution = coalesce(execution, p_execution)
   where source = p_source and subject_id = p_subject and run = p_run and status is not distinct from p_status
     and outcome = p_outcome;
  if not found then
    insert into private.callback_events (source, subject_id, run, status, outcome, reason, execution)
    values (p_source, p_subject, p_run, p_status, p_outcome, p_reason, p_execution);
  end if;
end $$;

create function private.note_progress(p_source text, p_subject uuid, p_run int, p_outcome text, p_progress double precision,
  p_note text, p_execution text) returns void
language sql volatile set search_path = '' as $$
  select private.replace_callback_event(p_source, p_subject, p_run, 'running', p_outcome,
    nullif(concat_ws(': ', round(p_progress * 100) || '%', p_note), ''), p_execution)
$$;

-- Returns whether a report that names no run and no file can be about an earlier run: the current run is a later one,
-- and was accepted less than 15 seconds ago, if at all. Such a report is held: it ends the run only if nothing else
-- arrives before the deadline, or if an administrator applies it.
create function private.is_doubtful(p_reported_run int, p_current_run int, p_started_at timestamptz) returns boolean
language sql volatile set search_path = '' as $$
  select p_reported_run is null and p_current_run > 1
     and coalesce(p_started_at > clock_timestamp() - interval '15 seconds', true)
$$;

-- Returns whether a run failed by a report that named no run, which can have been about another run. A success that is
-- certainly about this run then replaces the failure.
create function private.failed_without_run(p_source text, p_subject uuid, p_run int) returns boolean
language sql stable set search_path = '' as $$
  select exists (select 1 from private.callback_events
                  where source = p_source and subject_id = p_subject and run = p_run and status = 'failed'
                    and outcome = 'applied' and not names_run)
$$;

-- Returns why a run ends at its deadline: the reason of the latest callback that was held or refused, if there is one.
create function private.timeout_reason(p_source text, p_subject uuid, p_run int) returns text
language sql stable set search_path = '' as $$
  select coalesce(
    (select case when outcome = 'refused' then 'The workflow service sent a callback that cannot be read: ' || reason
                 else coalesce(reason, 'The workflow service reported a result without naming its run.') end
       from private.callback_events
      where source = p_source and subject_id = p_subject and run = p_run and outcome in ('held', 'refused')
      order by received_at desc limit 1),
    'The workflow service did not call back before the deadline.')
$$;

-- Returns a held callback, or no row.
create function public.held_callback(p_id uuid)
returns table (source text, subject_id uuid, run int, status text, reason text)
language sql stable set search_path = '' as $$
  select c.source, c.subject_id, c.run, c.status, c.reason from private.callback_events c
   where c.id = p_id and c.outcome = 'held'
$$;

-- Returns a page of sent triggers and received callbacks. `p_trouble` leaves out accepted triggers and applied
-- callbacks, except those that report a failure.
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
      (select c.id, c.received_at, 'received', c.source, c.subject_id, c.run, null, c.outcome, c.status, c.reason
         from private.callback_events c
        where coalesce(p_direction, 'received') = 'received' and (p_source is null or c.source = p_source)
          and (p_subject is null or c.subject_id = p_subject)
          and (not p_trouble or c.outcome <> 'applied' or c.status = 'failed')
          and (p_before is null or (c.received_at, c.id) < (p_before, p_before_id))
        order by c.received_at desc, c.id desc limit p_limit)) events
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

-- Rejected callbacks

-- Counted per source, code, subject and minute. Bodies are not kept.
create table private.refused_callbacks (
  id uuid primary key default gen_random_uuid(),
  source text not null check (source in ('spec', 'image')),
  code text not null check (char_length(code) between 1 and 40),
  detail text not null check (char_length(detail) <= 300),
  subject_id uuid,
  minute timestamptz not null,
  times int not null check (times > 0),
  created_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  unique nulls not distinct (source, code, subject_id, minute)
);
create index refused_callbacks_page on private.refused_callbacks (created_at desc, id desc);
create index refused_callbacks_code on private.refused_callbacks (source, code, created_at desc, id desc);
alter table private.refused_callbacks enable row level security;

-- Records on the run itself that a callback with the right secret was refused, and shows it to the people who wait for
-- the run.
create function private.note_refused_run(p_source text, p_subject uuid, p_run int, p_reason text) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_run int;
  v_note text := left('The workflow service sent a callback that cannot be read: ' || p_reason, 200);
begin
  case p_source
    when 'spec' then
      update public.spec_uploads set note = v_note, status_seq = status_seq + 1, updated_at = clock_timestamp()
       where id = p_subject and run = coalesce(p_run, run) and processing_status in ('pending', 'processing')
      returning run into v_run;
    when 'image' then
      update public.image_jobs set note = v_note, status_seq = status_seq + 1, updated_at = clock_timestamp()
       where id = p_subject and run = coalesce(p_run, run) and status in ('queued', 'running')
      returning run into v_run;
  end case;
  if found then
    perform private.replace_callback_event(p_source, p_subject, v_run, null, 'refused', p_reason);
  end if;
end $$;

-- Records `p_times` rejected callbacks. Anyone can send them, so for each source and code, records the first 20 ids of
-- a minute, counts the rest without an id, and keeps the newest 1,000 rows.
create function public.note_refused_callback(p_source text, p_code text, p_detail text, p_subject uuid default null,
  p_times int default 1, p_run int default null) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_minute timestamptz := date_trunc('minute', clock_timestamp());
  v_subject uuid := p_subject;
begin
  if p_subject is not null and (
    select count(*) from private.refused_callbacks
     where source = p_source and code = p_code and minute = v_minute and subject_id <> p_subject) >= 20 then
    v_subject := null;
  end if;
  insert into private.refused_callbacks as r (source, code, detail, subject_id, minute, times)
  values (p_source, p_code, left(private.strip_url_queries(p_detail), 300), v_subject, v_minute, p_times)
  on conflict (source, code, subject_id, minute) do update
    set times = least(r.times::bigint + excluded.times, 2147483647)::int, detail = excluded.detail, last_at = excluded.last_at;
  if p_subject is not null and p_code <> 'invalid_secret' then
    perform private.note_refused_run(p_source, p_subject, p_run, left(private.strip_url_queries(p_detail), 300));
  end if;
  delete from private.refused_callbacks where id = any (array(
    select id from private.refused_callbacks where source = p_source and code = p_code
     order by created_at desc, id desc offset 1000));
end $$;

create function public.refused_callbacks(p_before timestamptz default null, p_before_id uuid default null,
  p_limit int default 21)
returns table (id uuid, created_at timestamptz, last_at timestamptz, source text, code text, detail text, subject_id uuid,
  times int)
language sql stable set search_path = '' as $$
  select r.id, r.created_at, r.last_at, r.source, r.code, r.detail, r.subject_id, r.times
    from private.refused_callbacks r
   where p_before is null or (r.created_at, r.id) < (p_before, p_before_id)
   order by r.created_at desc, r.id desc limit p_limit
$$;

-- Tests of the workflow service

-- A test's trigger contains its id in place of the id of a spec or image job.
create table private.workflow_tests (
  id uuid primary key default gen_random_uuid(),
  source text not null check (source in ('spec', 'image')),
  steps jsonb not null default '[]' check (jsonb_array_length(steps) <= 20),
  created_at timestamptz not null default clock_timestamp()
);
create index workflow_tests_age on private.workflow_tests (created_at desc, id);
alter table private.workflow_tests enable row level security;

-- Returns the id of the new test. Only the newest 50 are kept.
create function public.create_workflow_test(p_source text) returns uuid
language plpgsql volatile set search_path = '' as $$
declare v_id uuid;
begin
  insert into private.workflow_tests (source) values (p_source) returning id into v_id;
  delete from private.workflow_tests where id = any (array(
    select id from private.workflow_tests order by created_at desc, id offset 50));
  return v_id;
end $$;

-- Adds a step to a test of the last hour. A 21st step replaces the latest progress report, or else the latest callback,
-- or else the second step. Returns false if there is no such test.
create function public.add_workflow_test_step(p_id uuid, p_source text, p_step jsonb) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.workflow_tests
     set steps = case when jsonb_array_length(steps) < 20 then steps else steps - coalesce((
                   select s.number::int - 1 from jsonb_array_elements(steps) with ordinality s(step, number)
                    where s.step ->> 'step' = 'callback'
                    order by s.step ->> 'status' is not distinct from 'running' desc, s.number desc limit 1), 1) end
                 || jsonb_build_array(p_step || jsonb_build_object('at', clock_timestamp(),
                      'detail', private.plain_reason(p_step ->> 'detail')))
   where id = p_id and source = p_source and created_at > now() - interval '1 hour';
  return found;
end $$;

create function public.workflow_test(p_id uuid)
returns table (id uuid, source text, steps jsonb, created_at timestamptz)
language sql stable set search_path = '' as $$
  select t.id, t.source, t.steps, t.created_at from private.workflow_tests t where t.id = p_id
$$;

-- Returns whether a 2xx response accepts the trigger. After ten minutes without an acknowledgment, which is less than a
-- run's attempts take, any does. A pause of five minutes begins a new series.
create function public.trigger_accepted(p_url_hash text, p_acknowledged boolean) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_endpoint private.workflow_endpoints;
  v_since timestamptz;
begin
  select * into v_endpoint from private.workflow_endpoints where url_hash = p_url_hash;
  if p_acknowledged then
    -- Write nothing for most triggers, so that they do not wait for each other.
    if v_endpoint.url_hash is null or v_endpoint.unacknowledged_since is not null then
      insert into private.workflow_endpoints (url_hash) values (p_url_hash)
        on conflict (url_hash) do update set unacknowledged_since = null, unacknowledged_at = null;
    end if;
    return true;
  end if;
  if v_endpoint.url_hash is null then return true; end if;
  v_since := case when v_endpoint.unacknowledged_at > clock_timestamp() - interval '5 minutes'
                  then v_endpoint.unacknowledged_since else clock_timestamp() end;
  if v_since < clock_timestamp() - interval '10 minutes' then
    delete from private.workflow_endpoints where url_hash = p_url_hash;
    return true;
  end if;
  update private.workflow_endpoints set unacknowledged_since = v_since, unacknowledged_at = clock_timestamp()
   where url_hash = p_url_hash;
  return false;
end $$;

-- Returns the id of the request that started a run, for the logs, or null.
create function private.ordered_by(p_kind text, p_subject uuid, p_run int) returns text
language sql stable set search_path = '' as $$
  select w.request_id from private.work_items w where w.kind = p_kind and w.subject_id = p_subject and w.run = p_run
$$;
