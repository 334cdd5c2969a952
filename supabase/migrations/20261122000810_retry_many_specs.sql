-- Retries many failed specs in one transaction.

-- Starts the next run of each failed spec among `p_ids`, and returns the ids of those specs. The caller must have
-- locked the specs. With `p_user`, the runs use that user's turns in the queue, not the uploaders'.
create function private.start_next_runs(p_ids uuid[], p_user uuid default null) returns uuid[]
language plpgsql volatile set search_path = '' as $$
declare
  v_ids uuid[];
  v_documents uuid[];
begin
  with started as (
    update public.spec_uploads
       set run = run + 1, processing_status = 'pending', status_seq = status_seq + 1, updated_at = clock_timestamp(),
           started_at = null, finished_at = null, error_code = null, error = null, sections_count = null, deadline_at = null
     where id = any (p_ids) and processing_status = 'failed'
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
  return jsonb_build_object('outcome', 'retried', 'run', v_spec.run + 1);
end $$;

-- Starts the next run of each failed spec among `p_ids`, and skips the other ids. Returns the number of runs started.
create function public.retry_specs(p_user uuid, p_ids uuid[]) returns int
language plpgsql volatile set search_path = '' as $$
begin
  -- Lock the specs in the order of their ids, so that concurrent calls cannot deadlock.
  perform 1 from public.spec_uploads where id = any (p_ids) order by id for update;
  return cardinality(private.start_next_runs(p_ids, p_user));
end $$;

revoke execute on function private.start_next_runs(uuid[], uuid) from public, anon;
grant execute on function private.start_next_runs(uuid[], uuid) to service_role;
revoke execute on function public.retry_specs(uuid, uuid[]) from public, anon, authenticated;
grant execute on function public.retry_specs(uuid, uuid[]) to service_role;
