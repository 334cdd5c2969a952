-- The sections of specs, their corrections, and what members of projects may read of brand standards. As JSON, sections
-- are [{ title, page, level, text }].

-- The current sections of a spec, in order.
create table public.spec_sections (
  spec_id uuid not null references public.spec_uploads (id) on delete cascade,
  ordinal int not null check (ordinal between 1 and 2000),
  title text not null check (char_length(title) between 1 and 300),
  page int check (page >= 1),
  level int not null default 1 check (level between 1 and 20),
  text text check (char_length(text) <= 20000),
  source text not null check (source in ('outline', 'workflow', 'manual')),
  primary key (spec_id, ordinal)
);
alter table public.spec_sections enable row level security;
grant select on public.spec_sections to anon, authenticated;
create policy spec_sections_read on public.spec_sections for select to authenticated, anon
  using ((select private.is_admin()));
create policy anon_needs_token on public.spec_sections as restrictive for select to anon
  using ((select private.has_token()));

-- Corrections of sections. However often they are corrected, `original` keeps those from the workflow service or the
-- outline.
create table private.section_sets (
  spec_id uuid primary key references public.spec_uploads (id) on delete cascade,
  -- The number of changes. A correction that is based on another version is refused.
  version int not null default 0,
  -- Null unless the sections are corrected.
  original jsonb,
  original_source text check (original_source in ('outline', 'workflow')),
  -- When a report of the workflow service last changed `original`. Null before the first such change.
  original_changed_at timestamptz
);
alter table private.section_sets enable row level security;

-- Returns the version of a spec's sections, or null if there is no such spec. Reading the PDF counts as a change.
create function private.sections_version(p_id uuid) returns int
language sql stable set search_path = '' as $$
  select coalesce((select version from private.section_sets where spec_id = p_id), 0) + (d.text_state <> 'pending')::int
    from public.spec_uploads s join public.documents d on d.id = s.document_id where s.id = p_id
$$;

-- Counts a change of a spec's sections.
create function private.count_section_change(p_id uuid) returns void
language sql volatile set search_path = '' as $$
  insert into private.section_sets as x (spec_id, version) values (p_id, 1)
    on conflict (spec_id) do update set version = x.version + 1
$$;

-- Returns the sections of a spec.
create function private.sections_json(p_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('title', title, 'page', page, 'level', level, 'text', text)
                            order by ordinal), '[]')
    from public.spec_sections where spec_id = p_id
$$;

-- Converts sections from JSON, with the defaults of missing properties.
create function private.section_rows(p_sections jsonb)
returns table (title text, page int, level int, text text, ordinal bigint)
language sql immutable set search_path = '' as $$
  select title, page, coalesce(level, 1), nullif(text, ''), ordinal
    from rows from (jsonb_to_recordset(p_sections) as (title text, page int, level int, text text)) with ordinality
           as s (title, page, level, text, ordinal)
$$;

-- Replaces the sections of a spec.
create function private.put_sections(p_id uuid, p_source text, p_sections jsonb) returns void
language plpgsql volatile set search_path = '' as $$
begin
  delete from public.spec_sections where spec_id = p_id;
  insert into public.spec_sections (spec_id, ordinal, title, page, level, text, source)
    select p_id, ordinal, title, page, level, text, p_source from private.section_rows(p_sections);
end $$;

-- Stores sections that the workflow service reports: as the sections of the spec or, if these were corrected, as
-- `original`. The caller must have locked the spec.
create function private.report_sections(p_id uuid, p_sections jsonb) returns void
language plpgsql volatile set search_path = '' as $$
declare
  -- In the form of `sections_json`.
  v_sections jsonb := (
    select coalesce(jsonb_agg(to_jsonb(s) - 'ordinal' order by ordinal), '[]') from private.section_rows(p_sections) s);
begin
  perform private.count_section_change(p_id);
  update private.section_sets
     set original = v_sections, original_source = 'workflow',
         original_changed_at = case when original = v_sections then original_changed_at else clock_timestamp() end
   where spec_id = p_id and original is not null;
  if not found then perform private.put_sections(p_id, 'workflow', v_sections); end if;
end $$;

-- Replaces the sections of a spec with corrected ones, based on the version `p_version`. Writes an audit event.
-- outcome: saved (with the new version) | conflict (with the current version) | unread (the PDF has not been read yet)
-- | not_found
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
  perform private.audit_spec_change('spec.sections_edited', p_id);
  return jsonb_build_object('outcome', 'saved', 'version', private.sections_version(p_id));
end $$;

-- Replaces corrected sections with the original ones and writes an audit event. Does nothing if no sections were
-- corrected.
-- outcome: saved (with the resulting version) | conflict (with the current version) | not_found
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
    perform private.audit_spec_change('spec.sections_restored', p_id);
  end if;
  return jsonb_build_object('outcome', 'saved', 'version', private.sections_version(p_id));
end $$;

-- Returns { version, source, isCorrected, originalChangedAt, sections }, or null if there is no such spec or the caller
-- is not an administrator.
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
grant execute on function public.read_spec_sections to anon, authenticated;

-- Returns a page of the current completed specs of a brand, or of all brands: the best matches of a search first or,
-- without a search, the newest. With a higher `rows`, the plan of `find_standards` would scan all specs.
create function private.list_standards(p_q text, p_brand text, p_after_key text, p_after_at timestamptz, p_after_id uuid,
  p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable rows 21 set search_path = '' as $$
#variable_conflict use_column
declare
  v_words text[] := private.words_of(p_q);
  v_filters private.spec_filters := ('completed', null, null, null, null, false);
  v_query private.spec_query;
begin
  if p_brand is not null then
    select b.id into v_filters.brand_id from public.brands b
     where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    if not found then return; end if;
  end if;
  if cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words);
    if v_query.whole is null then return; end if;
  end if;
  return query select l.id, l.created_at, l.sort_key
    from private.list_specs(v_query, v_filters, 'match', p_after_key, p_after_at, p_after_id, p_limit) l;
end $$;

-- Returns what members of projects may see of the specs that `list_standards` finds.
create function public.find_standards(p_q text default null, p_brand text default null, p_after_key text default null,
  p_after_at timestamptz default null, p_after_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, sort_key text, brand_name text, area text, file_name text, version int,
  sections int)
language sql stable security definer set search_path = '' as $$
  select l.id, l.created_at, l.sort_key, s.brand_name, s.area, s.file_name, s.version,
         (select count(*)::int from public.spec_sections x where x.spec_id = l.id)
    from private.list_standards(p_q, p_brand, p_after_key, p_after_at, p_after_id, p_limit)
           with ordinality as l (id, created_at, sort_key, n)
    join public.specs s on s.id = l.id
   order by l.n
$$;

-- Returns { fileName, version, sections } of a current completed spec, or null for other specs. `sections` are at most
-- `p_limit` sections whose number is greater than `p_after`.
create function public.read_standard(p_id uuid, p_after int, p_limit int) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
      'fileName', s.file_name, 'version', s.version,
      'sections', coalesce((
        select jsonb_agg(jsonb_build_object('number', x.ordinal, 'title', x.title, 'page', x.page, 'level', x.level,
                           'text', x.text) order by x.ordinal)
          from (select * from public.spec_sections c
                 where c.spec_id = p_id and c.ordinal > p_after order by c.ordinal limit p_limit) x), '[]'))
    from public.specs s
   where s.id = p_id and s.processing_status = 'completed' and s.is_current
$$;
