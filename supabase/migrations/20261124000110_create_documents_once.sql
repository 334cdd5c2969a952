-- Lets a client repeat the creation of a document or a page template, for example after a lost response, without
-- creating another one. New functions accept an idempotency key and call the existing ones. A key applies within one
-- project.

alter function public.create_document(uuid, uuid, uuid, text, text, text, text, jsonb, json, uuid) set schema private;
alter function private.create_document(uuid, uuid, uuid, text, text, text, text, jsonb, json, uuid)
  rename to insert_document;
alter function public.create_page_template(uuid, uuid, text, json) set schema private;
alter function private.create_page_template(uuid, uuid, text, json) rename to insert_page_template;

-- Creates a document as `private.insert_document` does, but only once for each idempotency key.
-- outcome: created (with the id) | not_found | too_many | idempotency_mismatch
create function public.create_document(p_user uuid, p_project uuid, p_document uuid, p_name text, p_format text,
  p_orientation text, p_language text, p_cover jsonb, p_settings json, p_copy_of uuid default null,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_scope text := 'documents:' || p_project;
  v_answer jsonb := private.idempotency_begin(p_user, v_scope, p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.insert_document(p_user, p_project, p_document, p_name, p_format, p_orientation, p_language,
    p_cover, p_settings, p_copy_of) || jsonb_build_object('id', p_document);
  return private.idempotency_end(p_user, v_scope, p_idempotency_key, v_answer);
end $$;

-- Saves a template as `private.insert_page_template` does, but only once for each idempotency key.
-- outcome: created (with the id) | too_many | idempotency_mismatch
create function public.create_page_template(p_user uuid, p_project uuid, p_name text, p_content json,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_scope text := 'page_templates:' || p_project;
  v_answer jsonb := private.idempotency_begin(p_user, v_scope, p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.insert_page_template(p_user, p_project, p_name, p_content);
  return private.idempotency_end(p_user, v_scope, p_idempotency_key, v_answer);
end $$;

revoke execute on function
  public.create_document(uuid, uuid, uuid, text, text, text, text, jsonb, json, uuid, text, text),
  public.create_page_template(uuid, uuid, text, json, text, text) from public, anon, authenticated;
grant execute on function
  public.create_document(uuid, uuid, uuid, text, text, text, text, jsonb, json, uuid, text, text),
  public.create_page_template(uuid, uuid, text, json, text, text) to service_role;
