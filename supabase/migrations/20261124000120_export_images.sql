-- Adds image counts to an export's progress. If a document has new photos, an export spends most of its time preparing
-- them.

alter table public.export_jobs
  add column images_done int not null default 0,
  -- 0 until the images of the export have been counted.
  add column images_total int not null default 0;

-- As before, but also stores the image counts. Returns false if another worker has claimed the export or the export has
-- ended, for example because it was canceled.
drop function public.export_progress(bigint, uuid, int);
create function public.export_progress(p_id bigint, p_token uuid, p_pages_done int, p_images_done int default 0,
  p_images_total int default 0) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_job uuid;
begin
  select subject_id into v_job from private.work_items where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  -- Update the row only if a count has grown, because each update is broadcast.
  update public.export_jobs
     set pages_done = greatest(pages_done, p_pages_done), images_done = greatest(images_done, p_images_done),
         images_total = greatest(images_total, p_images_total), updated_at = clock_timestamp()
   where id = v_job and status = 'processing'
     and (pages_done < p_pages_done or images_done < p_images_done or images_total < p_images_total);
  return true;
end $$;
revoke execute on function public.export_progress(bigint, uuid, int, int, int) from public, anon, authenticated;
grant execute on function public.export_progress(bigint, uuid, int, int, int) to service_role;

-- As before, but also sends the image counts.
create or replace function private.broadcast_export_job() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object('exportJobId', new.id, 'status', new.status, 'statusSeq', new.status_seq,
      'pagesDone', new.pages_done, 'imagesDone', new.images_done, 'imagesTotal', new.images_total),
    'export', 'project:' || new.project_id, true);
  return null;
end $$;
drop trigger broadcast on public.export_jobs;
create trigger broadcast after insert or update of status_seq, pages_done, images_done, images_total
  on public.export_jobs for each row execute function private.broadcast_export_job();
