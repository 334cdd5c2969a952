-- TEST ONLY: as on hosted, `postgres` is not a superuser; `supabase_admin`, who runs this file, is.
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
