-- Brands and areas: two lists of names that specs refer to. In functions that take `p_list`, it is `brands` or `areas`.
--
-- A list contains each name in one spelling only: `name_key` is unique. Everyone who is signed in, or has a valid
-- access token, sees all brands and areas.

-- One row per brand.
create table public.brands (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  name_key text not null generated always as (private.name_key(name)) stored unique,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- The row that this one is being merged into. `continue_merge` moves the specs to that row and then deletes this one.
  merging_into uuid references public.brands (id)
);
create index brands_created_by on public.brands (created_by);
create index brands_words on public.brands using gin (private.search_words(name));
create index brands_sort_key on public.brands (private.sort_key(name));
create index brands_merging on public.brands (merging_into) where merging_into is not null;
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
  -- The row that this one is being merged into. `continue_merge` moves the specs to that row and then deletes this one.
  merging_into uuid references public.area_types (id)
);
create index area_types_created_by on public.area_types (created_by);
create index area_types_words on public.area_types using gin (private.search_words(name));
create index area_types_merging on public.area_types (merging_into) where merging_into is not null;
alter table public.area_types enable row level security;
grant select on public.area_types to anon, authenticated;
create policy area_types_read on public.area_types for select to authenticated, anon
  using ((select private.caller_id()) is not null);
create policy anon_needs_token on public.area_types as restrictive for select to anon
  using ((select private.has_token()));

-- The brands and areas that were merged into another one. Their keys stay in `spec_words` and stand for the brand or
-- area `into_id`.
create table private.merged_places (
  id uuid primary key,
  into_id uuid not null
);
create index merged_places_into on private.merged_places (into_id);
alter table private.merged_places enable row level security;

-- Deletes the records of merges into a brand or area when that brand or area is deleted.
create function private.drop_merged() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.merged_places where into_id = old.id;
  return null;
end $$;

create trigger drop_merged after delete on public.brands for each row execute function private.drop_merged();
create trigger drop_merged after delete on public.area_types for each row execute function private.drop_merged();

-- Raises PT503 if a brand with this name keeps appearing and disappearing.
-- outcome: created | exists (with the existing spelling) | idempotency_mismatch
create function public.create_brand(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_answer jsonb := private.idempotency_begin(p_user, 'brands', p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  -- Retry, because a conflicting row can be deleted before it is read.
  for attempt in 1..10 loop
    insert into public.brands (name, created_by) values (p_name, p_user) on conflict (name_key) do nothing;
    v_answer := case when found then jsonb_build_object('outcome', 'created', 'name', p_name)
      else (select jsonb_build_object('outcome', 'exists', 'name', name) from public.brands where name_key = private.name_key(p_name)) end;
    exit when v_answer is not null;
  end loop;
  if v_answer is null then raise exception 'the brand appears and disappears' using errcode = 'PT503'; end if;
  return private.idempotency_end(p_user, 'brands', p_idempotency_key, v_answer);
end $$;

-- Raises PT503 if an area with this name keeps appearing and disappearing.
-- outcome: created | exists (with the existing spelling) | idempotency_mismatch
create function public.create_area(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_answer jsonb := private.idempotency_begin(p_user, 'areas', p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  for attempt in 1..10 loop
    insert into public.area_types (name, created_by) values (p_name, p_user) on conflict (name_key) do nothing;
    v_answer := case when found then jsonb_build_object('outcome', 'created', 'name', p_name)
      else (select jsonb_build_object('outcome', 'exists', 'name', name) from public.area_types where name_key = private.name_key(p_name)) end;
    exit when v_answer is not null;
  end loop;
  if v_answer is null then raise exception 'the area appears and disappears' using errcode = 'PT503'; end if;
  return private.idempotency_end(p_user, 'areas', p_idempotency_key, v_answer);
end $$;

-- Adds the names that the list does not contain yet in any spelling. Returns how many names were added and how many
-- existed, counting all spellings of a name as one: { added, existing }
create function public.import_names(p_list text, p_user uuid, p_names text[]) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  -- Sorted, so that two imports insert their names in the same order and cannot deadlock. Of several spellings of a
  -- name, only the first is kept.
  v_names text[] := array(
    select distinct on (private.name_key(n)) n from unnest(p_names) with ordinality as x (n, i)
     order by private.name_key(n), i);
  v_added int;
begin
  case p_list
    when 'brands' then
      insert into public.brands (name, created_by) select unnest(v_names), p_user on conflict (name_key) do nothing;
      get diagnostics v_added = row_count;
    when 'areas' then
      insert into public.area_types (name, created_by) select unnest(v_names), p_user on conflict (name_key) do nothing;
      get diagnostics v_added = row_count;
  end case;
  return jsonb_build_object('added', v_added, 'existing', cardinality(v_names) - v_added);
end $$;

-- Renames a brand or area. A different spelling of its own name is allowed.
-- outcome: renamed | exists (with the existing spelling) | not_found
create function public.rename_in_list(p_list text, p_name text, p_new_name text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_found boolean;
begin
  case p_list
    when 'brands' then
      update public.brands set name = p_new_name where name_key = private.name_key(p_name);
      v_found := found;
    when 'areas' then
      update public.area_types set name = p_new_name where name_key = private.name_key(p_name);
      v_found := found;
  end case;
  return jsonb_build_object('outcome', case when v_found then 'renamed' else 'not_found' end, 'name', p_new_name);
exception when unique_violation then
  return jsonb_build_object('outcome', 'exists', 'name', coalesce(
    case p_list
      when 'brands' then (select name from public.brands where name_key = private.name_key(p_new_name))
      else (select name from public.area_types where name_key = private.name_key(p_new_name))
    end, p_new_name));
end $$;

-- Deletes a brand or area.
-- outcome: deleted | in_use (by a spec, or by a name that is being merged into it) | not_found
create function public.delete_in_list(p_list text, p_name text) returns text
language plpgsql volatile set search_path = '' as $$
begin
  case p_list
    when 'brands' then delete from public.brands where name_key = private.name_key(p_name);
    when 'areas' then delete from public.area_types where name_key = private.name_key(p_name);
  end case;
  return case when found then 'deleted' else 'not_found' end;
exception when foreign_key_violation then
  return 'in_use';
end $$;

-- Moves up to `p_limit` specs, and all other versions of these specs, from the name `p_from` to the name `p_into`. The
-- caller must have locked the row of `p_from`. Returns the number of moved specs, with each version counted.
create function private.move_specs(p_list text, p_from uuid, p_into uuid, p_limit int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_column text := case p_list when 'brands' then 'brand_id' else 'area_type_id' end;
  v_ids uuid[];
  v_count int;
begin
  execute format('select array(
      select u.id from public.spec_uploads u
       where u.series_id in (select s.series_id from public.spec_uploads s where s.%I = $1 limit $2))', v_column)
    into v_ids using p_from, p_limit;
  -- Lock the specs in the order of their ids, as `lock_series` does, to avoid deadlocks.
  perform 1 from public.spec_uploads where id = any (v_ids) order by id for update;
  execute format('update public.spec_uploads set %1$I = $2 where id = any ($3) and %1$I = $1', v_column)
    using p_from, p_into, v_ids;
  get diagnostics v_count = row_count;
  return v_count;
end $$;

-- Moves all specs of `p_name` to `p_into` and deletes `p_name`. If there are more than `p_most` specs, only starts the
-- merge, because moving them in one statement can exceed the statement timeout. `continue_merge` then finishes it.
-- outcome: merged (with the number of specs, and whether the merge is finished) | merging (`p_name` or `p_into` is
-- being merged into another name, or another name into `p_name`) | same | not_found | unknown_target
create function public.merge_in_list(p_list text, p_name text, p_into text, p_most int default 2000) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_names text := case p_list when 'brands' then 'brands' else 'area_types' end;
  v_from record;
  v_into record;
  v_is_merging boolean;
  v_count int;
begin
  if private.name_key(p_name) = private.name_key(p_into) then return jsonb_build_object('outcome', 'same'); end if;
  -- To avoid deadlocks, lock names before specs. Lock names in the order of their ids, and then specs in the order of
  -- theirs. Uploads and edits that use the names wait for the locks on the names.
  execute format('select 1 from public.%I where name_key in ($1, $2) order by id for update', v_names)
    using private.name_key(p_name), private.name_key(p_into);
  execute format('select id, name, merging_into from public.%I where name_key = $1', v_names)
    into v_from using private.name_key(p_name);
  execute format('select id, name, merging_into from public.%I where name_key = $1', v_names)
    into v_into using private.name_key(p_into);
  if v_from.id is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_into.id is null then return jsonb_build_object('outcome', 'unknown_target'); end if;
  execute format('select exists (select 1 from public.%I where merging_into = $1)', v_names)
    into v_is_merging using v_from.id;
  if v_is_merging or v_from.merging_into is not null or v_into.merging_into is not null then
    return jsonb_build_object('outcome', 'merging');
  end if;
  -- In the search index, the key of `p_name` now also stands for `p_into`. `update_search` therefore changes no words
  -- of the moved specs.
  update private.merged_places set into_id = v_into.id where into_id = v_from.id;
  insert into private.merged_places (id, into_id) values (v_from.id, v_into.id);
  execute format('select count(*) from public.spec_uploads where %I = $1',
      case p_list when 'brands' then 'brand_id' else 'area_type_id' end)
    into v_count using v_from.id;
  if v_count > p_most then
    execute format('update public.%I set merging_into = $2 where id = $1', v_names) using v_from.id, v_into.id;
    perform private.write_audit(case p_list when 'brands' then 'brand' else 'area' end || '.merged', v_from.id, v_from.name,
      'into ' || v_into.name);
    return jsonb_build_object('outcome', 'merged', 'name', v_into.name, 'specs', v_count, 'isFinished', false);
  end if;
  perform private.move_specs(p_list, v_from.id, v_into.id, v_count);
  perform set_config('atelier.merged_into', v_into.name, true);
  execute format('delete from public.%I where id = $1', v_names) using v_from.id;
  perform set_config('atelier.merged_into', '', true);
  return jsonb_build_object('outcome', 'merged', 'name', v_into.name, 'specs', v_count, 'isFinished', true);
end $$;

-- Moves a slice of the specs of a merge, or deletes the merged name when it has no specs left. Returns false if there
-- is no merge to continue. A name that another transaction has locked is left for the next call.
create function public.continue_merge(p_limit int) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_list text;
  v_names text;
  v_from uuid;
  v_into uuid;
begin
  foreach v_list in array array['brands', 'areas'] loop
    v_names := case v_list when 'brands' then 'brands' else 'area_types' end;
    execute format('select id, merging_into from public.%I where merging_into is not null order by id limit 1
                      for update skip locked', v_names)
      into v_from, v_into;
    if v_from is not null then
      if private.move_specs(v_list, v_from, v_into, p_limit) = 0 then
        execute format('delete from public.%I where id = $1', v_names) using v_from;
      end if;
      return true;
    end if;
  end loop;
  return false;
end $$;

-- Returns all brands and areas, each with its number of specs and the name that it is being merged into, or null:
-- { brands: [{ name, specs, mergingInto }], areas: [{ name, specs, mergingInto }] }
create function public.catalogue() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'brands', (select coalesce(jsonb_agg(jsonb_build_object('name', b.name, 'specs', coalesce(u.n, 0),
                                           'mergingInto', m.name)), '[]')
      from public.brands b
        left join public.brands m on m.id = b.merging_into
        left join (select t.brand_id, sum(t.n) as n from private.spec_tally t group by 1) u on u.brand_id = b.id),
    'areas', (select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'specs', coalesce(u.n, 0),
                                          'mergingInto', m.name)), '[]')
      from public.area_types a
        left join public.area_types m on m.id = a.merging_into
        left join (select t.area_type_id, sum(t.n) as n from private.spec_tally t group by 1) u on u.area_type_id = a.id))
$$;

-- Returns the id of the brand with this name in any spelling, or null if there is none.
create function public.find_brand(p_name text) returns uuid
language sql stable set search_path = '' as $$
  select id from public.brands where name_key = private.name_key(p_name)
$$;

