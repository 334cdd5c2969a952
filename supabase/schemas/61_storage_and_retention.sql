-- Files, and the removal of files and rows that are no longer needed. `lib/queue/retention.ts` has the periods.

-- A workflow uploads images to `images` under any content type. `checkOutputs` decides by their bytes.
--
-- Without policies, clients and workflows need signed URLs. The PDF of the largest document exceeds the default of 50
-- MB. The global limit of hosted Supabase applies too.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('specs', 'specs', false, 52428800, array['application/pdf']),
  ('images', 'images', false, 52428800, null),
  ('exports', 'exports', false, 2147483648, array['application/pdf']);

-- One row: the last object that `sweep_orphans` checked, in the order of ids.
create table private.orphan_sweep (
  only_one boolean primary key default true check (only_one),
  after uuid not null default '00000000-0000-0000-0000-000000000000'
);
alter table private.orphan_sweep enable row level security;
insert into private.orphan_sweep default values;

-- Checks the next `p_checks` objects and returns { paths: [`bucket/name`], ended }: up to `p_limit` files that no row
-- refers to, which the caller removes, and whether the next call starts over. Every column that holds a path must be in
-- this function, or files in use are removed. Skips objects younger than `p_min_age_s` seconds, or `p_min_output_age_s`
-- for outputs of image jobs, because a late success gives them rows. Concurrent calls take turns.
create function public.sweep_orphans(p_min_age_s int, p_min_output_age_s int, p_checks int, p_limit int) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_after uuid;
  v_last uuid;
  v_ended boolean;
  v_paths jsonb;
begin
  select after into v_after from private.orphan_sweep for update;
  with checked as materialized (
    select o.id, o.bucket_id, o.name, greatest(o.created_at, o.updated_at) as written_at from storage.objects o
     where o.id > v_after order by o.id limit p_checks),
  orphans as materialized (
    select c.id, c.bucket_id || '/' || c.name as path from checked c
     where (c.bucket_id = 'specs' and c.written_at < now() - make_interval(secs => p_min_age_s)
            and not exists (select 1 from public.documents d where d.storage_path = 'specs/' || c.name))
        or (c.bucket_id = 'images'
            and c.written_at < now() - make_interval(secs => case when c.name like 'projects/%/jobs/%' then p_min_output_age_s else p_min_age_s end)
            and not exists (select 1 from public.document_images i where i.storage_path = 'images/' || c.name)
            and not exists (select 1 from public.image_variants v where v.path = 'images/' || c.name)
            and not exists (select 1 from public.image_variants v where v.thumb_path = 'images/' || c.name)
            and not exists (select 1 from public.image_jobs j where j.input_image_path = 'images/' || c.name))
        or (c.bucket_id = 'exports' and c.written_at < now() - make_interval(secs => p_min_age_s)
            and not exists (select 1 from public.export_jobs e where e.result_path = 'exports/' || c.name))
     order by c.id limit p_limit)
  select case when (select count(*) from orphans) = p_limit then (select id from orphans order by id desc limit 1)
              else (select id from checked order by id desc limit 1) end,
         (select count(*) from checked) < p_checks and (select count(*) from orphans) < p_limit,
         (select coalesce(jsonb_agg(path order by id), '[]') from orphans)
    into v_last, v_ended, v_paths;
  update private.orphan_sweep set after = case when v_ended then '00000000-0000-0000-0000-000000000000' else v_last end
   where only_one;
  return jsonb_build_object('paths', v_paths, 'ended', v_ended);
end $$;

-- Deletes rows older than their period in seconds, up to `p_limit` per table, and returns the highest count of a table.
-- Pending work has no `finished_at` and stays. The files of exports become orphans.
create function public.forget_old_rows(p_idempotency_s int, p_rate_s int, p_work_s int, p_exports_s int, p_limit int)
returns int
language plpgsql volatile set search_path = '' as $$
declare
  r record;
  v_count int;
  v_highest int := 0;
begin
  for r in select * from (values
             ('private.idempotency_keys', 'created_at', p_idempotency_s),
             ('private.rate_buckets', 'tat', p_rate_s),
             ('private.work_items', 'finished_at', p_work_s),
             ('private.trigger_events', 'created_at', p_work_s),
             ('private.callback_events', 'received_at', p_work_s),
             ('private.refused_callbacks', 'created_at', p_work_s),
             ('private.events', 'created_at', p_work_s),
             ('public.export_jobs', 'finished_at', p_exports_s)) as periods (table_name, column_name, period_s) loop
    execute format('delete from %1$s where ctid = any (array(select ctid from %1$s
                      where %2$I < now() - make_interval(secs => $1) order by %2$I limit $2))', r.table_name, r.column_name)
      using r.period_s, p_limit;
    get diagnostics v_count = row_count;
    v_highest := greatest(v_highest, v_count);
  end loop;
  return v_highest;
end $$;
