-- Disables share links while their project is deleted, and makes the gallery use the materials of each prompt.

-- As before, but a link does not work while its project is deleted.
create or replace function private.is_live_share(p_link private.share_links) returns boolean
language sql stable set search_path = '' as $$
  select p_link.revoked_at is null and p_link.expires_at > now()
     and exists (select 1 from public.projects p where p.id = p_link.project_id and p.deleted_at is null)
     and (p_link.kind <> 'images' or exists (
       select 1 from public.image_variants v
        where v.project_id = p_link.project_id and v.id = any (p_link.image_ids) and v.deleted_at is null))
$$;

create index image_messages_materials on public.image_messages
  using gin (private.material_ids_of(material_ids, material_payload)) where material_ids is not null;

-- As before, but a prompt's own materials replace those of its job.
create or replace function public.list_gallery(p_project uuid, p_deleted boolean, p_deleted_within_s int,
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

-- Returns the materials of the images in a project, sorted by name. `name` is the material's most recent name, or its
-- id if it never had a name.
create or replace function public.gallery_materials(p_project uuid, p_limit int) returns table (id text, name text)
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
