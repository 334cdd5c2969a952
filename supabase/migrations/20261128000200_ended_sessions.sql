-- Makes access end when it should: with the session, with a new password, and for service tokens of a disabled person.
--
-- A JWT is valid for up to an hour, even if its session has been deleted by a sign-out, a new password or an
-- administrator. Until now, such a JWT could still read rows and join realtime channels. The functions below are called
-- by all policies and by the functions that users may call.

-- Returns whether a session of this account exists, and the account is neither deleted nor banned.
create function private.is_signed_in(p_user uuid, p_session uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_active(p_user)
    and exists (select 1 from auth.sessions s where s.id = p_session and s.user_id = p_user);
end $$;

-- Returns the account of the current request's JWT, or null if the request has no JWT or its session has ended. A JWT
-- without `session_id`, such as one that was signed for a script, belongs to no session and gives no access.
create function private.session_account() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_signed_in(auth.uid(), (auth.jwt() ->> 'session_id')::uuid) then return auth.uid(); end if;
  return null;
end $$;

-- Returns the account of the current request: that of the access token if a key is sent, otherwise that of the JWT.
-- Returns null if the token is not valid or the session has ended.
create or replace function private.caller_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.token_key() is null then return private.session_account(); end if;
  return (select t.account_id from private.find_token(private.token_key()) t);
end $$;

-- Without an access token, both the JWT and the account must have the admin role.
create or replace function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.token_key() is not null then
    return coalesce((select private.is_admin_token(t) from private.find_token(private.token_key()) t), false);
  end if;
  return coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = 'admin', false)
    and private.has_admin_role(private.session_account());
end $$;

-- Returns the projects of which the caller is a member. For a service token, returns all projects. Leaves out deleted
-- projects.
create or replace function private.my_projects() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
declare v_caller uuid := private.caller_id();
begin
  return query select m.project_id from public.project_members m join public.projects p on p.id = m.project_id
    where m.user_id = v_caller and p.deleted_at is null;
  if (select t.is_service from private.find_token(private.token_key()) t) then
    return query select p.id from public.projects p where p.deleted_at is null;
  end if;
end $$;

-- Everyone who is signed in, or has a valid access token, sees all brands and areas.
alter policy brands_read on public.brands using ((select private.caller_id()) is not null);
alter policy area_types_read on public.area_types using ((select private.caller_id()) is not null);

-- Returns the project with this id, or the project of this image job or export job, with the caller's role in it.
-- Returns no row if there is no such project, if it is deleted, or if the caller may not see it. With `p_burst`, also
-- counts a costly call and returns the milliseconds to wait if there were too many.
create or replace function public.project_access(p_project uuid default null, p_image_job uuid default null,
  p_export_job uuid default null, p_burst int default null, p_interval_ms int default null)
returns table (project_id uuid, role text, wait_ms int)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_project uuid;
  v_role text;
begin
  if private.caller_id() is null then return; end if;
  v_project := coalesce(p_project,
    case when p_image_job is not null then (select j.project_id from public.image_jobs j where j.id = p_image_job) end,
    case when p_export_job is not null then (select e.project_id from public.export_jobs e where e.id = p_export_job) end);
  v_role := private.project_role(private.session_account(),
    coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = 'admin', false), private.token_key(), v_project);
  if v_role is null then return; end if;
  return query select v_project, v_role,
    case when p_burst is null then 0 else private.take_own_start(p_burst, p_interval_ms) end;
end $$;

-- Returns whether the session exists and its account is neither deleted nor banned, and if so, whether the account has
-- the admin role.
drop function public.account_state(uuid, uuid);
create function public.account_state(p_user uuid, p_session uuid) returns table (is_active boolean, is_admin boolean)
language plpgsql stable security definer set search_path = '' as $$
declare v_is_active boolean := private.is_signed_in(p_user, p_session);
begin
  return query select v_is_active, v_is_active and private.has_admin_role(p_user);
end $$;

-- Returns why a caller may not start work in a project. If the caller may, counts the call for the rate limit and
-- returns null. `p_caller` contains `claims_admin` and `token_key` as in `private.project_role`, the `session_id` of a
-- session, the required `role`, and the `burst` and `interval_ms` of the rate limit. If `p_caller` is null, checks and
-- counts nothing, and returns null.
-- outcome: unauthenticated | not_found | forbidden | rate_limited (with the milliseconds to wait)
create or replace function private.refuse_start(p_user uuid, p_caller jsonb, p_project uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_role text;
  v_wait_ms int;
begin
  if p_caller is null then return null; end if;
  if p_caller ->> 'token_key' is null and not private.is_signed_in(p_user, (p_caller ->> 'session_id')::uuid) then
    return jsonb_build_object('outcome', 'unauthenticated');
  end if;
  v_role := private.project_role(p_user, (p_caller ->> 'claims_admin')::boolean, p_caller ->> 'token_key', p_project);
  if v_role is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if not coalesce(private.role_rank(v_role) >= private.role_rank(p_caller ->> 'role'), false) then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  v_wait_ms := public.rate_take('costly:' || p_user, (p_caller ->> 'burst')::int, (p_caller ->> 'interval_ms')::int);
  if v_wait_ms > 0 then return jsonb_build_object('outcome', 'rate_limited', 'wait_ms', v_wait_ms); end if;
  return null;
end $$;

-- Records a new password in the transaction that sets it, however it is set: through the app, at the sign-in service,
-- in the dashboard or by SQL. The sign-in service does not tell the database who sets a password, so the event names
-- the account itself. While a link of the account is claimed, the password is set through this link. Also deletes the
-- other links of the account.
create function private.password_set() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_purpose text := (select l.purpose from private.account_links l
    where l.user_id = new.id and l.claimed_until > clock_timestamp() limit 1);
begin
  delete from private.account_links
   where user_id = new.id and (claimed_until is null or claimed_until <= clock_timestamp());
  perform private.write_audit(
    case v_purpose when 'invitation' then 'account.joined' when 'reset' then 'password.reset' else 'password.changed' end,
    new.id, private.account_label(new.id), null, new.id);
  return null;
end $$;
create trigger password_set after update of encrypted_password on auth.users
  for each row when (new.encrypted_password is distinct from old.encrypted_password)
  execute function private.password_set();
drop function public.password_changed(uuid);

-- Called after a password was set through a link. Deletes all links and sessions of the account, and sets its name if
-- `p_name` is not null.
create or replace function public.finish_account_link(p_key text, p_name text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_account uuid := (select l.user_id from private.account_links l where l.key_sha256 = private.key_sha256(p_key));
begin
  if v_account is null then return; end if;
  delete from private.account_links where user_id = v_account;
  delete from auth.sessions where user_id = v_account;
  if p_name is not null then perform public.set_profile_name(v_account, p_name); end if;
end $$;

-- Returns access tokens, newest first, including expired ones: those of an account, those that an account created, those
-- of services or of people, and only valid ones. A null or false argument sets no limit.
drop function public.list_access_tokens(uuid, timestamptz, uuid, int);
create function public.list_access_tokens(p_account uuid default null, p_before timestamptz default null,
  p_before_id uuid default null, p_limit int default 20, p_created_by uuid default null, p_is_service boolean default null,
  p_only_valid boolean default false)
returns table (id uuid, is_service boolean, name text, role text, hint text, owner_email text, created_by_email text,
  created_at timestamptz, expires_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.id, t.is_service, t.name, t.role, t.hint, case when not t.is_service then a.email::text end, m.email::text,
         t.created_at, t.expires_at, t.last_used_at
    from private.access_tokens t
    join auth.users a on a.id = t.account_id
    left join auth.users m on m.id = t.created_by
   where (p_account is null or t.account_id = p_account)
     and (p_created_by is null or t.created_by = p_created_by)
     and (p_is_service is null or t.is_service = p_is_service)
     and (not p_only_valid or (t.expires_at > now() and private.is_active(t.account_id)))
     and (p_before is null or (t.created_at, t.id) < (p_before, p_before_id))
   order by t.created_at desc, t.id desc limit p_limit
$$;
