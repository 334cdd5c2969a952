-- Files, and the removal of files and rows that are no longer needed. `lib/queue/retention.ts` has the periods.
--
-- A file exists for a row. Deleting a row leaves its file as an orphan, and the sweep finds the orphans, so every
-- column that holds a path must be in `sweep_orphans`. Otherwise, the sweep removes files that are in use.

-- The buckets are private and have no policies, so only the service role has access. Clients read files, and workflows
-- upload them, through signed URLs. Exports can have 2 GB, because the PDF of the largest possible document exceeds the
-- storage default of 50 MB per file. Supabase's global limit applies too. On hosted Supabase, it is set in the storage
-- settings.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('specs', 'specs', false, 52428800, array['application/pdf']),
  ('images', 'images', false, 52428800, array['image/png', 'image/jpeg', 'image/webp']),
  ('exports', 'exports', false, 2147483648, array['application/pdf']);

-- The last object that the sweep checked. The sweep checks objects in id order. The table has exactly one row. Only
-- `sweep_orphans` uses it, as its owner.
create table private.orphan_sweep (
  only_one boolean primary key default true check (only_one),
  after uuid not null default '00000000-0000-0000-0000-000000000000'
);
alter table private.orphan_sweep enable row level security;
revoke all on private.orphan_sweep from service_role;
insert into private.orphan_sweep default values;

-- Checks the next `p_looks` objects for orphans, which are objects that no row refers to, and returns at most `p_limit`
-- of them: { paths: [`bucket/name`], ended }. `ended` means that the call reached the last object, so the next one
-- starts from the first. The caller removes the files. Ages are in seconds.
--
-- Orphans are files left by a crash before their row was written, files that a workflow uploaded but did not report,
-- and files whose row was deleted. Objects younger than `p_min_age_s` are skipped. For the outputs of image jobs,
-- `p_min_output_age_s` applies instead, because a late success can replace the failure of a job within a day, and the
-- outputs then get rows. The lock on the position makes concurrent sweeps take turns.
create function public.sweep_orphans(p_min_age_s int, p_min_output_age_s int, p_looks int, p_limit int) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_after uuid;
  v_last uuid;
  v_ended boolean;
  v_paths jsonb;
begin
  select after into v_after from private.orphan_sweep for update;
  with seen as materialized (
    select o.id, o.bucket_id, o.name, greatest(o.created_at, o.updated_at) as put_at from storage.objects o
     where o.id > v_after order by o.id limit p_looks),
  orphans as materialized (
    select s.id, s.bucket_id || '/' || s.name as path from seen s
     where (s.bucket_id = 'specs' and s.put_at < now() - make_interval(secs => p_min_age_s)
            and not exists (select 1 from public.documents d where d.storage_path = 'specs/' || s.name))
        or (s.bucket_id = 'images'
            and s.put_at < now() - make_interval(secs => case when s.name like 'projects/%/jobs/%' then p_min_output_age_s else p_min_age_s end)
            and not exists (select 1 from public.document_images i where i.storage_path = 'images/' || s.name)
            and not exists (select 1 from public.image_variants v where v.path = 'images/' || s.name)
            and not exists (select 1 from public.image_variants v where v.thumb_path = 'images/' || s.name)
            and not exists (select 1 from public.image_jobs j where j.input_image_path = 'images/' || s.name))
        or (s.bucket_id = 'exports' and s.put_at < now() - make_interval(secs => p_min_age_s)
            and not exists (select 1 from public.export_jobs e where e.result_path = 'exports/' || s.name))
     order by s.id limit p_limit)
  select case when (select count(*) from orphans) = p_limit then (select id from orphans order by id desc limit 1)
              else (select id from seen order by id desc limit 1) end,
         (select count(*) from seen) < p_looks and (select count(*) from orphans) < p_limit,
         (select coalesce(jsonb_agg(path order by id), '[]') from orphans)
    into v_last, v_ended, v_paths;
  update private.orphan_sweep set after = case when v_ended then '00000000-0000-0000-0000-000000000000' else v_last end
   where only_one;
  return jsonb_build_object('paths', v_paths, 'ended', v_ended);
end $$;

-- Deletes rows past their retention period (in seconds), at most `p_limit` of each kind. Counts the deleted rows of
-- each kind and returns the highest count. If that count equals `p_limit`, more rows may be left. The file of a
-- deleted export becomes an orphan. Pending work is never deleted.
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
  refused as (
    delete from private.refused_callbacks where id = any (array(
      select id from private.refused_callbacks where created_at < now() - make_interval(secs => p_work_s)
       order by created_at limit p_limit)) returning 1),
  events as (
    delete from private.events where id = any (array(
      select id from private.events where created_at < now() - make_interval(secs => p_work_s)
       order by created_at limit p_limit)) returning 1),
  exports as (
    delete from public.export_jobs where id = any (array(
      select id from public.export_jobs where finished_at < now() - make_interval(secs => p_exports_s)
       order by finished_at limit p_limit)) returning 1)
  select greatest((select count(*) from keys), (select count(*) from buckets), (select count(*) from work),
    (select count(*) from triggers), (select count(*) from callbacks), (select count(*) from refused),
    (select count(*) from events), (select count(*) from exports))::int
$$;
