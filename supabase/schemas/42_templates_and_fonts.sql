-- The fonts of projects, and the page templates of the studio, which outlive the project they were saved in.

-- One row per family and style. The bytes are here, not in storage, because fonts are small.
create table private.project_fonts (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The family, as the font file and documents spell it.
  name text not null check (char_length(name) between 1 and 64),
  bold boolean not null,
  italic boolean not null,
  file_name text not null check (char_length(file_name) between 1 and 255),
  bytes bytea not null check (octet_length(bytes) between 1 and 2097152),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  unique (project_id, name, bold, italic)
);
create index project_fonts_created_by on private.project_fonts (created_by);

-- Only the functions below use it.
alter table private.project_fonts enable row level security;
revoke all on private.project_fonts from service_role;

create trigger require_open_project before insert on private.project_fonts
  for each row execute function private.require_open_project();

-- Adds a font, given in base64, or replaces that of the same family and style. A preview holds all of them in memory.
-- outcome: created (with the id and creation time) | too_many (more than 24, or 16 MB)
create function public.add_project_font(p_user uuid, p_project uuid, p_name text, p_bold boolean, p_italic boolean,
  p_file_name text, p_bytes text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_bytes bytea := decode(p_bytes, 'base64');
  v_font private.project_fonts;
begin
  perform pg_advisory_xact_lock(hashtextextended('project_fonts:' || p_project, 0));
  if (select count(*) >= 24 or sum(octet_length(f.bytes)) + octet_length(v_bytes) > 16777216
        from private.project_fonts f
       where f.project_id = p_project and (f.name, f.bold, f.italic) <> (p_name, p_bold, p_italic)) then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  delete from private.project_fonts f
   where f.project_id = p_project and f.name = p_name and f.bold = p_bold and f.italic = p_italic;
  insert into private.project_fonts (project_id, name, bold, italic, file_name, bytes, created_by)
  values (p_project, p_name, p_bold, p_italic, p_file_name, v_bytes, p_user)
  returning * into v_font;
  return jsonb_build_object('outcome', 'created', 'id', v_font.id, 'created_at', v_font.created_at);
end $$;

-- Returns false if the project has no such font. Raises project_archived with the status 409.
create function public.remove_project_font(p_project uuid, p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (select 1 from public.projects p where p.id = p_project and p.archived_at is not null) then
    raise exception using errcode = 'PT409', message = 'project_archived';
  end if;
  delete from private.project_fonts f where f.project_id = p_project and f.id = p_id;
  return found;
end $$;

-- Returns the fonts of a project, sorted by name and style.
create function public.list_project_fonts(p_project uuid)
returns table (id uuid, name text, bold boolean, italic boolean, file_name text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select f.id, f.name, f.bold, f.italic, f.file_name, f.created_at
    from private.project_fonts f
   where f.project_id = p_project
   order by f.name, f.bold, f.italic
$$;

-- Returns the bytes of these fonts of a project in base64.
create function public.read_project_fonts(p_project uuid, p_ids uuid[]) returns table (id uuid, bytes text)
language sql stable security definer set search_path = '' as $$
  select f.id, encode(f.bytes, 'base64') from private.project_fonts f
   where f.project_id = p_project and f.id = any (p_ids)
$$;

-- Pages of a document that a user saved for all projects of the studio.
create table private.page_templates (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  -- The project that the images belong to, or null after its removal.
  project_id uuid references public.projects (id) on delete set null,
  -- The pages, their masters and their paper.
  content json not null,
  -- The paths of its images, which are removed only with their project.
  images text[] not null,
  page_count int not null,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now()
);
create index page_templates_page on private.page_templates (created_at desc, id desc);
create index page_templates_project on private.page_templates (project_id);
create index page_templates_created_by on private.page_templates (created_by);

-- The service role reads it in `remove_deleted_images` and `template_images`.
alter table private.page_templates enable row level security;
revoke insert, update, delete on private.page_templates from service_role;

-- outcome: created (with the id) | too_many (500) | idempotency_mismatch
create function public.create_page_template(p_user uuid, p_project uuid, p_name text, p_content json,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_scope text := 'page_templates:' || p_project;
  v_result jsonb := private.idempotency_begin(p_user, v_scope, p_idempotency_key, p_request_sha256);
  v_id uuid;
begin
  if v_result is not null then return v_result; end if;
  perform pg_advisory_xact_lock(hashtextextended('page_templates', 0));
  if (select count(*) from private.page_templates) >= 500 then
    v_result := jsonb_build_object('outcome', 'too_many');
  else
    insert into private.page_templates (name, project_id, content, images, page_count, created_by)
    values (p_name, p_project, p_content,
      array(select distinct match[1] from regexp_matches(p_content::text, '"(images/projects/[^"]+)"', 'g') match),
      json_array_length(p_content -> 'pages'), p_user)
    returning id into v_id;
    v_result := jsonb_build_object('outcome', 'created', 'id', v_id);
  end if;
  return private.idempotency_end(p_user, v_scope, p_idempotency_key, v_result);
end $$;

-- Returns whether a user may change a template: allowed | not_found | forbidden. Null stands for an administrator.
create function private.page_template_rights(p_id uuid, p_user uuid) returns text
language sql stable set search_path = '' as $$
  select coalesce((
    select case when p_user is null or t.created_by = p_user then 'allowed' else 'forbidden' end
      from private.page_templates t where t.id = p_id), 'not_found')
$$;

-- outcome: that of `private.page_template_rights`; allowed if the template is renamed
create function public.rename_page_template(p_id uuid, p_name text, p_user uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_outcome text := private.page_template_rights(p_id, p_user);
begin
  if v_outcome = 'allowed' then update private.page_templates t set name = p_name where t.id = p_id; end if;
  return jsonb_build_object('outcome', v_outcome);
end $$;

-- outcome: that of `private.page_template_rights`; allowed if the template is deleted
create function public.delete_page_template(p_id uuid, p_user uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare v_outcome text := private.page_template_rights(p_id, p_user);
begin
  if v_outcome = 'allowed' then delete from private.page_templates t where t.id = p_id; end if;
  return jsonb_build_object('outcome', v_outcome);
end $$;

-- Returns a page of templates, newest first, after the one created at `p_before` with the id `p_before_id`.
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

-- Returns those of these paths whose images templates show, which stay usable after they are deleted.
create function public.template_images(p_paths text[]) returns setof text
language sql stable set search_path = '' as $$
  select distinct path from unnest(p_paths) path
   where exists (select 1 from private.page_templates t where path = any (t.images))
$$;
