-- Lets a PDF contain the prompts and seeds of its images.

-- Returns the prompts and seeds of the images at these paths. Leaves out images that were not generated in the project.
create function public.image_origins(p_project uuid, p_paths text[])
returns table (path text, prompt text, seed text)
language sql stable set search_path = '' as $$
  select v.path, m.prompt, left(v.meta ->> 'seed', 100)
    from public.image_variants v
    join public.image_jobs j on j.id = v.job_id
    join public.image_runs r on r.job_id = v.job_id and r.run = v.run
    join public.image_messages m on m.id = r.message_id
   where j.project_id = p_project and v.path = any (p_paths)
   order by v.path
$$;

revoke execute on function public.image_origins(uuid, text[]) from public, anon, authenticated;
grant execute on function public.image_origins(uuid, text[]) to service_role;
