-- What the workflow service reports. The first result of a run stands; all else is answered and kept as an event.

create table private.callback_events (
  id bigint generated always as identity primary key,
  source text not null check (source in ('spec', 'image')),
  subject_id uuid not null,
  run int,
  status text not null,
  outcome text not null,
  received_at timestamptz not null default now()
);
create index callback_events_subject on private.callback_events (subject_id, id);
create index callback_events_age on private.callback_events (received_at);

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
    -- A failure that we declared ourselves gives way to a genuine late success within a day.
    when p_status = 'completed' and v_spec.error_code in ('timeout', 'unreachable')
      and v_spec.finished_at > now() - interval '24 hours' then 'applied'
    when v_spec.error_code in ('timeout', 'unreachable') then 'late'
    when v_spec.processing_status = p_status then 'duplicate'
    else 'conflict' end;
  if v_outcome = 'applied' then
    perform private.move_spec(p_id, v_run, array['pending', 'processing', 'failed'], p_status,
      case when p_status = 'failed' then 'workflow_failed' end,
      case when p_status = 'failed' then coalesce(p_error, 'The workflow service reported a failure without a reason.') end,
      case when p_status = 'completed' then p_sections end);
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'spec_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome)
  values ('spec', p_id, v_run, p_status, v_outcome);
  return jsonb_build_object('outcome', v_outcome);
end $$;

alter table private.callback_events enable row level security;
grant select, insert, update, delete on private.callback_events to service_role;
grant usage, select on all sequences in schema private to service_role;
revoke execute on function public.apply_spec_callback(uuid, text, int, int, text) from public, anon, authenticated;
grant execute on function public.apply_spec_callback(uuid, text, int, int, text) to service_role;
