-- Whether a PDF is encrypted with an owner password: it opens without one, but printing or editing may be restricted.
alter table public.documents add column is_protected boolean not null default false;

-- Creates a spec upload with create_spec_upload, and marks its document as protected if it is.
create function public.create_spec(p_user uuid, p_id uuid, p_brand_id uuid, p_area_type_id uuid, p_storage_path text,
  p_file_name text, p_size_bytes bigint, p_sha256 text, p_is_protected boolean, p_property_name text default null,
  p_keep_duplicate boolean default false, p_idempotency_key text default null, p_request_sha256 text default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := public.create_spec_upload(p_user => p_user, p_id => p_id, p_brand_id => p_brand_id,
    p_area_type_id => p_area_type_id, p_storage_path => p_storage_path, p_file_name => p_file_name,
    p_size_bytes => p_size_bytes, p_sha256 => p_sha256, p_property_name => p_property_name,
    p_keep_duplicate => p_keep_duplicate, p_idempotency_key => p_idempotency_key, p_request_sha256 => p_request_sha256);
begin
  if p_is_protected and v_answer ->> 'outcome' = 'created' then
    update public.documents set is_protected = true where id = (v_answer ->> 'document_id')::uuid;
  end if;
  return v_answer;
end $$;
revoke execute on function public.create_spec(uuid, uuid, uuid, uuid, text, text, bigint, text, boolean, text, boolean, text,
  text) from public, anon, authenticated;
grant execute on function public.create_spec(uuid, uuid, uuid, uuid, text, text, bigint, text, boolean, text, boolean, text,
  text) to service_role;

create or replace view public.specs with (security_invoker = true) as
  select s.id, s.document_id, s.processing_status, s.status_seq, s.run, s.property_name, s.sections_count, s.error_code,
         s.error, s.deadline_at, s.created_by, s.created_at, s.updated_at, b.name as brand_name, a.name as area,
         d.file_name, d.size_bytes, d.sha256, d.storage_path,
         lower(d.file_name || ' ' || coalesce(s.property_name, '') || ' ' || b.name || ' ' || a.name) as search_text,
         d.is_protected
    from public.spec_uploads s
    join public.documents d on d.id = s.document_id
    join public.brands b on b.id = s.brand_id
    join public.area_types a on a.id = s.area_type_id;
