-- `create_brand` and `create_area` try again if another transaction deletes the row that they conflict with. After ten
-- attempts, they raise PT503, for which PostgREST returns 503. They do not raise 40001, because PostgREST retries it
-- without a limit.

create or replace function public.create_brand(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_answer jsonb := private.idempotency_begin(p_user, 'brands', p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  -- Retry, because a conflicting row can be deleted before it is read.
  for attempt in 1..10 loop
    insert into public.brands (name, created_by) values (p_name, p_user) on conflict (name_key) do nothing;
    v_answer := case when found then jsonb_build_object('outcome', 'created', 'name', p_name)
      else (select jsonb_build_object('outcome', 'exists', 'name', name) from public.brands where name_key = private.name_key(p_name)) end;
    exit when v_answer is not null;
  end loop;
  if v_answer is null then raise exception 'the brand appears and disappears' using errcode = 'PT503'; end if;
  return private.idempotency_end(p_user, 'brands', p_idempotency_key, v_answer);
end $$;

create or replace function public.create_area(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_answer jsonb := private.idempotency_begin(p_user, 'areas', p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  for attempt in 1..10 loop
    insert into public.area_types (name, created_by) values (p_name, p_user) on conflict (name_key) do nothing;
    v_answer := case when found then jsonb_build_object('outcome', 'created', 'name', p_name)
      else (select jsonb_build_object('outcome', 'exists', 'name', name) from public.area_types where name_key = private.name_key(p_name)) end;
    exit when v_answer is not null;
  end loop;
  if v_answer is null then raise exception 'the area appears and disappears' using errcode = 'PT503'; end if;
  return private.idempotency_end(p_user, 'areas', p_idempotency_key, v_answer);
end $$;

-- Counts the matching specs by status. Lowercases the pattern here and not in JavaScript, whose case rules differ from
-- those of the database. The view `specs` lowercases `search_text` in the same way.
create or replace function public.spec_counts(p_brand text default null, p_area text default null,
  p_pattern text default null) returns table (status text, n bigint)
language plpgsql stable set search_path = '' as $$
begin
  if p_pattern is null then
    return query select s.processing_status, count(*) from public.spec_uploads s
     where (p_brand is null or s.brand_id = (select b.id from public.brands b where b.name = p_brand))
       and (p_area is null or s.area_type_id = (select a.id from public.area_types a where a.name = p_area))
     group by 1;
  else
    return query select s.processing_status, count(*) from public.specs s
     where (p_brand is null or s.brand_name = p_brand) and (p_area is null or s.area = p_area)
       and s.search_text like lower(p_pattern)
     group by 1;
  end if;
end $$;
