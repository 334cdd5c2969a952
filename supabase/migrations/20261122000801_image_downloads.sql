-- Adds downloads of many images as one ZIP file. `create_image_download` stores the selection and returns the id that
-- the download link contains.

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

-- Prepares a download, which is valid for an hour.
-- outcome: created (with the id) | not_found (all of the images are deleted or not in the project)
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

-- Returns the images of a download in the order in which they were chosen, without those that were deleted or are not
-- in the project. Returns no rows if the download belongs to another user or project, or has expired.
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

alter table private.image_downloads enable row level security;
grant select, insert, delete on private.image_downloads to service_role;
revoke execute on function public.create_image_download(uuid, uuid, uuid[]), public.image_download(uuid, uuid, uuid)
  from public, anon, authenticated;
grant execute on function public.create_image_download(uuid, uuid, uuid[]), public.image_download(uuid, uuid, uuid)
  to service_role;
