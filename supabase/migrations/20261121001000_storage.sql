-- Private buckets without any policy: every file goes in through the service side and out through a signed URL.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('specs', 'specs', false, 52428800, array['application/pdf']),
  ('images', 'images', false, 52428800, array['image/png', 'image/jpeg', 'image/webp']),
  ('exports', 'exports', false, null, array['application/pdf'])
on conflict (id) do nothing;

-- Objects that no row names any more, or not yet: what a crash between the file and its row can leave behind, and what a
-- workflow put in place and never reported. An image job may still be corrected for a day, so its files wait longer.
create function public.orphaned_objects(p_min_age_s int default 3600, p_min_output_age_s int default 172800,
  p_limit int default 100) returns table (bucket_id text, name text)
language sql stable security definer set search_path = '' as $$
  select o.bucket_id, o.name from storage.objects o
   where (o.bucket_id = 'specs' and o.created_at < now() - make_interval(secs => p_min_age_s)
          and not exists (select 1 from public.documents d where d.storage_path = 'specs/' || o.name))
      or (o.bucket_id = 'images'
          and o.created_at < now() - make_interval(secs => case when o.name like 'projects/%/jobs/%' then p_min_output_age_s else p_min_age_s end)
          and not exists (select 1 from public.document_images i where i.storage_path = 'images/' || o.name)
          and not exists (select 1 from public.image_variants v where v.path = 'images/' || o.name)
          and not exists (select 1 from public.image_variants v where v.thumb_path = 'images/' || o.name)
          and not exists (select 1 from public.image_jobs j where j.input_image_path = 'images/' || o.name))
      or (o.bucket_id = 'exports' and o.created_at < now() - make_interval(secs => p_min_age_s)
          and not exists (select 1 from public.export_jobs e where e.result_path = 'exports/' || o.name))
   order by o.created_at limit p_limit
$$;

-- Forgets what is only kept for a while: idempotency keys a day, finished work, triggers and callbacks a month.
create function public.forget_old_rows() returns void
language sql volatile set search_path = '' as $$
  delete from private.idempotency_keys where created_at < now() - interval '1 day';
  delete from private.rate_buckets where tat < now() - interval '1 hour';
  delete from private.work_items where state <> 'pending' and finished_at < now() - interval '30 days';
  delete from private.trigger_events where created_at < now() - interval '30 days';
  delete from private.callback_events where received_at < now() - interval '30 days';
$$;

revoke execute on function public.orphaned_objects(int, int, int), public.forget_old_rows() from public, anon, authenticated;
grant execute on function public.orphaned_objects(int, int, int), public.forget_old_rows() to service_role;
