-- Decides who may call a function before it does any work, and bounds the text that it takes.

-- By default, Supabase lets `anon` and `authenticated` use everything in `public`, and Postgres lets everyone execute
-- every function. From here on, each right of a user is granted where its table or function is created, and the service
-- role has the usual rights without a grant.
alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke execute on functions from anon, authenticated;
alter default privileges in schema private grant select, insert, update, delete on tables to service_role;
alter default privileges in schema private grant usage, select on sequences to service_role;
alter default privileges in schema private grant execute on functions to service_role;
grant usage, select on all sequences in schema private to service_role;
grant execute on all functions in schema private to service_role;

-- No policy, view or user needs these. The functions that call them run with the rights of their owner.
revoke execute on function private.own_role(text), private.take_own_start(int, int) from anon, authenticated;
revoke execute on function private.name_key(text) from authenticated;

-- Raises an error if one of the texts is too long for a search, a filter or a position in a list. The API would
-- otherwise accept megabytes.
create function private.require_short(variadic p_texts text[]) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if exists (select 1 from unnest(p_texts) t where char_length(t) > 4000) then
    raise string_data_right_truncation using message = 'A text is longer than 4,000 characters.';
  end if;
end $$;

-- Returns one page of the specs that match all given filters, in the order `p_sort` and after the row with the given
-- key, time and id: `specs` with their matching pages, `counts` by status without the filter for the status, and
-- `isExact`, which is false if there are too many matches to count. With `p_is_only_ids`, leaves out the specs' details,
-- their matching pages and the counts. Returns no specs to callers who are not administrators.
create or replace function public.find_specs(p_q text default null, p_status text default null,
  p_brand text default null, p_area text default null, p_from timestamptz default null,
  p_before timestamptz default null, p_sort text default 'newest', p_after_key text default null,
  p_after_at timestamptz default null, p_after_id uuid default null, p_limit int default 21,
  p_all_versions boolean default false, p_is_only_ids boolean default false)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_words text[];
  v_brand uuid;
  v_area uuid;
  v_query private.spec_query;
  v_found uuid[];
  v_is_all boolean;
  v_specs jsonb := '[]';
  v_counts jsonb := '{}';
  v_is_exact boolean := true;
  v_has_matches boolean := true;
begin
  if not private.is_admin() then
    return jsonb_build_object('specs', v_specs, 'counts', v_counts, 'isExact', v_is_exact);
  end if;
  perform private.require_short(p_q, p_status, p_brand, p_area, p_sort, p_after_key);
  v_words := private.words_of(p_q);
  if p_brand is not null then
    select b.id into v_brand from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    v_has_matches := v_has_matches and found;
  end if;
  if p_area is not null then
    select a.id into v_area from public.area_types a where a.name_key = private.name_key(p_area) and a.name = p_area;
    v_has_matches := v_has_matches and found;
  end if;
  if v_has_matches and cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words, v_brand, v_area);
    v_has_matches := v_query.whole is not null;
    if v_has_matches then
      select m.ids, m.is_all into v_found, v_is_all from private.some_matches(v_query, null, 1000) m;
    end if;
  end if;
  if v_has_matches then
    select coalesce(jsonb_agg(
             jsonb_build_object('id', l.id, 'created_at', l.created_at, 'sort_key', l.sort_key, 'page', m.page, 'text', m.text,
                                'spec', case when not p_is_only_ids then private.spec_json(l.id) end)
             order by l.n), '[]') into v_specs
      from private.page_of_specs(v_query, v_found, v_is_all, p_status, v_brand, v_area, p_from, p_before, p_sort,
             p_after_key, p_after_at, p_after_id, p_limit, p_all_versions) with ordinality l (id, created_at, sort_key, n)
      left join lateral private.matching_page(l.id, v_query) m on v_query.whole is not null and not p_is_only_ids;
    if not p_is_only_ids then
      select c.counts, c.is_exact into v_counts, v_is_exact
        from private.count_specs(v_query, v_found, v_is_all, v_brand, v_area, p_from, p_before, p_all_versions) c;
    end if;
  end if;
  return jsonb_build_object('specs', v_specs, 'counts', v_counts, 'isExact', v_is_exact);
end $$;
-- As on the view `specs`: without the trigger, Postgres answers a write with an internal error instead of a missing right.
create trigger read_only instead of insert or update or delete on public.gallery_images
  for each row execute function private.refuse_write();
