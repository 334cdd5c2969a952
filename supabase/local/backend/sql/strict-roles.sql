-- TEST ONLY: as on hosted Supabase, `postgres` is not a superuser. This file runs as `supabase_admin`, which is one.
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
