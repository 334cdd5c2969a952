-- Schedules work fairly: users take turns, however much work one of them has queued.

alter table private.work_items
  -- The user whose turn the item uses. By default, this is the creator of the item's subject, or all zeros if the
  -- subject has no creator.
  add column user_id uuid not null default '00000000-0000-0000-0000-000000000000',
  -- When the item was last claimed.
  add column claimed_at timestamptz;
create index work_items_turns on private.work_items (kind, user_id, visible_at, id) where state = 'pending';
create index work_items_served on private.work_items (kind, user_id, claimed_at) where claimed_at is not null;

update private.work_items w set user_id = s.created_by
  from (select id, created_by from public.spec_uploads
        union all select id, created_by from public.image_jobs
        union all select id, created_by from public.export_jobs) s
 where s.id = w.subject_id and s.created_by is not null and w.state = 'pending';

create or replace function private.enqueue() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.work_items (kind, subject_id, run, max_attempts, request_id, user_id)
  values (tg_argv[0], new.id, new.run, tg_argv[1]::int, private.request_id(),
          coalesce(new.created_by, '00000000-0000-0000-0000-000000000000'))
  on conflict do nothing;
  return null;
end $$;

-- Returns the users with pending or running work of a kind. Skips through the index from one user to the next, so the
-- cost depends on the number of users, not on the number of work items.
create function private.work_users(p_kind text) returns setof uuid
language sql stable set search_path = '' as $$
  with recursive users (user_id) as (
    (select w.user_id from private.work_items w where w.state = 'pending' and w.kind = p_kind order by w.user_id limit 1)
    union all
    select (select w.user_id from private.work_items w
             where w.state = 'pending' and w.kind = p_kind and w.user_id > u.user_id order by w.user_id limit 1)
      from users u where u.user_id is not null)
  select user_id from users where user_id is not null
$$;

-- Claims work round-robin by kind, so that a backlog of one kind does not delay the others. Within a kind, claims work
-- round-robin by user. A user's running items count as turns. Ties go to the user whose work was claimed least
-- recently.
create or replace function public.work_claim(p_kinds text[], p_worker text, p_limit int default 10, p_lease_s int default 30)
returns table (id bigint, kind text, subject_id uuid, run int, attempts int, max_attempts int, lease_token uuid,
  request_id text)
language sql volatile set search_path = '' as $$
  with ranked as materialized (
    select turns.id, row_number() over (order by turns.place, turns.visible_at) as place
      from (select due.id, due.visible_at,
                   row_number() over (partition by due.kind
                     order by due.turn, due.served_at nulls first, due.visible_at, due.id) as place
              from (select x.id, k.kind, x.visible_at, mine.served_at,
                           row_number() over (partition by k.kind, u.user_id order by x.visible_at, x.id)
                             + mine.under_way as turn
                      from unnest(p_kinds) k (kind)
                        cross join lateral private.work_users(k.kind) u (user_id)
                        cross join lateral (
                          select (select count(*) from private.work_items y
                                   where y.state = 'pending' and y.kind = k.kind and y.user_id = u.user_id
                                     and y.visible_at > now() and y.lease_token is not null) as under_way,
                                 (select max(y.claimed_at) from private.work_items y
                                   where y.kind = k.kind and y.user_id = u.user_id and y.claimed_at is not null) as served_at
                        ) mine
                        cross join lateral (
                          select w.id, w.visible_at from private.work_items w
                           where w.state = 'pending' and w.kind = k.kind and w.user_id = u.user_id
                             and w.visible_at <= now() and w.attempts < w.max_attempts
                           order by w.visible_at, w.id limit p_limit * 4) x) due) turns)
  update private.work_items w
     set attempts = w.attempts + 1, lease_token = gen_random_uuid(), leased_by = p_worker,
         claimed_at = clock_timestamp(), visible_at = clock_timestamp() + make_interval(secs => p_lease_s)
   where w.id = any (array(
           -- Lock only the items to claim. Skip those that another worker has just locked or claimed.
           select x.id
             from ranked join private.work_items x on x.id = ranked.id
            where x.state = 'pending' and x.visible_at <= now() and x.attempts < x.max_attempts
            order by ranked.place limit p_limit for update of x skip locked))
  returning w.id, w.kind, w.subject_id, w.run, w.attempts, w.max_attempts, w.lease_token, w.request_id
$$;

revoke execute on function private.work_users(text) from public, anon;
grant execute on function private.work_users(text) to service_role;
