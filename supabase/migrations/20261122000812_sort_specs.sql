-- Adds keys for sorting specs by file and brand, and lets `spec_counts` filter by creation time.

-- Returns a sort key for a string. It ignores case, sorts by Unicode code points in every collation, and contains only
-- characters that need no quotes in a PostgREST filter.
create function private.sort_key(p_text text) returns text
language sql immutable strict set search_path = '' as $$
  select encode(convert_to(lower(p_text), 'UTF8'), 'hex')
$$;
create index documents_file_key on public.documents (private.sort_key(file_name));

create or replace view public.specs with (security_invoker = true) as
  select s.id, s.document_id, s.processing_status, s.status_seq, s.run, s.property_name, s.sections_count, s.error_code,
         s.error, s.deadline_at, s.created_by, s.created_at, s.updated_at, b.name as brand_name, a.name as area,
         d.file_name, d.size_bytes, d.sha256, d.storage_path,
         lower(d.file_name || ' ' || coalesce(s.property_name, '') || ' ' || b.name || ' ' || a.name) as search_text,
         d.is_protected, s.started_at, s.progress, s.progress_at, s.note,
         private.sort_key(d.file_name) as file_key, private.sort_key(b.name) as brand_key
    from public.spec_uploads s
    join public.documents d on d.id = s.document_id
    join public.brands b on b.id = s.brand_id
    join public.area_types a on a.id = s.area_type_id;

drop function public.spec_counts(text, text, text);
create function public.spec_counts(p_brand text default null, p_area text default null, p_pattern text default null,
  p_from timestamptz default null, p_before timestamptz default null) returns table (status text, n bigint)
language plpgsql stable set search_path = '' as $$
begin
  if p_pattern is null then
    return query select s.processing_status, count(*) from public.spec_uploads s
     where (p_brand is null or s.brand_id = (select b.id from public.brands b where b.name = p_brand))
       and (p_area is null or s.area_type_id = (select a.id from public.area_types a where a.name = p_area))
       and (p_from is null or s.created_at >= p_from) and (p_before is null or s.created_at < p_before)
     group by 1;
  else
    return query select s.processing_status, count(*) from public.specs s
     where (p_brand is null or s.brand_name = p_brand) and (p_area is null or s.area = p_area)
       and (p_from is null or s.created_at >= p_from) and (p_before is null or s.created_at < p_before)
       and s.search_text like lower(p_pattern)
     group by 1;
  end if;
end $$;
revoke execute on function public.spec_counts(text, text, text, timestamptz, timestamptz) from public;
grant execute on function public.spec_counts(text, text, text, timestamptz, timestamptz) to authenticated, anon, service_role;
revoke execute on function private.sort_key(text) from public;
grant execute on function private.sort_key(text) to authenticated, anon, service_role;
