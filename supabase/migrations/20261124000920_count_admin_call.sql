-- Returns the state of an account, as `account_state` does. If the account belongs to an active admin, also counts one
-- costly call for the account. `wait_ms` is above 0 if this call exceeds the rate limit.
create function public.count_admin_call(p_user uuid, p_burst int, p_interval_ms int, p_session uuid default null)
returns table (is_active boolean, is_admin boolean, wait_ms int)
language plpgsql volatile security definer set search_path = '' as $$
begin
  return query
    select s.is_active, s.is_admin,
           case when s.is_admin then public.rate_take('costly:' || p_user, p_burst, p_interval_ms) else 0 end
      from public.account_state(p_user, p_session) s;
end $$;

revoke execute on function public.count_admin_call(uuid, int, int, uuid) from public, anon, authenticated;
grant execute on function public.count_admin_call(uuid, int, int, uuid) to service_role;
