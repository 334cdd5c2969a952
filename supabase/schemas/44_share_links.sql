-- Share links, with which visitors without an account see chosen images, the gallery or a document of a project. Every
-- function for visitors must find the link with `private.find_share`.

create table private.share_links (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  kind text not null check (kind in ('images', 'gallery', 'document')),
  -- Visitors do not see it.
  name text not null check (char_length(name) between 1 and 80),
  image_ids uuid[] not null default '{}' check (cardinality(image_ids) <= 500),
  allow_download boolean not null,
  show_prompts boolean not null,
  -- A hash of the key, which is a hash of the link's token, as for access tokens.
  key_sha256 text not null unique check (key_sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  opened_count int not null default 0,
  last_opened_at timestamptz,
  -- Null for the main document.
  document_id uuid references public.project_pages (id) on delete cascade,
  check ((kind = 'images') = (cardinality(image_ids) > 0)),
  check (document_id is null or (document_id <> project_id and kind = 'document'))
);
create index share_links_project on private.share_links (project_id, created_at desc, id desc);
create index share_links_document on private.share_links (document_id) where document_id is not null;
create index share_links_created_by on private.share_links (created_by);
create index share_links_ended on private.share_links (least(expires_at, revoked_at));

-- Only the functions below use it.
alter table private.share_links enable row level security;
revoke all on private.share_links from service_role;

-- Returns whether a link works: it is not expired or revoked, its project and document are not deleted, and one of its
-- chosen images is left.
create function private.is_live_share(p_link private.share_links) returns boolean
language sql stable set search_path = '' as $$
  select p_link.revoked_at is null and p_link.expires_at > now()
     and exists (select 1 from public.projects p where p.id = p_link.project_id and p.deleted_at is null)
     and not exists (select 1 from public.project_pages d where d.id = p_link.document_id and d.deleted_at is not null)
     and (p_link.kind <> 'images' or exists (
       select 1 from public.image_variants v
        where v.project_id = p_link.project_id and v.id = any (p_link.image_ids) and v.deleted_at is null))
$$;

-- Returns the link with this key if it works, otherwise no row.
create function private.find_share(p_key text) returns setof private.share_links
language sql stable set search_path = '' as $$
  select * from private.share_links s
   where s.key_sha256 = private.key_sha256(p_key) and private.is_live_share(s)
$$;

-- Returns whether a link shows an image, which must be in its project and not deleted.
create function private.shows_image(p_link private.share_links, p_image uuid) returns boolean
language sql immutable set search_path = '' as $$
  select p_link.kind = 'gallery' or p_image = any (p_link.image_ids)
$$;

-- Creates a link that works for `p_days` days. Leaves out images that are deleted or not in the project.
-- outcome: created (with the id, creation and expiry times, and number of images) | not_found (the project has no such
-- document, or none of the images) | too_many (100 links that work)
create function public.create_share_link(p_user uuid, p_project uuid, p_kind text, p_name text, p_image_ids uuid[],
  p_allow_download boolean, p_show_prompts boolean, p_key text, p_days int, p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_image_ids uuid[] := array(select v.id from public.image_variants v
    where v.project_id = p_project and v.id = any (p_image_ids) and v.deleted_at is null);
  v_document_id uuid := nullif(p_document, p_project);
  v_link private.share_links;
begin
  if p_kind = 'images' and cardinality(v_image_ids) = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_document_id is not null and not exists (
    select 1 from public.project_pages d
     where d.id = v_document_id and d.project_id = p_project and d.deleted_at is null) then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('share_links:' || p_project, 0));
  if (select count(*) from private.share_links s where s.project_id = p_project and private.is_live_share(s)) >= 100 then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  insert into private.share_links (project_id, document_id, kind, name, image_ids, allow_download, show_prompts,
    key_sha256, created_by, expires_at)
  values (p_project, v_document_id, p_kind, p_name, v_image_ids, p_allow_download, p_show_prompts, private.key_sha256(p_key),
    p_user, now() + make_interval(days => p_days))
  returning * into v_link;
  return jsonb_build_object('outcome', 'created', 'id', v_link.id, 'image_count', cardinality(v_image_ids),
    'created_at', v_link.created_at, 'expires_at', v_link.expires_at);
end $$;

-- Returns false if the project has no such link, or it is expired or revoked.
create function public.revoke_share_link(p_project uuid, p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update private.share_links s set revoked_at = now()
   where s.id = p_id and s.project_id = p_project and s.revoked_at is null and s.expires_at > now();
  return found;
end $$;

-- Removes at most `p_limit` links that expired or were revoked more than `p_age_s` seconds ago. Returns their number.
create function public.remove_ended_shares(p_age_s int, p_limit int) returns int
language sql volatile security definer set search_path = '' as $$
  with removed as (
    delete from private.share_links where id in (
      select s.id from private.share_links s
       where least(s.expires_at, s.revoked_at) < now() - make_interval(secs => p_age_s)
       limit p_limit)
    returning 1)
  select count(*)::int from removed
$$;

-- Returns a project's links that work, newest first. `image_count` is the number of chosen images that are left.
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

-- Returns what a link shows, or no row if it does not work. With `p_count`, counts the visit.
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

-- Returns a page of the images that a link shows, newest first, after the one created at `p_before` with the id
-- `p_before_id`. The prompts are null unless the link shows them.
create function public.list_shared_images(p_key text, p_limit int, p_before timestamptz default null,
  p_before_id uuid default null)
returns table (id uuid, width int, height int, prompt text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select g.id, g.width, g.height, case when s.show_prompts then g.prompt end, g.created_at
    from private.find_share(p_key) s
    join public.gallery_images g on g.project_id = s.project_id and g.deleted_at is null
   where private.shows_image(s, g.id)
     and (g.created_at, g.id) < (coalesce(p_before, 'infinity'), coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by g.created_at desc, g.id desc limit p_limit
$$;

-- Returns the file of an image, or no row if the link does not show it.
create function public.shared_image(p_key text, p_image uuid)
returns table (path text, thumb_path text, ordinal int, number int, project_name text, allow_download boolean)
language sql stable security definer set search_path = '' as $$
  select g.path, g.thumb_path, g.ordinal, g.number, p.name, s.allow_download
    from private.find_share(p_key) s
    join public.projects p on p.id = s.project_id
    join public.gallery_images g on g.project_id = s.project_id and g.deleted_at is null
   where g.id = p_image and private.shows_image(s, g.id)
$$;
