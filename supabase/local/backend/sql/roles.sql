-- LOCAL ONLY: creates the roles and extensions that a hosted project has before its first migration. Keeps those that
-- already exist.
do $$
declare
  role_name text;
begin
  foreach role_name in array array[
    'anon', 'authenticated', 'service_role', 'authenticator', 'dashboard_user',
    'supabase_admin', 'supabase_auth_admin', 'supabase_storage_admin', 'supabase_realtime_admin'
  ] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I nologin noinherit', role_name);
    end if;
  end loop;
end $$;
-- Sets the timeouts that some of these roles have on hosted Supabase, unless `alter role` has already set them.
do $$
declare
  role_name text;
  setting_name text;
  setting_value text;
begin
  for role_name, setting_name, setting_value in values
    ('anon', 'statement_timeout', '3s'), ('authenticated', 'statement_timeout', '8s'),
    ('authenticator', 'statement_timeout', '8s'), ('authenticator', 'lock_timeout', '8s')
  loop
    if not exists (
      select from pg_roles, unnest(rolconfig) setting
      where rolname = role_name and starts_with(setting, setting_name || '=')
    ) then
      execute format('alter role %I set %I = %L', role_name, setting_name, setting_value);
    end if;
  end loop;
end $$;
alter role service_role bypassrls;
grant anon, authenticated, service_role to authenticator;
create schema if not exists extensions;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists "uuid-ossp" with schema extensions;
grant usage on schema public, extensions to anon, authenticated, service_role;
alter database postgres set search_path = "$user", public, extensions;
