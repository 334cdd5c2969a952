-- What every request needs: idempotency keys, rate limits, and small functions that all other files use.
--
-- Rows here only guard requests. They can be deleted by age without any loss of content.

-- One row per request with an idempotency key. `scope` is what the request creates, and `answer` is the response to the
-- first request with the key.
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
alter table private.idempotency_keys enable row level security;

-- Returns null if the request has no key or is the first with its key. Returns the stored response if the request
-- repeats the first one, or `idempotency_mismatch` if it differs from the first one. The first request must create its
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

-- One row per key that requests are counted under. `tat` is the theoretical arrival time of the next request in the
-- generic cell rate algorithm, which needs no other state.
create table private.rate_buckets (key text primary key, tat timestamptz not null);
create index rate_buckets_age on private.rate_buckets (tat);
alter table private.rate_buckets enable row level security;

-- Counts `p_count` requests, or `p_burst` requests if `p_count` is higher. Returns 0 if they are allowed. Otherwise
-- counts nothing and returns the milliseconds to wait. A key allows `p_burst` requests at once and then one every
-- `p_interval_ms`. Raises 22023 if an argument is null or below 1, because such arguments could reset a limit.
create function public.rate_take_many(p_key text, p_count int, p_burst int, p_interval_ms int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_step interval := make_interval(secs => p_interval_ms / 1000.0);
  v_cost interval := v_step * least(p_count, p_burst);
  v_tat timestamptz;
begin
  if p_count is null or p_count < 1 or p_burst is null or p_burst < 1 or p_interval_ms is null or p_interval_ms < 1 then
    raise exception 'the bounds of a rate must be positive' using errcode = '22023';
  end if;
  insert into private.rate_buckets as b (key, tat) values (p_key, v_now + v_cost)
  on conflict (key) do update set tat = greatest(b.tat, v_now) + v_cost
    where greatest(b.tat, v_now) + v_cost <= v_now + v_step * p_burst;
  if found then return 0; end if;
  select tat into v_tat from private.rate_buckets where key = p_key;
  return least(greatest(1, ceil(extract(epoch from (v_tat + v_cost) - (v_now + v_step * p_burst)) * 1000)), 2147483647)::int;
end $$;

-- Counts one request. Returns 0 if it is allowed, otherwise the milliseconds to wait. The bounds are as in
-- `rate_take_many`.
create function public.rate_take(p_key text, p_burst int, p_interval_ms int) returns int
language plpgsql volatile set search_path = '' as $$
begin
  return public.rate_take_many(p_key, 1, p_burst, p_interval_ms);
end $$;

-- Returns the id that the app sent for the request behind the current statement, cut to 80 characters, or null if it
-- sent none.
create function private.request_id() returns text
language plpgsql stable set search_path = '' as $$
begin
  return left(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-atelier-request-id', 80);
end $$;

-- Returns the time of the database's clock in milliseconds since 1970. Leases, deadlines and due times are compared
-- with this clock.
create function public.clock_ms() returns double precision
language sql volatile set search_path = '' as $$
  select extract(epoch from clock_timestamp()) * 1000
$$;

-- Returns the SHA-256 hash of a key in lowercase hexadecimal. Tables store only this hash, so their content reveals no
-- valid key.
create function private.key_sha256(p_key text) returns text
language sql immutable strict set search_path = '' as $$
  select encode(sha256(convert_to(p_key, 'UTF8')), 'hex')
$$;

-- Trigger function of read-only views. Raises 42501, which the API reports as a missing permission. Without the
-- trigger, a write to such a view causes a server error.
create function private.refuse_write() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'this is read only' using errcode = '42501';
end $$;

-- Raises an error if one of the texts has more than 4,000 characters. Without it, the API accepts megabytes for a
-- search, a filter or a position in a list.
create function private.require_short(variadic p_texts text[]) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if exists (select 1 from unnest(p_texts) t where char_length(t) > 4000) then
    raise string_data_right_truncation using message = 'A text is longer than 4,000 characters.';
  end if;
end $$;

-- Returns the key by which names are compared. Two names count as the same if they differ only in case, compatibility
-- forms (such as full-width letters), spaces around them or the amount of whitespace between words.
create function private.name_key(p_name text) returns text
language sql immutable strict set search_path = '' as $$
  select lower(regexp_replace(btrim(normalize(p_name, NFKC)), '\s+', ' ', 'g'))
$$;

-- Returns a sort key for a string. It ignores case, sorts by Unicode code points in every collation, and contains only
-- characters that need no quotes in a PostgREST filter. Users need the right to execute it for views that call it.
create function private.sort_key(p_text text) returns text
language sql immutable strict set search_path = '' as $$
  select encode(convert_to(lower(p_text), 'UTF8'), 'hex')
$$;
grant execute on function private.sort_key to anon, authenticated;

-- Converts text to lowercase letters and digits, with one space for each sequence of other characters. Removes accents,
-- and replaces some letters that do not decompose, such as `ø` and `ß`, with their usual substitutes.
create function private.fold_text(p_text text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(
    replace(replace(replace(translate(
      lower(regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f]', '', 'g')),
      'øđłıħðς', 'odlihdσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    '[^[:alnum:]]+', ' ', 'g')
$$;

-- Returns the words of a text, as `fold_text` converts it, for full-text search.
create function private.search_words(p_text text) returns tsvector
language sql immutable strict parallel safe cost 500 set search_path = '' as $$
  select to_tsvector('simple'::regconfig, private.fold_text(p_text))
$$;
