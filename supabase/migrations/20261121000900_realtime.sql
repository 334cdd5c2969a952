-- Live updates: private broadcasts that contain only ids, statuses, counters and progress. Clients then fetch the data.

create function private.can_read_topic(p_topic text) returns boolean
language sql stable security definer set search_path = '' as $$
  select case
    when private.is_admin() then p_topic = 'specs' or p_topic like 'project:%' or p_topic like 'image-job:%'
    when p_topic like 'project:%' then
      substr(p_topic, 9) in (select id::text from private.my_projects() id)
    when p_topic like 'image-job:%' then exists (
      select 1 from public.image_jobs j
       where j.id::text = substr(p_topic, 11) and j.project_id in (select private.my_projects()))
    else false end
$$;

create policy atelier_topics_read on realtime.messages for select to authenticated
  using (extension = 'broadcast' and (select private.can_read_topic((select realtime.topic()))));

create function private.broadcast_spec() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_spec public.spec_uploads := coalesce(new, old);
begin
  perform realtime.send(
    jsonb_build_object('specUploadId', v_spec.id, 'status', case when tg_op = 'DELETE' then 'deleted' else v_spec.processing_status end,
                       'statusSeq', v_spec.status_seq),
    'spec', 'specs', true);
  return null;
end $$;
create trigger broadcast after insert or delete or update of status_seq on public.spec_uploads
  for each row execute function private.broadcast_spec();

create function private.broadcast_image_job() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_payload jsonb := jsonb_build_object('jobId', new.id, 'status', new.status, 'statusSeq', new.status_seq, 'run', new.run);
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
    jsonb_build_object('exportJobId', new.id, 'status', new.status, 'statusSeq', new.status_seq, 'pagesDone', new.pages_done),
    'export', 'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast after insert or update of status_seq, pages_done on public.export_jobs
  for each row execute function private.broadcast_export_job();

revoke execute on all functions in schema private from public, anon;
grant execute on function private.can_read_topic(text) to authenticated;
