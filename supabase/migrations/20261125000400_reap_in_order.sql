-- As before, but locks the subjects of dead items in the order of their ids, like every function that locks several
-- specs. In any other order, the reaper and such a function could deadlock.
create or replace function public.work_reap(p_limit int default 100) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  r record;
  v_dead int := 0;
  v_timed_out int := 0;
  v_late text := 'The workflow service did not call back before the deadline.';
begin
  for r in select * from (
             select id, kind, subject_id, run from private.work_items
              where state = 'pending' and visible_at <= now() and attempts >= max_attempts
              order by visible_at, id limit p_limit) dead
            order by subject_id loop
    perform private.lock_subject(r.kind, r.subject_id);
    update private.work_items
       set state = 'dead', finished_at = clock_timestamp(), lease_token = null, last_error = coalesce(last_error, 'worker lost')
     where id = r.id and state = 'pending' and visible_at <= clock_timestamp() and attempts >= max_attempts;
    if found then
      v_dead := v_dead + 1;
      perform private.note_trigger(w, 'given_up', w.last_error) from private.work_items w where w.id = r.id;
      perform private.subject_failed(r.kind, r.subject_id, r.run, 'unreachable', 'The work could not be finished after its last attempt.');
    end if;
  end loop;
  for r in select id, run from public.spec_uploads where processing_status = 'processing' and deadline_at < now()
            order by deadline_at limit p_limit for update skip locked loop
    if private.subject_failed('spec_dispatch', r.id, r.run, 'timeout', v_late) then v_timed_out := v_timed_out + 1; end if;
  end loop;
  for r in select id, run from public.image_jobs where status = 'running' and deadline_at < now()
            order by deadline_at limit p_limit for update skip locked loop
    if private.subject_failed('image_dispatch', r.id, r.run, 'timeout', v_late) then v_timed_out := v_timed_out + 1; end if;
  end loop;
  return jsonb_build_object('dead', v_dead, 'timed_out', v_timed_out);
end $$;
