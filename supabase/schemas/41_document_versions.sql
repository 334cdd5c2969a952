-- Versions of documents. Saves keep the state that they replace, exports the one that they print, and users the current
-- one. Without `p_document`, a function is about the main document.

create table private.document_versions (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The value of `project_pages.version`.
  version int not null check (version > 0),
  name text check (char_length(name) between 1 and 100),
  printed boolean not null,
  format text not null,
  orientation text not null,
  language text not null,
  cover jsonb not null,
  settings json not null,
  pages json not null,
  -- The hash of each page by its id, to compare versions.
  page_hashes jsonb not null,
  -- The hash of everything but the pages.
  rest_hash text not null,
  -- The paths of its images, which it keeps from being removed.
  images text[] not null,
  bytes int not null,
  saved_by uuid references auth.users (id) on delete set null,
  -- When it was saved, and when it was kept.
  created_at timestamptz not null,
  kept_at timestamptz not null,
  document_id uuid not null references public.project_pages (id) on delete cascade,
  unique (document_id, version)
);
create index document_versions_page on private.document_versions (document_id, created_at desc, id desc);
create index document_versions_project on private.document_versions (project_id);
create index document_versions_saved_by on private.document_versions (saved_by);

-- The service role reads it in `remove_deleted_images`.
alter table private.document_versions enable row level security;
revoke insert, update, delete on private.document_versions from service_role;

create trigger require_open_project before insert or update of name on private.document_versions
  for each row execute function private.require_open_project();

-- Removes the unnamed versions of a document, except printed ones, all from the day before `p_at`, the newest of each
-- day for 30 days, and then the newest of each week. At most 100 printed and 200 other versions stay, each group with at
-- most 64 MB, but always the newest.
create function private.thin_document_versions(p_document uuid, p_at timestamptz) returns void
language sql volatile set search_path = '' as $$
  with ranked as materialized (
    select v.id, v.printed, v.created_at, v.bytes,
           row_number() over (
             partition by v.printed, case
               when v.printed or v.created_at > p_at - interval '1 day' then v.id::text
               when v.created_at > p_at - interval '30 days' then 'day ' || date_trunc('day', v.created_at, 'UTC')
               else 'week ' || date_trunc('week', v.created_at, 'UTC') end
             order by v.created_at desc, v.version desc) as rank
      from private.document_versions v where v.document_id = p_document and v.name is null),
  counted as (
    select r.id, r.printed, row_number() over newest as rank, sum(r.bytes) over newest as bytes
      from ranked r where r.rank = 1
    window newest as (partition by r.printed order by r.created_at desc, r.id))
  delete from private.document_versions v
   where v.document_id = p_document and v.name is null
     and not exists (
       select 1 from counted c
        where c.id = v.id
          and (c.rank = 1 or (c.rank <= case when c.printed then 100 else 200 end and c.bytes <= 67108864)))
$$;

-- Stores a state of a document as a version, or marks its version as printed with `p_printed`. Thins the versions, and
-- returns the id.
create function private.store_document_version(p_document public.project_pages, p_at timestamptz,
  p_printed boolean default false) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  v_content text := p_document.pages::text || p_document.cover::text || p_document.settings::text;
  v_id uuid;
begin
  insert into private.document_versions as v (project_id, document_id, version, printed, format, orientation, language,
    cover, settings, pages, page_hashes, rest_hash, images, bytes, saved_by, created_at, kept_at)
  values (p_document.project_id, p_document.id, p_document.version, p_printed, p_document.format,
    p_document.orientation, p_document.language, p_document.cover, p_document.settings, p_document.pages,
    (select coalesce(jsonb_object_agg(coalesce(page ->> 'id', ''), md5(page::text)), '{}')
       from json_array_elements(p_document.pages) page),
    md5(concat_ws(' ', p_document.format, p_document.orientation, p_document.language, p_document.cover,
      p_document.settings)),
    array(select distinct match[1] from regexp_matches(v_content, '"(images/projects/[^"]+)"', 'g') match),
    octet_length(v_content), p_document.updated_by, p_document.updated_at, p_at)
  on conflict (document_id, version) do update set printed = v.printed or p_printed
  returning id into v_id;
  perform private.thin_document_versions(p_document.id, p_at);
  return v_id;
end $$;

-- Trigger function that keeps the state that a save replaces, at most once in 5 minutes, or in a minute when people
-- take turns.
create function private.keep_replaced_document() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (
    select 1 from private.document_versions v
     where v.document_id = old.id
       and v.kept_at > new.updated_at - case when new.updated_by is not distinct from old.updated_by
                                             then interval '5 minutes' else interval '1 minute' end) then
    perform private.store_document_version(old, new.updated_at);
  end if;
  return null;
end $$;
create trigger keep_replaced after update of version on public.project_pages
  for each row execute function private.keep_replaced_document();

-- Trigger function that sets `version_id` of a new export to the version that it prints, unless the pages, cover or
-- masters in the snapshot differ from the stored ones.
create function private.keep_printed_document() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_document public.project_pages;
begin
  -- The lock prevents a concurrent save.
  select * into v_document from public.project_pages d where d.id = coalesce(new.document_id, new.project_id) for share;
  -- Both store pages as the app serializes them, so equal pages have equal text.
  if (new.snapshot -> 'pages')::text = v_document.pages::text
     and (new.snapshot -> 'cover')::jsonb = v_document.cover
     and (new.snapshot -> 'masters')::jsonb = coalesce((v_document.settings -> 'masters')::jsonb, '[]') then
    new.version_id := private.store_document_version(v_document, now(), p_printed => true);
  end if;
  return new;
end $$;

-- Names a version, or removes its name. Raises document_archived with the status 409.
-- outcome: kept (with the id) | not_found | too_many (50 named versions, or 64 MB of them)
create function public.name_document_version(p_project uuid, p_id uuid, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_document record;
  v_version record;
begin
  -- The lock enforces the limits.
  select d.id, d.archived_at into v_document from public.project_pages d
   where d.id = coalesce(p_document, p_project) and d.project_id = p_project and d.deleted_at is null for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select v.name, v.bytes into v_version from private.document_versions v
   where v.document_id = v_document.id and v.id = p_id;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_name is not null and (
    select count(*) >= 50 or sum(v.bytes) + v_version.bytes > 67108864
      from private.document_versions v
     where v.document_id = v_document.id and v.name is not null and v.id <> p_id) then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  if v_document.archived_at is not null and v_version.name is distinct from p_name then
    raise exception using errcode = 'PT409', message = 'document_archived';
  end if;
  update private.document_versions v set name = p_name where v.id = p_id;
  return jsonb_build_object('outcome', 'kept', 'id', p_id);
end $$;

-- Keeps the current state of a document as a version, and names it unless `p_name` is null. Keeps nothing if it cannot
-- be named (see `name_document_version`).
-- outcome: kept (with the id) | conflict (with the current version) | too_many | not_found
create function public.keep_document_version(p_project uuid, p_version int, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_document public.project_pages;
  v_id uuid;
  v_result jsonb;
begin
  select * into v_document from public.project_pages d
   where d.id = coalesce(p_document, p_project) and d.project_id = p_project and d.deleted_at is null for update;
  if not found and p_document <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_document.version is distinct from p_version then
    return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_document.version, 0));
  end if;
  begin
    v_id := private.store_document_version(v_document, clock_timestamp());
    if p_name is null then return jsonb_build_object('outcome', 'kept', 'id', v_id); end if;
    v_result := public.name_document_version(p_project, v_id, p_name, p_document);
    -- The exception undoes the changes of this block.
    if v_result ->> 'outcome' <> 'kept' then raise exception 'not named' using errcode = 'UNDO1'; end if;
  exception when sqlstate 'UNDO1' then null;
  end;
  return v_result;
end $$;

-- Returns a page of the versions of a document, newest first, after the one saved at `p_before` with the id
-- `p_before_id`. Compares each with the next older one; these columns are null for the oldest.
create function public.list_document_versions(p_project uuid, p_limit int, p_before timestamptz default null,
  p_before_id uuid default null, p_document uuid default null)
returns table (id uuid, version int, name text, printed boolean, saved_by uuid, created_at timestamptz, page_count int,
  added int, removed int, changed int, settings_changed boolean)
language sql stable security definer set search_path = '' as $$
  with listed as materialized (
    select v.*, lag(v.page_hashes) over (order by v.created_at, v.id) as hashes_before,
           lag(v.rest_hash) over (order by v.created_at, v.id) as rest_before
      from (
        select w.id, w.version, w.name, w.printed, w.saved_by, w.created_at, w.page_hashes, w.rest_hash
          from private.document_versions w
          join public.project_pages d on d.id = w.document_id and d.deleted_at is null
         where w.document_id = coalesce(p_document, p_project) and w.project_id = p_project
           and (p_before is null or (w.created_at, w.id) < (p_before, p_before_id))
         -- One more, to compare the last one with.
         order by w.created_at desc, w.id desc limit p_limit + 1) v)
  select l.id, l.version, l.name, l.printed, l.saved_by, l.created_at,
         (select count(*)::int from jsonb_object_keys(l.page_hashes)), pages.added, pages.removed, pages.changed,
         l.rest_hash <> l.rest_before
    from listed l
    left join lateral (
      select count(*) filter (where older.key is null)::int as added,
             count(*) filter (where page.key is null)::int as removed,
             count(*) filter (where page.value <> older.value)::int as changed
        from jsonb_each(l.page_hashes) page full join jsonb_each(l.hashes_before) older using (key)) pages
      on l.hashes_before is not null
   order by l.created_at desc, l.id desc limit p_limit
$$;

-- Returns a version, or no row.
create function public.read_document_version(p_project uuid, p_id uuid, p_document uuid default null)
returns table (version int, format text, orientation text, language text, cover jsonb, settings json, pages json)
language sql stable security definer set search_path = '' as $$
  select v.version, v.format, v.orientation, v.language, v.cover, v.settings, v.pages
    from private.document_versions v
    join public.project_pages d on d.id = v.document_id and d.deleted_at is null
   where v.id = p_id and v.document_id = coalesce(p_document, p_project) and v.project_id = p_project
$$;
