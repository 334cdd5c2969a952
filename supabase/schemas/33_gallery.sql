-- The generated images of a project. A deleted image keeps its row until `remove_deleted_images` removes it, so every
-- list must leave out those with `deleted_at`.

-- The images, even deleted ones, with their prompts. Only the service role may read it.
create view public.gallery_images with (security_invoker = true) as
  select v.id, v.project_id, v.job_id, v.run, v.variant_id, v.number, v.path, v.thumb_path, v.meta, v.width, v.height,
         v.created_at, v.starred_at, v.deleted_at, m.ordinal, m.prompt, m.created_by
    from public.image_variants v
    join public.image_runs r on r.job_id = v.job_id and r.run = v.run
    join public.image_messages m on m.id = r.message_id;

-- Makes a write a permission error, not a server error.
create trigger read_only instead of insert or update or delete on public.gallery_images
  for each row execute function private.refuse_write();

-- Locks the jobs of these images, in the order of their ids to avoid deadlocks. Call it before changing the images.
create function private.lock_jobs_of_images(p_project uuid, p_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.image_jobs j
   where j.id in (select v.job_id from public.image_variants v where v.project_id = p_project and v.id = any (p_ids))
   order by j.id for update;
end $$;

-- outcome: changed (with the ids) | not_found (`p_ids` is null)
create function private.changed_images(p_ids uuid[]) returns jsonb
language sql immutable set search_path = '' as $$
  select case when p_ids is null then jsonb_build_object('outcome', 'not_found')
    else jsonb_build_object('outcome', 'changed', 'ids', p_ids) end
$$;

-- Stars images of a project, or removes their stars, and broadcasts their jobs.
-- outcome: changed (with the ids of the given images that are now in that state) | not_found (there are none)
create function public.star_images(p_project uuid, p_ids uuid[], p_starred boolean) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform private.lock_jobs_of_images(p_project, p_ids);
  with changed as (
    update public.image_variants set starred_at = case when p_starred then clock_timestamp() end
     where project_id = p_project and id = any (p_ids) and deleted_at is null and (starred_at is not null) <> p_starred
    returning job_id)
  update public.image_jobs set status_seq = status_seq + 1 where id in (select job_id from changed);
  return private.changed_images((
    select array_agg(id) from public.image_variants
     where project_id = p_project and id = any (p_ids) and deleted_at is null
       and (starred_at is not null) = p_starred));
end $$;

-- Deletes images of a project, and broadcasts their jobs.
-- outcome: changed (with the ids of the given images that are now deleted) | not_found (there are none)
create function public.delete_images(p_project uuid, p_ids uuid[]) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform private.lock_jobs_of_images(p_project, p_ids);
  with changed as (
    update public.image_variants set deleted_at = clock_timestamp()
     where project_id = p_project and id = any (p_ids) and deleted_at is null
    returning job_id)
  update public.image_jobs set status_seq = status_seq + 1 where id in (select job_id from changed);
  return private.changed_images((
    select array_agg(id) from public.image_variants
     where project_id = p_project and id = any (p_ids) and deleted_at is not null));
end $$;

-- Restores images that were deleted less than `p_within_s` seconds ago, and broadcasts their jobs.
-- outcome: changed (with the ids of the given images that are now not deleted) | not_found (there are none)
create function public.restore_images(p_project uuid, p_ids uuid[], p_within_s int) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform private.lock_jobs_of_images(p_project, p_ids);
  with changed as (
    update public.image_variants set deleted_at = null
     where project_id = p_project and id = any (p_ids) and deleted_at > now() - make_interval(secs => p_within_s)
    returning job_id)
  update public.image_jobs set status_seq = status_seq + 1 where id in (select job_id from changed);
  return private.changed_images((
    select array_agg(id) from public.image_variants
     where project_id = p_project and id = any (p_ids) and deleted_at is null));
end $$;

-- Removes at most `p_limit` images that were deleted more than `p_age_s` seconds ago, and returns their number. Keeps
-- those that a document (its settings contain the masters), a version or a page template of the project shows.
create function public.remove_deleted_images(p_age_s int, p_limit int) returns int
language sql volatile set search_path = '' as $$
  with shown as materialized (
    select distinct p.project_id, found[1] as path from public.project_pages p,
           regexp_matches(p.pages::text || p.cover::text || p.settings::text, '"(images/projects/[^"]+)"', 'g') found
     where p.project_id in (
       select v.project_id from public.image_variants v where v.deleted_at < now() - make_interval(secs => p_age_s))),
  old as materialized (
    select v.id from public.image_variants v
     where v.deleted_at < now() - make_interval(secs => p_age_s)
       and not exists (select 1 from shown s where s.project_id = v.project_id and s.path = v.path)
       and not exists (
         select 1 from private.document_versions d where d.project_id = v.project_id and v.path = any (d.images))
       and not exists (
         select 1 from private.page_templates t where t.project_id = v.project_id and v.path = any (t.images))
     order by v.deleted_at limit p_limit),
  removed as (
    delete from public.image_variants v using old o
     where v.id = o.id
    returning v.job_id, v.run, v.number),
  noted as (
    update public.image_runs r set removed_number = greatest(r.removed_number, m.number)
      from (select job_id, run, max(number) as number from removed group by job_id, run) m
     where r.job_id = m.job_id and r.run = m.run)
  select count(*)::int from removed
$$;

-- Returns a page of a project's images, newest first, after the one created at `p_before` with the id `p_before_id`:
-- with `p_deleted` those deleted less than `p_deleted_within_s` seconds ago, else those not deleted. Their prompts
-- contain each of `p_words`, in any case. `p_to` is exclusive. A prompt's own materials replace those of its job.
create function public.list_gallery(p_project uuid, p_deleted boolean, p_deleted_within_s int,
  p_starred boolean, p_limit int, p_created_by uuid default null, p_words text[] default '{}',
  p_before timestamptz default null, p_before_id uuid default null, p_from timestamptz default null,
  p_to timestamptz default null, p_material text default null) returns setof public.gallery_images
language sql stable set search_path = '' as $$
  select g.* from public.gallery_images g
   where g.project_id = p_project
     and case when p_deleted then g.deleted_at > now() - make_interval(secs => p_deleted_within_s)
              else g.deleted_at is null end
     and (not p_starred or g.starred_at is not null)
     and (p_created_by is null or g.created_by = p_created_by)
     and not exists (select 1 from unnest(p_words) word where strpos(lower(g.prompt), lower(word)) = 0)
     and g.created_at >= coalesce(p_from, '-infinity')
     and g.created_at < coalesce(p_to, 'infinity')
     and (p_material is null or (g.job_id, g.ordinal) in (
       select m.job_id, m.ordinal from public.image_jobs j join public.image_messages m on m.job_id = j.id
        where j.project_id = p_project and m.material_ids is null
          and private.material_ids_of(j.material_ids, j.material_payload) @> array[p_material]
       union all
       select m.job_id, m.ordinal from public.image_messages m
        where m.material_ids is not null
          and private.material_ids_of(m.material_ids, m.material_payload) @> array[p_material]))
     and (g.created_at, g.id) < (coalesce(p_before, 'infinity'), coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by g.created_at desc, g.id desc limit p_limit
$$;

-- Returns the materials of a project's images, sorted by their latest name, or the id of one without a name. A prompt's
-- own materials replace those of its job.
create function public.gallery_materials(p_project uuid, p_limit int) returns table (id text, name text)
language sql stable set search_path = '' as $$
  select latest.id, latest.name from (
    select distinct on (used.id) used.id, coalesce(used.name, used.id) as name
      from public.image_jobs j
      join public.image_messages m on m.job_id = j.id
     cross join lateral (
       select e ->> 'id' as id, e ->> 'name' as name
         from jsonb_array_elements(coalesce(m.material_payload, j.material_payload)) e where e ? 'id'
       union all
       select named.id, null from unnest(coalesce(m.material_ids, j.material_ids)) named (id)) used
     where j.project_id = p_project
       and exists (select 1 from public.image_runs r join public.image_variants v on v.job_id = r.job_id and v.run = r.run
                    where r.message_id = m.id)
     order by used.id, used.name is null, m.created_at desc) latest
   order by lower(latest.name), latest.id limit p_limit
$$;

-- Selections of images to download. Valid for an hour.
create table private.image_downloads (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- Only this user can use the download.
  user_id uuid not null references auth.users (id) on delete cascade,
  image_ids uuid[] not null check (cardinality(image_ids) between 1 and 500),
  created_at timestamptz not null default now()
);
create index image_downloads_project on private.image_downloads (project_id);
create index image_downloads_user on private.image_downloads (user_id);
create index image_downloads_age on private.image_downloads (created_at);

alter table private.image_downloads enable row level security;
-- A selection never changes.
revoke update on private.image_downloads from service_role;

-- Adds a download, and removes those that have expired.
-- outcome: created (with the id) | not_found (the project has none of the images)
create function public.create_image_download(p_user uuid, p_project uuid, p_ids uuid[]) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_id uuid;
begin
  if not exists (select 1 from public.image_variants
                  where project_id = p_project and id = any (p_ids) and deleted_at is null) then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  delete from private.image_downloads where created_at < now() - interval '1 hour';
  insert into private.image_downloads (project_id, user_id, image_ids) values (p_project, p_user, p_ids)
  returning id into v_id;
  return jsonb_build_object('outcome', 'created', 'id', v_id);
end $$;

-- Returns the images of a download that are not deleted, in the order in which they were chosen, or no rows if the
-- download has expired or is of another user or project.
create function public.image_download(p_id uuid, p_user uuid, p_project uuid)
returns table (path text, ordinal int, number int, prompt text, meta jsonb, width int, height int, email text,
  created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select g.path, g.ordinal, g.number, g.prompt, g.meta, g.width, g.height, coalesce(u.email::text, ''), g.created_at
    from private.image_downloads d
    join public.gallery_images g on g.project_id = d.project_id and g.id = any (d.image_ids) and g.deleted_at is null
    left join auth.users u on u.id = g.created_by
   where d.id = p_id and d.user_id = p_user and d.project_id = p_project and d.created_at > now() - interval '1 hour'
   order by array_position(d.image_ids, g.id)
$$;
