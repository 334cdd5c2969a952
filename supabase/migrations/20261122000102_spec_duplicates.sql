-- A file is a duplicate if a spec of the same brand, area and property has the same file and has not failed. The
-- property matters because two hotels can share a brand standard. Failed specs are ignored so that they do not block an
-- upload. No index can enforce this rule, because a retry or a late success can turn a failed spec into a duplicate
-- after the same file was uploaded again. An advisory lock serializes the checks for the same brand, area and file.

-- Whether the PDF has an owner password. Such a PDF opens without a password, but may restrict printing or editing.
alter table public.documents add column is_protected boolean not null default false;

drop index public.spec_uploads_content;
alter table public.spec_uploads drop column kept_duplicate;
create index spec_uploads_content on public.spec_uploads (brand_id, area_type_id, sha256);

-- outcome: created | duplicate (with the oldest existing spec) | idempotency_mismatch
drop function public.create_spec_upload(uuid, uuid, uuid, uuid, text, text, bigint, text, text, boolean, text, text);
create function public.create_spec_upload(p_user uuid, p_id uuid, p_brand_id uuid, p_area_type_id uuid,
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
revoke execute on function public.create_spec_upload(uuid, uuid, uuid, uuid, text, text, bigint, text, text, boolean, text,
  text, boolean) from public, anon, authenticated;
grant execute on function public.create_spec_upload(uuid, uuid, uuid, uuid, text, text, bigint, text, text, boolean, text,
  text, boolean) to service_role;
