-- Lets owners archive and delete projects. The content of an archived project can be read but not changed. A deleted
-- project appears only in the list of deleted projects, from which owners and administrators can restore it for a
-- limited time. In both cases, work that is already queued or running continues, and its callbacks are accepted.

alter table public.projects
  add column archived_at timestamptz,
  -- When the project was deleted. After the retention period, the sweep removes the project and then its files.
  add column deleted_at timestamptz;
create index projects_archived on public.projects (created_at desc, id desc) where archived_at is not null;
create index projects_deleted_age on public.projects (deleted_at) where deleted_at is not null;

-- As before, but without deleted projects. All policies that depend on membership use this function.
create or replace function private.my_projects() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select m.project_id from public.project_members m join public.projects p on p.id = m.project_id
   where m.user_id = (select private.caller_id()) and private.is_active((select private.caller_id()))
     and p.deleted_at is null
  union all
  select p.id from public.projects p
   where p.deleted_at is null and (select t.is_service from private.find_token(private.token_key()) t)
$$;

-- Also hides deleted projects from administrators. `project_access` reads under this policy, so it does not find
-- deleted projects or their jobs.
alter policy projects_read on public.projects
  using (deleted_at is null and ((select private.is_admin()) or id = any (array(select private.my_projects()))));

-- Returns the projects that were deleted less than `p_within_s` seconds ago, each with the caller's role. Leaves out
-- projects in which the caller has no role. An administrator has the role owner in all projects.
create function private.my_deleted_projects(p_within_s int) returns table (id uuid, name text, created_at timestamptz,
  archived_at timestamptz, deleted_at timestamptz, role text)
language sql stable security definer set search_path = '' as $$
  select * from (
    select p.id, p.name, p.created_at, p.archived_at, p.deleted_at,
           case when (select private.is_admin()) then 'owner' else private.own_role(m.role) end as role
      from public.projects p
      left join public.project_members m
        on m.project_id = p.id and m.user_id = (select private.caller_id())
       and private.is_active((select private.caller_id()))
     where p.deleted_at > now() - make_interval(secs => p_within_s)) found
   where found.role is not null
$$;

-- Returns a page of the deleted projects that the caller can restore, newest first. The page starts after the project
-- that was created at `p_before` and has the id `p_before_id`.
create function public.list_deleted_projects(p_within_s int, p_limit int, p_before timestamptz default null,
  p_before_id uuid default null) returns table (id uuid, name text, created_at timestamptz, archived_at timestamptz,
  deleted_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select p.id, p.name, p.created_at, p.archived_at, p.deleted_at from private.my_deleted_projects(p_within_s) p
   where p.role = 'owner'
     and (p.created_at, p.id) < (coalesce(p_before, 'infinity'), coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by p.created_at desc, p.id desc limit p_limit
$$;

-- Does for a deleted project what `project_access` does for other projects. `wait_ms` is always 0.
create function public.deleted_project_access(p_project uuid, p_within_s int)
returns table (project_id uuid, role text, wait_ms int)
language sql stable security definer set search_path = '' as $$
  select p.id, p.role, 0 from private.my_deleted_projects(p_within_s) p where p.id = p_project
$$;

-- Rejects new work in archived and deleted projects, and any change to their content. PostgREST turns PT409 into the
-- HTTP status 409.
create function private.require_open_project() returns trigger
language plpgsql stable set search_path = '' as $$
declare
  v_project uuid;
  v_state text;
begin
  if tg_table_name = 'image_runs' then
    v_project := (select project_id from public.image_jobs where id = new.job_id);
  else
    v_project := new.project_id;
  end if;
  select case when deleted_at is not null then 'deleted' when archived_at is not null then 'archived' end
    into v_state from public.projects where id = v_project;
  if v_state is not null then
    raise exception using errcode = 'PT409', message = 'project_' || v_state;
  end if;
  return new;
end $$;
-- Every generation starts by adding a run, whether for a new job, a message or a retry, so this trigger covers them
-- all.
create trigger require_open_project before insert on public.image_runs
  for each row execute function private.require_open_project();
create trigger require_open_project before update of starred_at, deleted_at on public.image_variants
  for each row execute function private.require_open_project();
create trigger require_open_project before insert on public.document_images
  for each row execute function private.require_open_project();
create trigger require_open_project before insert or update of version on public.project_pages
  for each row execute function private.require_open_project();
create trigger require_open_project before insert on public.export_jobs
  for each row execute function private.require_open_project();

-- Renames a project. Returns false if the project does not exist or is deleted.
create function public.rename_project(p_project uuid, p_name text) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.projects set name = p_name where id = p_project and deleted_at is null;
  return found;
end $$;

-- Archives or unarchives a project. Returns false if the project does not exist or is deleted.
create function public.archive_project(p_project uuid, p_archived boolean) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.projects set archived_at = case when p_archived then coalesce(archived_at, now()) end
   where id = p_project and deleted_at is null;
  return found;
end $$;

-- Deletes a project. `restore_project` brings it back. Returns false if the project does not exist or is already
-- deleted.
create function public.delete_project(p_project uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.projects set deleted_at = now() where id = p_project and deleted_at is null;
  return found;
end $$;

-- Restores a project that was deleted less than `p_within_s` seconds ago. Returns false if there is no such project.
create function public.restore_project(p_project uuid, p_within_s int) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.projects set deleted_at = null
   where id = p_project and deleted_at > now() - make_interval(secs => p_within_s);
  return found;
end $$;

-- Removes at most `p_limit` projects that were deleted more than `p_age_s` seconds ago, with everything in them. Their
-- files become orphans. Returns the number of projects removed.
create function public.remove_deleted_projects(p_age_s int, p_limit int) returns int
language sql volatile set search_path = '' as $$
  with removed as (
    delete from public.projects where id = any (array(
      select id from public.projects where deleted_at < now() - make_interval(secs => p_age_s)
       order by deleted_at limit p_limit)) returning 1)
  select count(*)::int from removed
$$;

-- Returns what the cards of the given projects show: the time of the last activity, the `p_images` newest images, the
-- `p_people` members who joined first, and the total number of members.
create function public.project_cards(p_projects uuid[], p_images int, p_people int)
returns table (project_id uuid, active_at timestamptz, images jsonb, people jsonb, people_count int)
language sql stable security definer set search_path = '' as $$
  select p.id,
         greatest(p.created_at,
           (select d.updated_at from public.project_pages d where d.project_id = p.id),
           (select j.created_at from public.image_jobs j where j.project_id = p.id order by j.created_at desc limit 1),
           (select v.created_at from public.image_variants v where v.project_id = p.id order by v.created_at desc limit 1),
           (select e.created_at from public.export_jobs e where e.project_id = p.id order by e.created_at desc limit 1)),
         coalesce((
           select jsonb_agg(to_jsonb(i) order by i.created_at desc, i.id desc) from (
             select v.id, coalesce(v.thumb_path, v.path) as path, v.created_at from public.image_variants v
              where v.project_id = p.id and v.deleted_at is null
              order by v.created_at desc, v.id desc limit p_images) i), '[]'),
         coalesce((
           select jsonb_agg(jsonb_build_object('user_id', m.user_id, 'email', coalesce(u.email, ''))
                            order by m.created_at, m.user_id)
             from (select o.user_id, o.created_at from public.project_members o where o.project_id = p.id
                    order by o.created_at, o.user_id limit p_people) m
             join auth.users u on u.id = m.user_id), '[]'),
         (select count(*)::int from public.project_members m where m.project_id = p.id)
    from public.projects p where p.id = any (p_projects)
$$;

revoke execute on function private.require_open_project(), private.my_deleted_projects(int) from public, anon;
revoke execute on function public.list_deleted_projects(int, int, timestamptz, uuid),
  public.deleted_project_access(uuid, int) from public;
grant execute on function public.list_deleted_projects(int, int, timestamptz, uuid),
  public.deleted_project_access(uuid, int) to authenticated, anon, service_role;
revoke execute on function public.rename_project(uuid, text), public.archive_project(uuid, boolean),
  public.delete_project(uuid), public.restore_project(uuid, int), public.remove_deleted_projects(int, int),
  public.project_cards(uuid[], int, int) from public, anon, authenticated;
grant execute on function public.rename_project(uuid, text), public.archive_project(uuid, boolean),
  public.delete_project(uuid), public.restore_project(uuid, int), public.remove_deleted_projects(int, int),
  public.project_cards(uuid[], int, int) to service_role;
