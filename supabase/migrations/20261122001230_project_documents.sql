-- Lets a project have several documents. The main document of a project has the id of the project, so anything that
-- identifies a document by its project still works. The main document has no row until it is first saved, renamed or
-- archived, and cannot be deleted.

alter table public.project_pages
  add column id uuid,
  add column name text not null default 'Main document' check (char_length(name) between 1 and 120),
  add column created_at timestamptz not null default now(),
  -- When the document was archived. The content of an archived document cannot be changed.
  add column archived_at timestamptz,
  -- When the document was deleted. After the retention period, the sweep removes the document.
  add column deleted_at timestamptz check (deleted_at is null or id <> project_id);
update public.project_pages set id = project_id, created_at = updated_at;
alter table public.project_pages drop constraint project_pages_pkey, add primary key (id);
create index project_pages_project on public.project_pages (project_id);
create index project_pages_deleted_age on public.project_pages (deleted_at) where deleted_at is not null;

alter policy project_pages_read on public.project_pages
  using (deleted_at is null and ((select private.is_admin()) or project_id = any (array(select private.my_projects()))));

drop trigger require_open_project on public.project_pages;
create trigger require_open_project before insert or update of version, name, archived_at, deleted_at
  on public.project_pages for each row execute function private.require_open_project();

-- Rejects changes to the content of an archived document. PostgREST turns PT409 into the status 409.
create function private.require_open_document() returns trigger
language plpgsql stable set search_path = '' as $$
begin
  if old.archived_at is not null then raise exception using errcode = 'PT409', message = 'document_archived'; end if;
  return new;
end $$;
create trigger require_open_document before update of version on public.project_pages
  for each row execute function private.require_open_document();

-- As before, but for any document of the project. Without `p_document`, saves the main document.
-- outcome: saved (with the new version) | conflict (with the current version) | not_found
drop function public.save_project_pages(uuid, uuid, int, text, text, jsonb, json, text, json);
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

-- Returns whether a document is stored and not deleted.
create function private.is_kept_document(p_document uuid) returns boolean
language sql stable set search_path = '' as $$
  select exists (select 1 from public.project_pages d where d.id = p_document and d.deleted_at is null)
$$;

-- Returns whether a project may have one more document. The lock serializes the calls for a project.
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
-- outcome: created | not_found (there is no document to copy) | too_many
create function public.create_document(p_user uuid, p_project uuid, p_document uuid, p_name text, p_format text,
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

-- Renames a document. Returns false if there is no such document.
create function public.rename_document(p_project uuid, p_document uuid, p_name text) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set name = p_name
   where id = p_document and project_id = p_project and deleted_at is null;
  return found;
end $$;

-- Archives or unarchives a document. Returns false if there is no such document.
create function public.archive_document(p_project uuid, p_document uuid, p_archived boolean) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set archived_at = case when p_archived then coalesce(archived_at, now()) end
   where id = p_document and project_id = p_project and deleted_at is null;
  return found;
end $$;

-- Deletes a document other than the main one; `restore_document` brings it back. Returns false if there is no such
-- document.
create function public.delete_document(p_project uuid, p_document uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update public.project_pages set deleted_at = now()
   where id = p_document and project_id = p_project and id <> project_id and deleted_at is null;
  return found;
end $$;

-- Restores a document that was deleted less than `p_within_s` seconds ago.
-- outcome: restored | not_found | too_many
create function public.restore_document(p_project uuid, p_document uuid, p_within_s int) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if not private.has_room_for_document(p_project) then return jsonb_build_object('outcome', 'too_many'); end if;
  update public.project_pages set deleted_at = null
   where id = p_document and project_id = p_project and deleted_at > now() - make_interval(secs => p_within_s);
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

-- As before, but also sends the id of the document.
create or replace function private.broadcast_document() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(
    jsonb_build_object('version', new.version, 'savedBy', new.updated_by, 'documentId', new.id), 'document',
    'project:' || new.project_id, true);
  return null;
end $$;

-- Notifies the members of a project that its list of documents changed.
create function private.broadcast_documents() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform realtime.send(jsonb_build_object('documentId', new.id), 'documents', 'project:' || new.project_id, true);
  return null;
end $$;
create trigger broadcast_list after insert or update of name, archived_at, deleted_at on public.project_pages
  for each row execute function private.broadcast_documents();

-- As before, but the topic `document:{id}` accepts the id of any document in the caller's projects. Before, it accepted
-- only the id of a project, which is also the id of the project's main document.
create or replace function private.can_read_topic(p_topic text) returns boolean
language sql stable security definer set search_path = '' as $$
  select case
    when private.is_admin() then
      p_topic = 'specs' or p_topic like 'project:%' or p_topic like 'document:%' or p_topic like 'image-job:%'
    when p_topic like 'project:%' then
      substr(p_topic, 9) in (select id::text from private.my_projects() id)
    when p_topic like 'document:%' then
      substr(p_topic, 10) in (select id::text from private.my_projects() id)
      or exists (
        select 1 from public.project_pages d
         where d.id::text = substr(p_topic, 10) and d.deleted_at is null
           and d.project_id in (select private.my_projects()))
    when p_topic like 'image-job:%' then exists (
      select 1 from public.image_jobs j
       where j.id::text = substr(p_topic, 11) and j.project_id in (select private.my_projects()))
    else false end
$$;

-- As before, but the last activity can be that of any document of the project.
create or replace function public.project_cards(p_projects uuid[], p_images int, p_people int)
returns table (project_id uuid, active_at timestamptz, images jsonb, people jsonb, people_count int)
language sql stable security definer set search_path = '' as $$
  select p.id,
         greatest(p.created_at,
           (select max(d.updated_at) from public.project_pages d where d.project_id = p.id and d.deleted_at is null),
           (select j.created_at from public.image_jobs j where j.project_id = p.id order by j.created_at desc limit 1),
           (select v.created_at from public.image_variants v where v.project_id = p.id order by v.created_at desc limit 1),
           (select e.created_at from public.export_jobs e where e.project_id = p.id order by e.created_at desc limit 1)),
         coalesce((
           select jsonb_agg(to_jsonb(i) order by i.created_at desc, i.id desc) from (
             select v.id, coalesce(v.thumb_path, v.path) as path, v.created_at from public.image_variants v
              where v.project_id = p.id and v.deleted_at is null
              order by v.created_at desc, v.id desc limit p_images) i), '[]'),
         coalesce((
           select jsonb_agg(jsonb_build_object('user_id', m.user_id, 'email', coalesce(u.email, ''))
                            order by m.created_at, m.user_id)
             from (select o.user_id, o.created_at from public.project_members o where o.project_id = p.id
                    order by o.created_at, o.user_id limit p_people) m
             join auth.users u on u.id = m.user_id), '[]'),
         (select count(*)::int from public.project_members m where m.project_id = p.id)
    from public.projects p where p.id = any (p_projects)
$$;

-- Each version now belongs to one document, and the limits on versions apply to each document separately.

alter table private.document_versions add column document_id uuid references public.project_pages (id) on delete cascade;
update private.document_versions set document_id = project_id;
alter table private.document_versions
  alter column document_id set not null,
  drop constraint document_versions_project_id_version_key,
  add unique (document_id, version);
drop index private.document_versions_page;
create index document_versions_page on private.document_versions (document_id, created_at desc, id desc);
create index document_versions_project on private.document_versions (project_id);

create function private.require_open_version() returns trigger
language plpgsql stable set search_path = '' as $$
begin
  if exists (select 1 from public.project_pages d where d.id = new.document_id and d.archived_at is not null) then
    raise exception using errcode = 'PT409', message = 'document_archived';
  end if;
  return new;
end $$;
create trigger require_open_document before update of name on private.document_versions
  for each row when (old.name is distinct from new.name) execute function private.require_open_version();

drop function private.thin_document_versions(uuid, timestamptz);
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

create or replace function private.keep_document_version(p_state public.project_pages, p_at timestamptz,
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

create or replace function private.keep_replaced_document() returns trigger
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

drop function public.keep_document_version(uuid, int, text), public.name_document_version(uuid, uuid, text),
  public.list_document_versions(uuid, int, timestamptz, uuid), public.read_document_version(uuid, uuid);

-- This function and the next three are as before, but for any document. Without `p_document`, they use the main
-- document. If the project has no document `p_document`, the outcome of this function is now not_found.
create function public.keep_document_version(p_project uuid, p_version int, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_state public.project_pages;
  v_id uuid;
begin
  -- The lock also serializes calls that name versions of the document, to enforce the limits on named versions.
  select * into v_state from public.project_pages d
   where d.id = coalesce(p_document, p_project) and d.project_id = p_project and d.deleted_at is null for update;
  if not found and p_document <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_state.version is distinct from p_version then
    return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_state.version, 0));
  end if;
  v_id := private.keep_document_version(v_state, clock_timestamp());
  if p_name is not null then return public.name_document_version(p_project, v_id, p_name, p_document); end if;
  return jsonb_build_object('outcome', 'kept', 'id', v_id);
end $$;

create function public.name_document_version(p_project uuid, p_id uuid, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_document uuid := coalesce(p_document, p_project);
begin
  perform 1 from public.project_pages d
   where d.id = v_document and d.project_id = p_project and d.deleted_at is null for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_name is not null and (
    select count(*) >= 50 or sum(v.bytes) + (select n.bytes from private.document_versions n where n.id = p_id) > 67108864
      from private.document_versions v
     where v.document_id = v_document and v.name is not null and v.id <> p_id) then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  update private.document_versions v set name = p_name
   where v.project_id = p_project and v.document_id = v_document and v.id = p_id;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  return jsonb_build_object('outcome', 'kept', 'id', p_id);
end $$;

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

create function public.read_document_version(p_project uuid, p_id uuid, p_document uuid default null)
returns table (version int, format text, orientation text, language text, cover jsonb, settings json, pages json)
language sql stable security definer set search_path = '' as $$
  select v.version, v.format, v.orientation, v.language, v.cover, v.settings, v.pages
    from private.document_versions v
   where v.project_id = p_project and v.document_id = coalesce(p_document, p_project) and v.id = p_id
     and private.is_kept_document(v.document_id)
$$;

-- The document that an export printed; null for the main document, which may have no row.
alter table public.export_jobs
  add column document_id uuid references public.project_pages (id) on delete cascade check (document_id <> project_id);
create index export_jobs_document on public.export_jobs (document_id) where document_id is not null;

create or replace function private.keep_printed_document() returns trigger
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

-- As before, but for any document of the project.
-- outcome: created | idempotency_mismatch | not_found (the project has no such document)
drop function public.create_export_job(uuid, uuid, jsonb, json, text, text, text);
create function public.create_export_job(p_user uuid, p_project uuid, p_options jsonb, p_snapshot json,
  p_input_sha256 text, p_idempotency_key text default null, p_request_sha256 text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'export_jobs', p_idempotency_key, p_request_sha256);
  v_document uuid := nullif(p_document, p_project);
  v_job uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  if v_document is not null and not exists (
    select 1 from public.project_pages d
     where d.id = v_document and d.project_id = p_project and d.deleted_at is null) then
    return private.idempotency_end(p_user, 'export_jobs', p_idempotency_key, jsonb_build_object('outcome', 'not_found'));
  end if;
  insert into public.export_jobs (id, project_id, document_id, options, snapshot, input_sha256, created_by)
  values (v_job, p_project, v_document, p_options, p_snapshot, p_input_sha256, p_user);
  return private.idempotency_end(p_user, 'export_jobs', p_idempotency_key,
    jsonb_build_object('outcome', 'created', 'job_id', v_job));
end $$;

-- The document that a link of the kind `document` shows; null for the main document.
alter table private.share_links
  add column document_id uuid references public.project_pages (id) on delete cascade
    check (document_id is null or (document_id <> project_id and kind = 'document'));
create index share_links_document on private.share_links (document_id) where document_id is not null;

-- As before, but the link of a deleted document does not work.
create or replace function private.is_live_share(p_link private.share_links) returns boolean
language sql stable set search_path = '' as $$
  select p_link.revoked_at is null and p_link.expires_at > now()
     and exists (select 1 from public.projects p where p.id = p_link.project_id and p.deleted_at is null)
     and not exists (select 1 from public.project_pages d where d.id = p_link.document_id and d.deleted_at is not null)
     and (p_link.kind <> 'images' or exists (
       select 1 from public.image_variants v
        where v.project_id = p_link.project_id and v.id = any (p_link.image_ids) and v.deleted_at is null))
$$;

drop function public.create_share_link(uuid, uuid, text, text, uuid[], boolean, boolean, text, int),
  public.list_share_links(uuid), public.open_share_link(text, boolean);

-- As before, but for any document.
-- outcome: created (with the id, creation and expiry times, and number of images) | not_found (the project does not
-- have the document, or has none of the images) | too_many (the project has 100 links that work)
create function public.create_share_link(p_user uuid, p_project uuid, p_kind text, p_name text, p_image_ids uuid[],
  p_allow_download boolean, p_show_prompts boolean, p_key text, p_days int, p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_images uuid[] := array(select v.id from public.image_variants v
    where v.project_id = p_project and v.id = any (p_image_ids) and v.deleted_at is null);
  v_document uuid := nullif(p_document, p_project);
  v_link private.share_links;
begin
  if p_kind = 'images' and cardinality(v_images) = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_document is not null and not exists (
    select 1 from public.project_pages d
     where d.id = v_document and d.project_id = p_project and d.deleted_at is null) then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('share_links:' || p_project, 0));
  if (select count(*) from private.share_links s where s.project_id = p_project and private.is_live_share(s)) >= 100 then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  insert into private.share_links (project_id, document_id, kind, name, image_ids, allow_download, show_prompts,
    key_sha256, created_by, expires_at)
  values (p_project, v_document, p_kind, p_name, v_images, p_allow_download, p_show_prompts, private.key_sha256(p_key),
    p_user, now() + make_interval(days => p_days))
  returning * into v_link;
  return jsonb_build_object('outcome', 'created', 'id', v_link.id, 'image_count', cardinality(v_images),
    'created_at', v_link.created_at, 'expires_at', v_link.expires_at);
end $$;

create function public.list_share_links(p_project uuid)
returns table (id uuid, kind text, document_id uuid, name text, image_count int, allow_download boolean,
  show_prompts boolean, created_by_email text, created_at timestamptz, expires_at timestamptz, opened_count int,
  last_opened_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select s.id, s.kind, case when s.kind = 'document' then coalesce(s.document_id, s.project_id) end, s.name,
         (select count(*)::int from public.image_variants v
           where v.project_id = s.project_id and v.id = any (s.image_ids) and v.deleted_at is null),
         s.allow_download, s.show_prompts, u.email::text, s.created_at, s.expires_at, s.opened_count, s.last_opened_at
    from private.share_links s
    left join auth.users u on u.id = s.created_by
   where s.project_id = p_project and private.is_live_share(s)
   order by s.created_at desc, s.id desc
$$;

create function public.open_share_link(p_key text, p_count boolean)
returns table (id uuid, kind text, project_id uuid, document_id uuid, project_name text, allow_download boolean,
  show_prompts boolean)
language plpgsql volatile security definer set search_path = '' as $$
declare v_link private.share_links;
begin
  select * into v_link from private.find_share(p_key);
  if not found then return; end if;
  if p_count then
    update private.share_links s set opened_count = s.opened_count + 1, last_opened_at = now() where s.id = v_link.id;
  end if;
  return query select v_link.id, v_link.kind, p.id, coalesce(v_link.document_id, p.id), p.name, v_link.allow_download,
      v_link.show_prompts
    from public.projects p where p.id = v_link.project_id;
end $$;

revoke execute on function private.require_open_document(), private.is_kept_document(uuid), private.has_room_for_document(uuid),
  private.broadcast_documents(), private.require_open_version(), private.thin_document_versions(uuid, timestamptz)
  from public, anon;
grant execute on function private.has_room_for_document(uuid) to service_role;
revoke execute on function
  public.save_project_pages(uuid, uuid, int, text, text, jsonb, json, text, json, uuid),
  public.create_document(uuid, uuid, uuid, text, text, text, text, jsonb, json, uuid),
  public.rename_document(uuid, uuid, text), public.archive_document(uuid, uuid, boolean),
  public.delete_document(uuid, uuid), public.restore_document(uuid, uuid, int),
  public.remove_deleted_documents(int, int),
  public.keep_document_version(uuid, int, text, uuid), public.name_document_version(uuid, uuid, text, uuid),
  public.list_document_versions(uuid, int, timestamptz, uuid, uuid), public.read_document_version(uuid, uuid, uuid),
  public.create_export_job(uuid, uuid, jsonb, json, text, text, text, uuid),
  public.create_share_link(uuid, uuid, text, text, uuid[], boolean, boolean, text, int, uuid),
  public.list_share_links(uuid), public.open_share_link(text, boolean)
  from public, anon, authenticated;
grant execute on function
  public.save_project_pages(uuid, uuid, int, text, text, jsonb, json, text, json, uuid),
  public.create_document(uuid, uuid, uuid, text, text, text, text, jsonb, json, uuid),
  public.rename_document(uuid, uuid, text), public.archive_document(uuid, uuid, boolean),
  public.delete_document(uuid, uuid), public.restore_document(uuid, uuid, int),
  public.remove_deleted_documents(int, int),
  public.keep_document_version(uuid, int, text, uuid), public.name_document_version(uuid, uuid, text, uuid),
  public.list_document_versions(uuid, int, timestamptz, uuid, uuid), public.read_document_version(uuid, uuid, uuid),
  public.create_export_job(uuid, uuid, jsonb, json, text, text, text, uuid),
  public.create_share_link(uuid, uuid, text, text, uuid[], boolean, boolean, text, int, uuid),
  public.list_share_links(uuid), public.open_share_link(text, boolean)
  to service_role;

-- Page templates. A user saves pages of a document as a template, which all projects of the studio can then use.

create table private.page_templates (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  -- The project that the images belong to; null after the project has been removed with its images.
  project_id uuid references public.projects (id) on delete set null,
  -- The pages, their masters and their paper.
  content json not null,
  -- The paths of the images in this template. An image that a template contains is removed only with its project.
  images text[] not null,
  page_count int not null,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index page_templates_page on private.page_templates (created_at desc, id desc);
create index page_templates_project on private.page_templates (project_id);
create index page_templates_created_by on private.page_templates (created_by);
-- Read and written only by the functions below.
alter table private.page_templates enable row level security;

-- Saves a template.
-- outcome: created (with the id) | too_many (there are 500)
create function public.create_page_template(p_user uuid, p_project uuid, p_name text, p_content json) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('page_templates', 0));
  if (select count(*) from private.page_templates) >= 500 then return jsonb_build_object('outcome', 'too_many'); end if;
  insert into private.page_templates (name, project_id, content, images, page_count, created_by)
  values (p_name, p_project, p_content,
    array(select distinct match[1] from regexp_matches(p_content::text, '"(images/projects/[^"]+)"', 'g') match),
    json_array_length(p_content -> 'pages'), p_user)
  returning id into v_id;
  return jsonb_build_object('outcome', 'created', 'id', v_id);
end $$;

-- Returns up to `p_limit` templates, newest first, starting after the template that was created at `p_before` and has
-- the id `p_before_id`.
create function public.list_page_templates(p_limit int, p_before timestamptz default null, p_before_id uuid default null)
returns table (id uuid, name text, page_count int, created_by uuid, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.id, t.name, t.page_count, t.created_by, t.created_at from private.page_templates t
   where p_before is null or (t.created_at, t.id) < (p_before, p_before_id)
   order by t.created_at desc, t.id desc limit p_limit
$$;

-- Returns a template with its content, or no row.
create function public.read_page_template(p_id uuid)
returns table (id uuid, name text, page_count int, created_by uuid, created_at timestamptz, content json)
language sql stable security definer set search_path = '' as $$
  select t.id, t.name, t.page_count, t.created_by, t.created_at, t.content from private.page_templates t where t.id = p_id
$$;

-- Returns whether a user may rename and delete a template. `p_user` is null for an administrator.
-- outcome: allowed | not_found | forbidden
create function private.page_template_rights(p_id uuid, p_user uuid) returns text
language sql stable set search_path = '' as $$
  select coalesce((
    select case when p_user is null or t.created_by = p_user then 'allowed' else 'forbidden' end
      from private.page_templates t where t.id = p_id), 'not_found')
$$;

-- Renames a template.
-- outcome: allowed | not_found | forbidden
create function public.rename_page_template(p_id uuid, p_name text, p_user uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_outcome text := private.page_template_rights(p_id, p_user);
begin
  if v_outcome = 'allowed' then update private.page_templates t set name = p_name where t.id = p_id; end if;
  return jsonb_build_object('outcome', v_outcome);
end $$;

-- Deletes a template.
-- outcome: allowed | not_found | forbidden
create function public.delete_page_template(p_id uuid, p_user uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_outcome text := private.page_template_rights(p_id, p_user);
begin
  if v_outcome = 'allowed' then delete from private.page_templates t where t.id = p_id; end if;
  return jsonb_build_object('outcome', v_outcome);
end $$;

-- As before, but also keeps the images of templates.
create or replace function public.remove_deleted_images(p_age_s int, p_limit int) returns int
language sql volatile set search_path = '' as $$
  with shown as materialized (
    select distinct p.project_id, found[1] as path from public.project_pages p,
           regexp_matches(p.pages::text || p.cover::text || p.settings::text, '"(images/projects/[^"]+)"', 'g') found
     where p.project_id in (
       select v.project_id from public.image_variants v where v.deleted_at < now() - make_interval(secs => p_age_s))),
  old as materialized (
    select v.id from public.image_variants v
     where v.deleted_at < now() - make_interval(secs => p_age_s)
       and not exists (select 1 from shown s where s.project_id = v.project_id and s.path = v.path)
       and not exists (
         select 1 from private.document_versions d where d.project_id = v.project_id and v.path = any (d.images))
       and not exists (
         select 1 from private.page_templates t where t.project_id = v.project_id and v.path = any (t.images))
     order by v.deleted_at limit p_limit),
  removed as (
    delete from public.image_variants v using old o
     where v.id = o.id
    returning v.job_id, v.run, v.number),
  noted as (
    update public.image_runs r set removed_number = greatest(r.removed_number, m.number)
      from (select job_id, run, max(number) as number from removed group by job_id, run) m
     where r.job_id = m.job_id and r.run = m.run)
  select count(*)::int from removed
$$;
grant select on private.page_templates to service_role;

revoke execute on function private.page_template_rights(uuid, uuid) from public, anon;
revoke execute on function public.create_page_template(uuid, uuid, text, json),
  public.list_page_templates(int, timestamptz, uuid), public.read_page_template(uuid),
  public.rename_page_template(uuid, text, uuid), public.delete_page_template(uuid, uuid) from public, anon, authenticated;
grant execute on function public.create_page_template(uuid, uuid, text, json),
  public.list_page_templates(int, timestamptz, uuid), public.read_page_template(uuid),
  public.rename_page_template(uuid, text, uuid), public.delete_page_template(uuid, uuid) to service_role;
