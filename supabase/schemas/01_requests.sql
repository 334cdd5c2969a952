-- What every request needs: idempotency keys, rate limits and shared functions.
--
-- A function with `p_before` and `p_before_id` returns a page, newest first, that starts after this row.

-- `scope` is what the request creates, and `result` what the first request with the key returned.
create table private.idempotency_keys (
  user_id uuid not null,
  scope text not null,
  key text not null,
  request_sha256 text not null,
  result jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, scope, key)
);
create index idempotency_keys_age on private.idempotency_keys (created_at);
alter table private.idempotency_keys enable row level security;

-- Returns the result of the first request with this key, or null for a request that is the first or has no key. The
-- first must create its rows in this transaction, for which concurrent repetitions wait.
-- outcome: idempotency_mismatch if the request differs from the first
create function private.idempotency_begin(p_user uuid, p_scope text, p_key text, p_sha256 text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_first private.idempotency_keys;
begin
  if p_key is null then return null; end if;
  insert into private.idempotency_keys (user_id, scope, key, request_sha256)
  values (p_user, p_scope, p_key, p_sha256) on conflict do nothing;
  if found then return null; end if;
  select * into v_first from private.idempotency_keys where user_id = p_user and scope = p_scope and key = p_key;
  if v_first.request_sha256 <> p_sha256 then return jsonb_build_object('outcome', 'idempotency_mismatch'); end if;
  return v_first.result;
end $$;

-- Returns `p_result`. Stores it if its outcome is `created`, otherwise releases the key for the corrected request.
create function private.idempotency_end(p_user uuid, p_scope text, p_key text, p_result jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_key is null then return p_result; end if;
  if p_result ->> 'outcome' = 'created' then
    update private.idempotency_keys set result = p_result where user_id = p_user and scope = p_scope and key = p_key;
  else
    delete from private.idempotency_keys where user_id = p_user and scope = p_scope and key = p_key;
  end if;
  return p_result;
end $$;

-- `tat` is the theoretical arrival time of the next request in the generic cell rate algorithm.
create table private.rate_buckets (key text primary key, tat timestamptz not null);
create index rate_buckets_age on private.rate_buckets (tat);
alter table private.rate_buckets enable row level security;

-- Counts up to `p_burst` requests and returns 0, or counts none and returns the milliseconds to wait. A key allows
-- `p_burst` requests at once, then one every `p_interval_ms`. Raises 22023 for a bound that is null or below 1.
create function public.rate_take(p_key text, p_burst int, p_interval_ms int, p_count int default 1) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_interval interval := make_interval(secs => p_interval_ms / 1000.0);
  v_cost interval := v_interval * least(p_count, p_burst);
  v_tat timestamptz;
begin
  if p_count is null or p_count < 1 or p_burst is null or p_burst < 1 or p_interval_ms is null or p_interval_ms < 1 then
    raise exception 'the bounds of a rate must be positive' using errcode = '22023';
  end if;
  insert into private.rate_buckets as b (key, tat) values (p_key, v_now + v_cost)
  on conflict (key) do update set tat = greatest(b.tat, v_now) + v_cost
    where greatest(b.tat, v_now) + v_cost <= v_now + v_interval * p_burst;
  if found then return 0; end if;
  select tat into v_tat from private.rate_buckets where key = p_key;
  return least(greatest(1, ceil(extract(epoch from (v_tat + v_cost) - (v_now + v_interval * p_burst)) * 1000)), 2147483647)::int;
end $$;

-- Returns the id, cut to 80 characters, that the app sent for the request, or null.
create function private.request_id() returns text
language plpgsql stable set search_path = '' as $$
begin
  return left(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-request-id', 80);
end $$;

-- Returns the time that leases and deadlines are compared with, in milliseconds since 1970.
create function public.clock_ms() returns double precision
language sql volatile set search_path = '' as $$
  select extract(epoch from clock_timestamp()) * 1000
$$;

-- Tables store this hash instead of the key.
create function private.key_sha256(p_key text) returns text
language sql immutable strict set search_path = '' as $$
  select encode(sha256(convert_to(p_key, 'UTF8')), 'hex')
$$;

-- Trigger function of read-only views. Raises 42501. Without it, a write is a server error.
create function private.refuse_write() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'this is read only' using errcode = '42501';
end $$;

-- Raises 22001 if a text has more than 4,000 characters.
create function private.require_short(variadic p_texts text[]) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if exists (select 1 from unnest(p_texts) t where char_length(t) > 4000) then
    raise string_data_right_truncation using message = 'A text is longer than 4,000 characters.';
  end if;
end $$;

-- Removes query strings and fragments, which can contain signatures, from the URLs in text from another system.
create function private.strip_url_queries(p_text text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(p_text, '(https?://[^\s?#]*)[?#]\S*', '\1', 'gi')
$$;

-- Returns text from another system as lists show it: without the queries of URLs, and at most 500 characters of it.
create function private.plain_reason(p_text text) returns text
language sql immutable set search_path = '' as $$
  select left(private.strip_url_queries(p_text), 500)
$$;

-- Returns what names are compared by. Ignores case, compatibility forms (such as full-width letters) and whitespace.
create function private.name_key(p_name text) returns text
language sql immutable strict set search_path = '' as $$
  select lower(regexp_replace(btrim(normalize(p_name, NFKC)), '\s+', ' ', 'g'))
$$;

-- Returns a key that ignores case, sorts by code points in every collation and needs no quotes in a PostgREST filter.
create function private.sort_key(p_text text) returns text
language sql immutable strict set search_path = '' as $$
  select encode(convert_to(lower(p_text), 'UTF8'), 'hex')
$$;
grant execute on function private.sort_key to anon, authenticated;

-- Returns the lowercase letters and digits of a text without accents, with one space for each sequence of other
-- characters.
create function private.fold_text(p_text text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(
    replace(replace(replace(translate(
      lower(regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f]', '', 'g')),
      'øđłıħðς', 'odlihdσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    '[^[:alnum:]]+', ' ', 'g')
$$;

create function private.search_words(p_text text) returns tsvector
language sql immutable strict parallel safe cost 500 set search_path = '' as $$
  select to_tsvector('simple'::regconfig, private.fold_text(p_text))
$$;
