-- Adds the corrections of sections and the retries of specs to the audit log.

create function private.audit_spec_change(p_action text, p_id uuid) returns void
language sql volatile set search_path = '' as $$
  select private.write_audit(p_action, p_id, s.file_name, concat_ws(' · ', s.brand_name, s.area, s.property_name))
    from public.specs s where s.id = p_id
$$;

-- As before, but writes an audit event.
create or replace function public.save_spec_sections(p_id uuid, p_version int, p_sections jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_version int;
  v_source text;
begin
  perform 1 from public.spec_uploads where id = p_id for update;
  v_version := private.sections_version(p_id);
  if v_version is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if exists (select 1 from public.spec_uploads s join public.documents d on d.id = s.document_id
              where s.id = p_id and d.text_state = 'pending') then
    return jsonb_build_object('outcome', 'unread');
  end if;
  if v_version <> p_version then return jsonb_build_object('outcome', 'conflict', 'version', v_version); end if;
  perform private.count_section_change(p_id);
  select source into v_source from public.spec_sections where spec_id = p_id order by ordinal limit 1;
  update private.section_sets
     set original = private.sections_json(p_id), original_source = coalesce(nullif(v_source, 'manual'), 'outline')
   where spec_id = p_id and original is null;
  perform private.put_sections(p_id, 'manual', p_sections);
  perform private.audit_spec_change('spec.sections_edited', p_id);
  return jsonb_build_object('outcome', 'saved', 'version', private.sections_version(p_id));
end $$;

-- As before, but writes an audit event if there were corrections to undo.
create or replace function public.restore_spec_sections(p_id uuid, p_version int) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_version int;
  v_set private.section_sets;
begin
  perform 1 from public.spec_uploads where id = p_id for update;
  v_version := private.sections_version(p_id);
  if v_version is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_version <> p_version then return jsonb_build_object('outcome', 'conflict', 'version', v_version); end if;
  select * into v_set from private.section_sets where spec_id = p_id;
  if v_set.original is not null then
    perform private.put_sections(p_id, v_set.original_source, v_set.original);
    update private.section_sets
       set original = null, original_source = null, original_changed_at = null, version = version + 1
     where spec_id = p_id;
    perform private.audit_spec_change('spec.sections_restored', p_id);
  end if;
  return jsonb_build_object('outcome', 'saved', 'version', private.sections_version(p_id));
end $$;

-- As before, but writes an audit event.
create or replace function public.retry_spec(p_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_spec public.spec_uploads;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_spec.processing_status <> 'failed' then
    return jsonb_build_object('outcome', 'conflict', 'status', v_spec.processing_status);
  end if;
  perform private.start_next_runs(array[p_id]);
  perform private.audit_spec_change('spec.retried', p_id);
  return jsonb_build_object('outcome', 'retried', 'run', v_spec.run + 1);
end $$;

-- As before, but writes one audit event if it starts any runs.
create or replace function public.retry_specs(p_user uuid, p_ids uuid[]) returns int
language plpgsql volatile set search_path = '' as $$
declare v_count int;
begin
  -- Lock the specs in the order of their ids, as `lock_series` does, to avoid deadlocks.
  perform 1 from public.spec_uploads where id = any (p_ids) order by id for update;
  v_count := cardinality(private.start_next_runs(p_ids, p_user));
  if v_count > 0 then
    perform private.write_audit('spec.retried', null, v_count || case when v_count = 1 then ' spec' else ' specs' end,
      null, p_user);
  end if;
  return v_count;
end $$;

revoke execute on function private.audit_spec_change(text, uuid) from public, anon, authenticated;
grant execute on function private.audit_spec_change(text, uuid) to service_role;
