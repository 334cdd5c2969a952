-- Results of workflow runs: evidence for the run that a callback is about, callbacks that are held or cannot be read,
-- one callback per image, one execution per run, and headers and order of events.

set check_function_bodies = off;

alter table private.callback_events alter column status drop not null,
  add column execution text,
  add column names_run boolean not null default true;
alter table private.event_endpoints
  add column header_name text check (char_length(header_name) between 1 and 100),
  add column header_value text check (char_length(header_value) between 1 and 500),
  add check ((header_name is null) = (header_value is null));
create index events_subject on private.events (subject_id, created_at, id);
update storage.buckets set allowed_mime_types = null where id = 'images';
drop trigger broadcast_retry on private.trigger_events;

drop function public.event_endpoints();
drop function public.report_spec_progress(uuid, int, int, int, double precision, text);
drop function public.report_image_progress(uuid, int, int, int, double precision, text);
drop function public.apply_image_callback(uuid, text, int, jsonb, text, text[]);
drop function public.work_failed(bigint, uuid, text, text, boolean, int);
drop function private.progress_outcome(text, uuid, int, int, text);
drop function private.note_progress(text, uuid, int, text, double precision, text);
drop function public.note_refused_callback(text, text, text, uuid, int);
drop function public.create_event_endpoint(text, text, text[], text, int);

create or replace function private.spec_json(p_id uuid) returns jsonb
language plpgsql stable set search_path = '' set enable_seqscan = off as $$
begin
  return (
    select to_jsonb(spec) from (
      select s.id, s.document_id, s.brand_name, s.area, s.property_name, s.file_name, s.size_bytes, s.sha256, s.storage_path,
             s.is_protected, s.processing_status, s.status_seq, s.sections_count, s.error, s.progress, s.progress_at, s.note,
             s.started_at, s.deadline_at, s.created_by, s.created_at, s.updated_at, s.version,
             (select d.text_state from public.documents d where d.id = s.document_id) as text_state,
             array(select jsonb_build_object('run', j.run, 'status', j.status, 'error', j.error, 'created_at', j.created_at,
                                             'finished_at', j.finished_at)
                     from public.upload_jobs j where j.spec_upload_id = s.id order by j.run) as attempts,
             case when s.processing_status = 'pending' then private.trigger_retry('spec_dispatch', s.id, s.run) end as retrying,
             case when not s.is_current then (
               select jsonb_build_object('id', n.id, 'version', n.version)
                 from public.spec_uploads n where n.series_id = s.series_id and n.is_current) end as replaced_by
        from public.specs s where s.id = p_id) spec);
end $$;

create or replace function public.apply_spec_callback(p_id uuid, p_status text, p_run int default null,
  p_sections_count int default null, p_error text default null, p_sections jsonb default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_spec public.spec_uploads;
  v_run int;
  v_outcome text;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_spec.run);
  v_outcome := case
    when v_run < v_spec.run then 'stale_run'
    when v_run > v_spec.run then 'unknown_run'
    when v_spec.processing_status in ('pending', 'processing') and p_status = 'failed'
      and private.is_doubtful(p_run, v_run, v_spec.started_at) then 'held'
    when v_spec.processing_status in ('pending', 'processing') then 'applied'
    when p_status = 'completed' and v_spec.finished_at > now() - interval '24 hours'
      and (v_spec.error_code in ('timeout', 'unreachable')
        or p_run is not null and v_spec.processing_status = 'failed' and private.failed_without_run('spec', p_id, v_run))
      then 'applied'
    when v_spec.error_code in ('timeout', 'unreachable') then 'late'
    when v_spec.processing_status = p_status then 'duplicate'
    else 'conflict' end;
  if v_outcome = 'applied' then
    case p_status
      when 'completed' then
        perform private.move_spec(p_id, v_run, array['pending', 'processing', 'failed'], 'completed',
          p_sections_count => coalesce(p_sections_count, jsonb_array_length(p_sections)));
        if p_sections is not null then perform private.report_sections(p_id, p_sections); end if;
      when 'failed' then
        perform private.move_spec(p_id, v_run, array['pending', 'processing'], 'failed', 'workflow_failed',
          coalesce(nullif(btrim(private.strip_url_queries(p_error)), ''),
            'The workflow service reported a failure without a reason.'));
    end case;
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'spec_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  elsif v_outcome = 'held' then
    update public.spec_uploads set deadline_at = least(deadline_at, clock_timestamp() + interval '2 minutes')
     where id = p_id;
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason, names_run)
  values ('spec', p_id, v_run, p_status, v_outcome, private.plain_reason(p_error), p_run is not null);
  return jsonb_build_object('outcome', v_outcome,
    'status', case when v_outcome = 'applied' then p_status else v_spec.processing_status end,
    'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

create or replace function public.report_spec_progress(p_id uuid, p_deadline_s int, p_limit_s int, p_run int default null,
  p_progress double precision default null, p_note text default null, p_execution text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_spec public.spec_uploads;
  v_run int;
  v_outcome text;
  v_now timestamptz := clock_timestamp();
  v_note text := nullif(btrim(left(private.strip_url_queries(p_note), 200)), '');
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_spec.run);
  v_outcome := private.progress_outcome('spec', p_id, v_run, v_spec.run, v_spec.processing_status, p_execution);
  if v_outcome = 'applied' then
    if v_spec.processing_status = 'pending' and p_run is not null then
      perform private.move_spec(p_id, v_run, array['pending'], 'processing');
      update private.work_items set state = 'done', finished_at = v_now, lease_token = null
       where kind = 'spec_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
    end if;
    update public.spec_uploads
       set deadline_at = greatest(deadline_at,
             least(v_now + make_interval(secs => p_deadline_s), started_at + make_interval(secs => p_limit_s)))
     where id = p_id and processing_status = 'processing';
    -- `status_seq` causes a broadcast, so change it only with something visible.
    update public.spec_uploads
       set status_seq = status_seq + 1, updated_at = v_now, note = coalesce(v_note, note),
           progress_at = case when p_progress is distinct from progress and p_progress is not null then v_now
                            else progress_at end,
           progress = coalesce(p_progress, progress)
     where id = p_id and not coalesce(p_progress < progress, false)
       and (coalesce(p_progress, progress), coalesce(v_note, note)) is distinct from (progress, note);
  end if;
  if v_outcome <> 'too_often' then
    perform private.note_progress('spec', p_id, v_run, v_outcome, p_progress, v_note, p_execution);
  end if;
  return jsonb_build_object('outcome', v_outcome,
    'status', (select processing_status from public.spec_uploads where id = p_id),
    'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

create or replace function private.image_retrying(p_job uuid, p_run int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_admin() or exists (
    select 1 from public.image_jobs j where j.id = p_job and j.project_id in (select private.my_projects())) then
    return private.trigger_retry('image_dispatch', p_job, p_run) - 'reason';
  end if;
  return null;
end $$;

create or replace function private.reported_image_run(p_job uuid, p_current_run int, p_run int, p_paths text[]) returns int
language sql stable set search_path = '' as $$
  select case when bool_and(coalesce(e.run < coalesce(p_run, p_current_run), false)) then max(e.run)
              else coalesce(p_run, p_current_run) end
    from (select coalesce(
                   (select v.run from public.image_variants v where v.job_id = p_job and v.path = p.path limit 1),
                   substring(p.path from '^images/projects/[^/]+/jobs/' || p_job || '/(\d{1,6})/')::int) as run
            from unnest(p_paths) p(path)) e
$$;

create or replace function private.images_missing(p_job uuid, p_run int) returns int
language sql stable set search_path = '' as $$
  select coalesce((coalesce(m.options, j.options) ->> 'count')::int, 32)
         - (select count(*) from public.image_variants v where v.job_id = p_job and v.run = p_run)::int
    from public.image_runs r
    join public.image_jobs j on j.id = r.job_id
    join public.image_messages m on m.id = r.message_id
   where r.job_id = p_job and r.run = p_run
$$;

create or replace function private.store_variants(p_job uuid, p_run int, p_outputs jsonb, p_is_final boolean) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_output jsonb;
  v_variant_id text;
  v_variant_ids text[] := '{}';
  v_stored_count int := (select count(*) from public.image_variants where job_id = p_job and run = p_run);
  v_new_count int;
  -- Of the earlier runs of the prompt, including removed images.
  v_last_number int := coalesce((
    select greatest(max(e.removed_number), max(v.number))
      from public.image_runs r
      join public.image_runs e on e.message_id = r.message_id and e.run < r.run
      left join public.image_variants v on v.job_id = e.job_id and v.run = e.run
     where r.job_id = p_job and r.run = p_run), 0);
begin
  for v_output in select value from jsonb_array_elements(p_outputs) loop
    v_variant_id := v_output ->> 'variant_id';
    if v_variant_id is null then
      select variant_id into v_variant_id from public.image_variants
       where job_id = p_job and run = p_run and path = v_output ->> 'path';
      if v_variant_id is null then
        select 'v' || n into v_variant_id from generate_series(1, 10000) n
         where 'v' || n <> all (v_variant_ids)
           and not exists (select 1 from jsonb_array_elements(p_outputs) o where o.value ->> 'variant_id' = 'v' || n)
           and not exists (select 1 from public.image_variants where job_id = p_job and variant_id = 'v' || n)
         limit 1;
      end if;
    elsif exists (select 1 from public.image_variants
                   where job_id = p_job and run <> p_run and variant_id = v_variant_id) then
      v_variant_id := 'r' || p_run || '-' || v_variant_id;
    end if;
    v_variant_ids := v_variant_ids || v_variant_id;
  end loop;
  insert into public.image_variants (job_id, project_id, run, variant_id, position, number, path, thumb_path, meta,
    width, height)
  select p_job, (select project_id from public.image_jobs where id = p_job), p_run, v_variant_ids[o.ordinality],
         o.ordinality, v_last_number + o.ordinality, o.value ->> 'path', o.value ->> 'thumb_path',
         nullif(o.value -> 'meta', 'null'), (o.value ->> 'width')::int, (o.value ->> 'height')::int
    from jsonb_array_elements(p_outputs) with ordinality o
   where not exists (select 1 from public.image_variants x
                      where x.job_id = p_job and x.run = p_run and x.variant_id = v_variant_ids[o.ordinality])
   order by o.ordinality limit greatest(0, 32 - v_stored_count)
  on conflict (job_id, run, variant_id) do nothing;
  get diagnostics v_new_count = row_count;
  update public.image_variants v set position = sorted.position, number = v_last_number + sorted.position
    from (select variant_id, row_number() over (
                   order by case when p_is_final then array_position(v_variant_ids, variant_id) end nulls last,
                            char_length(path), path collate "C", variant_id collate "C") as position
            from public.image_variants where job_id = p_job and run = p_run) sorted
   where v.job_id = p_job and v.run = p_run and v.variant_id = sorted.variant_id and v.position <> sorted.position;
  return v_new_count;
end $$;

create or replace function public.report_image_progress(p_id uuid, p_deadline_s int, p_limit_s int, p_run int default null,
  p_progress double precision default null, p_note text default null, p_execution text default null,
  p_paths text[] default '{}') returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_run int;
  v_outcome text;
  v_now timestamptz := clock_timestamp();
  v_note text := nullif(btrim(left(private.strip_url_queries(p_note), 200)), '');
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := private.reported_image_run(p_id, v_job.run, p_run, p_paths);
  v_outcome := private.progress_outcome('image', p_id, v_run, v_job.run, v_job.status, p_execution);
  if v_outcome = 'applied' then
    if v_job.status = 'queued' and p_run is not null then
      perform private.move_image(p_id, v_run, array['queued'], 'running');
      update private.work_items set state = 'done', finished_at = v_now, lease_token = null
       where kind = 'image_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
    end if;
    update public.image_jobs
       set deadline_at = greatest(deadline_at,
             least(v_now + make_interval(secs => p_deadline_s), started_at + make_interval(secs => p_limit_s)))
     where id = p_id and status = 'running';
    update public.image_jobs
       set status_seq = status_seq + 1, updated_at = v_now, note = coalesce(v_note, note),
           progress_at = case when p_progress is distinct from progress and p_progress is not null then v_now
                            else progress_at end,
           progress = coalesce(p_progress, progress)
     where id = p_id and not coalesce(p_progress < progress, false)
       and (coalesce(p_progress, progress), coalesce(v_note, note)) is distinct from (progress, note);
  end if;
  if v_outcome <> 'too_often' then
    perform private.note_progress('image', p_id, v_run, v_outcome, p_progress, v_note, p_execution);
  end if;
  return jsonb_build_object('outcome', v_outcome, 'run', v_run, 'project_id', v_job.project_id,
    'status', (select status from public.image_jobs where id = p_id),
    'stored', private.variants_of_run(p_id, v_run),
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;

create or replace function public.add_image_outputs(p_id uuid, p_run int, p_outputs jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_outcome text;
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  -- The run can end while its outputs are being checked.
  v_outcome := case
    when v_job.run <> p_run then 'stale_run'
    when v_job.status = 'canceled' then 'canceled'
    when v_job.status in ('succeeded', 'failed') then 'late'
    else 'applied' end;
  if v_outcome = 'applied' then
    if private.store_variants(p_id, p_run, p_outputs, false) > 0 then
      update public.image_jobs set status_seq = status_seq + 1, updated_at = clock_timestamp() where id = p_id;
    end if;
  end if;
  return jsonb_build_object('outcome', v_outcome, 'status', v_job.status, 'stored', private.variants_of_run(p_id, p_run));
end $$;

create or replace function public.apply_image_callback(p_id uuid, p_status text, p_run int default null,
  p_outputs jsonb default null, p_error text default null, p_notes text[] default '{}', p_paths text[] default '{}')
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_run int;
  v_outcome text;
  v_error_code text := case when p_status = 'failed' then 'workflow_failed' when p_error is not null then 'invalid_output' end;
  v_new_status text := case when v_error_code is null then 'succeeded' else 'failed' end;
  v_has_more boolean; -- Whether this is another success of a run, with other files.
  v_more jsonb;
  v_notes text[] := p_notes;
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := private.reported_image_run(p_id, v_job.run, p_run, p_paths);
  v_has_more := p_status = 'succeeded' and v_job.status = 'succeeded' and v_run = v_job.run
    and v_job.finished_at > now() - interval '5 minutes'
    and exists (select 1 from unnest(p_paths) path
                 where path not in (select v.path from public.image_variants v where v.job_id = p_id and v.run = v_run));
  v_outcome := case
    when v_run < v_job.run then 'stale_run'
    when v_run > v_job.run then 'unknown_run'
    when v_job.status in ('queued', 'running') and p_paths = '{}'
      and private.is_doubtful(p_run, v_run, v_job.started_at) then 'held'
    when v_job.status in ('queued', 'running') or v_has_more then 'applied'
    when v_job.status = 'canceled' then 'canceled'
    when p_status = 'succeeded' and v_job.finished_at > now() - interval '24 hours'
      and (v_job.error_code in ('timeout', 'unreachable') or v_job.error_code = 'invalid_output' and p_paths <> '{}'
        or (p_run is not null or p_paths <> '{}') and v_job.status = 'failed'
          and private.failed_without_run('image', p_id, v_run)) then 'applied'
    when v_job.error_code in ('timeout', 'unreachable') then 'late'
    when v_job.status = p_status then 'duplicate'
    else 'conflict' end;
  if v_outcome = 'applied' and p_status = 'succeeded' and p_outputs is null then
    return jsonb_build_object('outcome', 'checkable', 'run', v_run, 'project_id', v_job.project_id,
      'stored', private.variants_of_run(p_id, v_run));
  end if;
  if v_outcome = 'applied' and v_has_more then
    select jsonb_agg(n.value order by n.ordinality) into v_more
      from (select o.value, o.ordinality from jsonb_array_elements(p_outputs) with ordinality o
             where not exists (
                     select 1 from public.image_variants v where v.job_id = p_id and v.run = v_run
                        and (v.path = o.value ->> 'path' or v.variant_id in
                              (o.value ->> 'variant_id', 'r' || v_run || '-' || (o.value ->> 'variant_id'))))
             order by o.ordinality limit greatest(private.images_missing(p_id, v_run), 0)) n;
    if v_more is null then v_outcome := 'duplicate';
    else perform private.store_variants(p_id, v_run, v_more, false); end if;
    if exists (select 1 from jsonb_array_elements(p_outputs) o where o.value ->> 'path' not in
                (select v.path from public.image_variants v where v.job_id = p_id and v.run = v_run)) then
      v_notes := v_notes || case when private.images_missing(p_id, v_run) > 0
        then 'An image was left out because another image has the same variant_id.'
        else 'The image service sent more images than the prompt asks for. They were left out.' end;
    end if;
    if v_new_status = 'failed' then v_notes := v_notes || p_error; end if;
  elsif v_outcome = 'applied' and v_job.status = 'failed' and v_new_status = 'failed' then
    -- A success without usable outputs replaces no failure.
    v_outcome := 'late';
  end if;
  if v_outcome = 'applied' and not v_has_more then
    perform private.move_image(p_id, v_run, array['queued', 'running', 'failed'], v_new_status, v_error_code,
      case when v_new_status = 'failed' then coalesce(nullif(btrim(private.strip_url_queries(p_error)), ''),
        'The workflow service reported a failure without a reason.') end);
    if v_new_status = 'succeeded' then perform private.store_variants(p_id, v_run, p_outputs, true); end if;
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'image_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  elsif v_outcome = 'held' then
    update public.image_jobs set deadline_at = least(deadline_at, clock_timestamp() + interval '2 minutes') where id = p_id;
  end if;
  if v_has_more or v_outcome = 'applied' and v_new_status = 'succeeded' then
    update public.image_runs r
       set notes = r.notes || array(select n.note from unnest(v_notes) with ordinality n(note, position)
                                     where n.note <> all (r.notes) order by n.position)
     where job_id = p_id and run = v_run and not v_notes <@ r.notes;
    if v_has_more and (found or v_outcome = 'applied') then
      update public.image_jobs set status_seq = status_seq + 1, updated_at = clock_timestamp() where id = p_id;
    end if;
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason, names_run)
  values ('image', p_id, v_run, p_status, v_outcome,
    private.plain_reason(coalesce(p_error, nullif(array_to_string(v_notes, ' '), ''))), p_run is not null);
  return jsonb_build_object('outcome', v_outcome, 'run', v_run,
    'status', case when v_outcome = 'applied' then v_new_status else v_job.status end,
    'stored', private.variants_of_run(p_id, v_run),
    'kept', case when v_outcome = 'applied' and v_new_status = 'failed' then
      (select count(*) from public.image_variants where job_id = p_id and run = v_run) else 0 end,
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;

create or replace function private.broadcast_retry() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  case new.source
    when 'spec' then
      update public.spec_uploads set status_seq = status_seq + 1
       where id = new.subject_id and run = new.run and processing_status = 'pending';
    when 'image' then
      update public.image_jobs set status_seq = status_seq + 1
       where id = new.subject_id and run = new.run and status = 'queued';
  end case;
  return null;
end $$;

create or replace function private.trigger_retry(p_kind text, p_subject uuid, p_run int) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
           -- Without a lease, `attempts` does not count the next attempt.
           'attempt', least(w.max_attempts, w.attempts + case when w.lease_token is null then 1 else 0 end),
           'maxAttempts', w.max_attempts,
           'nextAttemptAt', case when w.lease_token is null then w.visible_at end,
           'reason', private.plain_reason(w.last_error))
    from private.work_items w
   where w.kind = p_kind and w.subject_id = p_subject and w.run = p_run and w.state = 'pending' and w.last_error is not null
$$;

create or replace function public.work_claim(p_kinds text[], p_worker text, p_limit int default 10, p_lease_s int default 30)
returns table (id bigint, kind text, subject_id uuid, run int, attempts int, max_attempts int, lease_token uuid,
  request_id text)
language plpgsql volatile set search_path = '' as $$
#variable_conflict use_column
begin
  return query
  with due as (
    select w.id, k.kind, w.visible_at, claimed.last_claimed_at,
           row_number() over (partition by k.kind, u.user_id order by w.visible_at, w.id) + claimed.running as turn
      from unnest(p_kinds) k (kind)
        cross join lateral private.work_users(k.kind) u (user_id)
        cross join lateral (
          select (select count(*) from private.work_items y
                   where y.state = 'pending' and y.kind = k.kind and y.user_id = u.user_id
                     and y.visible_at > now() and y.lease_token is not null) as running,
                 (select max(y.claimed_at) from private.work_items y
                   where y.kind = k.kind and y.user_id = u.user_id and y.claimed_at is not null) as last_claimed_at
        ) claimed
        cross join lateral (
          select y.id, y.visible_at from private.work_items y
           where y.state = 'pending' and y.kind = k.kind and y.user_id = u.user_id
             and y.visible_at <= now() and y.attempts < y.max_attempts
             and (y.kind <> 'event_delivery' or private.is_next_delivery(y.subject_id))
           order by y.visible_at, y.id limit p_limit * 4) w),
  ranked_by_kind as (
    select d.id, d.visible_at,
           row_number() over (partition by d.kind order by d.turn, d.last_claimed_at nulls first, d.visible_at, d.id) as rank
      from due d),
  ranked as materialized (
    select r.id, row_number() over (order by r.rank, r.visible_at) as rank from ranked_by_kind r)
  update private.work_items w
     set attempts = w.attempts + 1, lease_token = gen_random_uuid(), leased_by = p_worker,
         claimed_at = clock_timestamp(), visible_at = clock_timestamp() + make_interval(secs => p_lease_s)
   where w.id = any (array(
           -- Skip items that another worker has locked or claimed in the meantime.
           select x.id
             from ranked join private.work_items x on x.id = ranked.id
            where x.state = 'pending' and x.visible_at <= now() and x.attempts < x.max_attempts
            order by ranked.rank limit p_limit for update of x skip locked))
  returning w.id, w.kind, w.subject_id, w.run, w.attempts, w.max_attempts, w.lease_token, w.request_id;
end $$;

create or replace function public.work_failed(p_id bigint, p_token uuid, p_code text, p_error text, p_retryable boolean,
  p_retry_after_s int default 0, p_detail text default null) returns text
language plpgsql volatile set search_path = '' as $$
declare
  v_item private.work_items := private.lock_subject(p_id);
  v_is_retried boolean := p_retryable and v_item.attempts < v_item.max_attempts;
begin
  update private.work_items
     set state = case when v_is_retried then 'pending' else 'dead' end,
         finished_at = case when not v_is_retried then clock_timestamp() end,
         -- The delay doubles, up to three minutes. Half of it is random.
         visible_at = clock_timestamp() + make_interval(secs =>
           greatest(p_retry_after_s, (0.5 + random() / 2) * least(180, power(2, attempts)))),
         lease_token = null, last_error = left(p_error, 1000)
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return 'lost'; end if;
  perform private.note_trigger(v_item,
    case when v_is_retried then 'again' when p_retryable then 'given_up' else 'refused' end,
    concat_ws(' ', p_error, p_detail));
  if v_is_retried then return 'pending'; end if;
  perform private.subject_failed(v_item.kind, v_item.subject_id, v_item.run, p_code, p_error);
  return 'dead';
end $$;

create or replace function public.work_reap(p_limit int default 100) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  r record;
  v_dead int := 0;
  v_timed_out int := 0;
begin
  for r in select * from (
             select id, kind, subject_id, run from private.work_items
              where state = 'pending' and visible_at <= now() and attempts >= max_attempts
              order by visible_at, id limit p_limit) dead
            order by subject_id loop
    perform private.lock_subject(r.id);
    update private.work_items
       set state = 'dead', finished_at = clock_timestamp(), lease_token = null, last_error = coalesce(last_error, 'worker lost')
     where id = r.id and state = 'pending' and visible_at <= clock_timestamp() and attempts >= max_attempts;
    if found then
      v_dead := v_dead + 1;
      perform private.note_trigger(w, 'given_up', w.last_error) from private.work_items w where w.id = r.id;
      perform private.subject_failed(r.kind, r.subject_id, r.run, 'unreachable', 'The work could not be finished after its last attempt.');
    end if;
  end loop;
  for r in select id, run from public.spec_uploads where processing_status = 'processing' and deadline_at < now()
            order by deadline_at limit p_limit for update skip locked loop
    if private.subject_failed('spec_dispatch', r.id, r.run, 'timeout', private.timeout_reason('spec', r.id, r.run)) then
      v_timed_out := v_timed_out + 1;
    end if;
  end loop;
  for r in select id, run from public.image_jobs where status = 'running' and deadline_at < now()
            order by deadline_at limit p_limit for update skip locked loop
    if private.subject_failed('image_dispatch', r.id, r.run, 'timeout', private.timeout_reason('image', r.id, r.run)) then
      v_timed_out := v_timed_out + 1;
    end if;
  end loop;
  return jsonb_build_object('dead', v_dead, 'timed_out', v_timed_out);
end $$;

create or replace function private.progress_outcome(p_source text, p_id uuid, p_run int, p_current_run int, p_status text,
  p_execution text) returns text
language sql volatile set search_path = '' as $$
  select case
    when p_run < p_current_run then 'stale_run'
    when p_run > p_current_run then 'unknown_run'
    when p_status = 'canceled' then 'canceled'
    when p_status in ('succeeded', 'completed', 'failed') then 'late'
    when exists (select 1 from private.callback_events
                  where source = p_source and subject_id = p_id and run = p_run and status = 'running'
                    and outcome = 'applied' and execution <> p_execution) then 'duplicate'
    when public.rate_take(concat_ws(':', 'progress', p_source, p_id, p_run), 30, 1000) > 0 then 'too_often'
    else 'applied' end
$$;

create or replace function private.replace_callback_event(p_source text, p_subject uuid, p_run int, p_status text, p_outcome text,
  p_reason text, p_execution text default null) returns void
language plpgsql volatile set search_path = '' as $$
begin
  update private.callback_events
     set received_at = clock_timestamp(), reason = p_reason, execution = coalesce(execution, p_execution)
   where source = p_source and subject_id = p_subject and run = p_run and status is not distinct from p_status
     and outcome = p_outcome;
  if not found then
    insert into private.callback_events (source, subject_id, run, status, outcome, reason, execution)
    values (p_source, p_subject, p_run, p_status, p_outcome, p_reason, p_execution);
  end if;
end $$;

create or replace function private.note_progress(p_source text, p_subject uuid, p_run int, p_outcome text, p_progress double precision,
  p_note text, p_execution text) returns void
language sql volatile set search_path = '' as $$
  select private.replace_callback_event(p_source, p_subject, p_run, 'running', p_outcome,
    nullif(concat_ws(': ', round(p_progress * 100) || '%', p_note), ''), p_execution)
$$;

create or replace function private.is_doubtful(p_reported_run int, p_current_run int, p_started_at timestamptz) returns boolean
language sql volatile set search_path = '' as $$
  select p_reported_run is null and p_current_run > 1
     and coalesce(p_started_at > clock_timestamp() - interval '15 seconds', true)
$$;

create or replace function private.failed_without_run(p_source text, p_subject uuid, p_run int) returns boolean
language sql stable set search_path = '' as $$
  select exists (select 1 from private.callback_events
                  where source = p_source and subject_id = p_subject and run = p_run and status = 'failed'
                    and outcome = 'applied' and not names_run)
$$;

create or replace function private.timeout_reason(p_source text, p_subject uuid, p_run int) returns text
language sql stable set search_path = '' as $$
  select coalesce(
    (select case when outcome = 'refused' then 'The workflow service sent a callback that cannot be read: ' || reason
                 else coalesce(reason, 'The workflow service reported a result without naming its run.') end
       from private.callback_events
      where source = p_source and subject_id = p_subject and run = p_run and outcome in ('held', 'refused')
      order by received_at desc limit 1),
    'The workflow service did not call back before the deadline.')
$$;

create or replace function public.held_callback(p_id uuid)
returns table (source text, subject_id uuid, run int, status text, reason text)
language sql stable set search_path = '' as $$
  select c.source, c.subject_id, c.run, c.status, c.reason from private.callback_events c
   where c.id = p_id and c.outcome = 'held'
$$;

create or replace function private.note_refused_run(p_source text, p_subject uuid, p_run int, p_reason text) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_run int;
  v_note text := left('The workflow service sent a callback that cannot be read: ' || p_reason, 200);
begin
  case p_source
    when 'spec' then
      update public.spec_uploads set note = v_note, status_seq = status_seq + 1, updated_at = clock_timestamp()
       where id = p_subject and run = coalesce(p_run, run) and processing_status in ('pending', 'processing')
      returning run into v_run;
    when 'image' then
      update public.image_jobs set note = v_note, status_seq = status_seq + 1, updated_at = clock_timestamp()
       where id = p_subject and run = coalesce(p_run, run) and status in ('queued', 'running')
      returning run into v_run;
  end case;
  if found then
    perform private.replace_callback_event(p_source, p_subject, v_run, null, 'refused', p_reason);
  end if;
end $$;

create or replace function public.note_refused_callback(p_source text, p_code text, p_detail text, p_subject uuid default null,
  p_times int default 1, p_run int default null) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_minute timestamptz := date_trunc('minute', clock_timestamp());
  v_subject uuid := p_subject;
begin
  if p_subject is not null and (
    select count(*) from private.refused_callbacks
     where source = p_source and code = p_code and minute = v_minute and subject_id <> p_subject) >= 20 then
    v_subject := null;
  end if;
  insert into private.refused_callbacks as r (source, code, detail, subject_id, minute, times)
  values (p_source, p_code, left(private.strip_url_queries(p_detail), 300), v_subject, v_minute, p_times)
  on conflict (source, code, subject_id, minute) do update
    set times = least(r.times::bigint + excluded.times, 2147483647)::int, detail = excluded.detail, last_at = excluded.last_at;
  if p_subject is not null and p_code <> 'invalid_secret' then
    perform private.note_refused_run(p_source, p_subject, p_run, left(private.strip_url_queries(p_detail), 300));
  end if;
  delete from private.refused_callbacks where id = any (array(
    select id from private.refused_callbacks where source = p_source and code = p_code
     order by created_at desc, id desc offset 1000));
end $$;

create or replace function private.is_next_delivery(p_delivery uuid) returns boolean
language sql stable set search_path = '' as $$
  select not exists (
    select 1
      from private.event_deliveries d
      join private.events v on v.id = d.event_id
      join private.events earlier
        on earlier.subject_id = v.subject_id and (earlier.created_at, earlier.id) < (v.created_at, v.id)
      join private.event_deliveries waiting
        on waiting.event_id = earlier.id and waiting.endpoint_id = d.endpoint_id and waiting.state = 'pending'
     where d.id = p_delivery)
$$;

create or replace function public.event_to_send(p_delivery uuid, p_run int) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('event_id', v.id, 'type', v.type, 'data', v.data, 'created_at', v.created_at, 'url', e.url,
           'secret', e.secret, 'header_name', e.header_name, 'header_value', e.header_value, 'is_paused', e.paused_at is not null)
    from private.event_deliveries d
    join private.events v on v.id = d.event_id
    join private.event_endpoints e on e.id = d.endpoint_id
   where d.id = p_delivery and d.run = p_run and d.state = 'pending'
$$;

create or replace function public.create_event_endpoint(p_name text, p_url text, p_events text[], p_secret text, p_max int,
  p_header_name text default null, p_header_value text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_id uuid;
begin
  perform pg_advisory_xact_lock(hashtextextended('event_endpoints', 0));
  if (select count(*) from private.event_endpoints) >= p_max then return jsonb_build_object('outcome', 'too_many'); end if;
  insert into private.event_endpoints (name, url, events, secret, header_name, header_value)
  values (p_name, p_url, p_events, p_secret, p_header_name, p_header_value) returning id into v_id;
  return jsonb_build_object('outcome', 'created', 'id', v_id);
end $$;

create or replace function public.update_event_endpoint(p_id uuid, p_name text, p_events text[], p_header_name text default null,
  p_header_value text default null) returns text
language plpgsql volatile set search_path = '' as $$
begin
  update private.event_endpoints
     set name = p_name, events = p_events, header_name = p_header_name,
         header_value = case when p_header_name is not null then coalesce(p_header_value, header_value) end
   where id = p_id and (p_header_name is null or coalesce(p_header_value, header_value) is not null);
  if found then return 'updated'; end if;
  return case when exists (select 1 from private.event_endpoints where id = p_id) then 'no_value' else 'not_found' end;
end $$;

create or replace function public.event_endpoints()
returns table (id uuid, name text, url text, events text[], header_name text, failing_since timestamptz, last_error text,
  paused_at timestamptz, created_at timestamptz)
language sql stable set search_path = '' as $$
  select e.id, e.name, e.url, e.events, e.header_name, e.failing_since, e.last_error, e.paused_at, e.created_at
    from private.event_endpoints e order by e.created_at, e.id
$$;

create trigger broadcast_retry after insert on private.trigger_events for each row
  when (new.outcome = 'again') execute function private.broadcast_retry();

