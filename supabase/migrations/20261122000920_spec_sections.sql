-- Adds sections that the workflow service reports, and corrections of sections by administrators.

-- Records corrections of a spec's sections. `spec_sections` contains the current sections. If they were corrected,
-- `original` keeps the sections from the workflow service or the outline: [{ title, page, level, text }].
create table private.section_sets (
  spec_id uuid primary key references public.spec_uploads (id) on delete cascade,
  -- The number of changes. It shows whether a correction is based on outdated sections and must be refused.
  version int not null default 0,
  -- Null unless the sections are corrected.
  original jsonb,
  original_source text check (original_source in ('outline', 'workflow')),
  -- When a report of the workflow service last changed `original`. Null if no report has changed it since the first
  -- correction.
  original_changed_at timestamptz
);
alter table private.section_sets enable row level security;
grant select, insert, update, delete on private.section_sets to service_role;

-- Returns the version of a spec's sections. Reading the PDF counts as a change, because the PDF can contain an outline.
create function private.sections_version(p_id uuid) returns int
language sql stable set search_path = '' as $$
  select coalesce((select version from private.section_sets where spec_id = p_id), 0) + (d.text_state <> 'pending')::int
    from public.spec_uploads s join public.documents d on d.id = s.document_id where s.id = p_id
$$;

create function private.count_section_change(p_id uuid) returns void
language sql volatile set search_path = '' as $$
  insert into private.section_sets as x (spec_id, version) values (p_id, 1)
    on conflict (spec_id) do update set version = x.version + 1
$$;

-- Replaces the sections of a spec with `p_sections`: [{ title, page, level, text }].
create function private.put_sections(p_id uuid, p_source text, p_sections jsonb) returns void
language plpgsql volatile set search_path = '' as $$
begin
  delete from public.spec_sections where spec_id = p_id;
  insert into public.spec_sections (spec_id, ordinal, title, page, level, text, source)
    select p_id, x.n, x.section ->> 'title', (x.section ->> 'page')::int, coalesce((x.section ->> 'level')::int, 1),
           nullif(x.section ->> 'text', ''), p_source
      from jsonb_array_elements(p_sections) with ordinality as x (section, n);
end $$;

-- Returns the sections of a spec as [{ title, page, level, text }].
create function private.sections_json(p_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('title', title, 'page', page, 'level', level, 'text', text)
                            order by ordinal), '[]')
    from public.spec_sections where spec_id = p_id
$$;

-- Returns the sections of a spec with their version and source. Also returns whether they were corrected, and when a
-- report last changed `original`. Returns null if there is no such spec or if the caller is not an administrator.
create function public.read_spec_sections(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
      'version', private.sections_version(p_id),
      'source', (select source from public.spec_sections where spec_id = p_id order by ordinal limit 1),
      'isCorrected', x.original is not null,
      'originalChangedAt', x.original_changed_at,
      'sections', private.sections_json(p_id))
    from public.spec_uploads s left join private.section_sets x on x.spec_id = s.id
   where s.id = p_id and private.is_admin()
$$;

-- Replaces the sections of a spec with corrected ones. The first correction keeps the replaced sections in `original`.
-- outcome: saved | conflict (with the current version) | unread (the PDF has not been read yet) | not_found
create function public.save_spec_sections(p_id uuid, p_version int, p_sections jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_version int;
  v_source text;
begin
  perform 1 from public.spec_uploads where id = p_id for update;
  v_version := private.sections_version(p_id);
  if v_version is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if exists (select 1 from public.spec_uploads s join public.documents d on d.id = s.document_id
              where s.id = p_id and d.text_state = 'pending') then
    return jsonb_build_object('outcome', 'unread');
  end if;
  if v_version <> p_version then return jsonb_build_object('outcome', 'conflict', 'version', v_version); end if;
  perform private.count_section_change(p_id);
  select source into v_source from public.spec_sections where spec_id = p_id order by ordinal limit 1;
  update private.section_sets
     set original = private.sections_json(p_id), original_source = coalesce(nullif(v_source, 'manual'), 'outline')
   where spec_id = p_id and original is null;
  perform private.put_sections(p_id, 'manual', p_sections);
  return jsonb_build_object('outcome', 'saved', 'version', private.sections_version(p_id));
end $$;

-- Replaces corrected sections with the original ones. outcome: saved | conflict (with the current version) | not_found
create function public.restore_spec_sections(p_id uuid, p_version int) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_version int;
  v_set private.section_sets;
begin
  perform 1 from public.spec_uploads where id = p_id for update;
  v_version := private.sections_version(p_id);
  if v_version is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_version <> p_version then return jsonb_build_object('outcome', 'conflict', 'version', v_version); end if;
  select * into v_set from private.section_sets where spec_id = p_id;
  if v_set.original is not null then
    perform private.put_sections(p_id, v_set.original_source, v_set.original);
    update private.section_sets
       set original = null, original_source = null, original_changed_at = null, version = version + 1
     where spec_id = p_id;
  end if;
  return jsonb_build_object('outcome', 'saved', 'version', private.sections_version(p_id));
end $$;

-- Returns reported sections in the form that `sections_json` returns, so that the two can be compared.
create function private.full_sections(p_sections jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('title', x.section ->> 'title', 'page', (x.section ->> 'page')::int,
                              'level', coalesce((x.section ->> 'level')::int, 1), 'text', nullif(x.section ->> 'text', ''))
                            order by x.n), '[]')
    from jsonb_array_elements(p_sections) with ordinality as x (section, n)
$$;

-- Applies a callback as `apply_spec_callback` does. If the callback is applied and completes the spec, also stores the
-- sections that it reports. They replace the sections from the outline or an earlier run. If the sections were
-- corrected, the corrected ones stay, and the reported ones are stored as `original`.
create function public.apply_spec_report(p_id uuid, p_status text, p_run int default null, p_count int default null,
  p_error text default null, p_sections jsonb default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_outcome jsonb := public.apply_spec_callback(p_id, p_status, p_run, coalesce(p_count, jsonb_array_length(p_sections)), p_error);
  v_sections jsonb;
begin
  if p_sections is null or p_status <> 'completed' or v_outcome ->> 'outcome' <> 'applied' then return v_outcome; end if;
  v_sections := private.full_sections(p_sections);
  perform private.count_section_change(p_id);
  update private.section_sets
     set original = v_sections, original_source = 'workflow',
         original_changed_at = case when original = v_sections then original_changed_at else clock_timestamp() end
   where spec_id = p_id and original is not null;
  if not found then perform private.put_sections(p_id, 'workflow', v_sections); end if;
  return v_outcome;
end $$;

revoke execute on function private.sections_version(uuid), private.count_section_change(uuid),
  private.put_sections(uuid, text, jsonb), private.sections_json(uuid), private.full_sections(jsonb)
  from public, anon, authenticated;
grant execute on function private.sections_version(uuid), private.count_section_change(uuid),
  private.put_sections(uuid, text, jsonb), private.sections_json(uuid), private.full_sections(jsonb) to service_role;
revoke execute on function public.read_spec_sections(uuid), public.save_spec_sections(uuid, int, jsonb),
  public.restore_spec_sections(uuid, int), public.apply_spec_report(uuid, text, int, int, text, jsonb)
  from public, anon, authenticated;
grant execute on function public.read_spec_sections(uuid) to authenticated, anon;
grant execute on function public.save_spec_sections(uuid, int, jsonb), public.restore_spec_sections(uuid, int),
  public.apply_spec_report(uuid, text, int, int, text, jsonb) to service_role;
