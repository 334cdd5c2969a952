-- Finds, for each file to upload, the spec that it is probably a newer version of.

-- Returns the stem of a file name: the name as `fold_text` converts it, without `.pdf` and without what usually differs
-- between versions, such as `v2`, `rev b`, `2026-05-12`, `2026`, `final` and `(1)`. If nothing would be left, removes
-- only `.pdf` and `(1)`. Returns at most the first 500 characters, which fit in an index. The high cost keeps the
-- planner from computing the stem of every document.
create function private.file_stem(p_name text) returns text
language sql immutable strict parallel safe cost 10000 set search_path = '' as $$
  select left(coalesce(nullif(btrim(regexp_replace(regexp_replace(f.name,
      '\m(?:(?:v|ver|version|rev|revision) ?\d{1,3}(?: \d{1,2})?|(?:rev|revision) [a-z]|(?:19|20)\d\d(?: ?[01]\d(?: ?[0-3]\d)?)?|final|draft|copy|new|latest|updated)\M',
      ' ', 'g'), ' +', ' ', 'g')), ''), f.name), 500)
    from (select btrim(private.fold_text(regexp_replace(regexp_replace(p_name, '\.pdf$', '', 'i'), '\s*\(\d+\)\s*$', '')))
            as name) f
$$;

create index documents_stem on public.documents (private.file_stem(file_name)) where kind = 'spec';

-- Returns, for each file in `p_files` ([{ file_name, brand, area, property }]), the current spec with the same brand,
-- area, property and `file_stem`, if there is one. `n` is the position of the file in the list. If several specs match,
-- returns the newest.
create function public.match_specs(p_files jsonb) returns table (n int, id uuid, file_name text, version int)
language sql stable set search_path = '' as $$
  with files as materialized (
    select f.n::int as n, b.id as brand_id, a.id as area_type_id, private.name_key(f.file ->> 'property') as property,
           private.file_stem(f.file ->> 'file_name') as stem
      from jsonb_array_elements(p_files) with ordinality as f (file, n)
      join public.brands b on b.name_key = private.name_key(f.file ->> 'brand')
      join public.area_types a on a.name_key = private.name_key(f.file ->> 'area')),
  -- Materialized, so that this query runs before the join with the specs. If one query joined all tables, the planner
  -- could choose a plan that computes, for each file, the stems of all specs of its brand.
  named as materialized (
    select f.*, d.id as document_id, d.file_name
      from files f join public.documents d on d.kind = 'spec' and private.file_stem(d.file_name) = f.stem)
  select distinct on (x.n) x.n, s.id, x.file_name, s.version
    from named x
    join public.spec_uploads s on s.document_id = x.document_id and s.is_current
      and s.brand_id = x.brand_id and s.area_type_id = x.area_type_id
      and private.name_key(s.property_name) is not distinct from x.property
   order by x.n, s.created_at desc, s.id desc
$$;

revoke execute on function private.file_stem(text) from public, anon, authenticated;
grant execute on function private.file_stem(text) to service_role;
revoke execute on function public.match_specs(jsonb) from public, anon, authenticated;
grant execute on function public.match_specs(jsonb) to service_role;
