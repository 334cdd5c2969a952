-- Rewrites frequently called functions in PL/pgSQL. Postgres 17 plans the query of an SQL function again for each
-- statement that calls the function, unless it can inline the function. It cannot inline a function that has
-- `security definer` or `set`. PL/pgSQL keeps its plans while the connection is open. Before, checking a caller's role
-- in a project took 2.5 ms, most of it for planning.

create or replace function private.token_key() returns text
language plpgsql stable set search_path = '' as $$
begin
  return nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-token';
end $$;

create or replace function private.request_id() returns text
language plpgsql stable set search_path = '' as $$
begin
  return left(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-request-id', 80);
end $$;

create or replace function private.is_active(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (
    select 1 from auth.users u
     where u.id = p_user and u.deleted_at is null and (u.banned_until is null or u.banned_until <= now()));
end $$;

create or replace function private.has_admin_role(p_user uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from auth.users u where u.id = p_user and u.raw_app_meta_data ->> 'role' = 'admin');
end $$;

create or replace function private.find_token(p_key text) returns setof private.access_tokens
language plpgsql stable set search_path = '' as $$
begin
  -- Most callers have no access token.
  if p_key is null then return; end if;
  return query select * from private.access_tokens t
   where t.key_sha256 = private.key_sha256(p_key) and t.expires_at > now() and private.is_active(t.account_id);
end $$;

create or replace function private.has_token() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return exists (select 1 from private.find_token(private.token_key()));
end $$;

create or replace function private.is_admin_token(p_token private.access_tokens) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return p_token.role = 'admin' and (p_token.is_service or private.has_admin_role(p_token.account_id));
end $$;

create or replace function private.caller_id() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.token_key() is null then return auth.uid(); end if;
  return (select t.account_id from private.find_token(private.token_key()) t);
end $$;

create or replace function private.is_admin() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.token_key() is not null then
    return coalesce((select private.is_admin_token(t) from private.find_token(private.token_key()) t), false);
  end if;
  return coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = 'admin', false)
    and private.is_active(auth.uid()) and private.has_admin_role(auth.uid());
end $$;

create or replace function private.own_role(p_role text) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((
    select case when private.role_rank(t.role) < private.role_rank(given.role) then t.role else given.role end
      from private.find_token(private.token_key()) t,
           lateral (select case when t.is_service then 'owner' else p_role end as role) given), p_role);
end $$;

create or replace function private.my_projects() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
declare v_caller uuid := private.caller_id();
begin
  if private.is_active(v_caller) then
    return query select m.project_id from public.project_members m join public.projects p on p.id = m.project_id
      where m.user_id = v_caller and p.deleted_at is null;
  end if;
  if (select t.is_service from private.find_token(private.token_key()) t) then
    return query select p.id from public.projects p where p.deleted_at is null;
  end if;
end $$;

create or replace function private.take_own_start(p_burst int, p_interval_ms int) returns int
language plpgsql volatile security definer set search_path = '' as $$
begin
  return public.rate_take('costly:' || private.caller_id(), p_burst, p_interval_ms);
end $$;

create or replace function public.rate_take(p_key text, p_burst int, p_interval_ms int) returns int
language plpgsql volatile set search_path = '' as $$
begin
  return public.rate_take_many(p_key, 1, p_burst, p_interval_ms);
end $$;

create or replace function public.account_state(p_user uuid, p_session uuid default null)
returns table (is_active boolean, is_admin boolean)
language plpgsql stable security definer set search_path = '' as $$
declare v_is_active boolean := private.is_active(p_user) and (p_session is null or exists (
  select 1 from auth.sessions s where s.id = p_session and s.user_id = p_user));
begin
  return query select v_is_active, v_is_active and private.has_admin_role(p_user);
end $$;

create or replace function public.project_access(p_project uuid default null, p_image_job uuid default null,
  p_export_job uuid default null, p_burst int default null, p_interval_ms int default null)
returns table (project_id uuid, role text, wait_ms int)
language plpgsql volatile security invoker set search_path = '' as $$
#variable_conflict use_column
declare
  v_project uuid := coalesce(p_project,
    case when p_image_job is not null then (select j.project_id from public.image_jobs j where j.id = p_image_job) end,
    case when p_export_job is not null then (select e.project_id from public.export_jobs e where e.id = p_export_job) end);
begin
  return query
    select p.id, case when (select private.is_admin()) then 'owner' else private.own_role(m.role) end,
           case when p_burst is null then 0 else private.take_own_start(p_burst, p_interval_ms) end
      from public.projects p
      left join public.project_members m on m.project_id = p.id and m.user_id = (select private.caller_id())
     where p.id = v_project;
end $$;

create or replace function private.work_users(p_kind text) returns setof uuid
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    with recursive users (user_id) as (
      (select w.user_id from private.work_items w where w.state = 'pending' and w.kind = p_kind order by w.user_id limit 1)
      union all
      select (select w.user_id from private.work_items w
               where w.state = 'pending' and w.kind = p_kind and w.user_id > u.user_id order by w.user_id limit 1)
        from users u where u.user_id is not null)
    select user_id from users where user_id is not null;
end $$;

create or replace function public.work_claim(p_kinds text[], p_worker text, p_limit int default 10, p_lease_s int default 30)
returns table (id bigint, kind text, subject_id uuid, run int, attempts int, max_attempts int, lease_token uuid,
  request_id text)
language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
begin
  return query
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
           -- Lock only the items to claim. Skip those that another worker has locked or claimed in the meantime.
           select x.id
             from ranked join private.work_items x on x.id = ranked.id
            where x.state = 'pending' and x.visible_at <= now() and x.attempts < x.max_attempts
            order by ranked.place limit p_limit for update of x skip locked))
  returning w.id, w.kind, w.subject_id, w.run, w.attempts, w.max_attempts, w.lease_token, w.request_id;
end $$;

create or replace function private.can_read_topic(p_topic text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_admin() then
    return p_topic = 'specs' or p_topic like 'project:%' or p_topic like 'document:%' or p_topic like 'image-job:%';
  end if;
  return case
    when p_topic like 'project:%' then
      substr(p_topic, 9) in (select id::text from private.my_projects() id)
    when p_topic like 'document:%' then
      substr(p_topic, 10) in (select id::text from private.my_projects() id)
      or exists (
        select 1 from public.project_pages d
         where d.id::text = substr(p_topic, 10) and d.deleted_at is null
           and d.project_id in (select private.my_projects()))
    when p_topic like 'image-job:%' then exists (
      select 1 from public.image_jobs j
       where j.id::text = substr(p_topic, 11) and j.project_id in (select private.my_projects()))
    else false end;
end $$;

create or replace function private.image_retrying(p_job uuid, p_run int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('maxAttempts', w.max_attempts,
             -- Without a lease, `attempts` does not count the next attempt yet.
             'attempt', least(w.max_attempts, w.attempts + case when w.lease_token is null then 1 else 0 end))
      from private.work_items w
     where w.kind = 'image_dispatch' and w.subject_id = p_job and w.run = p_run and w.state = 'pending'
       and w.last_error is not null
       and (private.is_admin() or exists (
             select 1 from public.image_jobs j where j.id = p_job and j.project_id in (select private.my_projects()))));
end $$;
