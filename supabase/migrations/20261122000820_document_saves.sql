-- Notifies everyone who has a project's document open when the document is saved.

create function private.broadcast_document() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object('version', new.version, 'savedBy', new.updated_by), 'document', 'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast after insert or update of version on public.project_pages
  for each row execute function private.broadcast_document();

revoke execute on function private.broadcast_document() from public, anon, authenticated;
