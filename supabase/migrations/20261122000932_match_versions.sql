-- Finds, for each file to upload, the spec that it is probably a newer version of.

-- Returns a file name without its extension and without what usually differs between versions: `v2`, `rev b`, a date, a
-- year, `final`, `(1)`. Returns the whole name if nothing else is left.
create function private.file_stem(p_name text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select coalesce(nullif(btrim(regexp_replace(regexp_replace(f.name,
      '\m(?:(?:v|ver|version|rev|revision) ?\d{1,3}(?: \d{1,2})?|(?:rev|revision) [a-z]|(?:19|20)\d\d(?: ?[01]\d(?: ?[0-3]\d)?)?|final|draft|copy|new|latest|updated)\M',
      ' ', 'g'), ' +', ' ', 'g')), ''), f.name)
    from (select btrim(private.fold_text(regexp_replace(regexp_replace(p_name, '\.pdf$', '', 'i'), '\s*\(\d+\)\s*$', '')))
            as name) f
$$;

-- Returns the current spec with the same brand, area and property and a similar file name for each file that has one:
-- [{ file_name, brand, area, property }]. `n` is the position of the file in the list. If several match, the newest is
-- returned.
create function public.match_specs(p_files jsonb) returns table (n int, id uuid, file_name text, version int)
language sql stable set search_path = '' as $$
  with files as (
    select f.n::int as n, b.id as brand_id, a.id as area_type_id, private.name_key(f.file ->> 'property') as property,
           private.file_stem(f.file ->> 'file_name') as stem
      from jsonb_array_elements(p_files) with ordinality as f (file, n)
      join public.brands b on b.name_key = private.name_key(f.file ->> 'brand')
      join public.area_types a on a.name_key = private.name_key(f.file ->> 'area')),
  known as materialized (
    select s.id, s.brand_id, s.area_type_id, private.name_key(s.property_name) as property, s.version, s.created_at,
           d.file_name, private.file_stem(d.file_name) as stem
      from public.spec_uploads s join public.documents d on d.id = s.document_id
     where s.is_current and (s.brand_id, s.area_type_id) in (select distinct f.brand_id, f.area_type_id from files f))
  select distinct on (f.n) f.n, k.id, k.file_name, k.version
    from files f
    join known k on k.brand_id = f.brand_id and k.area_type_id = f.area_type_id and k.stem = f.stem
      and k.property is not distinct from f.property
   order by f.n, k.created_at desc, k.id desc
$$;

revoke execute on function private.file_stem(text) from public, anon, authenticated;
grant execute on function private.file_stem(text) to service_role;
revoke execute on function public.match_specs(jsonb) from public, anon, authenticated;
grant execute on function public.match_specs(jsonb) to service_role;
