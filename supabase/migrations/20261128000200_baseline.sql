-- Written by `npm run schema` from supabase/schemas.

-- Who may use the schemas, and what the API roles may do by default. `public` is the schema of the API. `private` holds
-- what only functions use, and the API does not expose it.
--
-- Users read tables in `public` under row level security and write nothing. The service role, which only the server
-- uses, does the rest. The role `anon` is for requests with an access token (see `private.token_key`); visitors without
-- one see no row and change nothing.

-- Functions refer to tables and functions of later files.
set check_function_bodies = off;

create schema if not exists extensions;
create schema if not exists private;
revoke all on schema private from public;
grant usage on schema private to anon, authenticated, service_role;

-- By default, Supabase lets `anon` and `authenticated` use everything in `public`, and Postgres lets everyone execute
-- every function. Here, each right of a user is granted where its table or function is created.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke execute on functions from anon, authenticated;
alter default privileges in schema private grant select, insert, update, delete on tables to service_role;
alter default privileges in schema private grant usage, select on sequences to service_role;
alter default privileges in schema private grant execute on functions to service_role;

-- What every request needs: idempotency keys, rate limits, and small functions that all other files use.
--
-- Rows here only guard requests. They can be deleted by age without any loss of content.

-- One row per request with an idempotency key. `scope` is what the request creates, and `answer` is the response to the
-- first request with the key.
create table private.idempotency_keys (
  user_id uuid not null,
  scope text not null,
  key text not null,
  request_sha256 text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, scope, key)
);
create index idempotency_keys_age on private.idempotency_keys (created_at);
alter table private.idempotency_keys enable row level security;

-- Returns null if the request has no key or is the first with its key. Returns the stored response if the request
-- repeats the first one, or `idempotency_mismatch` if it differs from the first one. The first request must create its
-- rows in the same transaction as this call. A concurrent repeated request waits here until that transaction has ended.
create function private.idempotency_begin(p_user uuid, p_scope text, p_key text, p_sha256 text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_row private.idempotency_keys;
begin
  if p_key is null then return null; end if;
  insert into private.idempotency_keys (user_id, scope, key, request_sha256)
  values (p_user, p_scope, p_key, p_sha256) on conflict do nothing;
  if found then return null; end if;
  select * into v_row from private.idempotency_keys where user_id = p_user and scope = p_scope and key = p_key;
  if v_row.request_sha256 <> p_sha256 then return jsonb_build_object('outcome', 'idempotency_mismatch'); end if;
  return v_row.answer;
end $$;

-- Returns the response, after storing it if something was created. A rejection is not stored, so the caller can correct
-- the cause and retry with the same key.
create function private.idempotency_end(p_user uuid, p_scope text, p_key text, p_answer jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_key is null then return p_answer; end if;
  if p_answer ->> 'outcome' = 'created' then
    update private.idempotency_keys set answer = p_answer where user_id = p_user and scope = p_scope and key = p_key;
  else
    delete from private.idempotency_keys where user_id = p_user and scope = p_scope and key = p_key;
  end if;
  return p_answer;
end $$;

-- One row per key that requests are counted under. `tat` is the theoretical arrival time of the next request in the
-- generic cell rate algorithm, which needs no other state.
create table private.rate_buckets (key text primary key, tat timestamptz not null);
create index rate_buckets_age on private.rate_buckets (tat);
alter table private.rate_buckets enable row level security;

-- Counts `p_count` requests, or `p_burst` requests if `p_count` is higher. Returns 0 if they are allowed. Otherwise
-- counts nothing and returns the milliseconds to wait. A key allows `p_burst` requests at once and then one every
-- `p_interval_ms`. Raises 22023 if an argument is null or below 1, because such arguments could reset a limit.
create function public.rate_take_many(p_key text, p_count int, p_burst int, p_interval_ms int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_step interval := make_interval(secs => p_interval_ms / 1000.0);
  v_cost interval := v_step * least(p_count, p_burst);
  v_tat timestamptz;
begin
  if p_count is null or p_count < 1 or p_burst is null or p_burst < 1 or p_interval_ms is null or p_interval_ms < 1 then
    raise exception 'the bounds of a rate must be positive' using errcode = '22023';
  end if;
  insert into private.rate_buckets as b (key, tat) values (p_key, v_now + v_cost)
  on conflict (key) do update set tat = greatest(b.tat, v_now) + v_cost
    where greatest(b.tat, v_now) + v_cost <= v_now + v_step * p_burst;
  if found then return 0; end if;
  select tat into v_tat from private.rate_buckets where key = p_key;
  return least(greatest(1, ceil(extract(epoch from (v_tat + v_cost) - (v_now + v_step * p_burst)) * 1000)), 2147483647)::int;
end $$;

-- Counts one request. Returns 0 if it is allowed, otherwise the milliseconds to wait. The bounds are as in
-- `rate_take_many`.
create function public.rate_take(p_key text, p_burst int, p_interval_ms int) returns int
language plpgsql volatile set search_path = '' as $$
begin
  return public.rate_take_many(p_key, 1, p_burst, p_interval_ms);
end $$;

-- Returns the id that the app sent for the request behind the current statement, cut to 80 characters, or null if it
-- sent none.
create function private.request_id() returns text
language plpgsql stable set search_path = '' as $$
begin
  return left(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-request-id', 80);
end $$;

-- Returns the time of the database's clock in milliseconds since 1970. Leases, deadlines and due times are compared
-- with this clock.
create function public.clock_ms() returns double precision
language sql volatile set search_path = '' as $$
  select extract(epoch from clock_timestamp()) * 1000
$$;

-- Returns the SHA-256 hash of a key in lowercase hexadecimal. Tables store only this hash, so their content reveals no
-- valid key.
create function private.key_sha256(p_key text) returns text
language sql immutable strict set search_path = '' as $$
  select encode(sha256(convert_to(p_key, 'UTF8')), 'hex')
$$;

-- Trigger function of read-only views. Raises 42501, which the API reports as a missing permission. Without the
-- trigger, a write to such a view causes a server error.
create function private.refuse_write() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'this is read only' using errcode = '42501';
end $$;

-- Raises an error if one of the texts has more than 4,000 characters. Without it, the API accepts megabytes for a
-- search, a filter or a position in a list.
create function private.require_short(variadic p_texts text[]) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if exists (select 1 from unnest(p_texts) t where char_length(t) > 4000) then
    raise string_data_right_truncation using message = 'A text is longer than 4,000 characters.';
  end if;
end $$;

-- Returns the key by which names are compared. Two names count as the same if they differ only in case, compatibility
-- forms (such as full-width letters), spaces around them or the amount of whitespace between words.
create function private.name_key(p_name text) returns text
language sql immutable strict set search_path = '' as $$
  select lower(regexp_replace(btrim(normalize(p_name, NFKC)), '\s+', ' ', 'g'))
$$;

-- Returns a sort key for a string. It ignores case, sorts by Unicode code points in every collation, and contains only
-- characters that need no quotes in a PostgREST filter. Users need the right to execute it for views that call it.
create function private.sort_key(p_text text) returns text
language sql immutable strict set search_path = '' as $$
  select encode(convert_to(lower(p_text), 'UTF8'), 'hex')
$$;
grant execute on function private.sort_key to anon, authenticated;

-- Converts text to lowercase letters and digits, with one space for each sequence of other characters. Removes accents,
-- and replaces some letters that do not decompose, such as `ø` and `ß`, with their usual substitutes.
create function private.fold_text(p_text text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(
    replace(replace(replace(translate(
      lower(regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f]', '', 'g')),
      'øđłıħðς', 'odlihdσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    '[^[:alnum:]]+', ' ', 'g')
$$;

-- Returns the words of a text, as `fold_text` converts it, for full-text search.
create function private.search_words(p_text text) returns tsvector
language sql immutable strict parallel safe cost 500 set search_path = '' as $$
  select to_tsvector('simple'::regconfig, private.fold_text(p_text))
$$;

-- Who makes a request, and what that account may do: sessions, admins and access tokens.
--
-- A JWT stays valid for up to an hour after its session has ended or its account was deleted or banned. All rights
-- therefore follow from the rows in `auth` and `access_tokens`, and never from the JWT alone.

-- One row per access token, with which a script acts for an account. The role limits what the token gives access to.
-- Only functions read and write the table, with the rights of their owner, so the service role has no rights on it.
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
alter table private.access_tokens enable row level security;
revoke all on private.access_tokens from service_role;

-- Accounts and sessions

-- Returns whether an account exists and is neither deleted nor banned.
create function private.is_active(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select 1 from auth.users u
     where u.id = p_user and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now()));
end $$;

-- Returns whether the account itself has the admin role, whatever its JWT claims. Does not check whether the account is
-- active.
create function private.has_admin_role(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from auth.users u where u.id = p_user and u.raw_app_meta_data ->> 'role' = 'admin');
end $$;

-- Returns whether an account exists only for service tokens. The app gives such an account an email address that nobody
-- can receive mail at.
create function private.is_service_account(p_account auth.users) returns boolean
language sql immutable set search_path = '' as $$
  select coalesce(p_account.email like 'service-%@service.invalid', false)
$$;

-- Returns whether this session of the account exists and the account is active.
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

-- Returns the current rights of an account with this session. Both are false if the session has ended or the account is
-- not active.
create function public.account_state(p_user uuid, p_session uuid) returns table (is_active boolean, is_admin boolean)
language plpgsql stable security definer set search_path = '' as $$
declare v_is_active boolean := private.is_signed_in(p_user, p_session);
begin
  return query select v_is_active, v_is_active and private.has_admin_role(p_user);
end $$;

-- Access tokens

-- Returns the rank of a role, from 1 for `viewer` to 4 for `admin`, or null if there is no such role. A role includes
-- the rights of all roles with a lower rank.
create function private.role_rank(p_role text) returns int
language sql immutable set search_path = '' as $$
  select array_position(array['viewer', 'editor', 'owner', 'admin'], p_role)
$$;

-- Returns the key sent with the current request, or null if the request uses a session.
create function private.token_key() returns text
language plpgsql stable set search_path = '' as $$
begin
  return nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-token';
end $$;

-- Returns the token with this key if it is not expired and its account is active, otherwise no row.
create function private.find_token(p_key text) returns setof private.access_tokens
language plpgsql stable set search_path = '' as $$
begin
  -- Most callers have no access token.
  if p_key is null then return; end if;
  return query select * from private.access_tokens t
   where t.key_sha256 = private.key_sha256(p_key) and t.expires_at > now() and private.is_active(t.account_id);
end $$;

-- Returns whether a token gives admin rights. A service token with the role `admin` always does. A person's token with
-- the role `admin` does only while its owner has the admin role.
create function private.is_admin_token(p_token private.access_tokens) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return p_token.role = 'admin' and (p_token.is_service or private.has_admin_role(p_token.account_id));
end $$;

-- Returns whether the current request has a valid access token. The policies `anon_needs_token` hide all rows from
-- `anon` without one.
create function private.has_token() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from private.find_token(private.token_key()));
end $$;
grant execute on function private.has_token to anon;

-- Returns the account and role of the token with this key, or no row if the token is not valid. Records when the token
-- was last used, at most once a minute.
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
-- a token with the role `admin`. Deletes the user's tokens that expired more than 30 days ago.
-- outcome: created (with its id, creation and expiry times) | not_allowed | too_many (50 valid tokens)
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

-- Deletes a token. If an account is given, the token must act for it. Returns false if there is no such token.
create function public.revoke_access_token(p_id uuid, p_account uuid default null) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.access_tokens where id = p_id and (p_account is null or account_id = p_account);
  return found;
end $$;

-- Returns a page of the tokens that match all given filters, newest first. The page starts after the token that was
-- created at `p_before` and has the id `p_before_id`. Includes expired tokens and those of inactive accounts unless
-- `p_only_valid` is set. `owner_email` is null for a service token.
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

-- The caller of the current request

-- Returns the account of the current request: that of the access token if a key is sent, otherwise that of the JWT.
-- Returns null if the token is not valid or the session has ended.
create function private.caller_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.token_key() is null then return private.session_account(); end if;
  return (select t.account_id from private.find_token(private.token_key()) t);
end $$;
grant execute on function private.caller_id to anon, authenticated;

-- Returns whether the caller has admin rights. Without an access token, both the JWT and the account must have the
-- admin role.
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

-- Returns the caller's role in a project. `p_role` is the caller's role as a member, or null. With an access token, the
-- result is never higher than the token's role. With a service token, the result is the token's role, or `owner` if the
-- token's role is `admin`.
create function private.own_role(p_role text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((
    select case when private.role_rank(t.role) < private.role_rank(given.role) then t.role else given.role end
      from private.find_token(private.token_key()) t,
           lateral (select case when t.is_service then 'owner' else p_role end as role) given), p_role);
end $$;

-- Rate-limits costly work that the caller starts. Returns 0 if the work is allowed, otherwise the milliseconds to wait.
-- A user who calls `project_access` directly can choose the arguments, but they affect only that user's own bucket.
create function private.take_own_start(p_burst int, p_interval_ms int) returns int
language plpgsql volatile security definer set search_path = '' as $$
begin
  return public.rate_take('costly:' || private.caller_id(), p_burst, p_interval_ms);
end $$;

-- Returns null and counts the call for the rate limit if the caller may start work as an admin, otherwise why not.
-- `p_caller` contains the `token_key`, or the `session_id` of a session and whether it `claims_admin`, and the rate
-- limit's `burst` and `interval_ms`. If `p_caller` is null, checks and counts nothing, and returns null.
-- outcome: unauthenticated | forbidden | rate_limited (with the milliseconds to wait)
create function private.refuse_admin_start(p_user uuid, p_caller jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_account record;
  v_is_admin boolean;
  v_wait_ms int;
begin
  if p_caller is null then return null; end if;
  if p_caller ->> 'token_key' is null then
    select * into v_account from public.account_state(p_user, (p_caller ->> 'session_id')::uuid);
    if not v_account.is_active then return jsonb_build_object('outcome', 'unauthenticated'); end if;
    v_is_admin := v_account.is_admin and (p_caller ->> 'claims_admin')::boolean;
  else
    v_is_admin := exists (select 1 from private.find_token(p_caller ->> 'token_key') t where private.is_admin_token(t));
  end if;
  if not coalesce(v_is_admin, false) then return jsonb_build_object('outcome', 'forbidden'); end if;
  v_wait_ms := public.rate_take('costly:' || p_user, (p_caller ->> 'burst')::int, (p_caller ->> 'interval_ms')::int);
  if v_wait_ms > 0 then return jsonb_build_object('outcome', 'rate_limited', 'wait_ms', v_wait_ms); end if;
  return null;
end $$;

-- Brands and areas: two lists of names that specs refer to. In functions that take `p_list`, it is `brands` or `areas`.
--
-- A list contains each name in one spelling only: `name_key` is unique. Everyone who is signed in, or has a valid
-- access token, sees all brands and areas.

-- One row per brand.
create table public.brands (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  name_key text not null generated always as (private.name_key(name)) stored unique,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- The row that this one is being merged into. `continue_merge` moves the specs to that row and then deletes this one.
  merging_into uuid references public.brands (id)
);
create index brands_created_by on public.brands (created_by);
create index brands_words on public.brands using gin (private.search_words(name));
create index brands_sort_key on public.brands (private.sort_key(name));
create index brands_merging on public.brands (merging_into) where merging_into is not null;
alter table public.brands enable row level security;
grant select on public.brands to anon, authenticated;
create policy brands_read on public.brands for select to authenticated, anon
  using ((select private.caller_id()) is not null);
create policy anon_needs_token on public.brands as restrictive for select to anon using ((select private.has_token()));

-- One row per area, such as `Lobby` or `Guest room`.
create table public.area_types (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  name_key text not null generated always as (private.name_key(name)) stored unique,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- The row that this one is being merged into. `continue_merge` moves the specs to that row and then deletes this one.
  merging_into uuid references public.area_types (id)
);
create index area_types_created_by on public.area_types (created_by);
create index area_types_words on public.area_types using gin (private.search_words(name));
create index area_types_merging on public.area_types (merging_into) where merging_into is not null;
alter table public.area_types enable row level security;
grant select on public.area_types to anon, authenticated;
create policy area_types_read on public.area_types for select to authenticated, anon
  using ((select private.caller_id()) is not null);
create policy anon_needs_token on public.area_types as restrictive for select to anon
  using ((select private.has_token()));

-- The brands and areas that were merged into another one. Their keys stay in `spec_words` and stand for the brand or
-- area `into_id`.
create table private.merged_places (
  id uuid primary key,
  into_id uuid not null
);
create index merged_places_into on private.merged_places (into_id);
alter table private.merged_places enable row level security;

-- Deletes the records of merges into a brand or area when that brand or area is deleted.
create function private.drop_merged() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.merged_places where into_id = old.id;
  return null;
end $$;

create trigger drop_merged after delete on public.brands for each row execute function private.drop_merged();
create trigger drop_merged after delete on public.area_types for each row execute function private.drop_merged();

-- Raises PT503 if a brand with this name keeps appearing and disappearing.
-- outcome: created | exists (with the existing spelling) | idempotency_mismatch
create function public.create_brand(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_answer jsonb := private.idempotency_begin(p_user, 'brands', p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  -- Retry, because a conflicting row can be deleted before it is read.
  for attempt in 1..10 loop
    insert into public.brands (name, created_by) values (p_name, p_user) on conflict (name_key) do nothing;
    v_answer := case when found then jsonb_build_object('outcome', 'created', 'name', p_name)
      else (select jsonb_build_object('outcome', 'exists', 'name', name) from public.brands where name_key = private.name_key(p_name)) end;
    exit when v_answer is not null;
  end loop;
  if v_answer is null then raise exception 'the brand appears and disappears' using errcode = 'PT503'; end if;
  return private.idempotency_end(p_user, 'brands', p_idempotency_key, v_answer);
end $$;

-- Raises PT503 if an area with this name keeps appearing and disappearing.
-- outcome: created | exists (with the existing spelling) | idempotency_mismatch
create function public.create_area(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_answer jsonb := private.idempotency_begin(p_user, 'areas', p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  for attempt in 1..10 loop
    insert into public.area_types (name, created_by) values (p_name, p_user) on conflict (name_key) do nothing;
    v_answer := case when found then jsonb_build_object('outcome', 'created', 'name', p_name)
      else (select jsonb_build_object('outcome', 'exists', 'name', name) from public.area_types where name_key = private.name_key(p_name)) end;
    exit when v_answer is not null;
  end loop;
  if v_answer is null then raise exception 'the area appears and disappears' using errcode = 'PT503'; end if;
  return private.idempotency_end(p_user, 'areas', p_idempotency_key, v_answer);
end $$;

-- Adds the names that the list does not contain yet in any spelling. Returns how many names were added and how many
-- existed, counting all spellings of a name as one: { added, existing }
create function public.import_names(p_list text, p_user uuid, p_names text[]) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  -- Sorted, so that two imports insert their names in the same order and cannot deadlock. Of several spellings of a
  -- name, only the first is kept.
  v_names text[] := array(
    select distinct on (private.name_key(n)) n from unnest(p_names) with ordinality as x (n, i)
     order by private.name_key(n), i);
  v_added int;
begin
  case p_list
    when 'brands' then
      insert into public.brands (name, created_by) select unnest(v_names), p_user on conflict (name_key) do nothing;
      get diagnostics v_added = row_count;
    when 'areas' then
      insert into public.area_types (name, created_by) select unnest(v_names), p_user on conflict (name_key) do nothing;
      get diagnostics v_added = row_count;
  end case;
  return jsonb_build_object('added', v_added, 'existing', cardinality(v_names) - v_added);
end $$;

-- Renames a brand or area. A different spelling of its own name is allowed.
-- outcome: renamed | exists (with the existing spelling) | not_found
create function public.rename_in_list(p_list text, p_name text, p_new_name text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_found boolean;
begin
  case p_list
    when 'brands' then
      update public.brands set name = p_new_name where name_key = private.name_key(p_name);
      v_found := found;
    when 'areas' then
      update public.area_types set name = p_new_name where name_key = private.name_key(p_name);
      v_found := found;
  end case;
  return jsonb_build_object('outcome', case when v_found then 'renamed' else 'not_found' end, 'name', p_new_name);
exception when unique_violation then
  return jsonb_build_object('outcome', 'exists', 'name', coalesce(
    case p_list
      when 'brands' then (select name from public.brands where name_key = private.name_key(p_new_name))
      else (select name from public.area_types where name_key = private.name_key(p_new_name))
    end, p_new_name));
end $$;

-- Deletes a brand or area.
-- outcome: deleted | in_use (by a spec, or by a name that is being merged into it) | not_found
create function public.delete_in_list(p_list text, p_name text) returns text
language plpgsql volatile set search_path = '' as $$
begin
  case p_list
    when 'brands' then delete from public.brands where name_key = private.name_key(p_name);
    when 'areas' then delete from public.area_types where name_key = private.name_key(p_name);
  end case;
  return case when found then 'deleted' else 'not_found' end;
exception when foreign_key_violation then
  return 'in_use';
end $$;

-- Moves up to `p_limit` specs, and all other versions of these specs, from the name `p_from` to the name `p_into`. The
-- caller must have locked the row of `p_from`. Returns the number of moved specs, with each version counted.
create function private.move_specs(p_list text, p_from uuid, p_into uuid, p_limit int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_column text := case p_list when 'brands' then 'brand_id' else 'area_type_id' end;
  v_ids uuid[];
  v_count int;
begin
  execute format('select array(
      select u.id from public.spec_uploads u
       where u.series_id in (select s.series_id from public.spec_uploads s where s.%I = $1 limit $2))', v_column)
    into v_ids using p_from, p_limit;
  -- Lock the specs in the order of their ids, as `lock_series` does, to avoid deadlocks.
  perform 1 from public.spec_uploads where id = any (v_ids) order by id for update;
  execute format('update public.spec_uploads set %1$I = $2 where id = any ($3) and %1$I = $1', v_column)
    using p_from, p_into, v_ids;
  get diagnostics v_count = row_count;
  return v_count;
end $$;

-- Moves all specs of `p_name` to `p_into` and deletes `p_name`. If there are more than `p_most` specs, only starts the
-- merge, because moving them in one statement can exceed the statement timeout. `continue_merge` then finishes it.
-- outcome: merged (with the number of specs, and whether the merge is finished) | merging (`p_name` or `p_into` is
-- being merged into another name, or another name into `p_name`) | same | not_found | unknown_target
create function public.merge_in_list(p_list text, p_name text, p_into text, p_most int default 2000) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_names text := case p_list when 'brands' then 'brands' else 'area_types' end;
  v_from record;
  v_into record;
  v_is_merging boolean;
  v_count int;
begin
  if private.name_key(p_name) = private.name_key(p_into) then return jsonb_build_object('outcome', 'same'); end if;
  -- To avoid deadlocks, lock names before specs. Lock names in the order of their ids, and then specs in the order of
  -- theirs. Uploads and edits that use the names wait for the locks on the names.
  execute format('select 1 from public.%I where name_key in ($1, $2) order by id for update', v_names)
    using private.name_key(p_name), private.name_key(p_into);
  execute format('select id, name, merging_into from public.%I where name_key = $1', v_names)
    into v_from using private.name_key(p_name);
  execute format('select id, name, merging_into from public.%I where name_key = $1', v_names)
    into v_into using private.name_key(p_into);
  if v_from.id is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_into.id is null then return jsonb_build_object('outcome', 'unknown_target'); end if;
  execute format('select exists (select 1 from public.%I where merging_into = $1)', v_names)
    into v_is_merging using v_from.id;
  if v_is_merging or v_from.merging_into is not null or v_into.merging_into is not null then
    return jsonb_build_object('outcome', 'merging');
  end if;
  -- In the search index, the key of `p_name` now also stands for `p_into`. `update_search` therefore changes no words
  -- of the moved specs.
  update private.merged_places set into_id = v_into.id where into_id = v_from.id;
  insert into private.merged_places (id, into_id) values (v_from.id, v_into.id);
  execute format('select count(*) from public.spec_uploads where %I = $1',
      case p_list when 'brands' then 'brand_id' else 'area_type_id' end)
    into v_count using v_from.id;
  if v_count > p_most then
    execute format('update public.%I set merging_into = $2 where id = $1', v_names) using v_from.id, v_into.id;
    perform private.write_audit(case p_list when 'brands' then 'brand' else 'area' end || '.merged', v_from.id, v_from.name,
      'into ' || v_into.name);
    return jsonb_build_object('outcome', 'merged', 'name', v_into.name, 'specs', v_count, 'isFinished', false);
  end if;
  perform private.move_specs(p_list, v_from.id, v_into.id, v_count);
  perform set_config('atelier.merged_into', v_into.name, true);
  execute format('delete from public.%I where id = $1', v_names) using v_from.id;
  perform set_config('atelier.merged_into', '', true);
  return jsonb_build_object('outcome', 'merged', 'name', v_into.name, 'specs', v_count, 'isFinished', true);
end $$;

-- Moves a slice of the specs of a merge, or deletes the merged name when it has no specs left. Returns false if there
-- is no merge to continue. A name that another transaction has locked is left for the next call.
create function public.continue_merge(p_limit int) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_list text;
  v_names text;
  v_from uuid;
  v_into uuid;
begin
  foreach v_list in array array['brands', 'areas'] loop
    v_names := case v_list when 'brands' then 'brands' else 'area_types' end;
    execute format('select id, merging_into from public.%I where merging_into is not null order by id limit 1
                      for update skip locked', v_names)
      into v_from, v_into;
    if v_from is not null then
      if private.move_specs(v_list, v_from, v_into, p_limit) = 0 then
        execute format('delete from public.%I where id = $1', v_names) using v_from;
      end if;
      return true;
    end if;
  end loop;
  return false;
end $$;

-- Returns all brands and areas, each with its number of specs and the name that it is being merged into, or null:
-- { brands: [{ name, specs, mergingInto }], areas: [{ name, specs, mergingInto }] }
create function public.catalogue() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'brands', (select coalesce(jsonb_agg(jsonb_build_object('name', b.name, 'specs', coalesce(u.n, 0),
                                           'mergingInto', m.name)), '[]')
      from public.brands b
        left join public.brands m on m.id = b.merging_into
        left join (select t.brand_id, sum(t.n) as n from private.spec_tally t group by 1) u on u.brand_id = b.id),
    'areas', (select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'specs', coalesce(u.n, 0),
                                          'mergingInto', m.name)), '[]')
      from public.area_types a
        left join public.area_types m on m.id = a.merging_into
        left join (select t.area_type_id, sum(t.n) as n from private.spec_tally t group by 1) u on u.area_type_id = a.id))
$$;

-- Returns the id of the brand with this name in any spelling, or null if there is none.
create function public.find_brand(p_name text) returns uuid
language sql stable set search_path = '' as $$
  select id from public.brands where name_key = private.name_key(p_name)
$$;


-- Projects, their members, and what a caller may do in a project.
--
-- A deleted project is invisible to everyone, admins included. Those who own it can restore it until
-- `remove_deleted_projects` removes it. An archived project can be read, but `require_open_project` rejects work in it.

-- One row per project.
create table public.projects (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  -- When the project was deleted. After the retention period, the sweep removes the project and then its files.
  deleted_at timestamptz
);
create index projects_page on public.projects (created_at desc, id desc);
create index projects_created_by on public.projects (created_by);
create index projects_archived on public.projects (created_at desc, id desc) where archived_at is not null;
create index projects_deleted_age on public.projects (deleted_at) where deleted_at is not null;
alter table public.projects enable row level security;
grant select on public.projects to anon, authenticated;

-- One row per member of a project. The functions below keep at least one owner, unless the owner's account is deleted.
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

-- Returns the projects of which the caller is a member. For a service token, returns all projects. Leaves out deleted
-- projects. Policies compare with the result as an array, so that it is computed once per query, not per row.
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

-- Creates a project with the user as its owner.
-- outcome: created (with its id, name and creation time) | idempotency_mismatch
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

-- Returns false if the project does not exist or is deleted.
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

-- Marks a project as deleted. `restore_project` brings it back. Returns false if the project does not exist or is
-- already deleted.
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

-- Trigger function that rejects new work in archived and deleted projects, and any change to their content. Raises
-- PT409 with the message `project_archived` or `project_deleted`. PostgREST turns PT409 into the HTTP status 409.
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

-- Returns whether the user is the project's only owner. The caller must have locked the project's row, so that two
-- owners cannot leave at the same time.
create function private.is_last_owner(p_project uuid, p_user uuid) returns boolean
language sql stable set search_path = '' as $$
  select bool_or(user_id = p_user) and not bool_or(user_id <> p_user)
    from public.project_members where project_id = p_project and role = 'owner'
$$;

-- Adds the account with this email address as a member, or changes the member's role.
-- outcome: set (with the member's id and the time of joining) | no_account | last_owner
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

-- Returns the members of a project in the order in which they joined, with their email addresses, which only the
-- service role may read.
create function public.list_project_members(p_project uuid)
returns table (user_id uuid, email text, role text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select m.user_id, u.email::text, m.role, m.created_at from public.project_members m join auth.users u on u.id = m.user_id
   where m.project_id = p_project order by m.created_at, m.user_id
$$;

-- Returns a user's role in a project, or null if the project is deleted or the user may not see it. `p_claims_admin`
-- says whether the session claims the admin role. `p_key` is the key of an access token or null. With a key, the
-- function ignores `p_user` and `p_claims_admin`, and returns the role of the token's account, but no higher role than
-- the token's. For a service token, it returns the token's role in every project, but `owner` instead of `admin`.
create function private.project_role(p_user uuid, p_claims_admin boolean, p_key text, p_project uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_token private.access_tokens;
  v_role text;
begin
  if not exists (select 1 from public.projects p where p.id = p_project and p.deleted_at is null) then return null; end if;
  if p_key is null then
    if not private.is_active(p_user) then return null; end if;
    if p_claims_admin and private.has_admin_role(p_user) then return 'owner'; end if;
    return (select m.role from public.project_members m where m.project_id = p_project and m.user_id = p_user);
  end if;
  select * into v_token from private.find_token(p_key);
  if not found then return null; end if;
  if private.is_admin_token(v_token) then return 'owner'; end if;
  v_role := case when v_token.is_service then 'owner' else (
    select m.role from public.project_members m where m.project_id = p_project and m.user_id = v_token.account_id) end;
  return case when private.role_rank(v_token.role) < private.role_rank(v_role) then v_token.role else v_role end;
end $$;

-- Returns null and counts the call for the rate limit if the caller may start work in a project, otherwise why not.
-- `p_caller` contains the `token_key`, or the `session_id` of a session and whether it `claims_admin`, the required
-- `role`, and the rate limit's `burst` and `interval_ms`. If it is null, checks and counts nothing, and returns null.
-- outcome: unauthenticated | not_found | forbidden | rate_limited (with the milliseconds to wait)
create function private.refuse_start(p_user uuid, p_caller jsonb, p_project uuid) returns jsonb
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

-- Returns the project with this id, or the project of this image job or export job, with the caller's role in it.
-- Returns no row if there is no such project, if it is deleted, or if the caller may not see it. With `p_burst`, also
-- counts a costly call and returns the milliseconds to wait if there were too many. Users may call it.
create function public.project_access(p_project uuid default null, p_image_job uuid default null,
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
grant execute on function public.project_access to anon, authenticated;

-- Returns the projects that were deleted less than `p_within_s` seconds ago, each with the caller's role. Leaves out
-- projects in which the caller has no role. An admin has the role `owner` in all projects. Runs with the rights of its
-- owner, because the policy hides deleted projects from the caller.
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
-- that was created at `p_before` and has the id `p_before_id`. Users may call it.
create function public.list_deleted_projects(p_within_s int, p_limit int, p_before timestamptz default null,
  p_before_id uuid default null) returns table (id uuid, name text, created_at timestamptz, archived_at timestamptz,
  deleted_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select p.id, p.name, p.created_at, p.archived_at, p.deleted_at from private.my_deleted_projects(p_within_s) p
   where p.role = 'owner'
     and (p.created_at, p.id) < (coalesce(p_before, 'infinity'), coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by p.created_at desc, p.id desc limit p_limit
$$;
grant execute on function public.list_deleted_projects to anon, authenticated;

-- Returns a project that was deleted less than `p_within_s` seconds ago, with the caller's role in it, in the same
-- columns as `project_access`. Returns no row if the caller has no role. `wait_ms` is always 0. Users may call it.
create function public.deleted_project_access(p_project uuid, p_within_s int)
returns table (project_id uuid, role text, wait_ms int)
language sql stable security definer set search_path = '' as $$
  select p.id, p.role, 0 from private.my_deleted_projects(p_within_s) p where p.id = p_project
$$;
grant execute on function public.deleted_project_access to anon, authenticated;

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

-- Specs: the PDFs of brand standards. A spec consists of a document (the file), a spec upload (brand, area, version and
-- status) and one upload job per run.
--
-- Lock order: brands and areas before specs, specs in the order of their ids, and a spec before its document. The
-- API shows these tables to administrators only.

-- Returns the stem of a file name: the name as `fold_text` converts it, without `.pdf` and without what usually differs
-- between versions, such as `v2`, `rev b`, `2026-05-12`, `2026`, `final` and `(1)`. If nothing would be left, removes
-- only `.pdf` and `(1)`. Returns at most the first 500 characters, which fit in an index. The high cost keeps the
-- planner from computing the stem of every document.
create function private.file_stem(p_name text) returns text
language sql immutable strict parallel safe cost 10000 set search_path = '' as $$
  select left(coalesce(nullif(btrim(regexp_replace(regexp_replace(f.name,
      '\m(?:(?:v|ver|version|rev|revision) ?\d{1,3}(?: \d{1,2})?|(?:rev|revision) [a-z]|(?:19|20)\d\d(?: ?[01]\d(?: ?[0-3]\d)?)?|final|draft|copy|new|latest|updated)\M',
      ' ', 'g'), ' +', ' ', 'g')), ''), f.name), 500)
    from (select btrim(private.fold_text(regexp_replace(regexp_replace(p_name, '\.pdf$', '', 'i'), '\s*\(\d+\)\s*$', '')))
            as name) f
$$;

-- One row per file of a spec. Deleting the row deletes the spec, but not the file in storage.
create table public.documents (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('spec')),
  storage_path text not null unique,
  file_name text not null check (char_length(file_name) between 1 and 255),
  size_bytes bigint not null check (size_bytes between 1 and 52428800),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- A copy of `spec_uploads.processing_status`.
  processing_status text not null default 'pending'
    check (processing_status in ('pending', 'processing', 'completed', 'failed')),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Whether the PDF has an owner password. Such a PDF opens without a password, but may restrict printing or editing.
  is_protected boolean not null default false,
  -- The state of reading the text. `none` means that the PDF contains no text, and `failed` means that the PDF could
  -- not be read.
  text_state text not null default 'pending' check (text_state in ('pending', 'done', 'none', 'failed'))
);
create index documents_created_by on public.documents (created_by);
create index documents_file_key on public.documents (private.sort_key(file_name));
create index documents_stem on public.documents (private.file_stem(file_name)) where kind = 'spec';
alter table public.documents enable row level security;
grant select on public.documents to anon, authenticated;
create policy documents_read on public.documents for select to authenticated, anon using ((select private.is_admin()));
create policy anon_needs_token on public.documents as restrictive for select to anon
  using ((select private.has_token()));

-- One row per spec. All versions of a series have the same brand, area and property, and exactly one is current.
create table public.spec_uploads (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null unique references public.documents (id) on delete cascade,
  brand_id uuid not null references public.brands (id),
  area_type_id uuid not null references public.area_types (id),
  property_name text check (char_length(property_name) between 1 and 120),
  -- A copy of `documents.sha256`.
  sha256 text not null,
  processing_status text not null default 'pending'
    check (processing_status in ('pending', 'processing', 'completed', 'failed')),
  -- Goes up with each visible change, which causes a broadcast.
  status_seq bigint not null default 1,
  -- The number of the current run. A higher number puts the run in the queue.
  run int not null default 1 check (run >= 1),
  -- The number of sections that the workflow service reported. Null unless the current run is completed.
  sections_count int check (sections_count >= 0),
  error_code text,
  error text,
  -- When a run that is still `processing` fails because no result has arrived.
  deadline_at timestamptz,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  -- When the current run became `processing`. Progress reports can extend the deadline only up to a fixed time after
  -- `started_at`.
  started_at timestamptz,
  -- From 0 to 1; null before the first report and after the run has ended.
  progress double precision check (progress between 0 and 1),
  progress_at timestamptz,
  note text check (char_length(note) <= 200),
  -- By default, a spec starts a new series.
  series_id uuid not null default gen_random_uuid(),
  version int not null default 1 check (version >= 1),
  -- Whether this is the newest version of its series.
  is_current boolean not null default true,
  check ((processing_status in ('completed', 'failed')) = (finished_at is not null)),
  check (processing_status <> 'failed' or error_code is not null),
  -- A version has at most one successor, so a series can neither fork nor have a cycle.
  constraint spec_uploads_version unique (series_id, version)
);
create index spec_uploads_page on public.spec_uploads (created_at desc, id desc);
create index spec_uploads_status on public.spec_uploads (processing_status, created_at desc, id desc);
create index spec_uploads_brand on public.spec_uploads (brand_id, created_at desc, id desc);
create index spec_uploads_brand_status on public.spec_uploads (brand_id, processing_status, created_at desc, id desc);
create index spec_uploads_area on public.spec_uploads (area_type_id, created_at desc, id desc);
create index spec_uploads_replaced on public.spec_uploads (brand_id, area_type_id, processing_status)
  where not is_current;
create index spec_uploads_created_by on public.spec_uploads (created_by);
create index spec_uploads_overdue on public.spec_uploads (deadline_at) where processing_status = 'processing';
-- Finds duplicates. Cannot be unique, because a retry or a late success can turn a failed spec into a duplicate after
-- the same file was uploaded again.
create index spec_uploads_content on public.spec_uploads (brand_id, area_type_id, sha256);
alter table public.spec_uploads enable row level security;
grant select on public.spec_uploads to anon, authenticated;
create policy spec_uploads_read on public.spec_uploads for select to authenticated, anon
  using ((select private.is_admin()));
create policy anon_needs_token on public.spec_uploads as restrictive for select to anon
  using ((select private.has_token()));

-- When the current version of a series is deleted, makes the newest remaining version the current one.
create function private.restore_previous_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.spec_uploads s
     set is_current = true, status_seq = s.status_seq + 1, updated_at = clock_timestamp()
   where s.series_id in (select series_id from removed where is_current)
     and s.version = (select max(v.version) from public.spec_uploads v where v.series_id = s.series_id);
  return null;
end $$;
create trigger restore_previous_version after delete on public.spec_uploads referencing old table as removed
  for each statement execute function private.restore_previous_version();

-- The columns that lists and detail pages read, under the reader's row level security.
create view public.specs with (security_invoker = true) as
  select s.id, s.document_id, s.processing_status, s.status_seq, s.run, s.property_name, s.sections_count, s.error_code,
         s.error, s.deadline_at, s.created_by, s.created_at, s.updated_at, b.name as brand_name, a.name as area,
         d.file_name, d.size_bytes, d.sha256, d.storage_path,
         lower(d.file_name || ' ' || coalesce(s.property_name, '') || ' ' || b.name || ' ' || a.name) as search_text,
         d.is_protected, s.started_at, s.progress, s.progress_at, s.note,
         private.sort_key(d.file_name) as file_key, private.sort_key(b.name) as brand_key,
         s.series_id, s.version, s.is_current
    from public.spec_uploads s
    join public.documents d on d.id = s.document_id
    join public.brands b on b.id = s.brand_id
    join public.area_types a on a.id = s.area_type_id;
grant select on public.specs to anon, authenticated;
create trigger read_only instead of insert or update or delete on public.specs
  for each row execute function private.refuse_write();

-- One row per run of a spec.
create table public.upload_jobs (
  id uuid primary key default gen_random_uuid(),
  spec_upload_id uuid not null references public.spec_uploads (id) on delete cascade,
  run int not null,
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'failed')),
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The brand, area and property that are sent in the triggers of a run. They stay as they were when the run started,
  -- so that all attempts of one trigger contain the same values. The workflow service may receive several attempts.
  brand_name text not null,
  area text not null,
  property_name text,
  unique (spec_upload_id, run)
);
alter table public.upload_jobs enable row level security;
grant select on public.upload_jobs to anon, authenticated;
create policy upload_jobs_read on public.upload_jobs for select to authenticated, anon
  using ((select private.is_admin()));
create policy anon_needs_token on public.upload_jobs as restrictive for select to anon
  using ((select private.has_token()));

-- Copies the brand, area and property of the spec into its new upload job.
create function private.note_place() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  select s.brand_name, s.area, s.property_name into new.brand_name, new.area, new.property_name
    from public.specs s where s.id = new.spec_upload_id;
  return new;
end $$;
create trigger note_place before insert on public.upload_jobs for each row execute function private.note_place();

-- Writes an audit event about a spec. Writes none if the spec does not exist.
create function private.audit_spec_change(p_action text, p_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.write_audit(p_action, p_id, s.file_name, concat_ws(' · ', s.brand_name, s.area, s.property_name))
    from public.specs s where s.id = p_id
$$;

-- Creates a spec with its document and first run. The lookups of the brand and area lock them, because either can be
-- merged or deleted at any time. With `p_replaces`, the file becomes the next version of that spec, which must be
-- current and have the same brand, area and property. A file is a duplicate if a spec of the same brand, area and
-- property has the same file and has not failed. The property matters because two hotels can share a brand standard.
-- Failed specs are ignored so that they do not block an upload. An advisory lock serializes the checks for the same
-- brand, area and file. With `p_keep_duplicate`, skips this check.
-- outcome: created | duplicate (with the oldest existing spec) | idempotency_mismatch | unknown_brand | unknown_area |
-- unknown_spec | other_place | replaced (with the current version) | those of `private.refuse_admin_start`
create function public.create_spec_upload(p_user uuid, p_id uuid, p_brand text, p_area text,
  p_storage_path text, p_file_name text, p_size_bytes bigint, p_sha256 text, p_property_name text default null,
  p_keep_duplicate boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_is_protected boolean default false,
  p_replaces uuid default null, p_caller jsonb default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_admin_start(p_user, p_caller);
  v_document uuid := gen_random_uuid();
  v_brand uuid;
  v_area uuid;
  v_standing uuid;
  v_replaced public.spec_uploads;
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.idempotency_begin(p_user, 'specs', p_idempotency_key, p_request_sha256);
  if v_answer is not null then return v_answer; end if;
  select id into v_brand from public.brands where name_key = private.name_key(p_brand) for key share;
  if not found then
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, jsonb_build_object('outcome', 'unknown_brand'));
  end if;
  select id into v_area from public.area_types where name_key = private.name_key(p_area) for key share;
  if not found then
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, jsonb_build_object('outcome', 'unknown_area'));
  end if;
  if not p_keep_duplicate then
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', v_brand, v_area, p_sha256), 0));
    select id into v_standing from public.spec_uploads
     where brand_id = v_brand and area_type_id = v_area and sha256 = p_sha256 and processing_status <> 'failed'
       and private.name_key(property_name) is not distinct from private.name_key(p_property_name)
     order by created_at, id limit 1;
  end if;
  if v_standing is not null then
    v_answer := jsonb_build_object('outcome', 'duplicate', 'spec_upload_id', v_standing);
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
  end if;
  if p_replaces is not null then
    select * into v_replaced from public.spec_uploads where id = p_replaces for update;
    v_answer := case
      when not found then jsonb_build_object('outcome', 'unknown_spec')
      when (v_replaced.brand_id, v_replaced.area_type_id, private.name_key(v_replaced.property_name))
        is distinct from (v_brand, v_area, private.name_key(p_property_name))
        then jsonb_build_object('outcome', 'other_place')
      when not v_replaced.is_current then (
        select jsonb_build_object('outcome', 'replaced', 'spec_upload_id', id, 'version', version)
          from public.spec_uploads where series_id = v_replaced.series_id and is_current)
      end;
    if v_answer is not null then
      return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
    end if;
    update public.spec_uploads
       set is_current = false, status_seq = status_seq + 1, updated_at = clock_timestamp()
     where id = p_replaces;
  end if;
  insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, is_protected, created_by)
  values (v_document, 'spec', p_storage_path, p_file_name, p_size_bytes, p_sha256, p_is_protected, p_user);
  insert into public.spec_uploads (id, document_id, brand_id, area_type_id, property_name, sha256, created_by,
    series_id, version)
  values (p_id, v_document, v_brand, v_area, p_property_name, p_sha256, p_user,
    coalesce(v_replaced.series_id, gen_random_uuid()), coalesce(v_replaced.version, 0) + 1);
  insert into public.upload_jobs (spec_upload_id, run) values (p_id, 1);
  if p_replaces is not null then
    perform private.write_audit('spec.version_added', p_id, p_file_name,
        concat_ws(' · ', 'v' || s.version, s.brand_name, s.area, s.property_name), p_user)
      from public.specs s where s.id = p_id;
  end if;
  v_answer := jsonb_build_object('outcome', 'created', 'spec_upload_id', p_id, 'document_id', v_document);
  return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
end $$;

-- Locks the specs in `p_ids` and all their other versions, in the order of their ids to avoid deadlocks.
create function private.lock_series(p_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.spec_uploads
    where series_id in (select series_id from public.spec_uploads where id = any (p_ids)) order by id for update;
end $$;

-- Changes the brand, area and property of the specs in `p_ids` and of all their other versions. Null leaves a value
-- unchanged, and `p_clear_property` removes the property. Status, runs and files do not change. Like a retry, an edit
-- can make a spec a duplicate of another.
-- outcome: edited (with the number of specs in `p_ids`) | unknown_brand | unknown_area
create function public.edit_specs(p_ids uuid[], p_brand text default null, p_area text default null,
  p_property text default null, p_clear_property boolean default false) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_brand uuid;
  v_area uuid;
  v_count int;
begin
  -- To avoid deadlocks, lock brands and areas before specs, and specs in the order of their ids.
  if p_brand is not null then
    select id into v_brand from public.brands where name_key = private.name_key(p_brand) for key share;
    if not found then return jsonb_build_object('outcome', 'unknown_brand'); end if;
  end if;
  if p_area is not null then
    select id into v_area from public.area_types where name_key = private.name_key(p_area) for key share;
    if not found then return jsonb_build_object('outcome', 'unknown_area'); end if;
  end if;
  perform private.lock_series(p_ids);
  update public.spec_uploads
     set brand_id = coalesce(v_brand, brand_id), area_type_id = coalesce(v_area, area_type_id),
         property_name = case when p_clear_property then null else coalesce(p_property, property_name) end,
         status_seq = status_seq + 1, updated_at = clock_timestamp()
   where series_id in (select series_id from public.spec_uploads where id = any (p_ids));
  select count(*) into v_count from public.spec_uploads where id = any (p_ids);
  return jsonb_build_object('outcome', 'edited', 'count', v_count);
end $$;

-- Deletes a spec with its document, upload jobs and work items. Returns the path of its file, which the caller deletes,
-- or null if there is no such spec. Locks all versions, because deleting the newest one changes the one before it.
create function public.delete_spec(p_id uuid) returns text
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid;
  v_path text;
begin
  -- Lock the spec before its document, as all functions do.
  perform private.lock_series(array[p_id]);
  select document_id into v_document from public.spec_uploads where id = p_id;
  delete from public.documents where id = v_document returning storage_path into v_path;
  return v_path;
end $$;

-- Deletes specs with their documents, upload jobs and work items. Returns the paths of their files, which the caller
-- deletes. Skips ids without a spec. Locks all versions, because deleting the newest one changes the one before it.
create function public.delete_specs(p_ids uuid[]) returns text[]
language plpgsql volatile set search_path = '' as $$
declare v_paths text[];
begin
  perform private.lock_series(p_ids);
  with gone as (
    delete from public.documents d using public.spec_uploads s
     where s.id = any (p_ids) and d.id = s.document_id
    returning d.storage_path)
  select coalesce(array_agg(storage_path), '{}') into v_paths from gone;
  return v_paths;
end $$;

-- Returns a spec with its attempts, the state of its text and, if it was replaced, the current version. Returns null if
-- there is no such spec. Without sequential scans, the planner does not read all brands for each spec.
create function private.spec_json(p_id uuid) returns jsonb
language plpgsql stable set search_path = '' set enable_seqscan = off as $$
begin
  return (
    select to_jsonb(x) from (
      select s.id, s.document_id, s.brand_name, s.area, s.property_name, s.file_name, s.size_bytes, s.sha256, s.storage_path,
             s.is_protected, s.processing_status, s.status_seq, s.sections_count, s.error, s.progress, s.progress_at, s.note,
             s.started_at, s.deadline_at, s.created_by, s.created_at, s.updated_at, s.version,
             (select d.text_state from public.documents d where d.id = s.document_id) as text_state,
             array(select jsonb_build_object('run', j.run, 'status', j.status, 'error', j.error, 'created_at', j.created_at,
                                             'finished_at', j.finished_at)
                     from public.upload_jobs j where j.spec_upload_id = s.id order by j.run) as attempts,
             case when not s.is_current then (
               select jsonb_build_object('id', n.id, 'version', n.version)
                 from public.spec_uploads n where n.series_id = s.series_id and n.is_current) end as replaced_by
        from public.specs s where s.id = p_id) x);
end $$;

-- Returns a spec in the form of `spec_json`. Returns null if the spec does not exist or if the caller is not an
-- administrator.
create function public.read_spec(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then return null; end if;
  return private.spec_json(p_id);
end $$;
grant execute on function public.read_spec to anon, authenticated;

-- Returns, for each file in `p_files` ([{ file_name, brand, area, property }]), the current spec with the same brand,
-- area, property and `file_stem`, if there is one. `n` is the position of the file in the list. If several specs match,
-- returns the newest.
create function public.match_specs(p_files jsonb) returns table (n int, id uuid, file_name text, version int)
language sql stable set search_path = '' as $$
  with files as materialized (
    select f.n::int as n, b.id as brand_id, a.id as area_type_id, private.name_key(f.file ->> 'property') as property,
           private.file_stem(f.file ->> 'file_name') as stem
      from jsonb_array_elements(p_files) with ordinality as f (file, n)
      join public.brands b on b.name_key = private.name_key(f.file ->> 'brand')
      join public.area_types a on a.name_key = private.name_key(f.file ->> 'area')),
  -- Materialized, so that this query runs before the join with the specs. If one query joined all tables, the planner
  -- could choose a plan that computes, for each file, the stems of all specs of its brand.
  named as materialized (
    select f.*, d.id as document_id, d.file_name
      from files f join public.documents d on d.kind = 'spec' and private.file_stem(d.file_name) = f.stem)
  select distinct on (x.n) x.n, s.id, x.file_name, s.version
    from named x
    join public.spec_uploads s on s.document_id = x.document_id and s.is_current
      and s.brand_id = x.brand_id and s.area_type_id = x.area_type_id
      and private.name_key(s.property_name) is not distinct from x.property
   order by x.n, s.created_at desc, s.id desc
$$;

-- One row per ZIP download of many specs. The download link contains the id and works for an hour.
create table private.spec_downloads (
  id uuid primary key default gen_random_uuid(),
  -- Only this user can use the download.
  user_id uuid not null references auth.users (id) on delete cascade,
  spec_ids uuid[] not null check (cardinality(spec_ids) between 1 and 500),
  created_at timestamptz not null default now()
);
create index spec_downloads_user on private.spec_downloads (user_id);
create index spec_downloads_age on private.spec_downloads (created_at);
alter table private.spec_downloads enable row level security;
-- No function changes a row.
revoke update on private.spec_downloads from service_role;

-- Prepares a download, which is valid for an hour. `p_max_bytes` limits the total size of the files. Writes an audit
-- event and deletes the expired downloads of all users.
-- outcome: created (with the id) | not_found (none of the specs exists) | too_many_bytes
create function public.create_spec_download(p_user uuid, p_ids uuid[], p_max_bytes bigint) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_id uuid;
  v_count int;
  v_bytes bigint;
begin
  select count(*), sum(size_bytes) into v_count, v_bytes from public.specs where id = any (p_ids);
  if v_count = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_bytes > p_max_bytes then return jsonb_build_object('outcome', 'too_many_bytes'); end if;
  delete from private.spec_downloads where created_at < now() - interval '1 hour';
  insert into private.spec_downloads (user_id, spec_ids) values (p_user, p_ids) returning id into v_id;
  perform private.write_audit('spec.downloaded', null, v_count || case when v_count = 1 then ' spec' else ' specs' end,
    null, p_user);
  return jsonb_build_object('outcome', 'created', 'id', v_id);
end $$;

-- Returns the specs of a download in the order in which they were chosen, without those that no longer exist. Returns
-- no rows if the download belongs to another user or has expired.
create function public.spec_download(p_id uuid, p_user uuid)
returns table (path text, file_name text, brand text, area text, property text, created_at timestamptz)
language sql stable set search_path = '' as $$
  select s.storage_path, s.file_name, s.brand_name, s.area, s.property_name, s.created_at
    from private.spec_downloads d
    join public.specs s on s.id = any (d.spec_ids)
   where d.id = p_id and d.user_id = p_user and d.created_at > now() - interval '1 hour'
   order by array_position(d.spec_ids, s.id)
$$;

-- The runs of specs: reports of the workflow service, and what administrators stop or start again. `move_spec` and
-- `start_next_runs` change the status of a spec, its document and its upload job together.
--
-- Each function locks the spec first. A report changes a spec only if it is about the current run. If a report names no
-- run, it counts as one about the current run.

-- Changes the status of a spec, its document and its upload job together. Returns false if `p_run` is not the current
-- run or the status is not in `p_from`. The caller must have locked the spec's row.
create function private.move_spec(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_sections int default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid;
  v_now timestamptz := clock_timestamp();
  v_finished timestamptz := case when p_to in ('completed', 'failed') then v_now end;
begin
  update public.spec_uploads
     set processing_status = p_to, status_seq = status_seq + 1, updated_at = v_now, finished_at = v_finished,
         started_at = case when p_to = 'processing' then v_now else started_at end,
         error_code = p_error_code, error = left(p_error, 10000), sections_count = p_sections,
         deadline_at = coalesce(p_deadline, deadline_at),
         progress = case when v_finished is null then progress end,
         progress_at = case when v_finished is null then progress_at end,
         note = case when v_finished is null then note end
   where id = p_id and run = p_run and processing_status = any (p_from)
  returning document_id into v_document;
  if not found then return false; end if;
  update public.documents set processing_status = p_to where id = v_document;
  update public.upload_jobs set status = p_to, error = left(p_error, 10000), finished_at = v_finished
   where spec_upload_id = p_id and run = p_run;
  return true;
end $$;

-- Makes text from another system safe to store and show. Removes query strings and fragments from URLs, because they
-- can contain signatures.
create function private.plain_words(p_text text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(p_text, '(https?://[^\s?#]*)[?#]\S*', '\1', 'gi')
$$;

-- Starts the next run of each spec among `p_ids` whose status is in `p_from`, and returns the ids of those specs. The
-- caller must have locked the specs. With `p_user`, the runs use that user's turns in the queue, not the uploaders'.
create function private.start_next_runs(p_ids uuid[], p_user uuid default null, p_from text[] default array['failed'])
returns uuid[]
language plpgsql volatile set search_path = '' as $$
declare
  v_ids uuid[];
  v_documents uuid[];
begin
  with started as (
    update public.spec_uploads
       set run = run + 1, processing_status = 'pending', status_seq = status_seq + 1, updated_at = clock_timestamp(),
           started_at = null, finished_at = null, error_code = null, error = null, sections_count = null, deadline_at = null
     where id = any (p_ids) and processing_status = any (p_from)
    returning id, document_id)
  select coalesce(array_agg(id), '{}'), array_agg(document_id) into v_ids, v_documents from started;
  update public.documents set processing_status = 'pending' where id = any (v_documents);
  insert into public.upload_jobs (spec_upload_id, run) select id, run from public.spec_uploads where id = any (v_ids);
  if p_user is not null then
    update private.work_items w set user_id = p_user from public.spec_uploads s
     where s.id = any (v_ids) and w.kind = 'spec_dispatch' and w.subject_id = s.id and w.run = s.run;
  end if;
  return v_ids;
end $$;

-- Returns the text as `plain_words` returns it, but at most 500 characters of it, for lists.
create function private.plain_reason(p_text text) returns text
language sql immutable set search_path = '' as $$
  select left(private.plain_words(p_text), 500)
$$;

-- Ends a run as the workflow service reports, and records the callback. A report of success within a day also replaces
-- a failure that the service did not report itself (`timeout` or `unreachable`). Other reports on such a run are late.
-- outcome: applied | duplicate | late | conflict | stale_run | unknown_run (all with the spec's status and the id of
-- the request that started the run) | not_found
create function public.apply_spec_callback(p_id uuid, p_status text, p_run int default null,
  p_sections int default null, p_error text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_spec public.spec_uploads;
  v_run int;
  v_outcome text;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_spec.run);
  v_outcome := case
    when v_run < v_spec.run then 'stale_run'
    when v_run > v_spec.run then 'unknown_run'
    when v_spec.processing_status in ('pending', 'processing') then 'applied'
    -- The workflow service did not report these failures itself. If it reports a success within a day, the success
    -- replaces the failure.
    when p_status = 'completed' and v_spec.error_code in ('timeout', 'unreachable')
      and v_spec.finished_at > now() - interval '24 hours' then 'applied'
    when v_spec.error_code in ('timeout', 'unreachable') then 'late'
    when v_spec.processing_status = p_status then 'duplicate'
    else 'conflict' end;
  if v_outcome = 'applied' then
    perform private.move_spec(p_id, v_run, array['pending', 'processing', 'failed'], p_status,
      case when p_status = 'failed' then 'workflow_failed' end,
      case when p_status = 'failed' then coalesce(nullif(btrim(private.plain_words(p_error)), ''), 'The workflow service reported a failure without a reason.') end,
      case when p_status = 'completed' then p_sections end);
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'spec_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason)
  values ('spec', p_id, v_run, p_status, v_outcome, private.plain_reason(p_error));
  return jsonb_build_object('outcome', v_outcome,
    'status', case when v_outcome = 'applied' then p_status else v_spec.processing_status end,
    'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

-- Applies a callback as `apply_spec_callback` does, and returns what it returns. If the callback is applied and
-- completes the spec, also stores the sections that it reports. They replace the sections from the outline or an
-- earlier run. If the sections were corrected, the corrected ones stay, and the reported ones are stored as `original`.
create function public.apply_spec_report(p_id uuid, p_status text, p_run int default null, p_count int default null,
  p_error text default null, p_sections jsonb default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_outcome jsonb := public.apply_spec_callback(p_id, p_status, p_run, coalesce(p_count, jsonb_array_length(p_sections)), p_error);
  v_sections jsonb;
begin
  if p_sections is null or p_status <> 'completed' or v_outcome ->> 'outcome' <> 'applied' then return v_outcome; end if;
  v_sections := private.full_sections(p_sections);
  perform private.count_section_change(p_id);
  update private.section_sets
     set original = v_sections, original_source = 'workflow',
         original_changed_at = case when original = v_sections then original_changed_at else clock_timestamp() end
   where spec_id = p_id and original is not null;
  if not found then perform private.put_sections(p_id, 'workflow', v_sections); end if;
  return v_outcome;
end $$;

-- Applies a progress report on a spec. While the spec is being processed, extends the deadline to `p_deadline_s`
-- seconds from now, but not beyond `p_limit_s` seconds after the start. Progress never goes back: a report with less
-- progress than an earlier one changes neither the progress nor the note. A report that names its run proves that the
-- trigger has arrived, so it also marks a pending spec as being processed.
-- outcome: applied | too_often | late | stale_run | unknown_run (all with the spec's status and the id of the request
-- that started the run) | not_found
create function public.report_spec_progress(p_id uuid, p_deadline_s int, p_limit_s int, p_run int default null,
  p_progress double precision default null, p_note text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_spec public.spec_uploads;
  v_run int;
  v_outcome text;
  v_now timestamptz := clock_timestamp();
  v_note text := nullif(btrim(left(private.plain_words(p_note), 200)), '');
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_spec.run);
  v_outcome := private.progress_outcome('spec', p_id, v_run, v_spec.run, v_spec.processing_status);
  if v_outcome = 'applied' then
    if v_spec.processing_status = 'pending' and p_run is not null then
      perform private.move_spec(p_id, v_run, array['pending'], 'processing');
      update private.work_items set state = 'done', finished_at = v_now, lease_token = null
       where kind = 'spec_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
    end if;
    update public.spec_uploads
       set deadline_at = greatest(deadline_at,
             least(v_now + make_interval(secs => p_deadline_s), started_at + make_interval(secs => p_limit_s)))
     where id = p_id and processing_status = 'processing';
    -- Increment `status_seq`, which causes a broadcast, only for a visible change.
    update public.spec_uploads
       set status_seq = status_seq + 1, updated_at = v_now, note = coalesce(v_note, note),
           progress_at = case when p_progress is distinct from progress and p_progress is not null then v_now
                            else progress_at end,
           progress = coalesce(p_progress, progress)
     where id = p_id and not coalesce(p_progress < progress, false)
       and (coalesce(p_progress, progress), coalesce(v_note, note)) is distinct from (progress, note);
  end if;
  if v_outcome <> 'too_often' then
    perform private.note_progress('spec', p_id, v_run, v_outcome, p_progress, v_note);
  end if;
  return jsonb_build_object('outcome', v_outcome,
    'status', (select processing_status from public.spec_uploads where id = p_id),
    'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

-- Fails the current run of a spec that is queued or being processed. Later callbacks do not change the result of this
-- run. For a spec that is already stopped, does nothing and returns stopped.
-- outcome: stopped | conflict (with the current status) | not_found
create function public.stop_spec(p_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_spec public.spec_uploads;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_spec.error_code = 'stopped' then return jsonb_build_object('outcome', 'stopped'); end if;
  if not private.move_spec(p_id, v_spec.run, array['pending', 'processing'], 'failed', 'stopped',
    'Stopped by an administrator.') then
    return jsonb_build_object('outcome', 'conflict', 'status', v_spec.processing_status);
  end if;
  update private.work_items set state = 'canceled', finished_at = clock_timestamp(), lease_token = null
   where kind = 'spec_dispatch' and subject_id = p_id and state = 'pending';
  perform private.write_audit('spec.stopped', p_id, s.file_name,
      concat_ws(' · ', s.brand_name, s.area, s.property_name))
    from public.specs s where s.id = p_id;
  return jsonb_build_object('outcome', 'stopped');
end $$;

-- Starts the next run of a failed spec, in the uploader's turns in the queue. Writes an audit event.
-- outcome: retried (with the run) | conflict (with the current status) | not_found
create function public.retry_spec(p_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_spec public.spec_uploads;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_spec.processing_status <> 'failed' then
    return jsonb_build_object('outcome', 'conflict', 'status', v_spec.processing_status);
  end if;
  perform private.start_next_runs(array[p_id]);
  perform private.audit_spec_change('spec.retried', p_id);
  return jsonb_build_object('outcome', 'retried', 'run', v_spec.run + 1);
end $$;

-- Starts the next run of each failed spec among `p_ids`, in the turns of `p_user` in the queue, and skips the other
-- ids. Returns the number of runs started. Writes one audit event if it starts any runs.
create function public.retry_specs(p_user uuid, p_ids uuid[]) returns int
language plpgsql volatile set search_path = '' as $$
declare v_count int;
begin
  -- Lock the specs in the order of their ids, as `lock_series` does, to avoid deadlocks.
  perform 1 from public.spec_uploads where id = any (p_ids) order by id for update;
  v_count := cardinality(private.start_next_runs(p_ids, p_user));
  if v_count > 0 then
    perform private.write_audit('spec.retried', null, v_count || case when v_count = 1 then ' spec' else ' specs' end,
      null, p_user);
  end if;
  return v_count;
end $$;

-- Starts the next run of a failed or completed spec, in the turns of `p_user` in the queue. Writes an audit event.
-- outcome: started | conflict (with the current status) | not_found
create function public.process_spec_again(p_user uuid, p_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_status text;
begin
  select processing_status into v_status from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if cardinality(private.start_next_runs(array[p_id], p_user, array['failed', 'completed'])) = 0 then
    return jsonb_build_object('outcome', 'conflict', 'status', v_status);
  end if;
  perform private.write_audit('spec.processed_again', p_id, s.file_name,
      concat_ws(' · ', s.brand_name, s.area, s.property_name), p_user)
    from public.specs s where s.id = p_id;
  return jsonb_build_object('outcome', 'started');
end $$;

-- The text of specs. After the upload, a worker reads the text of each page and the sections in the outline from the
-- PDF, and stores them here and in `spec_sections`.
--
-- The subject of the work item is the document, because the text belongs to the file. Reading the text is independent
-- of runs and never changes the processing status.

-- The text of one page of a spec. `words` are the words for full-text search.
create table public.spec_pages (
  spec_id uuid not null references public.spec_uploads (id) on delete cascade,
  page int not null check (page between 1 and 2000),
  text text not null check (char_length(text) between 1 and 20000),
  words tsvector not null generated always as (strip(private.search_words(text))) stored,
  primary key (spec_id, page)
);
alter table public.spec_pages enable row level security;
grant select on public.spec_pages to anon, authenticated;
create policy spec_pages_read on public.spec_pages for select to authenticated, anon
  using ((select private.is_admin()));
create policy anon_needs_token on public.spec_pages as restrictive for select to anon
  using ((select private.has_token()));

-- Creates the work item that reads the text of a new document. The nil UUID stands for a missing user.
create function private.enqueue_text() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.work_items (kind, subject_id, run, max_attempts, request_id, user_id)
  values ('spec_text', new.id, 1, 5, private.request_id(),
          coalesce(new.created_by, '00000000-0000-0000-0000-000000000000'));
  return null;
end $$;
create trigger enqueue_text after insert on public.documents for each row execute function private.enqueue_text();

-- Returns the spec whose text a worker is reading, or null if the worker no longer holds the lease.
create function private.spec_being_read(p_id bigint, p_token uuid) returns uuid
language sql stable set search_path = '' as $$
  select s.id from private.work_items w join public.spec_uploads s on s.document_id = w.subject_id
   where w.id = p_id and w.kind = 'spec_text' and w.lease_token = p_token and w.state = 'pending'
$$;

-- Stores the text of some pages: [{ page, text }]. Replaces the text of pages that are already stored. Returns false if
-- the lease is lost.
create function public.store_spec_pages(p_id bigint, p_token uuid, p_pages jsonb) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_spec uuid := private.spec_being_read(p_id, p_token);
begin
  -- The lock keeps the spec from being deleted while its pages are stored.
  perform 1 from public.spec_uploads where id = v_spec for key share;
  if not found then return false; end if;
  insert into public.spec_pages (spec_id, page, text)
    select v_spec, p.page, p.text from jsonb_to_recordset(p_pages) as p (page int, text text)
    on conflict (spec_id, page) do update set text = excluded.text;
  return true;
end $$;

-- Finishes the work item of a spec's text, after its pages have been stored. `p_state` is the new `text_state`, and
-- `p_pages` is the number of the last page with text. `p_sections` holds the sections in the outline:
-- [{ title, page, level }]. If the spec has sections from another source, those stay and the outline is not stored.
-- Stores the words of the pages in `spec_words`. Returns false if the lease is lost.
create function public.finish_spec_text(p_id bigint, p_token uuid, p_state text, p_pages int, p_sections jsonb)
returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_spec uuid := private.spec_being_read(p_id, p_token);
begin
  perform 1 from public.spec_uploads where id = v_spec for update;
  if not found then return false; end if;
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update public.documents set text_state = p_state
   where id = (select document_id from public.spec_uploads where id = v_spec);
  -- An earlier attempt may have stored more pages.
  delete from public.spec_pages where spec_id = v_spec and page > p_pages;
  delete from public.spec_sections where spec_id = v_spec and source = 'outline';
  insert into public.spec_sections (spec_id, ordinal, title, page, level, source)
    select v_spec, x.n, x.section ->> 'title', (x.section ->> 'page')::int, (x.section ->> 'level')::int, 'outline'
      from jsonb_array_elements(p_sections) with ordinality as x (section, n)
     where not exists (select 1 from public.spec_sections where spec_id = v_spec);
  perform private.index_spec(v_spec);
  return true;
end $$;

-- The search and the list of specs: the words of each spec, the numbers of specs per brand, area and status, and the
-- functions that find and count specs. `lib/specs/SEARCH.md` explains the layout and has measurements.
--
-- A search must not take longer when there are more specs. So it reads blocks of specs, newest first, until it has
-- enough. Many functions fix a plan or use plpgsql to keep the planner from reading whole tables.

--------------------------------------------------------------------------------------------------------------------
-- Words
--------------------------------------------------------------------------------------------------------------------

-- Blocks of about 4,096 specs with consecutive creation times. A spec belongs to the last block that starts at or
-- before its creation.
create table private.spec_blocks (
  no int generated always as identity primary key,
  first_at timestamptz not null unique
);
alter table private.spec_blocks enable row level security;

-- Every spec belongs to a block, so the first block has no start.
insert into private.spec_blocks (first_at) values ('-infinity');

-- Returns the words in the form that the index of groups stores: each word starts with the number of its group of 64
-- blocks instead of the block number, and has a period before its last character. Because of the period, a prefix
-- matches only longer words. A search for a prefix that is also a frequent word thus need not read all specs with this
-- word.
create function private.wide_words(p_block int, p_words tsvector) returns tsvector
language sql immutable parallel safe cost 500 set search_path = '' as $$
  select array_to_tsvector(array(
    select p_block / 64 || substr(left(w.word, -1), length(p_block::text) + 1) || '.' || right(w.word, 1)
      from unnest(tsvector_to_array(p_words)) w (word)))
$$;

-- Each spec has two rows. The `names` row has the words of the spec's names (of the file, property, brand and area) and
-- of its error. The `all` row has these words and the words of the spec's pages. Each word is preceded by the number of
-- the block and a letter. In the `names` row, the letter is `n` for names or `e` for the error. In the `all` row, the
-- letter is always `a`. A brand or area is stored as its key instead of its name.
create table private.spec_words (
  spec_id uuid not null references public.spec_uploads (id) on delete cascade,
  part text not null check (part in ('names', 'all')),
  block int not null references private.spec_blocks (no),
  created_at timestamptz not null,
  -- A copy of `spec_uploads.is_current`.
  is_current boolean not null default true,
  words tsvector not null,
  primary key (spec_id, part)
);
-- These indexes have no list of pending changes, because each search of a block would read the whole list.
create index spec_words_words on private.spec_words using gin (words) with (fastupdate = off);
create index spec_words_wide on private.spec_words using gin (private.wide_words(block, words)) with (fastupdate = off);
alter table private.spec_words enable row level security;

-- The specs whose `all` row still contains old names or an old error. A search reads their `names` row and their pages
-- instead.
create table private.outdated_specs (
  spec_id uuid primary key references public.spec_uploads (id) on delete cascade
);
alter table private.outdated_specs enable row level security;

-- Returns the number of the block to which a spec created at `p_at` belongs.
create function private.block_at(p_at timestamptz) returns int
language sql stable set search_path = '' as $$
  select no from private.spec_blocks where first_at <= p_at order by first_at desc limit 1
$$;

-- Returns the word that stands for a brand or an area in `spec_words`. The key starts with `_`, which no word contains.
-- Otherwise, a search for the start of a word could match keys, and therefore specs of unrelated brands.
create function private.place_key(p_id uuid) returns text
language sql immutable strict set search_path = '' as $$
  select '_' || replace(p_id::text, '-', '')
$$;

-- Returns the words of the names and of the first 2,000 characters of the error, in the form that the `names` row
-- stores. Leaves out words that are longer than 2,000 bytes including their letter, because a tsvector allows only
-- slightly longer words.
create function private.names_words(p_block int, p_file_name text, p_property text, p_error text, p_brand_id uuid,
  p_area_type_id uuid) returns tsvector
language sql immutable set search_path = '' as $$
  select array_to_tsvector(array(
    select p_block || w.word
      from (select 'n' || n.lexeme as word
              from unnest(private.search_words(p_file_name || ' ' || coalesce(p_property, ''))) n
            union all select 'e' || e.lexeme from unnest(private.search_words(left(p_error, 2000))) e
            union all select 'n' || private.place_key(p.id) from unnest(array[p_brand_id, p_area_type_id]) p (id)) w
     where octet_length(w.word) <= 2000))
$$;

-- Converts the words of a `names` row to the form that the `all` row stores.
create function private.plain_words(p_names tsvector) returns tsvector
language sql immutable set search_path = '' as $$
  select array_to_tsvector(array(select regexp_replace(n.lexeme, '^(\d+)[ne]', '\1a') from unnest(p_names) n))
$$;

-- Returns page words in the form that the `all` row stores.
create function private.text_words(p_block int, p_words text[]) returns tsvector
language sql immutable set search_path = '' as $$
  select array_to_tsvector(array(select p_block || 'a' || w.word from unnest(p_words) w (word)))
$$;

-- Adds the rows of new specs. The words of the pages are not known yet; `index_spec` adds them to the `all` row.
create function private.add_to_search() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.spec_words (spec_id, part, block, created_at, is_current, words)
    select x.id, p.part, x.block, x.created_at, x.is_current, case p.part when 'names' then x.words else private.plain_words(x.words) end
      from (select s.id, b.no as block, s.created_at, s.is_current,
                   private.names_words(b.no, d.file_name, s.property_name, s.error, s.brand_id, s.area_type_id) as words
              from added s
              join public.documents d on d.id = s.document_id
              join private.spec_blocks b on b.no = private.block_at(s.created_at)) x,
           (values ('names'), ('all')) p (part);
  return null;
end $$;
create trigger add_to_search after insert on public.spec_uploads referencing new table as added
  for each statement execute function private.add_to_search();

-- Writes the `names` rows of specs whose property, brand, area or error changed, and marks these specs as outdated.
-- Also copies `is_current`. A merge of brands or areas changes no words: the old key stays, and stands for the brand
-- or area that the old one was merged into. The ids are read into an array first, because a single statement could
-- reuse a plan made for transition tables with many rows. Such a plan scans whole tables even if only one row has
-- changed.
create function private.update_search() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_ids uuid[];
begin
  v_ids := array(
    select s.id from changed s join before o on o.id = s.id
     where (s.property_name, s.error) is distinct from (o.property_name, o.error)
        or s.brand_id <> o.brand_id
          and not exists (select 1 from private.merged_places m where m.id = o.brand_id and m.into_id = s.brand_id)
        or s.area_type_id <> o.area_type_id
          and not exists (select 1 from private.merged_places m where m.id = o.area_type_id and m.into_id = s.area_type_id)
     order by s.id);
  update private.spec_words x
     set words = (
       select private.names_words(x.block, d.file_name, s.property_name, s.error, s.brand_id, s.area_type_id)
         from public.spec_uploads s join public.documents d on d.id = s.document_id where s.id = x.spec_id)
   where x.spec_id = any (v_ids) and x.part = 'names';
  insert into private.outdated_specs (spec_id) select unnest(v_ids) on conflict do nothing;
  v_ids := array(select s.id from changed s join before o on o.id = s.id where s.is_current <> o.is_current order by s.id);
  update private.spec_words x
     set is_current = (select s.is_current from public.spec_uploads s where s.id = x.spec_id)
   where x.spec_id = any (v_ids);
  return null;
end $$;
create trigger update_search after update on public.spec_uploads referencing new table as changed old table as before
  for each statement execute function private.update_search();

-- Writes the `all` row of a spec, after which the spec is not outdated. The caller must have locked the spec.
create function private.index_spec(p_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  -- A tsvector holds less than 1 MB, so keep only the words that occur on the most pages. Leave out words over 100
  -- bytes.
  update private.spec_words x
     set words = private.plain_words(n.words) || private.text_words(x.block, array(
           select w.lexeme
             from (select u.lexeme,
                          sum(octet_length(u.lexeme) + 10) over (order by count(*) desc, u.lexeme) as bytes
                     from public.spec_pages p cross join lateral unnest(p.words) u
                    where p.spec_id = p_id and octet_length(u.lexeme) <= 100
                    group by u.lexeme) w
            where w.bytes <= 800000))
    from private.spec_words n
   where x.spec_id = p_id and x.part = 'all' and n.spec_id = p_id and n.part = 'names';
  delete from private.outdated_specs where spec_id = p_id;
end $$;

-- Returns the keys of the brands and areas whose names contain a word, and the keys of the brands and areas that were
-- merged into these. Written in plpgsql, which caches the plan.
create function private.keys_of(p_word tsquery) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    with named as (
      select b.id from public.brands b where private.search_words(b.name) @@ p_word
      union all select a.id from public.area_types a where private.search_words(a.name) @@ p_word)
    select private.place_key(n.id) from named n
    union all select private.place_key(m.id) from named n join private.merged_places m on m.into_id = n.id);
end $$;

-- Starts a new block if the last one is full. Then writes the `all` rows of up to `p_limit` outdated specs, except
-- those that are locked, but stops early after about two seconds. Returns how many rows it wrote.
create function public.refresh_spec_search(p_limit int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_is_full boolean;
  v_id uuid;
  v_count int := 0;
begin
  select count(*) = 4096 into v_is_full
    from (select 1 from public.spec_uploads u
           where u.created_at >= (select max(b.first_at) from private.spec_blocks b) limit 4096) x;
  -- The new block starts one to two minutes in the future. A spec inserted by a transaction that cannot see the block
  -- yet has an earlier `created_at`, so the spec does not belong to the block.
  if v_is_full then
    insert into private.spec_blocks (first_at) select date_trunc('minute', now()) + interval '2 minutes'
      on conflict do nothing;
  end if;
  for v_id in
    select s.id from private.outdated_specs o join public.spec_uploads s on s.id = o.spec_id
     limit p_limit for no key update of s skip locked
  loop
    perform private.index_spec(v_id);
    v_count := v_count + 1;
    exit when clock_timestamp() > statement_timestamp() + interval '2 seconds';
  end loop;
  return v_count;
end $$;

--------------------------------------------------------------------------------------------------------------------
-- Numbers of specs
--------------------------------------------------------------------------------------------------------------------

-- The number of current specs with a brand, area and status is the sum of `n` over the rows with these values. `n` can
-- be negative. Writers only add rows, so they never wait for each other. `fold_spec_tally` combines the rows.
create table private.spec_tally (
  id bigint generated always as identity primary key,
  brand_id uuid not null,
  area_type_id uuid not null,
  status text not null,
  n bigint not null
);
alter table private.spec_tally enable row level security;

-- Adds the changes of a statement to `spec_tally`. Counts only current versions, because the list leaves out replaced
-- ones.
create function private.tally_specs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  case tg_op
    when 'INSERT' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, count(*) from added where is_current group by 1, 2, 3;
    when 'DELETE' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, -count(*) from removed where is_current group by 1, 2, 3;
    when 'UPDATE' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, sum(n)
          from (select brand_id, area_type_id, processing_status, 1 as n from changed where is_current
                union all select brand_id, area_type_id, processing_status, -1 from before where is_current) moved
         group by 1, 2, 3 having sum(n) <> 0;
  end case;
  return null;
end $$;
create trigger tally_added after insert on public.spec_uploads referencing new table as added
  for each statement execute function private.tally_specs();
create trigger tally_removed after delete on public.spec_uploads referencing old table as removed
  for each statement execute function private.tally_specs();
create trigger tally_changed after update on public.spec_uploads referencing new table as changed old table as before
  for each statement execute function private.tally_specs();

-- Replaces rows that have the same brand, area and status with one row, or with none if the sum of `n` is 0. Skips rows
-- that are locked. Returns the number of replaced rows.
create function public.fold_spec_tally() returns int
language plpgsql volatile set search_path = '' as $$
declare v_count int;
begin
  with gone as (
    delete from private.spec_tally where id in (
      select t.id from private.spec_tally t
       where t.id in (
         select g.id from (select x.id, count(*) over (partition by x.brand_id, x.area_type_id, x.status) as rows
                             from private.spec_tally x) g
          where g.rows > 1)
         for update skip locked)
    returning brand_id, area_type_id, status, n),
  kept as (
    insert into private.spec_tally (brand_id, area_type_id, status, n)
    select brand_id, area_type_id, status, sum(n) from gone group by 1, 2, 3 having sum(n) <> 0)
  select count(*) into v_count from gone;
  return v_count;
end $$;

--------------------------------------------------------------------------------------------------------------------
-- Queries
--------------------------------------------------------------------------------------------------------------------

-- The queries of a search, with `~` in place of the block number.
create type private.spec_query as (
  -- All words are in the names.
  exact text,
  -- All words are in the names, the last one as a prefix. `head` and `whole` also treat the last word as a prefix.
  names text,
  -- All words are in the names or the error.
  head text,
  -- All words are in the names, the error or the text.
  whole text,
  -- `head` and `whole` without the last word. Null if the search has only one word.
  head_start text,
  whole_start text,
  -- For each word, the query for the names and the error, and the query for a page.
  head_words text[],
  page_words tsquery[],
  -- The brand and area that the search is limited to, or null.
  place text
);

-- Which specs a search reads. Contains filters by status, creation time and version, and the position after which the
-- page of results starts. With `is_rising`, the oldest specs come first, otherwise the newest. Without
-- `all_versions`, replaced versions are left out.
create type private.spec_range as (
  status text, from_at timestamptz, before_at timestamptz, is_rising boolean, after_at timestamptz, after_id uuid,
  all_versions boolean
);

-- Returns the folded words of a search, or an empty array if there are none.
create function private.words_of(p_text text) returns text[]
language sql immutable set search_path = '' as $$
  select string_to_array(btrim(private.fold_text(coalesce(p_text, ''))), ' ')
$$;

-- Returns a query that matches `p_word` with any of `p_letters` before it, or any of `p_keys` with the first of these
-- letters before it.
create function private.any_query(p_word text, p_is_prefix boolean, p_letters text[], p_keys text[]) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_query text;
  v_letter text;
  v_key text;
begin
  foreach v_letter in array p_letters loop
    v_query := concat_ws(' | ', v_query,
      quote_literal('~' || v_letter || p_word) || case when p_is_prefix then ':*' else '' end);
  end loop;
  foreach v_key in array p_keys loop
    v_query := concat_ws(' | ', v_query, quote_literal('~' || p_letters[1] || v_key));
  end loop;
  return '(' || v_query || ')';
end $$;

-- Returns a query that matches the key of a brand or area, or the key of one that was merged into it. Each key is
-- preceded by `p_letter`. Returns null if `p_id` is null.
create function private.place_query(p_id uuid, p_letter text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select '(' || string_agg(format('%L', '~' || p_letter || private.place_key(k.id)), ' | ') || ')'
      from (select p_id as id union all select m.id from private.merged_places m where m.into_id = p_id) k
     where k.id is not null);
end $$;

-- Returns the queries for the words of a search, or null if full-text search ignores all of them. For a word that the
-- parser splits, such as `3e5f0c`, the queries contain its parts. The parser ignores words over 2,046 bytes, so long
-- words are cut to 500 characters.
create function private.spec_queries(p_words text[], p_brand_id uuid, p_area_type_id uuid) returns private.spec_query
language plpgsql stable set search_path = '' as $$
declare
  v_query private.spec_query;
  v_term record;
  v_page tsquery;
  v_keys text[];
  v_place text;
begin
  for v_term in
    select distinct l.lexeme as word, w.n = cardinality(p_words) as is_last
      from unnest(p_words) with ordinality as w (word, n)
      cross join lateral unnest(to_tsvector('simple'::regconfig, left(w.word, 500))) l
  loop
    v_page := (quote_literal(v_term.word) || case when v_term.is_last then ':*' else '' end)::tsquery;
    v_keys := private.keys_of(quote_literal(v_term.word)::tsquery);
    v_query.exact := concat_ws(' & ', v_query.exact, private.any_query(v_term.word, false, '{n}', v_keys));
    if v_term.is_last then
      v_keys := private.keys_of(v_page);
    else
      v_query.head_start := concat_ws(' & ', v_query.head_start, private.any_query(v_term.word, false, '{n,e}', v_keys));
      v_query.whole_start := concat_ws(' & ', v_query.whole_start, private.any_query(v_term.word, false, '{a}', v_keys));
    end if;
    v_query.names := concat_ws(' & ', v_query.names, private.any_query(v_term.word, v_term.is_last, '{n}', v_keys));
    v_query.head_words := v_query.head_words || private.any_query(v_term.word, v_term.is_last, '{n,e}', v_keys);
    v_query.page_words := v_query.page_words || v_page;
    v_query.whole := concat_ws(' & ', v_query.whole, private.any_query(v_term.word, v_term.is_last, '{a}', v_keys));
  end loop;
  if v_query.whole is null then return null; end if;
  v_query.head := array_to_string(v_query.head_words, ' & ');
  if p_brand_id is not null or p_area_type_id is not null then
    v_query.place := concat_ws(' & ', private.place_query(p_brand_id, 'n'), private.place_query(p_area_type_id, 'n'));
    v_place := concat_ws(' & ', private.place_query(p_brand_id, 'a'), private.place_query(p_area_type_id, 'a'));
    v_query.exact := v_query.exact || ' & ' || v_query.place;
    v_query.names := v_query.names || ' & ' || v_query.place;
    v_query.head := v_query.head || ' & ' || v_query.place;
    v_query.whole := v_query.whole || ' & ' || v_place;
    v_query.head_start := v_query.head_start || ' & ' || v_query.place;
    v_query.whole_start := v_query.whole_start || ' & ' || v_place;
  end if;
  return v_query;
end $$;

-- Converts a query from `spec_query` for the index of groups. A search for a prefix becomes a search for the prefix as
-- a whole word or for any longer word that starts with it.
create function private.wide_query(p_query text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    regexp_replace(p_query, '''([^'']+)([^''])''', '''\1.\2''', 'g'),
    '''([^'']+)\.([^''])'':\*', '''\1.\2'' | ''\1\2'':*', 'g')
$$;

--------------------------------------------------------------------------------------------------------------------
-- Matches
--------------------------------------------------------------------------------------------------------------------

-- Returns at most `p_most` specs with a row that matches a query, mostly from the newest blocks. With `p_pool`, checks
-- only the `p_part` rows of the specs in it and returns all that match. Reads the newest four blocks first. If these
-- have at least an eighth of the `p_most` matches, the newest 32 blocks probably have enough, so reads those before any
-- groups of blocks. The nested loops read the newest blocks or groups first and stop once they have enough.
create function private.some_specs(p_query text, p_part text, p_pool uuid[], p_most int) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
declare
  v_blocks int;
  v_ids uuid[];
  v_wide text := private.wide_query(p_query);
begin
  if p_pool is not null then
    return array(select x.spec_id from private.spec_words x
      where x.spec_id = any (p_pool) and x.part = p_part and x.words @@ replace(p_query, '~', x.block::text)::tsquery);
  end if;
  foreach v_blocks in array array[4, 32] loop
    v_ids := array(
      select x.spec_id
        from (select no from private.spec_blocks order by first_at desc limit v_blocks) b
        cross join lateral (
          select w.spec_id from private.spec_words w where w.words @@ replace(p_query, '~', b.no::text)::tsquery) x
       limit p_most);
    if cardinality(v_ids) = p_most then return v_ids; end if;
    exit when cardinality(v_ids) * 8 < p_most;
  end loop;
  return array(
    select x.spec_id
      from (select distinct no / 64 as no from private.spec_blocks order by 1 desc) g
      cross join lateral (
        select w.spec_id from private.spec_words w
         where private.wide_words(w.block, w.words) @@ replace(v_wide, '~', g.no::text)::tsquery) x
     limit p_most);
end $$;

-- Does the same as `some_specs` for a query whose last word is a prefix. For a prefix, an index scan reads all words
-- that start with it, even if few specs have the other words. So this function first searches for the other words
-- (`p_start`). If at most 100 specs have them, it checks only these specs.
create function private.some_with_prefix(p_query text, p_start text, p_part text, p_pool uuid[], p_most int)
returns uuid[]
language plpgsql stable set search_path = '' as $$
declare v_ids uuid[];
begin
  if p_pool is null and p_start is not null then
    v_ids := private.some_specs(p_start, p_part, null, 101);
    if cardinality(v_ids) <= 100 then return private.some_specs(p_query, p_part, v_ids, p_most); end if;
  end if;
  return private.some_specs(p_query, p_part, p_pool, p_most);
end $$;

-- Returns the specs with a status. Returns null if there are more than 1,000, or if `p_status` is null.
create function private.few_with_status(p_status text) returns uuid[]
language plpgsql stable set search_path = '' as $$
declare v_ids uuid[];
begin
  if p_status is null then return null; end if;
  v_ids := array(select u.id from public.spec_uploads u where u.processing_status = p_status limit 1001);
  return case when cardinality(v_ids) <= 1000 then v_ids end;
end $$;

-- Returns the outdated specs of the query's brand and area whose names, error and pages together contain all words.
create function private.outdated_matches(p_query private.spec_query) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select o.spec_id from private.outdated_specs o
      join private.spec_words n on n.spec_id = o.spec_id and n.part = 'names'
     where coalesce(n.words @@ replace(p_query.place, '~', n.block::text)::tsquery, true)
       and not exists (
         select 1 from unnest(p_query.head_words, p_query.page_words) w (head, page)
          where not n.words @@ replace(w.head, '~', n.block::text)::tsquery
            and not exists (select 1 from public.spec_pages p where p.spec_id = o.spec_id and p.words @@ w.page)));
end $$;

-- Returns the specs with all words of a search, and in `is_all` whether `ids` contains all such specs. If more than
-- `p_most` specs have all words, returns about `p_most`. With `p_pool`, checks only the specs in it and the outdated
-- specs.
create function private.some_matches(p_query private.spec_query, p_pool uuid[], p_most int, out ids uuid[],
  out is_all boolean)
language plpgsql stable set search_path = '' as $$
begin
  ids := private.some_with_prefix(p_query.whole, p_query.whole_start, 'all', p_pool, p_most + 1);
  is_all := p_pool is not null or cardinality(ids) <= p_most;
  if exists (select 1 from private.outdated_specs) then
    ids := array(select unnest(ids) except select o.spec_id from private.outdated_specs o)
      || private.outdated_matches(p_query);
  end if;
end $$;

-- Returns the first `p_limit` specs of `p_ids` that are in the range, in the order of the range.
create function private.pick_specs(p_ids uuid[], p_range private.spec_range, p_limit int)
returns table (id uuid, created_at timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
#variable_conflict use_column
begin
  return query
    select u.id, u.created_at from public.spec_uploads u
     where u.id = any (p_ids) and (p_range.status is null or u.processing_status = p_range.status)
       and (p_range.all_versions or u.is_current) and (p_range.from_at is null or u.created_at >= p_range.from_at)
       and (p_range.before_at is null or u.created_at < p_range.before_at)
       and case when p_range.after_id is null then true
                when p_range.is_rising then (u.created_at, u.id) > (p_range.after_at, p_range.after_id)
                else (u.created_at, u.id) < (p_range.after_at, p_range.after_id) end
     order by case when p_range.is_rising then u.created_at end, case when p_range.is_rising then u.id end,
              u.created_at desc, u.id desc
     limit p_limit;
end $$;

-- Returns whether a status is probably rarer than the words of a query. Compares the status's share of all current
-- specs with the share of matches in the newest full block, which has about 4,096 specs. Returns false if no block is
-- full.
create function private.is_rarer_status(p_status text, p_query text) returns boolean
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
declare
  v_block int;
  v_share numeric;
begin
  if p_status is null then return false; end if;
  select b.no into v_block from private.spec_blocks b order by b.first_at desc offset 1 limit 1;
  if not found then return false; end if;
  select sum(t.n) filter (where t.status = p_status) / nullif(sum(t.n), 0) into v_share from private.spec_tally t;
  return (select count(*) from private.spec_words w where w.words @@ replace(p_query, '~', v_block::text)::tsquery)
    > 4096 * v_share;
end $$;

-- Returns the first specs in the range that have a row matching a query. Leaves out the specs in `p_except`, those
-- whose `names` row matches `p_not` and, for a query on `all` rows, outdated specs. Reads one block, then one more,
-- then two, then four, and so on, because the newest block can contain few specs. If the newest specs come first and
-- the status is rarer than the words, scans up to 2,000 specs with this status before the blocks.
create function private.scan_specs(p_query text, p_not text, p_except uuid[], p_range private.spec_range, p_limit int)
returns table (id uuid, created_at timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
#variable_conflict use_column
declare
  v_before timestamptz;
  v_from timestamptz;
  v_blocks int[];
  v_has_outdated boolean := p_query like '%~a%' and exists (select 1 from private.outdated_specs);
  v_spec record;
  v_seen int := 0;
  v_next int := 1;
  v_size int := 1;
  v_left int := p_limit;
  v_count int;
begin
  if not p_range.is_rising and private.is_rarer_status(p_range.status, p_query) then
    for v_spec in
      select u.id, u.created_at from public.spec_uploads u
       where u.processing_status = p_range.status
         and (p_range.from_at is null or u.created_at >= p_range.from_at)
         and (p_range.before_at is null or u.created_at < p_range.before_at)
         and (p_range.after_id is null or (u.created_at, u.id) < (p_range.after_at, p_range.after_id))
         and (p_range.all_versions or u.is_current)
       order by u.created_at desc, u.id desc limit 2000
    loop
      v_seen := v_seen + 1;
      p_range.after_at := v_spec.created_at;
      p_range.after_id := v_spec.id;
      continue when v_spec.id = any (coalesce(p_except, '{}'))
        or v_has_outdated and exists (select 1 from private.outdated_specs o where o.spec_id = v_spec.id)
        or not exists (
          select 1 from private.spec_words w
           where w.spec_id = v_spec.id and w.words @@ replace(p_query, '~', w.block::text)::tsquery)
        or p_not is not null and (
          select n.words @@ replace(p_not, '~', n.block::text)::tsquery from private.spec_words n
           where n.spec_id = v_spec.id and n.part = 'names');
      id := v_spec.id;
      created_at := v_spec.created_at;
      return next;
      v_left := v_left - 1;
      exit when v_left = 0;
    end loop;
    -- If 2,000 specs do not fill the page, the words are unexpectedly rare in specs with this status, so scan the
    -- blocks for the rest.
    if v_left = 0 or v_seen < 2000 then return; end if;
  end if;
  v_before := least(p_range.before_at, case when not p_range.is_rising then p_range.after_at end);
  v_from := greatest(p_range.from_at, case when p_range.is_rising then p_range.after_at end);
  select array_agg(b.no order by case when p_range.is_rising then b.first_at end, b.first_at desc) into v_blocks
    from (select no, first_at, lead(first_at) over (order by first_at) as end_at from private.spec_blocks) b
   where (v_before is null or b.first_at <= v_before) and (v_from is null or b.end_at is null or b.end_at > v_from);
  while v_left > 0 and v_next <= cardinality(v_blocks) loop
    return query
      select f.spec_id, f.created_at
        from (select x.spec_id, x.created_at
                from unnest(v_blocks[v_next : v_next + v_size - 1]) b (no)
                cross join lateral (
                  select w.spec_id, w.created_at, w.is_current, w.block from private.spec_words w
                   where w.words @@ replace(p_query, '~', b.no::text)::tsquery) x
               where (p_range.from_at is null or x.created_at >= p_range.from_at)
                 and (p_range.before_at is null or x.created_at < p_range.before_at)
                 and case when p_range.after_id is null then true
                          when p_range.is_rising then (x.created_at, x.spec_id) > (p_range.after_at, p_range.after_id)
                          else (x.created_at, x.spec_id) < (p_range.after_at, p_range.after_id) end
                 and (p_range.all_versions or x.is_current)
                 -- These conditions use scalar subqueries, because the planner can turn joins and other subqueries
                 -- into scans of whole tables.
                 and case when p_range.status is null then true
                     else (select u.processing_status = p_range.status from public.spec_uploads u where u.id = x.spec_id) end
                 and case when p_not is null then true
                     else (select not n.words @@ replace(p_not, '~', n.block::text)::tsquery from private.spec_words n
                            where n.spec_id = x.spec_id and n.part = 'names') end
                 and case when v_has_outdated
                     then (select o.spec_id from private.outdated_specs o where o.spec_id = x.spec_id) is null
                     else true end
               order by case when p_range.is_rising then x.created_at end, case when p_range.is_rising then x.spec_id end,
                        x.created_at desc, x.spec_id desc
               limit v_left + coalesce(cardinality(p_except), 0)) f
       where f.spec_id <> all (coalesce(p_except, '{}'))
       limit v_left;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    v_next := v_next + v_size;
    v_size := v_next - 1;
  end loop;
end $$;

-- Returns the first specs in the range that have all words of a search, except the specs in `p_except` and those whose
-- `names` row matches `p_not`. Includes outdated specs.
create function private.scan_matches(p_query private.spec_query, p_not text, p_except uuid[],
  p_range private.spec_range, p_limit int)
returns table (id uuid, created_at timestamptz)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_outdated uuid[];
begin
  if exists (select 1 from private.outdated_specs) then
    v_outdated := array(select unnest(private.outdated_matches(p_query)) except select unnest(p_except));
    if p_not is not null then
      v_outdated := array(
        select unnest(v_outdated) except select unnest(private.some_specs(p_not, 'names', v_outdated, null)));
    end if;
  end if;
  return query
    select f.id, f.created_at
      from (select s.id, s.created_at from private.scan_specs(p_query.whole, p_not, p_except, p_range, p_limit) s
            union all select p.id, p.created_at from private.pick_specs(v_outdated, p_range, p_limit) p) f
     order by case when p_range.is_rising then f.created_at end, case when p_range.is_rising then f.id end,
              f.created_at desc, f.id desc
     limit p_limit;
end $$;

-- Returns the first `p_limit` specs of `p_ids` that are in the range, the best matches first, and the newest first
-- among equal matches. `sort_key` is the rank: 1 if all words are in the names, 2 if the last one is only a prefix
-- there, 3 if words are in the error, 4 if words are only in the text. Most matches have rank 4, so that comparison
-- comes first.
create function private.rank_specs(p_ids uuid[], p_query private.spec_query, p_range private.spec_range,
  p_after_key text, p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
#variable_conflict use_column
begin
  return query
    select r.id, r.created_at, r.key
      from (select u.id, u.created_at,
                   case when not n.words @@ replace(p_query.head, '~', n.block::text)::tsquery then '4'
                        when n.words @@ replace(p_query.exact, '~', n.block::text)::tsquery then '1'
                        when n.words @@ replace(p_query.names, '~', n.block::text)::tsquery then '2' else '3' end as key
              from private.spec_words n join public.spec_uploads u on u.id = n.spec_id
             where n.spec_id = any (p_ids) and n.part = 'names'
               and (p_range.status is null or u.processing_status = p_range.status)
               and (p_range.all_versions or u.is_current)
               and (p_range.from_at is null or u.created_at >= p_range.from_at)
               and (p_range.before_at is null or u.created_at < p_range.before_at)) r
     where p_after_key is null or r.key > p_after_key
        or r.key = p_after_key and (r.created_at, r.id) < (p_range.after_at, p_range.after_id)
     order by r.key, r.created_at desc, r.id desc
     limit p_limit;
end $$;

-- Does the same as `rank_specs` for all specs that match a search. Used if there are too many to rank each one. Ranks
-- the specs up to the last rank that at most 1,000 specs reach, and scans blocks only for the ranks after it. On the
-- first page without a status, looks in the newest two blocks first, and skips the rest if they fill the page.
create function private.scan_by_rank(p_query private.spec_query, p_range private.spec_range, p_after_key text,
  p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
declare
  v_pool uuid[] := private.few_with_status(p_range.status);
  -- All specs with a rank up to `v_last`, at most 1,000.
  v_few uuid[];
  v_last text := '0';
  v_ids uuid[];
  -- The newest specs of the rank after `v_last`. Used only if they fill a page.
  v_latest uuid[];
  v_times timestamptz[];
  v_key text;
  v_range private.spec_range;
  v_recent timestamptz;
  v_left int := p_limit;
  v_count int;
begin
  if p_range.status is null then
    v_recent := (select b.first_at from private.spec_blocks b
                  where p_range.before_at is null or b.first_at <= p_range.before_at
                  order by b.first_at desc offset 1 limit 1);
  end if;
  foreach v_key in array array['1', '2', '3'] loop
    if v_recent is not null and p_after_key is null then
      v_range := p_range;
      v_range.from_at := greatest(p_range.from_at, v_recent);
      select array_agg(s.id), array_agg(s.created_at) into v_latest, v_times
        from private.scan_specs(
          case v_key when '1' then p_query.exact when '2' then p_query.names else p_query.head end,
          case v_key when '2' then p_query.exact when '3' then p_query.names end, null, v_range, p_limit) s;
      exit when cardinality(v_latest) = p_limit;
    end if;
    v_ids := case v_key
      when '1' then private.some_specs(p_query.exact, 'names', v_pool, 1001)
      when '2' then private.some_specs(p_query.names, 'names', v_pool, 1001)
      else private.some_with_prefix(p_query.head, p_query.head_start, 'names', v_pool, 1001) end;
    exit when cardinality(v_ids) > 1000;
    v_few := v_ids;
    v_last := v_key;
  end loop;
  if coalesce(p_after_key, '1') <= v_last then
    return query select r.id, r.created_at, r.sort_key
      from private.rank_specs(v_few, p_query, p_range, p_after_key, p_limit) r;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
  end if;
  if cardinality(v_latest) = p_limit then
    return query select s.id, s.created_at, v_key
      from unnest(v_latest, v_times) with ordinality s (id, created_at, n) order by s.n limit v_left;
    return;
  end if;
  foreach v_key in array array['1', '2', '3', '4'] loop
    exit when v_left <= 0;
    continue when v_key <= v_last or v_key < p_after_key;
    v_range := p_range;
    if v_key is distinct from p_after_key then
      v_range.after_at := null;
      v_range.after_id := null;
    end if;
    if v_key = '4' then
      return query select s.id, s.created_at, v_key from private.scan_matches(
        p_query, case when v_last < '3' then p_query.head end, case when v_last = '3' then v_few end, v_range, v_left) s;
    else
      return query select s.id, s.created_at, v_key from private.scan_specs(
        case v_key when '1' then p_query.exact when '2' then p_query.names else p_query.head end,
        case v_key when '2' then p_query.exact when '3' then p_query.names end, null, v_range, v_left) s;
    end if;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
  end loop;
end $$;

-- Returns the specs that match a search and the filters, sorted by `p_sort`: match | status | newest | oldest.
-- `p_found` and `p_is_all` are the result of calling `some_matches` with a null pool, if the caller has it.
create function private.search_specs(p_query private.spec_query, p_status text, p_from timestamptz,
  p_before timestamptz, p_sort text, p_after_key text, p_after_at timestamptz, p_after_id uuid, p_limit int,
  p_all_versions boolean, p_found uuid[] default null, p_is_all boolean default null)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_status text;
  v_range private.spec_range :=
    (p_status, p_from, p_before, p_sort = 'oldest', p_after_at, p_after_id, p_all_versions);
  v_pool uuid[];
  v_found record;
  v_left int := p_limit;
  v_count int;
begin
  foreach v_status in array case when p_sort = 'status' and p_status is null
    then array['completed', 'failed', 'pending', 'processing'] else array[p_status] end
  loop
    continue when p_sort = 'status' and v_status < p_after_key;
    if p_sort = 'status' and v_status > p_after_key then
      v_range.after_at := null;
      v_range.after_id := null;
    end if;
    v_range.status := v_status;
    v_pool := private.few_with_status(v_status);
    if v_pool is null and p_found is not null then
      select p_found as ids, p_is_all as is_all into v_found;
    else
      v_found := private.some_matches(p_query, v_pool, 1000);
    end if;
    if p_sort = 'match' then
      return query select r.id, r.created_at, r.sort_key
        from private.rank_specs(v_found.ids, p_query, v_range, p_after_key, p_limit) r where v_found.is_all
      union all select r.id, r.created_at, r.sort_key
        from private.scan_by_rank(p_query, v_range, p_after_key, p_limit) r where not v_found.is_all;
    else
      return query select p.id, p.created_at, v_status
        from private.pick_specs(v_found.ids, v_range, v_left) p where v_found.is_all
      union all select s.id, s.created_at, v_status
        from private.scan_matches(p_query, null, null, v_range, v_left) s where not v_found.is_all;
    end if;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
end $$;

--------------------------------------------------------------------------------------------------------------------
-- The list
--------------------------------------------------------------------------------------------------------------------

-- Returns the specs that match the filters, sorted by `p_sort`. Used without a search, and for a search sorted by file
-- or brand. With `p_ids` but without `p_query`, returns only specs in `p_ids`. With both, returns the specs in `p_ids`
-- and those that match `p_query` and are not outdated.
create function private.list_specs(p_query text, p_ids uuid[], p_status text, p_brand_id uuid, p_area_type_id uuid,
  p_from timestamptz, p_before timestamptz, p_sort text, p_after_key text, p_after_at timestamptz, p_after_id uuid,
  p_limit int, p_all_versions boolean)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_keys text[];
  v_key text;
  v_order text := case p_sort when 'oldest' then 'asc' else 'desc' end;
  v_sort_key text := '$1';
  v_tables text;
  v_where text;
  v_left int := p_limit;
  v_count int;
begin
  -- If the sort key has few values, query each value separately, because an index can then return the rows in order.
  case
    when p_sort = 'status' then v_keys := array['completed', 'failed', 'pending', 'processing'];
    when p_sort = 'brand' and p_ids is null then
      v_keys := array(
        select private.sort_key(b.name) from public.brands b where p_brand_id is null or b.id = p_brand_id order by 1);
    when p_sort = 'brand' then v_sort_key := 'private.sort_key(b.name)';
    when p_sort = 'file' then v_sort_key := 'private.sort_key(d.file_name)';
    else null;
  end case;

  foreach v_key in array coalesce(v_keys, array[null::text]) loop
    continue when v_keys is not null and v_key < p_after_key;
    v_tables := 'public.spec_uploads u';
    v_where := 'true';
    if p_query is not null then
      -- `p_query` is given only if there are thousands of matches, so an index on the sort order soon finds the first
      -- matches. The planner cannot know how many matches there are, so a `case` keeps the planner from using the index
      -- on words.
      v_tables := v_tables || ' join private.spec_words x on x.spec_id = u.id and x.part = ''all''';
      v_where := 'case when u.id = any ($2) then true
                       when (select o.spec_id from private.outdated_specs o where o.spec_id = u.id) is not null then false
                       else x.words @@ replace($11, ''~'', x.block::text)::tsquery end';
    elsif p_ids is not null then
      v_where := 'u.id = any ($2)';
    elsif p_sort = 'brand' then
      v_where := 'u.brand_id = (select b.id from public.brands b where private.sort_key(b.name) = $1)';
    end if;
    if p_sort = 'brand' and p_ids is not null then
      v_tables := v_tables || ' join public.brands b on b.id = u.brand_id';
    elsif p_sort = 'file' then
      v_tables := v_tables || ' join public.documents d on d.id = u.document_id';
    elsif p_sort = 'status' then
      v_where := v_where || ' and u.processing_status = $1';
    end if;
    if not p_all_versions then v_where := v_where || ' and u.is_current'; end if;
    if p_status is not null then v_where := v_where || ' and u.processing_status = $3'; end if;
    if p_brand_id is not null then v_where := v_where || ' and u.brand_id = $4'; end if;
    if p_area_type_id is not null then v_where := v_where || ' and u.area_type_id = $5'; end if;
    if p_from is not null then v_where := v_where || ' and u.created_at >= $6'; end if;
    if p_before is not null then v_where := v_where || ' and u.created_at < $7'; end if;
    if p_after_id is not null and (v_keys is null or v_key = p_after_key) then
      v_where := v_where || format(
        case when v_sort_key = '$1' then ' and (u.created_at, u.id) %s ($9, $10)'
             else ' and %2$s >= $8 and (%2$s > $8 or (u.created_at, u.id) %1$s ($9, $10))' end,
        case v_order when 'desc' then '<' else '>' end, v_sort_key);
    end if;
    return query execute format(
      'select u.id, u.created_at, %1$s from %2$s where %3$s order by %4$s u.created_at %5$s, u.id %5$s limit %6$s',
      v_sort_key || '::text', v_tables, v_where, case when v_sort_key = '$1' then '' else v_sort_key || ', ' end,
      v_order, v_left)
      using v_key, p_ids, p_status, p_brand_id, p_area_type_id, p_from, p_before, p_after_key, p_after_at, p_after_id,
            p_query;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
end $$;

-- Returns one page of the specs that match the filters, sorted by `p_sort`. `p_found` and `p_is_all` are the result of
-- calling `some_matches` with a null pool. Both are null if there is no search.
create function private.page_of_specs(p_query private.spec_query, p_found uuid[], p_is_all boolean, p_status text,
  p_brand_id uuid, p_area_type_id uuid, p_from timestamptz, p_before timestamptz, p_sort text, p_after_key text,
  p_after_at timestamptz, p_after_id uuid, p_limit int, p_all_versions boolean)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_found record;
  v_few uuid[];
  v_scanned text;
begin
  if p_query.whole is not null then
    if p_sort not in ('brand', 'file') then
      return query select s.id, s.created_at, s.sort_key
        from private.search_specs(p_query, p_status, p_from, p_before, p_sort, p_after_key, p_after_at, p_after_id, p_limit,
          p_all_versions, p_found, p_is_all) s;
      return;
    end if;
    v_found := private.some_matches(p_query, private.few_with_status(p_status), 5000);
    if v_found.is_all then
      v_few := v_found.ids;
    else
      v_few := private.outdated_matches(p_query);
      v_scanned := p_query.whole;
    end if;
  end if;
  return query select l.id, l.created_at, l.sort_key
    from private.list_specs(v_scanned, v_few, p_status, p_brand_id, p_area_type_id, p_from, p_before, p_sort, p_after_key,
      p_after_at, p_after_id, p_limit, p_all_versions) l;
end $$;

-- Returns the number of specs in each status that match the filters, and whether the numbers are exact. If a search has
-- more than 1,000 matches, counts at most 1,000 of them, mostly the newest. `p_found` and `p_is_all` are the result of
-- calling `some_matches` with a null pool. Both are null if there is no search.
create function private.count_specs(p_query private.spec_query, p_found uuid[], p_is_all boolean, p_brand_id uuid,
  p_area_type_id uuid, p_from timestamptz, p_before timestamptz, p_all_versions boolean, out counts jsonb,
  out is_exact boolean)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  v_where text;
begin
  is_exact := true;
  if p_query.whole is not null then
    is_exact := p_is_all;
    if not p_is_all and (p_from is not null or p_before is not null
        or not p_all_versions
          and exists (select 1 from public.spec_uploads u where u.id = any (p_found) and not u.is_current)) then
      p_found := array(
        select s.id from private.scan_matches(p_query, null, null, (null, p_from, p_before, false, null, null, p_all_versions), 1001) s);
      is_exact := cardinality(p_found) <= 1000;
    end if;
    select jsonb_object_agg(c.status, c.n) into counts
      from (select p.status, count(*) as n
              from (select u.processing_status as status from public.spec_uploads u
                     where u.id = any (p_found) and (p_all_versions or u.is_current)
                       and (p_from is null or u.created_at >= p_from) and (p_before is null or u.created_at < p_before)
                     limit case when not is_exact then 1000 end) p
             group by 1) c;
  elsif p_from is not null or p_before is not null then
    v_where := concat_ws(' and ', 'true',
      case when not p_all_versions then 'u.is_current' end,
      case when p_brand_id is not null then 'u.brand_id = $1' end,
      case when p_area_type_id is not null then 'u.area_type_id = $2' end,
      case when p_from is not null then 'u.created_at >= $3' end,
      case when p_before is not null then 'u.created_at < $4' end);
    execute format('select jsonb_object_agg(c.status, c.n)
        from (select u.processing_status as status, count(*) as n from public.spec_uploads u where %s group by 1) c', v_where)
      into counts using p_brand_id, p_area_type_id, p_from, p_before;
  else
    select jsonb_object_agg(c.status, c.n) into counts
      from (select x.status, sum(x.n)::bigint as n
              from (select t.status, t.n from private.spec_tally t
                     where (p_brand_id is null or t.brand_id = p_brand_id)
                       and (p_area_type_id is null or t.area_type_id = p_area_type_id)
                    union all
                    select u.processing_status, count(*) from public.spec_uploads u
                     where p_all_versions and not u.is_current
                       and (p_brand_id is null or u.brand_id = p_brand_id)
                       and (p_area_type_id is null or u.area_type_id = p_area_type_id)
                     group by 1) x
             group by 1) c;
  end if;
  counts := coalesce(counts, '{}');
end $$;

-- Of a spec's pages, returns the one that contains the most words of a search. Returns no row if the spec's names and
-- error together contain all words, or if no page contains any of them.
create function private.matching_page(p_id uuid, p_query private.spec_query) returns table (page int, text text)
language plpgsql stable rows 1 set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select p.page, p.text
      from public.spec_pages p
      cross join lateral (select count(*) as n from unnest(p_query.page_words) w (word) where p.words @@ w.word) found
     where p.spec_id = p_id and found.n > 0
       and not (select x.words @@ replace(p_query.head, '~', x.block::text)::tsquery
                  from private.spec_words x where x.spec_id = p_id and x.part = 'names')
     order by found.n desc, p.page limit 1;
end $$;

-- Returns one page of the specs that match all given filters, in the order `p_sort` (match | newest | oldest | status
-- | brand | file) and after the row with the given key, time and id: `specs` with their matching pages, `counts` by
-- status without the filter for the status, and `isExact`, which is false if there are too many matches to count. With
-- `p_is_only_ids`, leaves out the specs' details, their matching pages and the counts. Returns no specs to callers who
-- are not administrators.
create function public.find_specs(p_q text default null, p_status text default null,
  p_brand text default null, p_area text default null, p_from timestamptz default null,
  p_before timestamptz default null, p_sort text default 'newest', p_after_key text default null,
  p_after_at timestamptz default null, p_after_id uuid default null, p_limit int default 21,
  p_all_versions boolean default false, p_is_only_ids boolean default false)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_words text[];
  v_brand uuid;
  v_area uuid;
  v_query private.spec_query;
  v_found uuid[];
  v_is_all boolean;
  v_specs jsonb := '[]';
  v_counts jsonb := '{}';
  v_is_exact boolean := true;
  v_has_matches boolean := true;
begin
  if not private.is_admin() then
    return jsonb_build_object('specs', v_specs, 'counts', v_counts, 'isExact', v_is_exact);
  end if;
  perform private.require_short(p_q, p_status, p_brand, p_area, p_sort, p_after_key);
  v_words := private.words_of(p_q);
  if p_brand is not null then
    select b.id into v_brand from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    v_has_matches := v_has_matches and found;
  end if;
  if p_area is not null then
    select a.id into v_area from public.area_types a where a.name_key = private.name_key(p_area) and a.name = p_area;
    v_has_matches := v_has_matches and found;
  end if;
  if v_has_matches and cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words, v_brand, v_area);
    v_has_matches := v_query.whole is not null;
    if v_has_matches then
      select m.ids, m.is_all into v_found, v_is_all from private.some_matches(v_query, null, 1000) m;
    end if;
  end if;
  if v_has_matches then
    select coalesce(jsonb_agg(
             jsonb_build_object('id', l.id, 'created_at', l.created_at, 'sort_key', l.sort_key, 'page', m.page, 'text', m.text,
                                'spec', case when not p_is_only_ids then private.spec_json(l.id) end)
             order by l.n), '[]') into v_specs
      from private.page_of_specs(v_query, v_found, v_is_all, p_status, v_brand, v_area, p_from, p_before, p_sort,
             p_after_key, p_after_at, p_after_id, p_limit, p_all_versions) with ordinality l (id, created_at, sort_key, n)
      left join lateral private.matching_page(l.id, v_query) m on v_query.whole is not null and not p_is_only_ids;
    if not p_is_only_ids then
      select c.counts, c.is_exact into v_counts, v_is_exact
        from private.count_specs(v_query, v_found, v_is_all, v_brand, v_area, p_from, p_before, p_all_versions) c;
    end if;
  end if;
  return jsonb_build_object('specs', v_specs, 'counts', v_counts, 'isExact', v_is_exact);
end $$;
grant execute on function public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz,
  uuid, int, boolean, boolean) to anon, authenticated;

-- The sections of specs, their corrections, and what members of projects may read of brand standards.
--
-- However often the sections of a spec are corrected, `original` keeps those from the workflow service or the outline,
-- so the corrections can be undone.

-- The sections of a spec, in order. They come from the outline of the PDF, from the workflow service or from manual
-- edits.
create table public.spec_sections (
  spec_id uuid not null references public.spec_uploads (id) on delete cascade,
  ordinal int not null check (ordinal between 1 and 2000),
  title text not null check (char_length(title) between 1 and 300),
  page int check (page >= 1),
  level int not null default 1 check (level between 1 and 20),
  text text check (char_length(text) <= 20000),
  source text not null check (source in ('outline', 'workflow', 'manual')),
  primary key (spec_id, ordinal)
);
alter table public.spec_sections enable row level security;
grant select on public.spec_sections to anon, authenticated;
create policy spec_sections_read on public.spec_sections for select to authenticated, anon
  using ((select private.is_admin()));
create policy anon_needs_token on public.spec_sections as restrictive for select to anon
  using ((select private.has_token()));

-- Records corrections of a spec's sections. `spec_sections` contains the current sections. If they were corrected,
-- `original` keeps the sections from the workflow service or the outline: [{ title, page, level, text }].
create table private.section_sets (
  spec_id uuid primary key references public.spec_uploads (id) on delete cascade,
  -- The number of changes. It shows whether a correction is based on outdated sections and must be refused.
  version int not null default 0,
  -- Null unless the sections are corrected.
  original jsonb,
  original_source text check (original_source in ('outline', 'workflow')),
  -- When a report of the workflow service last changed `original`. Null if no report has changed it since the first
  -- correction.
  original_changed_at timestamptz
);
alter table private.section_sets enable row level security;

-- Returns the version of a spec's sections, or null if there is no such spec. Reading the PDF counts as a change,
-- because the PDF can contain an outline.
create function private.sections_version(p_id uuid) returns int
language sql stable set search_path = '' as $$
  select coalesce((select version from private.section_sets where spec_id = p_id), 0) + (d.text_state <> 'pending')::int
    from public.spec_uploads s join public.documents d on d.id = s.document_id where s.id = p_id
$$;

-- Counts a change of a spec's sections. Corrections that are based on an earlier version are then refused.
create function private.count_section_change(p_id uuid) returns void
language sql volatile set search_path = '' as $$
  insert into private.section_sets as x (spec_id, version) values (p_id, 1)
    on conflict (spec_id) do update set version = x.version + 1
$$;

-- Returns the sections of a spec as [{ title, page, level, text }].
create function private.sections_json(p_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('title', title, 'page', page, 'level', level, 'text', text)
                            order by ordinal), '[]')
    from public.spec_sections where spec_id = p_id
$$;

-- Returns reported sections in the form that `sections_json` returns, so that the two can be compared.
create function private.full_sections(p_sections jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('title', x.section ->> 'title', 'page', (x.section ->> 'page')::int,
                              'level', coalesce((x.section ->> 'level')::int, 1), 'text', nullif(x.section ->> 'text', ''))
                            order by x.n), '[]')
    from jsonb_array_elements(p_sections) with ordinality as x (section, n)
$$;

-- Replaces the sections of a spec with `p_sections`: [{ title, page, level, text }].
create function private.put_sections(p_id uuid, p_source text, p_sections jsonb) returns void
language plpgsql volatile set search_path = '' as $$
begin
  delete from public.spec_sections where spec_id = p_id;
  insert into public.spec_sections (spec_id, ordinal, title, page, level, text, source)
    select p_id, x.n, x.section ->> 'title', (x.section ->> 'page')::int, coalesce((x.section ->> 'level')::int, 1),
           nullif(x.section ->> 'text', ''), p_source
      from jsonb_array_elements(p_sections) with ordinality as x (section, n);
end $$;

-- Replaces the sections of a spec with corrected ones: [{ title, page, level, text }]. The first correction keeps the
-- replaced sections in `original`. `p_version` is the version that the correction is based on. Writes an audit event.
-- outcome: saved (with the new version) | conflict (with the current version) | unread (the PDF has not been read yet)
-- | not_found
create function public.save_spec_sections(p_id uuid, p_version int, p_sections jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_version int;
  v_source text;
begin
  perform 1 from public.spec_uploads where id = p_id for update;
  v_version := private.sections_version(p_id);
  if v_version is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if exists (select 1 from public.spec_uploads s join public.documents d on d.id = s.document_id
              where s.id = p_id and d.text_state = 'pending') then
    return jsonb_build_object('outcome', 'unread');
  end if;
  if v_version <> p_version then return jsonb_build_object('outcome', 'conflict', 'version', v_version); end if;
  perform private.count_section_change(p_id);
  select source into v_source from public.spec_sections where spec_id = p_id order by ordinal limit 1;
  update private.section_sets
     set original = private.sections_json(p_id), original_source = coalesce(nullif(v_source, 'manual'), 'outline')
   where spec_id = p_id and original is null;
  perform private.put_sections(p_id, 'manual', p_sections);
  perform private.audit_spec_change('spec.sections_edited', p_id);
  return jsonb_build_object('outcome', 'saved', 'version', private.sections_version(p_id));
end $$;

-- Replaces corrected sections with the original ones. If there are no corrections to undo, changes nothing and returns
-- saved. Otherwise writes an audit event.
-- outcome: saved (with the resulting version) | conflict (with the current version) | not_found
create function public.restore_spec_sections(p_id uuid, p_version int) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_version int;
  v_set private.section_sets;
begin
  perform 1 from public.spec_uploads where id = p_id for update;
  v_version := private.sections_version(p_id);
  if v_version is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_version <> p_version then return jsonb_build_object('outcome', 'conflict', 'version', v_version); end if;
  select * into v_set from private.section_sets where spec_id = p_id;
  if v_set.original is not null then
    perform private.put_sections(p_id, v_set.original_source, v_set.original);
    update private.section_sets
       set original = null, original_source = null, original_changed_at = null, version = version + 1
     where spec_id = p_id;
    perform private.audit_spec_change('spec.sections_restored', p_id);
  end if;
  return jsonb_build_object('outcome', 'saved', 'version', private.sections_version(p_id));
end $$;

-- Returns the sections of a spec with their version and source. Also returns whether they were corrected, and when a
-- report last changed `original`. Returns null if there is no such spec or if the caller is not an administrator.
create function public.read_spec_sections(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
      'version', private.sections_version(p_id),
      'source', (select source from public.spec_sections where spec_id = p_id order by ordinal limit 1),
      'isCorrected', x.original is not null,
      'originalChangedAt', x.original_changed_at,
      'sections', private.sections_json(p_id))
    from public.spec_uploads s left join private.section_sets x on x.spec_id = s.id
   where s.id = p_id and private.is_admin()
$$;
grant execute on function public.read_spec_sections to anon, authenticated;

-- Returns the current completed specs of a brand, or of all brands if `p_brand` is null. With a search, returns only
-- specs that match it, the best matches first. Without a search, returns the newest first. `rows` makes the planner
-- expect one page of specs. With the default of 1,000 rows, the plan of `find_standards` would scan all specs.
create function private.list_standards(p_q text, p_brand text, p_after_key text, p_after_at timestamptz, p_after_id uuid,
  p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable rows 21 set search_path = '' as $$
#variable_conflict use_column
declare
  v_words text[] := private.words_of(p_q);
  v_brand uuid;
  v_query private.spec_query;
begin
  if p_brand is not null then
    select b.id into v_brand from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    if not found then return; end if;
  end if;
  if cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words, v_brand, null);
    if v_query.whole is null then return; end if;
    return query select s.id, s.created_at, s.sort_key
      from private.search_specs(v_query, 'completed', null, null, 'match', p_after_key, p_after_at, p_after_id, p_limit,
        false) s;
  else
    return query select l.id, l.created_at, l.sort_key
      from private.list_specs(null, null, 'completed', v_brand, null, null, null, 'newest', null, p_after_at, p_after_id,
        p_limit, false) l;
  end if;
end $$;

-- Returns what members of projects may see of the brand standards that `list_standards` finds.
create function public.find_standards(p_q text default null, p_brand text default null, p_after_key text default null,
  p_after_at timestamptz default null, p_after_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, sort_key text, brand_name text, area text, file_name text, version int,
  sections int)
language sql stable security definer set search_path = '' as $$
  select l.id, l.created_at, l.sort_key, s.brand_name, s.area, s.file_name, s.version,
         (select count(*)::int from public.spec_sections x where x.spec_id = l.id)
    from private.list_standards(p_q, p_brand, p_after_key, p_after_at, p_after_id, p_limit)
           with ordinality as l (id, created_at, sort_key, n)
    join public.specs s on s.id = l.id
   order by l.n
$$;

-- Returns the file name and version of a brand standard, and up to `p_limit` of its sections whose number is greater
-- than `p_after`. Returns null if `p_id` is not a brand standard, which is a current completed spec.
create function public.read_standard(p_id uuid, p_after int, p_limit int) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
      'fileName', s.file_name, 'version', s.version,
      'sections', coalesce((
        select jsonb_agg(jsonb_build_object('number', x.ordinal, 'title', x.title, 'page', x.page, 'level', x.level,
                           'text', x.text) order by x.ordinal)
          from (select * from public.spec_sections c
                 where c.spec_id = p_id and c.ordinal > p_after order by c.ordinal limit p_limit) x), '[]'))
    from public.specs s
   where s.id = p_id and s.processing_status = 'completed' and s.is_current
$$;

-- The images of a project: the ones that users upload, and the ones that image jobs generate.
--
-- An image job is a conversation. Each prompt (a message) starts a run, and a run produces variants, which are the
-- generated images. `31_image_runs.sql` holds what starts, moves and ends runs. The rule for every writer: lock the row
-- of the job before changing its messages, runs or variants.

-- Images that users upload to a project, and masks for refinements. The server stores the file before it adds the row.
-- Archived and deleted projects take no new images.
create table public.document_images (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  storage_path text not null unique,
  file_name text not null check (char_length(file_name) between 1 and 255),
  mime_type text not null check (mime_type in ('image/png', 'image/jpeg', 'image/webp')),
  size_bytes bigint not null check (size_bytes between 1 and 15728640),
  width int not null check (width > 0),
  height int not null check (height > 0),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Masks are not listed among the images uploaded to a project.
  is_mask boolean not null default false,
  -- The sanitized drawing of an image that was uploaded as an SVG. The image's file in storage is a PNG of the drawing.
  -- The app uses the drawing for exports and for copies of the image, and sends only the PNG to users' browsers.
  svg text check (octet_length(svg) <= 262144)
);
create index document_images_page on public.document_images (project_id, created_at desc, id desc);
create index document_images_created_by on public.document_images (created_by);

alter table public.document_images enable row level security;
grant select on public.document_images to anon, authenticated;
create policy document_images_read on public.document_images for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.document_images as restrictive for select to anon
  using ((select private.has_token()));

create trigger require_open_project before insert on public.document_images
  for each row execute function private.require_open_project();

-- Records a stored file as an image of the project. With `p_reuse`, returns an existing image of the project with the
-- same bytes, if there is one. A call that repeats an idempotency key returns the image of the first call. The caller
-- must remove the file at `p_storage_path` unless the returned image has that path. `p_svg` is the sanitized drawing of
-- an image that was uploaded as an SVG. outcome: created (with the image) | idempotency_mismatch
create function public.create_project_image(p_user uuid, p_project uuid, p_id uuid, p_storage_path text, p_file_name text,
  p_mime_type text, p_size_bytes bigint, p_width int, p_height int, p_sha256 text, p_reuse boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_svg text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'document_images', p_idempotency_key, p_request_sha256);
  v_image public.document_images;
begin
  if v_answer is not null then return v_answer; end if;
  if p_reuse then
    -- Without this lock, two concurrent calls would not see each other's image.
    perform 1 from public.projects where id = p_project for update;
    select * into v_image from public.document_images
     where project_id = p_project and sha256 = p_sha256 order by created_at, id limit 1;
  end if;
  if v_image.id is null then
    insert into public.document_images (id, project_id, storage_path, file_name, mime_type, size_bytes, width, height,
      sha256, created_by, svg)
    values (p_id, p_project, p_storage_path, p_file_name, p_mime_type, p_size_bytes, p_width, p_height, p_sha256, p_user,
      p_svg)
    returning * into v_image;
  end if;
  v_answer := jsonb_build_object('outcome', 'created', 'id', v_image.id, 'path', v_image.storage_path,
    'file_name', v_image.file_name, 'width', v_image.width, 'height', v_image.height, 'created_at', v_image.created_at);
  return private.idempotency_end(p_user, 'document_images', p_idempotency_key, v_answer);
end $$;

-- Returns what `create_project_image` returned for this key, so that a caller need not fetch the file again.
-- outcome: created (with the image) | idempotency_mismatch | unused
create function public.find_project_image(p_user uuid, p_idempotency_key text, p_request_sha256 text) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(
    (select case when request_sha256 = p_request_sha256 then answer
                 else jsonb_build_object('outcome', 'idempotency_mismatch') end
       from private.idempotency_keys
      where user_id = p_user and scope = 'document_images' and key = p_idempotency_key),
    jsonb_build_object('outcome', 'unused'))
$$;

-- Returns null if `p_mask` is null, or if it is a PNG that belongs to the project and has the given size. Otherwise
-- returns the outcome: mask_not_found | mask_unfit (with the required size)
create function private.mask_problem(p_mask uuid, p_project uuid, p_width int, p_height int) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  v_mask public.document_images;
begin
  if p_mask is null then return null; end if;
  select * into v_mask from public.document_images where id = p_mask and project_id = p_project;
  return case
    when v_mask.id is null then jsonb_build_object('outcome', 'mask_not_found')
    when v_mask.mime_type <> 'image/png' or v_mask.width <> p_width or v_mask.height <> p_height
      then jsonb_build_object('outcome', 'mask_unfit', 'width', p_width, 'height', p_height)
    end;
end $$;

-- Returns the SVG drawings of the given images of a project, up to 8 MB in total. The limit exists because an export
-- holds the drawings in memory. For an image whose drawing is left out, the export prints the PNG.
create function public.project_image_drawings(p_project uuid, p_paths text[])
returns table (path text, svg text)
language sql stable set search_path = '' as $$
  select d.path, d.svg
    from (select i.storage_path as path, i.svg, sum(octet_length(i.svg)) over (order by i.storage_path) as total
            from public.document_images i
           where i.project_id = p_project and i.storage_path = any (p_paths) and i.svg is not null) d
   where d.total <= 8388608
$$;

-- Combines the material ids of both arguments. A job or prompt can name a material in its column `material_ids` or in
-- `material_payload`. Immutable, because indexes use it.
create function private.material_ids_of(p_material_ids text[], p_material_payload jsonb) returns text[]
language sql immutable set search_path = '' as $$
  select p_material_ids || array(select m ->> 'id' from jsonb_array_elements(p_material_payload) m where m ? 'id')
$$;

-- Conversations that generate images. `run`, `status`, the times and the error are those of the latest run and change
-- together with its row in `image_runs`. `prompt`, the materials and the options are those of the first prompt; a later
-- prompt can have its own materials and options. An update that users must see increments `status_seq`, which causes a
-- broadcast.
create table public.image_jobs (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  status_seq bigint not null default 1,
  run int not null default 1 check (run >= 1),
  prompt text not null check (char_length(prompt) between 1 and 4000),
  input_image_id uuid references public.document_images (id) on delete set null,
  input_image_path text,
  page_id text,
  material_ids text[] not null default '{}' check (cardinality(material_ids) <= 32),
  material_payload jsonb not null default '[]' check (pg_column_size(material_payload) < 524288),
  options jsonb not null default '{}' check (pg_column_size(options) < 4096),
  error_code text,
  error text,
  deadline_at timestamptz,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  progress double precision check (progress between 0 and 1),
  progress_at timestamptz,
  note text check (char_length(note) <= 200),
  -- The material swap that started the job. `32_material_swaps.sql` adds the foreign key.
  swap_id uuid,
  name text check (name is null or length(name) between 1 and 120),
  check ((status in ('succeeded', 'failed', 'canceled')) = (finished_at is not null)),
  check (status <> 'failed' or error_code is not null)
);
create index image_jobs_page on public.image_jobs (project_id, created_at desc, id desc);
create index image_jobs_status on public.image_jobs (project_id, status, created_at desc, id desc);
create index image_jobs_input_path on public.image_jobs (input_image_path) where input_image_path is not null;
create index image_jobs_overdue on public.image_jobs (deadline_at) where status = 'running';
create index image_jobs_input on public.image_jobs (input_image_id);
create index image_jobs_created_by on public.image_jobs (created_by);
create index image_jobs_materials on public.image_jobs
  using gin (private.material_ids_of(material_ids, material_payload));
create index image_jobs_swap on public.image_jobs (swap_id, created_at, id) where swap_id is not null;

alter table public.image_jobs enable row level security;
grant select on public.image_jobs to anon, authenticated;
create policy image_jobs_read on public.image_jobs for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.image_jobs as restrictive for select to anon
  using ((select private.has_token()));

-- Keeps the jobs of archived and deleted projects from being renamed. New jobs are covered by the trigger on
-- `image_runs`.
create trigger require_open_project before update of name on public.image_jobs
  for each row execute function private.require_open_project();

-- Names an image job, or removes its name. Increments `status_seq`, which causes a broadcast, only if the name changes.
-- outcome: renamed | not_found
create function public.rename_image_job(p_job uuid, p_name text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  update public.image_jobs set name = p_name, status_seq = status_seq + 1, updated_at = clock_timestamp()
   where id = p_job and name is distinct from p_name;
  return jsonb_build_object('outcome', 'renamed');
end $$;

-- The prompts of a job, in the order of `ordinal`.
create table public.image_messages (
  id uuid primary key default gen_random_uuid(),
  job_id uuid not null references public.image_jobs (id) on delete cascade,
  role text not null default 'user' check (role in ('user')),
  prompt text not null check (char_length(prompt) between 1 and 4000),
  -- The id and the run of the variant to refine, which identify it within the job. Null for a prompt that refines no
  -- variant.
  variant_id text,
  variant_run int,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Position of the prompt in its conversation, from 1. Used as the cursor to page through a conversation from its end.
  ordinal int not null,
  -- The next three columns are null if the prompt uses the job's values. `material_ids` and `material_payload` are set
  -- together.
  material_ids text[] check (cardinality(material_ids) <= 32),
  material_payload jsonb check (pg_column_size(material_payload) < 524288),
  options jsonb check (pg_column_size(options) < 4096),
  -- Checked at the end of the transaction, because deleting a project deletes its images before its prompts. `on delete
  -- set null` is not an option, because a refinement without its mask would change the whole image.
  mask_image_id uuid references public.document_images (id) deferrable initially deferred,
  constraint image_messages_materials check ((material_ids is null) = (material_payload is null)),
  -- The first prompt of a job has no variant. Its mask belongs to the image that the swap starts from.
  constraint image_messages_mask check (mask_image_id is null or variant_id is not null or ordinal = 1)
);
create unique index image_messages_ordinal on public.image_messages (job_id, ordinal);
create index image_messages_created_by on public.image_messages (created_by);
create index image_messages_mask on public.image_messages (mask_image_id) where mask_image_id is not null;
create index image_messages_materials on public.image_messages
  using gin (private.material_ids_of(material_ids, material_payload)) where material_ids is not null;

alter table public.image_messages enable row level security;
grant select on public.image_messages to anon, authenticated;
-- The row level security of `image_jobs` applies to the subquery, so everyone who can see a job can see its prompts.
create policy image_messages_read on public.image_messages for select to authenticated, anon
  using (exists (select 1 from public.image_jobs j where j.id = job_id));
create policy anon_needs_token on public.image_messages as restrictive for select to anon
  using ((select private.has_token()));

-- Sets the next number of the job. Prompts are added only while their job is locked, so numbers are unique.
create function private.number_message() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  new.ordinal := 1 + coalesce((select max(ordinal) from public.image_messages where job_id = new.job_id), 0);
  return new;
end $$;

create trigger number_message before insert on public.image_messages
  for each row when (new.ordinal is null) execute function private.number_message();

-- The runs of a job, numbered from 1. A retry is another run of the same message.
create table public.image_runs (
  job_id uuid not null references public.image_jobs (id) on delete cascade,
  run int not null,
  message_id uuid not null references public.image_messages (id) on delete cascade,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  error_code text,
  error text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  notes text[] not null default '{}',
  -- The highest number among the removed images of this run, stored so that a retry does not reuse it.
  removed_number int not null default 0,
  primary key (job_id, run)
);
create index image_runs_message on public.image_runs (message_id);

alter table public.image_runs enable row level security;
grant select on public.image_runs to anon, authenticated;
-- The row level security of `image_jobs` applies to the subquery, so everyone who can see a job can see its runs.
create policy image_runs_read on public.image_runs for select to authenticated, anon
  using (exists (select 1 from public.image_jobs j where j.id = job_id));
create policy anon_needs_token on public.image_runs as restrictive for select to anon
  using ((select private.has_token()));

-- Every generation starts by adding a run, whether for a new job, a message or a retry, so this trigger covers them
-- all.
create trigger require_open_project before insert on public.image_runs
  for each row execute function private.require_open_project();

-- The images that runs produce. `private.store_variants` adds them as the workflow service reports them.
create table public.image_variants (
  job_id uuid not null references public.image_jobs (id) on delete cascade,
  run int not null,
  -- The id that the workflow chose (up to 128 characters). If another run of the job already has a variant with that
  -- id, the id gets a prefix with the number of this variant's run, such as `r2-`.
  variant_id text not null check (char_length(variant_id) between 1 and 140),
  -- The order of the variants within their run, from 1.
  position int not null,
  path text not null,
  thumb_path text,
  meta jsonb,
  width int not null check (width > 0),
  height int not null check (height > 0),
  -- Images that are stored in one transaction get different times, so they keep their order in a list sorted by time.
  created_at timestamptz not null default clock_timestamp(),
  -- Identifies the image with a single value. The primary key combines the job, the run and the variant id.
  id uuid not null default gen_random_uuid(),
  -- The project of the job, so that the policy and the lists need no other table.
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The image's number within its prompt, counted across all runs of the prompt: the 3 in `1.3`. A later report for
  -- the image's run can change it, but the deletion of other images cannot.
  number int not null,
  starred_at timestamptz,
  -- When the image was deleted. After the retention period, the sweep removes the row, and then the files.
  deleted_at timestamptz,
  primary key (job_id, run, variant_id),
  foreign key (job_id, run) references public.image_runs (job_id, run) on delete cascade
);
create unique index image_variants_id on public.image_variants (id);
create index image_variants_page on public.image_variants (project_id, created_at desc, id desc);
create index image_variants_path on public.image_variants (path);
create index image_variants_thumb on public.image_variants (thumb_path);
create index image_variants_deleted_age on public.image_variants (deleted_at) where deleted_at is not null;

alter table public.image_variants enable row level security;
grant select on public.image_variants to anon, authenticated;
create policy image_variants_read on public.image_variants for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.image_variants as restrictive for select to anon
  using ((select private.has_token()));

-- Sets the project and the number of a variant. Numbers continue after those of earlier runs of the same prompt,
-- including images that have been removed.
create function private.place_variant() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  new.project_id := (select project_id from public.image_jobs where id = new.job_id);
  new.number := new.position + coalesce((
    select greatest(max(e.removed_number), max(v.number))
      from public.image_runs r
      join public.image_runs e on e.message_id = r.message_id and e.run < r.run
      left join public.image_variants v on v.job_id = e.job_id and v.run = e.run
     where r.job_id = new.job_id and r.run = new.run), 0);
  return new;
end $$;

create trigger place_variant before insert or update of position on public.image_variants
  for each row execute function private.place_variant();
create trigger require_open_project before update of starred_at, deleted_at on public.image_variants
  for each row execute function private.require_open_project();

-- Returns the requested images that belong to the project, uploaded or generated, including deleted variants. `key` is
-- the id or path by which an image was requested. Only uploaded images can be requested by id.
create function public.project_image_files(p_project uuid, p_ids uuid[] default '{}', p_paths text[] default '{}')
returns table (key text, path text, width int, height int)
language sql stable set search_path = '' as $$
  select i.id::text, i.storage_path, i.width, i.height from public.document_images i
   where i.project_id = p_project and i.id = any (p_ids)
  union all
  select i.storage_path, i.storage_path, i.width, i.height from public.document_images i
   where i.project_id = p_project and i.storage_path = any (p_paths)
  union all
  select v.path, v.path, v.width, v.height from public.image_variants v join public.image_jobs j on j.id = v.job_id
   where j.project_id = p_project and v.path = any (p_paths)
$$;

-- Returns the prompts and seeds of the images at these paths. Leaves out images that were not generated in the project.
create function public.image_origins(p_project uuid, p_paths text[])
returns table (path text, prompt text, seed text)
language sql stable set search_path = '' as $$
  select v.path, m.prompt, left(v.meta ->> 'seed', 100)
    from public.image_variants v
    join public.image_jobs j on j.id = v.job_id
    join public.image_runs r on r.job_id = v.job_id and r.run = v.run
    join public.image_messages m on m.id = r.message_id
   where j.project_id = p_project and v.path = any (p_paths)
   order by v.path
$$;

-- Returns the paths in `p_paths` that page templates use. An image at such a path stays usable after it is deleted in
-- its project.
create function public.template_images(p_paths text[]) returns setof text
language sql stable set search_path = '' as $$
  select distinct path from unnest(p_paths) path
   where exists (select 1 from private.page_templates t where path = any (t.images))
$$;

-- The runs of image jobs: what starts, moves and ends them, and what stores their images.
--
-- A run goes from queued to running when the workflow service accepts it, and ends as succeeded, failed or canceled.
-- The job's row must be locked while its runs change: the public functions lock it, and the private ones rely on that.
-- All status changes go through `private.next_image_run` and `private.move_image`, which keep the job and its latest
-- run in step. Reports about earlier runs change nothing.

-- Changes the status of a job and its run together. Returns false if `p_run` is not the current run or the status was
-- not in `p_from`. The end of a run clears the progress and the note. The job row must be locked.
create function private.move_image(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_finished timestamptz := case when p_to in ('succeeded', 'failed', 'canceled') then v_now end;
begin
  update public.image_jobs
     set status = p_to, status_seq = status_seq + 1, updated_at = v_now, finished_at = v_finished,
         started_at = case when p_to = 'running' then v_now else started_at end,
         error_code = p_error_code, error = left(p_error, 10000), deadline_at = coalesce(p_deadline, deadline_at),
         progress = case when v_finished is null then progress end,
         progress_at = case when v_finished is null then progress_at end,
         note = case when v_finished is null then note end
   where id = p_id and run = p_run and status = any (p_from);
  if not found then return false; end if;
  update public.image_runs
     set status = p_to, error_code = p_error_code, error = left(p_error, 10000), finished_at = v_finished,
         started_at = case when p_to = 'running' then v_now else started_at end
   where job_id = p_id and run = p_run;
  return true;
end $$;

-- Queues the next run of a job whose last run has ended. The job row must be locked.
create function private.next_image_run(p_job uuid, p_run int, p_message uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  insert into public.image_runs (job_id, run, message_id) values (p_job, p_run, p_message);
  update public.image_jobs
     set run = p_run, status = 'queued', status_seq = status_seq + 1, updated_at = clock_timestamp(), started_at = null,
         finished_at = null, error_code = null, error = null, deadline_at = null
   where id = p_job;
end $$;

-- Creates a job and queues its first run. The job starts from an uploaded image of the project, or from a generated one
-- that is not deleted, given by its path. The id takes precedence over the path. If only one of them matches, the other
-- is ignored; image_not_found means that neither does. With `p_caller`, checks the role and the rate limit.
-- outcome: created (with the job's id) | image_not_found | idempotency_mismatch | an outcome of `private.refuse_start`
create function public.create_image_job(p_user uuid, p_project uuid, p_prompt text, p_input_image_id uuid default null,
  p_input_image_path text default null, p_page_id text default null, p_material_ids text[] default '{}',
  p_material_payload jsonb default '[]', p_options jsonb default '{}', p_idempotency_key text default null,
  p_request_sha256 text default null, p_caller jsonb default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_start(p_user, p_caller, p_project);
  v_image uuid;
  v_path text;
  v_job uuid := gen_random_uuid();
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.idempotency_begin(p_user, 'image_jobs', p_idempotency_key, p_request_sha256);
  if v_answer is not null then return v_answer; end if;
  select id into v_image from public.document_images
   where project_id = p_project and (id = p_input_image_id or storage_path = p_input_image_path)
   order by id = p_input_image_id desc nulls last limit 1;
  if exists (select 1 from public.document_images where project_id = p_project and storage_path = p_input_image_path)
     or exists (select 1 from public.image_variants v join public.image_jobs j on j.id = v.job_id
                 where v.path = p_input_image_path and j.project_id = p_project and v.deleted_at is null) then
    v_path := p_input_image_path;
  end if;
  if v_image is null and v_path is null and (p_input_image_id is not null or p_input_image_path is not null) then
    v_answer := jsonb_build_object('outcome', 'image_not_found');
  else
    insert into public.image_jobs (id, project_id, prompt, input_image_id, input_image_path, page_id, material_ids,
      material_payload, options, created_by)
    values (v_job, p_project, p_prompt, v_image, v_path, p_page_id, p_material_ids, p_material_payload,
      p_options, p_user);
    insert into public.image_messages (id, job_id, prompt, created_by) values (v_message, v_job, p_prompt, p_user);
    insert into public.image_runs (job_id, run, message_id) values (v_job, 1, v_message);
    v_answer := jsonb_build_object('outcome', 'created', 'job_id', v_job);
  end if;
  return private.idempotency_end(p_user, 'image_jobs', p_idempotency_key, v_answer);
end $$;

-- Adds a prompt to a job whose last run has ended, and queues its run. The prompt refines the given variant, by default
-- the last one of the latest run that has any, or none if the job has no images. Deleted variants do not count.
-- A mask must be a PNG that belongs to the project and has the size of that variant; without a variant, the outcome is
-- variant_not_found. Null materials or options stand for those of the job. With `p_caller`, checks the role and the
-- rate limit. outcome: created (with the message's id and the run) | not_found | variant_not_found | mask_not_found |
-- mask_unfit (with the required size) | conflict (with the current status) | idempotency_mismatch | an outcome of
-- `private.refuse_start`
create function public.send_image_message(p_user uuid, p_job uuid, p_prompt text, p_variant_id text default null,
  p_material_ids text[] default null, p_material_payload jsonb default null, p_options jsonb default null,
  p_mask_image_id uuid default null, p_idempotency_key text default null, p_request_sha256 text default null,
  p_caller jsonb default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_start(p_user, p_caller, (select project_id from public.image_jobs where id = p_job));
  v_job public.image_jobs;
  v_variant record;
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.idempotency_begin(p_user, 'image_messages', p_idempotency_key, p_request_sha256);
  if v_answer is not null then return v_answer; end if;
  select * into v_job from public.image_jobs where id = p_job for update;
  select variant_id, run, width, height into v_variant from public.image_variants
   where job_id = p_job and deleted_at is null and (p_variant_id is null or variant_id = p_variant_id)
   order by run desc, position desc limit 1;
  v_answer := case
    when v_job.id is null then jsonb_build_object('outcome', 'not_found')
    when v_job.status in ('queued', 'running') then jsonb_build_object('outcome', 'conflict', 'status', v_job.status)
    when coalesce(p_variant_id, p_mask_image_id::text) is not null and v_variant.variant_id is null
      then jsonb_build_object('outcome', 'variant_not_found')
    else private.mask_problem(p_mask_image_id, v_job.project_id, v_variant.width, v_variant.height)
    end;
  if v_answer is null then
    insert into public.image_messages (id, job_id, prompt, variant_id, variant_run, material_ids, material_payload,
      options, mask_image_id, created_by)
    values (v_message, p_job, p_prompt, v_variant.variant_id, v_variant.run, p_material_ids, p_material_payload,
      p_options, p_mask_image_id, p_user);
    update public.document_images set is_mask = true where id = p_mask_image_id and not is_mask;
    perform private.next_image_run(p_job, v_job.run + 1, v_message);
    v_answer := jsonb_build_object('outcome', 'created', 'message_id', v_message, 'run', v_job.run + 1);
  end if;
  return private.idempotency_end(p_user, 'image_messages', p_idempotency_key, v_answer);
end $$;

-- Starts another run of the latest prompt, after its last run failed or was canceled. With `p_caller`, checks the role
-- and the rate limit. outcome: retried (with the run) | not_found | conflict (with the current status) | an outcome of
-- `private.refuse_start`
create function public.retry_image_job(p_job uuid, p_user uuid default null, p_caller jsonb default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_start(p_user, p_caller, (select project_id from public.image_jobs where id = p_job));
  v_job public.image_jobs;
begin
  if v_answer is not null then return v_answer; end if;
  select * into v_job from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_job.status not in ('failed', 'canceled') then
    return jsonb_build_object('outcome', 'conflict', 'status', v_job.status);
  end if;
  perform private.next_image_run(p_job, v_job.run + 1,
    (select message_id from public.image_runs where job_id = p_job and run = v_job.run));
  return jsonb_build_object('outcome', 'retried', 'run', v_job.run + 1);
end $$;

-- Cancels the current run. Later reports and callbacks do not change its result.
-- outcome: canceled | already | not_found | conflict (with the final status)
create function public.cancel_image_job(p_job uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_job public.image_jobs;
begin
  select * into v_job from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if private.move_image(p_job, v_job.run, array['queued', 'running'], 'canceled') then
    update private.work_items set state = 'canceled', finished_at = clock_timestamp(), lease_token = null
     where kind = 'image_dispatch' and subject_id = p_job and state = 'pending';
    return jsonb_build_object('outcome', 'canceled');
  end if;
  if v_job.status = 'canceled' then return jsonb_build_object('outcome', 'already'); end if;
  return jsonb_build_object('outcome', 'conflict', 'status', v_job.status);
end $$;

-- Returns the number of the current or next attempt of a run that is being retried, and the maximum number of attempts,
-- as { attempt, maxAttempts }. Returns null if no attempt has failed yet, the run is not waiting to be accepted, or the
-- caller may not see the job. Users may execute it, because the view `image_job_rows` calls it with their rights. It
-- checks the caller itself, because it reads `work_items` with the owner's rights.
create function private.image_retrying(p_job uuid, p_run int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('maxAttempts', w.max_attempts,
             -- Without a lease, `attempts` does not count the next attempt yet.
             'attempt', least(w.max_attempts, w.attempts + case when w.lease_token is null then 1 else 0 end))
      from private.work_items w
     where w.kind = 'image_dispatch' and w.subject_id = p_job and w.run = p_run and w.state = 'pending'
       and w.last_error is not null
       and (private.is_admin() or exists (
             select 1 from public.image_jobs j where j.id = p_job and j.project_id in (select private.my_projects()))));
end $$;
grant execute on function private.image_retrying to anon, authenticated;

-- Broadcasts that an attempt to start a run has failed and will be repeated, so that users see the run is being
-- retried. `work_failed`, which causes this trigger on `trigger_events`, has already locked the job.
create function private.tell_retry() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.image_jobs set status_seq = status_seq + 1
   where id = new.subject_id and run = new.run and status = 'queued';
  return null;
end $$;

-- Stores a run's checked outputs: [{ variant_id, path, thumb_path, meta, width, height }]. Each variant is stored once,
-- as it was first reported. A run has at most 32 variants (`MAX_OUTPUTS`). Variants are ordered by the length of their
-- path, then by path, so the order in which reports arrive makes no difference. The variants in a final report come
-- first, in the order of that report. The job must be locked.
create function private.store_variants(p_job uuid, p_run int, p_outputs jsonb, p_is_final boolean) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_ids text[];
  v_stored int := (select count(*) from public.image_variants where job_id = p_job and run = p_run);
begin
  -- A workflow can report the same variant id again in another run, but variant ids must be unique within the job.
  select array_agg(
           case when exists (select 1 from public.image_variants x
                              where x.job_id = p_job and x.run <> p_run and x.variant_id = o.value ->> 'variant_id')
                then 'r' || p_run || '-' || (o.value ->> 'variant_id') else o.value ->> 'variant_id' end
           order by o.ordinality)
    into v_ids from jsonb_array_elements(p_outputs) with ordinality o;
  insert into public.image_variants (job_id, run, variant_id, position, path, thumb_path, meta, width, height)
  select p_job, p_run, v_ids[o.ordinality], o.ordinality, o.value ->> 'path', o.value ->> 'thumb_path',
         nullif(o.value -> 'meta', 'null'), (o.value ->> 'width')::int, (o.value ->> 'height')::int
    from jsonb_array_elements(p_outputs) with ordinality o
   where not exists (select 1 from public.image_variants x
                      where x.job_id = p_job and x.run = p_run and x.variant_id = v_ids[o.ordinality])
   order by o.ordinality limit greatest(0, 32 - v_stored)
  on conflict (job_id, run, variant_id) do nothing;
  update public.image_variants v set position = placed.position
    from (select variant_id, row_number() over (
                   order by case when p_is_final then array_position(v_ids, variant_id) end nulls last,
                            char_length(path), path collate "C", variant_id collate "C") as position
            from public.image_variants where job_id = p_job and run = p_run) placed
   where v.job_id = p_job and v.run = p_run and v.variant_id = placed.variant_id and v.position <> placed.position;
end $$;

-- Returns the variants that a run already has, in the format of `store_variants`.
create function private.stored_variants(p_job uuid, p_run int) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('variant_id', v.variant_id, 'path', v.path, 'thumb_path', v.thumb_path,
           'meta', v.meta, 'width', v.width, 'height', v.height) order by v.position), '[]')
    from public.image_variants v where v.job_id = p_job and v.run = p_run
$$;

-- Applies a progress report on a job. While the job is running, extends the deadline to `p_deadline_s` seconds from
-- now, but not beyond `p_limit_s` seconds after the start. Progress never goes back: a report with less progress than
-- an earlier one changes neither the progress nor the note. A report that names its run proves that the trigger has
-- arrived, so it also marks a queued run as running. outcome: applied | too_often | late | canceled | stale_run |
-- unknown_run (all with the status, the run, the project, and the run's stored variants, so that the caller checks only
-- new outputs) | not_found
create function public.report_image_progress(p_id uuid, p_deadline_s int, p_limit_s int, p_run int default null,
  p_progress double precision default null, p_note text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_run int;
  v_outcome text;
  v_now timestamptz := clock_timestamp();
  v_note text := nullif(btrim(left(private.plain_words(p_note), 200)), '');
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_job.run);
  v_outcome := private.progress_outcome('image', p_id, v_run, v_job.run, v_job.status);
  if v_outcome = 'applied' then
    if v_job.status = 'queued' and p_run is not null then
      perform private.move_image(p_id, v_run, array['queued'], 'running');
      update private.work_items set state = 'done', finished_at = v_now, lease_token = null
       where kind = 'image_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
    end if;
    update public.image_jobs
       set deadline_at = greatest(deadline_at,
             least(v_now + make_interval(secs => p_deadline_s), started_at + make_interval(secs => p_limit_s)))
     where id = p_id and status = 'running';
    update public.image_jobs
       set status_seq = status_seq + 1, updated_at = v_now, note = coalesce(v_note, note),
           progress_at = case when p_progress is distinct from progress and p_progress is not null then v_now
                            else progress_at end,
           progress = coalesce(p_progress, progress)
     where id = p_id and not coalesce(p_progress < progress, false)
       and (coalesce(p_progress, progress), coalesce(v_note, note)) is distinct from (progress, note);
  end if;
  if v_outcome <> 'too_often' then
    perform private.note_progress('image', p_id, v_run, v_outcome, p_progress, v_note);
  end if;
  return jsonb_build_object('outcome', v_outcome, 'run', v_run, 'project_id', v_job.project_id,
    'status', (select status from public.image_jobs where id = p_id),
    'stored', private.stored_variants(p_id, v_run),
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;

-- Stores checked outputs of a run that is in progress, in the format of `store_variants`.
-- outcome: applied | late | stale_run | canceled (all with the job's status) | not_found
create function public.add_image_outputs(p_id uuid, p_run int, p_outputs jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_before int;
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  -- The run can end while its outputs are being checked.
  if v_job.run <> p_run or v_job.status not in ('queued', 'running') then
    return jsonb_build_object('status', v_job.status, 'outcome', case
      when v_job.run <> p_run then 'stale_run' when v_job.status = 'canceled' then 'canceled' else 'late' end);
  end if;
  v_before := (select count(*) from public.image_variants where job_id = p_id and run = p_run);
  perform private.store_variants(p_id, p_run, p_outputs, false);
  if v_before < (select count(*) from public.image_variants where job_id = p_id and run = p_run) then
    update public.image_jobs set status_seq = status_seq + 1, updated_at = clock_timestamp() where id = p_id;
  end if;
  return jsonb_build_object('outcome', 'applied', 'status', v_job.status);
end $$;

-- Applies a callback with the result of a run: `p_status` is succeeded or failed. If a success would be applied but
-- `p_outputs` is null, changes nothing and returns checkable, with the run, the project and the run's stored variants.
-- The caller then checks the outputs that are not stored yet, and calls again with those that passed, in the format of
-- `store_variants`. A success need not repeat outputs that were reported earlier. If no outputs were reported, the run
-- succeeds even without images. If outputs were reported but the run would have no images, the caller passes `p_error`:
-- a run in progress then fails with the code `invalid_output`, and a failed run stays as it is (late). A success
-- replaces a failure that the workflow service did not report (timeout, unreachable) within 24 hours. `p_notes` is
-- stored on a run that succeeds. `kept` is the number of variants that the run keeps if this callback made it fail,
-- otherwise 0.
-- outcome: checkable | applied | duplicate | late | conflict | canceled | stale_run | unknown_run (all but checkable
-- with the run, the status and `kept`) | not_found
create function public.apply_image_callback(p_id uuid, p_status text, p_run int default null,
  p_outputs jsonb default null, p_error text default null, p_notes text[] default '{}') returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_run int;
  v_outcome text;
  v_to text := case when p_status = 'succeeded' and p_error is null then 'succeeded' else 'failed' end;
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_job.run);
  v_outcome := case
    when v_run < v_job.run then 'stale_run'
    when v_run > v_job.run then 'unknown_run'
    when v_job.status in ('queued', 'running') then 'applied'
    when v_job.status = 'canceled' then 'canceled'
    when p_status = 'succeeded' and v_job.error_code in ('timeout', 'unreachable')
      and v_job.finished_at > now() - interval '24 hours' then 'applied'
    when v_job.error_code in ('timeout', 'unreachable') then 'late'
    when v_job.status = p_status then 'duplicate'
    else 'conflict' end;
  if v_outcome = 'applied' and p_status = 'succeeded' and p_outputs is null then
    return jsonb_build_object('outcome', 'checkable', 'run', v_run, 'project_id', v_job.project_id,
      'stored', private.stored_variants(p_id, v_run));
  end if;
  -- Only a success with usable outputs, or with no outputs at all, replaces a failure that the workflow service did not
  -- report.
  if v_outcome = 'applied' and v_job.status = 'failed' and v_to = 'failed' then v_outcome := 'late'; end if;
  if v_outcome = 'applied' then
    perform private.move_image(p_id, v_run, array['queued', 'running', 'failed'], v_to,
      case when v_to = 'succeeded' then null when p_status = 'succeeded' then 'invalid_output' else 'workflow_failed' end,
      case when v_to = 'succeeded' then null
           else coalesce(nullif(btrim(private.plain_words(p_error)), ''), 'The workflow service reported a failure without a reason.') end);
    if v_to = 'succeeded' then
      update public.image_runs set notes = p_notes where job_id = p_id and run = v_run;
      perform private.store_variants(p_id, v_run, p_outputs, true);
    end if;
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'image_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason)
  values ('image', p_id, v_run, p_status, v_outcome,
    private.plain_reason(coalesce(p_error, nullif(array_to_string(p_notes, ' '), ''))));
  return jsonb_build_object('outcome', v_outcome, 'run', v_run,
    'status', case when v_outcome = 'applied' then v_to else v_job.status end,
    'kept', case when v_outcome = 'applied' and v_to = 'failed' then
      (select count(*) from public.image_variants where job_id = p_id and run = v_run) else 0 end,
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;


-- Material swaps: image jobs that start from the same image with the same seed, each with a different material in the
-- same place, so that the results can be compared.

-- Each row is one swap. Its jobs name it in `image_jobs.swap_id`, ordered by `created_at`.
create table public.image_swaps (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The image that the jobs start from. Null once the row of the image has been removed.
  variant_id uuid references public.image_variants (id) on delete set null,
  -- The part of the image whose material is swapped, such as `the floor`.
  place text not null check (char_length(place) between 1 and 500),
  seed bigint not null,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index image_swaps_page on public.image_swaps (project_id, created_at desc, id desc);
create index image_swaps_variant on public.image_swaps (variant_id);
create index image_swaps_created_by on public.image_swaps (created_by);

alter table public.image_swaps enable row level security;
grant select on public.image_swaps to anon, authenticated;
create policy image_swaps_read on public.image_swaps for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.image_swaps as restrictive for select to anon
  using ((select private.has_token()));

-- Stands here because jobs, variants and swaps refer to each other in a circle.
alter table public.image_jobs add foreign key (swap_id) references public.image_swaps (id) on delete set null;

-- Returns the seed that the workflow service reported for an image, or null if it did not report an integer of up to 15
-- digits.
create function private.seed_of(p_meta jsonb) returns bigint
language sql immutable set search_path = '' as $$
  select (p_meta ->> 'seed')::bigint
   where jsonb_typeof(p_meta -> 'seed') = 'number' and p_meta ->> 'seed' ~ '^-?\d{1,15}$'
$$;

-- Starts a job for each of `p_jobs` (objects with a prompt and a material). If a job cannot be created, raises an error
-- and starts none. All jobs get the same seed: the one in `p_options`, else that of the image, else `p_random_seed`. If
-- `p_options` has no size, the jobs also get the size of the image, provided that the option `size` allows it. A mask
-- must be a PNG that belongs to the project and has the same size as the image.
-- outcome: created (with the ids of the swap and of its jobs, in the order of `p_jobs`) | not_found (the project has no
-- such image) | mask_not_found | mask_unfit (with the required size) | idempotency_mismatch
create function public.create_image_swap(p_user uuid, p_project uuid, p_variant uuid, p_place text, p_jobs jsonb,
  p_options jsonb, p_random_seed bigint, p_mask_image_id uuid default null, p_idempotency_key text default null,
  p_request_sha256 text default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'image_swaps', p_idempotency_key, p_request_sha256);
  v_source public.image_variants;
  v_swap uuid := gen_random_uuid();
  v_seed bigint;
  v_size jsonb := '{}';
  v_job record;
  v_created jsonb;
  v_jobs uuid[] := '{}';
begin
  if v_answer is not null then return v_answer; end if;
  -- The lock keeps the image from being deleted before all jobs have been created.
  select * into v_source from public.image_variants
   where id = p_variant and project_id = p_project and deleted_at is null for share;
  v_answer := case when v_source.id is null then jsonb_build_object('outcome', 'not_found')
    else private.mask_problem(p_mask_image_id, p_project, v_source.width, v_source.height) end;
  if v_answer is not null then
    return private.idempotency_end(p_user, 'image_swaps', p_idempotency_key, v_answer);
  end if;
  v_seed := coalesce((p_options ->> 'seed')::bigint, private.seed_of(v_source.meta), p_random_seed);
  -- The option `size` only allows sizes within these limits.
  if least(v_source.width, v_source.height) >= 64 and greatest(v_source.width, v_source.height) <= 16384 then
    v_size := jsonb_build_object('size', v_source.width || 'x' || v_source.height);
  end if;
  insert into public.image_swaps (id, project_id, variant_id, place, seed, created_by)
  values (v_swap, p_project, p_variant, p_place, v_seed, p_user);
  for v_job in select value, ordinality from jsonb_array_elements(p_jobs) with ordinality order by ordinality loop
    v_created := public.create_image_job(p_user, p_project, v_job.value ->> 'prompt',
      p_input_image_path => v_source.path,
      p_material_ids => array[v_job.value #>> '{material,id}'],
      p_material_payload => jsonb_build_array(v_job.value -> 'material'),
      p_options => v_size || p_options || jsonb_build_object('seed', v_seed));
    -- Distinct creation times keep the jobs in the order of their materials.
    update public.image_jobs
       set swap_id = v_swap, created_at = created_at + v_job.ordinality * interval '1 microsecond'
     where id = (v_created ->> 'job_id')::uuid;
    if not found then raise exception 'a job of a swap was not created: %', v_created; end if;
    v_jobs := v_jobs || (v_created ->> 'job_id')::uuid;
  end loop;
  if p_mask_image_id is not null then
    update public.image_messages set mask_image_id = p_mask_image_id where job_id = any (v_jobs);
    update public.document_images set is_mask = true where id = p_mask_image_id and not is_mask;
  end if;
  v_answer := jsonb_build_object('outcome', 'created', 'swap_id', v_swap, 'job_ids', v_jobs);
  return private.idempotency_end(p_user, 'image_swaps', p_idempotency_key, v_answer);
end $$;

-- Returns, for each job of a swap, the first image of the latest run that used the job's material and has images.
-- Deleted images do not count. Later prompts of the job can have other materials. Jobs without such an image are left
-- out.
create function public.swap_covers(p_swap uuid) returns table (job_id uuid, cover jsonb)
language sql stable set search_path = '' as $$
  select j.id, to_jsonb(c)
    from public.image_jobs j
   cross join lateral (
     select v.id, v.variant_id, v.number, v.path, v.thumb_path, v.meta, v.width, v.height, v.run, v.created_at, v.starred_at
       from public.image_variants v
       join public.image_runs r on r.job_id = v.job_id and r.run = v.run
       join public.image_messages m on m.id = r.message_id
      where v.job_id = j.id and v.deleted_at is null
        and (m.material_ids is null
             or private.material_ids_of(m.material_ids, m.material_payload) @> j.material_ids)
      order by v.run desc, v.position limit 1) c
   where j.swap_id = p_swap
$$;

-- Each row is an image job with `cover`, the first image of the latest run that has images (deleted ones do not count),
-- `retrying` (see `private.image_retrying`), and the place of its swap. The reader's row level security applies. Stands
-- here because it reads `image_swaps`.
create view public.image_job_rows with (security_invoker = true) as
  select j.*, (
    select to_jsonb(c) from (
      select v.id, v.variant_id, v.number, v.path, v.thumb_path, v.meta, v.width, v.height, v.run, v.created_at,
             v.starred_at
        from public.image_variants v where v.job_id = j.id and v.deleted_at is null
       order by v.run desc, v.position limit 1) c) as cover,
    case when j.status = 'queued' then private.image_retrying(j.id, j.run) end as retrying,
    (select s.place from public.image_swaps s where s.id = j.swap_id) as swap_place
    from public.image_jobs j;
grant select on public.image_job_rows to anon, authenticated;

-- The gallery of a project: lists, stars, deletes, restores and downloads its generated images (`image_variants`).
--
-- A deleted image keeps its row, so that it can be restored, until `remove_deleted_images` removes it. Every list of
-- images must leave out those with `deleted_at`.

-- The images of all projects with their prompts, including deleted images. Only service_role may read this view.
create view public.gallery_images with (security_invoker = true) as
  select v.id, v.project_id, v.job_id, v.run, v.variant_id, v.number, v.path, v.thumb_path, v.meta, v.width, v.height,
         v.created_at, v.starred_at, v.deleted_at, m.ordinal, m.prompt, m.created_by
    from public.image_variants v
    join public.image_runs r on r.job_id = v.job_id and r.run = v.run
    join public.image_messages m on m.id = r.message_id;

-- Without this trigger, a write would cause a server error, not a permission error.
create trigger read_only instead of insert or update or delete on public.gallery_images
  for each row execute function private.refuse_write();

-- Locks the jobs of these images in the order of the job ids, so that concurrent calls cannot deadlock. Must be called
-- before the images are changed.
create function private.lock_jobs_of_images(p_project uuid, p_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.image_jobs j
   where j.id in (select v.job_id from public.image_variants v where v.project_id = p_project and v.id = any (p_ids))
   order by j.id for update;
end $$;

-- Returns the response to a change. `p_ids` are the ids of the images that are in the requested state, or null if there
-- are none. outcome: changed (with the ids) | not_found
create function private.changed_images(p_ids uuid[]) returns jsonb
language sql immutable set search_path = '' as $$
  select case when p_ids is null then jsonb_build_object('outcome', 'not_found')
    else jsonb_build_object('outcome', 'changed', 'ids', p_ids) end
$$;

-- Stars images of a project, or removes their stars. Incrementing `status_seq` broadcasts the change.
-- outcome: changed (with the ids of the images that are in the requested state, even if they were before) | not_found
-- (there are none)
create function public.star_images(p_project uuid, p_ids uuid[], p_starred boolean) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform private.lock_jobs_of_images(p_project, p_ids);
  with changed as (
    update public.image_variants set starred_at = case when p_starred then clock_timestamp() end
     where project_id = p_project and id = any (p_ids) and deleted_at is null and (starred_at is not null) <> p_starred
    returning job_id)
  update public.image_jobs set status_seq = status_seq + 1 where id in (select job_id from changed);
  return private.changed_images((
    select array_agg(id) from public.image_variants
     where project_id = p_project and id = any (p_ids) and deleted_at is null
       and (starred_at is not null) = p_starred));
end $$;

-- Deletes images of a project; `restore_images` brings them back. Incrementing `status_seq` broadcasts the change.
-- outcome: changed (with the ids of the given images that are deleted, even if they were before) | not_found (there are
-- none)
create function public.delete_images(p_project uuid, p_ids uuid[]) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform private.lock_jobs_of_images(p_project, p_ids);
  with changed as (
    update public.image_variants set deleted_at = clock_timestamp()
     where project_id = p_project and id = any (p_ids) and deleted_at is null
    returning job_id)
  update public.image_jobs set status_seq = status_seq + 1 where id in (select job_id from changed);
  return private.changed_images((
    select array_agg(id) from public.image_variants
     where project_id = p_project and id = any (p_ids) and deleted_at is not null));
end $$;

-- Restores images that were deleted less than `p_within_s` seconds ago. Incrementing `status_seq` broadcasts the
-- change. outcome: changed (with the ids of the given images that are not deleted, including any that never were) |
-- not_found (there are none)
create function public.restore_images(p_project uuid, p_ids uuid[], p_within_s int) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform private.lock_jobs_of_images(p_project, p_ids);
  with changed as (
    update public.image_variants set deleted_at = null
     where project_id = p_project and id = any (p_ids) and deleted_at > now() - make_interval(secs => p_within_s)
    returning job_id)
  update public.image_jobs set status_seq = status_seq + 1 where id in (select job_id from changed);
  return private.changed_images((
    select array_agg(id) from public.image_variants
     where project_id = p_project and id = any (p_ids) and deleted_at is null));
end $$;

-- Removes the rows of at most `p_limit` images that were deleted more than `p_age_s` seconds ago. Their files become
-- orphans. An image is kept while the project's pages, cover or settings (which contain the masters), a version of a
-- document or a page template of the project shows it. Notes the highest removed number on the run, so that a retry
-- does not reuse it. Returns the number of rows removed.
create function public.remove_deleted_images(p_age_s int, p_limit int) returns int
language sql volatile set search_path = '' as $$
  with shown as materialized (
    select distinct p.project_id, found[1] as path from public.project_pages p,
           regexp_matches(p.pages::text || p.cover::text || p.settings::text, '"(images/projects/[^"]+)"', 'g') found
     where p.project_id in (
       select v.project_id from public.image_variants v where v.deleted_at < now() - make_interval(secs => p_age_s))),
  old as materialized (
    select v.id from public.image_variants v
     where v.deleted_at < now() - make_interval(secs => p_age_s)
       and not exists (select 1 from shown s where s.project_id = v.project_id and s.path = v.path)
       and not exists (
         select 1 from private.document_versions d where d.project_id = v.project_id and v.path = any (d.images))
       and not exists (
         select 1 from private.page_templates t where t.project_id = v.project_id and v.path = any (t.images))
     order by v.deleted_at limit p_limit),
  removed as (
    delete from public.image_variants v using old o
     where v.id = o.id
    returning v.job_id, v.run, v.number),
  noted as (
    update public.image_runs r set removed_number = greatest(r.removed_number, m.number)
      from (select job_id, run, max(number) as number from removed group by job_id, run) m
     where r.job_id = m.job_id and r.run = m.run)
  select count(*)::int from removed
$$;

-- Returns a page of a project's images, newest first. With `p_deleted`, returns the images that were deleted less than
-- `p_deleted_within_s` seconds ago, otherwise those that are not deleted. The prompt must contain each of `p_words`, in
-- any case. Filters by creation time (at or after `p_from` and before `p_to`) and by a material's id (`p_material`); a
-- prompt's own materials replace those of its job. The page starts after the image that was created at `p_before` and
-- has the id `p_before_id`.
create function public.list_gallery(p_project uuid, p_deleted boolean, p_deleted_within_s int,
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

-- Returns the materials of the images in a project, sorted by name. A prompt's own materials replace those of its job.
-- `name` is the material's most recent name, or its id if it never had a name.
create function public.gallery_materials(p_project uuid, p_limit int) returns table (id text, name text)
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

-- Selections of images to download as one ZIP file. The download link contains the id. A row is valid for an hour.
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

alter table private.image_downloads enable row level security;
-- A selection never changes.
revoke update on private.image_downloads from service_role;

-- Prepares a download, which is valid for an hour, and removes the downloads that have expired.
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
-- in the project. Returns no rows if the download belongs to another user or project, or has expired. Runs with the
-- owner's rights to read the email addresses of the images' creators.
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

-- The documents of a project and the functions that write them. Users read the table directly.
--
-- The main document of a project has the id of the project, so a project alone identifies its main document. The main
-- document has no row until it is first saved, renamed or archived, and cannot be deleted.

-- Rejects changes to the content of an archived document. PostgREST turns PT409 into the status 409.
create function private.require_open_document() returns trigger
language plpgsql stable set search_path = '' as $$
begin
  if old.archived_at is not null then raise exception using errcode = 'PT409', message = 'document_archived'; end if;
  return new;
end $$;

-- A row is the current state of one document. `version` counts its saves, starting at 1. Deleted documents stay here,
-- hidden from users, until they are restored or removed.
create table public.project_pages (
  project_id uuid not null references public.projects (id) on delete cascade,
  version int not null default 1,
  format text not null default 'A4' check (format in ('A4', 'letter', 'A3', '16:9', 'square', 'custom')),
  orientation text not null default 'portrait' check (orientation in ('portrait', 'landscape')),
  cover jsonb not null default '{}',
  -- json instead of jsonb, because no query filters by values inside it and storing 13 MB is four times as fast.
  pages json not null default '[]' check (json_typeof(pages) = 'array'),
  updated_by uuid references auth.users (id) on delete set null,
  updated_at timestamptz not null default now(),
  -- A BCP 47 tag.
  language text not null default 'en' check (length(language) between 2 and 35),
  -- The settings that have no column of their own, such as the custom paper size, the margin, and the masters. The app
  -- supplies the defaults of missing settings.
  settings json not null default '{}' check (json_typeof(settings) = 'object'),
  id uuid primary key,
  name text not null default 'Main document' check (char_length(name) between 1 and 120),
  created_at timestamptz not null default now(),
  -- When the document was archived. The content of an archived document cannot be changed.
  archived_at timestamptz,
  -- When the document was deleted. After the retention period, the sweep removes the document.
  deleted_at timestamptz check (deleted_at is null or id <> project_id)
);
create index project_pages_project on public.project_pages (project_id);
create index project_pages_updated_by on public.project_pages (updated_by);
create index project_pages_deleted_age on public.project_pages (deleted_at) where deleted_at is not null;

alter table public.project_pages enable row level security;
grant select on public.project_pages to anon, authenticated;
create policy project_pages_read on public.project_pages for select to authenticated, anon
  using (
    deleted_at is null and ((select private.is_admin()) or project_id = any (array(select private.my_projects()))));
create policy anon_needs_token on public.project_pages as restrictive for select to anon
  using ((select private.has_token()));

create trigger require_open_project before insert or update of version, name, archived_at, deleted_at
  on public.project_pages for each row execute function private.require_open_project();
create trigger require_open_document before update of version on public.project_pages
  for each row execute function private.require_open_document();

-- Returns whether a project may have one more document. With the main one, it has at most 100 documents that are not
-- deleted. The lock serializes the calls for a project until the transaction ends.
create function private.has_room_for_document(p_project uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('documents:' || p_project, 0));
  -- The main document counts even before it is stored.
  return (select count(*) from public.project_pages d
           where d.project_id = p_project and d.id <> p_project and d.deleted_at is null) < 99;
end $$;

-- Creates a document as a copy of `p_copy_of`. Creates a document without pages if `p_copy_of` is null, or if it is the
-- project's id and the main document has no row. A document without pages gets the paper, language and settings of the
-- main document or, if the main document has no row, the given ones. If `p_document` is the project's id, stores the
-- main document unless it is already stored.
-- outcome: created | not_found (there is no document to copy) | too_many (the project has 100 documents)
create function private.insert_document(p_user uuid, p_project uuid, p_document uuid, p_name text, p_format text,
  p_orientation text, p_language text, p_cover jsonb, p_settings json, p_copy_of uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_document = p_project and exists (select 1 from public.project_pages d where d.id = p_document) then
    return jsonb_build_object('outcome', 'created');
  end if;
  if p_document <> p_project and not private.has_room_for_document(p_project) then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  if p_copy_of is not null then
    insert into public.project_pages (id, project_id, name, format, orientation, language, cover, settings, pages, updated_by)
    select p_document, p_project, p_name, d.format, d.orientation, d.language, d.cover, d.settings, d.pages, p_user
      from public.project_pages d where d.id = p_copy_of and d.project_id = p_project and d.deleted_at is null;
    if found then return jsonb_build_object('outcome', 'created'); end if;
    if p_copy_of <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  end if;
  -- A new document gets the paper, language and settings of the main document. The settings include the masters and the
  -- brand kit.
  insert into public.project_pages (id, project_id, name, format, orientation, language, cover, settings, updated_by)
  select p_document, p_project, p_name, coalesce(m.format, p_format), coalesce(m.orientation, p_orientation),
         coalesce(m.language, p_language), p_cover, coalesce(m.settings, p_settings), p_user
    from (values (1)) one
    left join public.project_pages m on m.id = p_project
  on conflict (id) do nothing;
  return jsonb_build_object('outcome', 'created');
end $$;

-- Creates a document as `private.insert_document` does, but only once for each idempotency key of a user and project.
-- outcome: created | not_found (there is no document to copy) | too_many (the project has 100 documents), all with
-- `p_document` as the id | idempotency_mismatch
create function public.create_document(p_user uuid, p_project uuid, p_document uuid, p_name text, p_format text,
  p_orientation text, p_language text, p_cover jsonb, p_settings json, p_copy_of uuid default null,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_scope text := 'documents:' || p_project;
  v_answer jsonb := private.idempotency_begin(p_user, v_scope, p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.insert_document(p_user, p_project, p_document, p_name, p_format, p_orientation, p_language,
    p_cover, p_settings, p_copy_of) || jsonb_build_object('id', p_document);
  return private.idempotency_end(p_user, v_scope, p_idempotency_key, v_answer);
end $$;

-- Saves a document, or the main document without `p_document`, if `p_version` is still its current version. The first
-- save of a main document that has no row takes 0 for `p_version`. If `p_settings` is null, keeps the stored settings.
-- outcome: saved (with the new version) | conflict (with the current version, or 0 if the main document has no row) |
-- not_found
create function public.save_project_pages(p_user uuid, p_project uuid, p_version int, p_format text, p_orientation text,
  p_cover jsonb, p_pages json, p_language text default 'en', p_settings json default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid := coalesce(p_document, p_project);
  v_version int;
begin
  if p_version = 0 and v_document = p_project then
    insert into public.project_pages (id, project_id, format, orientation, language, cover, settings, pages, updated_by)
    values (p_project, p_project, p_format, p_orientation, p_language, p_cover, coalesce(p_settings, '{}'), p_pages, p_user)
    on conflict (id) do nothing returning version into v_version;
  else
    update public.project_pages
       set version = version + 1, format = p_format, orientation = p_orientation, language = p_language,
           cover = p_cover, settings = coalesce(p_settings, settings), pages = p_pages, updated_by = p_user,
           updated_at = clock_timestamp()
     where id = v_document and project_id = p_project and deleted_at is null and version = p_version
    returning version into v_version;
  end if;
  if v_version is not null then return jsonb_build_object('outcome', 'saved', 'version', v_version); end if;
  select version into v_version from public.project_pages
   where id = v_document and project_id = p_project and deleted_at is null;
  if not found and v_document <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_version, 0));
end $$;

-- Returns false if there is no such document. The main document must have a row.
create function public.rename_document(p_project uuid, p_document uuid, p_name text) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set name = p_name
   where id = p_document and project_id = p_project and deleted_at is null;
  return found;
end $$;

-- Archives a document, or unarchives it if `p_archived` is false. Archiving it again keeps the time of the first call.
-- Returns false if there is no such document. The main document must have a row.
create function public.archive_document(p_project uuid, p_document uuid, p_archived boolean) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set archived_at = case when p_archived then coalesce(archived_at, now()) end
   where id = p_document and project_id = p_project and deleted_at is null;
  return found;
end $$;

-- Deletes a document other than the main one; `restore_document` brings it back. Returns false if there is no such
-- document. A project keeps only its 100 most recently deleted documents. The others are removed with their versions,
-- exports and share links, because repeated creation and deletion could otherwise fill the database.
create function public.delete_document(p_project uuid, p_document uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set deleted_at = clock_timestamp()
   where id = p_document and project_id = p_project and id <> project_id and deleted_at is null;
  if not found then return false; end if;
  delete from public.project_pages where id = any (array(
    select id from public.project_pages where project_id = p_project and deleted_at is not null
     order by deleted_at desc, id desc offset 100));
  return true;
end $$;

-- Restores a document that was deleted less than `p_within_s` seconds ago.
-- outcome: restored | not_found (no such document was deleted in that time) | too_many (the project has 100 documents)
create function public.restore_document(p_project uuid, p_document uuid, p_within_s int) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_deleted_after timestamptz := now() - make_interval(secs => p_within_s);
begin
  perform 1 from public.project_pages
   where id = p_document and project_id = p_project and deleted_at > v_deleted_after;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if not private.has_room_for_document(p_project) then return jsonb_build_object('outcome', 'too_many'); end if;
  update public.project_pages set deleted_at = null
   where id = p_document and project_id = p_project and deleted_at > v_deleted_after;
  return jsonb_build_object('outcome', case when found then 'restored' else 'not_found' end);
end $$;

-- Removes at most `p_limit` documents that were deleted more than `p_age_s` seconds ago, with their versions, exports
-- and share links. Returns the number of documents removed.
create function public.remove_deleted_documents(p_age_s int, p_limit int) returns int
language sql volatile set search_path = '' as $$
  with removed as (
    delete from public.project_pages where id = any (array(
      select id from public.project_pages where deleted_at < now() - make_interval(secs => p_age_s)
       order by deleted_at limit p_limit)) returning 1)
  select count(*)::int from removed
$$;

-- Versions of documents. A save keeps the state that it replaces, unless a version was kept shortly before. An export
-- keeps the state that it prints, if this is the saved state. Users can keep and name versions.
--
-- Wherever a function takes `p_document`, null stands for the main document of `p_project`.

-- Rejects a new name for a version of an archived document. PostgREST turns PT409 into the status 409.
create function private.require_open_version() returns trigger
language plpgsql stable set search_path = '' as $$
begin
  if exists (select 1 from public.project_pages d where d.id = new.document_id and d.archived_at is not null) then
    raise exception using errcode = 'PT409', message = 'document_archived';
  end if;
  return new;
end $$;

-- A row is one state of a document. A document has each `version` at most once. `thin_document_versions` removes
-- versions without a name.
create table private.document_versions (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The value of `project_pages.version`.
  version int not null check (version > 0),
  name text check (char_length(name) between 1 and 100),
  -- Whether an export printed this version.
  printed boolean not null,
  format text not null,
  orientation text not null,
  language text not null,
  cover jsonb not null,
  settings json not null,
  pages json not null,
  -- Maps the id of each page to the hash of the page. The hashes show which pages differ between two versions.
  page_hashes jsonb not null,
  -- The hash of everything but the pages.
  rest_hash text not null,
  -- The paths of the images in this version. An image is not removed while a version contains its path.
  images text[] not null,
  bytes int not null,
  saved_by uuid references auth.users (id) on delete set null,
  -- When an editor saved this state, and when it was kept as a version.
  created_at timestamptz not null,
  kept_at timestamptz not null,
  document_id uuid not null references public.project_pages (id) on delete cascade,
  unique (document_id, version)
);
create index document_versions_page on private.document_versions (document_id, created_at desc, id desc);
create index document_versions_project on private.document_versions (project_id);
create index document_versions_saved_by on private.document_versions (saved_by);

-- Read and written only by the functions below, except that `remove_deleted_images` reads it as the service role.
alter table private.document_versions enable row level security;
revoke insert, update, delete on private.document_versions from service_role;

create trigger require_open_project before insert or update of name on private.document_versions
  for each row execute function private.require_open_project();
create trigger require_open_document before update of name on private.document_versions
  for each row when (old.name is distinct from new.name) execute function private.require_open_version();

-- Removes versions that are not needed at `p_at`. Of the versions that have no name and were not printed by an export,
-- keeps all from the last day, then the newest of each day for 30 days, and then the newest of each week. To bound the
-- storage, a document keeps at most 200 of these versions, and at most 100 printed versions without a name. Each of
-- these two groups has at most 64 MB, but its newest version always stays. The groups are counted separately, so
-- frequent saves do not remove printed versions. Named versions are not removed. `name_document_version` limits their
-- number and size.
create function private.thin_document_versions(p_document uuid, p_at timestamptz) returns void
language sql volatile set search_path = '' as $$
  with thinned as materialized (
    select v.id, v.printed, v.created_at, v.bytes,
           row_number() over (
             partition by v.printed, case
               when v.printed or v.created_at > p_at - interval '1 day' then v.id::text
               when v.created_at > p_at - interval '30 days' then 'day ' || date_trunc('day', v.created_at, 'UTC')
               else 'week ' || date_trunc('week', v.created_at, 'UTC') end
             order by v.created_at desc, v.version desc) as place
      from private.document_versions v where v.document_id = p_document and v.name is null),
  counted as (
    select t.id, t.printed, row_number() over newest as place, sum(t.bytes) over newest as bytes
      from thinned t where t.place = 1
    window newest as (partition by t.printed order by t.created_at desc, t.id))
  delete from private.document_versions v
   where v.document_id = p_document and v.name is null
     and not exists (
       select 1 from counted c
        where c.id = v.id
          and (c.place = 1 or (c.place <= case when c.printed then 100 else 200 end and c.bytes <= 67108864)))
$$;

-- Keeps a state of a document as a version and returns the id of the version. If the state is already kept, only
-- updates its version: sets the name unless `p_name` is null, and marks the version as printed if `p_printed` is true.
-- Then thins the versions of the document.
create function private.keep_document_version(p_state public.project_pages, p_at timestamptz,
  p_name text default null, p_printed boolean default false) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  v_shown text := p_state.pages::text || p_state.cover::text || p_state.settings::text;
  v_id uuid;
begin
  update private.document_versions v set name = coalesce(p_name, v.name), printed = v.printed or p_printed
   where v.document_id = p_state.id and v.version = p_state.version returning v.id into v_id;
  if v_id is null then
    insert into private.document_versions (project_id, document_id, version, name, printed, format, orientation, language,
      cover, settings, pages, page_hashes, rest_hash, images, bytes, saved_by, created_at, kept_at)
    values (p_state.project_id, p_state.id, p_state.version, p_name, p_printed, p_state.format, p_state.orientation,
      p_state.language, p_state.cover, p_state.settings, p_state.pages,
      (select coalesce(jsonb_object_agg(coalesce(page ->> 'id', ''), md5(page::text)), '{}') from json_array_elements(p_state.pages) page),
      md5(concat_ws(' ', p_state.format, p_state.orientation, p_state.language, p_state.cover, p_state.settings)),
      array(select distinct match[1] from regexp_matches(v_shown, '"(images/projects/[^"]+)"', 'g') match),
      octet_length(v_shown), p_state.updated_by, p_state.updated_at, p_at)
    on conflict (document_id, version) do update
       set name = coalesce(p_name, document_versions.name), printed = document_versions.printed or p_printed
    returning id into v_id;
  end if;
  perform private.thin_document_versions(p_state.id, p_at);
  return v_id;
end $$;

-- Keeps the state that a save replaces. An editor saves every few seconds, so at most one version is kept per 5 minutes
-- while one person saves, and one per minute when people take turns. After a break, the last state before the break is
-- kept.
create function private.keep_replaced_document() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (
    select 1 from private.document_versions v
     where v.document_id = old.id
       and v.kept_at > new.updated_at - case when new.updated_by is not distinct from old.updated_by
                                             then interval '5 minutes' else interval '1 minute' end) then
    perform private.keep_document_version(old, new.updated_at);
  end if;
  return null;
end $$;
create trigger keep_replaced after update of version on public.project_pages
  for each row execute function private.keep_replaced_document();

-- Keeps the state that a new export prints as a printed version, and sets `version_id` of the export to it. Leaves
-- `version_id` alone if the pages, cover or masters in the snapshot differ from the stored ones. The lock prevents a
-- save between the comparison and the end of the transaction. The trigger is in the file of the exports.
create function private.keep_printed_document() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_state public.project_pages;
begin
  select * into v_state from public.project_pages d where d.id = coalesce(new.document_id, new.project_id) for share;
  -- The snapshot and the document both store pages as the app serializes them, so equal pages have equal text.
  if (new.snapshot -> 'pages')::text = v_state.pages::text
     and (new.snapshot -> 'cover')::jsonb = v_state.cover
     and (new.snapshot -> 'masters')::jsonb = coalesce((v_state.settings -> 'masters')::jsonb, '[]') then
    new.version_id := private.keep_document_version(v_state, now(), p_printed => true);
  end if;
  return new;
end $$;

-- Names or renames a version, or removes its name if `p_name` is null. A document has at most 50 named versions, with
-- at most 64 MB in total. The lock on the document serializes the calls, to enforce these limits.
-- outcome: kept (with the id) | not_found (there is no such document or version) | too_many
create function public.name_document_version(p_project uuid, p_id uuid, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_document uuid := coalesce(p_document, p_project);
  v_bytes bigint;
begin
  perform 1 from public.project_pages d
   where d.id = v_document and d.project_id = p_project and d.deleted_at is null for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select v.bytes into v_bytes from private.document_versions v
   where v.project_id = p_project and v.document_id = v_document and v.id = p_id;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_name is not null and (
    select count(*) >= 50 or sum(v.bytes) + v_bytes > 67108864
      from private.document_versions v
     where v.document_id = v_document and v.name is not null and v.id <> p_id) then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  update private.document_versions v set name = p_name where v.id = p_id;
  return jsonb_build_object('outcome', 'kept', 'id', p_id);
end $$;

-- Keeps the current state of a document as a version, and names it unless `p_name` is null. The limits are those of
-- `name_document_version`. A call that is refused with too_many keeps no version.
-- outcome: kept (with the id) | conflict (with the current version, or 0 if the main document has no row) | too_many |
-- not_found (the project has no such document)
create function public.keep_document_version(p_project uuid, p_version int, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_state public.project_pages;
  v_id uuid;
  v_answer jsonb;
begin
  -- The lock also serializes calls that name versions of the document, to enforce the limits on named versions.
  select * into v_state from public.project_pages d
   where d.id = coalesce(p_document, p_project) and d.project_id = p_project and d.deleted_at is null for update;
  if not found and p_document <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_state.version is distinct from p_version then
    return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_state.version, 0));
  end if;
  begin
    v_id := private.keep_document_version(v_state, clock_timestamp());
    if p_name is null then return jsonb_build_object('outcome', 'kept', 'id', v_id); end if;
    v_answer := public.name_document_version(p_project, v_id, p_name, p_document);
    -- The exception undoes only the changes of this block. The lock was taken before the block, so it is kept.
    if v_answer ->> 'outcome' <> 'kept' then raise exception 'not named' using errcode = 'UNDO1'; end if;
  exception when sqlstate 'UNDO1' then null;
  end;
  return v_answer;
end $$;

-- Returns whether a document is stored and not deleted.
create function private.is_kept_document(p_document uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select 1 from public.project_pages d where d.id = p_document and d.deleted_at is null)
$$;

-- Returns up to `p_limit` versions of a document, newest first, starting after the version that was saved at `p_before`
-- and has the id `p_before_id`. Each row counts the pages that were added, removed and changed since the next older
-- version; these counts and `settings_changed` are null for the oldest version.
create function public.list_document_versions(p_project uuid, p_limit int, p_before timestamptz default null,
  p_before_id uuid default null, p_document uuid default null)
returns table (id uuid, version int, name text, printed boolean, saved_by uuid, created_at timestamptz, page_count int,
  added int, removed int, changed int, settings_changed boolean)
language sql stable security definer set search_path = '' as $$
  with listed as materialized (
    select v.*, lag(v.page_hashes) over (order by v.created_at, v.id) as hashes_before,
           lag(v.rest_hash) over (order by v.created_at, v.id) as rest_before
      from (
        select w.id, w.version, w.name, w.printed, w.saved_by, w.created_at, w.page_hashes, w.rest_hash
          from private.document_versions w
         where w.document_id = coalesce(p_document, p_project) and w.project_id = p_project
           and private.is_kept_document(w.document_id)
           and (p_before is null or (w.created_at, w.id) < (p_before, p_before_id))
         -- Read one row more than `p_limit`, to compare the last returned version with the next older one.
         order by w.created_at desc, w.id desc limit p_limit + 1) v)
  select l.id, l.version, l.name, l.printed, l.saved_by, l.created_at,
         (select count(*)::int from jsonb_object_keys(l.page_hashes)),
         case when l.hashes_before is not null then
           (select count(*)::int from jsonb_object_keys(l.page_hashes) k where not l.hashes_before ? k) end,
         case when l.hashes_before is not null then
           (select count(*)::int from jsonb_object_keys(l.hashes_before) k where not l.page_hashes ? k) end,
         case when l.hashes_before is not null then
           (select count(*)::int from jsonb_each(l.page_hashes) p
             where l.hashes_before ? p.key and l.hashes_before -> p.key <> p.value) end,
         l.rest_hash <> l.rest_before
    from listed l order by l.created_at desc, l.id desc limit p_limit
$$;

-- Returns one version in the form of a row of `project_pages`, or no row.
create function public.read_document_version(p_project uuid, p_id uuid, p_document uuid default null)
returns table (version int, format text, orientation text, language text, cover jsonb, settings json, pages json)
language sql stable security definer set search_path = '' as $$
  select v.version, v.format, v.orientation, v.language, v.cover, v.settings, v.pages
    from private.document_versions v
   where v.project_id = p_project and v.document_id = coalesce(p_document, p_project) and v.id = p_id
     and private.is_kept_document(v.document_id)
$$;

-- The fonts of projects, and the page templates of the studio. A font belongs to one project and is removed with it; a
-- template serves all projects and outlives the project it was saved in.

-- A font that was uploaded to a project. A project has one font for each family and style. Fonts are small, so their
-- bytes are here instead of in storage. They are therefore removed and restored with their project.
create table private.project_fonts (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The family name, as the font file and documents spell it.
  name text not null check (char_length(name) between 1 and 64),
  bold boolean not null,
  italic boolean not null,
  file_name text not null check (char_length(file_name) between 1 and 255),
  bytes bytea not null check (octet_length(bytes) between 1 and 2097152),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  unique (project_id, name, bold, italic)
);
create index project_fonts_created_by on private.project_fonts (created_by);

-- Read and written only by the functions below.
alter table private.project_fonts enable row level security;
revoke all on private.project_fonts from service_role;

create trigger require_open_project before insert on private.project_fonts
  for each row execute function private.require_open_project();

-- Adds a font. `p_bytes` contains the font's bytes in base64. The new font replaces a font of the same family and
-- style. A preview holds all fonts of its document in memory, so the number and size of a project's fonts are limited.
-- outcome: created (with the id and creation time) | too_many (the project would have more than 24 fonts, or more than
-- 16 MB of fonts)
create function public.add_project_font(p_user uuid, p_project uuid, p_name text, p_bold boolean, p_italic boolean,
  p_file_name text, p_bytes text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_bytes bytea := decode(p_bytes, 'base64');
  v_font private.project_fonts;
begin
  perform pg_advisory_xact_lock(hashtextextended('project_fonts:' || p_project, 0));
  if (select count(*) >= 24 or sum(octet_length(f.bytes)) + octet_length(v_bytes) > 16777216
        from private.project_fonts f
       where f.project_id = p_project and (f.name, f.bold, f.italic) <> (p_name, p_bold, p_italic)) then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  delete from private.project_fonts f
   where f.project_id = p_project and f.name = p_name and f.bold = p_bold and f.italic = p_italic;
  insert into private.project_fonts (project_id, name, bold, italic, file_name, bytes, created_by)
  values (p_project, p_name, p_bold, p_italic, p_file_name, v_bytes, p_user)
  returning * into v_font;
  return jsonb_build_object('outcome', 'created', 'id', v_font.id, 'created_at', v_font.created_at);
end $$;

-- Returns false if the project has no such font. Raises project_archived with the status 409 if the project is
-- archived.
create function public.remove_project_font(p_project uuid, p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (select 1 from public.projects p where p.id = p_project and p.archived_at is not null) then
    raise exception using errcode = 'PT409', message = 'project_archived';
  end if;
  delete from private.project_fonts f where f.project_id = p_project and f.id = p_id;
  return found;
end $$;

-- Returns the fonts of a project, sorted by name and style. There are at most 24.
create function public.list_project_fonts(p_project uuid)
returns table (id uuid, name text, bold boolean, italic boolean, file_name text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select f.id, f.name, f.bold, f.italic, f.file_name, f.created_at
    from private.project_fonts f
   where f.project_id = p_project
   order by f.name, f.bold, f.italic
$$;

-- Returns the bytes of the given fonts of a project in base64.
create function public.read_project_fonts(p_project uuid, p_ids uuid[]) returns table (id uuid, bytes text)
language sql stable security definer set search_path = '' as $$
  select f.id, encode(f.bytes, 'base64') from private.project_fonts f
   where f.project_id = p_project and f.id = any (p_ids)
$$;

-- Pages of a document that a user saved as a template, which all projects of the studio can use. There are at most 500.
create table private.page_templates (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  -- The project that the images belong to; null after the project has been removed with its images.
  project_id uuid references public.projects (id) on delete set null,
  -- The pages, their masters and their paper.
  content json not null,
  -- The paths of the images in this template. An image that a template contains is removed only with its project.
  images text[] not null,
  page_count int not null,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index page_templates_page on private.page_templates (created_at desc, id desc);
create index page_templates_project on private.page_templates (project_id);
create index page_templates_created_by on private.page_templates (created_by);

-- Read and written only by the functions below, except that `remove_deleted_images` and `template_images` read it as
-- the service role.
alter table private.page_templates enable row level security;
revoke insert, update, delete on private.page_templates from service_role;

-- Saves a template. The lock serializes the calls, to enforce the limit.
-- outcome: created (with the id) | too_many (there are 500)
create function private.insert_page_template(p_user uuid, p_project uuid, p_name text, p_content json) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('page_templates', 0));
  if (select count(*) from private.page_templates) >= 500 then return jsonb_build_object('outcome', 'too_many'); end if;
  insert into private.page_templates (name, project_id, content, images, page_count, created_by)
  values (p_name, p_project, p_content,
    array(select distinct match[1] from regexp_matches(p_content::text, '"(images/projects/[^"]+)"', 'g') match),
    json_array_length(p_content -> 'pages'), p_user)
  returning id into v_id;
  return jsonb_build_object('outcome', 'created', 'id', v_id);
end $$;

-- Saves a template as `private.insert_page_template` does, but only once for each idempotency key of a user and
-- project.
-- outcome: created (with the id) | too_many (there are 500) | idempotency_mismatch
create function public.create_page_template(p_user uuid, p_project uuid, p_name text, p_content json,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_scope text := 'page_templates:' || p_project;
  v_answer jsonb := private.idempotency_begin(p_user, v_scope, p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.insert_page_template(p_user, p_project, p_name, p_content);
  return private.idempotency_end(p_user, v_scope, p_idempotency_key, v_answer);
end $$;

-- Returns whether a user may rename and delete a template: allowed | not_found | forbidden. Only its creator and
-- administrators may. `p_user` is null for an administrator.
create function private.page_template_rights(p_id uuid, p_user uuid) returns text
language sql stable set search_path = '' as $$
  select coalesce((
    select case when p_user is null or t.created_by = p_user then 'allowed' else 'forbidden' end
      from private.page_templates t where t.id = p_id), 'not_found')
$$;

-- Renames a template if `p_user` created it, or if `p_user` is null, which stands for an administrator.
-- outcome: allowed (it is renamed) | not_found | forbidden
create function public.rename_page_template(p_id uuid, p_name text, p_user uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_outcome text := private.page_template_rights(p_id, p_user);
begin
  if v_outcome = 'allowed' then update private.page_templates t set name = p_name where t.id = p_id; end if;
  return jsonb_build_object('outcome', v_outcome);
end $$;

-- Deletes a template if `p_user` created it, or if `p_user` is null, which stands for an administrator.
-- outcome: allowed (it is deleted) | not_found | forbidden
create function public.delete_page_template(p_id uuid, p_user uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_outcome text := private.page_template_rights(p_id, p_user);
begin
  if v_outcome = 'allowed' then delete from private.page_templates t where t.id = p_id; end if;
  return jsonb_build_object('outcome', v_outcome);
end $$;

-- Returns up to `p_limit` templates, newest first, starting after the template that was created at `p_before` and has
-- the id `p_before_id`.
create function public.list_page_templates(p_limit int, p_before timestamptz default null, p_before_id uuid default null)
returns table (id uuid, name text, page_count int, created_by uuid, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.id, t.name, t.page_count, t.created_by, t.created_at from private.page_templates t
   where p_before is null or (t.created_at, t.id) < (p_before, p_before_id)
   order by t.created_at desc, t.id desc limit p_limit
$$;

-- Returns a template with its content, or no row.
create function public.read_page_template(p_id uuid)
returns table (id uuid, name text, page_count int, created_by uuid, created_at timestamptz, content json)
language sql stable security definer set search_path = '' as $$
  select t.id, t.name, t.page_count, t.created_by, t.created_at, t.content from private.page_templates t where t.id = p_id
$$;

-- Exports of documents as PDFs. An export prints the snapshot that was taken when it was requested, so later saves do
-- not change it.

-- A row is one requested PDF. `status` leaves `processing` once, and then `finished_at` is set. The file of a completed
-- export is at `result_path`.
create table public.export_jobs (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  status text not null default 'processing' check (status in ('processing', 'completed', 'failed', 'canceled')),
  status_seq bigint not null default 1,
  run int not null default 1,
  options jsonb not null default '{}',
  -- All inputs of the PDF except `options` and the image files, as they were when the export was requested.
  snapshot json not null,
  -- Hash of everything that determines the content of the PDF. Exports with the same hash have the same content.
  input_sha256 text not null check (input_sha256 ~ '^[0-9a-f]{64}$'),
  pages_done int not null default 0,
  page_count int,
  result_path text,
  result_bytes bigint,
  warnings jsonb not null default '[]',
  error_code text,
  error text,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The version that the export printed. Null if the printed pages, cover or masters differed from the stored ones, or
  -- if the version was removed.
  version_id uuid references private.document_versions (id) on delete set null,
  -- The document that the export printed; null for the main document, which may have no row.
  document_id uuid references public.project_pages (id) on delete cascade,
  images_done int not null default 0,
  -- 0 until the images of the export have been counted.
  images_total int not null default 0,
  check ((status = 'processing') = (finished_at is null)),
  check (status <> 'completed' or (result_path is not null and page_count is not null)),
  check (status <> 'failed' or error_code is not null),
  check (document_id <> project_id)
);
create index export_jobs_page on public.export_jobs (project_id, created_at desc, id desc);
create index export_jobs_created_by on public.export_jobs (created_by);
create index export_jobs_version on public.export_jobs (version_id) where version_id is not null;
create index export_jobs_document on public.export_jobs (document_id) where document_id is not null;
create index export_jobs_input on public.export_jobs (project_id, input_sha256) where status = 'completed';
create index export_jobs_age on public.export_jobs (finished_at) where finished_at is not null;
create index export_jobs_result on public.export_jobs (result_path) where result_path is not null;

alter table public.export_jobs enable row level security;
grant select on public.export_jobs to anon, authenticated;
create policy export_jobs_read on public.export_jobs for select to authenticated, anon
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));
create policy anon_needs_token on public.export_jobs as restrictive for select to anon
  using ((select private.has_token()));

create trigger require_open_project before insert on public.export_jobs
  for each row execute function private.require_open_project();
create trigger keep_printed before insert on public.export_jobs
  for each row execute function private.keep_printed_document();

-- Requests an export of a document, or of the main document without `p_document`, once for each idempotency key.
-- outcome: created (with the job's id) | not_found (the project has no such document) | idempotency_mismatch
create function public.create_export_job(p_user uuid, p_project uuid, p_options jsonb, p_snapshot json,
  p_input_sha256 text, p_idempotency_key text default null, p_request_sha256 text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'export_jobs', p_idempotency_key, p_request_sha256);
  v_document uuid := nullif(p_document, p_project);
  v_job uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  if v_document is not null and not exists (
    select 1 from public.project_pages d
     where d.id = v_document and d.project_id = p_project and d.deleted_at is null) then
    return private.idempotency_end(p_user, 'export_jobs', p_idempotency_key, jsonb_build_object('outcome', 'not_found'));
  end if;
  insert into public.export_jobs (id, project_id, document_id, options, snapshot, input_sha256, created_by)
  values (v_job, p_project, v_document, p_options, p_snapshot, p_input_sha256, p_user);
  return private.idempotency_end(p_user, 'export_jobs', p_idempotency_key,
    jsonb_build_object('outcome', 'created', 'job_id', v_job));
end $$;

-- Cancels an export that is processing, and its pending work item.
-- outcome: canceled | already (it was canceled before) | not_found | conflict (with the final status)
create function public.cancel_export_job(p_job uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_status text;
begin
  select status into v_status from public.export_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_status = 'canceled' then return jsonb_build_object('outcome', 'already'); end if;
  if v_status <> 'processing' then return jsonb_build_object('outcome', 'conflict', 'status', v_status); end if;
  update public.export_jobs
     set status = 'canceled', status_seq = status_seq + 1, updated_at = clock_timestamp(), finished_at = clock_timestamp()
   where id = p_job;
  update private.work_items set state = 'canceled', finished_at = clock_timestamp(), lease_token = null
   where kind = 'pdf_export' and subject_id = p_job and state = 'pending';
  return jsonb_build_object('outcome', 'canceled');
end $$;

-- Records the progress of an export; a count never decreases. Returns false if the work item `p_id` is not pending
-- under the lease `p_token`: another worker has claimed it, or the export has ended, for example because it was
-- canceled.
create function public.export_progress(p_id bigint, p_token uuid, p_pages_done int, p_images_done int default 0,
  p_images_total int default 0) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_job uuid;
begin
  select subject_id into v_job from private.work_items where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  -- Update the row only if a count has grown, because each update is broadcast.
  update public.export_jobs
     set pages_done = greatest(pages_done, p_pages_done), images_done = greatest(images_done, p_images_done),
         images_total = greatest(images_total, p_images_total), updated_at = clock_timestamp()
   where id = v_job and status = 'processing'
     and (pages_done < p_pages_done or images_done < p_images_done or images_total < p_images_total);
  return true;
end $$;

-- Completes the job and its work item after the PDF has been stored. Returns false if the lease was lost or the job has
-- already ended. In both cases, the caller must remove the PDF.
create function public.export_finished(p_id bigint, p_token uuid, p_path text, p_bytes bigint, p_page_count int,
  p_warnings jsonb default '[]') returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items;
begin
  select * into v_item from private.work_items where id = p_id and kind = 'pdf_export';
  if not found then return false; end if;
  perform private.lock_subject(v_item.kind, v_item.subject_id);
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update public.export_jobs
     set status = 'completed', status_seq = status_seq + 1, pages_done = p_page_count, page_count = p_page_count,
         result_path = p_path, result_bytes = p_bytes, warnings = p_warnings, updated_at = clock_timestamp(),
         finished_at = clock_timestamp()
   where id = v_item.subject_id and run = v_item.run and status = 'processing';
  return found;
end $$;

-- Share links. Until a link expires or is revoked, visitors can use it without an account. The link shows chosen
-- images, the gallery or a document of a project. Only the functions below accept a link, so it gives no access to the
-- API. Each function for visitors finds its link with `private.find_share`, which returns only links that work.

create table private.share_links (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  kind text not null check (kind in ('images', 'gallery', 'document')),
  -- For the members of the project; visitors do not see it.
  name text not null check (char_length(name) between 1 and 80),
  -- The chosen images of a link of the kind `images`.
  image_ids uuid[] not null default '{}' check (cardinality(image_ids) <= 500),
  allow_download boolean not null,
  show_prompts boolean not null,
  -- A hash of the key, which is itself a hash of the link's token, as for access tokens.
  key_sha256 text not null unique check (key_sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  opened_count int not null default 0,
  last_opened_at timestamptz,
  -- The document that a link of the kind `document` shows; null for the main document.
  document_id uuid references public.project_pages (id) on delete cascade,
  check ((kind = 'images') = (cardinality(image_ids) > 0)),
  check (document_id is null or (document_id <> project_id and kind = 'document'))
);
create index share_links_project on private.share_links (project_id, created_at desc, id desc);
create index share_links_document on private.share_links (document_id) where document_id is not null;
create index share_links_created_by on private.share_links (created_by);
create index share_links_ended on private.share_links (least(expires_at, revoked_at));

-- Read and written only by the functions below.
alter table private.share_links enable row level security;
revoke all on private.share_links from service_role;

-- Returns whether a link works: it has not expired or been revoked, its project and document are not deleted, and at
-- least one of its chosen images is left. All functions for visitors depend on this check.
create function private.is_live_share(p_link private.share_links) returns boolean
language sql stable set search_path = '' as $$
  select p_link.revoked_at is null and p_link.expires_at > now()
     and exists (select 1 from public.projects p where p.id = p_link.project_id and p.deleted_at is null)
     and not exists (select 1 from public.project_pages d where d.id = p_link.document_id and d.deleted_at is not null)
     and (p_link.kind <> 'images' or exists (
       select 1 from public.image_variants v
        where v.project_id = p_link.project_id and v.id = any (p_link.image_ids) and v.deleted_at is null))
$$;

-- Returns the link with this key if it works, otherwise no row.
create function private.find_share(p_key text) returns setof private.share_links
language sql stable set search_path = '' as $$
  select * from private.share_links s
   where s.key_sha256 = private.key_sha256(p_key) and private.is_live_share(s)
$$;

-- Returns whether a link shows an image. The caller must check that the image is in the link's project and not deleted.
create function private.shows_image(p_link private.share_links, p_image uuid) returns boolean
language sql immutable set search_path = '' as $$
  select p_link.kind = 'gallery' or p_image = any (p_link.image_ids)
$$;

-- Creates a link that works for `p_days` days. Without `p_document`, a link of the kind `document` shows the main
-- document. An image that was deleted or is not in the project is left out.
-- outcome: created (with the id, creation and expiry times, and number of images) | not_found (the project does not
-- have the document, or has none of the images) | too_many (the project has 100 links that work)
create function public.create_share_link(p_user uuid, p_project uuid, p_kind text, p_name text, p_image_ids uuid[],
  p_allow_download boolean, p_show_prompts boolean, p_key text, p_days int, p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_images uuid[] := array(select v.id from public.image_variants v
    where v.project_id = p_project and v.id = any (p_image_ids) and v.deleted_at is null);
  v_document uuid := nullif(p_document, p_project);
  v_link private.share_links;
begin
  if p_kind = 'images' and cardinality(v_images) = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_document is not null and not exists (
    select 1 from public.project_pages d
     where d.id = v_document and d.project_id = p_project and d.deleted_at is null) then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('share_links:' || p_project, 0));
  if (select count(*) from private.share_links s where s.project_id = p_project and private.is_live_share(s)) >= 100 then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  insert into private.share_links (project_id, document_id, kind, name, image_ids, allow_download, show_prompts,
    key_sha256, created_by, expires_at)
  values (p_project, v_document, p_kind, p_name, v_images, p_allow_download, p_show_prompts, private.key_sha256(p_key),
    p_user, now() + make_interval(days => p_days))
  returning * into v_link;
  return jsonb_build_object('outcome', 'created', 'id', v_link.id, 'image_count', cardinality(v_images),
    'created_at', v_link.created_at, 'expires_at', v_link.expires_at);
end $$;

-- Revokes a project's link. Returns false if the project has no such link, or if the link has expired or is already
-- revoked.
create function public.revoke_share_link(p_project uuid, p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.share_links s set revoked_at = now()
   where s.id = p_id and s.project_id = p_project and s.revoked_at is null and s.expires_at > now();
  return found;
end $$;

-- Removes at most `p_limit` links that expired or were revoked more than `p_age_s` seconds ago. Returns their number.
create function public.remove_ended_shares(p_age_s int, p_limit int) returns int
language sql volatile security definer set search_path = '' as $$
  with removed as (
    delete from private.share_links where id in (
      select s.id from private.share_links s
       where least(s.expires_at, s.revoked_at) < now() - make_interval(secs => p_age_s)
       limit p_limit)
    returning 1)
  select count(*)::int from removed
$$;

-- Returns a project's links that work, newest first. Not paged, because `create_share_link` limits their number.
-- `document_id` is null unless the link shows a document. `image_count` is the number of chosen images that are not
-- deleted.
create function public.list_share_links(p_project uuid)
returns table (id uuid, kind text, document_id uuid, name text, image_count int, allow_download boolean,
  show_prompts boolean, created_by_email text, created_at timestamptz, expires_at timestamptz, opened_count int,
  last_opened_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select s.id, s.kind, case when s.kind = 'document' then coalesce(s.document_id, s.project_id) end, s.name,
         (select count(*)::int from public.image_variants v
           where v.project_id = s.project_id and v.id = any (s.image_ids) and v.deleted_at is null),
         s.allow_download, s.show_prompts, u.email::text, s.created_at, s.expires_at, s.opened_count, s.last_opened_at
    from private.share_links s
    left join auth.users u on u.id = s.created_by
   where s.project_id = p_project and private.is_live_share(s)
   order by s.created_at desc, s.id desc
$$;

-- Returns what a link shows, or no row if it does not work. With `p_count`, counts the visit. `document_id` is the main
-- document unless the link shows another one.
create function public.open_share_link(p_key text, p_count boolean)
returns table (id uuid, kind text, project_id uuid, document_id uuid, project_name text, allow_download boolean,
  show_prompts boolean)
language plpgsql volatile security definer set search_path = '' as $$
declare v_link private.share_links;
begin
  select * into v_link from private.find_share(p_key);
  if not found then return; end if;
  if p_count then
    update private.share_links s set opened_count = s.opened_count + 1, last_opened_at = now() where s.id = v_link.id;
  end if;
  return query select v_link.id, v_link.kind, p.id, coalesce(v_link.document_id, p.id), p.name, v_link.allow_download,
      v_link.show_prompts
    from public.projects p where p.id = v_link.project_id;
end $$;

-- Returns up to `p_limit` images that a link shows, newest first, starting after the image that was created at
-- `p_before` and has the id `p_before_id`. The prompts are null unless the link shows them.
create function public.list_shared_images(p_key text, p_limit int, p_before timestamptz default null,
  p_before_id uuid default null)
returns table (id uuid, width int, height int, prompt text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select g.id, g.width, g.height, case when s.show_prompts then g.prompt end, g.created_at
    from private.find_share(p_key) s
    join public.gallery_images g on g.project_id = s.project_id and g.deleted_at is null
   where private.shows_image(s, g.id)
     and (g.created_at, g.id) < (coalesce(p_before, 'infinity'), coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by g.created_at desc, g.id desc limit p_limit
$$;

-- Returns the file of an image that a link shows, or no row if the link does not show it.
create function public.shared_image(p_key text, p_image uuid)
returns table (path text, thumb_path text, ordinal int, number int, project_name text, allow_download boolean)
language sql stable security definer set search_path = '' as $$
  select g.path, g.thumb_path, g.ordinal, g.number, p.name, s.allow_download
    from private.find_share(p_key) s
    join public.projects p on p.id = s.project_id
    join public.gallery_images g on g.project_id = s.project_id and g.deleted_at is null
   where g.id = p_image and private.shows_image(s, g.id)
$$;

-- The work queue: what workers do in the background, and the triggers that they send to the workflow service.
--
-- A database trigger writes a work item in the same transaction as the row that the item is about (its subject), so
-- neither is ever written without the other. Lock order: the subject's row, then its work item.

-- One row per run of a subject. A worker that claims an item gets a lease. `lease_token` identifies the lease, and
-- `visible_at` is when it ends. For an item without a lease, `visible_at` is the time of the next attempt.
create table private.work_items (
  id bigint generated always as identity primary key,
  kind text not null
    check (kind in ('spec_dispatch', 'image_dispatch', 'pdf_export', 'event_delivery', 'spec_text', 'account_mail')),
  subject_id uuid not null,
  run int not null,
  state text not null default 'pending' check (state in ('pending', 'done', 'dead', 'canceled')),
  attempts int not null default 0,
  max_attempts int not null,
  visible_at timestamptz not null default now(),
  lease_token uuid,
  leased_by text,
  last_error text,
  -- The id of the request that created the item, so that the log lines of the item and the request can be correlated.
  request_id text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- The user whose turn the item uses. By default, this is the creator of the item's subject, or all zeros if the
  -- subject has no creator.
  user_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- When the item was last claimed.
  claimed_at timestamptz,
  unique (kind, subject_id, run)
);
create index work_items_due on private.work_items (kind, visible_at, id) where state = 'pending';
create index work_items_age on private.work_items (finished_at) where state <> 'pending';
create index work_items_turns on private.work_items (kind, user_id, visible_at, id) where state = 'pending';
create index work_items_served on private.work_items (kind, user_id, claimed_at) where claimed_at is not null;
alter table private.work_items enable row level security;

-- The triggers that were sent to the workflow service and the outcome of each, for administrators. A trigger is a
-- request that starts a run. Rows are deleted after a month and contain no secrets.
create table private.trigger_events (
  id uuid primary key default gen_random_uuid(),
  source text not null check (source in ('spec', 'image')),
  subject_id uuid not null,
  run int not null,
  attempt int not null,
  outcome text not null check (outcome in ('accepted', 'again', 'refused', 'given_up')),
  reason text,
  created_at timestamptz not null default clock_timestamp()
);
create index trigger_events_page on private.trigger_events (created_at desc, id desc);
create index trigger_events_subject on private.trigger_events (subject_id, created_at desc, id desc);
alter table private.trigger_events enable row level security;
create trigger tell_retry after insert on private.trigger_events for each row
  when (new.source = 'image' and new.outcome = 'again') execute function private.tell_retry();

-- Records the outcome of an attempt to send a trigger. Records nothing for items of other kinds.
create function private.note_trigger(p_item private.work_items, p_outcome text, p_reason text default null) returns void
language sql volatile set search_path = '' as $$
  insert into private.trigger_events (source, subject_id, run, attempt, outcome, reason)
  select split_part(p_item.kind, '_', 1), p_item.subject_id, p_item.run, p_item.attempts, p_outcome, private.plain_reason(p_reason)
   where p_item.kind in ('spec_dispatch', 'image_dispatch')
$$;

-- Queuing

-- Trigger function that queues the current run of a subject, unless it is queued already. Its arguments are the kind of
-- the work and the maximum number of attempts.
create function private.enqueue() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.work_items (kind, subject_id, run, max_attempts, request_id, user_id)
  values (tg_argv[0], new.id, new.run, tg_argv[1]::int, private.request_id(),
          coalesce(new.created_by, '00000000-0000-0000-0000-000000000000'))
  on conflict do nothing;
  return null;
end $$;

-- With the delays of `work_failed`, 14 attempts take between 11 and 22 minutes. Attempts take longer if the workflow
-- service is slow to fail.
create trigger enqueue after insert or update of run on public.spec_uploads
  for each row execute function private.enqueue('spec_dispatch', '14');
create trigger enqueue after insert or update of run on public.image_jobs
  for each row execute function private.enqueue('image_dispatch', '14');
create trigger enqueue after insert or update of run on public.export_jobs
  for each row execute function private.enqueue('pdf_export', '3');

-- Trigger function that deletes the work of a deleted subject. Its argument is the kind of the work. A worker that
-- still holds the lease notices at its next heartbeat.
create function private.drop_work() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.work_items where kind = tg_argv[0] and subject_id = old.id;
  return null;
end $$;

create trigger drop_work after delete on public.spec_uploads
  for each row execute function private.drop_work('spec_dispatch');
create trigger drop_work after delete on public.image_jobs
  for each row execute function private.drop_work('image_dispatch');
create trigger drop_work after delete on public.export_jobs
  for each row execute function private.drop_work('pdf_export');
create trigger drop_work after delete on public.documents
  for each row execute function private.drop_work('spec_text');

-- Claims and leases

-- Returns the users with pending or running work of a kind. Skips through the index from one user to the next, so the
-- cost depends on the number of users, not on the number of work items.
create function private.work_users(p_kind text) returns setof uuid
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    with recursive users (user_id) as (
      (select w.user_id from private.work_items w where w.state = 'pending' and w.kind = p_kind order by w.user_id limit 1)
      union all
      select (select w.user_id from private.work_items w
               where w.state = 'pending' and w.kind = p_kind and w.user_id > u.user_id order by w.user_id limit 1)
        from users u where u.user_id is not null)
    select user_id from users where user_id is not null;
end $$;

-- Claims up to `p_limit` due items for `p_lease_s` seconds, which counts as an attempt. Takes turns by kind, so that a
-- backlog of one kind does not delay the others, and within a kind by user. A user's running items count as turns. Ties
-- go to the user whose work was claimed least recently. Leaves items without another attempt to `work_reap`.
create function public.work_claim(p_kinds text[], p_worker text, p_limit int default 10, p_lease_s int default 30)
returns table (id bigint, kind text, subject_id uuid, run int, attempts int, max_attempts int, lease_token uuid,
  request_id text)
language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with ranked as materialized (
    select turns.id, row_number() over (order by turns.place, turns.visible_at) as place
      from (select due.id, due.visible_at,
                   row_number() over (partition by due.kind
                     order by due.turn, due.served_at nulls first, due.visible_at, due.id) as place
              from (select x.id, k.kind, x.visible_at, mine.served_at,
                           row_number() over (partition by k.kind, u.user_id order by x.visible_at, x.id)
                             + mine.under_way as turn
                      from unnest(p_kinds) k (kind)
                        cross join lateral private.work_users(k.kind) u (user_id)
                        cross join lateral (
                          select (select count(*) from private.work_items y
                                   where y.state = 'pending' and y.kind = k.kind and y.user_id = u.user_id
                                     and y.visible_at > now() and y.lease_token is not null) as under_way,
                                 (select max(y.claimed_at) from private.work_items y
                                   where y.kind = k.kind and y.user_id = u.user_id and y.claimed_at is not null) as served_at
                        ) mine
                        cross join lateral (
                          select w.id, w.visible_at from private.work_items w
                           where w.state = 'pending' and w.kind = k.kind and w.user_id = u.user_id
                             and w.visible_at <= now() and w.attempts < w.max_attempts
                           order by w.visible_at, w.id limit p_limit * 4) x) due) turns)
  update private.work_items w
     set attempts = w.attempts + 1, lease_token = gen_random_uuid(), leased_by = p_worker,
         claimed_at = clock_timestamp(), visible_at = clock_timestamp() + make_interval(secs => p_lease_s)
   where w.id = any (array(
           -- Lock only the items to claim. Skip those that another worker has locked or claimed in the meantime.
           select x.id
             from ranked join private.work_items x on x.id = ranked.id
            where x.state = 'pending' and x.visible_at <= now() and x.attempts < x.max_attempts
            order by ranked.place limit p_limit for update of x skip locked))
  returning w.id, w.kind, w.subject_id, w.run, w.attempts, w.max_attempts, w.lease_token, w.request_id;
end $$;

-- Extends a lease. Returns false if the lease is lost or the work was canceled, in which case the worker must stop.
create function public.work_heartbeat(p_id bigint, p_token uuid, p_lease_s int default 30) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.work_items set visible_at = clock_timestamp() + make_interval(secs => p_lease_s)
   where id = p_id and lease_token = p_token and state = 'pending';
  return found;
end $$;

-- Returns an item to the queue when a worker stops gracefully, without using up the attempt. Returns false if the lease
-- is lost.
create function public.work_release(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.work_items set visible_at = clock_timestamp(), attempts = greatest(attempts - 1, 0), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  return found;
end $$;

-- Outcomes of the work

-- Locks the subject of a work item. Call it before writing the item. For an event delivery, locks its endpoint first.
create function private.lock_subject(p_kind text, p_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  case p_kind
    when 'spec_dispatch' then perform 1 from public.spec_uploads where id = p_id for update;
    when 'image_dispatch' then perform 1 from public.image_jobs where id = p_id for update;
    when 'pdf_export' then perform 1 from public.export_jobs where id = p_id for update;
    when 'event_delivery' then perform private.lock_delivery(p_id);
    when 'spec_text' then perform 1 from public.spec_uploads where document_id = p_id for update;
    when 'account_mail' then perform 1 from private.account_mails where id = p_id for update;
  end case;
end $$;

-- Marks a subject as accepted by the workflow service, which must call back before `p_deadline`. Never overwrites the
-- result of a callback that arrived earlier. Only for the kinds `spec_dispatch` and `image_dispatch`.
create function private.subject_accepted(p_kind text, p_id uuid, p_run int, p_deadline timestamptz) returns void
language plpgsql volatile set search_path = '' as $$
begin
  case p_kind
    when 'spec_dispatch' then perform private.move_spec(p_id, p_run, array['pending'], 'processing', p_deadline => p_deadline);
    when 'image_dispatch' then perform private.move_image(p_id, p_run, array['queued'], 'running', p_deadline => p_deadline);
  end case;
end $$;

-- Marks a subject as failed. Returns false and changes nothing if its work has already ended or `p_run` is not its
-- current run. The kinds `spec_text` and `account_mail` have only one run and ignore `p_run`.
create function private.subject_failed(p_kind text, p_id uuid, p_run int, p_code text, p_error text) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  case p_kind
    when 'spec_dispatch' then
      return private.move_spec(p_id, p_run, array['pending', 'processing'], 'failed', p_code, p_error);
    when 'image_dispatch' then
      return private.move_image(p_id, p_run, array['queued', 'running'], 'failed', p_code, p_error);
    when 'pdf_export' then
      update public.export_jobs
         set status = 'failed', status_seq = status_seq + 1, error_code = p_code, error = left(p_error, 2000),
             updated_at = clock_timestamp(), finished_at = clock_timestamp()
       where id = p_id and run = p_run and status = 'processing';
      return found;
    when 'event_delivery' then
      return private.delivery_failed(p_id, p_run, p_error);
    when 'spec_text' then
      update public.documents set text_state = 'failed' where id = p_id and text_state = 'pending';
      return found;
    when 'account_mail' then
      update private.account_mails set state = 'failed', reason = private.plain_reason(p_error)
       where id = p_id and state = 'pending';
      return found;
  end case;
end $$;

-- Closes the item of a trigger that the workflow service accepted, which must call back before `p_deadline`. Returns
-- false if the worker no longer holds the lease, for example because the callback came first and closed the item.
create function public.work_dispatched(p_id bigint, p_token uuid, p_deadline timestamptz) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items;
begin
  select * into v_item from private.work_items where id = p_id;
  if not found then return false; end if;
  perform private.lock_subject(v_item.kind, v_item.subject_id);
  -- Record the trigger even if its callback came first and closed the item.
  perform private.note_trigger(v_item, 'accepted');
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  perform private.subject_accepted(v_item.kind, v_item.subject_id, v_item.run, p_deadline);
  return true;
end $$;

-- Ends a failed attempt. Returns the new state of the item: pending (to be retried) or dead (the subject has failed).
-- Returns lost if the worker no longer holds the lease.
create function public.work_failed(p_id bigint, p_token uuid, p_code text, p_error text, p_retryable boolean,
  p_retry_after_s int default 0) returns text
language plpgsql volatile set search_path = '' as $$
declare
  v_item private.work_items;
  v_again boolean;
begin
  select * into v_item from private.work_items where id = p_id;
  if not found then return 'lost'; end if;
  perform private.lock_subject(v_item.kind, v_item.subject_id);
  v_again := p_retryable and v_item.attempts < v_item.max_attempts;
  update private.work_items
     set state = case when v_again then 'pending' else 'dead' end,
         finished_at = case when not v_again then clock_timestamp() end,
         -- The delay doubles with each attempt, up to three minutes. Half of the delay is fixed, and up to half is
         -- random. The delay is never shorter than `p_retry_after_s`.
         visible_at = clock_timestamp() + make_interval(secs =>
           greatest(p_retry_after_s, (0.5 + random() / 2) * least(180, power(2, attempts)))),
         lease_token = null, last_error = left(p_error, 1000)
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return 'lost'; end if;
  perform private.note_trigger(v_item, case when v_again then 'again' when p_retryable then 'given_up' else 'refused' end, p_error);
  if v_again then return 'pending'; end if;
  perform private.subject_failed(v_item.kind, v_item.subject_id, v_item.run, p_code, p_error);
  return 'dead';
end $$;

-- Fails items whose worker was lost during the last attempt, and runs whose callback did not come before the deadline.
-- Handles up to `p_limit` of each, and returns how many items are `dead` and runs `timed_out`. Locks the subjects of
-- dead items in the order of their ids, like every function that locks several specs. In any other order, the reaper
-- and such a function could deadlock.
create function public.work_reap(p_limit int default 100) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  r record;
  v_dead int := 0;
  v_timed_out int := 0;
  v_late text := 'The workflow service did not call back before the deadline.';
begin
  for r in select * from (
             select id, kind, subject_id, run from private.work_items
              where state = 'pending' and visible_at <= now() and attempts >= max_attempts
              order by visible_at, id limit p_limit) dead
            order by subject_id loop
    perform private.lock_subject(r.kind, r.subject_id);
    update private.work_items
       set state = 'dead', finished_at = clock_timestamp(), lease_token = null, last_error = coalesce(last_error, 'worker lost')
     where id = r.id and state = 'pending' and visible_at <= clock_timestamp() and attempts >= max_attempts;
    if found then
      v_dead := v_dead + 1;
      perform private.note_trigger(w, 'given_up', w.last_error) from private.work_items w where w.id = r.id;
      perform private.subject_failed(r.kind, r.subject_id, r.run, 'unreachable', 'The work could not be finished after its last attempt.');
    end if;
  end loop;
  for r in select id, run from public.spec_uploads where processing_status = 'processing' and deadline_at < now()
            order by deadline_at limit p_limit for update skip locked loop
    if private.subject_failed('spec_dispatch', r.id, r.run, 'timeout', v_late) then v_timed_out := v_timed_out + 1; end if;
  end loop;
  for r in select id, run from public.image_jobs where status = 'running' and deadline_at < now()
            order by deadline_at limit p_limit for update skip locked loop
    if private.subject_failed('image_dispatch', r.id, r.run, 'timeout', v_late) then v_timed_out := v_timed_out + 1; end if;
  end loop;
  return jsonb_build_object('dead', v_dead, 'timed_out', v_timed_out);
end $$;

-- Reading

-- Returns the number of pending items per kind, and for how many seconds the oldest due item of the kind has been due.
create function public.work_depth() returns table (kind text, pending bigint, oldest_due_s double precision)
language sql stable set search_path = '' as $$
  select w.kind, count(*), coalesce(max(extract(epoch from now() - w.visible_at)) filter (where w.visible_at <= now()), 0)::double precision
    from private.work_items w where w.state = 'pending' group by w.kind
$$;


-- What the workflow service sends back and what administrators see of it: callbacks, rejected callbacks, and tests of
-- the service. `apply_spec_callback` and `apply_image_callback` apply the results.
--
-- The first result of a run wins. Later ones are acknowledged and only recorded, except that a success can replace a
-- failure which the service did not report itself.

-- The callbacks about specs and image jobs, with the outcome of each. Of a run's progress reports, only the latest with
-- each outcome is kept. Rows are deleted after a month.
create table private.callback_events (
  id bigint generated always as identity primary key,
  source text not null check (source in ('spec', 'image')),
  subject_id uuid not null,
  run int,
  status text not null,
  outcome text not null,
  reason text,
  -- Breaks ties between events with the same time in the list that combines callbacks and triggers.
  key uuid not null default gen_random_uuid(),
  received_at timestamptz not null default now()
);
create index callback_events_subject on private.callback_events (subject_id, id);
create index callback_events_page on private.callback_events (received_at desc, key desc);
alter table private.callback_events enable row level security;

-- The URLs that have acknowledged a trigger. A 2xx response from such a URL accepts a trigger only if the response
-- contains an acknowledgment. A server that is restarting can return 2xx before its workflows exist. For the exception,
-- see `trigger_accepted`.
create table private.workflow_endpoints (
  -- SHA-256 of the URL, which can contain a token.
  url_hash text primary key check (url_hash ~ '^[0-9a-f]{64}$'),
  -- The times of the first and the latest response in the current series of 2xx responses without an acknowledgment. An
  -- acknowledgment ends the series. After five minutes without such a response, the next one begins a new series,
  -- because it belongs to a different restart of the workflow service.
  unacknowledged_since timestamptz,
  unacknowledged_at timestamptz
);
alter table private.workflow_endpoints enable row level security;

-- Returns the outcome of a progress report. The outcome is `applied` unless the run has ended, is not the current one,
-- or has sent reports too often. The limit is one report per second, with bursts of up to 30.
-- outcome: applied | stale_run | unknown_run | canceled | late | too_often
create function private.progress_outcome(p_source text, p_id uuid, p_run int, p_current_run int, p_status text)
returns text
language sql volatile set search_path = '' as $$
  select case
    when p_run < p_current_run then 'stale_run'
    when p_run > p_current_run then 'unknown_run'
    when p_status = 'canceled' then 'canceled'
    when p_status in ('succeeded', 'completed', 'failed') then 'late'
    when public.rate_take(concat_ws(':', 'progress', p_source, p_id, p_run), 30, 1000) > 0 then 'too_often'
    else 'applied' end
$$;

-- Records a progress report. Keeps only the latest one per run and outcome, because a workflow can send many.
create function private.note_progress(p_source text, p_subject uuid, p_run int, p_outcome text, p_progress double precision,
  p_note text) returns void
language plpgsql volatile set search_path = '' as $$
declare v_reason text := nullif(concat_ws(': ', round(p_progress * 100) || '%', p_note), '');
begin
  update private.callback_events set received_at = now(), reason = v_reason
   where source = p_source and subject_id = p_subject and run = p_run and status = 'running' and outcome = p_outcome;
  if not found then
    insert into private.callback_events (source, subject_id, run, status, outcome, reason)
    values (p_source, p_subject, p_run, 'running', p_outcome, v_reason);
  end if;
end $$;

-- Returns a page of sent triggers and received callbacks, newest first, each with the label and current status of its
-- subject. The page starts after the event with the time `p_before` and the id `p_before_id`. `p_trouble` leaves out
-- accepted triggers. It also leaves out applied callbacks, except those that report a failure.
create function public.workflow_events(p_source text default null, p_direction text default null,
  p_subject uuid default null, p_trouble boolean default false, p_before timestamptz default null,
  p_before_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, direction text, source text, subject_id uuid, run int, attempt int,
  outcome text, status text, reason text, label text, project_id uuid, subject_status text, subject_run int)
language sql stable set search_path = '' as $$
  with page as (
    select * from (
      (select t.id, t.created_at, 'sent' as direction, t.source, t.subject_id, t.run, t.attempt, t.outcome,
              null::text as status, t.reason
         from private.trigger_events t
        where coalesce(p_direction, 'sent') = 'sent' and (p_source is null or t.source = p_source)
          and (p_subject is null or t.subject_id = p_subject)
          and (not p_trouble or t.outcome <> 'accepted')
          and (p_before is null or (t.created_at, t.id) < (p_before, p_before_id))
        order by t.created_at desc, t.id desc limit p_limit)
      union all
      (select c.key, c.received_at, 'received', c.source, c.subject_id, c.run, null, c.outcome, c.status, c.reason
         from private.callback_events c
        where coalesce(p_direction, 'received') = 'received' and (p_source is null or c.source = p_source)
          and (p_subject is null or c.subject_id = p_subject)
          and (not p_trouble or c.outcome <> 'applied' or c.status = 'failed')
          and (p_before is null or (c.received_at, c.key) < (p_before, p_before_id))
        order by c.received_at desc, c.key desc limit p_limit)) both_ways
     order by created_at desc, id desc limit p_limit)
  select p.id, p.created_at, p.direction, p.source, p.subject_id, p.run, p.attempt, p.outcome, p.status, p.reason,
         coalesce(d.file_name, left(j.prompt, 120)), j.project_id, coalesce(s.processing_status, j.status),
         coalesce(s.run, j.run)
    from page p
    left join public.spec_uploads s on p.source = 'spec' and s.id = p.subject_id
    left join public.documents d on d.id = s.document_id
    left join public.image_jobs j on p.source = 'image' and j.id = p.subject_id
   order by p.created_at desc, p.id desc
$$;

-- Rejected callbacks

-- Rejected callbacks, counted per source, code, subject and minute. Their bodies are not kept.
create table private.refused_callbacks (
  id uuid primary key default gen_random_uuid(),
  source text not null check (source in ('spec', 'image')),
  code text not null check (char_length(code) between 1 and 40),
  detail text not null check (char_length(detail) <= 300),
  -- The spec or image job that the body names.
  subject_id uuid,
  minute timestamptz not null,
  times int not null check (times > 0),
  created_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  unique nulls not distinct (source, code, subject_id, minute)
);
create index refused_callbacks_page on private.refused_callbacks (created_at desc, id desc);
create index refused_callbacks_code on private.refused_callbacks (source, code, created_at desc, id desc);
alter table private.refused_callbacks enable row level security;

-- Records `p_times` rejected callbacks. Anyone can send callbacks that are rejected, so the number of rows is limited.
-- For each source and code, records only the first 20 ids of each minute, and counts callbacks with other ids in one
-- row without an id. For each source and code, keeps only the newest 1,000 rows.
create function public.note_refused_callback(p_source text, p_code text, p_detail text, p_subject uuid default null,
  p_times int default 1) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_minute timestamptz := date_trunc('minute', clock_timestamp());
  v_subject uuid := p_subject;
begin
  if p_subject is not null and (
    select count(*) from private.refused_callbacks
     where source = p_source and code = p_code and minute = v_minute and subject_id <> p_subject) >= 20 then
    v_subject := null;
  end if;
  insert into private.refused_callbacks as r (source, code, detail, subject_id, minute, times)
  values (p_source, p_code, left(private.plain_words(p_detail), 300), v_subject, v_minute, p_times)
  on conflict (source, code, subject_id, minute) do update
    set times = least(r.times::bigint + excluded.times, 2147483647)::int, detail = excluded.detail, last_at = excluded.last_at;
  delete from private.refused_callbacks where id = any (array(
    select id from private.refused_callbacks where source = p_source and code = p_code
     order by created_at desc, id desc offset 1000));
end $$;

-- Returns a page of rejected callbacks, newest first. The page starts after the row that was created at `p_before` and
-- has the id `p_before_id`.
create function public.refused_callbacks(p_before timestamptz default null, p_before_id uuid default null,
  p_limit int default 21)
returns table (id uuid, created_at timestamptz, last_at timestamptz, source text, code text, detail text, subject_id uuid,
  times int)
language sql stable set search_path = '' as $$
  select r.id, r.created_at, r.last_at, r.source, r.code, r.detail, r.subject_id, r.times
    from private.refused_callbacks r
   where p_before is null or (r.created_at, r.id) < (p_before, p_before_id)
   order by r.created_at desc, r.id desc limit p_limit
$$;

-- Tests of the workflow service

-- Tests of the workflow service. The trigger of a test contains the test's id in place of the id of a spec or image
-- job.
create table private.workflow_tests (
  id uuid primary key default gen_random_uuid(),
  source text not null check (source in ('spec', 'image')),
  steps jsonb not null default '[]' check (jsonb_array_length(steps) <= 20),
  created_at timestamptz not null default clock_timestamp()
);
create index workflow_tests_age on private.workflow_tests (created_at desc, id);
alter table private.workflow_tests enable row level security;

-- Creates a test and returns its id. Only the newest 50 are kept.
create function public.create_workflow_test(p_source text) returns uuid
language plpgsql volatile set search_path = '' as $$
declare v_id uuid;
begin
  insert into private.workflow_tests (source) values (p_source) returning id into v_id;
  delete from private.workflow_tests where id = any (array(
    select id from private.workflow_tests order by created_at desc, id offset 50));
  return v_id;
end $$;

-- Adds a step, with the current time, to a test that was created within the last hour. A test has at most 20 steps.
-- After that, each new step replaces the latest progress report, or else the latest callback, or else the second step,
-- so the newest step is always stored. Returns false if there is no such test.
create function public.add_workflow_test_step(p_id uuid, p_source text, p_step jsonb) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.workflow_tests
     set steps = case when jsonb_array_length(steps) < 20 then steps else steps - coalesce((
                   select s.place::int - 1 from jsonb_array_elements(steps) with ordinality s(step, place)
                    where s.step ->> 'step' = 'callback'
                    order by s.step ->> 'status' is not distinct from 'running' desc, s.place desc limit 1), 1) end
                 || jsonb_build_array(p_step || jsonb_build_object('at', clock_timestamp(),
                      'detail', private.plain_reason(p_step ->> 'detail')))
   where id = p_id and source = p_source and created_at > now() - interval '1 hour';
  return found;
end $$;

-- Returns a test with its steps in the order in which they were added, or no row if it does not exist.
create function public.workflow_test(p_id uuid)
returns table (id uuid, source text, steps jsonb, created_at timestamptz)
language sql stable set search_path = '' as $$
  select t.id, t.source, t.steps, t.created_at from private.workflow_tests t where t.id = p_id
$$;

-- Returns whether a 2xx response accepts the trigger. After ten minutes of 2xx responses without an acknowledgment, the
-- URL counts as one that never acknowledges, and any 2xx response from it accepts a trigger. The last attempt of a run
-- comes more than ten minutes after the first, so a URL that stops sending acknowledgments does not make the run fail.
create function public.trigger_accepted(p_url_hash text, p_acknowledged boolean) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_endpoint private.workflow_endpoints;
  v_since timestamptz;
begin
  select * into v_endpoint from private.workflow_endpoints where url_hash = p_url_hash;
  if p_acknowledged then
    -- Write nothing for most triggers, so that concurrent triggers do not wait for each other.
    if v_endpoint.url_hash is null or v_endpoint.unacknowledged_since is not null then
      insert into private.workflow_endpoints (url_hash) values (p_url_hash)
        on conflict (url_hash) do update set unacknowledged_since = null, unacknowledged_at = null;
    end if;
    return true;
  end if;
  if v_endpoint.url_hash is null then return true; end if;
  v_since := case when v_endpoint.unacknowledged_at > clock_timestamp() - interval '5 minutes'
                  then v_endpoint.unacknowledged_since else clock_timestamp() end;
  if v_since < clock_timestamp() - interval '10 minutes' then
    delete from private.workflow_endpoints where url_hash = p_url_hash;
    return true;
  end if;
  update private.workflow_endpoints set unacknowledged_since = v_since, unacknowledged_at = clock_timestamp()
   where url_hash = p_url_hash;
  return false;
end $$;

-- Returns the id of the request that started a run, for the log lines of the run's callbacks. Returns null if the
-- request had no id or the work item was deleted.
create function private.ordered_by(p_kind text, p_subject uuid, p_run int) returns text
language sql stable set search_path = '' as $$
  select w.request_id from private.work_items w where w.kind = p_kind and w.subject_id = p_subject and w.run = p_run
$$;

-- Events that the app sends to other systems: the endpoints that administrators add, the events, and their deliveries.
--
-- An event is written in the transaction of the change that it reports, and the work queue sends it. Lock order: the
-- endpoint, then the delivery, then its work item. Only `event_to_send` returns the secret of an endpoint.

-- One row per URL that receives events.
create table private.event_endpoints (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  url text not null check (char_length(url) between 1 and 2000),
  events text[] not null check (cardinality(events) between 1 and 6 and events <@ array['spec.completed', 'spec.failed',
    'image.succeeded', 'image.failed', 'export.completed', 'export.failed']),
  -- Stored in plain text, because it is needed to sign deliveries.
  secret text not null,
  -- When a delivery was given up for the first time since the last success or resumption.
  failing_since timestamptz,
  last_error text,
  paused_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
alter table private.event_endpoints enable row level security;

-- One row per end of a run that at least one endpoint wants to know about. `data` is what the endpoints receive, as it
-- was when the run ended. Rows are deleted after a month, with their deliveries.
create table private.events (
  id uuid primary key default gen_random_uuid(),
  type text not null,
  subject_id uuid not null,
  run int not null,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp()
);
create index events_age on private.events (created_at);
alter table private.events enable row level security;

-- One event for one endpoint. Sending it again increments `run` instead of adding a row.
create table private.event_deliveries (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references private.events (id) on delete cascade,
  endpoint_id uuid not null references private.event_endpoints (id) on delete cascade,
  run int not null default 1,
  -- `held` means that the endpoint is paused.
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'held')),
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  unique (event_id, endpoint_id)
);
create index event_deliveries_page on private.event_deliveries (created_at desc, id desc);
create index event_deliveries_endpoint on private.event_deliveries (endpoint_id, created_at desc, id desc);
alter table private.event_deliveries enable row level security;
create trigger drop_work after delete on private.event_deliveries
  for each row execute function private.drop_work('event_delivery');

-- Trigger function that queues the current run of a delivery. Stores the endpoint as the user of the work item, so that
-- endpoints take turns and a backlog of one does not delay the others.
create function private.enqueue_delivery() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.work_items (kind, subject_id, run, max_attempts, request_id, user_id)
  values ('event_delivery', new.id, new.run, 14, private.request_id(), new.endpoint_id) on conflict do nothing;
  return null;
end $$;

create trigger enqueue after insert or update of run on private.event_deliveries
  for each row execute function private.enqueue_delivery();

-- Writing events

-- Writes an event and its deliveries in the same transaction as the change that it reports. Writes nothing if no
-- endpoint subscribes to this type of event.
create function private.write_event(p_type text, p_subject uuid, p_run int, p_data jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_event uuid;
  v_endpoints uuid[];
begin
  -- Lock the endpoints, because this transaction would fail if one of them were deleted concurrently.
  select array_agg(e.id) into v_endpoints
    from (select id from private.event_endpoints where p_type = any (events) order by id for key share) e;
  if v_endpoints is null then return; end if;
  insert into private.events (type, subject_id, run, data) values (p_type, p_subject, p_run, p_data) returning id into v_event;
  insert into private.event_deliveries (event_id, endpoint_id) select v_event, unnest(v_endpoints);
end $$;

-- Trigger function that writes the event of a spec whose run has completed or failed.
create function private.write_spec_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_event('spec.' || new.processing_status, new.id, new.run, (
    select jsonb_build_object('spec_upload_id', new.id, 'document_id', new.document_id, 'run', new.run,
             'status', new.processing_status, 'brand', b.name, 'area', a.name, 'property', new.property_name,
             'file_name', d.file_name, 'sections_count', new.sections_count, 'error_code', new.error_code,
             'error', new.error)
      from public.documents d, public.brands b, public.area_types a
     where d.id = new.document_id and b.id = new.brand_id and a.id = new.area_type_id));
  return null;
end $$;

create trigger write_event after update of processing_status on public.spec_uploads for each row
  when (new.processing_status in ('completed', 'failed')
    and new.processing_status is distinct from old.processing_status)
  execute function private.write_spec_event();

-- Trigger function that writes the event of an image job whose run has succeeded or failed. The event contains the
-- prompt of the run's message, or the job's prompt if the run has no message.
create function private.write_image_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_event('image.' || new.status, new.id, new.run,
    jsonb_build_object('job_id', new.id, 'project_id', new.project_id, 'run', new.run, 'status', new.status,
      'prompt', coalesce((select m.prompt from public.image_runs r join public.image_messages m on m.id = r.message_id
                           where r.job_id = new.id and r.run = new.run), new.prompt),
      'error_code', new.error_code, 'error', new.error));
  return null;
end $$;

create trigger write_event after update of status on public.image_jobs for each row
  when (new.status in ('succeeded', 'failed') and new.status is distinct from old.status)
  execute function private.write_image_event();

-- Trigger function that writes the event of an export that has completed or failed.
create function private.write_export_event() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_event('export.' || new.status, new.id, new.run,
    jsonb_build_object('job_id', new.id, 'project_id', new.project_id, 'run', new.run, 'status', new.status,
      'page_count', new.page_count, 'size_bytes', new.result_bytes, 'error_code', new.error_code, 'error', new.error));
  return null;
end $$;

create trigger write_event after update of status on public.export_jobs for each row
  when (new.status in ('completed', 'failed') and new.status is distinct from old.status)
  execute function private.write_export_event();

-- Deliveries, for workers

-- Locks the endpoint of a delivery, then the delivery. The delivery's work item must be locked last.
create function private.lock_delivery(p_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from private.event_endpoints
    where id = (select endpoint_id from private.event_deliveries where id = p_id) for no key update;
  perform 1 from private.event_deliveries where id = p_id for update;
end $$;

-- Returns the event that a delivery sends, with its endpoint's URL and signing secret, or null if the run `p_run` of
-- the delivery is no longer pending.
create function public.event_to_send(p_delivery uuid, p_run int) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('event_id', v.id, 'type', v.type, 'data', v.data, 'created_at', v.created_at, 'url', e.url,
           'secret', e.secret, 'is_paused', e.paused_at is not null)
    from private.event_deliveries d
    join private.events v on v.id = d.event_id
    join private.event_endpoints e on e.id = d.endpoint_id
   where d.id = p_delivery and d.run = p_run and d.state = 'pending'
$$;

-- Marks a delivery as delivered after its endpoint accepted the event. Ends the failing period of the endpoint unless
-- it is paused. Returns false if the lease was lost.
create function public.event_delivered(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items;
begin
  select * into v_item from private.work_items where id = p_id and kind = 'event_delivery';
  if not found then return false; end if;
  perform private.lock_delivery(v_item.subject_id);
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update private.event_deliveries set state = 'delivered', reason = null, finished_at = clock_timestamp()
   where id = v_item.subject_id and run = v_item.run;
  update private.event_endpoints set failing_since = null, last_error = null
   where id = (select endpoint_id from private.event_deliveries where id = v_item.subject_id)
     and failing_since is not null and paused_at is null;
  return true;
end $$;

-- Holds a delivery until its paused endpoint is resumed. The claim does not count as an attempt, because nothing was
-- sent. If the endpoint is not paused, makes the delivery due again immediately and returns false. Also returns false
-- if the lease was lost or the delivery is no longer pending.
create function public.event_held(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items;
begin
  select * into v_item from private.work_items where id = p_id and kind = 'event_delivery';
  if not found then return false; end if;
  perform private.lock_delivery(v_item.subject_id);
  if not exists (select 1 from private.event_deliveries d join private.event_endpoints e on e.id = d.endpoint_id
                  where d.id = v_item.subject_id and e.paused_at is not null) then
    perform public.work_release(p_id, p_token);
    return false;
  end if;
  update private.work_items
     set state = 'canceled', attempts = greatest(attempts - 1, 0), finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update private.event_deliveries set state = 'held' where id = v_item.subject_id and run = v_item.run and state = 'pending';
  return found;
end $$;

-- Gives up a delivery. Pauses the endpoint if it has been failing for a day. Returns false if the run `p_run` of the
-- delivery is no longer pending. The caller must have locked the delivery with `lock_delivery`.
create function private.delivery_failed(p_id uuid, p_run int, p_error text) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_endpoint uuid;
begin
  update private.event_deliveries set state = 'failed', reason = private.plain_reason(p_error), finished_at = v_now
   where id = p_id and run = p_run and state = 'pending' returning endpoint_id into v_endpoint;
  if not found then return false; end if;
  update private.event_endpoints
     set failing_since = coalesce(failing_since, v_now), last_error = private.plain_reason(p_error),
         paused_at = case when failing_since <= v_now - interval '1 day' then coalesce(paused_at, v_now) else paused_at end
   where id = v_endpoint;
  return true;
end $$;

-- Endpoints and deliveries, for administrators

-- Creates an endpoint unless there are `p_max` already. The lock keeps concurrent calls from exceeding this limit.
-- outcome: created (with the id) | too_many
create function public.create_event_endpoint(p_name text, p_url text, p_events text[], p_secret text, p_max int) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('event_endpoints', 0));
  if (select count(*) from private.event_endpoints) >= p_max then return jsonb_build_object('outcome', 'too_many'); end if;
  insert into private.event_endpoints (name, url, events, secret) values (p_name, p_url, p_events, p_secret)
  returning id into v_id;
  return jsonb_build_object('outcome', 'created', 'id', v_id);
end $$;

-- Deletes an endpoint and its deliveries. Returns false if it does not exist.
create function public.delete_event_endpoint(p_id uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  delete from private.event_endpoints where id = p_id;
  return found;
end $$;

-- Resumes a paused endpoint and queues its held deliveries and those given up since the endpoint began to fail. Returns
-- the number of deliveries queued: 0 for an endpoint that is not paused, null for one that does not exist.
create function public.resume_event_endpoint(p_id uuid) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_endpoint private.event_endpoints;
  v_queued int := 0;
begin
  select * into v_endpoint from private.event_endpoints where id = p_id for no key update;
  if not found then return null; end if;
  if v_endpoint.paused_at is null then return 0; end if;
  update private.event_endpoints set paused_at = null, failing_since = null, last_error = null where id = p_id;
  update private.event_deliveries set run = run + 1, state = 'pending', reason = null, finished_at = null
   where endpoint_id = p_id and (state = 'held' or (state = 'failed' and finished_at >= v_endpoint.failing_since));
  get diagnostics v_queued = row_count;
  return v_queued;
end $$;

-- Queues a delivery again, whether it was delivered, given up or held.
-- outcome: queued | not_found | pending (already queued) | paused (the endpoint)
create function public.resend_event_delivery(p_id uuid) returns text
language plpgsql volatile set search_path = '' as $$
declare
  v_delivery private.event_deliveries;
begin
  perform private.lock_delivery(p_id);
  select * into v_delivery from private.event_deliveries where id = p_id;
  if not found then return 'not_found'; end if;
  if v_delivery.state = 'pending' then return 'pending'; end if;
  if exists (select 1 from private.event_endpoints where id = v_delivery.endpoint_id and paused_at is not null) then
    return 'paused';
  end if;
  update private.event_deliveries set run = run + 1, state = 'pending', reason = null, finished_at = null where id = p_id;
  return 'queued';
end $$;

-- Returns all endpoints without their secrets, oldest first.
create function public.event_endpoints()
returns table (id uuid, name text, url text, events text[], failing_since timestamptz, last_error text,
  paused_at timestamptz, created_at timestamptz)
language sql stable set search_path = '' as $$
  select e.id, e.name, e.url, e.events, e.failing_since, e.last_error, e.paused_at, e.created_at
    from private.event_endpoints e order by e.created_at, e.id
$$;

-- Returns deliveries older than (`p_before`, `p_before_id`), newest first, with the number of attempts of their latest
-- run. With `p_trouble`, returns only failed and held deliveries, and pending deliveries with a failed attempt.
create function public.event_deliveries(p_endpoint uuid default null, p_trouble boolean default false,
  p_before timestamptz default null, p_before_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, event_id uuid, type text, subject_id uuid, subject_run int, label text,
  endpoint_id uuid, endpoint_name text, state text, attempts int, reason text, next_attempt_at timestamptz,
  finished_at timestamptz, can_send_again boolean)
language sql stable set search_path = '' as $$
  select d.id, d.created_at, v.id, v.type, v.subject_id, v.run,
         coalesce(v.data ->> 'file_name', left(v.data ->> 'prompt', 120)),
         e.id, e.name, d.state, coalesce(w.attempts, 0), coalesce(d.reason, case when d.state <> 'delivered' then w.last_error end),
         case when d.state = 'pending' and w.attempts > 0 and w.lease_token is null then w.visible_at end,
         d.finished_at, d.state <> 'pending' and e.paused_at is null
    from private.event_deliveries d
    join private.events v on v.id = d.event_id
    join private.event_endpoints e on e.id = d.endpoint_id
    left join private.work_items w on w.kind = 'event_delivery' and w.subject_id = d.id and w.run = d.run
   where (p_endpoint is null or d.endpoint_id = p_endpoint)
     and (not p_trouble or d.state in ('failed', 'held') or w.last_error is not null and d.state = 'pending')
     and (p_before is null or (d.created_at, d.id) < (p_before, p_before_id))
   order by d.created_at desc, d.id desc limit p_limit
$$;

-- Live updates. Triggers send broadcasts to private topics, and policies say who may join a topic.
--
-- A broadcast contains only ids, statuses, counters and progress. Clients then fetch the data under the policies of its
-- tables, so a broadcast must never contain anything that a member of the topic could not read there.

-- Topics:
--   specs            changes of specs, for administrators
--   project:{id}     changes of a project's image jobs, exports and documents
--   image-job:{id}   changes of one image job
--   document:{id}    who has a document open (presence)

-- Returns whether the caller may join a topic: administrators any topic of these kinds, members the topics of their
-- projects. `document:` takes the id of a project, which is also the id of its main document, because the main document
-- has no row until it is first saved, renamed or archived.
create function private.can_read_topic(p_topic text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_admin() then
    return p_topic = 'specs' or p_topic like 'project:%' or p_topic like 'document:%' or p_topic like 'image-job:%';
  end if;
  return case
    when p_topic like 'project:%' then
      substr(p_topic, 9) in (select id::text from private.my_projects() id)
    when p_topic like 'document:%' then
      substr(p_topic, 10) in (select id::text from private.my_projects() id)
      or exists (
        select 1 from public.project_pages d
         where d.id::text = substr(p_topic, 10) and d.deleted_at is null
           and d.project_id in (select private.my_projects()))
    when p_topic like 'image-job:%' then exists (
      select 1 from public.image_jobs j
       where j.id::text = substr(p_topic, 11) and j.project_id in (select private.my_projects()))
    else false end;
end $$;
grant execute on function private.can_read_topic(text) to authenticated;

create policy atelier_topics_read on realtime.messages for select to authenticated
  using (extension = 'broadcast' and (select private.can_read_topic((select realtime.topic()))));

-- Presence shows who has a document open. It contains only user ids. Clients send their own id, so a member could claim
-- another user's id.
create policy atelier_presence_read on realtime.messages for select to authenticated
  using (extension = 'presence' and (select realtime.topic()) like 'document:%'
    and (select private.can_read_topic((select realtime.topic()))));
create policy atelier_presence_write on realtime.messages for insert to authenticated
  with check (extension = 'presence' and (select realtime.topic()) like 'document:%'
    and (select private.can_read_topic((select realtime.topic()))));

-- Sends the event `spec` to `specs`. A deleted spec has the status `deleted`, which the table does not have.
create function private.broadcast_spec() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_spec public.spec_uploads := coalesce(new, old);
begin
  perform realtime.send(
    jsonb_build_object('specUploadId', v_spec.id, 'status', case when tg_op = 'DELETE' then 'deleted' else v_spec.processing_status end,
                       'statusSeq', v_spec.status_seq, 'progress', v_spec.progress),
    'spec', 'specs', true);
  return null;
end $$;
create trigger broadcast after insert or delete or update of status_seq on public.spec_uploads
  for each row execute function private.broadcast_spec();

-- Sends the event `job` to the topics of the image job and its project.
create function private.broadcast_image_job() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_payload jsonb := jsonb_build_object('jobId', new.id, 'status', new.status, 'statusSeq', new.status_seq, 'run', new.run,
  'progress', new.progress);
begin
  perform realtime.send(v_payload, 'job', 'image-job:' || new.id, true);
  perform realtime.send(v_payload, 'job', 'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast after insert or update of status_seq on public.image_jobs
  for each row execute function private.broadcast_image_job();

-- Sends the event `export` to the topic of the project: the status, and how many pages and images are done.
create function private.broadcast_export_job() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object('exportJobId', new.id, 'status', new.status, 'statusSeq', new.status_seq,
      'pagesDone', new.pages_done, 'imagesDone', new.images_done, 'imagesTotal', new.images_total),
    'export', 'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast after insert or update of status_seq, pages_done, images_done, images_total
  on public.export_jobs for each row execute function private.broadcast_export_job();

-- Sends the event `document` to the topic of the project when a document has a new version, with the user who saved it.
create function private.broadcast_document() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object('version', new.version, 'savedBy', new.updated_by, 'documentId', new.id), 'document',
    'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast after insert or update of version on public.project_pages
  for each row execute function private.broadcast_document();

-- Sends the event `documents` to the topic of the project when its list of documents changes.
create function private.broadcast_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(jsonb_build_object('documentId', new.id), 'documents', 'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast_list after insert or update of name, archived_at, deleted_at on public.project_pages
  for each row execute function private.broadcast_documents();

-- Files, and the removal of files and rows that are no longer needed. `lib/queue/retention.ts` has the periods.
--
-- A file exists for a row. Deleting a row leaves its file as an orphan, and the sweep finds the orphans, so every
-- column that holds a path must be in `sweep_orphans`. Otherwise, the sweep removes files that are in use.

-- The buckets are private and have no policies, so only the service role has access. Clients read files, and workflows
-- upload them, through signed URLs. Exports can have 2 GB, because the PDF of the largest possible document exceeds the
-- storage default of 50 MB per file. Supabase's global limit applies too. On hosted Supabase, it is set in the storage
-- settings.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('specs', 'specs', false, 52428800, array['application/pdf']),
  ('images', 'images', false, 52428800, array['image/png', 'image/jpeg', 'image/webp']),
  ('exports', 'exports', false, 2147483648, array['application/pdf']);

-- The last object that the sweep checked. The sweep checks objects in id order. The table has exactly one row. Only
-- `sweep_orphans` uses it, as its owner.
create table private.orphan_sweep (
  only_one boolean primary key default true check (only_one),
  after uuid not null default '00000000-0000-0000-0000-000000000000'
);
alter table private.orphan_sweep enable row level security;
revoke all on private.orphan_sweep from service_role;
insert into private.orphan_sweep default values;

-- Checks the next `p_looks` objects for orphans, which are objects that no row refers to, and returns at most `p_limit`
-- of them: { paths: [`bucket/name`], ended }. `ended` means that the call reached the last object, so the next one
-- starts from the first. The caller removes the files. Ages are in seconds.
--
-- Orphans are files left by a crash before their row was written, files that a workflow uploaded but did not report,
-- and files whose row was deleted. Objects younger than `p_min_age_s` are skipped. For the outputs of image jobs,
-- `p_min_output_age_s` applies instead, because a late success can replace the failure of a job within a day, and the
-- outputs then get rows. The lock on the position makes concurrent sweeps take turns.
create function public.sweep_orphans(p_min_age_s int, p_min_output_age_s int, p_looks int, p_limit int) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_after uuid;
  v_last uuid;
  v_ended boolean;
  v_paths jsonb;
begin
  select after into v_after from private.orphan_sweep for update;
  with seen as materialized (
    select o.id, o.bucket_id, o.name, greatest(o.created_at, o.updated_at) as put_at from storage.objects o
     where o.id > v_after order by o.id limit p_looks),
  orphans as materialized (
    select s.id, s.bucket_id || '/' || s.name as path from seen s
     where (s.bucket_id = 'specs' and s.put_at < now() - make_interval(secs => p_min_age_s)
            and not exists (select 1 from public.documents d where d.storage_path = 'specs/' || s.name))
        or (s.bucket_id = 'images'
            and s.put_at < now() - make_interval(secs => case when s.name like 'projects/%/jobs/%' then p_min_output_age_s else p_min_age_s end)
            and not exists (select 1 from public.document_images i where i.storage_path = 'images/' || s.name)
            and not exists (select 1 from public.image_variants v where v.path = 'images/' || s.name)
            and not exists (select 1 from public.image_variants v where v.thumb_path = 'images/' || s.name)
            and not exists (select 1 from public.image_jobs j where j.input_image_path = 'images/' || s.name))
        or (s.bucket_id = 'exports' and s.put_at < now() - make_interval(secs => p_min_age_s)
            and not exists (select 1 from public.export_jobs e where e.result_path = 'exports/' || s.name))
     order by s.id limit p_limit)
  select case when (select count(*) from orphans) = p_limit then (select id from orphans order by id desc limit 1)
              else (select id from seen order by id desc limit 1) end,
         (select count(*) from seen) < p_looks and (select count(*) from orphans) < p_limit,
         (select coalesce(jsonb_agg(path order by id), '[]') from orphans)
    into v_last, v_ended, v_paths;
  update private.orphan_sweep set after = case when v_ended then '00000000-0000-0000-0000-000000000000' else v_last end
   where only_one;
  return jsonb_build_object('paths', v_paths, 'ended', v_ended);
end $$;

-- Deletes rows past their retention period (in seconds), at most `p_limit` of each kind. Counts the deleted rows of
-- each kind and returns the highest count. If that count equals `p_limit`, more rows may be left. The file of a
-- deleted export becomes an orphan. Pending work is never deleted.
create function public.forget_old_rows(p_idempotency_s int, p_rate_s int, p_work_s int, p_exports_s int, p_limit int)
returns int
language sql volatile set search_path = '' as $$
  with keys as (
    delete from private.idempotency_keys where ctid = any (array(
      select ctid from private.idempotency_keys where created_at < now() - make_interval(secs => p_idempotency_s)
       order by created_at limit p_limit)) returning 1),
  buckets as (
    delete from private.rate_buckets where ctid = any (array(
      select ctid from private.rate_buckets where tat < now() - make_interval(secs => p_rate_s)
       order by tat limit p_limit)) returning 1),
  work as (
    delete from private.work_items where id = any (array(
      select id from private.work_items where state <> 'pending' and finished_at < now() - make_interval(secs => p_work_s)
       order by finished_at limit p_limit)) returning 1),
  triggers as (
    delete from private.trigger_events where id = any (array(
      select id from private.trigger_events where created_at < now() - make_interval(secs => p_work_s)
       order by created_at limit p_limit)) returning 1),
  callbacks as (
    delete from private.callback_events where id = any (array(
      select id from private.callback_events where received_at < now() - make_interval(secs => p_work_s)
       order by received_at limit p_limit)) returning 1),
  refused as (
    delete from private.refused_callbacks where id = any (array(
      select id from private.refused_callbacks where created_at < now() - make_interval(secs => p_work_s)
       order by created_at limit p_limit)) returning 1),
  events as (
    delete from private.events where id = any (array(
      select id from private.events where created_at < now() - make_interval(secs => p_work_s)
       order by created_at limit p_limit)) returning 1),
  exports as (
    delete from public.export_jobs where id = any (array(
      select id from public.export_jobs where finished_at < now() - make_interval(secs => p_exports_s)
       order by finished_at limit p_limit)) returning 1)
  select greatest((select count(*) from keys), (select count(*) from buckets), (select count(*) from work),
    (select count(*) from triggers), (select count(*) from callbacks), (select count(*) from refused),
    (select count(*) from events), (select count(*) from exports))::int
$$;

-- People: names and pictures, one-time links to choose a password, messages with such links, and account changes by
-- administrators.
--
-- The accounts themselves are rows of `auth.users`. Whether an email address has an account must not be revealed to
-- those who are not signed in. The functions run with the rights of their owner, because the service role has no or few
-- rights on these tables.

-- Names and pictures

-- Returns how the audit log names an account: its email address or, for a service account, its name followed by
-- `(service)`. Returns null if the account does not exist.
create function private.account_label(p_account uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case when u.email like 'service-%@service.invalid'
           then coalesce(u.raw_user_meta_data ->> 'name', 'Unnamed') || ' (service)' else u.email::text end
    from auth.users u where u.id = p_account
$$;

-- The name and picture of a person. A person who has set neither may have no row.
create table private.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  name text check (char_length(name) between 1 and 80),
  -- A small WebP image, and the first 16 hex digits of its hash. The URL of the image contains these digits, so
  -- browsers can cache the image.
  picture bytea check (octet_length(picture) <= 200000),
  picture_version text check (picture_version ~ '^[0-9a-f]{16}$'),
  updated_at timestamptz not null default clock_timestamp(),
  check ((picture is null) = (picture_version is null))
);
alter table private.profiles enable row level security;
revoke all on private.profiles from service_role;

-- Sets the name of an account, or removes it if `p_name` is null.
create function public.set_profile_name(p_account uuid, p_name text default null) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.profiles (user_id, name) values (p_account, p_name)
  on conflict (user_id) do update set name = excluded.name, updated_at = clock_timestamp()
$$;

-- Sets the picture of an account from base64, or removes it if `p_picture` is null. Returns the picture's version.
create function public.set_profile_picture(p_account uuid, p_picture text default null) returns text
language sql volatile security definer set search_path = '' as $$
  insert into private.profiles (user_id, picture, picture_version)
  select p_account, g.picture, left(encode(sha256(g.picture), 'hex'), 16) from (select decode(p_picture, 'base64') as picture) g
  on conflict (user_id) do update set picture = excluded.picture, picture_version = excluded.picture_version,
    updated_at = clock_timestamp()
  returning picture_version
$$;

-- Returns the name and the picture version of each given account that has a profile.
create function public.profiles(p_accounts uuid[]) returns table (user_id uuid, name text, picture_version text)
language sql stable security definer set search_path = '' as $$
  select p.user_id, p.name, p.picture_version from private.profiles p where p.user_id = any (p_accounts)
$$;

-- Returns the picture of an account in base64, or null if it has none.
create function public.profile_picture(p_account uuid) returns text
language sql stable security definer set search_path = '' as $$
  select encode(p.picture, 'base64') from private.profiles p where p.user_id = p_account
$$;

-- Links and messages

-- A one-time link with which the owner of an account chooses a password. Only a hash of the link's key is stored; the
-- key is itself a hash of the secret in the link.
create table private.account_links (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  purpose text not null check (purpose in ('invitation', 'reset')),
  key_sha256 text not null unique check (key_sha256 ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null,
  -- Until this time, no other request can claim the link, because one request is setting the password.
  claimed_until timestamptz
);
create index account_links_user on private.account_links (user_id);
create index account_links_age on private.account_links (expires_at);
alter table private.account_links enable row level security;
revoke all on private.account_links from service_role;

-- A message with a link. A request for a new password stores only the email address. Whether an account has this
-- address is looked up when the message is sent, so the response to the request cannot reveal it. The service role can
-- read and update rows, because the queue's `lock_subject` and `subject_failed` run with its rights.
create table private.account_mails (
  id uuid primary key default gen_random_uuid(),
  email text not null check (char_length(email) between 1 and 320),
  user_id uuid references auth.users (id) on delete cascade,
  run int not null default 1,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  reason text,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp()
);
create index account_mails_user on private.account_mails (user_id, created_at desc);
create index account_mails_age on private.account_mails (created_at);
alter table private.account_mails enable row level security;
revoke insert, delete on private.account_mails from service_role;
create trigger enqueue after insert on private.account_mails
  for each row execute function private.enqueue('account_mail', '14');
create trigger drop_work after delete on private.account_mails
  for each row execute function private.drop_work('account_mail');

-- Returns the purpose of links for an account: `invitation` until its owner has chosen a password, then `reset`.
-- Choosing a password confirms the email address.
create function private.link_purpose(p_account auth.users) returns text
language sql immutable set search_path = '' as $$
  select case when p_account.email_confirmed_at is null then 'invitation' else 'reset' end
$$;

-- Stores a link, in place of an earlier link with the same id. An invitation is valid for a week, any other link for an
-- hour. Also deletes expired links, and messages older than 30 days.
create function private.store_link(p_account auth.users, p_key text, p_id uuid) returns private.account_links
language plpgsql volatile set search_path = '' as $$
declare v_link private.account_links;
begin
  delete from private.account_links where expires_at < now();
  delete from private.account_mails where created_at < now() - interval '30 days';
  insert into private.account_links (id, user_id, purpose, key_sha256, expires_at)
  values (p_id, p_account.id, private.link_purpose(p_account), private.key_sha256(p_key),
    now() + case private.link_purpose(p_account) when 'invitation' then interval '7 days' else interval '1 hour' end)
  -- A message that is sent again contains a new link.
  on conflict (id) do update set key_sha256 = excluded.key_sha256, expires_at = excluded.expires_at
  returning * into v_link;
  return v_link;
end $$;

-- Creates a link for an account. With `p_key`, stores the link, and the app shows it. Without `p_key`, queues a message
-- that sends a link to the account's email address.
-- outcome: linked (with the purpose and the expiry time) | mailed (with the purpose) | not_found | disabled
create function public.create_account_link(p_account uuid, p_key text default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_account auth.users;
  v_link private.account_links;
  v_purpose text;
begin
  select * into v_account from auth.users where id = p_account and deleted_at is null and email <> '';
  if not found or private.is_service_account(v_account) then return jsonb_build_object('outcome', 'not_found'); end if;
  if not private.is_active(p_account) then return jsonb_build_object('outcome', 'disabled'); end if;
  v_purpose := private.link_purpose(v_account);
  perform private.write_audit(case v_purpose when 'invitation' then 'account.invited' else 'account.link_created' end,
    v_account.id, v_account.email, case when p_key is null then 'by email' else 'link copied' end);
  if p_key is null then
    insert into private.account_mails (email, user_id, created_by) values (v_account.email, v_account.id, private.actor_id());
    return jsonb_build_object('outcome', 'mailed', 'purpose', v_purpose);
  end if;
  v_link := private.store_link(v_account, p_key, gen_random_uuid());
  return jsonb_build_object('outcome', 'linked', 'purpose', v_purpose, 'expires_at', v_link.expires_at);
end $$;

-- Queues a message with a link to set a new password. Does the same whether or not the address has an account.
create function public.request_password_reset(p_email text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.account_mails (email) values (lower(p_email))
$$;

-- Stores the link of a message. Returns the email address, and the purpose and expiry time of the link. Returns null if
-- there is nothing to send, because the message is no longer pending, or because the account does not exist, is
-- disabled or is a service account.
create function public.account_mail_to_send(p_mail uuid, p_key text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_mail private.account_mails;
  v_account auth.users;
  v_link private.account_links;
begin
  select * into v_mail from private.account_mails where id = p_mail and state = 'pending';
  if not found then return null; end if;
  select * into v_account from auth.users u
   where case when v_mail.user_id is null then lower(u.email) = lower(v_mail.email) else u.id = v_mail.user_id end
     and not private.is_service_account(u) and private.is_active(u.id);
  if not found then return null; end if;
  v_link := private.store_link(v_account, p_key, p_mail);
  return jsonb_build_object('email', v_account.email, 'purpose', v_link.purpose, 'expires_at', v_link.expires_at);
end $$;

-- Closes the work item of a message that was sent or need not be sent. Returns false if the lease was lost.
create function public.account_mail_done(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_item private.work_items;
begin
  select * into v_item from private.work_items where id = p_id and kind = 'account_mail';
  if not found then return false; end if;
  perform private.lock_subject(v_item.kind, v_item.subject_id);
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update private.account_mails set state = 'sent', reason = null where id = v_item.subject_id;
  return true;
end $$;

-- Returns the link with this key if it can be used, otherwise no row. A link can be used if it has not expired and its
-- account is not disabled.
create function private.find_link(p_key text) returns setof private.account_links
language sql stable set search_path = '' as $$
  select * from private.account_links l
   where l.key_sha256 = private.key_sha256(p_key) and l.expires_at > now() and private.is_active(l.user_id)
$$;

-- Returns the email address, purpose and expiry time of a link, or null if the link cannot be used.
create function public.account_link(p_key text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('email', u.email, 'purpose', l.purpose, 'expires_at', l.expires_at)
    from private.find_link(p_key) l join auth.users u on u.id = l.user_id
$$;

-- Claims a link for one request, which then sets the password outside of a database transaction. A claim that is
-- neither released nor finished ends after 30 seconds. Returns the account's id, or null if the link cannot be used or
-- is already claimed.
create function public.claim_account_link(p_key text) returns uuid
language sql volatile security definer set search_path = '' as $$
  update private.account_links l set claimed_until = clock_timestamp() + interval '30 seconds'
   where l.id = (select f.id from private.find_link(p_key) f)
     and (l.claimed_until is null or l.claimed_until < clock_timestamp())
  returning l.user_id
$$;

-- Ends the claim of a link without using the link, because the password could not be set.
create function public.release_account_link(p_key text) returns void
language sql volatile security definer set search_path = '' as $$
  update private.account_links set claimed_until = null where key_sha256 = private.key_sha256(p_key)
$$;

-- Called after a password was set through a link. Deletes all links and sessions of the account, and sets its name if
-- `p_name` is not null. Does nothing if there is no link with this key.
create function public.finish_account_link(p_key text, p_name text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_account uuid := (select l.user_id from private.account_links l where l.key_sha256 = private.key_sha256(p_key));
begin
  if v_account is null then return; end if;
  delete from private.account_links where user_id = v_account;
  delete from auth.sessions where user_id = v_account;
  if p_name is not null then perform public.set_profile_name(v_account, p_name); end if;
end $$;

-- Trigger function that records a new password in the transaction that sets it, however it is set: through the app, at
-- the sign-in service, in the dashboard or by SQL. The sign-in service does not tell the database who sets a password,
-- so the event names the account itself. While a link of the account is claimed, the password is set through this link.
-- Deletes the other links of the account.
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

-- Accounts, for administrators

-- Returns whether an account can sign in as an administrator.
create function private.is_working_admin(p_account auth.users) returns boolean
language sql stable set search_path = '' as $$
  select p_account.raw_app_meta_data ->> 'role' = 'admin' and p_account.email_confirmed_at is not null
     and private.is_active(p_account.id) and not private.is_service_account(p_account)
$$;

-- Grants or revokes the admin role, and disables or enables an account. Null leaves a value unchanged. Disabling
-- deletes the sessions and links of the account. Concurrent calls wait for each other, so two of them cannot together
-- remove the last two administrators.
-- outcome: changed | not_found | own_account | last_admin
create function public.change_account(p_actor uuid, p_account uuid, p_is_admin boolean default null,
  p_is_disabled boolean default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_account auth.users;
  v_was_admin boolean;
  v_was_disabled boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended('change_account', 0));
  select * into v_account from auth.users where id = p_account and deleted_at is null for update;
  if not found or private.is_service_account(v_account) then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_is_disabled and p_actor = p_account then return jsonb_build_object('outcome', 'own_account'); end if;
  v_was_admin := private.has_admin_role(p_account);
  v_was_disabled := not private.is_active(p_account);
  if (p_is_disabled or not p_is_admin) and private.is_working_admin(v_account)
    and not exists (select 1 from auth.users u where u.id <> p_account and private.is_working_admin(u)) then
    return jsonb_build_object('outcome', 'last_admin');
  end if;
  if p_is_admin is distinct from v_was_admin and p_is_admin is not null then
    update auth.users set updated_at = now(),
        raw_app_meta_data = case when p_is_admin then coalesce(raw_app_meta_data, '{}') || '{"role": "admin"}'
          else raw_app_meta_data - 'role' end
     where id = p_account;
    perform private.write_audit(case when p_is_admin then 'role.granted' else 'role.removed' end, p_account, v_account.email,
      'Administrator', p_actor);
  end if;
  if p_is_disabled is distinct from v_was_disabled and p_is_disabled is not null then
    -- `infinity` would be simpler, but Supabase's auth service cannot read it.
    update auth.users set updated_at = now(),
        banned_until = case when p_is_disabled then now() + interval '100 years' end
     where id = p_account;
    if p_is_disabled then
      delete from auth.sessions where user_id = p_account;
      delete from private.account_links where user_id = p_account;
    end if;
    perform private.write_audit(case when p_is_disabled then 'account.disabled' else 'account.enabled' end, p_account,
      v_account.email, null, p_actor);
  end if;
  return jsonb_build_object('outcome', 'changed');
end $$;

-- Returns people older than (`p_before`, `p_before_id`), newest first. With `p_query`, only those whose name or email
-- address contains it. With `p_state`, only those in that state: invited, active or disabled. `mail_state` is the state
-- of the latest message that an administrator sent to the person.
create function public.list_people(p_query text default null, p_state text default null, p_account uuid default null,
  p_before timestamptz default null, p_before_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, email text, name text, picture_version text, is_admin boolean, state text,
  last_seen_at timestamptz, mail_state text, mail_reason text)
language sql stable security definer set search_path = '' as $$
  select u.id, u.created_at, u.email::text, p.name, p.picture_version,
         coalesce(u.raw_app_meta_data ->> 'role' = 'admin', false), s.state,
         greatest(u.last_sign_in_at, (select max(coalesce(x.refreshed_at at time zone 'utc', x.updated_at))
           from auth.sessions x where x.user_id = u.id)),
         m.state, coalesce(m.reason, case when m.state = 'pending' then w.last_error end)
    from auth.users u
    left join private.profiles p on p.user_id = u.id
    left join lateral (select a.id, a.state, a.reason from private.account_mails a where a.user_id = u.id
      order by a.created_at desc limit 1) m on true
    left join private.work_items w on w.kind = 'account_mail' and w.subject_id = m.id
    cross join lateral (select case when not private.is_active(u.id) then 'disabled'
      when u.email_confirmed_at is null then 'invited' else 'active' end as state) s
   where u.deleted_at is null and u.email <> '' and not private.is_service_account(u)
     and (p_account is null or u.id = p_account)
     and (p_state is null or s.state = p_state)
     and (p_query is null or strpos(lower(concat_ws(' ', p.name, u.email)), lower(p_query)) > 0)
     and (p_before is null or (u.created_at, u.id) < (p_before, p_before_id))
   order by u.created_at desc, u.id desc limit p_limit
$$;

-- The audit log, which shows administrators who did what.
--
-- Triggers and functions add each event in the transaction of the change that the event reports. Events never change,
-- contain no secrets, and outlive the accounts that they name.

-- One row per action. The service role has no rights on this table, so it can read and add events only through
-- functions.
create table private.audit_events (
  id uuid primary key default gen_random_uuid(),
  created_at timestamptz not null default clock_timestamp(),
  action text not null check (action ~ '^[a-z]+\.[a-z_]+$'),
  -- The account that acted, and its email address or service name at that time. Null if the account is unknown, such as
  -- for a change made directly in SQL.
  actor_id uuid,
  actor text,
  -- What the action changed, and its name at that time.
  subject_id uuid,
  subject text,
  details text,
  request_id text
);
create index audit_events_page on private.audit_events (created_at desc, id desc);
create index audit_events_actor on private.audit_events (actor_id, created_at desc, id desc);
create index audit_events_action on private.audit_events (action, created_at desc, id desc);
alter table private.audit_events enable row level security;
revoke all on private.audit_events from service_role;

-- Makes the log append-only, even for the owner of the table. Events can be deleted only after two years. Raises 42501
-- otherwise.
create function private.keep_audit_event() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and old.created_at < now() - interval '2 years' then return old; end if;
  raise exception 'the audit log is append-only' using errcode = '42501';
end $$;

create trigger append_only before update or delete on private.audit_events
  for each row execute function private.keep_audit_event();
create trigger no_truncate before truncate on private.audit_events
  for each statement execute function private.keep_audit_event();

-- Returns the account behind the current statement: the caller or, if there is none, the account that the app names in
-- the header `x-atelier-actor`. Reads the header only if the role is service_role, which the app uses. Without this
-- check, a direct caller of PostgREST who has no session or sends an invalid access token could name any account in the
-- header. Returns null if the account is unknown.
create function private.actor_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select coalesce(private.caller_id(), case when current_setting('role', true) = 'service_role' then substring(
    nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-actor',
    '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$')::uuid end)
$$;

-- Adds an event to the log. The actor is `p_actor` or, if it is null, the account behind the current statement.
-- Shortens `p_subject` and `p_details` to 300 characters.
create function private.write_audit(p_action text, p_subject_id uuid, p_subject text, p_details text default null,
  p_actor uuid default null) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.audit_events (action, actor_id, actor, subject_id, subject, details, request_id)
  select p_action, a.id, private.account_label(a.id), p_subject_id, left(p_subject, 300), left(p_details, 300),
         private.request_id()
    from (select coalesce(p_actor, private.actor_id()) as id) a
$$;

-- Deletes at most `p_limit` events that are more than two years old. Returns their number.
create function public.forget_audit_events(p_limit int) returns int
language sql volatile security definer set search_path = '' as $$
  with old as (
    delete from private.audit_events where id = any (array(
      select id from private.audit_events where created_at < now() - interval '2 years' order by created_at limit p_limit))
    returning 1)
  select count(*)::int from old
$$;

-- Events of changed rows

-- Writes an event when an access token is created or revoked. The creator of a token is the actor of its creation.
create function private.audit_token() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.write_audit('token.created', new.id, new.name, new.role, new.created_by);
  -- Deleting an expired token is cleanup, not a revocation.
  elsif old.expires_at > now() then
    perform private.write_audit('token.revoked', old.id, old.name, old.role);
  end if;
  return null;
end $$;

create trigger audit after insert or delete on private.access_tokens
  for each row execute function private.audit_token();

-- Writes an event when a spec is deleted. Runs before the deletion, because the deletion also removes the spec that
-- belongs to the document.
create function private.audit_spec() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_audit('spec.deleted', s.id, old.file_name,
      concat_ws(' · ', s.brand_name, s.area, s.property_name))
    from public.specs s where s.document_id = old.id;
  return old;
end $$;

create trigger audit before delete on public.documents
  for each row when (old.kind = 'spec') execute function private.audit_spec();

-- Writes an event when a brand or an area is deleted or merged. The trigger's argument is `brand` or `area`.
-- `merge_in_list` sets `atelier.merged_into` before it deletes a name that it has merged. Writes no event for a name
-- that was being merged, because `merge_in_list` logs the start of such a merge.
create function private.audit_name() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_into text := nullif(current_setting('atelier.merged_into', true), '');
begin
  if old.merging_into is not null then return null; end if;
  perform private.write_audit(tg_argv[0] || case when v_into is null then '.deleted' else '.merged' end, old.id, old.name,
    'into ' || v_into);
  return null;
end $$;

create trigger audit after delete on public.brands for each row execute function private.audit_name('brand');
create trigger audit after delete on public.area_types for each row execute function private.audit_name('area');

-- Writes an event when a project is archived, unarchived, deleted, restored or removed. In the app, only the sweep
-- deletes rows of `projects`, and only if their `deleted_at` is older than the retention period (`project.removed`).
-- Other rows can only be deleted directly in SQL (`project.deleted`).
create function private.audit_project() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_action text := case
    when tg_op = 'DELETE' then case when old.deleted_at is null then 'project.deleted' else 'project.removed' end
    when old.deleted_at is null and new.deleted_at is not null then 'project.deleted'
    when old.deleted_at is not null and new.deleted_at is null then 'project.restored'
    when old.archived_at is null and new.archived_at is not null then 'project.archived'
    when old.archived_at is not null and new.archived_at is null then 'project.unarchived'
  end;
begin
  if v_action is not null then perform private.write_audit(v_action, old.id, old.name); end if;
  return null;
end $$;

create trigger audit after delete on public.projects for each row execute function private.audit_project();
create trigger audit_state after update of archived_at, deleted_at on public.projects
  for each row execute function private.audit_project();

-- Writes an event when a person is added to a project, gets another role in it or is removed from it.
create function private.audit_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row public.project_members := case when tg_op = 'DELETE' then old else new end;
  v_project public.projects;
begin
  select * into v_project from public.projects where id = v_row.project_id;
  -- Deleting a project also removes its members. The deletion has its own event, so write none for the members.
  if not found then return null; end if;
  -- Write no event when the creator of a project becomes its owner. This happens in the transaction that creates the
  -- project, so both rows have the same time.
  if tg_op = 'INSERT' and v_row.role = 'owner' and v_row.user_id = v_project.created_by
    and v_row.created_at = v_project.created_at then return null; end if;
  if tg_op = 'UPDATE' and new.role = old.role then return null; end if;
  perform private.write_audit(
    case tg_op when 'INSERT' then 'member.added' when 'UPDATE' then 'member.changed' else 'member.removed' end,
    v_row.user_id, private.account_label(v_row.user_id), concat_ws(' · ', v_project.name, v_row.role));
  return null;
end $$;

create trigger audit after insert or update or delete on public.project_members
  for each row execute function private.audit_member();

-- Writes one event for all images of a project that one statement deletes or restores.
create function private.audit_images() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_audit(case when c.is_deleted then 'image.deleted' else 'image.restored' end, p.id, p.name,
      c.images || case when c.images = 1 then ' image' else ' images' end)
    from (select n.project_id, n.deleted_at is not null as is_deleted, count(*) as images
            from after_change n join before_change o on o.id = n.id
           where (n.deleted_at is null) <> (o.deleted_at is null) group by 1, 2) c
    join public.projects p on p.id = c.project_id;
  return null;
end $$;

create trigger audit after update on public.image_variants
  referencing old table as before_change new table as after_change
  for each statement execute function private.audit_images();

-- Writes an event when a share link is created or revoked. The creator of a link is the actor of its creation.
create function private.audit_share() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.write_audit(case tg_op when 'INSERT' then 'share.created' else 'share.revoked' end, new.id, new.name,
    concat_ws(' · ', (select p.name from public.projects p where p.id = new.project_id), new.kind),
    case tg_op when 'INSERT' then new.created_by end);
  return null;
end $$;

create trigger audit after insert on private.share_links for each row execute function private.audit_share();
create trigger audit_revoked after update of revoked_at on private.share_links
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function private.audit_share();

-- Reading

-- Returns events older than (`p_before`, `p_before_id`), newest first. `p_from` and `p_to` are days in UTC, both
-- inclusive.
create function public.audit_events(p_actor uuid default null, p_action text default null, p_from date default null,
  p_to date default null, p_before timestamptz default null, p_before_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, action text, actor_id uuid, actor text, subject_id uuid, subject text,
  details text, request_id text)
language sql stable security definer set search_path = '' as $$
  select e.id, e.created_at, e.action, e.actor_id, e.actor, e.subject_id, e.subject, e.details, e.request_id
    from private.audit_events e
   where (p_actor is null or e.actor_id = p_actor) and (p_action is null or e.action = p_action)
     and (p_from is null or e.created_at >= p_from::timestamp at time zone 'utc')
     and (p_to is null or e.created_at < (p_to + 1)::timestamp at time zone 'utc')
     and (p_before is null or (e.created_at, e.id) < (p_before, p_before_id))
   order by e.created_at desc, e.id desc limit p_limit
$$;

-- Returns the accounts that appear as actors in the log, each with its latest name. Skips through the index from one
-- account to the next, so the cost depends on the number of accounts, not on the number of events.
create function public.audit_actors() returns table (id uuid, label text)
language sql stable security definer set search_path = '' as $$
  with recursive actors (id) as (
    (select e.actor_id from private.audit_events e where e.actor_id is not null order by e.actor_id limit 1)
    union all
    select (select e.actor_id from private.audit_events e where e.actor_id > a.id order by e.actor_id limit 1)
      from actors a where a.id is not null)
  select a.id, coalesce(latest.actor, 'Deleted account') from actors a
    cross join lateral (select e.actor from private.audit_events e where e.actor_id = a.id
      order by e.created_at desc, e.id desc limit 1) latest
   where a.id is not null order by 2, 1
$$;
