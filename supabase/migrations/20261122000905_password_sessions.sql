-- As before, but without `p_session`, so no session is kept. Supabase's auth service deletes all sessions of an account
-- when the app sets its password through the admin API.
drop function public.password_changed(uuid, uuid);
create function public.password_changed(p_account uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  delete from private.account_links where user_id = p_account;
  delete from auth.sessions where user_id = p_account;
  perform private.write_audit('password.changed', p_account, private.account_label(p_account), null, p_account);
end $$;
revoke execute on function public.password_changed(uuid) from public, anon, authenticated;
grant execute on function public.password_changed(uuid) to service_role;
