-- Lets administrators stop a spec, for example if its workflow never reports a result.

-- Fails the current run of a spec that is queued or being processed. Later callbacks do not change the result of this
-- run. For a spec that is already stopped, does nothing and returns stopped.
-- outcome: stopped | conflict (with the current status) | not_found
create function public.stop_spec(p_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_spec public.spec_uploads;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_spec.error_code = 'stopped' then return jsonb_build_object('outcome', 'stopped'); end if;
  if not private.move_spec(p_id, v_spec.run, array['pending', 'processing'], 'failed', 'stopped',
    'Stopped by an administrator.') then
    return jsonb_build_object('outcome', 'conflict', 'status', v_spec.processing_status);
  end if;
  update private.work_items set state = 'canceled', finished_at = clock_timestamp(), lease_token = null
   where kind = 'spec_dispatch' and subject_id = p_id and state = 'pending';
  perform private.write_audit('spec.stopped', p_id, s.file_name,
      concat_ws(' · ', s.brand_name, s.area, s.property_name))
    from public.specs s where s.id = p_id;
  return jsonb_build_object('outcome', 'stopped');
end $$;

revoke execute on function public.stop_spec(uuid) from public, anon, authenticated;
grant execute on function public.stop_spec(uuid) to service_role;
