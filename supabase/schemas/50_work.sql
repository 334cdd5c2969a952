-- The work queue: what workers do in the background, and the triggers that they send to the workflow service.
--
-- A work item is written in the transaction that writes what it is about (its subject). Lock order: subject, work item.

-- One row per run of a subject. A worker that claims an item gets the lease `lease_token`. `visible_at` is when the
-- lease ends or, without a lease, the time of the next attempt.
create table private.work_items (
  id bigint generated always as identity primary key,
  kind text not null
    check (kind in ('spec_dispatch', 'image_dispatch', 'pdf_export', 'event_delivery', 'spec_text', 'account_mail')),
  subject_id uuid not null,
  run int not null,
  state text not null default 'pending' check (state in ('pending', 'done', 'dead', 'canceled')),
  attempts int not null default 0,
  max_attempts int not null,
  visible_at timestamptz not null default now(),
  lease_token uuid,
  leased_by text,
  last_error text,
  request_id text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The user whose turn the item takes. All zeros if there is no user.
  user_id uuid not null default '00000000-0000-0000-0000-000000000000',
  claimed_at timestamptz,
  unique (kind, subject_id, run)
);
create index work_items_age on private.work_items (finished_at) where finished_at is not null;
create index work_items_turns on private.work_items (kind, user_id, visible_at, id) where state = 'pending';
create index work_items_served on private.work_items (kind, user_id, claimed_at) where claimed_at is not null;
alter table private.work_items enable row level security;

-- Attempts to start a run at the workflow service. Contains no secrets.
create table private.trigger_events (
  id uuid primary key default gen_random_uuid(),
  source text not null check (source in ('spec', 'image')),
  subject_id uuid not null,
  run int not null,
  attempt int not null,
  outcome text not null check (outcome in ('accepted', 'again', 'refused', 'given_up')),
  reason text,
  created_at timestamptz not null default clock_timestamp()
);
create index trigger_events_page on private.trigger_events (created_at desc, id desc);
create index trigger_events_subject on private.trigger_events (subject_id, created_at desc, id desc);
alter table private.trigger_events enable row level security;

-- Broadcasts a spec or job when an attempt to start its run has failed. `work_failed` has locked it.
create function private.broadcast_retry() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  case new.source
    when 'spec' then
      update public.spec_uploads set status_seq = status_seq + 1
       where id = new.subject_id and run = new.run and processing_status = 'pending';
    when 'image' then
      update public.image_jobs set status_seq = status_seq + 1
       where id = new.subject_id and run = new.run and status = 'queued';
  end case;
  return null;
end $$;
create trigger broadcast_retry after insert on private.trigger_events for each row
  when (new.outcome = 'again') execute function private.broadcast_retry();

-- Records the outcome of an attempt if the item sends a trigger.
create function private.note_trigger(p_item private.work_items, p_outcome text, p_reason text default null) returns void
language sql volatile set search_path = '' as $$
  insert into private.trigger_events (source, subject_id, run, attempt, outcome, reason)
  select split_part(p_item.kind, '_', 1), p_item.subject_id, p_item.run, p_item.attempts, p_outcome, private.plain_reason(p_reason)
   where p_item.kind in ('spec_dispatch', 'image_dispatch')
$$;

-- Returns the attempt to start a run, current or next, as { attempt, maxAttempts, nextAttemptAt, reason }, or null unless
-- an earlier attempt has failed and the run still waits to be accepted. `nextAttemptAt` is null during an attempt. Only
-- administrators may see `reason`, the error of the last failed attempt.
create function private.trigger_retry(p_kind text, p_subject uuid, p_run int) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
           -- Without a lease, `attempts` does not count the next attempt.
           'attempt', least(w.max_attempts, w.attempts + case when w.lease_token is null then 1 else 0 end),
           'maxAttempts', w.max_attempts,
           'nextAttemptAt', case when w.lease_token is null then w.visible_at end,
           'reason', private.plain_reason(w.last_error))
    from private.work_items w
   where w.kind = p_kind and w.subject_id = p_subject and w.run = p_run and w.state = 'pending' and w.last_error is not null
$$;

-- Queuing

-- Trigger function that queues the current run of a subject once. Its arguments are the kind and the maximum number of
-- attempts. Deliveries take turns by endpoint, so that a backlog of one does not delay the others.
create function private.enqueue() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_run int := 1;
  v_user uuid;
begin
  if tg_argv[0] not in ('spec_text', 'account_mail') then v_run := new.run; end if;
  if tg_argv[0] = 'event_delivery' then v_user := new.endpoint_id; else v_user := new.created_by; end if;
  insert into private.work_items (kind, subject_id, run, max_attempts, request_id, user_id)
  values (tg_argv[0], new.id, v_run, tg_argv[1]::int, private.request_id(),
          coalesce(v_user, '00000000-0000-0000-0000-000000000000'))
  on conflict do nothing;
  return null;
end $$;

-- 14 attempts take 11 to 22 minutes, longer if the workflow service is slow to fail.
create trigger enqueue after insert or update of run on public.spec_uploads
  for each row execute function private.enqueue('spec_dispatch', '14');
create trigger enqueue after insert or update of run on public.image_jobs
  for each row execute function private.enqueue('image_dispatch', '14');
create trigger enqueue after insert or update of run on public.export_jobs
  for each row execute function private.enqueue('pdf_export', '3');
create trigger enqueue after insert on public.documents
  for each row execute function private.enqueue('spec_text', '5');

-- Trigger function. A worker with the lease notices at its next heartbeat.
create function private.drop_work() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.work_items where kind = tg_argv[0] and subject_id = old.id;
  return null;
end $$;

create trigger drop_work after delete on public.spec_uploads
  for each row execute function private.drop_work('spec_dispatch');
create trigger drop_work after delete on public.image_jobs
  for each row execute function private.drop_work('image_dispatch');
create trigger drop_work after delete on public.export_jobs
  for each row execute function private.drop_work('pdf_export');
create trigger drop_work after delete on public.documents
  for each row execute function private.drop_work('spec_text');

-- Claims and leases

-- Returns the users with pending work. Skips through the index from user to user.
create function private.work_users(p_kind text) returns setof uuid
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    with recursive users (user_id) as (
      (select w.user_id from private.work_items w where w.state = 'pending' and w.kind = p_kind order by w.user_id limit 1)
      union all
      select (select w.user_id from private.work_items w
               where w.state = 'pending' and w.kind = p_kind and w.user_id > u.user_id order by w.user_id limit 1)
        from users u where u.user_id is not null)
    select user_id from users where user_id is not null;
end $$;

-- Claims up to `p_limit` due items for `p_lease_s` seconds, which counts as an attempt. Kinds take turns, then users. A
-- user's running items count as turns, and ties go to the user whose work was claimed least recently. Leaves items
-- without another attempt to `work_reap`, and event deliveries until their turn to later claims.
create function public.work_claim(p_kinds text[], p_worker text, p_limit int default 10, p_lease_s int default 30)
returns table (id bigint, kind text, subject_id uuid, run int, attempts int, max_attempts int, lease_token uuid,
  request_id text)
language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with due as (
    select w.id, k.kind, w.visible_at, claimed.last_claimed_at,
           row_number() over (partition by k.kind, u.user_id order by w.visible_at, w.id) + claimed.running as turn
      from unnest(p_kinds) k (kind)
        cross join lateral private.work_users(k.kind) u (user_id)
        cross join lateral (
          select (select count(*) from private.work_items y
                   where y.state = 'pending' and y.kind = k.kind and y.user_id = u.user_id
                     and y.visible_at > now() and y.lease_token is not null) as running,
                 (select max(y.claimed_at) from private.work_items y
                   where y.kind = k.kind and y.user_id = u.user_id and y.claimed_at is not null) as last_claimed_at
        ) claimed
        cross join lateral (
          select y.id, y.visible_at from private.work_items y
           where y.state = 'pending' and y.kind = k.kind and y.user_id = u.user_id
             and y.visible_at <= now() and y.attempts < y.max_attempts
             and (y.kind <> 'event_delivery' or private.is_next_delivery(y.subject_id))
           order by y.visible_at, y.id limit p_limit * 4) w),
  ranked_by_kind as (
    select d.id, d.visible_at,
           row_number() over (partition by d.kind order by d.turn, d.last_claimed_at nulls first, d.visible_at, d.id) as rank
      from due d),
  ranked as materialized (
    select r.id, row_number() over (order by r.rank, r.visible_at) as rank from ranked_by_kind r)
  update private.work_items w
     set attempts = w.attempts + 1, lease_token = gen_random_uuid(), leased_by = p_worker,
         claimed_at = clock_timestamp(), visible_at = clock_timestamp() + make_interval(secs => p_lease_s)
   where w.id = any (array(
           -- Skip items that another worker has locked or claimed in the meantime.
           select x.id
             from ranked join private.work_items x on x.id = ranked.id
            where x.state = 'pending' and x.visible_at <= now() and x.attempts < x.max_attempts
            order by ranked.rank limit p_limit for update of x skip locked))
  returning w.id, w.kind, w.subject_id, w.run, w.attempts, w.max_attempts, w.lease_token, w.request_id;
end $$;

-- Extends a lease. Returns false if it is lost or the work was canceled.
create function public.work_heartbeat(p_id bigint, p_token uuid, p_lease_s int default 30) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.work_items set visible_at = clock_timestamp() + make_interval(secs => p_lease_s)
   where id = p_id and lease_token = p_token and state = 'pending';
  return found;
end $$;

-- Makes an item due again without using up the attempt. Returns false if the lease is lost.
create function public.work_release(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.work_items set visible_at = clock_timestamp(), attempts = greatest(attempts - 1, 0), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  return found;
end $$;

-- Outcomes of the work

-- Locks the subject of a work item, after the endpoint of a delivery. Returns the item as it was before, or nulls if
-- there is none of this kind.
create function private.lock_subject(p_id bigint, p_kind text default null) returns private.work_items
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items;
begin
  select * into v_item from private.work_items where id = p_id and kind = coalesce(p_kind, kind);
  if not found then return null; end if;
  case v_item.kind
    when 'spec_dispatch' then perform 1 from public.spec_uploads where id = v_item.subject_id for update;
    when 'image_dispatch' then perform 1 from public.image_jobs where id = v_item.subject_id for update;
    when 'pdf_export' then perform 1 from public.export_jobs where id = v_item.subject_id for update;
    when 'event_delivery' then perform private.lock_delivery(v_item.subject_id);
    when 'spec_text' then perform 1 from public.spec_uploads where document_id = v_item.subject_id for update;
    when 'account_mail' then perform 1 from private.account_mails where id = v_item.subject_id for update;
  end case;
  return v_item;
end $$;

-- Closes an item whose work is done. Returns false if the lease is lost. The caller must have locked the subject.
create function private.close_item(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  return found;
end $$;

-- Returns false if `p_run` has ended or is not current. `spec_text` and `account_mail` ignore `p_run`. The caller must
-- have locked the subject.
create function private.subject_failed(p_kind text, p_id uuid, p_run int, p_code text, p_error text) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  case p_kind
    when 'spec_dispatch' then
      return private.move_spec(p_id, p_run, array['pending', 'processing'], 'failed', p_code, p_error);
    when 'image_dispatch' then
      return private.move_image(p_id, p_run, array['queued', 'running'], 'failed', p_code, p_error);
    when 'pdf_export' then
      update public.export_jobs
         set status = 'failed', status_seq = status_seq + 1, error_code = p_code, error = left(p_error, 2000),
             updated_at = clock_timestamp(), finished_at = clock_timestamp()
       where id = p_id and run = p_run and status = 'processing';
      return found;
    when 'event_delivery' then
      return private.delivery_failed(p_id, p_run, p_error);
    when 'spec_text' then
      update public.documents set text_state = 'failed' where id = p_id and text_state = 'pending';
      return found;
    when 'account_mail' then
      update private.account_mails set state = 'failed', reason = private.plain_reason(p_error)
       where id = p_id and state = 'pending';
      return found;
  end case;
end $$;

-- Closes the item of an accepted trigger. The workflow service must call back before `p_deadline`. Returns false if the
-- lease is lost, for example because the callback came first.
create function public.work_dispatched(p_id bigint, p_token uuid, p_deadline timestamptz) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items := private.lock_subject(p_id);
begin
  -- Even if the callback came first.
  perform private.note_trigger(v_item, 'accepted');
  if not private.close_item(v_item.id, p_token) then return false; end if;
  case v_item.kind
    when 'spec_dispatch' then
      perform private.move_spec(v_item.subject_id, v_item.run, array['pending'], 'processing', p_deadline => p_deadline);
    when 'image_dispatch' then
      perform private.move_image(v_item.subject_id, v_item.run, array['queued'], 'running', p_deadline => p_deadline);
  end case;
  return true;
end $$;

-- Ends a failed attempt. Only administrators see `p_detail`, in the list of triggers. Returns pending (will be
-- retried), dead (the subject has failed) or lost (the lease).
create function public.work_failed(p_id bigint, p_token uuid, p_code text, p_error text, p_retryable boolean,
  p_retry_after_s int default 0, p_detail text default null) returns text
language plpgsql volatile set search_path = '' as $$
declare
  v_item private.work_items := private.lock_subject(p_id);
  v_is_retried boolean := p_retryable and v_item.attempts < v_item.max_attempts;
begin
  update private.work_items
     set state = case when v_is_retried then 'pending' else 'dead' end,
         finished_at = case when not v_is_retried then clock_timestamp() end,
         -- The delay doubles, up to three minutes. Half of it is random.
         visible_at = clock_timestamp() + make_interval(secs =>
           greatest(p_retry_after_s, (0.5 + random() / 2) * least(180, power(2, attempts)))),
         lease_token = null, last_error = left(p_error, 1000)
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return 'lost'; end if;
  perform private.note_trigger(v_item,
    case when v_is_retried then 'again' when p_retryable then 'given_up' else 'refused' end,
    concat_ws(' ', p_error, p_detail));
  if v_is_retried then return 'pending'; end if;
  perform private.subject_failed(v_item.kind, v_item.subject_id, v_item.run, p_code, p_error);
  return 'dead';
end $$;

-- Fails up to `p_limit` items whose worker was lost during the last attempt, and as many runs without a callback before
-- the deadline. Returns { dead, timed_out }. Locks specs in the order of their ids, like all functions that lock
-- several, to prevent deadlocks.
create function public.work_reap(p_limit int default 100) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  r record;
  v_dead int := 0;
  v_timed_out int := 0;
begin
  for r in select * from (
             select id, kind, subject_id, run from private.work_items
              where state = 'pending' and visible_at <= now() and attempts >= max_attempts
              order by visible_at, id limit p_limit) dead
            order by subject_id loop
    perform private.lock_subject(r.id);
    update private.work_items
       set state = 'dead', finished_at = clock_timestamp(), lease_token = null, last_error = coalesce(last_error, 'worker lost')
     where id = r.id and state = 'pending' and visible_at <= clock_timestamp() and attempts >= max_attempts;
    if found then
      v_dead := v_dead + 1;
      perform private.note_trigger(w, 'given_up', w.last_error) from private.work_items w where w.id = r.id;
      perform private.subject_failed(r.kind, r.subject_id, r.run, 'unreachable', 'The work could not be finished after its last attempt.');
    end if;
  end loop;
  for r in select id, run from public.spec_uploads where processing_status = 'processing' and deadline_at < now()
            order by deadline_at limit p_limit for update skip locked loop
    if private.subject_failed('spec_dispatch', r.id, r.run, 'timeout', private.timeout_reason('spec', r.id, r.run)) then
      v_timed_out := v_timed_out + 1;
    end if;
  end loop;
  for r in select id, run from public.image_jobs where status = 'running' and deadline_at < now()
            order by deadline_at limit p_limit for update skip locked loop
    if private.subject_failed('image_dispatch', r.id, r.run, 'timeout', private.timeout_reason('image', r.id, r.run)) then
      v_timed_out := v_timed_out + 1;
    end if;
  end loop;
  return jsonb_build_object('dead', v_dead, 'timed_out', v_timed_out);
end $$;

-- Returns the pending items per kind, and for how many seconds the oldest has been due.
create function public.work_depth() returns table (kind text, pending bigint, oldest_due_s double precision)
language sql stable set search_path = '' as $$
  select w.kind, count(*), coalesce(max(extract(epoch from now() - w.visible_at)) filter (where w.visible_at <= now()), 0)::double precision
    from private.work_items w where w.state = 'pending' group by w.kind
$$;
