-- Idempotency keys and rate limits.

create table private.idempotency_keys (
  user_id uuid not null,
  scope text not null,
  key text not null,
  request_sha256 text not null,
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, scope, key)
);
create index idempotency_keys_age on private.idempotency_keys (created_at);

-- Returns null if the request has no key or is the first with its key. Returns the stored response if the request
-- repeats the first one, or idempotency_mismatch if it differs from the first one. The first request must create its
-- rows in the same transaction as this call. A concurrent repeated request waits here until that transaction has ended.
create function private.idempotency_begin(p_user uuid, p_scope text, p_key text, p_sha256 text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_row private.idempotency_keys;
begin
  if p_key is null then return null; end if;
  insert into private.idempotency_keys (user_id, scope, key, request_sha256)
  values (p_user, p_scope, p_key, p_sha256) on conflict do nothing;
  if found then return null; end if;
  select * into v_row from private.idempotency_keys where user_id = p_user and scope = p_scope and key = p_key;
  if v_row.request_sha256 <> p_sha256 then return jsonb_build_object('outcome', 'idempotency_mismatch'); end if;
  return v_row.answer;
end $$;

-- Returns the response, after storing it if something was created. A rejection is not stored, so the caller can correct
-- the cause and retry with the same key.
create function private.idempotency_end(p_user uuid, p_scope text, p_key text, p_answer jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_key is null then return p_answer; end if;
  if p_answer ->> 'outcome' = 'created' then
    update private.idempotency_keys set answer = p_answer where user_id = p_user and scope = p_scope and key = p_key;
  else
    delete from private.idempotency_keys where user_id = p_user and scope = p_scope and key = p_key;
  end if;
  return p_answer;
end $$;

create table private.rate_buckets (key text primary key, tat timestamptz not null);
create index rate_buckets_age on private.rate_buckets (tat);

-- Returns 0 if the request is allowed, otherwise the milliseconds to wait. Uses the generic cell rate algorithm, which
-- needs only one row per key. `tat` is the theoretical arrival time of the next request.
create function public.rate_take(p_key text, p_burst int, p_interval_ms int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_step interval := make_interval(secs => p_interval_ms / 1000.0);
  v_tat timestamptz;
begin
  insert into private.rate_buckets as b (key, tat) values (p_key, v_now + v_step)
  on conflict (key) do update set tat = greatest(b.tat, v_now) + v_step
    where greatest(b.tat, v_now) + v_step <= v_now + v_step * p_burst;
  if found then return 0; end if;
  select tat into v_tat from private.rate_buckets where key = p_key;
  return greatest(1, ceil(extract(epoch from (v_tat + v_step) - (v_now + v_step * p_burst)) * 1000))::int;
end $$;

alter table private.idempotency_keys enable row level security;
alter table private.rate_buckets enable row level security;
grant select, insert, update, delete on private.idempotency_keys, private.rate_buckets to service_role;
revoke execute on all functions in schema private from public, anon;
grant execute on function private.idempotency_begin(uuid, text, text, text),
  private.idempotency_end(uuid, text, text, jsonb) to service_role;
revoke execute on function public.rate_take(text, int, int) from public, anon, authenticated;
grant execute on function public.rate_take(text, int, int) to service_role;
