-- Adds stars, the gallery of a project, and the deletion of images. Deleted images can be restored for a limited time.

alter table public.image_variants
  -- Identifies the image with a single value. The primary key combines the job, the run and the variant id.
  add column id uuid not null default gen_random_uuid(),
  add column project_id uuid references public.projects (id) on delete cascade,
  -- The image's number within its prompt, counted across all runs of the prompt: the 3 in `1.3`. A later report for
  -- the image's run can change it, but the deletion of other images cannot.
  add column number int,
  add column starred_at timestamptz,
  -- When the image was deleted. After the retention period, the sweep removes the row, and then the files.
  add column deleted_at timestamptz,
  -- Images that are stored in one transaction get different times, so they keep their order in a list sorted by time.
  alter column created_at set default clock_timestamp();
-- The highest number among the removed images of this run, stored so that a retry does not reuse it.
alter table public.image_runs add column removed_number int not null default 0;

update public.image_variants v set project_id = placed.project_id, number = placed.number
  from (select x.id, j.project_id, row_number() over (partition by r.message_id order by x.run, x.position) as number
          from public.image_variants x
          join public.image_jobs j on j.id = x.job_id
          join public.image_runs r on r.job_id = x.job_id and r.run = x.run) placed
 where v.id = placed.id;
alter table public.image_variants alter column project_id set not null, alter column number set not null;
create unique index image_variants_id on public.image_variants (id);
create index image_variants_page on public.image_variants (project_id, created_at desc, id desc);
create index image_variants_deleted_age on public.image_variants (deleted_at) where deleted_at is not null;

-- Allows the same rows as the earlier policy, without querying another table for each row.
alter policy image_variants_read on public.image_variants
  using ((select private.is_admin()) or project_id = any (array(select private.my_projects())));

create function private.place_variant() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  new.project_id := (select project_id from public.image_jobs where id = new.job_id);
  new.number := new.position + coalesce((
    select greatest(max(e.removed_number), max(v.number))
      from public.image_runs r
      join public.image_runs e on e.message_id = r.message_id and e.run < r.run
      left join public.image_variants v on v.job_id = e.job_id and v.run = e.run
     where r.job_id = new.job_id and r.run = new.run), 0);
  return new;
end $$;
create trigger place_variant before insert or update of position on public.image_variants
  for each row execute function private.place_variant();

-- Unlike the earlier view, never shows a deleted image as the cover. Adds the cover's id, number and star.
create or replace view public.image_job_rows with (security_invoker = true) as
  select j.*, (
    select to_jsonb(c) from (
      select v.id, v.variant_id, v.number, v.path, v.thumb_path, v.meta, v.width, v.height, v.run, v.created_at,
             v.starred_at
        from public.image_variants v where v.job_id = j.id and v.deleted_at is null
       order by v.run desc, v.position limit 1) c) as cover,
    case when j.status = 'queued' then private.image_retrying(j.id, j.run) end as retrying
    from public.image_jobs j;

-- The images of all projects with their prompts. Only service_role may read this view.
create view public.gallery_images with (security_invoker = true) as
  select v.id, v.project_id, v.job_id, v.run, v.variant_id, v.number, v.path, v.thumb_path, v.meta, v.width, v.height,
         v.created_at, v.starred_at, v.deleted_at, m.ordinal, m.prompt, m.created_by
    from public.image_variants v
    join public.image_runs r on r.job_id = v.job_id and r.run = v.run
    join public.image_messages m on m.id = r.message_id;
revoke all on public.gallery_images from anon, authenticated;
grant select on public.gallery_images to service_role;

-- Returns a page of a project's images, newest first. With `p_deleted`, returns the deleted images that can still be
-- restored, otherwise those that are not deleted. The prompt must contain each of `p_words`. The page starts after the
-- image that was created at `p_before` and has the id `p_before_id`.
create function public.list_gallery(p_project uuid, p_deleted boolean, p_deleted_within_s int, p_starred boolean,
  p_limit int, p_created_by uuid default null, p_words text[] default '{}', p_before timestamptz default null,
  p_before_id uuid default null) returns setof public.gallery_images
language sql stable set search_path = '' as $$
  select g.* from public.gallery_images g
   where g.project_id = p_project
     and case when p_deleted then g.deleted_at > now() - make_interval(secs => p_deleted_within_s)
              else g.deleted_at is null end
     and (not p_starred or g.starred_at is not null)
     and (p_created_by is null or g.created_by = p_created_by)
     and not exists (select 1 from unnest(p_words) word where strpos(lower(g.prompt), lower(word)) = 0)
     and (g.created_at, g.id) < (coalesce(p_before, 'infinity'), coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by g.created_at desc, g.id desc limit p_limit
$$;

-- Unlike the earlier version, does not accept a deleted image as the input image.
create or replace function public.create_image_job(p_user uuid, p_project uuid, p_prompt text, p_input_image_id uuid default null,
  p_input_image_path text default null, p_page_id text default null, p_material_ids text[] default '{}',
  p_material_payload jsonb default '[]', p_options jsonb default '{}', p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'image_jobs', p_idempotency_key, p_request_sha256);
  v_image uuid;
  v_path text;
  v_job uuid := gen_random_uuid();
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  select id into v_image from public.document_images
   where project_id = p_project and (id = p_input_image_id or storage_path = p_input_image_path)
   order by id = p_input_image_id desc nulls last limit 1;
  if exists (select 1 from public.document_images where project_id = p_project and storage_path = p_input_image_path)
     or exists (select 1 from public.image_variants v join public.image_jobs j on j.id = v.job_id
                 where v.path = p_input_image_path and j.project_id = p_project and v.deleted_at is null) then
    v_path := p_input_image_path;
  end if;
  if v_image is null and v_path is null and (p_input_image_id is not null or p_input_image_path is not null) then
    v_answer := jsonb_build_object('outcome', 'image_not_found');
  else
    insert into public.image_jobs (id, project_id, prompt, input_image_id, input_image_path, page_id, material_ids,
      material_payload, options, created_by)
    values (v_job, p_project, p_prompt, v_image, v_path, p_page_id, p_material_ids, p_material_payload,
      p_options, p_user);
    insert into public.image_messages (id, job_id, prompt, created_by) values (v_message, v_job, p_prompt, p_user);
    insert into public.image_runs (job_id, run, message_id) values (v_job, 1, v_message);
    v_answer := jsonb_build_object('outcome', 'created', 'job_id', v_job);
  end if;
  return private.idempotency_end(p_user, 'image_jobs', p_idempotency_key, v_answer);
end $$;

-- Unlike the earlier version, does not accept a deleted image as the image to refine.
create or replace function public.send_image_message(p_user uuid, p_job uuid, p_prompt text, p_variant_id text default null,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.idempotency_begin(p_user, 'image_messages', p_idempotency_key, p_request_sha256);
  v_job public.image_jobs;
  v_variant record;
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  select * into v_job from public.image_jobs where id = p_job for update;
  select variant_id, run into v_variant from public.image_variants
   where job_id = p_job and deleted_at is null and (p_variant_id is null or variant_id = p_variant_id)
   order by run desc, position desc limit 1;
  v_answer := case
    when v_job.id is null then jsonb_build_object('outcome', 'not_found')
    when v_job.status in ('queued', 'running') then jsonb_build_object('outcome', 'conflict', 'status', v_job.status)
    when p_variant_id is not null and v_variant.variant_id is null then jsonb_build_object('outcome', 'variant_not_found')
    end;
  if v_answer is null then
    insert into public.image_messages (id, job_id, prompt, variant_id, variant_run, created_by)
    values (v_message, p_job, p_prompt, v_variant.variant_id, v_variant.run, p_user);
    perform private.next_image_run(p_job, v_job.run + 1, v_message);
    v_answer := jsonb_build_object('outcome', 'created', 'message_id', v_message, 'run', v_job.run + 1);
  end if;
  return private.idempotency_end(p_user, 'image_messages', p_idempotency_key, v_answer);
end $$;

-- Locks the jobs of these images in the order of the job ids, so that concurrent calls cannot deadlock. Must be called
-- before the images are changed.
create function private.lock_jobs_of_images(p_project uuid, p_ids uuid[]) returns void
language plpgsql volatile set search_path = '' as $$
begin
  perform 1 from public.image_jobs j
   where j.id in (select v.job_id from public.image_variants v where v.project_id = p_project and v.id = any (p_ids))
   order by j.id for update;
end $$;

-- Returns the outcome of a change: the ids of the images that are now in the requested state, or not_found if there are
-- none.
create function private.changed_images(p_ids uuid[]) returns jsonb
language sql immutable set search_path = '' as $$
  select case when p_ids is null then jsonb_build_object('outcome', 'not_found')
    else jsonb_build_object('outcome', 'changed', 'ids', p_ids) end
$$;

-- Stars images of a project, or removes their stars. Incrementing `status_seq` broadcasts the change.
-- outcome: changed (with the ids of the images that are now in the requested state) | not_found
create function public.star_images(p_project uuid, p_ids uuid[], p_starred boolean) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform private.lock_jobs_of_images(p_project, p_ids);
  with changed as (
    update public.image_variants set starred_at = case when p_starred then clock_timestamp() end
     where project_id = p_project and id = any (p_ids) and deleted_at is null and (starred_at is not null) <> p_starred
    returning job_id)
  update public.image_jobs set status_seq = status_seq + 1 where id in (select job_id from changed);
  return private.changed_images((
    select array_agg(id) from public.image_variants
     where project_id = p_project and id = any (p_ids) and deleted_at is null
       and (starred_at is not null) = p_starred));
end $$;

-- Deletes images of a project; `restore_images` brings them back. outcome: as in `star_images`
create function public.delete_images(p_project uuid, p_ids uuid[]) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform private.lock_jobs_of_images(p_project, p_ids);
  with changed as (
    update public.image_variants set deleted_at = clock_timestamp()
     where project_id = p_project and id = any (p_ids) and deleted_at is null
    returning job_id)
  update public.image_jobs set status_seq = status_seq + 1 where id in (select job_id from changed);
  return private.changed_images((
    select array_agg(id) from public.image_variants
     where project_id = p_project and id = any (p_ids) and deleted_at is not null));
end $$;

-- Restores images that were deleted less than `p_within_s` seconds ago. outcome: as in `star_images`
create function public.restore_images(p_project uuid, p_ids uuid[], p_within_s int) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  perform private.lock_jobs_of_images(p_project, p_ids);
  with changed as (
    update public.image_variants set deleted_at = null
     where project_id = p_project and id = any (p_ids) and deleted_at > now() - make_interval(secs => p_within_s)
    returning job_id)
  update public.image_jobs set status_seq = status_seq + 1 where id in (select job_id from changed);
  return private.changed_images((
    select array_agg(id) from public.image_variants
     where project_id = p_project and id = any (p_ids) and deleted_at is null));
end $$;

-- Removes the rows of at most `p_limit` images that were deleted more than `p_age_s` seconds ago. Their files become
-- orphans. An image that the project's document shows is kept until the document no longer shows it. Returns the number
-- of rows removed.
create function public.remove_deleted_images(p_age_s int, p_limit int) returns int
language sql volatile set search_path = '' as $$
  with shown as materialized (
    select distinct p.project_id, found[1] as path from public.project_pages p,
           regexp_matches(p.pages::text || p.cover::text, '"(images/projects/[^"]+)"', 'g') found
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

revoke execute on function private.place_variant(), private.lock_jobs_of_images(uuid, uuid[]),
  private.changed_images(uuid[]) from public, anon;
grant execute on function private.lock_jobs_of_images(uuid, uuid[]), private.changed_images(uuid[]) to service_role;
revoke execute on function
  public.list_gallery(uuid, boolean, int, boolean, int, uuid, text[], timestamptz, uuid),
  public.star_images(uuid, uuid[], boolean), public.delete_images(uuid, uuid[]),
  public.restore_images(uuid, uuid[], int), public.remove_deleted_images(int, int) from public, anon, authenticated;
grant execute on function
  public.list_gallery(uuid, boolean, int, boolean, int, uuid, text[], timestamptz, uuid),
  public.star_images(uuid, uuid[], boolean), public.delete_images(uuid, uuid[]),
  public.restore_images(uuid, uuid[], int), public.remove_deleted_images(int, int) to service_role;
