-- Adds is_protected to the specs.
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
