-- Live updates. A broadcast must not contain more than its receivers may read in the tables. Topics:
--
--   specs            changes of specs, for administrators
--   project:{id}     changes of a project's image jobs, exports and documents
--   image-job:{id}   changes of one image job
--   document:{id}    who has a document open (presence)

-- Returns whether the caller may join a topic. A main document has the id of its project, and may not have a row yet.
create function private.can_read_topic(p_topic text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_admin() then
    return p_topic = 'specs' or p_topic like 'project:%' or p_topic like 'document:%' or p_topic like 'image-job:%';
  end if;
  return case
    when p_topic like 'project:%' then
      substr(p_topic, 9) in (select id::text from private.my_projects() id)
    when p_topic like 'document:%' then
      substr(p_topic, 10) in (select id::text from private.my_projects() id)
      or exists (
        select 1 from public.project_pages d
         where d.id::text = substr(p_topic, 10) and d.deleted_at is null
           and d.project_id in (select private.my_projects()))
    when p_topic like 'image-job:%' then exists (
      select 1 from public.image_jobs j
       where j.id::text = substr(p_topic, 11) and j.project_id in (select private.my_projects()))
    else false end;
end $$;
grant execute on function private.can_read_topic(text) to authenticated;

create policy atelier_topics_read on realtime.messages for select to authenticated
  using (extension = 'broadcast' and (select private.can_read_topic((select realtime.topic()))));

-- Presence contains only user ids. A member could claim the id of another user.
create policy atelier_presence_read on realtime.messages for select to authenticated
  using (extension = 'presence' and (select realtime.topic()) like 'document:%'
    and (select private.can_read_topic((select realtime.topic()))));
create policy atelier_presence_write on realtime.messages for insert to authenticated
  with check (extension = 'presence' and (select realtime.topic()) like 'document:%'
    and (select private.can_read_topic((select realtime.topic()))));

create function private.broadcast_spec() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_spec public.spec_uploads := coalesce(new, old);
begin
  perform realtime.send(
    jsonb_build_object('specUploadId', v_spec.id, 'status', case when tg_op = 'DELETE' then 'deleted' else v_spec.processing_status end,
                       'statusSeq', v_spec.status_seq, 'progress', v_spec.progress),
    'spec', 'specs', true);
  return null;
end $$;
create trigger broadcast after insert or delete or update of status_seq on public.spec_uploads
  for each row execute function private.broadcast_spec();

create function private.broadcast_image_job() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_payload jsonb := jsonb_build_object('jobId', new.id, 'status', new.status, 'statusSeq', new.status_seq, 'run', new.run,
  'progress', new.progress);
begin
  perform realtime.send(v_payload, 'job', 'image-job:' || new.id, true);
  perform realtime.send(v_payload, 'job', 'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast after insert or update of status_seq on public.image_jobs
  for each row execute function private.broadcast_image_job();

create function private.broadcast_export_job() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object('exportJobId', new.id, 'status', new.status, 'statusSeq', new.status_seq,
      'pagesDone', new.pages_done, 'imagesDone', new.images_done, 'imagesTotal', new.images_total),
    'export', 'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast after insert or update of status_seq, pages_done, images_done, images_total
  on public.export_jobs for each row execute function private.broadcast_export_job();

-- Sent for a new version of a document.
create function private.broadcast_document() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object('version', new.version, 'savedBy', new.updated_by, 'documentId', new.id), 'document',
    'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast after insert or update of version on public.project_pages
  for each row execute function private.broadcast_document();

-- Sent when the list of documents changes.
create function private.broadcast_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(jsonb_build_object('documentId', new.id), 'documents', 'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast_list after insert or update of name, archived_at, deleted_at on public.project_pages
  for each row execute function private.broadcast_documents();
