-- Moves the specs of a merged brand or area type in slices, because a single statement that moves too many specs can
-- exceed the statement timeout.

-- The row that this brand or area type is being merged into. `continue_merge` moves the specs to that row and then
-- deletes this one.
alter table public.brands add column merging_into uuid references public.brands (id);
alter table public.area_types add column merging_into uuid references public.area_types (id);
create index brands_merging on public.brands (merging_into) where merging_into is not null;
create index area_types_merging on public.area_types (merging_into) where merging_into is not null;

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

-- As before, but if the name has more than `p_most` specs, only starts the merge. `continue_merge` then finishes it.
-- outcome: merged (with the number of specs, and whether the merge is finished) | merging (`p_name` or `p_into` is
-- being merged into another name, or another name is being merged into `p_name`) | same | not_found | unknown_target
drop function public.merge_in_list(text, text, text);
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

-- As before, but writes no event for the deletion of a name that was being merged, because the start of the merge was
-- logged.
create or replace function private.audit_name() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_into text := nullif(current_setting('atelier.merged_into', true), '');
begin
  if old.merging_into is not null then return null; end if;
  perform private.write_audit(tg_argv[0] || case when v_into is null then '.deleted' else '.merged' end, old.id, old.name,
    'into ' || v_into);
  return null;
end $$;

-- As before, but also returns the name that each brand or area is being merged into.
create or replace function public.catalogue() returns jsonb
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

revoke execute on function private.move_specs(text, uuid, uuid, int) from public, anon, authenticated;
grant execute on function private.move_specs(text, uuid, uuid, int) to service_role;
revoke execute on function public.merge_in_list(text, text, text, int), public.continue_merge(int)
  from public, anon, authenticated;
grant execute on function public.merge_in_list(text, text, text, int), public.continue_merge(int) to service_role;
