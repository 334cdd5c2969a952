-- LOCAL ONLY: as on hosted Supabase, the API roles of a new project get all privileges on new objects in public.
-- Migrations revoke the privileges that a role must not have, so nothing is granted after the first migration.
do $$ begin
  if exists (select from supabase_migrations.schema_migrations) then return; end if;
  alter default privileges for role postgres in schema public
    grant all on tables to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public
    grant all on sequences to anon, authenticated, service_role;
  alter default privileges for role postgres in schema public
    grant all on functions to anon, authenticated, service_role;
end $$;
