-- Adds the archiving, deletion and restoration of projects, and the creation and revocation of share links, to the
-- audit log.

-- As before, but also reports when a project is archived, unarchived, deleted or restored. In the app, only the sweep
-- deletes rows of `projects`, and only if their `deleted_at` is older than the retention period. Other rows can only be
-- deleted directly in SQL.
create or replace function private.audit_project() returns trigger
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
create trigger audit_state after update of archived_at, deleted_at on public.projects
  for each row execute function private.audit_project();

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

revoke execute on function private.audit_share() from public, anon, authenticated;
