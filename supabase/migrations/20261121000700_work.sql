-- The work queue. A database trigger writes a work item in the same transaction as the row that the item is about (its
-- subject), so neither is ever written without the other. A worker that claims an item gets a lease. `lease_token`
-- identifies the lease, and `visible_at` is when it ends. For an item without a lease, `visible_at` is the time of the
-- next attempt. Lock order: the subject's row, then its work item.

create table private.work_items (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('spec_dispatch', 'image_dispatch', 'pdf_export')),
  subject_id uuid not null,
  run int not null,
  state text not null default 'pending' check (state in ('pending', 'done', 'dead', 'canceled')),
  attempts int not null default 0,
  max_attempts int not null,
  visible_at timestamptz not null default now(),
  lease_token uuid,
  leased_by text,
  last_error text,
  -- The id of the request that created the item, so that the log lines of the item and the request can be correlated.
  request_id text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (kind, subject_id, run)
);
create index work_items_due on private.work_items (kind, visible_at, id) where state = 'pending';
create index work_items_age on private.work_items (finished_at) where state <> 'pending';

-- Records the triggers that were sent to the workflow service and the outcome of each, for administrators. A trigger is
-- a request that starts a run. Rows are deleted after a month and contain no secrets.
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

-- Makes text from another system safe to store and show. Removes query strings and fragments from URLs, because they
-- can contain signatures.
create function private.plain_words(p_text text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(p_text, '(https?://[^\s?#]*)[?#]\S*', '\1', 'gi')
$$;

-- Does the same as `plain_words` and shortens the text to 500 characters, for lists.
create function private.plain_reason(p_text text) returns text
language sql immutable set search_path = '' as $$
  select left(private.plain_words(p_text), 500)
$$;

create function private.note_trigger(p_item private.work_items, p_outcome text, p_reason text default null) returns void
language sql volatile set search_path = '' as $$
  insert into private.trigger_events (source, subject_id, run, attempt, outcome, reason)
  select split_part(p_item.kind, '_', 1), p_item.subject_id, p_item.run, p_item.attempts, p_outcome, private.plain_reason(p_reason)
   where p_item.kind in ('spec_dispatch', 'image_dispatch')
$$;

-- Returns the id that the app sent for the request behind the current statement, or null if it sent none.
create function private.request_id() returns text
language sql stable set search_path = '' as $$
  select left(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-request-id', 80)
$$;

create function private.enqueue() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.work_items (kind, subject_id, run, max_attempts, request_id)
  values (tg_argv[0], new.id, new.run, tg_argv[1]::int, private.request_id()) on conflict do nothing;
  return null;
end $$;
-- With the delays of `work_failed`, the twelve attempts of a spec take 8 to 16 minutes in total. The ten attempts of an
-- image job take 5 to 10 minutes. Attempts take longer if the workflow service is slow to fail.
create trigger enqueue after insert or update of run on public.spec_uploads
  for each row execute function private.enqueue('spec_dispatch', '12');
create trigger enqueue after insert or update of run on public.image_jobs
  for each row execute function private.enqueue('image_dispatch', '10');
create trigger enqueue after insert or update of run on public.export_jobs
  for each row execute function private.enqueue('pdf_export', '3');

-- Deletes the work of a deleted subject. A worker that still holds the lease notices at its next heartbeat.
create function private.drop_work() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.work_items where kind = tg_argv[0] and subject_id = old.id;
  return null;
end $$;
create trigger drop_work after delete on public.spec_uploads for each row execute function private.drop_work('spec_dispatch');
create trigger drop_work after delete on public.image_jobs for each row execute function private.drop_work('image_dispatch');
create trigger drop_work after delete on public.export_jobs for each row execute function private.drop_work('pdf_export');

create function private.lock_subject(p_kind text, p_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  case p_kind
    when 'spec_dispatch' then perform 1 from public.spec_uploads where id = p_id for update;
    when 'image_dispatch' then perform 1 from public.image_jobs where id = p_id for update;
    when 'pdf_export' then perform 1 from public.export_jobs where id = p_id for update;
  end case;
end $$;

-- Marks a subject as accepted by the workflow service. Never overwrites the result of a callback that arrived earlier.
create function private.subject_accepted(p_kind text, p_id uuid, p_run int, p_deadline timestamptz) returns void
language plpgsql volatile set search_path = '' as $$
begin
  case p_kind
    when 'spec_dispatch' then perform private.move_spec(p_id, p_run, array['pending'], 'processing', p_deadline => p_deadline);
    when 'image_dispatch' then perform private.move_image(p_id, p_run, array['queued'], 'running', p_deadline => p_deadline);
  end case;
end $$;

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
  end case;
end $$;

-- Claims due items, alternating between the kinds, so that a backlog of one kind does not delay the others.
create function public.work_claim(p_kinds text[], p_worker text, p_limit int default 10, p_lease_s int default 30)
returns table (id bigint, kind text, subject_id uuid, run int, attempts int, max_attempts int, lease_token uuid,
  request_id text)
language sql volatile set search_path = '' as $$
  update private.work_items w
     set attempts = w.attempts + 1, lease_token = gen_random_uuid(), leased_by = p_worker,
         visible_at = clock_timestamp() + make_interval(secs => p_lease_s)
   where w.id = any (array(
           select due.id from unnest(p_kinds) k (kind)
             cross join lateral (
               select x.id, x.visible_at from private.work_items x
                where x.state = 'pending' and x.kind = k.kind and x.visible_at <= now() and x.attempts < x.max_attempts
                order by x.visible_at, x.id limit p_limit for update skip locked) due
            order by row_number() over (partition by k.kind order by due.visible_at, due.id), due.visible_at
            limit p_limit))
  returning w.id, w.kind, w.subject_id, w.run, w.attempts, w.max_attempts, w.lease_token, w.request_id
$$;

-- Extends a lease. Returns false if the lease is lost or the work was canceled, in which case the worker must stop.
create function public.work_heartbeat(p_id bigint, p_token uuid, p_lease_s int default 30) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.work_items set visible_at = clock_timestamp() + make_interval(secs => p_lease_s)
   where id = p_id and lease_token = p_token and state = 'pending';
  return found;
end $$;

-- Returns an item to the queue when a worker stops gracefully, without using up the attempt.
create function public.work_release(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.work_items set visible_at = clock_timestamp(), attempts = greatest(attempts - 1, 0), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  return found;
end $$;

create function public.work_dispatched(p_id bigint, p_token uuid, p_deadline timestamptz) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items;
begin
  select * into v_item from private.work_items where id = p_id;
  if not found then return false; end if;
  perform private.lock_subject(v_item.kind, v_item.subject_id);
  -- Record the trigger even if its callback came first and closed the item.
  perform private.note_trigger(v_item, 'accepted');
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  perform private.subject_accepted(v_item.kind, v_item.subject_id, v_item.run, p_deadline);
  return true;
end $$;

-- Ends a failed attempt. Returns the new state of the item: pending (to be retried) or dead (the subject has failed).
-- Returns lost if the worker no longer holds the lease.
create function public.work_failed(p_id bigint, p_token uuid, p_code text, p_error text, p_retryable boolean,
  p_retry_after_s int default 0) returns text
language plpgsql volatile set search_path = '' as $$
declare
  v_item private.work_items;
  v_again boolean;
begin
  select * into v_item from private.work_items where id = p_id;
  if not found then return 'lost'; end if;
  perform private.lock_subject(v_item.kind, v_item.subject_id);
  v_again := p_retryable and v_item.attempts < v_item.max_attempts;
  update private.work_items
     set state = case when v_again then 'pending' else 'dead' end,
         finished_at = case when not v_again then clock_timestamp() end,
         -- The delay doubles with each attempt, up to three minutes. Half of the delay is fixed, and up to half is
         -- random. The delay is never shorter than `p_retry_after_s`.
         visible_at = clock_timestamp() + make_interval(secs =>
           greatest(p_retry_after_s, (0.5 + random() / 2) * least(180, power(2, attempts)))),
         lease_token = null, last_error = left(p_error, 1000)
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return 'lost'; end if;
  perform private.note_trigger(v_item, case when v_again then 'again' when p_retryable then 'given_up' else 'refused' end, p_error);
  if v_again then return 'pending'; end if;
  perform private.subject_failed(v_item.kind, v_item.subject_id, v_item.run, p_code, p_error);
  return 'dead';
end $$;

-- Fails items whose worker was lost during the final attempt, and runs whose callback did not come before the deadline.
create function public.work_reap(p_limit int default 100) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  r record;
  v_dead int := 0;
  v_timed_out int := 0;
  v_late text := 'The workflow service did not call back before the deadline.';
begin
  for r in select id, kind, subject_id, run from private.work_items
            where state = 'pending' and visible_at <= now() and attempts >= max_attempts
            order by visible_at, id limit p_limit loop
    perform private.lock_subject(r.kind, r.subject_id);
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
    if private.subject_failed('spec_dispatch', r.id, r.run, 'timeout', v_late) then v_timed_out := v_timed_out + 1; end if;
  end loop;
  for r in select id, run from public.image_jobs where status = 'running' and deadline_at < now()
            order by deadline_at limit p_limit for update skip locked loop
    if private.subject_failed('image_dispatch', r.id, r.run, 'timeout', v_late) then v_timed_out := v_timed_out + 1; end if;
  end loop;
  return jsonb_build_object('dead', v_dead, 'timed_out', v_timed_out);
end $$;

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

-- outcome: canceled | already | not_found | conflict (with the final status)
create function public.cancel_export_job(p_job uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_status text;
begin
  select status into v_status from public.export_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_status = 'canceled' then return jsonb_build_object('outcome', 'already'); end if;
  if v_status <> 'processing' then return jsonb_build_object('outcome', 'conflict', 'status', v_status); end if;
  update public.export_jobs
     set status = 'canceled', status_seq = status_seq + 1, updated_at = clock_timestamp(), finished_at = clock_timestamp()
   where id = p_job;
  update private.work_items set state = 'canceled', finished_at = clock_timestamp(), lease_token = null
   where kind = 'pdf_export' and subject_id = p_job and state = 'pending';
  return jsonb_build_object('outcome', 'canceled');
end $$;

-- Records the progress of an export. Returns false if the worker no longer holds the lease.
create function public.export_progress(p_id bigint, p_token uuid, p_pages_done int) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_job uuid;
begin
  select subject_id into v_job from private.work_items where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  -- Write only real progress, because each change is broadcast, and clients then fetch the export.
  update public.export_jobs set pages_done = p_pages_done, updated_at = clock_timestamp()
   where id = v_job and status = 'processing' and pages_done < p_pages_done;
  return true;
end $$;

-- Completes the job and its work item after the PDF has been stored. Returns false if the lease was lost or the job has
-- already ended. In both cases, the caller must remove the PDF.
create function public.export_finished(p_id bigint, p_token uuid, p_path text, p_bytes bigint, p_page_count int,
  p_warnings jsonb default '[]') returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items;
begin
  select * into v_item from private.work_items where id = p_id and kind = 'pdf_export';
  if not found then return false; end if;
  perform private.lock_subject(v_item.kind, v_item.subject_id);
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update public.export_jobs
     set status = 'completed', status_seq = status_seq + 1, pages_done = p_page_count, page_count = p_page_count,
         result_path = p_path, result_bytes = p_bytes, warnings = p_warnings, updated_at = clock_timestamp(),
         finished_at = clock_timestamp()
   where id = v_item.subject_id and run = v_item.run and status = 'processing';
  return found;
end $$;

-- Returns the number of pending items per kind, and for how many seconds the oldest due item of the kind has been due.
create function public.work_depth() returns table (kind text, pending bigint, oldest_due_s double precision)
language sql stable set search_path = '' as $$
  select w.kind, count(*), coalesce(max(extract(epoch from now() - w.visible_at)) filter (where w.visible_at <= now()), 0)::double precision
    from private.work_items w where w.state = 'pending' group by w.kind
$$;

alter table private.work_items enable row level security;
alter table private.trigger_events enable row level security;
grant select, insert, update, delete on private.work_items, private.trigger_events to service_role;
grant usage, select on all sequences in schema private to service_role;
revoke execute on all functions in schema private from public, anon;
grant execute on function private.plain_words(text), private.plain_reason(text), private.note_trigger(private.work_items, text, text),
  private.lock_subject(text, uuid), private.subject_accepted(text, uuid, int, timestamptz),
  private.subject_failed(text, uuid, int, text, text) to service_role;
revoke execute on function public.work_claim(text[], text, int, int), public.work_heartbeat(bigint, uuid, int),
  public.work_release(bigint, uuid), public.work_dispatched(bigint, uuid, timestamptz),
  public.work_failed(bigint, uuid, text, text, boolean, int), public.work_reap(int), public.work_depth(),
  public.cancel_image_job(uuid), public.cancel_export_job(uuid), public.export_progress(bigint, uuid, int),
  public.export_finished(bigint, uuid, text, bigint, int, jsonb)
  from public, anon, authenticated;
grant execute on function public.work_claim(text[], text, int, int), public.work_heartbeat(bigint, uuid, int),
  public.work_release(bigint, uuid), public.work_dispatched(bigint, uuid, timestamptz),
  public.work_failed(bigint, uuid, text, text, boolean, int), public.work_reap(int), public.work_depth(),
  public.cancel_image_job(uuid), public.cancel_export_job(uuid), public.export_progress(bigint, uuid, int),
  public.export_finished(bigint, uuid, text, bigint, int, jsonb)
  to service_role;
