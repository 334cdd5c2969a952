-- Lets project members see that the workflow service is not accepting a run. Without this, such a run would
-- look as if it were only queued.

-- Returns the number of the current or next attempt of a run that is being retried, and the maximum number of attempts,
-- as { attempt, maxAttempts }. Returns null if no attempt has failed yet, the run is no longer waiting to be accepted,
-- or the caller may not see the job.
create function private.image_retrying(p_job uuid, p_run int) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('maxAttempts', w.max_attempts,
           -- Without a lease, `attempts` does not count the next attempt yet.
           'attempt', least(w.max_attempts, w.attempts + case when w.lease_token is null then 1 else 0 end))
    from private.work_items w
   where w.kind = 'image_dispatch' and w.subject_id = p_job and w.run = p_run and w.state = 'pending'
     and w.last_error is not null
     and (private.is_admin() or exists (
           select 1 from public.image_jobs j where j.id = p_job and j.project_id in (select private.my_projects())))
$$;

create or replace view public.image_job_rows with (security_invoker = true) as
  select j.*, (
    select to_jsonb(c) from (
      select v.variant_id, v.path, v.thumb_path, v.meta, v.width, v.height, v.run, v.created_at
        from public.image_variants v where v.job_id = j.id order by v.run desc, v.position limit 1) c) as cover,
    case when j.status = 'queued' then private.image_retrying(j.id, j.run) end as retrying
    from public.image_jobs j;

-- Broadcasts that an attempt has failed. The job is already locked by `work_failed`.
create function private.tell_retry() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.image_jobs set status_seq = status_seq + 1
   where id = new.subject_id and run = new.run and status = 'queued';
  return null;
end $$;
create trigger tell_retry after insert on private.trigger_events for each row
  when (new.source = 'image' and new.outcome = 'again') execute function private.tell_retry();

revoke execute on function private.image_retrying(uuid, int), private.tell_retry() from public, anon, authenticated;
grant execute on function private.image_retrying(uuid, int) to anon, authenticated, service_role;
