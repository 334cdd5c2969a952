-- Versions of documents. A save keeps the state that it replaces, unless a version was kept shortly before. An export
-- keeps the state that it prints, if this is the saved state. Users can keep and name versions.
--
-- Wherever a function takes `p_document`, null stands for the main document of `p_project`.

-- Rejects a new name for a version of an archived document. PostgREST turns PT409 into the status 409.
create function private.require_open_version() returns trigger
language plpgsql stable set search_path = '' as $$
begin
  if exists (select 1 from public.project_pages d where d.id = new.document_id and d.archived_at is not null) then
    raise exception using errcode = 'PT409', message = 'document_archived';
  end if;
  return new;
end $$;

-- A row is one state of a document. A document has each `version` at most once. `thin_document_versions` removes
-- versions without a name.
create table private.document_versions (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The value of `project_pages.version`.
  version int not null check (version > 0),
  name text check (char_length(name) between 1 and 100),
  -- Whether an export printed this version.
  printed boolean not null,
  format text not null,
  orientation text not null,
  language text not null,
  cover jsonb not null,
  settings json not null,
  pages json not null,
  -- Maps the id of each page to the hash of the page. The hashes show which pages differ between two versions.
  page_hashes jsonb not null,
  -- The hash of everything but the pages.
  rest_hash text not null,
  -- The paths of the images in this version. An image is not removed while a version contains its path.
  images text[] not null,
  bytes int not null,
  saved_by uuid references auth.users (id) on delete set null,
  -- When an editor saved this state, and when it was kept as a version.
  created_at timestamptz not null,
  kept_at timestamptz not null,
  document_id uuid not null references public.project_pages (id) on delete cascade,
  unique (document_id, version)
);
create index document_versions_page on private.document_versions (document_id, created_at desc, id desc);
create index document_versions_project on private.document_versions (project_id);
create index document_versions_saved_by on private.document_versions (saved_by);

-- Read and written only by the functions below, except that `remove_deleted_images` reads it as the service role.
alter table private.document_versions enable row level security;
revoke insert, update, delete on private.document_versions from service_role;

create trigger require_open_project before insert or update of name on private.document_versions
  for each row execute function private.require_open_project();
create trigger require_open_document before update of name on private.document_versions
  for each row when (old.name is distinct from new.name) execute function private.require_open_version();

-- Removes versions that are not needed at `p_at`. Of the versions that have no name and were not printed by an export,
-- keeps all from the last day, then the newest of each day for 30 days, and then the newest of each week. To bound the
-- storage, a document keeps at most 200 of these versions, and at most 100 printed versions without a name. Each of
-- these two groups has at most 64 MB, but its newest version always stays. The groups are counted separately, so
-- frequent saves do not remove printed versions. Named versions are not removed. `name_document_version` limits their
-- number and size.
create function private.thin_document_versions(p_document uuid, p_at timestamptz) returns void
language sql volatile set search_path = '' as $$
  with thinned as materialized (
    select v.id, v.printed, v.created_at, v.bytes,
           row_number() over (
             partition by v.printed, case
               when v.printed or v.created_at > p_at - interval '1 day' then v.id::text
               when v.created_at > p_at - interval '30 days' then 'day ' || date_trunc('day', v.created_at, 'UTC')
               else 'week ' || date_trunc('week', v.created_at, 'UTC') end
             order by v.created_at desc, v.version desc) as place
      from private.document_versions v where v.document_id = p_document and v.name is null),
  counted as (
    select t.id, t.printed, row_number() over newest as place, sum(t.bytes) over newest as bytes
      from thinned t where t.place = 1
    window newest as (partition by t.printed order by t.created_at desc, t.id))
  delete from private.document_versions v
   where v.document_id = p_document and v.name is null
     and not exists (
       select 1 from counted c
        where c.id = v.id
          and (c.place = 1 or (c.place <= case when c.printed then 100 else 200 end and c.bytes <= 67108864)))
$$;

-- Keeps a state of a document as a version and returns the id of the version. If the state is already kept, only
-- updates its version: sets the name unless `p_name` is null, and marks the version as printed if `p_printed` is true.
-- Then thins the versions of the document.
create function private.keep_document_version(p_state public.project_pages, p_at timestamptz,
  p_name text default null, p_printed boolean default false) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  v_shown text := p_state.pages::text || p_state.cover::text || p_state.settings::text;
  v_id uuid;
begin
  update private.document_versions v set name = coalesce(p_name, v.name), printed = v.printed or p_printed
   where v.document_id = p_state.id and v.version = p_state.version returning v.id into v_id;
  if v_id is null then
    insert into private.document_versions (project_id, document_id, version, name, printed, format, orientation, language,
      cover, settings, pages, page_hashes, rest_hash, images, bytes, saved_by, created_at, kept_at)
    values (p_state.project_id, p_state.id, p_state.version, p_name, p_printed, p_state.format, p_state.orientation,
      p_state.language, p_state.cover, p_state.settings, p_state.pages,
      (select coalesce(jsonb_object_agg(coalesce(page ->> 'id', ''), md5(page::text)), '{}') from json_array_elements(p_state.pages) page),
      md5(concat_ws(' ', p_state.format, p_state.orientation, p_state.language, p_state.cover, p_state.settings)),
      array(select distinct match[1] from regexp_matches(v_shown, '"(images/projects/[^"]+)"', 'g') match),
      octet_length(v_shown), p_state.updated_by, p_state.updated_at, p_at)
    on conflict (document_id, version) do update
       set name = coalesce(p_name, document_versions.name), printed = document_versions.printed or p_printed
    returning id into v_id;
  end if;
  perform private.thin_document_versions(p_state.id, p_at);
  return v_id;
end $$;

-- Keeps the state that a save replaces. An editor saves every few seconds, so at most one version is kept per 5 minutes
-- while one person saves, and one per minute when people take turns. After a break, the last state before the break is
-- kept.
create function private.keep_replaced_document() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (
    select 1 from private.document_versions v
     where v.document_id = old.id
       and v.kept_at > new.updated_at - case when new.updated_by is not distinct from old.updated_by
                                             then interval '5 minutes' else interval '1 minute' end) then
    perform private.keep_document_version(old, new.updated_at);
  end if;
  return null;
end $$;
create trigger keep_replaced after update of version on public.project_pages
  for each row execute function private.keep_replaced_document();

-- Keeps the state that a new export prints as a printed version, and sets `version_id` of the export to it. Leaves
-- `version_id` alone if the pages, cover or masters in the snapshot differ from the stored ones. The lock prevents a
-- save between the comparison and the end of the transaction. The trigger is in the file of the exports.
create function private.keep_printed_document() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_state public.project_pages;
begin
  select * into v_state from public.project_pages d where d.id = coalesce(new.document_id, new.project_id) for share;
  -- The snapshot and the document both store pages as the app serializes them, so equal pages have equal text.
  if (new.snapshot -> 'pages')::text = v_state.pages::text
     and (new.snapshot -> 'cover')::jsonb = v_state.cover
     and (new.snapshot -> 'masters')::jsonb = coalesce((v_state.settings -> 'masters')::jsonb, '[]') then
    new.version_id := private.keep_document_version(v_state, now(), p_printed => true);
  end if;
  return new;
end $$;

-- Names or renames a version, or removes its name if `p_name` is null. A document has at most 50 named versions, with
-- at most 64 MB in total. The lock on the document serializes the calls, to enforce these limits.
-- outcome: kept (with the id) | not_found (there is no such document or version) | too_many
create function public.name_document_version(p_project uuid, p_id uuid, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_document uuid := coalesce(p_document, p_project);
  v_bytes bigint;
begin
  perform 1 from public.project_pages d
   where d.id = v_document and d.project_id = p_project and d.deleted_at is null for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select v.bytes into v_bytes from private.document_versions v
   where v.project_id = p_project and v.document_id = v_document and v.id = p_id;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_name is not null and (
    select count(*) >= 50 or sum(v.bytes) + v_bytes > 67108864
      from private.document_versions v
     where v.document_id = v_document and v.name is not null and v.id <> p_id) then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  update private.document_versions v set name = p_name where v.id = p_id;
  return jsonb_build_object('outcome', 'kept', 'id', p_id);
end $$;

-- Keeps the current state of a document as a version, and names it unless `p_name` is null. The limits are those of
-- `name_document_version`. A call that is refused with too_many keeps no version.
-- outcome: kept (with the id) | conflict (with the current version, or 0 if the main document has no row) | too_many |
-- not_found (the project has no such document)
create function public.keep_document_version(p_project uuid, p_version int, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_state public.project_pages;
  v_id uuid;
  v_answer jsonb;
begin
  -- The lock also serializes calls that name versions of the document, to enforce the limits on named versions.
  select * into v_state from public.project_pages d
   where d.id = coalesce(p_document, p_project) and d.project_id = p_project and d.deleted_at is null for update;
  if not found and p_document <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_state.version is distinct from p_version then
    return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_state.version, 0));
  end if;
  begin
    v_id := private.keep_document_version(v_state, clock_timestamp());
    if p_name is null then return jsonb_build_object('outcome', 'kept', 'id', v_id); end if;
    v_answer := public.name_document_version(p_project, v_id, p_name, p_document);
    -- The exception undoes only the changes of this block. The lock was taken before the block, so it is kept.
    if v_answer ->> 'outcome' <> 'kept' then raise exception 'not named' using errcode = 'UNDO1'; end if;
  exception when sqlstate 'UNDO1' then null;
  end;
  return v_answer;
end $$;

-- Returns whether a document is stored and not deleted.
create function private.is_kept_document(p_document uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select 1 from public.project_pages d where d.id = p_document and d.deleted_at is null)
$$;

-- Returns up to `p_limit` versions of a document, newest first, starting after the version that was saved at `p_before`
-- and has the id `p_before_id`. Each row counts the pages that were added, removed and changed since the next older
-- version; these counts and `settings_changed` are null for the oldest version.
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
         where w.document_id = coalesce(p_document, p_project) and w.project_id = p_project
           and private.is_kept_document(w.document_id)
           and (p_before is null or (w.created_at, w.id) < (p_before, p_before_id))
         -- Read one row more than `p_limit`, to compare the last returned version with the next older one.
         order by w.created_at desc, w.id desc limit p_limit + 1) v)
  select l.id, l.version, l.name, l.printed, l.saved_by, l.created_at,
         (select count(*)::int from jsonb_object_keys(l.page_hashes)),
         case when l.hashes_before is not null then
           (select count(*)::int from jsonb_object_keys(l.page_hashes) k where not l.hashes_before ? k) end,
         case when l.hashes_before is not null then
           (select count(*)::int from jsonb_object_keys(l.hashes_before) k where not l.page_hashes ? k) end,
         case when l.hashes_before is not null then
           (select count(*)::int from jsonb_each(l.page_hashes) p
             where l.hashes_before ? p.key and l.hashes_before -> p.key <> p.value) end,
         l.rest_hash <> l.rest_before
    from listed l order by l.created_at desc, l.id desc limit p_limit
$$;

-- Returns one version in the form of a row of `project_pages`, or no row.
create function public.read_document_version(p_project uuid, p_id uuid, p_document uuid default null)
returns table (version int, format text, orientation text, language text, cover jsonb, settings json, pages json)
language sql stable security definer set search_path = '' as $$
  select v.version, v.format, v.orientation, v.language, v.cover, v.settings, v.pages
    from private.document_versions v
   where v.project_id = p_project and v.document_id = coalesce(p_document, p_project) and v.id = p_id
     and private.is_kept_document(v.document_id)
$$;
