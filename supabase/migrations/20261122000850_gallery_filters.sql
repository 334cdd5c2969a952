-- Filters the gallery by time and by material, and lists the materials that a project's images use.

-- Combines the material ids of both arguments. A job or prompt can name a material in its column `material_ids` or in
-- `material_payload`.
create function private.material_ids_of(p_material_ids text[], p_material_payload jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select p_material_ids || array(select m ->> 'id' from jsonb_array_elements(p_material_payload) m where m ? 'id')
$$;
create index image_jobs_materials on public.image_jobs
  using gin (private.material_ids_of(material_ids, material_payload));

drop function public.list_gallery(uuid, boolean, int, boolean, int, uuid, text[], timestamptz, uuid);

-- As before, but also filters by creation time (at or after `p_from` and before `p_to`) and by a material's id
-- (`p_material`).
create function public.list_gallery(p_project uuid, p_deleted boolean, p_deleted_within_s int, p_starred boolean,
  p_limit int, p_created_by uuid default null, p_words text[] default '{}', p_before timestamptz default null,
  p_before_id uuid default null, p_from timestamptz default null, p_to timestamptz default null,
  p_material text default null) returns setof public.gallery_images
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
     and (p_material is null or g.job_id in (
       select j.id from public.image_jobs j
        where j.project_id = p_project
          and private.material_ids_of(j.material_ids, j.material_payload) @> array[p_material]))
     and (g.created_at, g.id) < (coalesce(p_before, 'infinity'), coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by g.created_at desc, g.id desc limit p_limit
$$;

-- Returns the materials of a project's jobs, sorted by name. Ignores jobs that have no images. `name` is the material's
-- most recent name, or its id if it never had a name.
create function public.gallery_materials(p_project uuid, p_limit int) returns table (id text, name text)
language sql stable set search_path = '' as $$
  select latest.id, latest.name from (
    select distinct on (used.id) used.id, coalesce(used.name, used.id) as name
      from public.image_jobs j
     cross join lateral (
       select m ->> 'id' as id, m ->> 'name' as name from jsonb_array_elements(j.material_payload) m where m ? 'id'
       union all
       select named.id, null from unnest(j.material_ids) named (id)) used
     where j.project_id = p_project and exists (select 1 from public.image_variants v where v.job_id = j.id)
     order by used.id, used.name is null, j.created_at desc) latest
   order by lower(latest.name), latest.id limit p_limit
$$;

revoke execute on function private.material_ids_of(text[], jsonb) from public, anon;
grant execute on function private.material_ids_of(text[], jsonb) to service_role;
revoke execute on function
  public.list_gallery(uuid, boolean, int, boolean, int, uuid, text[], timestamptz, uuid, timestamptz, timestamptz, text),
  public.gallery_materials(uuid, int) from public, anon, authenticated;
grant execute on function
  public.list_gallery(uuid, boolean, int, boolean, int, uuid, text[], timestamptz, uuid, timestamptz, timestamptz, text),
  public.gallery_materials(uuid, int) to service_role;
