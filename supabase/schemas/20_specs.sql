-- Specs: the PDFs of brand standards. A spec consists of a document (the file), a spec upload (brand, area, version and
-- status) and one upload job per run. Only administrators can read these tables.
--
-- Lock order: brands and areas, then specs in the order of their ids, then documents.

-- Returns a file name as `fold_text` converts it, without `.pdf` and what usually differs between versions, such as
-- `v2`, `rev b`, `2026-05-12`, `final` and `(1)`. If nothing is left, removes only `.pdf` and `(1)`. Cut to 500
-- characters, which fit in an index. The high cost keeps the planner from computing the stem of every document.
create function private.file_stem(p_name text) returns text
language sql immutable strict parallel safe cost 10000 set search_path = '' as $$
  select left(coalesce(nullif(btrim(regexp_replace(regexp_replace(f.name,
      '\m(?:(?:v|ver|version|rev|revision) ?\d{1,3}(?: \d{1,2})?|(?:rev|revision) [a-z]|(?:19|20)\d\d(?: ?[01]\d(?: ?[0-3]\d)?)?|final|draft|copy|new|latest|updated)\M',
      ' ', 'g'), ' +', ' ', 'g')), ''), f.name), 500)
    from (select btrim(private.fold_text(regexp_replace(regexp_replace(p_name, '\.pdf$', '', 'i'), '\s*\(\d+\)\s*$', '')))
            as name) f
$$;

-- One row per file of a spec. Deleting the row deletes the spec, but not the file in storage.
create table public.documents (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('spec')),
  storage_path text not null unique,
  file_name text not null check (char_length(file_name) between 1 and 255),
  size_bytes bigint not null check (size_bytes between 1 and 52428800),
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  -- A copy of `spec_uploads.processing_status`.
  processing_status text not null default 'pending'
    check (processing_status in ('pending', 'processing', 'completed', 'failed')),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- Whether the PDF has an owner password, which can restrict printing and editing.
  is_protected boolean not null default false,
  -- `none`: the PDF contains no text. `failed`: the PDF could not be read.
  text_state text not null default 'pending' check (text_state in ('pending', 'done', 'none', 'failed'))
);
create index documents_created_by on public.documents (created_by);
create index documents_file_key on public.documents (private.sort_key(file_name));
create index documents_stem on public.documents (private.file_stem(file_name)) where kind = 'spec';
alter table public.documents enable row level security;
grant select on public.documents to anon, authenticated;
create policy documents_read on public.documents for select to authenticated, anon using ((select private.is_admin()));
create policy anon_needs_token on public.documents as restrictive for select to anon
  using ((select private.has_token()));

-- One row per spec. All versions of a series have the same brand, area and property, and exactly one is current.
create table public.spec_uploads (
  id uuid primary key default gen_random_uuid(),
  document_id uuid not null unique references public.documents (id) on delete cascade,
  brand_id uuid not null references public.brands (id),
  area_type_id uuid not null references public.area_types (id),
  property_name text check (char_length(property_name) between 1 and 120),
  -- A copy of `documents.sha256`.
  sha256 text not null,
  processing_status text not null default 'pending'
    check (processing_status in ('pending', 'processing', 'completed', 'failed')),
  -- Goes up with each visible change, which causes a broadcast.
  status_seq bigint not null default 1,
  -- The number of the current run. An increase puts the run in the queue.
  run int not null default 1 check (run >= 1),
  -- As the workflow service reported it. Null unless the current run is completed.
  sections_count int check (sections_count >= 0),
  error_code text,
  error text,
  -- When the run fails if no result has arrived.
  deadline_at timestamptz,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  started_at timestamptz,
  -- From 0 to 1; null before the first report and after the run has ended.
  progress double precision check (progress between 0 and 1),
  progress_at timestamptz,
  note text check (char_length(note) <= 200),
  series_id uuid not null default gen_random_uuid(),
  version int not null default 1 check (version >= 1),
  is_current boolean not null default true,
  check ((processing_status in ('completed', 'failed')) = (finished_at is not null)),
  check (processing_status <> 'failed' or error_code is not null),
  constraint spec_uploads_version unique (series_id, version)
);
create index spec_uploads_page on public.spec_uploads (created_at desc, id desc);
create index spec_uploads_status on public.spec_uploads (processing_status, created_at desc, id desc);
create index spec_uploads_brand on public.spec_uploads (brand_id, created_at desc, id desc);
create index spec_uploads_brand_status on public.spec_uploads (brand_id, processing_status, created_at desc, id desc);
create index spec_uploads_area on public.spec_uploads (area_type_id, created_at desc, id desc);
create index spec_uploads_created_by on public.spec_uploads (created_by);
create index spec_uploads_overdue on public.spec_uploads (deadline_at) where processing_status = 'processing';
-- Finds duplicates. Not unique, because a retry or a late success can turn a failed spec into a duplicate.
create index spec_uploads_content on public.spec_uploads (brand_id, area_type_id, sha256);
alter table public.spec_uploads enable row level security;
grant select on public.spec_uploads to anon, authenticated;
create policy spec_uploads_read on public.spec_uploads for select to authenticated, anon
  using ((select private.is_admin()));
create policy anon_needs_token on public.spec_uploads as restrictive for select to anon
  using ((select private.has_token()));

-- When the current version of a series is deleted, makes the newest remaining version the current one.
create function private.restore_previous_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.spec_uploads s
     set is_current = true, status_seq = s.status_seq + 1, updated_at = clock_timestamp()
   where s.series_id in (select series_id from removed where is_current)
     and s.version = (select max(v.version) from public.spec_uploads v where v.series_id = s.series_id);
  return null;
end $$;
create trigger restore_previous_version after delete on public.spec_uploads referencing old table as removed
  for each statement execute function private.restore_previous_version();

-- Specs with their brand, area and file, under the reader's row level security.
create view public.specs with (security_invoker = true) as
  select s.id, s.document_id, s.processing_status, s.status_seq, s.run, s.property_name, s.sections_count, s.error_code,
         s.error, s.deadline_at, s.created_by, s.created_at, s.updated_at, b.name as brand_name, a.name as area,
         d.file_name, d.size_bytes, d.sha256, d.storage_path, d.is_protected, s.started_at, s.progress, s.progress_at,
         s.note, s.series_id, s.version, s.is_current
    from public.spec_uploads s
    join public.documents d on d.id = s.document_id
    join public.brands b on b.id = s.brand_id
    join public.area_types a on a.id = s.area_type_id;
grant select on public.specs to anon, authenticated;
create trigger read_only instead of insert or update or delete on public.specs
  for each row execute function private.refuse_write();

-- One row per run of a spec.
create table public.upload_jobs (
  id uuid primary key default gen_random_uuid(),
  spec_upload_id uuid not null references public.spec_uploads (id) on delete cascade,
  run int not null,
  status text not null default 'pending' check (status in ('pending', 'processing', 'completed', 'failed')),
  error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- As they were when the run was created, so that all attempts of its trigger contain the same values.
  brand_name text not null,
  area text not null,
  property_name text,
  unique (spec_upload_id, run)
);
alter table public.upload_jobs enable row level security;
grant select on public.upload_jobs to anon, authenticated;
create policy upload_jobs_read on public.upload_jobs for select to authenticated, anon
  using ((select private.is_admin()));
create policy anon_needs_token on public.upload_jobs as restrictive for select to anon
  using ((select private.has_token()));

-- Writes an audit event about a spec, if it exists. The actor is `p_user` or, if it is null, the caller.
create function private.audit_spec_change(p_action text, p_id uuid, p_user uuid default null) returns void
language sql volatile set search_path = '' as $$
  select private.write_audit(p_action, p_id, s.file_name, concat_ws(' · ', s.brand_name, s.area, s.property_name), p_user)
    from public.specs s where s.id = p_id
$$;

-- Creates a spec with its document and first run. With `p_replaces`, it becomes the next version of that spec, which
-- must be current and have the same brand, area and property. Unless `p_keep_duplicate`, no other spec that has not
-- failed may have the same file, brand, area and property.
-- outcome: created | duplicate (with the oldest existing spec) | idempotency_mismatch | unknown_brand | unknown_area |
-- unknown_spec | other_place | replaced (with the current version)
create function public.create_spec_upload(p_user uuid, p_id uuid, p_brand text, p_area text,
  p_storage_path text, p_file_name text, p_size_bytes bigint, p_sha256 text, p_property_name text default null,
  p_keep_duplicate boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_is_protected boolean default false,
  p_replaces uuid default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'specs', p_idempotency_key, p_request_sha256);
  v_document uuid := gen_random_uuid();
  v_brand uuid;
  v_area uuid;
  v_replaced public.spec_uploads;
begin
  if v_result is not null then return v_result; end if;
  select id into v_brand from public.brands where name_key = private.name_key(p_brand) for key share;
  select id into v_area from public.area_types where name_key = private.name_key(p_area) for key share;
  if v_brand is null then
    v_result := jsonb_build_object('outcome', 'unknown_brand');
  elsif v_area is null then
    v_result := jsonb_build_object('outcome', 'unknown_area');
  elsif not p_keep_duplicate then
    -- Serialize uploads of the same file.
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', v_brand, v_area, p_sha256), 0));
    select jsonb_build_object('outcome', 'duplicate', 'spec_upload_id', id) into v_result from public.spec_uploads
     where brand_id = v_brand and area_type_id = v_area and sha256 = p_sha256 and processing_status <> 'failed'
       and private.name_key(property_name) is not distinct from private.name_key(p_property_name)
     order by created_at, id limit 1;
  end if;
  if v_result is null and p_replaces is not null then
    select * into v_replaced from public.spec_uploads where id = p_replaces for update;
    v_result := case
      when not found then jsonb_build_object('outcome', 'unknown_spec')
      when (v_replaced.brand_id, v_replaced.area_type_id, private.name_key(v_replaced.property_name))
        is distinct from (v_brand, v_area, private.name_key(p_property_name))
        then jsonb_build_object('outcome', 'other_place')
      when not v_replaced.is_current then (
        select jsonb_build_object('outcome', 'replaced', 'spec_upload_id', id, 'version', version)
          from public.spec_uploads where series_id = v_replaced.series_id and is_current)
      end;
  end if;
  if v_result is not null then return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_result); end if;
  if p_replaces is not null then
    update public.spec_uploads
       set is_current = false, status_seq = status_seq + 1, updated_at = clock_timestamp()
     where id = p_replaces;
  end if;
  insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, is_protected, created_by)
  values (v_document, 'spec', p_storage_path, p_file_name, p_size_bytes, p_sha256, p_is_protected, p_user);
  insert into public.spec_uploads (id, document_id, brand_id, area_type_id, property_name, sha256, created_by,
    series_id, version)
  values (p_id, v_document, v_brand, v_area, p_property_name, p_sha256, p_user,
    coalesce(v_replaced.series_id, gen_random_uuid()), coalesce(v_replaced.version, 0) + 1);
  insert into public.upload_jobs (spec_upload_id, run, brand_name, area, property_name)
    select id, run, brand_name, area, property_name from public.specs where id = p_id;
  if p_replaces is not null then
    perform private.write_audit('spec.version_added', p_id, p_file_name,
        concat_ws(' · ', 'v' || s.version, s.brand_name, s.area, s.property_name), p_user)
      from public.specs s where s.id = p_id;
  end if;
  v_result := jsonb_build_object('outcome', 'created', 'spec_upload_id', p_id, 'document_id', v_document);
  return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_result);
end $$;

-- Locks all versions of specs, in the order of their ids.
create function private.lock_series(p_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.spec_uploads
    where series_id in (select series_id from public.spec_uploads where id = any (p_ids)) order by id for update;
end $$;

-- Changes the brand, area and property of all versions of specs. Null leaves a value unchanged; `p_clear_property`
-- removes the property. Can make a spec a duplicate of another. Writing the search words of 500 specs with long texts
-- takes seconds.
-- outcome: edited (with the number of specs in `p_ids`) | unknown_brand | unknown_area
create function public.edit_specs(p_ids uuid[], p_brand text default null, p_area text default null,
  p_property text default null, p_clear_property boolean default false) returns jsonb
language plpgsql volatile set search_path = '' set statement_timeout = '60s' as $$
declare
  v_brand uuid;
  v_area uuid;
  v_count int;
begin
  if p_brand is not null then
    select id into v_brand from public.brands where name_key = private.name_key(p_brand) for key share;
    if not found then return jsonb_build_object('outcome', 'unknown_brand'); end if;
  end if;
  if p_area is not null then
    select id into v_area from public.area_types where name_key = private.name_key(p_area) for key share;
    if not found then return jsonb_build_object('outcome', 'unknown_area'); end if;
  end if;
  perform private.lock_series(p_ids);
  update public.spec_uploads
     set brand_id = coalesce(v_brand, brand_id), area_type_id = coalesce(v_area, area_type_id),
         property_name = case when p_clear_property then null else coalesce(p_property, property_name) end,
         status_seq = status_seq + 1, updated_at = clock_timestamp()
   where series_id in (select series_id from public.spec_uploads where id = any (p_ids));
  select count(*) into v_count from public.spec_uploads where id = any (p_ids);
  return jsonb_build_object('outcome', 'edited', 'count', v_count);
end $$;

-- Deletes the specs that exist among `p_ids`, with their documents, upload jobs and work items. Returns the paths of
-- their files, which the caller deletes.
create function public.delete_specs(p_ids uuid[]) returns text[]
language plpgsql volatile set search_path = '' as $$
declare v_paths text[];
begin
  -- Lock all versions, because deleting the newest one changes the one before it.
  perform private.lock_series(p_ids);
  with deleted as (
    delete from public.documents d using public.spec_uploads s
     where s.id = any (p_ids) and d.id = s.document_id
    returning d.storage_path)
  select coalesce(array_agg(storage_path), '{}') into v_paths from deleted;
  return v_paths;
end $$;

-- Returns a spec with its attempts, its `trigger_retry`, the state of its text and, if it was replaced, the current
-- version, or null.
-- Without `enable_seqscan = off`, the planner would read all brands for each spec.
create function private.spec_json(p_id uuid) returns jsonb
language plpgsql stable set search_path = '' set enable_seqscan = off as $$
begin
  return (
    select to_jsonb(spec) from (
      select s.id, s.document_id, s.brand_name, s.area, s.property_name, s.file_name, s.size_bytes, s.sha256, s.storage_path,
             s.is_protected, s.processing_status, s.status_seq, s.sections_count, s.error, s.progress, s.progress_at, s.note,
             s.started_at, s.deadline_at, s.created_by, s.created_at, s.updated_at, s.version,
             (select d.text_state from public.documents d where d.id = s.document_id) as text_state,
             array(select jsonb_build_object('run', j.run, 'status', j.status, 'error', j.error, 'created_at', j.created_at,
                                             'finished_at', j.finished_at)
                     from public.upload_jobs j where j.spec_upload_id = s.id order by j.run) as attempts,
             case when s.processing_status = 'pending' then private.trigger_retry('spec_dispatch', s.id, s.run) end as retrying,
             case when not s.is_current then (
               select jsonb_build_object('id', n.id, 'version', n.version)
                 from public.spec_uploads n where n.series_id = s.series_id and n.is_current) end as replaced_by
        from public.specs s where s.id = p_id) spec);
end $$;

-- Returns a spec as `spec_json` does, or null if the caller is not an administrator.
create function public.read_spec(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case when private.is_admin() then private.spec_json(p_id) end
$$;
grant execute on function public.read_spec to anon, authenticated;

-- Returns, for each file in `p_files` ([{ file_name, brand, area, property }]), the newest current spec with the same
-- brand, area, property and `file_stem`, if there is one. `n` is the position of the file in the list.
create function public.match_specs(p_files jsonb) returns table (n int, id uuid, file_name text, version int)
language sql stable set search_path = '' as $$
  with files as materialized (
    select f.n::int as n, b.id as brand_id, a.id as area_type_id, private.name_key(f.file ->> 'property') as property,
           private.file_stem(f.file ->> 'file_name') as stem
      from jsonb_array_elements(p_files) with ordinality as f (file, n)
      join public.brands b on b.name_key = private.name_key(f.file ->> 'brand')
      join public.area_types a on a.name_key = private.name_key(f.file ->> 'area')),
  -- Materialized, because the planner could otherwise compute, for each file, the stems of all specs of its brand.
  same_stem as materialized (
    select f.*, d.id as document_id, d.file_name
      from files f join public.documents d on d.kind = 'spec' and private.file_stem(d.file_name) = f.stem)
  select distinct on (d.n) d.n, s.id, d.file_name, s.version
    from same_stem d
    join public.spec_uploads s on s.document_id = d.document_id and s.is_current
      and s.brand_id = d.brand_id and s.area_type_id = d.area_type_id
      and private.name_key(s.property_name) is not distinct from d.property
   order by d.n, s.created_at desc, s.id desc
$$;

-- One row per ZIP download of specs. Its link contains the id and works for an hour.
create table private.spec_downloads (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  spec_ids uuid[] not null check (cardinality(spec_ids) between 1 and 500),
  created_at timestamptz not null default now()
);
create index spec_downloads_user on private.spec_downloads (user_id);
create index spec_downloads_age on private.spec_downloads (created_at);
alter table private.spec_downloads enable row level security;
-- No function changes a row.
revoke update on private.spec_downloads from service_role;

-- Prepares a download of files that have at most `p_max_bytes` in total. Writes an audit event and deletes all expired
-- downloads.
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

-- Returns the specs of a download that still exist, in the order of `spec_ids`. Returns no rows if the download belongs
-- to another user or has expired.
create function public.spec_download(p_id uuid, p_user uuid)
returns table (path text, file_name text, brand text, area text, property text, created_at timestamptz)
language sql stable set search_path = '' as $$
  select s.storage_path, s.file_name, s.brand_name, s.area, s.property_name, s.created_at
    from private.spec_downloads d
    join public.specs s on s.id = any (d.spec_ids)
   where d.id = p_id and d.user_id = p_user and d.created_at > now() - interval '1 hour'
   order by array_position(d.spec_ids, s.id)
$$;
