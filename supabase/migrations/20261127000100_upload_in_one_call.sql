-- Checks the admin's rights and the rate limit, and finds the brand and the area, in the transaction that creates a spec.
-- Before, this needed two separate database requests.

-- Returns why a caller may not start work as an admin. If the caller may, counts the call for the rate limit and returns
-- null. `p_caller` is as in `private.refuse_start`, with the `session_id` of a session. If `p_caller` is null, checks and
-- counts nothing, and returns null.
-- outcome: unauthenticated | forbidden | rate_limited (with the milliseconds to wait)
create function private.refuse_admin_start(p_user uuid, p_caller jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_account record;
  v_is_admin boolean;
  v_wait_ms int;
begin
  if p_caller is null then return null; end if;
  if p_caller ->> 'token_key' is null then
    select * into v_account from public.account_state(p_user, (p_caller ->> 'session_id')::uuid);
    if not v_account.is_active then return jsonb_build_object('outcome', 'unauthenticated'); end if;
    v_is_admin := v_account.is_admin and (p_caller ->> 'claims_admin')::boolean;
  else
    v_is_admin := exists (select 1 from private.find_token(p_caller ->> 'token_key') t where private.is_admin_token(t));
  end if;
  if not coalesce(v_is_admin, false) then return jsonb_build_object('outcome', 'forbidden'); end if;
  v_wait_ms := public.rate_take('costly:' || p_user, (p_caller ->> 'burst')::int, (p_caller ->> 'interval_ms')::int);
  if v_wait_ms > 0 then return jsonb_build_object('outcome', 'rate_limited', 'wait_ms', v_wait_ms); end if;
  return null;
end $$;
drop function public.count_admin_call(uuid, int, int, uuid);

-- As before, but finds the brand and the area by name, and checks the caller's rights and the rate limit if `p_caller` is
-- given.
-- outcome: created | duplicate (with the oldest existing spec) | idempotency_mismatch | unknown_brand | unknown_area |
-- unknown_spec | other_place | replaced (with the current version), or an outcome of `private.refuse_admin_start`
drop function public.create_spec_upload(uuid, uuid, uuid, uuid, text, text, bigint, text, text, boolean, text, text, boolean,
  uuid);
create function public.create_spec_upload(p_user uuid, p_id uuid, p_brand text, p_area text,
  p_storage_path text, p_file_name text, p_size_bytes bigint, p_sha256 text, p_property_name text default null,
  p_keep_duplicate boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_is_protected boolean default false,
  p_replaces uuid default null, p_caller jsonb default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_admin_start(p_user, p_caller);
  v_document uuid := gen_random_uuid();
  v_brand uuid;
  v_area uuid;
  v_standing uuid;
  v_replaced public.spec_uploads;
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.idempotency_begin(p_user, 'specs', p_idempotency_key, p_request_sha256);
  if v_answer is not null then return v_answer; end if;
  select id into v_brand from public.brands where name_key = private.name_key(p_brand) for key share;
  if not found then
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, jsonb_build_object('outcome', 'unknown_brand'));
  end if;
  select id into v_area from public.area_types where name_key = private.name_key(p_area) for key share;
  if not found then
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, jsonb_build_object('outcome', 'unknown_area'));
  end if;
  if not p_keep_duplicate then
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', v_brand, v_area, p_sha256), 0));
    select id into v_standing from public.spec_uploads
     where brand_id = v_brand and area_type_id = v_area and sha256 = p_sha256 and processing_status <> 'failed'
       and private.name_key(property_name) is not distinct from private.name_key(p_property_name)
     order by created_at, id limit 1;
  end if;
  if v_standing is not null then
    v_answer := jsonb_build_object('outcome', 'duplicate', 'spec_upload_id', v_standing);
    return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
  end if;
  if p_replaces is not null then
    select * into v_replaced from public.spec_uploads where id = p_replaces for update;
    v_answer := case
      when not found then jsonb_build_object('outcome', 'unknown_spec')
      when (v_replaced.brand_id, v_replaced.area_type_id, private.name_key(v_replaced.property_name))
        is distinct from (v_brand, v_area, private.name_key(p_property_name))
        then jsonb_build_object('outcome', 'other_place')
      when not v_replaced.is_current then (
        select jsonb_build_object('outcome', 'replaced', 'spec_upload_id', id, 'version', version)
          from public.spec_uploads where series_id = v_replaced.series_id and is_current)
      end;
    if v_answer is not null then
      return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
    end if;
    update public.spec_uploads
       set is_current = false, status_seq = status_seq + 1, updated_at = clock_timestamp()
     where id = p_replaces;
  end if;
  insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, is_protected, created_by)
  values (v_document, 'spec', p_storage_path, p_file_name, p_size_bytes, p_sha256, p_is_protected, p_user);
  insert into public.spec_uploads (id, document_id, brand_id, area_type_id, property_name, sha256, created_by,
    series_id, version)
  values (p_id, v_document, v_brand, v_area, p_property_name, p_sha256, p_user,
    coalesce(v_replaced.series_id, gen_random_uuid()), coalesce(v_replaced.version, 0) + 1);
  insert into public.upload_jobs (spec_upload_id, run) values (p_id, 1);
  if p_replaces is not null then
    perform private.write_audit('spec.version_added', p_id, p_file_name,
        concat_ws(' · ', 'v' || s.version, s.brand_name, s.area, s.property_name), p_user)
      from public.specs s where s.id = p_id;
  end if;
  v_answer := jsonb_build_object('outcome', 'created', 'spec_upload_id', p_id, 'document_id', v_document);
  return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
end $$;

-- Returns the id of a brand, or null if it does not exist.
drop function public.find_spec_place(text, text);
create function public.find_brand(p_name text) returns uuid
language sql stable set search_path = '' as $$
  select id from public.brands where name_key = private.name_key(p_name)
$$;

revoke execute on function private.refuse_admin_start(uuid, jsonb),
  public.create_spec_upload(uuid, uuid, text, text, text, text, bigint, text, text, boolean, text, text, boolean, uuid,
    jsonb),
  public.find_brand(text) from public, anon, authenticated;
grant execute on function private.refuse_admin_start(uuid, jsonb),
  public.create_spec_upload(uuid, uuid, text, text, text, text, bigint, text, text, boolean, text, text, boolean, uuid,
    jsonb),
  public.find_brand(text) to service_role;
