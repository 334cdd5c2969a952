-- The documents of projects. The main document has the id of the project. It has no row until it is first saved,
-- renamed or archived, and cannot be deleted.

-- Trigger function that rejects a change of an archived document with the status 409.
create function private.require_open_document() returns trigger
language plpgsql stable set search_path = '' as $$
begin
  if old.archived_at is not null then raise exception using errcode = 'PT409', message = 'document_archived'; end if;
  return new;
end $$;

-- `version` counts the saves, from 1. Users do not see deleted documents.
create table public.project_pages (
  project_id uuid not null references public.projects (id) on delete cascade,
  version int not null default 1,
  format text not null default 'A4' check (format in ('A4', 'letter', 'A3', '16:9', 'square', 'custom')),
  orientation text not null default 'portrait' check (orientation in ('portrait', 'landscape')),
  cover jsonb not null default '{}',
  -- json, because storing 13 MB as jsonb takes four times as long.
  pages json not null default '[]' check (json_typeof(pages) = 'array'),
  updated_by uuid references auth.users (id) on delete set null,
  updated_at timestamptz not null default now(),
  -- A BCP 47 tag.
  language text not null default 'en' check (length(language) between 2 and 35),
  -- The settings without a column of their own, such as the masters. The app supplies defaults.
  settings json not null default '{}' check (json_typeof(settings) = 'object'),
  id uuid primary key,
  name text not null default 'Main document' check (char_length(name) between 1 and 120),
  created_at timestamptz not null default now(),
  archived_at timestamptz,
  -- After the retention period, the sweep removes the document.
  deleted_at timestamptz check (deleted_at is null or id <> project_id)
);
create index project_pages_project on public.project_pages (project_id);
create index project_pages_updated_by on public.project_pages (updated_by);
create index project_pages_deleted_age on public.project_pages (deleted_at) where deleted_at is not null;

alter table public.project_pages enable row level security;
grant select on public.project_pages to anon, authenticated;
create policy project_pages_read on public.project_pages for select to authenticated, anon
  using (
    deleted_at is null and ((select private.is_admin()) or project_id = any (array(select private.my_projects()))));
create policy anon_needs_token on public.project_pages as restrictive for select to anon
  using ((select private.has_token()));

create trigger require_open_project before insert or update of version, name, archived_at, deleted_at
  on public.project_pages for each row execute function private.require_open_project();
create trigger require_open_document before update of version on public.project_pages
  for each row execute function private.require_open_document();

-- Returns whether a project, which can have 99 documents besides the main one, has room for another. Serializes the
-- transactions that ask.
create function private.has_room_for_document(p_project uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('documents:' || p_project, 0));
  return (select count(*) from public.project_pages d
           where d.project_id = p_project and d.id <> p_project and d.deleted_at is null) < 99;
end $$;

-- Creates a document as a copy of `p_copy_of`, or without pages and with the paper, language and settings of the main
-- document. The given ones are for a main document without a row. Does nothing if the document exists.
-- outcome: created | not_found (there is no document to copy) | too_many (all with the id) | idempotency_mismatch
create function public.create_document(p_user uuid, p_project uuid, p_document uuid, p_name text, p_format text,
  p_orientation text, p_language text, p_cover jsonb, p_settings json, p_copy_of uuid default null,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_scope text := 'documents:' || p_project;
  v_result jsonb := private.idempotency_begin(p_user, v_scope, p_idempotency_key, p_request_sha256);
  v_source_id uuid := coalesce(p_copy_of, p_project);
  v_outcome text := 'created';
begin
  if v_result is not null then return v_result; end if;
  if p_document <> p_project and not private.has_room_for_document(p_project) then
    v_outcome := 'too_many';
  else
    insert into public.project_pages (id, project_id, name, format, orientation, language, cover, settings, pages, updated_by)
    select p_document, p_project, p_name, coalesce(d.format, p_format), coalesce(d.orientation, p_orientation),
           coalesce(d.language, p_language), case when d.id = p_copy_of then d.cover else p_cover end,
           coalesce(d.settings, p_settings), case when d.id = p_copy_of then d.pages else '[]' end, p_user
      from (values (1)) one
      left join public.project_pages d on d.id = v_source_id and d.project_id = p_project and d.deleted_at is null
     where d.id is not null or v_source_id = p_project
    on conflict (id) do nothing;
    if not found and v_source_id <> p_project then v_outcome := 'not_found'; end if;
  end if;
  v_result := jsonb_build_object('outcome', v_outcome, 'id', p_document);
  return private.idempotency_end(p_user, v_scope, p_idempotency_key, v_result);
end $$;

-- Saves a document, by default the main one, if `p_version` is its version: 0 for a main document without a row.
-- outcome: saved (with the new version) | conflict (with the current version) | not_found
create function public.save_project_pages(p_user uuid, p_project uuid, p_version int, p_format text, p_orientation text,
  p_cover jsonb, p_pages json, p_language text, p_settings json, p_document uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_document_id uuid := coalesce(p_document, p_project);
  v_version int;
begin
  if p_version = 0 and v_document_id = p_project then
    insert into public.project_pages (id, project_id, format, orientation, language, cover, settings, pages, updated_by)
    values (p_project, p_project, p_format, p_orientation, p_language, p_cover, p_settings, p_pages, p_user)
    on conflict (id) do nothing returning version into v_version;
  else
    update public.project_pages
       set version = version + 1, format = p_format, orientation = p_orientation, language = p_language,
           cover = p_cover, settings = p_settings, pages = p_pages, updated_by = p_user,
           updated_at = clock_timestamp()
     where id = v_document_id and project_id = p_project and deleted_at is null and version = p_version
    returning version into v_version;
  end if;
  if v_version is not null then return jsonb_build_object('outcome', 'saved', 'version', v_version); end if;
  select version into v_version from public.project_pages
   where id = v_document_id and project_id = p_project and deleted_at is null;
  if not found and v_document_id <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_version, 0));
end $$;

-- Returns false if there is no such document. The main document must have a row.
create function public.rename_document(p_project uuid, p_document uuid, p_name text) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set name = p_name
   where id = p_document and project_id = p_project and deleted_at is null;
  return found;
end $$;

-- Archives or unarchives a document. Archiving it again keeps the time. Returns false if there is no such document. The
-- main document must have a row.
create function public.archive_document(p_project uuid, p_document uuid, p_archived boolean) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set archived_at = case when p_archived then coalesce(archived_at, now()) end
   where id = p_document and project_id = p_project and deleted_at is null;
  return found;
end $$;

-- Deletes a document other than the main one, and removes all but the 100 that were deleted last, to bound the storage.
-- Returns false if there is no such document.
create function public.delete_document(p_project uuid, p_document uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set deleted_at = clock_timestamp()
   where id = p_document and project_id = p_project and id <> project_id and deleted_at is null;
  if not found then return false; end if;
  delete from public.project_pages where id = any (array(
    select id from public.project_pages where project_id = p_project and deleted_at is not null
     order by deleted_at desc, id desc offset 100));
  return true;
end $$;

-- Restores a document that was deleted less than `p_within_s` seconds ago.
-- outcome: restored | not_found (no such document was deleted in that time) | too_many
create function public.restore_document(p_project uuid, p_document uuid, p_within_s int) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_deleted_after timestamptz := now() - make_interval(secs => p_within_s);
begin
  perform 1 from public.project_pages
   where id = p_document and project_id = p_project and deleted_at > v_deleted_after;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if not private.has_room_for_document(p_project) then return jsonb_build_object('outcome', 'too_many'); end if;
  update public.project_pages set deleted_at = null
   where id = p_document and project_id = p_project and deleted_at > v_deleted_after;
  return jsonb_build_object('outcome', case when found then 'restored' else 'not_found' end);
end $$;

-- Removes at most `p_limit` documents that were deleted more than `p_age_s` seconds ago. Returns their number.
create function public.remove_deleted_documents(p_age_s int, p_limit int) returns int
language sql volatile set search_path = '' as $$
  with removed as (
    delete from public.project_pages where id = any (array(
      select id from public.project_pages where deleted_at < now() - make_interval(secs => p_age_s)
       order by deleted_at limit p_limit)) returning 1)
  select count(*)::int from removed
$$;
