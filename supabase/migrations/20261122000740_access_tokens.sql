-- Access tokens for scripts and other systems. A person's token gives the rights of that person, limited to a role. A
-- service token gives a role in every project. A token works until it expires or is revoked, but only while its account
-- is active.
--
-- A request with an access token has no JWT, so it reaches the database as `anon`. Its header `x-atelier-token`
-- contains a key derived from the token. The functions below identify the caller by this key. `anon` sees no rows if
-- the key is missing, unknown, revoked or expired.

create table private.access_tokens (
  id uuid primary key default gen_random_uuid(),
  -- The account that the token acts for: the account of the token's owner, or a service account. Nobody can sign in to
  -- a service account.
  account_id uuid not null references auth.users (id) on delete cascade,
  is_service boolean not null default false,
  name text not null check (char_length(name) between 1 and 80),
  role text not null check (role in ('viewer', 'editor', 'owner', 'admin')),
  -- A hash of the key, which is itself a hash of the token. A token has 256 random bits, so a hash without a salt is
  -- enough. The index is searched for the hash, so the duration of the lookup reveals nothing about a valid key.
  key_sha256 text not null unique check (key_sha256 ~ '^[0-9a-f]{64}$'),
  -- The last characters of the token, so that people can tell tokens apart.
  hint text not null check (hint ~ '^[0-9a-f]{4}$'),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz
);
create index access_tokens_account on private.access_tokens (account_id);
create index access_tokens_created_by on private.access_tokens (created_by);
create index access_tokens_page on private.access_tokens (created_at desc, id desc);
-- Read and written only by the functions below.
alter table private.access_tokens enable row level security;

create function private.key_sha256(p_key text) returns text
language sql immutable strict set search_path = '' as $$
  select encode(sha256(convert_to(p_key, 'UTF8')), 'hex')
$$;

-- Returns the token with this key if it is valid and its account is active, otherwise no row.
create function private.find_token(p_key text) returns setof private.access_tokens
language sql stable set search_path = '' as $$
  select * from private.access_tokens t
   where t.key_sha256 = private.key_sha256(p_key) and t.expires_at > now() and private.is_active(t.account_id)
$$;

-- Returns whether a token gives admin rights. A service token with the role `admin` always does. A person's token with
-- the role `admin` does only while its owner has the admin role.
create function private.is_admin_token(p_token private.access_tokens) returns boolean
language sql stable set search_path = '' as $$
  select p_token.role = 'admin' and (p_token.is_service or private.has_admin_role(p_token.account_id))
$$;

-- Returns the key sent with the current request, or null if the request uses a session.
create function private.token_key() returns text
language sql stable set search_path = '' as $$
  select nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-token'
$$;

create function private.has_token() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select 1 from private.find_token(private.token_key()))
$$;

-- Returns the account of the current request: the access token's account if a key is sent, otherwise the JWT's.
create function private.caller_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select case when private.token_key() is null then auth.uid()
    else (select t.account_id from private.find_token(private.token_key()) t) end
$$;

-- Without an access token, both the JWT and the account must have the admin role.
create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select case when private.token_key() is null then
    coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = 'admin', false)
      and private.is_active((select auth.uid())) and private.has_admin_role((select auth.uid()))
    else coalesce((select private.is_admin_token(t) from private.find_token(private.token_key()) t), false) end
$$;

-- A service token has its role in every project.
create or replace function private.my_projects() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select m.project_id from public.project_members m
   where m.user_id = (select private.caller_id()) and private.is_active((select private.caller_id()))
  union all
  select p.id from public.projects p
   where (select t.is_service from private.find_token(private.token_key()) t)
$$;

create function private.role_rank(p_role text) returns int
language sql immutable set search_path = '' as $$
  select array_position(array['viewer', 'editor', 'owner', 'admin'], p_role)
$$;

-- Returns the caller's role in a project. `p_role` is the caller's role as a member, or null. With an access token, the
-- result is never higher than the token's role. With a service token, the result is the token's role, or `owner` if the
-- token's role is `admin`.
create function private.own_role(p_role text) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select case when private.role_rank(t.role) < private.role_rank(given.role) then t.role else given.role end
      from private.find_token(private.token_key()) t,
           lateral (select case when t.is_service then 'owner' else p_role end as role) given), p_role)
$$;

create or replace function private.take_own_start(p_burst int, p_interval_ms int) returns int
language sql volatile security definer set search_path = '' as $$
  select public.rate_take('costly:' || private.caller_id(), p_burst, p_interval_ms)
$$;

-- Unlike the earlier version, uses the access token's account and role if the request has a token.
create or replace function public.project_access(p_project uuid default null, p_image_job uuid default null,
  p_export_job uuid default null, p_burst int default null, p_interval_ms int default null)
returns table (project_id uuid, role text, wait_ms int)
language sql volatile security invoker set search_path = '' as $$
  select p.id, case when (select private.is_admin()) then 'owner' else private.own_role(m.role) end,
         case when p_burst is null then 0 else private.take_own_start(p_burst, p_interval_ms) end
    from public.projects p
    left join public.project_members m on m.project_id = p.id and m.user_id = (select private.caller_id())
   where p.id = coalesce(p_project, (select j.project_id from public.image_jobs j where j.id = p_image_job),
                         (select e.project_id from public.export_jobs e where e.id = p_export_job))
$$;

-- Lets `anon` read what `authenticated` may read, under the same policies. The restrictive policy is a second check. It
-- hides all rows from `anon` unless the request has a valid token.
do $$
declare
  v_table text;
  v_policy text;
begin
  foreach v_table in array array['projects', 'project_members', 'brands', 'area_types', 'documents', 'spec_uploads',
    'upload_jobs', 'document_images', 'image_jobs', 'image_messages', 'image_runs', 'image_variants', 'project_pages',
    'export_jobs'] loop
    for v_policy in select policyname from pg_catalog.pg_policies where schemaname = 'public' and tablename = v_table loop
      execute format('alter policy %I on public.%I to authenticated, anon', v_policy, v_table);
    end loop;
    execute format('create policy anon_needs_token on public.%I as restrictive for select to anon
      using ((select private.has_token()))', v_table);
    execute format('grant select on public.%I to anon', v_table);
  end loop;
end $$;
grant select on public.specs, public.image_job_rows to anon;

-- Returns the account of the token with this key, or no row if the token is not valid. Records when the token was last
-- used, at most once a minute. For service_role only.
create function public.use_access_token(p_key text)
returns table (account_id uuid, email text, role text, is_service boolean, is_admin boolean)
language plpgsql volatile security definer set search_path = '' as $$
declare v_token private.access_tokens;
begin
  select * into v_token from private.find_token(p_key);
  if not found then return; end if;
  if v_token.last_used_at is null or v_token.last_used_at < now() - interval '1 minute' then
    update private.access_tokens t set last_used_at = now() where t.id = v_token.id;
  end if;
  return query select v_token.account_id, coalesce(u.email::text, ''), v_token.role, v_token.is_service,
    private.is_admin_token(v_token) from auth.users u where u.id = v_token.account_id;
end $$;

-- Creates a token for `p_account`, which is `p_user` or a service account. Only an admin may create a service token or
-- a token with the role `admin`. outcome: created (with its id, creation and expiry times) | not_allowed | too_many
create function public.create_access_token(p_user uuid, p_account uuid, p_is_service boolean, p_name text, p_role text,
  p_key text, p_hint text, p_days int) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_token private.access_tokens;
begin
  if not private.is_active(p_user) or not (p_is_service or p_account = p_user)
    or ((p_is_service or p_role = 'admin') and not private.has_admin_role(p_user)) then
    return jsonb_build_object('outcome', 'not_allowed');
  end if;
  -- A service token counts toward its creator's limit.
  perform pg_advisory_xact_lock(hashtextextended('access_tokens:' || p_user, 0));
  delete from private.access_tokens where created_by = p_user and expires_at < now() - interval '30 days';
  if (select count(*) from private.access_tokens where created_by = p_user and expires_at > now()) >= 50 then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  insert into private.access_tokens (account_id, is_service, name, role, key_sha256, hint, created_by, expires_at)
  values (p_account, p_is_service, p_name, p_role, private.key_sha256(p_key), p_hint, p_user,
    now() + make_interval(days => p_days))
  returning * into v_token;
  return jsonb_build_object('outcome', 'created', 'id', v_token.id, 'created_at', v_token.created_at,
    'expires_at', v_token.expires_at);
end $$;

-- Returns an account's tokens, or all tokens if `p_account` is null, newest first, including expired ones.
create function public.list_access_tokens(p_account uuid default null, p_before timestamptz default null,
  p_before_id uuid default null, p_limit int default 20)
returns table (id uuid, is_service boolean, name text, role text, hint text, owner_email text, created_by_email text,
  created_at timestamptz, expires_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.id, t.is_service, t.name, t.role, t.hint, case when not t.is_service then a.email::text end, m.email::text,
         t.created_at, t.expires_at, t.last_used_at
    from private.access_tokens t
    join auth.users a on a.id = t.account_id
    left join auth.users m on m.id = t.created_by
   where (p_account is null or t.account_id = p_account)
     and (p_before is null or (t.created_at, t.id) < (p_before, p_before_id))
   order by t.created_at desc, t.id desc limit p_limit
$$;

-- Revokes a token. If an account is given, the token must belong to it. Returns false if there is no such token.
create function public.revoke_access_token(p_id uuid, p_account uuid default null) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.access_tokens where id = p_id and (p_account is null or account_id = p_account);
  return found;
end $$;

revoke execute on all functions in schema private from public, anon;
grant usage on schema private to anon;
grant execute on function private.is_admin(), private.my_projects(), private.has_token(), private.take_own_start(int, int)
  to anon;
grant execute on function private.caller_id(), private.own_role(text) to anon, authenticated, service_role;
grant execute on function public.project_access(uuid, uuid, uuid, int, int), public.spec_counts(text, text, text) to anon;
revoke execute on function public.use_access_token(text),
  public.create_access_token(uuid, uuid, boolean, text, text, text, text, int),
  public.list_access_tokens(uuid, timestamptz, uuid, int),
  public.revoke_access_token(uuid, uuid) from public, anon, authenticated;
grant execute on function public.use_access_token(text),
  public.create_access_token(uuid, uuid, boolean, text, text, text, text, int),
  public.list_access_tokens(uuid, timestamptz, uuid, int),
  public.revoke_access_token(uuid, uuid) to service_role;
