-- Projects, their members, and what a caller may do in a project.
--
-- A deleted project is hidden from everyone. An owner can restore it until `remove_deleted_projects` removes it. An
-- archived project is read-only.

create table public.projects (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  deleted_at timestamptz
);
create index projects_page on public.projects (created_at desc, id desc);
create index projects_created_by on public.projects (created_by);
create index projects_archived on public.projects (created_at desc, id desc) where archived_at is not null;
create index projects_deleted_age on public.projects (deleted_at) where deleted_at is not null;
alter table public.projects enable row level security;
grant select on public.projects to anon, authenticated;

-- A project keeps at least one owner, unless the owner's account is deleted.
create table public.project_members (
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'owner')),
  created_at timestamptz not null default now(),
  primary key (user_id, project_id)
);
create index project_members_project on public.project_members (project_id);
alter table public.project_members enable row level security;
grant select on public.project_members to anon, authenticated;

-- Returns the caller's projects, or all for a service token, without deleted ones. Policies compare with the result as
-- an array, which is computed once per query.
create function private.my_projects() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
declare v_caller uuid := private.caller_id();
begin
  return query select m.project_id from public.project_members m join public.projects p on p.id = m.project_id
    where m.user_id = v_caller and p.deleted_at is null;
  if (select t.is_service from private.find_token(private.token_key()) t) then
    return query select p.id from public.projects p where p.deleted_at is null;
  end if;
end $$;
grant execute on function private.my_projects to anon, authenticated;

create policy projects_read on public.projects for select to authenticated, anon
  using (deleted_at is null and ((select private.is_admin()) or id = any (array(select private.my_projects()))));
create policy anon_needs_token on public.projects as restrictive for select to anon
  using ((select private.has_token()));

create policy project_members_read on public.project_members for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.project_members as restrictive for select to anon
  using ((select private.has_token()));

-- outcome: created (with id, name, created_at) | idempotency_mismatch
create function public.create_project(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'projects', p_idempotency_key, p_request_sha256);
  v_project public.projects;
begin
  if v_result is not null then return v_result; end if;
  insert into public.projects (name, created_by) values (p_name, p_user) returning * into v_project;
  insert into public.project_members (project_id, user_id, role) values (v_project.id, p_user, 'owner');
  v_result := jsonb_build_object('outcome', 'created', 'id', v_project.id, 'name', v_project.name,
    'created_at', v_project.created_at);
  return private.idempotency_end(p_user, 'projects', p_idempotency_key, v_result);
end $$;

-- Returns false if the project does not exist or is deleted.
create function public.rename_project(p_project uuid, p_name text) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.projects set name = p_name where id = p_project and deleted_at is null;
  return found;
end $$;

-- Returns false if the project does not exist or is deleted.
create function public.archive_project(p_project uuid, p_archived boolean) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.projects set archived_at = case when p_archived then coalesce(archived_at, now()) end
   where id = p_project and deleted_at is null;
  return found;
end $$;

-- Returns false if the project does not exist or is already deleted.
create function public.delete_project(p_project uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.projects set deleted_at = now() where id = p_project and deleted_at is null;
  return found;
end $$;

-- Returns false unless the project was deleted less than `p_within_s` seconds ago.
create function public.restore_project(p_project uuid, p_within_s int) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.projects set deleted_at = null
   where id = p_project and deleted_at > now() - make_interval(secs => p_within_s);
  return found;
end $$;

-- Removes up to `p_limit` projects that were deleted over `p_age_s` seconds ago, and returns their number. Their files
-- become orphans.
create function public.remove_deleted_projects(p_age_s int, p_limit int) returns int
language sql volatile set search_path = '' as $$
  with removed as (
    delete from public.projects where id = any (array(
      select id from public.projects where deleted_at < now() - make_interval(secs => p_age_s)
       order by deleted_at limit p_limit)) returning 1)
  select count(*)::int from removed
$$;

-- Trigger function that rejects changes in archived and deleted projects. Raises PT409 (HTTP status 409) with the
-- message `project_archived` or `project_deleted`.
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

-- Returns whether the user is the project's only owner. The caller must have locked the project.
create function private.is_last_owner(p_project uuid, p_user uuid) returns boolean
language sql stable set search_path = '' as $$
  select bool_or(user_id = p_user) and not bool_or(user_id <> p_user)
    from public.project_members where project_id = p_project and role = 'owner'
$$;

-- Adds a member, or changes the member's role.
-- outcome: set (with user_id, created_at) | no_account | last_owner
create function public.set_project_member(p_project uuid, p_email text, p_role text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid;
  v_member public.project_members;
begin
  perform 1 from public.projects where id = p_project for update;
  select id into v_user from auth.users where lower(email) = lower(p_email);
  if v_user is null then return jsonb_build_object('outcome', 'no_account'); end if;
  if p_role <> 'owner' and private.is_last_owner(p_project, v_user) then
    return jsonb_build_object('outcome', 'last_owner');
  end if;
  insert into public.project_members (project_id, user_id, role) values (p_project, v_user, p_role)
  on conflict (user_id, project_id) do update set role = excluded.role returning * into v_member;
  return jsonb_build_object('outcome', 'set', 'user_id', v_user, 'created_at', v_member.created_at);
end $$;

-- outcome: removed | not_found | last_owner
create function public.remove_project_member(p_project uuid, p_user uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.projects where id = p_project for update;
  if not exists (select 1 from public.project_members where project_id = p_project and user_id = p_user) then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  if private.is_last_owner(p_project, p_user) then
    return jsonb_build_object('outcome', 'last_owner');
  end if;
  delete from public.project_members where project_id = p_project and user_id = p_user;
  return jsonb_build_object('outcome', 'removed');
end $$;

create function public.list_project_members(p_project uuid)
returns table (user_id uuid, email text, role text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select m.user_id, u.email::text, m.role, m.created_at from public.project_members m join auth.users u on u.id = m.user_id
   where m.project_id = p_project order by m.created_at, m.user_id
$$;

-- Returns the caller's role in a project, or null if the caller has none. An admin is an owner of every project. A
-- service token gives its role in every project, but `owner` instead of `admin`. No access token gives a higher role
-- than its own. Does not check whether the project exists or is deleted.
create function private.project_role(p_project uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_role text;
  v_token private.access_tokens;
begin
  if private.is_admin() then return 'owner'; end if;
  select * into v_token from private.find_token(private.token_key());
  v_role := case when v_token.is_service then 'owner' else (
    select m.role from public.project_members m where m.project_id = p_project and m.user_id = private.caller_id()) end;
  return case when private.role_rank(v_token.role) < private.role_rank(v_role) then v_token.role else v_role end;
end $$;

-- Returns the project with this id, or the project of this image job or export job, with the caller's role in it.
-- Returns no row if there is no such project, if it is deleted, or if the caller has no role in it. With
-- `p_deleted_within_s`, finds only a project that was deleted less than this many seconds ago. Users may call it.
create function public.project_access(p_project uuid default null, p_image_job uuid default null,
  p_export_job uuid default null, p_deleted_within_s int default null) returns table (project_id uuid, role text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.caller_id() is null then return; end if;
  return query
    select p.id, r.role from public.projects p cross join lateral private.project_role(p.id) as r (role)
     where p.id = coalesce(p_project, (select j.project_id from public.image_jobs j where j.id = p_image_job),
             (select e.project_id from public.export_jobs e where e.id = p_export_job))
       and case when p_deleted_within_s is null then p.deleted_at is null
             else p.deleted_at > now() - make_interval(secs => p_deleted_within_s) end
       and r.role is not null;
end $$;
grant execute on function public.project_access to anon, authenticated;

-- Returns a page of the projects that were deleted less than `p_within_s` seconds ago and that the caller can restore,
-- newest first. The page starts after the project that was created at `p_before` and has the id `p_before_id`. Runs
-- with the rights of its owner, because the policy hides deleted projects from the caller. Users may call it.
create function public.list_deleted_projects(p_within_s int, p_limit int, p_before timestamptz default null,
  p_before_id uuid default null) returns table (id uuid, name text, created_at timestamptz, archived_at timestamptz,
  deleted_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select p.id, p.name, p.created_at, p.archived_at, p.deleted_at from public.projects p
   where (select private.caller_id()) is not null and p.deleted_at > now() - make_interval(secs => p_within_s)
     and private.project_role(p.id) = 'owner'
     and (p.created_at, p.id) < (coalesce(p_before, 'infinity'), coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by p.created_at desc, p.id desc limit p_limit
$$;
grant execute on function public.list_deleted_projects to anon, authenticated;

-- Returns what the cards of the given projects show: the time of the last activity (the latest change to a document, or
-- creation of an image job, image, export or the project), the `p_images` newest images, the `p_people` members who
-- joined first, and the total number of members.
create function public.project_cards(p_projects uuid[], p_images int, p_people int)
returns table (project_id uuid, active_at timestamptz, images jsonb, people jsonb, people_count int)
language sql stable security definer set search_path = '' as $$
  select p.id,
         greatest(p.created_at,
           (select max(d.updated_at) from public.project_pages d where d.project_id = p.id and d.deleted_at is null),
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
