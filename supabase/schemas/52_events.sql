-- Events that the app sends to other systems: endpoints, events and deliveries.
--
-- An event is written with the change that it reports. Lock order: endpoint, delivery, work item. Only `event_to_send`
-- returns the secret of an endpoint and the value of its header.

create table private.event_endpoints (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  url text not null check (char_length(url) between 1 and 2000),
  events text[] not null check (cardinality(events) between 1 and 6 and events <@ array['spec.completed', 'spec.failed',
    'image.succeeded', 'image.failed', 'export.completed', 'export.failed']),
  -- Plain text, because it signs deliveries.
  secret text not null,
  -- When a delivery was first given up since the last success or resumption.
  failing_since timestamptz,
  last_error text,
  paused_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- A header that the receiver checks, for example a token. Events carry it.
  header_name text check (char_length(header_name) between 1 and 100),
  header_value text check (char_length(header_value) between 1 and 500),
  check ((header_name is null) = (header_value is null))
);
alter table private.event_endpoints enable row level security;

-- The ends of runs to which an endpoint subscribes. `data` is what the endpoints receive.
create table private.events (
  id uuid primary key default gen_random_uuid(),
  type text not null,
  subject_id uuid not null,
  run int not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index events_age on private.events (created_at);
create index events_subject on private.events (subject_id, created_at, id);
alter table private.events enable row level security;

-- One row per event and endpoint. Sending it again increments `run`.
create table private.event_deliveries (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references private.events (id) on delete cascade,
  endpoint_id uuid not null references private.event_endpoints (id) on delete cascade,
  run int not null default 1,
  -- `held`: the endpoint is paused.
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'held')),
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  unique (event_id, endpoint_id)
);
create index event_deliveries_page on private.event_deliveries (created_at desc, id desc);
create index event_deliveries_endpoint on private.event_deliveries (endpoint_id, created_at desc, id desc);
alter table private.event_deliveries enable row level security;
create trigger enqueue after insert or update of run on private.event_deliveries
  for each row execute function private.enqueue('event_delivery', '14');
create trigger drop_work after delete on private.event_deliveries
  for each row execute function private.drop_work('event_delivery');

-- Writing events

-- Writes an event and its deliveries, or nothing if no endpoint subscribes to its type.
create function private.write_event(p_type text, p_subject uuid, p_run int, p_data jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_event uuid;
  v_endpoints uuid[];
begin
  -- Lock the endpoints, because the deletion of one would make this transaction fail.
  select array_agg(e.id) into v_endpoints
    from (select id from private.event_endpoints where p_type = any (events) order by id for key share) e;
  if v_endpoints is null then return; end if;
  insert into private.events (type, subject_id, run, data) values (p_type, p_subject, p_run, p_data) returning id into v_event;
  insert into private.event_deliveries (event_id, endpoint_id) select v_event, unnest(v_endpoints);
end $$;

create function private.write_spec_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_event('spec.' || new.processing_status, new.id, new.run, (
    select jsonb_build_object('spec_upload_id', new.id, 'document_id', new.document_id, 'run', new.run,
             'status', new.processing_status, 'brand', b.name, 'area', a.name, 'property', new.property_name,
             'file_name', d.file_name, 'sections_count', new.sections_count, 'error_code', new.error_code,
             'error', new.error)
      from public.documents d, public.brands b, public.area_types a
     where d.id = new.document_id and b.id = new.brand_id and a.id = new.area_type_id));
  return null;
end $$;

create trigger write_event after update of processing_status on public.spec_uploads for each row
  when (new.processing_status in ('completed', 'failed')
    and new.processing_status is distinct from old.processing_status)
  execute function private.write_spec_event();

-- The prompt is that of the run's message, or else the job's.
create function private.write_image_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_event('image.' || new.status, new.id, new.run,
    jsonb_build_object('job_id', new.id, 'project_id', new.project_id, 'run', new.run, 'status', new.status,
      'prompt', coalesce((select m.prompt from public.image_runs r join public.image_messages m on m.id = r.message_id
                           where r.job_id = new.id and r.run = new.run), new.prompt),
      'error_code', new.error_code, 'error', new.error));
  return null;
end $$;

create trigger write_event after update of status on public.image_jobs for each row
  when (new.status in ('succeeded', 'failed') and new.status is distinct from old.status)
  execute function private.write_image_event();

create function private.write_export_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_event('export.' || new.status, new.id, new.run,
    jsonb_build_object('job_id', new.id, 'project_id', new.project_id, 'run', new.run, 'status', new.status,
      'page_count', new.page_count, 'size_bytes', new.result_bytes, 'error_code', new.error_code, 'error', new.error));
  return null;
end $$;

create trigger write_event after update of status on public.export_jobs for each row
  when (new.status in ('completed', 'failed') and new.status is distinct from old.status)
  execute function private.write_export_event();

-- Deliveries, for workers

-- Locks the endpoint of a delivery, then the delivery.
create function private.lock_delivery(p_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from private.event_endpoints
    where id = (select endpoint_id from private.event_deliveries where id = p_id) for no key update;
  perform 1 from private.event_deliveries where id = p_id for update;
end $$;

-- Returns whether no earlier event of the same subject is waiting to be delivered to the same endpoint. The events of a
-- subject have the order of their changes, because each change locks the subject.
create function private.is_next_delivery(p_delivery uuid) returns boolean
language sql stable set search_path = '' as $$
  select not exists (
    select 1
      from private.event_deliveries d
      join private.events v on v.id = d.event_id
      join private.events earlier
        on earlier.subject_id = v.subject_id and (earlier.created_at, earlier.id) < (v.created_at, v.id)
      join private.event_deliveries waiting
        on waiting.event_id = earlier.id and waiting.endpoint_id = d.endpoint_id and waiting.state = 'pending'
     where d.id = p_delivery)
$$;

-- Returns null if the run is no longer pending.
create function public.event_to_send(p_delivery uuid, p_run int) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('event_id', v.id, 'type', v.type, 'data', v.data, 'created_at', v.created_at, 'url', e.url,
           'secret', e.secret, 'header_name', e.header_name, 'header_value', e.header_value, 'is_paused', e.paused_at is not null)
    from private.event_deliveries d
    join private.events v on v.id = d.event_id
    join private.event_endpoints e on e.id = d.endpoint_id
   where d.id = p_delivery and d.run = p_run and d.state = 'pending'
$$;

-- Marks a delivery as delivered, and its endpoint as working unless it is paused. Returns false if the lease is lost.
create function public.event_delivered(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items := private.lock_subject(p_id, 'event_delivery');
begin
  if not private.close_item(v_item.id, p_token) then return false; end if;
  update private.event_deliveries set state = 'delivered', reason = null, finished_at = clock_timestamp()
   where id = v_item.subject_id and run = v_item.run;
  update private.event_endpoints set failing_since = null, last_error = null
   where id = (select endpoint_id from private.event_deliveries where id = v_item.subject_id)
     and failing_since is not null and paused_at is null;
  return true;
end $$;

-- Holds a delivery while its endpoint is paused, without using up the attempt. If the endpoint is not paused, makes the
-- item due again and returns false. Returns false if the lease is lost or the delivery is not pending.
create function public.event_held(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items := private.lock_subject(p_id, 'event_delivery');
begin
  if not exists (select 1 from private.event_deliveries d join private.event_endpoints e on e.id = d.endpoint_id
                  where d.id = v_item.subject_id and e.paused_at is not null) then
    perform public.work_release(v_item.id, p_token);
    return false;
  end if;
  update private.work_items
     set state = 'canceled', attempts = greatest(attempts - 1, 0), finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update private.event_deliveries set state = 'held' where id = v_item.subject_id and run = v_item.run and state = 'pending';
  return found;
end $$;

-- Gives up a delivery, and pauses an endpoint that has been failing for a day. Returns false if the run is not pending.
-- The caller must have called `lock_delivery`.
create function private.delivery_failed(p_id uuid, p_run int, p_error text) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_endpoint uuid;
begin
  update private.event_deliveries set state = 'failed', reason = private.plain_reason(p_error), finished_at = v_now
   where id = p_id and run = p_run and state = 'pending' returning endpoint_id into v_endpoint;
  if not found then return false; end if;
  update private.event_endpoints
     set failing_since = coalesce(failing_since, v_now), last_error = private.plain_reason(p_error),
         paused_at = case when failing_since <= v_now - interval '1 day' then coalesce(paused_at, v_now) else paused_at end
   where id = v_endpoint;
  return true;
end $$;

-- Endpoints and deliveries, for administrators

-- outcome: created (with id) | too_many (`p_max`)
create function public.create_event_endpoint(p_name text, p_url text, p_events text[], p_secret text, p_max int,
  p_header_name text default null, p_header_value text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('event_endpoints', 0));
  if (select count(*) from private.event_endpoints) >= p_max then return jsonb_build_object('outcome', 'too_many'); end if;
  insert into private.event_endpoints (name, url, events, secret, header_name, header_value)
  values (p_name, p_url, p_events, p_secret, p_header_name, p_header_value) returning id into v_id;
  return jsonb_build_object('outcome', 'created', 'id', v_id);
end $$;

-- Changes an endpoint. Without `p_header_name`, removes the header. Without `p_header_value`, the header keeps its value.
-- outcome: updated | not_found | no_value (the header would have a name but no value)
create function public.update_event_endpoint(p_id uuid, p_name text, p_events text[], p_header_name text default null,
  p_header_value text default null) returns text
language plpgsql volatile set search_path = '' as $$
begin
  update private.event_endpoints
     set name = p_name, events = p_events, header_name = p_header_name,
         header_value = case when p_header_name is not null then coalesce(p_header_value, header_value) end
   where id = p_id and (p_header_name is null or coalesce(p_header_value, header_value) is not null);
  if found then return 'updated'; end if;
  return case when exists (select 1 from private.event_endpoints where id = p_id) then 'no_value' else 'not_found' end;
end $$;

-- Returns false if the endpoint does not exist.
create function public.delete_event_endpoint(p_id uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  delete from private.event_endpoints where id = p_id;
  return found;
end $$;

-- Resumes a paused endpoint and queues what is held or was given up since it began to fail. Returns the number of
-- deliveries, 0 for an endpoint that is not paused, null for one that does not exist.
create function public.resume_event_endpoint(p_id uuid) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_endpoint private.event_endpoints;
  v_queued int;
begin
  select * into v_endpoint from private.event_endpoints where id = p_id for no key update;
  if not found then return null; end if;
  if v_endpoint.paused_at is null then return 0; end if;
  update private.event_endpoints set paused_at = null, failing_since = null, last_error = null where id = p_id;
  update private.event_deliveries set run = run + 1, state = 'pending', reason = null, finished_at = null
   where endpoint_id = p_id and (state = 'held' or (state = 'failed' and finished_at >= v_endpoint.failing_since));
  get diagnostics v_queued = row_count;
  return v_queued;
end $$;

-- Queues a delivery again.
-- outcome: queued | not_found | pending | paused (the endpoint)
create function public.resend_event_delivery(p_id uuid) returns text
language plpgsql volatile set search_path = '' as $$
declare v_delivery private.event_deliveries;
begin
  perform private.lock_delivery(p_id);
  select * into v_delivery from private.event_deliveries where id = p_id;
  if not found then return 'not_found'; end if;
  if v_delivery.state = 'pending' then return 'pending'; end if;
  if exists (select 1 from private.event_endpoints where id = v_delivery.endpoint_id and paused_at is not null) then
    return 'paused';
  end if;
  update private.event_deliveries set run = run + 1, state = 'pending', reason = null, finished_at = null where id = p_id;
  return 'queued';
end $$;

-- Returns all endpoints without their secrets and header values, oldest first.
create function public.event_endpoints()
returns table (id uuid, name text, url text, events text[], header_name text, failing_since timestamptz, last_error text,
  paused_at timestamptz, created_at timestamptz)
language sql stable set search_path = '' as $$
  select e.id, e.name, e.url, e.events, e.header_name, e.failing_since, e.last_error, e.paused_at, e.created_at
    from private.event_endpoints e order by e.created_at, e.id
$$;

-- The attempts are those of the latest run. `p_trouble` leaves out delivered ones and pending ones without a failed
-- attempt.
create function public.event_deliveries(p_endpoint uuid default null, p_trouble boolean default false,
  p_before timestamptz default null, p_before_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, event_id uuid, type text, subject_id uuid, subject_run int, label text,
  endpoint_id uuid, endpoint_name text, state text, attempts int, reason text, next_attempt_at timestamptz,
  finished_at timestamptz, can_send_again boolean)
language sql stable set search_path = '' as $$
  select d.id, d.created_at, v.id, v.type, v.subject_id, v.run,
         coalesce(v.data ->> 'file_name', left(v.data ->> 'prompt', 120)),
         e.id, e.name, d.state, coalesce(w.attempts, 0), coalesce(d.reason, case when d.state <> 'delivered' then w.last_error end),
         case when d.state = 'pending' and w.attempts > 0 and w.lease_token is null then w.visible_at end,
         d.finished_at, d.state <> 'pending' and e.paused_at is null
    from private.event_deliveries d
    join private.events v on v.id = d.event_id
    join private.event_endpoints e on e.id = d.endpoint_id
    left join private.work_items w on w.kind = 'event_delivery' and w.subject_id = d.id and w.run = d.run
   where (p_endpoint is null or d.endpoint_id = p_endpoint)
     and (not p_trouble or d.state in ('failed', 'held') or w.last_error is not null and d.state = 'pending')
     and (p_before is null or (d.created_at, d.id) < (p_before, p_before_id))
   order by d.created_at desc, d.id desc limit p_limit
$$;
