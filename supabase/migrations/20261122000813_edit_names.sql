-- Adds functions that rename, merge and delete brands and area types.

-- Returns all brands and areas, each with its number of specs: { brands: [{ name, specs }], areas: [{ name, specs }] }.
create function public.catalogue() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'brands', (select coalesce(jsonb_agg(jsonb_build_object('name', b.name, 'specs', coalesce(u.n, 0))), '[]')
      from public.brands b
        left join (select s.brand_id, count(*) as n from public.spec_uploads s group by 1) u on u.brand_id = b.id),
    'areas', (select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'specs', coalesce(u.n, 0))), '[]')
      from public.area_types a
        left join (select s.area_type_id, count(*) as n from public.spec_uploads s group by 1) u on u.area_type_id = a.id))
$$;

-- In the functions below, `p_list` is `brands` or `areas`. Specs show a new name when they are next read. The change is
-- not broadcast, because it can affect many specs. Runs keep the names that they started with.

-- Renames a brand or area type. outcome: renamed | exists (with the existing spelling) | not_found
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

-- Moves all specs of the brand or area type `p_name` to `p_into`, and deletes `p_name`.
-- outcome: merged (with the number of specs) | same | not_found | unknown_target
create function public.merge_in_list(p_list text, p_name text, p_into text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_from uuid;
  v_into uuid;
  v_name text;
  v_count int;
begin
  if private.name_key(p_name) = private.name_key(p_into) then return jsonb_build_object('outcome', 'same'); end if;
  -- To avoid deadlocks, lock brands and areas before specs, and the rows of each table in the order of their ids.
  -- Uploads and edits that use one of the two brands or areas wait for these locks.
  case p_list
    when 'brands' then
      perform 1 from public.brands
        where name_key in (private.name_key(p_name), private.name_key(p_into)) order by id for update;
      select id into v_from from public.brands where name_key = private.name_key(p_name);
      select id, name into v_into, v_name from public.brands where name_key = private.name_key(p_into);
    when 'areas' then
      perform 1 from public.area_types
        where name_key in (private.name_key(p_name), private.name_key(p_into)) order by id for update;
      select id into v_from from public.area_types where name_key = private.name_key(p_name);
      select id, name into v_into, v_name from public.area_types where name_key = private.name_key(p_into);
  end case;
  if v_from is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_into is null then return jsonb_build_object('outcome', 'unknown_target'); end if;
  case p_list
    when 'brands' then
      perform 1 from public.spec_uploads where brand_id = v_from order by id for update;
      update public.spec_uploads set brand_id = v_into where brand_id = v_from;
      get diagnostics v_count = row_count;
      delete from public.brands where id = v_from;
    when 'areas' then
      perform 1 from public.spec_uploads where area_type_id = v_from order by id for update;
      update public.spec_uploads set area_type_id = v_into where area_type_id = v_from;
      get diagnostics v_count = row_count;
      delete from public.area_types where id = v_from;
  end case;
  return jsonb_build_object('outcome', 'merged', 'name', v_name, 'specs', v_count);
end $$;

-- Deletes a brand or area type that no spec uses. outcome: deleted | in_use | not_found
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

-- Unlike the earlier version, checks that the brand and area still exist, because either can be merged or deleted after
-- `find_spec_place` has returned it.
-- outcome: created | duplicate (with the oldest existing spec) | idempotency_mismatch | unknown_brand | unknown_area
create or replace function public.create_spec_upload(p_user uuid, p_id uuid, p_brand_id uuid, p_area_type_id uuid,
  p_storage_path text, p_file_name text, p_size_bytes bigint, p_sha256 text, p_property_name text default null,
  p_keep_duplicate boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_is_protected boolean default false)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'specs', p_idempotency_key, p_request_sha256);
  v_document uuid := gen_random_uuid();
  v_standing uuid;
begin
  if v_answer is not null then return v_answer; end if;
  perform 1 from public.brands where id = p_brand_id for key share;
  if not found then
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, jsonb_build_object('outcome', 'unknown_brand'));
  end if;
  perform 1 from public.area_types where id = p_area_type_id for key share;
  if not found then
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, jsonb_build_object('outcome', 'unknown_area'));
  end if;
  if not p_keep_duplicate then
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', p_brand_id, p_area_type_id, p_sha256), 0));
    select id into v_standing from public.spec_uploads
     where brand_id = p_brand_id and area_type_id = p_area_type_id and sha256 = p_sha256 and processing_status <> 'failed'
       and private.name_key(property_name) is not distinct from private.name_key(p_property_name)
     order by created_at, id limit 1;
  end if;
  if v_standing is not null then
    v_answer := jsonb_build_object('outcome', 'duplicate', 'spec_upload_id', v_standing);
  else
    insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, is_protected, created_by)
    values (v_document, 'spec', p_storage_path, p_file_name, p_size_bytes, p_sha256, p_is_protected, p_user);
    insert into public.spec_uploads (id, document_id, brand_id, area_type_id, property_name, sha256, created_by)
    values (p_id, v_document, p_brand_id, p_area_type_id, p_property_name, p_sha256, p_user);
    insert into public.upload_jobs (spec_upload_id, run) values (p_id, 1);
    v_answer := jsonb_build_object('outcome', 'created', 'spec_upload_id', p_id, 'document_id', v_document);
  end if;
  return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
end $$;

revoke execute on function public.catalogue(), public.rename_in_list(text, text, text),
  public.merge_in_list(text, text, text), public.delete_in_list(text, text) from public, anon, authenticated;
grant execute on function public.catalogue(), public.rename_in_list(text, text, text),
  public.merge_in_list(text, text, text), public.delete_in_list(text, text) to service_role;
