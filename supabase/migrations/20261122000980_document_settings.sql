-- The settings of a document that have no column of their own, such as the custom paper size, the margin, and the
-- masters. The app supplies the defaults of missing settings.
alter table public.project_pages add column settings json not null default '{}' check (json_typeof(settings) = 'object');

alter table public.project_pages drop constraint project_pages_format_check;
alter table public.project_pages add constraint project_pages_format_check
  check (format in ('A4', 'letter', 'A3', '16:9', 'square', 'custom'));

-- As before, but also saves the settings. If `p_settings` is null, the stored settings do not change, because an
-- earlier version of the app, which does not send settings, may still be running during an update.
drop function public.save_project_pages(uuid, uuid, int, text, text, jsonb, json, text);
create function public.save_project_pages(p_user uuid, p_project uuid, p_version int, p_format text, p_orientation text,
  p_cover jsonb, p_pages json, p_language text default 'en', p_settings json default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_version int;
begin
  if p_version = 0 then
    insert into public.project_pages (project_id, format, orientation, language, cover, settings, pages, updated_by)
    values (p_project, p_format, p_orientation, p_language, p_cover, coalesce(p_settings, '{}'), p_pages, p_user)
    on conflict (project_id) do nothing returning version into v_version;
  else
    update public.project_pages
       set version = version + 1, format = p_format, orientation = p_orientation, language = p_language,
           cover = p_cover, settings = coalesce(p_settings, settings), pages = p_pages, updated_by = p_user,
           updated_at = clock_timestamp()
     where project_id = p_project and version = p_version returning version into v_version;
  end if;
  if v_version is not null then return jsonb_build_object('outcome', 'saved', 'version', v_version); end if;
  select version into v_version from public.project_pages where project_id = p_project;
  return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_version, 0));
end $$;

revoke execute on function public.save_project_pages(uuid, uuid, int, text, text, jsonb, json, text, json)
  from public, anon, authenticated;
grant execute on function public.save_project_pages(uuid, uuid, int, text, text, jsonb, json, text, json) to service_role;

-- As before, but also keeps the images of masters, which are part of the settings.
create or replace function public.remove_deleted_images(p_age_s int, p_limit int) returns int
language sql volatile set search_path = '' as $$
  with shown as materialized (
    select distinct p.project_id, found[1] as path from public.project_pages p,
           regexp_matches(p.pages::text || p.cover::text || p.settings::text, '"(images/projects/[^"]+)"', 'g') found
     where p.project_id in (
       select v.project_id from public.image_variants v where v.deleted_at < now() - make_interval(secs => p_age_s))),
  old as materialized (
    select v.id from public.image_variants v
     where v.deleted_at < now() - make_interval(secs => p_age_s)
       and not exists (select 1 from shown s where s.project_id = v.project_id and s.path = v.path)
     order by v.deleted_at limit p_limit),
  removed as (
    delete from public.image_variants v using old o
     where v.id = o.id
    returning v.job_id, v.run, v.number),
  noted as (
    update public.image_runs r set removed_number = greatest(r.removed_number, m.number)
      from (select job_id, run, max(number) as number from removed group by job_id, run) m
     where r.job_id = m.job_id and r.run = m.run)
  select count(*)::int from removed
$$;
