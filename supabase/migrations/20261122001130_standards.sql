-- Lets members of projects find brand standards and read their sections. A brand standard is the current version of a
-- spec whose processing is complete.

-- Returns the current completed specs of a brand, or of all brands if `p_brand` is null. With a search, returns only
-- specs that match it, the best matches first. Without a search, returns the newest first. `rows` makes the planner
-- expect one page of specs. With the default of 1,000 rows, the plan of `find_standards` would scan all specs.
create function private.list_standards(p_q text, p_brand text, p_after_key text, p_after_at timestamptz, p_after_id uuid,
  p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable rows 21 set search_path = '' as $$
#variable_conflict use_column
declare
  v_words text[] := private.words_of(p_q);
  v_brand uuid;
  v_query private.spec_query;
begin
  if p_brand is not null then
    select b.id into v_brand from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    if not found then return; end if;
  end if;
  if cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words, v_brand, null);
    if v_query.whole is null then return; end if;
    return query select s.id, s.created_at, s.sort_key
      from private.search_specs(v_query, 'completed', null, null, 'match', p_after_key, p_after_at, p_after_id, p_limit,
        false) s;
  else
    return query select l.id, l.created_at, l.sort_key
      from private.list_specs(null, null, 'completed', v_brand, null, null, null, 'newest', null, p_after_at, p_after_id,
        p_limit, false) l;
  end if;
end $$;

-- Returns what members of projects may see of the brand standards that `list_standards` finds.
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

-- Returns the file name and version of a brand standard, and up to `p_limit` of its sections whose number is greater
-- than `p_after`. Returns null if `p_id` is not a brand standard.
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

revoke execute on function private.list_standards(text, text, text, timestamptz, uuid, int)
  from public, anon, authenticated;
revoke execute on function public.find_standards(text, text, text, timestamptz, uuid, int),
  public.read_standard(uuid, int, int) from public, anon, authenticated;
grant execute on function public.find_standards(text, text, text, timestamptz, uuid, int),
  public.read_standard(uuid, int, int) to service_role;
