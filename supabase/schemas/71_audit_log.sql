-- The audit log, which shows administrators who did what.
--
-- Events are added in the transaction of what they report. They contain no secrets, never change and outlive accounts.
-- Only functions that run as their owner use the table.

create table private.audit_events (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default clock_timestamp(),
  action text not null check (action ~ '^[a-z]+\.[a-z_]+$'),
  -- The account that acted, and its label at that time. Null for a change in SQL.
  actor_id uuid,
  actor text,
  subject_id uuid,
  subject text,
  details text,
  request_id text
);
create index audit_events_page on private.audit_events (created_at desc, id desc);
create index audit_events_actor on private.audit_events (actor_id, created_at desc, id desc);
create index audit_events_action on private.audit_events (action, created_at desc, id desc);
alter table private.audit_events enable row level security;
revoke all on private.audit_events from service_role;

-- Trigger function that raises 42501 unless an event over two years old is deleted.
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

-- Returns the account behind the current statement, or null: the caller or, for the app, the account in the header
-- `x-atelier-actor`. Other roles could put any account there.
create function private.actor_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce(private.caller_id(), case when current_setting('role', true) = 'service_role' then substring(
    nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-actor',
    '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$')::uuid end)
$$;

-- Adds an event. The actor is `actor_id` by default. Cuts texts to 300 characters.
create function private.write_audit(p_action text, p_subject_id uuid, p_subject text, p_details text default null,
  p_actor uuid default null) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.audit_events (action, actor_id, actor, subject_id, subject, details, request_id)
  select p_action, a.id, private.account_label(a.id), p_subject_id, left(p_subject, 300), left(p_details, 300),
         private.request_id()
    from (select coalesce(p_actor, private.actor_id()) as id) a
$$;

-- Deletes up to `p_limit` events over two years old. Returns their number.
create function public.forget_audit_events(p_limit int) returns int
language sql volatile security definer set search_path = '' as $$
  with old as (
    delete from private.audit_events where id = any (array(
      select id from private.audit_events where created_at < now() - interval '2 years' order by created_at limit p_limit))
    returning 1)
  select count(*)::int from old
$$;

-- Events of changed rows

-- The actor of the creation is `created_by`.
create function private.audit_token() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.write_audit('token.created', new.id, new.name, new.role, new.created_by);
  -- Deleting an expired token is cleanup.
  elsif old.expires_at > now() then
    perform private.write_audit('token.revoked', old.id, old.name, old.role);
  end if;
  return null;
end $$;

create trigger audit after insert or delete on private.access_tokens
  for each row execute function private.audit_token();

-- Runs before the deletion, which removes the spec first.
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

-- The argument is `brand` or `area`. `merge_in_list` sets `atelier.merged_into` before it deletes a name that it has
-- merged.
create function private.audit_name() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_target text := nullif(current_setting('atelier.merged_into', true), '');
begin
  perform private.write_audit(tg_argv[0] || case when v_target is null then '.deleted' else '.merged' end, old.id, old.name,
    'into ' || v_target);
  return null;
end $$;

create trigger audit after delete on public.brands for each row execute function private.audit_name('brand');
create trigger audit after delete on public.area_types for each row execute function private.audit_name('area');

-- In the app, only the sweep deletes rows, after `deleted_at` (`project.removed`).
create function private.audit_project() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_action text := case
    when tg_op = 'DELETE' then case when old.deleted_at is null then 'project.deleted' else 'project.removed' end
    when old.deleted_at is null and new.deleted_at is not null then 'project.deleted'
    when old.deleted_at is not null and new.deleted_at is null then 'project.restored'
    when old.archived_at is null and new.archived_at is not null then 'project.archived'
    when old.archived_at is not null and new.archived_at is null then 'project.unarchived'
  end;
begin
  if v_action is not null then perform private.write_audit(v_action, old.id, old.name); end if;
  return null;
end $$;

create trigger audit after delete on public.projects for each row execute function private.audit_project();
create trigger audit_state after update of archived_at, deleted_at on public.projects
  for each row execute function private.audit_project();

create function private.audit_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_member public.project_members := case when tg_op = 'DELETE' then old else new end;
  v_project public.projects;
begin
  select * into v_project from public.projects where id = v_member.project_id;
  -- The deletion of a project has its own event.
  if not found then return null; end if;
  -- The creator becomes the owner in the transaction that creates the project.
  if tg_op = 'INSERT' and v_member.role = 'owner' and v_member.user_id = v_project.created_by
    and v_member.created_at = v_project.created_at then return null; end if;
  if tg_op = 'UPDATE' and new.role = old.role then return null; end if;
  perform private.write_audit(
    case tg_op when 'INSERT' then 'member.added' when 'UPDATE' then 'member.changed' else 'member.removed' end,
    v_member.user_id, private.account_label(v_member.user_id), concat_ws(' · ', v_project.name, v_member.role));
  return null;
end $$;

create trigger audit after insert or update or delete on public.project_members
  for each row execute function private.audit_member();

-- Writes one event per project and statement.
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

-- The actor of the creation is `created_by`.
create function private.audit_share() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_audit(case tg_op when 'INSERT' then 'share.created' else 'share.revoked' end, new.id, new.name,
    concat_ws(' · ', (select p.name from public.projects p where p.id = new.project_id), new.kind),
    case tg_op when 'INSERT' then new.created_by end);
  return null;
end $$;

create trigger audit after insert on private.share_links for each row execute function private.audit_share();
create trigger audit_revoked after update of revoked_at on private.share_links
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function private.audit_share();

-- Reading

-- Returns a page of events. `p_from` and `p_to` are inclusive days in UTC.
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

-- Returns the actors with their latest labels. Skips through the index from actor to actor.
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
