-- Lets a material swap show, for each job, an image with the material that the job started with, even after the job was
-- refined with another material.

-- Returns, for each job of a swap, the first image of the latest run that used the job's material and has images.
-- Deleted images do not count. Later prompts of the job can have other materials. Jobs without such an image are left
-- out.
create function public.swap_covers(p_swap uuid) returns table (job_id uuid, cover jsonb)
language sql stable set search_path = '' as $$
  select j.id, to_jsonb(c)
    from public.image_jobs j
   cross join lateral (
     select v.id, v.variant_id, v.number, v.path, v.thumb_path, v.meta, v.width, v.height, v.run, v.created_at, v.starred_at
       from public.image_variants v
       join public.image_runs r on r.job_id = v.job_id and r.run = v.run
       join public.image_messages m on m.id = r.message_id
      where v.job_id = j.id and v.deleted_at is null
        and (m.material_ids is null
             or private.material_ids_of(m.material_ids, m.material_payload) @> j.material_ids)
      order by v.run desc, v.position limit 1) c
   where j.swap_id = p_swap
$$;

revoke execute on function public.swap_covers(uuid) from public, anon, authenticated;
grant execute on function public.swap_covers(uuid) to service_role;
