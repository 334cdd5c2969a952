-- Adds fonts that are uploaded to a project. Fonts are small, so their bytes are in the table instead of in storage.
-- They are therefore removed and restored with their project.

create table private.project_fonts (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references public.projects (id) on delete cascade,
  -- The family name, as the font file and documents spell it.
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
-- Read and written only by the functions below.
alter table private.project_fonts enable row level security;
create trigger require_open_project before insert on private.project_fonts
  for each row execute function private.require_open_project();

-- Adds a font. `p_bytes` contains the font's bytes in base64. The new font replaces a font of the same family and
-- style. A preview holds all fonts of its document in memory, so the number and size of a project's fonts are limited.
-- outcome: created (with the id and creation time) | too_many (the project would have more than 24 fonts, or more than
-- 16 MB of fonts)
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

-- Returns the fonts of a project, sorted by name and style. There are at most 24.
create function public.list_project_fonts(p_project uuid)
returns table (id uuid, name text, bold boolean, italic boolean, file_name text, created_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select f.id, f.name, f.bold, f.italic, f.file_name, f.created_at
    from private.project_fonts f
   where f.project_id = p_project
   order by f.name, f.bold, f.italic
$$;

-- Returns the bytes of the given fonts of a project in base64.
create function public.read_project_fonts(p_project uuid, p_ids uuid[]) returns table (id uuid, bytes text)
language sql stable security definer set search_path = '' as $$
  select f.id, encode(f.bytes, 'base64') from private.project_fonts f
   where f.project_id = p_project and f.id = any (p_ids)
$$;

-- Removes a font. Returns false if the project has no such font.
create function public.remove_project_font(p_project uuid, p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  if exists (select 1 from public.projects p where p.id = p_project and p.archived_at is not null) then
    raise exception using errcode = 'PT409', message = 'project_archived';
  end if;
  delete from private.project_fonts f where f.project_id = p_project and f.id = p_id;
  return found;
end $$;

revoke execute on function public.add_project_font(uuid, uuid, text, boolean, boolean, text, text),
  public.list_project_fonts(uuid), public.read_project_fonts(uuid, uuid[]), public.remove_project_font(uuid, uuid)
  from public, anon, authenticated;
grant execute on function public.add_project_font(uuid, uuid, text, boolean, boolean, text, text),
  public.list_project_fonts(uuid), public.read_project_fonts(uuid, uuid[]), public.remove_project_font(uuid, uuid)
  to service_role;
