-- As before, but a call that is refused with too_many does not leave an unnamed version behind.
create or replace function public.keep_document_version(p_project uuid, p_version int, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_state public.project_pages;
  v_id uuid;
  v_answer jsonb;
begin
  -- The lock also serializes calls that name versions of the document, to enforce the limits on named versions.
  select * into v_state from public.project_pages d
   where d.id = coalesce(p_document, p_project) and d.project_id = p_project and d.deleted_at is null for update;
  if not found and p_document <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_state.version is distinct from p_version then
    return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_state.version, 0));
  end if;
  begin
    v_id := private.keep_document_version(v_state, clock_timestamp());
    if p_name is null then return jsonb_build_object('outcome', 'kept', 'id', v_id); end if;
    v_answer := public.name_document_version(p_project, v_id, p_name, p_document);
    -- The exception undoes only the changes of this block. The lock was taken before the block, so it is kept.
    if v_answer ->> 'outcome' <> 'kept' then raise exception 'not named' using errcode = 'UNDO1'; end if;
  exception when sqlstate 'UNDO1' then null;
  end;
  return v_answer;
end $$;
