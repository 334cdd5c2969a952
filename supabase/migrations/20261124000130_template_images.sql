-- Returns the paths in `p_paths` that page templates use. An image at such a path stays usable after it is deleted in
-- its project.
create function public.template_images(p_paths text[]) returns setof text
language sql stable set search_path = '' as $$
  select distinct path from unnest(p_paths) path
   where exists (select 1 from private.page_templates t where path = any (t.images))
$$;
revoke execute on function public.template_images(text[]) from public, anon, authenticated;
grant execute on function public.template_images(text[]) to service_role;
