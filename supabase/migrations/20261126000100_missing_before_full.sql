-- As before, but a version that does not exist is not_found even if the document has too many named versions.
create or replace function public.name_document_version(p_project uuid, p_id uuid, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_document uuid := coalesce(p_document, p_project);
  v_bytes bigint;
begin
  perform 1 from public.project_pages d
   where d.id = v_document and d.project_id = p_project and d.deleted_at is null for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select v.bytes into v_bytes from private.document_versions v
   where v.project_id = p_project and v.document_id = v_document and v.id = p_id;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_name is not null and (
    select count(*) >= 50 or sum(v.bytes) + v_bytes > 67108864
      from private.document_versions v
     where v.document_id = v_document and v.name is not null and v.id <> p_id) then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  update private.document_versions v set name = p_name where v.id = p_id;
  return jsonb_build_object('outcome', 'kept', 'id', p_id);
end $$;

-- As before, but a document that cannot be restored is not_found even if the project has too many documents.
create or replace function public.restore_document(p_project uuid, p_document uuid, p_within_s int) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_deleted_after timestamptz := now() - make_interval(secs => p_within_s);
begin
  perform 1 from public.project_pages
   where id = p_document and project_id = p_project and deleted_at > v_deleted_after;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if not private.has_room_for_document(p_project) then return jsonb_build_object('outcome', 'too_many'); end if;
  update public.project_pages set deleted_at = null
   where id = p_document and project_id = p_project and deleted_at > v_deleted_after;
  return jsonb_build_object('outcome', case when found then 'restored' else 'not_found' end);
end $$;

-- As before, but a full test without callbacks drops its second step. Before, the steps became null, which the table
-- refuses.
create or replace function public.add_workflow_test_step(p_id uuid, p_source text, p_step jsonb) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.workflow_tests
     set steps = case when jsonb_array_length(steps) < 20 then steps else steps - coalesce((
                   select s.place::int - 1 from jsonb_array_elements(steps) with ordinality s(step, place)
                    where s.step ->> 'step' = 'callback'
                    order by s.step ->> 'status' is not distinct from 'running' desc, s.place desc limit 1), 1) end
                 || jsonb_build_array(p_step || jsonb_build_object('at', clock_timestamp(),
                      'detail', private.plain_reason(p_step ->> 'detail')))
   where id = p_id and source = p_source and created_at > now() - interval '1 hour';
  return found;
end $$;
