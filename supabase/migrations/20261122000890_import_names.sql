-- Adds a function that imports many brand or area names at once.

-- Adds the names that the list does not contain yet in any spelling. `p_list` is `brands` or `areas`. Returns how many
-- names were added and how many existed, counting all spellings of a name as one: { added, existing }
create function public.import_names(p_list text, p_user uuid, p_names text[]) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  -- Sorted, so that two imports insert their names in the same order and cannot deadlock. Of several spellings of a
  -- name, only the first is kept.
  v_names text[] := array(
    select distinct on (private.name_key(n)) n from unnest(p_names) with ordinality as x (n, i)
     order by private.name_key(n), i);
  v_added int;
begin
  case p_list
    when 'brands' then
      insert into public.brands (name, created_by) select unnest(v_names), p_user on conflict (name_key) do nothing;
      get diagnostics v_added = row_count;
    when 'areas' then
      insert into public.area_types (name, created_by) select unnest(v_names), p_user on conflict (name_key) do nothing;
      get diagnostics v_added = row_count;
  end case;
  return jsonb_build_object('added', v_added, 'existing', cardinality(v_names) - v_added);
end $$;

revoke execute on function public.import_names(text, uuid, text[]) from public, anon, authenticated;
grant execute on function public.import_names(text, uuid, text[]) to service_role;
