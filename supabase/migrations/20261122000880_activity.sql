-- The audit log shows administrators who did what. The triggers below add each event in the transaction of the change
-- that the event reports. Later migrations add more kinds of events. Events never change, contain no secrets, and
-- outlive the accounts that they name.

create table private.audit_events (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default clock_timestamp(),
  action text not null check (action ~ '^[a-z]+\.[a-z_]+$'),
  -- The account that acted, and its email address or service name at that time. Null if the account is unknown, such as
  -- for a change made directly in SQL.
  actor_id uuid,
  actor text,
  -- What the action changed, and its name at that time.
  subject_id uuid,
  subject text,
  details text,
  request_id text
);
create index audit_events_page on private.audit_events (created_at desc, id desc);
create index audit_events_actor on private.audit_events (actor_id, created_at desc, id desc);
create index audit_events_action on private.audit_events (action, created_at desc, id desc);
-- service_role has no privileges on this table, so it can read and add events only through functions.
alter table private.audit_events enable row level security;

-- Makes the log append-only, even for the owner of the table. Events can be deleted only after two years.
create function private.keep_audit_event() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and old.created_at < now() - interval '2 years' then return old; end if;
  raise exception 'the audit log is append-only' using errcode = '42501';
end $$;
create trigger append_only before update or delete on private.audit_events
  for each row execute function private.keep_audit_event();
create trigger no_truncate before truncate on private.audit_events
  for each statement execute function private.keep_audit_event();

-- Returns the account behind the current statement: the caller or, if there is none, the account that the app names in
-- a header. The app sends this header because it calls most functions as service_role.
create function private.actor_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce(private.caller_id(), substring(
    nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-actor',
    '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$')::uuid)
$$;

-- Returns how the log names an account: its email address, or the name of a service.
create function private.account_label(p_account uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case when u.email like 'service-%@service.invalid'
           then coalesce(u.raw_user_meta_data ->> 'name', 'Unnamed') || ' (service)' else u.email::text end
    from auth.users u where u.id = p_account
$$;

create function private.write_audit(p_action text, p_subject_id uuid, p_subject text, p_details text default null,
  p_actor uuid default null) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.audit_events (action, actor_id, actor, subject_id, subject, details, request_id)
  select p_action, a.id, private.account_label(a.id), p_subject_id, left(p_subject, 300), left(p_details, 300),
         private.request_id()
    from (select coalesce(p_actor, private.actor_id()) as id) a
$$;

create function private.audit_token() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.write_audit('token.created', new.id, new.name, new.role, new.created_by);
  -- Deleting an expired token is cleanup, not a revocation.
  elsif old.expires_at > now() then
    perform private.write_audit('token.revoked', old.id, old.name, old.role);
  end if;
  return null;
end $$;
create trigger audit after insert or delete on private.access_tokens
  for each row execute function private.audit_token();

-- Runs before the deletion, because the deletion also removes the spec that belongs to the document.
create function private.audit_spec() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_audit('spec.deleted', s.id, old.file_name,
      concat_ws(' · ', s.brand_name, s.area, s.property_name))
    from public.specs s where s.document_id = old.id;
  return old;
end $$;
create trigger audit before delete on public.documents
  for each row when (old.kind = 'spec') execute function private.audit_spec();

-- `merge_in_list` sets `atelier.merged_into` before it deletes the name that it has merged.
create function private.audit_name() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_into text := nullif(current_setting('atelier.merged_into', true), '');
begin
  perform private.write_audit(tg_argv[0] || case when v_into is null then '.deleted' else '.merged' end, old.id, old.name,
    'into ' || v_into);
  return null;
end $$;
create trigger audit after delete on public.brands for each row execute function private.audit_name('brand');
create trigger audit after delete on public.area_types for each row execute function private.audit_name('area');

create function private.audit_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row public.project_members := case when tg_op = 'DELETE' then old else new end;
  v_project text := (select name from public.projects where id = v_row.project_id);
begin
  -- Deleting a project also removes its members. The deletion has its own event, so write none for the members.
  if v_project is null then return null; end if;
  -- Write no event when the creator of a project becomes its owner.
  if tg_op = 'INSERT' and v_row.user_id = private.actor_id() and v_row.role = 'owner' then return null; end if;
  if tg_op = 'UPDATE' and new.role = old.role then return null; end if;
  perform private.write_audit(
    case tg_op when 'INSERT' then 'member.added' when 'UPDATE' then 'member.changed' else 'member.removed' end,
    v_row.user_id, private.account_label(v_row.user_id), concat_ws(' · ', v_project, v_row.role));
  return null;
end $$;
create trigger audit after insert or update or delete on public.project_members
  for each row execute function private.audit_member();

create function private.audit_project() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_audit('project.deleted', old.id, old.name);
  return null;
end $$;
create trigger audit after delete on public.projects for each row execute function private.audit_project();

-- Writes one event for all images of a project that one statement deletes or restores.
create function private.audit_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_audit(case when c.is_deleted then 'image.deleted' else 'image.restored' end, p.id, p.name,
      c.images || case when c.images = 1 then ' image' else ' images' end)
    from (select n.project_id, n.deleted_at is not null as is_deleted, count(*) as images
            from after_change n join before_change o on o.id = n.id
           where (n.deleted_at is null) <> (o.deleted_at is null) group by 1, 2) c
    join public.projects p on p.id = c.project_id;
  return null;
end $$;
create trigger audit after update on public.image_variants
  referencing old table as before_change new table as after_change
  for each statement execute function private.audit_images();

-- As before, but the audit log records the merge.
create or replace function public.merge_in_list(p_list text, p_name text, p_into text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_from uuid;
  v_into uuid;
  v_name text;
  v_count int;
begin
  if private.name_key(p_name) = private.name_key(p_into) then return jsonb_build_object('outcome', 'same'); end if;
  -- To avoid deadlocks, lock brands and areas before specs, and the rows of each table in the order of their ids.
  -- Uploads and edits that use one of the two brands or areas wait for these locks.
  case p_list
    when 'brands' then
      perform 1 from public.brands
        where name_key in (private.name_key(p_name), private.name_key(p_into)) order by id for update;
      select id into v_from from public.brands where name_key = private.name_key(p_name);
      select id, name into v_into, v_name from public.brands where name_key = private.name_key(p_into);
    when 'areas' then
      perform 1 from public.area_types
        where name_key in (private.name_key(p_name), private.name_key(p_into)) order by id for update;
      select id into v_from from public.area_types where name_key = private.name_key(p_name);
      select id, name into v_into, v_name from public.area_types where name_key = private.name_key(p_into);
  end case;
  if v_from is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_into is null then return jsonb_build_object('outcome', 'unknown_target'); end if;
  perform set_config('atelier.merged_into', v_name, true);
  case p_list
    when 'brands' then
      perform 1 from public.spec_uploads where brand_id = v_from order by id for update;
      update public.spec_uploads set brand_id = v_into where brand_id = v_from;
      get diagnostics v_count = row_count;
      delete from public.brands where id = v_from;
    when 'areas' then
      perform 1 from public.spec_uploads where area_type_id = v_from order by id for update;
      update public.spec_uploads set area_type_id = v_into where area_type_id = v_from;
      get diagnostics v_count = row_count;
      delete from public.area_types where id = v_from;
  end case;
  perform set_config('atelier.merged_into', '', true);
  return jsonb_build_object('outcome', 'merged', 'name', v_name, 'specs', v_count);
end $$;

-- Returns events older than (`p_before`, `p_before_id`), newest first. `p_from` and `p_to` are days in UTC, both
-- inclusive.
create function public.audit_events(p_actor uuid default null, p_action text default null, p_from date default null,
  p_to date default null, p_before timestamptz default null, p_before_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, action text, actor_id uuid, actor text, subject_id uuid, subject text,
  details text, request_id text)
language sql stable security definer set search_path = '' as $$
  select e.id, e.created_at, e.action, e.actor_id, e.actor, e.subject_id, e.subject, e.details, e.request_id
    from private.audit_events e
   where (p_actor is null or e.actor_id = p_actor) and (p_action is null or e.action = p_action)
     and (p_from is null or e.created_at >= p_from::timestamp at time zone 'utc')
     and (p_to is null or e.created_at < (p_to + 1)::timestamp at time zone 'utc')
     and (p_before is null or (e.created_at, e.id) < (p_before, p_before_id))
   order by e.created_at desc, e.id desc limit p_limit
$$;

-- Returns the accounts that appear as actors in the log, each with its latest name. Skips through the index from one
-- account to the next, so the cost depends on the number of accounts, not on the number of events.
create function public.audit_actors() returns table (id uuid, label text)
language sql stable security definer set search_path = '' as $$
  with recursive actors (id) as (
    (select e.actor_id from private.audit_events e where e.actor_id is not null order by e.actor_id limit 1)
    union all
    select (select e.actor_id from private.audit_events e where e.actor_id > a.id order by e.actor_id limit 1)
      from actors a where a.id is not null)
  select a.id, coalesce(latest.actor, 'Deleted account') from actors a
    cross join lateral (select e.actor from private.audit_events e where e.actor_id = a.id
      order by e.created_at desc, e.id desc limit 1) latest
   where a.id is not null order by 2, 1
$$;

-- Deletes at most `p_limit` events that are more than two years old. Returns their number.
create function public.forget_audit_events(p_limit int) returns int
language sql volatile security definer set search_path = '' as $$
  with old as (
    delete from private.audit_events where id = any (array(
      select id from private.audit_events where created_at < now() - interval '2 years' order by created_at limit p_limit))
    returning 1)
  select count(*)::int from old
$$;

revoke execute on all functions in schema private from public;
revoke execute on function private.keep_audit_event(), private.actor_id(), private.account_label(uuid),
  private.write_audit(text, uuid, text, text, uuid), private.audit_token(), private.audit_spec(), private.audit_name(),
  private.audit_member(), private.audit_project(), private.audit_images() from anon, authenticated;
grant execute on function private.write_audit(text, uuid, text, text, uuid) to service_role;
revoke execute on function
  public.audit_events(uuid, text, date, date, timestamptz, uuid, int), public.audit_actors(),
  public.forget_audit_events(int) from public, anon, authenticated;
grant execute on function
  public.audit_events(uuid, text, date, date, timestamptz, uuid, int), public.audit_actors(),
  public.forget_audit_events(int) to service_role;
