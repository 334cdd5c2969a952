-- Triggers survive a restart of the workflow service, because temporary failures are retried for at least ten minutes.
-- Once a URL has acknowledged a trigger, a 2xx response from it accepts a trigger only if the response contains an
-- acknowledgment. For the exception, see `trigger_accepted`.

-- The URLs that have acknowledged a trigger.
create table private.workflow_endpoints (
  -- SHA-256 of the URL, which can contain a token.
  url_hash text primary key check (url_hash ~ '^[0-9a-f]{64}$'),
  -- The times of the first and the latest response in the current series of 2xx responses without an acknowledgment. An
  -- acknowledgment ends the series. After five minutes without such a response, the next one begins a new series,
  -- because it belongs to a different restart of the workflow service.
  unacknowledged_since timestamptz,
  unacknowledged_at timestamptz
);

-- Returns whether a 2xx response accepts the trigger. After ten minutes of 2xx responses without an acknowledgment, the
-- URL counts as one that never acknowledges, and any 2xx response from it accepts a trigger. The last attempt of a run
-- comes more than ten minutes after the first, so a URL that stops sending acknowledgments does not make the run fail.
create function public.trigger_accepted(p_url_hash text, p_acknowledged boolean) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_endpoint private.workflow_endpoints;
  v_since timestamptz;
begin
  select * into v_endpoint from private.workflow_endpoints where url_hash = p_url_hash;
  if p_acknowledged then
    -- Write nothing for most triggers, so that concurrent triggers do not wait for each other.
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

-- With the delays of work_failed, 14 attempts take between 11 and 22 minutes.
create or replace trigger enqueue after insert or update of run on public.spec_uploads
  for each row execute function private.enqueue('spec_dispatch', '14');
create or replace trigger enqueue after insert or update of run on public.image_jobs
  for each row execute function private.enqueue('image_dispatch', '14');
update private.work_items set max_attempts = 14
 where state = 'pending' and kind in ('spec_dispatch', 'image_dispatch');

alter table private.workflow_endpoints enable row level security;
grant select, insert, update, delete on private.workflow_endpoints to service_role;
revoke execute on function public.trigger_accepted(text, boolean) from public, anon, authenticated;
grant execute on function public.trigger_accepted(text, boolean) to service_role;
