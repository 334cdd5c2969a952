-- TEST ONLY: gives the storage and realtime tables the same owners as on hosted Supabase, because table ownership
-- affects what migrations may do.
grant usage on schema auth, storage, realtime to postgres with grant option;
grant all on all tables in schema storage, realtime to postgres with grant option;
grant select, insert, update, delete, references, trigger on all tables in schema auth to postgres;
grant execute on all functions in schema auth, storage, realtime to postgres;
grant create, usage on schema storage to supabase_storage_admin;
grant create, usage on schema realtime to supabase_realtime_admin;
alter table storage.objects owner to supabase_storage_admin;
alter table storage.buckets owner to supabase_storage_admin;
alter table realtime.messages owner to supabase_realtime_admin;
-- Stands in for the hosted rule that lets postgres create policies on tables that it does not own.
grant supabase_storage_admin, supabase_realtime_admin to postgres;
alter publication supabase_realtime owner to postgres;
grant usage on schema supabase_migrations to postgres;
grant all on all tables in schema supabase_migrations to postgres;
