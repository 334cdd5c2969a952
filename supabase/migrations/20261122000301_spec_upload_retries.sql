-- The same for a spec: the file that stands in the way of an upload may be deleted before it is read.

create or replace function public.create_spec_upload(p_user uuid, p_id uuid, p_brand_id uuid, p_area_type_id uuid,
  p_storage_path text, p_file_name text, p_size_bytes bigint, p_sha256 text, p_property_name text default null,
  p_keep_duplicate boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'specs', p_idempotency_key, p_request_sha256);
  v_document uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, created_by)
  values (v_document, 'spec', p_storage_path, p_file_name, p_size_bytes, p_sha256, p_user);
  for attempt in 1..10 loop
    insert into public.spec_uploads (id, document_id, brand_id, area_type_id, property_name, sha256, kept_duplicate, created_by)
    values (p_id, v_document, p_brand_id, p_area_type_id, p_property_name, p_sha256, p_keep_duplicate, p_user)
    on conflict (brand_id, area_type_id, sha256) where not kept_duplicate do nothing;
    if found then
      insert into public.upload_jobs (spec_upload_id, run) values (p_id, 1);
      v_answer := jsonb_build_object('outcome', 'created', 'spec_upload_id', p_id, 'document_id', v_document);
      exit;
    end if;
    select jsonb_build_object('outcome', 'duplicate', 'spec_upload_id', id) into v_answer from public.spec_uploads
     where brand_id = p_brand_id and area_type_id = p_area_type_id and sha256 = p_sha256 and not kept_duplicate;
    if v_answer is not null then
      delete from public.documents where id = v_document;
      exit;
    end if;
  end loop;
  if v_answer is null then raise exception 'the spec appears and disappears' using errcode = 'PT503'; end if;
  return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_answer);
end $$;
