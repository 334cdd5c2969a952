-- The documents of a project and the functions that write them. Users read the table directly.
--
-- The main document of a project has the id of the project, so a project alone identifies its main document. The main
-- document has no row until it is first saved, renamed or archived, and cannot be deleted.

-- Rejects changes to the content of an archived document. PostgREST turns PT409 into the status 409.
create function private.require_open_document() returns trigger
language plpgsql stable set search_path = '' as $$
begin
  if old.archived_at is not null then raise exception using errcode = 'PT409', message = 'document_archived'; end if;
  return new;
end $$;

-- A row is the current state of one document. `version` counts its saves, starting at 1. Deleted documents stay here,
-- hidden from users, until they are restored or removed.
create table public.project_pages (
  project_id uuid not null references public.projects (id) on delete cascade,
  version int not null default 1,
  format text not null default 'A4' check (format in ('A4', 'letter', 'A3', '16:9', 'square', 'custom')),
  orientation text not null default 'portrait' check (orientation in ('portrait', 'landscape')),
  cover jsonb not null default '{}',
  -- json instead of jsonb, because no query filters by values inside it and storing 13 MB is four times as fast.
  pages json not null default '[]' check (json_typeof(pages) = 'array'),
  updated_by uuid references auth.users (id) on delete set null,
  updated_at timestamptz not null default now(),
  -- A BCP 47 tag.
  language text not null default 'en' check (length(language) between 2 and 35),
  -- The settings that have no column of their own, such as the custom paper size, the margin, and the masters. The app
  -- supplies the defaults of missing settings.
  settings json not null default '{}' check (json_typeof(settings) = 'object'),
  id uuid primary key,
  name text not null default 'Main document' check (char_length(name) between 1 and 120),
  created_at timestamptz not null default now(),
  -- When the document was archived. The content of an archived document cannot be changed.
  archived_at timestamptz,
  -- When the document was deleted. After the retention period, the sweep removes the document.
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

-- Returns whether a project may have one more document. With the main one, it has at most 100 documents that are not
-- deleted. The lock serializes the calls for a project until the transaction ends.
create function private.has_room_for_document(p_project uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('documents:' || p_project, 0));
  -- The main document counts even before it is stored.
  return (select count(*) from public.project_pages d
           where d.project_id = p_project and d.id <> p_project and d.deleted_at is null) < 99;
end $$;

-- Creates a document as a copy of `p_copy_of`. Creates a document without pages if `p_copy_of` is null, or if it is the
-- project's id and the main document has no row. A document without pages gets the paper, language and settings of the
-- main document or, if the main document has no row, the given ones. If `p_document` is the project's id, stores the
-- main document unless it is already stored.
-- outcome: created | not_found (there is no document to copy) | too_many (the project has 100 documents)
create function private.insert_document(p_user uuid, p_project uuid, p_document uuid, p_name text, p_format text,
  p_orientation text, p_language text, p_cover jsonb, p_settings json, p_copy_of uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_document = p_project and exists (select 1 from public.project_pages d where d.id = p_document) then
    return jsonb_build_object('outcome', 'created');
  end if;
  if p_document <> p_project and not private.has_room_for_document(p_project) then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  if p_copy_of is not null then
    insert into public.project_pages (id, project_id, name, format, orientation, language, cover, settings, pages, updated_by)
    select p_document, p_project, p_name, d.format, d.orientation, d.language, d.cover, d.settings, d.pages, p_user
      from public.project_pages d where d.id = p_copy_of and d.project_id = p_project and d.deleted_at is null;
    if found then return jsonb_build_object('outcome', 'created'); end if;
    if p_copy_of <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  end if;
  -- A new document gets the paper, language and settings of the main document. The settings include the masters and the
  -- brand kit.
  insert into public.project_pages (id, project_id, name, format, orientation, language, cover, settings, updated_by)
  select p_document, p_project, p_name, coalesce(m.format, p_format), coalesce(m.orientation, p_orientation),
         coalesce(m.language, p_language), p_cover, coalesce(m.settings, p_settings), p_user
    from (values (1)) one
    left join public.project_pages m on m.id = p_project
  on conflict (id) do nothing;
  return jsonb_build_object('outcome', 'created');
end $$;

-- Creates a document as `private.insert_document` does, but only once for each idempotency key of a user and project.
-- outcome: created | not_found (there is no document to copy) | too_many (the project has 100 documents), all with
-- `p_document` as the id | idempotency_mismatch
create function public.create_document(p_user uuid, p_project uuid, p_document uuid, p_name text, p_format text,
  p_orientation text, p_language text, p_cover jsonb, p_settings json, p_copy_of uuid default null,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_scope text := 'documents:' || p_project;
  v_answer jsonb := private.idempotency_begin(p_user, v_scope, p_idempotency_key, p_request_sha256);
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.insert_document(p_user, p_project, p_document, p_name, p_format, p_orientation, p_language,
    p_cover, p_settings, p_copy_of) || jsonb_build_object('id', p_document);
  return private.idempotency_end(p_user, v_scope, p_idempotency_key, v_answer);
end $$;

-- Saves a document, or the main document without `p_document`, if `p_version` is still its current version. The first
-- save of a main document that has no row takes 0 for `p_version`. If `p_settings` is null, keeps the stored settings.
-- outcome: saved (with the new version) | conflict (with the current version, or 0 if the main document has no row) |
-- not_found
create function public.save_project_pages(p_user uuid, p_project uuid, p_version int, p_format text, p_orientation text,
  p_cover jsonb, p_pages json, p_language text default 'en', p_settings json default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid := coalesce(p_document, p_project);
  v_version int;
begin
  if p_version = 0 and v_document = p_project then
    insert into public.project_pages (id, project_id, format, orientation, language, cover, settings, pages, updated_by)
    values (p_project, p_project, p_format, p_orientation, p_language, p_cover, coalesce(p_settings, '{}'), p_pages, p_user)
    on conflict (id) do nothing returning version into v_version;
  else
    update public.project_pages
       set version = version + 1, format = p_format, orientation = p_orientation, language = p_language,
           cover = p_cover, settings = coalesce(p_settings, settings), pages = p_pages, updated_by = p_user,
           updated_at = clock_timestamp()
     where id = v_document and project_id = p_project and deleted_at is null and version = p_version
    returning version into v_version;
  end if;
  if v_version is not null then return jsonb_build_object('outcome', 'saved', 'version', v_version); end if;
  select version into v_version from public.project_pages
   where id = v_document and project_id = p_project and deleted_at is null;
  if not found and v_document <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
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

-- Archives a document, or unarchives it if `p_archived` is false. Archiving it again keeps the time of the first call.
-- Returns false if there is no such document. The main document must have a row.
create function public.archive_document(p_project uuid, p_document uuid, p_archived boolean) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set archived_at = case when p_archived then coalesce(archived_at, now()) end
   where id = p_document and project_id = p_project and deleted_at is null;
  return found;
end $$;

-- Deletes a document other than the main one; `restore_document` brings it back. Returns false if there is no such
-- document. A project keeps only its 100 most recently deleted documents. The others are removed with their versions,
-- exports and share links, because repeated creation and deletion could otherwise fill the database.
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
-- outcome: restored | not_found (no such document was deleted in that time) | too_many (the project has 100 documents)
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

-- Removes at most `p_limit` documents that were deleted more than `p_age_s` seconds ago, with their versions, exports
-- and share links. Returns the number of documents removed.
create function public.remove_deleted_documents(p_age_s int, p_limit int) returns int
language sql volatile set search_path = '' as $$
  with removed as (
    delete from public.project_pages where id = any (array(
      select id from public.project_pages where deleted_at < now() - make_interval(secs => p_age_s)
       order by deleted_at limit p_limit)) returning 1)
  select count(*)::int from removed
$$;
