-- As before, but if the delivery is held, its claim does not count as an attempt, because nothing was sent.
create or replace function public.event_held(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items;
begin
  select * into v_item from private.work_items where id = p_id and kind = 'event_delivery';
  if not found then return false; end if;
  perform private.lock_delivery(v_item.subject_id);
  if not exists (select 1 from private.event_deliveries d join private.event_endpoints e on e.id = d.endpoint_id
                  where d.id = v_item.subject_id and e.paused_at is not null) then
    perform public.work_release(p_id, p_token);
    return false;
  end if;
  update private.work_items
     set state = 'canceled', attempts = greatest(attempts - 1, 0), finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update private.event_deliveries set state = 'held' where id = v_item.subject_id and run = v_item.run and state = 'pending';
  return found;
end $$;
