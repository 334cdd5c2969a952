-- Projects and their members. The creator of a project becomes its first owner.

-- outcome: created | idempotency_mismatch
create function public.create_project(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'projects', p_idempotency_key, p_request_sha256);
  v_project public.projects;
begin
  if v_answer is not null then return v_answer; end if;
  insert into public.projects (name, created_by) values (p_name, p_user) returning * into v_project;
  insert into public.project_members (project_id, user_id, role) values (v_project.id, p_user, 'owner');
  v_answer := jsonb_build_object('outcome', 'created', 'id', v_project.id, 'name', v_project.name,
    'created_at', v_project.created_at);
  return private.idempotency_end(p_user, 'projects', p_idempotency_key, v_answer);
end $$;

-- Returns the members of a project with their email addresses, which only service_role may read.
create function public.list_project_members(p_project uuid)
returns table (user_id uuid, email text, role text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select m.user_id, u.email::text, m.role, m.created_at from public.project_members m join auth.users u on u.id = m.user_id
   where m.project_id = p_project order by m.created_at, m.user_id
$$;

-- Returns whether the user is the project's only owner.
create function private.is_last_owner(p_project uuid, p_user uuid) returns boolean
language sql stable set search_path = '' as $$
  select bool_or(user_id = p_user) and not bool_or(user_id <> p_user)
    from public.project_members where project_id = p_project and role = 'owner'
$$;

-- Adds a member or changes a member's role. outcome: set (with the member) | no_account | last_owner
create function public.set_project_member(p_project uuid, p_email text, p_role text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid;
  v_row public.project_members;
begin
  perform 1 from public.projects where id = p_project for update;
  select id into v_user from auth.users where lower(email) = lower(p_email);
  if v_user is null then return jsonb_build_object('outcome', 'no_account'); end if;
  if p_role <> 'owner' and private.is_last_owner(p_project, v_user) then
    return jsonb_build_object('outcome', 'last_owner');
  end if;
  insert into public.project_members (project_id, user_id, role) values (p_project, v_user, p_role)
  on conflict (user_id, project_id) do update set role = excluded.role returning * into v_row;
  return jsonb_build_object('outcome', 'set', 'user_id', v_user, 'created_at', v_row.created_at);
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

revoke execute on function private.is_last_owner(uuid, uuid) from public, anon, authenticated;
grant execute on function private.is_last_owner(uuid, uuid) to service_role;
revoke execute on function public.create_project(uuid, text, text, text), public.list_project_members(uuid),
  public.set_project_member(uuid, text, text), public.remove_project_member(uuid, uuid) from public, anon, authenticated;
grant execute on function public.create_project(uuid, text, text, text), public.list_project_members(uuid),
  public.set_project_member(uuid, text, text), public.remove_project_member(uuid, uuid) to service_role;
