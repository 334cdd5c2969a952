-- Adds downloads of many specs as one ZIP file. `create_spec_download` stores the selection and returns the id that the
-- download link contains.

create table private.spec_downloads (
  id uuid primary key default gen_random_uuid(),
  -- Only this user can use the download.
  user_id uuid not null references auth.users (id) on delete cascade,
  spec_ids uuid[] not null check (cardinality(spec_ids) between 1 and 500),
  created_at timestamptz not null default now()
);
create index spec_downloads_user on private.spec_downloads (user_id);
create index spec_downloads_age on private.spec_downloads (created_at);

-- Prepares a download, which is valid for an hour.
-- outcome: created (with the id) | not_found (none of the specs exists) | too_many_bytes
create function public.create_spec_download(p_user uuid, p_ids uuid[], p_max_bytes bigint) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_id uuid;
  v_count int;
  v_bytes bigint;
begin
  select count(*), sum(size_bytes) into v_count, v_bytes from public.specs where id = any (p_ids);
  if v_count = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_bytes > p_max_bytes then return jsonb_build_object('outcome', 'too_many_bytes'); end if;
  delete from private.spec_downloads where created_at < now() - interval '1 hour';
  insert into private.spec_downloads (user_id, spec_ids) values (p_user, p_ids) returning id into v_id;
  perform private.write_audit('spec.downloaded', null, v_count || case when v_count = 1 then ' spec' else ' specs' end,
    null, p_user);
  return jsonb_build_object('outcome', 'created', 'id', v_id);
end $$;

-- Returns the specs of a download in the order in which they were chosen, without those that no longer exist. Returns
-- no rows if the download belongs to another user or has expired.
create function public.spec_download(p_id uuid, p_user uuid)
returns table (path text, file_name text, brand text, area text, property text, created_at timestamptz)
language sql stable set search_path = '' as $$
  select s.storage_path, s.file_name, s.brand_name, s.area, s.property_name, s.created_at
    from private.spec_downloads d
    join public.specs s on s.id = any (d.spec_ids)
   where d.id = p_id and d.user_id = p_user and d.created_at > now() - interval '1 hour'
   order by array_position(d.spec_ids, s.id)
$$;

alter table private.spec_downloads enable row level security;
grant select, insert, delete on private.spec_downloads to service_role;
revoke execute on function public.create_spec_download(uuid, uuid[], bigint), public.spec_download(uuid, uuid)
  from public, anon, authenticated;
grant execute on function public.create_spec_download(uuid, uuid[], bigint), public.spec_download(uuid, uuid)
  to service_role;
