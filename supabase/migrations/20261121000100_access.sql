-- Access rules. A user whose token has the role `admin` in its app_metadata claim is an admin. A row in project_members
-- makes a user a member of a project. Users read the tables in `public` under row level security. Only service_role
-- writes to them.

create schema if not exists extensions;
create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to authenticated, service_role;

create function private.is_admin() returns boolean
language sql stable set search_path = '' as $$
  select coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = 'admin', false)
$$;

create table public.projects (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index projects_page on public.projects (created_at desc, id desc);
create index projects_created_by on public.projects (created_by);

create table public.project_members (
  project_id uuid not null references public.projects (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('viewer', 'editor', 'owner')),
  created_at timestamptz not null default now(),
  primary key (user_id, project_id)
);
create index project_members_project on public.project_members (project_id);

-- Returns the ids of the caller's projects. Policies use them as `= any (array(select …))`, so a query evaluates this
-- function once instead of once per row.
create function private.my_projects() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select project_id from public.project_members where user_id = (select auth.uid())
$$;

alter table public.projects enable row level security;
alter table public.project_members enable row level security;
create policy projects_read on public.projects for select to authenticated
  using ((select private.is_admin()) or id = any (array(select private.my_projects())));
create policy project_members_read on public.project_members for select to authenticated
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));

revoke all on public.projects, public.project_members from anon, authenticated;
grant select on public.projects, public.project_members to authenticated;
grant all on public.projects, public.project_members to service_role;
revoke execute on all functions in schema private from public, anon;
grant execute on function private.is_admin(), private.my_projects() to authenticated, service_role;
