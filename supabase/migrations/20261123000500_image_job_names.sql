-- Lets image jobs have names, which are shown instead of the first prompt.

alter table public.image_jobs add column name text
  constraint image_jobs_name_check check (name is null or length(name) between 1 and 120);

-- As before, but with the new column `name`.
drop view public.image_job_rows;
create view public.image_job_rows with (security_invoker = true) as
  select j.*, (
    select to_jsonb(c) from (
      select v.id, v.variant_id, v.number, v.path, v.thumb_path, v.meta, v.width, v.height, v.run, v.created_at,
             v.starred_at
        from public.image_variants v where v.job_id = j.id and v.deleted_at is null
       order by v.run desc, v.position limit 1) c) as cover,
    case when j.status = 'queued' then private.image_retrying(j.id, j.run) end as retrying,
    (select s.place from public.image_swaps s where s.id = j.swap_id) as swap_place
    from public.image_jobs j;
revoke all on public.image_job_rows from anon, authenticated;
grant select on public.image_job_rows to anon, authenticated, service_role;

-- Names an image job, or removes its name. Increments `status_seq`, which causes a broadcast, only if the name changes.
-- outcome: renamed | not_found
create function public.rename_image_job(p_job uuid, p_name text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  update public.image_jobs set name = p_name, status_seq = status_seq + 1, updated_at = clock_timestamp()
   where id = p_job and name is distinct from p_name;
  return jsonb_build_object('outcome', 'renamed');
end $$;
revoke execute on function public.rename_image_job(uuid, text) from public, anon, authenticated;
grant execute on function public.rename_image_job(uuid, text) to service_role;
