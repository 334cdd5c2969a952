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
