-- TEST ONLY: creates `postgres` as an ordinary role instead of a superuser, as on hosted Supabase. Runs as
-- `supabase_admin`, the superuser.
do $$
begin
  if not exists (select from pg_roles where rolname = 'postgres') then
    create role postgres login createrole createdb replication bypassrls;
  end if;
end $$;
grant anon, authenticated, service_role to postgres with admin option;
alter schema public owner to postgres;
alter schema extensions owner to postgres;
grant create, connect, temporary on database postgres to postgres;
