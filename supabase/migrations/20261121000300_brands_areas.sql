-- Brands and area types.

-- Two names count as the same if they differ only in case, compatibility forms (such as full-width letters), spaces
-- around them or the amount of whitespace between words.
create function private.name_key(p_name text) returns text
language sql immutable strict set search_path = '' as $$
  select lower(regexp_replace(btrim(normalize(p_name, NFKC)), '\s+', ' ', 'g'))
$$;

create table public.brands (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  name_key text not null generated always as (private.name_key(name)) stored unique,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index brands_created_by on public.brands (created_by);

create table public.area_types (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  name_key text not null generated always as (private.name_key(name)) stored unique,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index area_types_created_by on public.area_types (created_by);

-- outcome: created | exists (with the existing spelling) | idempotency_mismatch
create function public.create_brand(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_answer jsonb := private.idempotency_begin(p_user, 'brands', p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  insert into public.brands (name, created_by) values (p_name, p_user) on conflict (name_key) do nothing;
  v_answer := case when found then jsonb_build_object('outcome', 'created', 'name', p_name)
    else (select jsonb_build_object('outcome', 'exists', 'name', name) from public.brands where name_key = private.name_key(p_name)) end;
  -- If v_answer is null, the conflicting row has just been deleted, so the caller must try again.
  if v_answer is null then raise exception 'try again' using errcode = '40001'; end if;
  return private.idempotency_end(p_user, 'brands', p_idempotency_key, v_answer);
end $$;

create function public.create_area(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_answer jsonb := private.idempotency_begin(p_user, 'areas', p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  insert into public.area_types (name, created_by) values (p_name, p_user) on conflict (name_key) do nothing;
  v_answer := case when found then jsonb_build_object('outcome', 'created', 'name', p_name)
    else (select jsonb_build_object('outcome', 'exists', 'name', name) from public.area_types where name_key = private.name_key(p_name)) end;
  if v_answer is null then raise exception 'try again' using errcode = '40001'; end if;
  return private.idempotency_end(p_user, 'areas', p_idempotency_key, v_answer);
end $$;

alter table public.brands enable row level security;
alter table public.area_types enable row level security;
create policy brands_read on public.brands for select to authenticated using (true);
create policy area_types_read on public.area_types for select to authenticated using (true);
revoke all on public.brands, public.area_types from anon, authenticated;
grant select on public.brands, public.area_types to authenticated;
grant all on public.brands, public.area_types to service_role;
revoke execute on all functions in schema private from public, anon;
grant execute on function private.name_key(text) to authenticated, service_role;
revoke execute on function public.create_brand(uuid, text, text, text), public.create_area(uuid, text, text, text)
  from public, anon, authenticated;
grant execute on function public.create_brand(uuid, text, text, text), public.create_area(uuid, text, text, text)
  to service_role;
