-- Who makes a request, and what that account may do: sessions, admins and access tokens.
--
-- A JWT outlives its session and account by up to an hour, so rights follow from rows, never from the JWT alone.

-- Tokens with which scripts act for an account. Only functions that run as their owner use the table.
create table private.access_tokens (
  id uuid primary key default gen_random_uuid(),
  -- The account that the token acts for: its owner's account, or a service account, which has no password.
  account_id uuid not null references auth.users (id) on delete cascade,
  is_service boolean not null default false,
  name text not null check (char_length(name) between 1 and 80),
  role text not null check (role in ('viewer', 'editor', 'owner', 'admin')),
  -- A hash of a hash of the token, whose 256 random bits need no salt.
  key_sha256 text not null unique check (key_sha256 ~ '^[0-9a-f]{64}$'),
  -- The last characters of the token.
  hint text not null check (hint ~ '^[0-9a-f]{4}$'),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz
);
create index access_tokens_account on private.access_tokens (account_id);
create index access_tokens_created_by on private.access_tokens (created_by);
create index access_tokens_page on private.access_tokens (created_at desc, id desc);
alter table private.access_tokens enable row level security;
revoke all on private.access_tokens from service_role;

-- Accounts and sessions

-- Returns whether an account is neither deleted nor banned.
create function private.is_active(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select 1 from auth.users u
     where u.id = p_user and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now()));
end $$;

-- Includes accounts that are not active.
create function private.has_admin_role(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from auth.users u where u.id = p_user and u.raw_app_meta_data ->> 'role' = 'admin');
end $$;

-- The app gives an account for service tokens an unreachable email address.
create function private.is_service_account(p_account auth.users) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(p_account.email like 'service-%@service.invalid', false)
$$;

create function private.is_signed_in(p_user uuid, p_session uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return private.is_active(p_user)
    and exists (select 1 from auth.sessions s where s.id = p_session and s.user_id = p_user);
end $$;

-- Returns null for no JWT, a JWT without `session_id`, or a session that has ended.
create function private.session_account() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_signed_in(auth.uid(), (auth.jwt() ->> 'session_id')::uuid) then return auth.uid(); end if;
  return null;
end $$;

-- Both are false unless `is_signed_in`.
create function public.account_state(p_user uuid, p_session uuid) returns table (is_active boolean, is_admin boolean)
language plpgsql stable security definer set search_path = '' as $$
declare v_is_active boolean := private.is_signed_in(p_user, p_session);
begin
  return query select v_is_active, v_is_active and private.has_admin_role(p_user);
end $$;

-- Access tokens

-- A role includes the rights of lower ranks.
create function private.role_rank(p_role text) returns int
language sql immutable set search_path = '' as $$
  select array_position(array['viewer', 'editor', 'owner', 'admin'], p_role)
$$;

create function private.token_key() returns text
language plpgsql stable set search_path = '' as $$
begin
  return nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-token';
end $$;

-- Returns no row if the token has expired or its account is not active.
create function private.find_token(p_key text) returns setof private.access_tokens
language plpgsql stable set search_path = '' as $$
begin
  -- Most callers have no access token.
  if p_key is null then return; end if;
  return query select * from private.access_tokens t
   where t.key_sha256 = private.key_sha256(p_key) and t.expires_at > now() and private.is_active(t.account_id);
end $$;

-- A person's token gives admin rights only while the person has the admin role.
create function private.is_admin_token(p_token private.access_tokens) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return p_token.role = 'admin' and (p_token.is_service or private.has_admin_role(p_token.account_id));
end $$;

-- Without a valid token, the policies `anon_needs_token` hide all rows.
create function private.has_token() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from private.find_token(private.token_key()));
end $$;
grant execute on function private.has_token to anon;

-- Returns no row if the token is not valid. Records its use, at most once a minute.
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

-- Creates a token for `p_user` or, for admins, a service account. Only admins may give the role `admin`. Deletes the
-- user's tokens that expired over 30 days ago.
-- outcome: created (with id, created_at, expires_at) | not_allowed | too_many (50 valid tokens)
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

-- Deletes a token, of `p_account` if one is given. Returns false if there is none.
create function public.revoke_access_token(p_id uuid, p_account uuid default null) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.access_tokens where id = p_id and (p_account is null or account_id = p_account);
  return found;
end $$;

-- `p_only_valid` leaves out expired tokens and those of inactive accounts. A service token has no `owner_email`.
create function public.list_access_tokens(p_account uuid default null, p_before timestamptz default null,
  p_before_id uuid default null, p_limit int default 20, p_created_by uuid default null, p_is_service boolean default null,
  p_only_valid boolean default false)
returns table (id uuid, is_service boolean, name text, role text, hint text, owner_email text, created_by_email text,
  created_at timestamptz, expires_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.id, t.is_service, t.name, t.role, t.hint, case when not t.is_service then a.email::text end, c.email::text,
         t.created_at, t.expires_at, t.last_used_at
    from private.access_tokens t
    join auth.users a on a.id = t.account_id
    left join auth.users c on c.id = t.created_by
   where (p_account is null or t.account_id = p_account)
     and (p_created_by is null or t.created_by = p_created_by)
     and (p_is_service is null or t.is_service = p_is_service)
     and (not p_only_valid or (t.expires_at > now() and private.is_active(t.account_id)))
     and (p_before is null or (t.created_at, t.id) < (p_before, p_before_id))
   order by t.created_at desc, t.id desc limit p_limit
$$;

-- The caller of the current request

-- Returns the account of the access token or, if the request sent no key, of the session, or null if that is not valid.
create function private.caller_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.token_key() is null then return private.session_account(); end if;
  return (select t.account_id from private.find_token(private.token_key()) t);
end $$;
grant execute on function private.caller_id to anon, authenticated;

-- In a session, both the JWT and the account must have the admin role.
create function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.token_key() is not null then
    return coalesce((select private.is_admin_token(t) from private.find_token(private.token_key()) t), false);
  end if;
  return coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = 'admin', false)
    and private.has_admin_role(private.session_account());
end $$;
grant execute on function private.is_admin to anon, authenticated;
