-- Private buckets without any policy: every file goes in through the service side and out through a signed URL.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('specs', 'specs', false, 52428800, array['application/pdf']),
  ('images', 'images', false, 52428800, array['image/png', 'image/jpeg', 'image/webp']),
  ('exports', 'exports', false, null, array['application/pdf'])
on conflict (id) do nothing;

-- Objects that no row names any more, or not yet: what a crash between the file and its row can leave behind, and what a
-- workflow put in place and never reported. An image job may still be corrected for a day, so its files wait longer.
create function public.orphaned_objects(p_min_age_s int, p_min_output_age_s int, p_limit int) returns table (bucket_id text, name text)
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

-- Forgets what is only kept for a while, at most `p_limit` rows of a kind; answers how many it were of the kind
-- that had most, so that the caller knows whether there may be more. The file of a forgotten export has no row any
-- more and goes with the orphans; work that still waits is never forgotten.
create function public.forget_old_rows(p_idempotency_s int, p_rate_s int, p_work_s int, p_exports_s int, p_limit int)
returns int
language sql volatile set search_path = '' as $$
  with keys as (
    delete from private.idempotency_keys where ctid = any (array(
      select ctid from private.idempotency_keys where created_at < now() - make_interval(secs => p_idempotency_s)
       order by created_at limit p_limit)) returning 1),
  buckets as (
    delete from private.rate_buckets where ctid = any (array(
      select ctid from private.rate_buckets where tat < now() - make_interval(secs => p_rate_s)
       order by tat limit p_limit)) returning 1),
  work as (
    delete from private.work_items where id = any (array(
      select id from private.work_items where state <> 'pending' and finished_at < now() - make_interval(secs => p_work_s)
       order by finished_at limit p_limit)) returning 1),
  triggers as (
    delete from private.trigger_events where id = any (array(
      select id from private.trigger_events where created_at < now() - make_interval(secs => p_work_s)
       order by created_at limit p_limit)) returning 1),
  callbacks as (
    delete from private.callback_events where id = any (array(
      select id from private.callback_events where received_at < now() - make_interval(secs => p_work_s)
       order by received_at limit p_limit)) returning 1),
  exports as (
    delete from public.export_jobs where id = any (array(
      select id from public.export_jobs where finished_at < now() - make_interval(secs => p_exports_s)
       order by finished_at limit p_limit)) returning 1)
  select greatest((select count(*) from keys), (select count(*) from buckets), (select count(*) from work),
    (select count(*) from triggers), (select count(*) from callbacks), (select count(*) from exports))::int
$$;

revoke execute on function public.orphaned_objects(int, int, int), public.forget_old_rows(int, int, int, int, int) from public, anon, authenticated;
grant execute on function public.orphaned_objects(int, int, int), public.forget_old_rows(int, int, int, int, int) to service_role;
