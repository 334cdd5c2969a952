-- Brands and areas: two lists of names that specs refer to. `p_list` is `brands` or `areas`.
--
-- A list contains each name in one spelling only: `name_key` is unique. Everyone who is signed in, or has a valid
-- access token, sees all names. Names are locked before specs, and in the order of their ids.

create table public.brands (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  name_key text not null generated always as (private.name_key(name)) stored unique,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- The ids of the brands that were merged into this one, whose keys stay in `spec_words`.
  merged_ids uuid[] not null default '{}'
);
create index brands_created_by on public.brands (created_by);
create index brands_words on public.brands using gin (private.search_words(name));
create index brands_sort_key on public.brands (private.sort_key(name));
alter table public.brands enable row level security;
grant select on public.brands to anon, authenticated;
create policy brands_read on public.brands for select to authenticated, anon
  using ((select private.caller_id()) is not null);
create policy anon_needs_token on public.brands as restrictive for select to anon using ((select private.has_token()));

-- One row per area, such as `Lobby` or `Guest room`.
create table public.area_types (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  name_key text not null generated always as (private.name_key(name)) stored unique,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Like `brands.merged_ids`.
  merged_ids uuid[] not null default '{}'
);
create index area_types_created_by on public.area_types (created_by);
create index area_types_words on public.area_types using gin (private.search_words(name));
alter table public.area_types enable row level security;
grant select on public.area_types to anon, authenticated;
create policy area_types_read on public.area_types for select to authenticated, anon
  using ((select private.caller_id()) is not null);
create policy anon_needs_token on public.area_types as restrictive for select to anon
  using ((select private.has_token()));

-- Returns the table of a list, for dynamic SQL.
create function private.list_table(p_list text) returns text
language sql immutable set search_path = '' as $$
  select case p_list when 'brands' then 'public.brands' when 'areas' then 'public.area_types' end
$$;

-- outcome: created | exists (with the existing spelling) | idempotency_mismatch
create function public.create_in_list(p_list text, p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_table text := private.list_table(p_list);
  v_result jsonb := private.idempotency_begin(p_user, p_list, p_idempotency_key, p_request_sha256);
begin
  if v_result is not null then return v_result; end if;
  -- Repeat, because a conflicting row can be deleted before it is read.
  while v_result is null loop
    execute format('insert into %s (name, created_by) values ($1, $2) on conflict (name_key) do nothing
                      returning jsonb_build_object(''outcome'', ''created'', ''name'', name)', v_table)
      into v_result using p_name, p_user;
    if v_result is null then
      execute format('select jsonb_build_object(''outcome'', ''exists'', ''name'', name) from %s
                       where name_key = private.name_key($1)', v_table)
        into v_result using p_name;
    end if;
  end loop;
  return private.idempotency_end(p_user, p_list, p_idempotency_key, v_result);
end $$;

-- Adds the names that the list does not contain yet in any spelling. Returns { added, existing }, which count all
-- spellings of a name as one.
create function public.import_names(p_list text, p_user uuid, p_names text[]) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  -- The first spelling of each name, sorted so that two imports cannot deadlock.
  v_names text[] := array(
    select distinct on (private.name_key(name)) name from unnest(p_names) with ordinality as x (name, ordinal)
     order by private.name_key(name), ordinal);
  v_added int;
begin
  execute format('insert into %s (name, created_by) select unnest($1), $2 on conflict (name_key) do nothing',
      private.list_table(p_list))
    using v_names, p_user;
  get diagnostics v_added = row_count;
  return jsonb_build_object('added', v_added, 'existing', cardinality(v_names) - v_added);
end $$;

-- The new name can be a different spelling of the same name.
-- outcome: renamed | exists (with the existing spelling) | not_found
create function public.rename_in_list(p_list text, p_name text, p_new_name text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_table text := private.list_table(p_list);
  v_count int;
  v_existing text;
begin
  execute format('update %s set name = $2 where name_key = private.name_key($1)', v_table) using p_name, p_new_name;
  get diagnostics v_count = row_count;
  return jsonb_build_object('outcome', case v_count when 0 then 'not_found' else 'renamed' end, 'name', p_new_name);
exception when unique_violation then
  execute format('select name from %s where name_key = private.name_key($1)', v_table) into v_existing using p_new_name;
  return jsonb_build_object('outcome', 'exists', 'name', coalesce(v_existing, p_new_name));
end $$;

-- outcome: deleted | in_use (by a spec) | not_found
create function public.delete_in_list(p_list text, p_name text) returns text
language plpgsql volatile set search_path = '' as $$
declare v_count int;
begin
  execute format('delete from %s where name_key = private.name_key($1)', private.list_table(p_list)) using p_name;
  get diagnostics v_count = row_count;
  return case v_count when 0 then 'not_found' else 'deleted' end;
exception when foreign_key_violation then
  return 'in_use';
end $$;

-- Moves all specs of `p_name` to `p_into` and deletes `p_name`. PostgREST applies the timeout to the whole call.
-- outcome: merged (with the target's spelling and the number of moved specs, with each version counted) | same |
-- not_found | unknown_target
create function public.merge_in_list(p_list text, p_name text, p_into text) returns jsonb
language plpgsql volatile set search_path = '' set statement_timeout = '60s' as $$
declare
  v_table text := private.list_table(p_list);
  v_column text := case p_list when 'brands' then 'brand_id' else 'area_type_id' end;
  v_from record;
  v_into record;
  v_count int;
begin
  if private.name_key(p_name) = private.name_key(p_into) then return jsonb_build_object('outcome', 'same'); end if;
  -- Uploads and edits that use the names wait for these locks.
  execute format('select 1 from %s where name_key in ($1, $2) order by id for update', v_table)
    using private.name_key(p_name), private.name_key(p_into);
  execute format('select id, merged_ids from %s where name_key = private.name_key($1)', v_table) into v_from using p_name;
  execute format('select id, name from %s where name_key = private.name_key($1)', v_table) into v_into using p_into;
  if v_from.id is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_into.id is null then return jsonb_build_object('outcome', 'unknown_target'); end if;
  perform set_config('atelier.merged_into', v_into.name, true);
  execute format('update %s set merged_ids = merged_ids || $1 || $2 where id = $3', v_table)
    using v_from.id, v_from.merged_ids, v_into.id;
  execute format('select 1 from public.spec_uploads where %I = $1 order by id for update', v_column) using v_from.id;
  execute format('update public.spec_uploads set %1$I = $2 where %1$I = $1', v_column) using v_from.id, v_into.id;
  get diagnostics v_count = row_count;
  execute format('delete from %s where id = $1', v_table) using v_from.id;
  perform set_config('atelier.merged_into', '', true);
  return jsonb_build_object('outcome', 'merged', 'name', v_into.name, 'specs', v_count);
end $$;

-- Returns all brands and areas, each with its number of current specs:
-- { brands: [{ name, specs }], areas: [{ name, specs }] }
create function public.catalogue() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'brands', (
      select coalesce(jsonb_agg(jsonb_build_object('name', b.name, 'specs', coalesce(t.specs, 0))), '[]')
        from public.brands b
        left join (select brand_id, count(*) as specs from public.spec_uploads where is_current group by 1) t
          on t.brand_id = b.id),
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'specs', coalesce(t.specs, 0))), '[]')
        from public.area_types a
        left join (select area_type_id, count(*) as specs from public.spec_uploads where is_current group by 1) t
          on t.area_type_id = a.id))
$$;

-- Returns the id of the brand with this name in any spelling, or null.
create function public.find_brand(p_name text) returns uuid
language sql stable set search_path = '' as $$
  select id from public.brands where name_key = private.name_key(p_name)
$$;
