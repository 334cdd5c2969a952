-- Ends access when an account is deleted or banned. Keeps calls from resetting a rate limit. Lets processes compare
-- their clocks with the database's. Makes writes to the view `specs` fail with a permission error.

-- Returns whether an account exists and is not banned. The JWTs of its sessions remain valid for up to an hour after it
-- is deleted or banned.
create function private.is_active(p_user uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select 1 from auth.users u
     where u.id = p_user and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now()))
$$;

create function private.has_admin_role(p_user uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select 1 from auth.users u where u.id = p_user and u.raw_app_meta_data ->> 'role' = 'admin')
$$;

-- Both the token and the account must have the admin role.
create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = 'admin', false)
     and private.is_active((select auth.uid())) and private.has_admin_role((select auth.uid()))
$$;

create or replace function private.my_projects() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select project_id from public.project_members
   where user_id = (select auth.uid()) and private.is_active((select auth.uid()))
$$;

-- Returns the current rights of an account, for service_role.
create function public.account_state(p_user uuid) returns table (is_active boolean, is_admin boolean)
language sql stable security definer set search_path = '' as $$
  select private.is_active(p_user), private.is_active(p_user) and private.has_admin_role(p_user)
$$;

-- Unlike the earlier version, rejects a `p_burst` or `p_interval_ms` below 1. Such arguments could reset a limit.
create or replace function public.rate_take(p_key text, p_burst int, p_interval_ms int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_step interval := make_interval(secs => p_interval_ms / 1000.0);
  v_tat timestamptz;
begin
  if p_burst is null or p_burst < 1 or p_interval_ms is null or p_interval_ms < 1 then
    raise exception 'the bounds of a rate must be positive' using errcode = '22023';
  end if;
  insert into private.rate_buckets as b (key, tat) values (p_key, v_now + v_step)
  on conflict (key) do update set tat = greatest(b.tat, v_now) + v_step
    where greatest(b.tat, v_now) + v_step <= v_now + v_step * p_burst;
  if found then return 0; end if;
  select tat into v_tat from private.rate_buckets where key = p_key;
  return least(greatest(1, ceil(extract(epoch from (v_tat + v_step) - (v_now + v_step * p_burst)) * 1000)), 2147483647)::int;
end $$;

-- Returns the time of the database's clock in milliseconds since 1970. Leases, deadlines and due times are compared
-- with this clock.
create function public.clock_ms() returns double precision
language sql volatile set search_path = '' as $$
  select extract(epoch from clock_timestamp()) * 1000
$$;

-- The view `specs` is read-only. Without this trigger, a write would cause a server error, not a permission error.
create function private.refuse_write() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'this is read only' using errcode = '42501';
end $$;
create trigger read_only instead of insert or update or delete on public.specs
  for each row execute function private.refuse_write();

revoke execute on function private.refuse_write() from public, anon, authenticated;
revoke execute on function private.is_active(uuid), private.has_admin_role(uuid) from public, anon, authenticated;
grant execute on function private.is_active(uuid), private.has_admin_role(uuid) to service_role;
revoke execute on function public.account_state(uuid), public.clock_ms() from public, anon, authenticated;
grant execute on function public.account_state(uuid), public.clock_ms() to service_role;
