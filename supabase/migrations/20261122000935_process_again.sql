-- Lets administrators process a spec again even if it did not fail.

-- As before, but for specs with any of the statuses in `p_from`.
drop function private.start_next_runs(uuid[], uuid);
create function private.start_next_runs(p_ids uuid[], p_user uuid default null, p_from text[] default array['failed'])
returns uuid[]
language plpgsql volatile set search_path = '' as $$
declare
  v_ids uuid[];
  v_documents uuid[];
begin
  with started as (
    update public.spec_uploads
       set run = run + 1, processing_status = 'pending', status_seq = status_seq + 1, updated_at = clock_timestamp(),
           started_at = null, finished_at = null, error_code = null, error = null, sections_count = null, deadline_at = null
     where id = any (p_ids) and processing_status = any (p_from)
    returning id, document_id)
  select coalesce(array_agg(id), '{}'), array_agg(document_id) into v_ids, v_documents from started;
  update public.documents set processing_status = 'pending' where id = any (v_documents);
  insert into public.upload_jobs (spec_upload_id, run) select id, run from public.spec_uploads where id = any (v_ids);
  if p_user is not null then
    update private.work_items w set user_id = p_user from public.spec_uploads s
     where s.id = any (v_ids) and w.kind = 'spec_dispatch' and w.subject_id = s.id and w.run = s.run;
  end if;
  return v_ids;
end $$;

-- Starts the next run of a finished spec. outcome: started | conflict (with the current status) | not_found
create function public.process_spec_again(p_user uuid, p_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_status text;
begin
  select processing_status into v_status from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if cardinality(private.start_next_runs(array[p_id], p_user, array['failed', 'completed'])) = 0 then
    return jsonb_build_object('outcome', 'conflict', 'status', v_status);
  end if;
  perform private.write_audit('spec.processed_again', p_id, s.file_name,
      concat_ws(' · ', s.brand_name, s.area, s.property_name), p_user)
    from public.specs s where s.id = p_id;
  return jsonb_build_object('outcome', 'started');
end $$;

revoke execute on function private.start_next_runs(uuid[], uuid, text[]) from public, anon;
grant execute on function private.start_next_runs(uuid[], uuid, text[]) to service_role;
revoke execute on function public.process_spec_again(uuid, uuid) from public, anon, authenticated;
grant execute on function public.process_spec_again(uuid, uuid) to service_role;
