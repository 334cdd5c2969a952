-- Makes `find_specs` return whole specs. Before, it returned their ids, and a list needed three more calls to read the
-- specs, their attempts and the states of their texts.

-- Returns a spec with its attempts, the state of its text and, if it was replaced, the current version. Returns null if
-- there is no such spec.
create function private.spec_json(p_id uuid) returns jsonb
language plpgsql stable set search_path = '' as $$
begin
  return (
    select to_jsonb(x) from (
      select s.id, s.document_id, s.brand_name, s.area, s.property_name, s.file_name, s.size_bytes, s.sha256, s.storage_path,
             s.is_protected, s.processing_status, s.status_seq, s.sections_count, s.error, s.progress, s.progress_at, s.note,
             s.started_at, s.deadline_at, s.created_by, s.created_at, s.updated_at, s.version,
             (select d.text_state from public.documents d where d.id = s.document_id) as text_state,
             array(select jsonb_build_object('run', j.run, 'status', j.status, 'error', j.error, 'created_at', j.created_at,
                                             'finished_at', j.finished_at)
                     from public.upload_jobs j where j.spec_upload_id = s.id order by j.run) as attempts,
             case when not s.is_current then (
               select jsonb_build_object('id', n.id, 'version', n.version)
                 from public.spec_uploads n where n.series_id = s.series_id and n.is_current) end as replaced_by
        from public.specs s where s.id = p_id) x);
end $$;

-- Returns a spec in the same form as `find_specs`. Returns null if the spec does not exist or if the caller is not an
-- administrator.
create function public.read_spec(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then return null; end if;
  return private.spec_json(p_id);
end $$;

-- As before, but returns whole specs unless `p_is_only_ids` is set.
create or replace function public.find_specs(p_q text default null, p_status text default null,
  p_brand text default null, p_area text default null, p_from timestamptz default null,
  p_before timestamptz default null, p_sort text default 'newest', p_after_key text default null,
  p_after_at timestamptz default null, p_after_id uuid default null, p_limit int default 21,
  p_all_versions boolean default false, p_is_only_ids boolean default false)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_words text[] := private.words_of(p_q);
  v_brand uuid;
  v_area uuid;
  v_query private.spec_query;
  v_found uuid[];
  v_is_all boolean;
  v_specs jsonb := '[]';
  v_counts jsonb := '{}';
  v_is_exact boolean := true;
  v_has_matches boolean := private.is_admin();
begin
  if p_brand is not null then
    select b.id into v_brand from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    v_has_matches := v_has_matches and found;
  end if;
  if p_area is not null then
    select a.id into v_area from public.area_types a where a.name_key = private.name_key(p_area) and a.name = p_area;
    v_has_matches := v_has_matches and found;
  end if;
  if v_has_matches and cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words, v_brand, v_area);
    v_has_matches := v_query.whole is not null;
    if v_has_matches then
      select m.ids, m.is_all into v_found, v_is_all from private.some_matches(v_query, null, 1000) m;
    end if;
  end if;
  if v_has_matches then
    select coalesce(jsonb_agg(
             jsonb_build_object('id', l.id, 'created_at', l.created_at, 'sort_key', l.sort_key, 'page', m.page, 'text', m.text,
                                'spec', case when not p_is_only_ids then private.spec_json(l.id) end)
             order by l.n), '[]') into v_specs
      from private.page_of_specs(v_query, v_found, v_is_all, p_status, v_brand, v_area, p_from, p_before, p_sort,
             p_after_key, p_after_at, p_after_id, p_limit, p_all_versions) with ordinality l (id, created_at, sort_key, n)
      left join lateral private.matching_page(l.id, v_query) m on v_query.whole is not null and not p_is_only_ids;
    if not p_is_only_ids then
      select c.counts, c.is_exact into v_counts, v_is_exact
        from private.count_specs(v_query, v_found, v_is_all, v_brand, v_area, p_from, p_before, p_all_versions) c;
    end if;
  end if;
  return jsonb_build_object('specs', v_specs, 'counts', v_counts, 'isExact', v_is_exact);
end $$;

revoke execute on function private.spec_json(uuid) from public, anon, authenticated;
revoke execute on function public.read_spec(uuid) from public, anon, authenticated;
grant execute on function public.read_spec(uuid) to authenticated, anon;
