-- Closes two gaps in the audit log.

-- As before, but reads the header `x-atelier-actor` only if the role is service_role, which the app uses. Without this
-- check, a direct caller of PostgREST who has no session or sends an invalid access token could name any account in the
-- header.
create or replace function private.actor_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce(private.caller_id(), case when current_setting('role', true) = 'service_role' then substring(
    nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-actor',
    '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$')::uuid end)
$$;

-- As before, but also reports an administrator who becomes an owner of an existing project.
create or replace function private.audit_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row public.project_members := case when tg_op = 'DELETE' then old else new end;
  v_project public.projects;
begin
  select * into v_project from public.projects where id = v_row.project_id;
  -- Deleting a project also removes its members. The deletion has its own event, so write none for the members.
  if not found then return null; end if;
  -- Write no event when the creator of a project becomes its owner. This happens in the transaction that creates the
  -- project, so both rows have the same time.
  if tg_op = 'INSERT' and v_row.role = 'owner' and v_row.user_id = v_project.created_by
    and v_row.created_at = v_project.created_at then return null; end if;
  if tg_op = 'UPDATE' and new.role = old.role then return null; end if;
  perform private.write_audit(
    case tg_op when 'INSERT' then 'member.added' when 'UPDATE' then 'member.changed' else 'member.removed' end,
    v_row.user_id, private.account_label(v_row.user_id), concat_ws(' · ', v_project.name, v_row.role));
  return null;
end $$;
