-- The language of a document as a BCP 47 tag. Documents saved earlier are set to English, the language that their PDFs
-- declared.
alter table public.project_pages add column language text not null default 'en' check (length(language) between 2 and 35);

-- Unlike the earlier version, also saves the language. `p_language` has a default for earlier versions of the app that
-- still run during an update.
drop function public.save_project_pages(uuid, uuid, int, text, text, jsonb, json);
create function public.save_project_pages(p_user uuid, p_project uuid, p_version int, p_format text, p_orientation text,
  p_cover jsonb, p_pages json, p_language text default 'en') returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_version int;
begin
  if p_version = 0 then
    insert into public.project_pages (project_id, format, orientation, language, cover, pages, updated_by)
    values (p_project, p_format, p_orientation, p_language, p_cover, p_pages, p_user)
    on conflict (project_id) do nothing returning version into v_version;
  else
    update public.project_pages
       set version = version + 1, format = p_format, orientation = p_orientation, language = p_language,
           cover = p_cover, pages = p_pages, updated_by = p_user, updated_at = clock_timestamp()
     where project_id = p_project and version = p_version returning version into v_version;
  end if;
  if v_version is not null then return jsonb_build_object('outcome', 'saved', 'version', v_version); end if;
  select version into v_version from public.project_pages where project_id = p_project;
  return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_version, 0));
end $$;

revoke execute on function public.save_project_pages(uuid, uuid, int, text, text, jsonb, json, text)
  from public, anon, authenticated;
grant execute on function public.save_project_pages(uuid, uuid, int, text, text, jsonb, json, text) to service_role;
