-- Rights are checked in one place, outside the functions that start work, and functions that only patched another are
-- gone. The contracts of the functions are in supabase/schemas.

set check_function_bodies = off;

-- The embedded backend granted these again at each start, so an existing database may have them.
alter default privileges in schema public revoke all on tables from anon, authenticated;
alter default privileges in schema public revoke all on sequences from anon, authenticated;
alter default privileges in schema public revoke execute on functions from anon, authenticated;

-- Triggers and columns whose functions change or go.
alter table private.idempotency_keys rename column answer to result;
drop trigger enqueue_text on public.documents;
drop trigger enqueue on private.event_deliveries;
drop trigger number_message on public.image_messages;
drop trigger place_variant on public.image_variants;
drop trigger require_open_document on private.document_versions;
alter trigger tell_retry on private.trigger_events rename to broadcast_retry;
alter function private.tell_retry() rename to broadcast_retry;
drop trigger note_place on public.upload_jobs;
drop view public.specs;

-- Finish the merges that are in progress, because they are no longer done in slices.
update public.spec_uploads s set brand_id = b.merging_into
  from public.brands b where b.id = s.brand_id and b.merging_into is not null;
update public.spec_uploads s set area_type_id = a.merging_into
  from public.area_types a where a.id = s.area_type_id and a.merging_into is not null;
delete from public.brands where merging_into is not null;
delete from public.area_types where merging_into is not null;
alter table public.brands drop column merging_into;
alter table public.area_types drop column merging_into;

drop function private.idempotency_end(uuid, text, text, jsonb);
drop function private.move_spec(uuid, int, text[], text, text, text, int, timestamptz);
drop function private.start_next_runs(uuid[], uuid, text[]);
drop function private.store_variants(uuid, int, jsonb, boolean);
drop function public.save_project_pages(uuid, uuid, int, text, text, jsonb, json, text, json, uuid);
drop function public.sweep_orphans(int, int, int, int);
drop function public.rate_take_many(text, int, int, int);
drop function public.rate_take(text, int, int);
drop function private.own_role(text);
drop function private.take_own_start(int, int);
drop function private.refuse_admin_start(uuid, jsonb);
drop function public.create_brand(uuid, text, text, text);
drop function public.create_area(uuid, text, text, text);
drop function private.move_specs(text, uuid, uuid, int);
drop function public.merge_in_list(text, text, text, int);
drop function public.continue_merge(int);
drop function private.project_role(uuid, boolean, text, uuid);
drop function private.refuse_start(uuid, jsonb, uuid);
drop function public.project_access(uuid, uuid, uuid, int, int);
drop function private.my_deleted_projects(int);
drop function public.deleted_project_access(uuid, int);
drop function private.note_place();
drop function private.audit_spec_change(text, uuid);
drop function public.create_spec_upload(uuid, uuid, text, text, text, text, bigint, text, text, boolean, text, text, boolean, uuid, jsonb);
drop function public.delete_spec(uuid);
drop function private.plain_words(text);
drop function public.apply_spec_callback(uuid, text, int, int, text);
drop function public.apply_spec_report(uuid, text, int, int, text, jsonb);
drop function public.retry_spec(uuid);
drop function public.process_spec_again(uuid, uuid);
drop function private.enqueue_text();
drop function private.full_sections(jsonb);
drop function private.number_message();
drop function private.place_variant();
drop function public.create_image_job(uuid, uuid, text, uuid, text, text, text[], jsonb, jsonb, text, text, jsonb);
drop function public.send_image_message(uuid, uuid, text, text, text[], jsonb, jsonb, uuid, text, text, jsonb);
drop function public.retry_image_job(uuid, uuid, jsonb);
drop function private.stored_variants(uuid, int);
drop function private.seed_of(jsonb);
drop function private.insert_document(uuid, uuid, uuid, text, text, text, text, jsonb, json, uuid);
drop function private.require_open_version();
drop function private.keep_document_version(public.project_pages, timestamptz, text, boolean);
drop function private.is_kept_document(uuid);
drop function private.insert_page_template(uuid, uuid, text, json);
drop function private.lock_subject(text, uuid);
drop function private.subject_accepted(text, uuid, int, timestamptz);
drop function private.enqueue_delivery();

create or replace function private.idempotency_begin(p_user uuid, p_scope text, p_key text, p_sha256 text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_first private.idempotency_keys;
begin
  if p_key is null then return null; end if;
  insert into private.idempotency_keys (user_id, scope, key, request_sha256)
  values (p_user, p_scope, p_key, p_sha256) on conflict do nothing;
  if found then return null; end if;
  select * into v_first from private.idempotency_keys where user_id = p_user and scope = p_scope and key = p_key;
  if v_first.request_sha256 <> p_sha256 then return jsonb_build_object('outcome', 'idempotency_mismatch'); end if;
  return v_first.result;
end $$;

create or replace function private.idempotency_end(p_user uuid, p_scope text, p_key text, p_result jsonb) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  if p_key is null then return p_result; end if;
  if p_result ->> 'outcome' = 'created' then
    update private.idempotency_keys set result = p_result where user_id = p_user and scope = p_scope and key = p_key;
  else
    delete from private.idempotency_keys where user_id = p_user and scope = p_scope and key = p_key;
  end if;
  return p_result;
end $$;

create or replace function public.rate_take(p_key text, p_burst int, p_interval_ms int, p_count int default 1) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_interval interval := make_interval(secs => p_interval_ms / 1000.0);
  v_cost interval := v_interval * least(p_count, p_burst);
  v_tat timestamptz;
begin
  if p_count is null or p_count < 1 or p_burst is null or p_burst < 1 or p_interval_ms is null or p_interval_ms < 1 then
    raise exception 'the bounds of a rate must be positive' using errcode = '22023';
  end if;
  insert into private.rate_buckets as b (key, tat) values (p_key, v_now + v_cost)
  on conflict (key) do update set tat = greatest(b.tat, v_now) + v_cost
    where greatest(b.tat, v_now) + v_cost <= v_now + v_interval * p_burst;
  if found then return 0; end if;
  select tat into v_tat from private.rate_buckets where key = p_key;
  return least(greatest(1, ceil(extract(epoch from (v_tat + v_cost) - (v_now + v_interval * p_burst)) * 1000)), 2147483647)::int;
end $$;

create or replace function private.strip_url_queries(p_text text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(p_text, '(https?://[^\s?#]*)[?#]\S*', '\1', 'gi')
$$;

create or replace function private.plain_reason(p_text text) returns text
language sql immutable set search_path = '' as $$
  select left(private.strip_url_queries(p_text), 500)
$$;

create or replace function public.list_access_tokens(p_account uuid default null, p_before timestamptz default null,
  p_before_id uuid default null, p_limit int default 20, p_created_by uuid default null, p_is_service boolean default null,
  p_only_valid boolean default false)
returns table (id uuid, is_service boolean, name text, role text, hint text, owner_email text, created_by_email text,
  created_at timestamptz, expires_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select t.id, t.is_service, t.name, t.role, t.hint, case when not t.is_service then a.email::text end, c.email::text,
         t.created_at, t.expires_at, t.last_used_at
    from private.access_tokens t
    join auth.users a on a.id = t.account_id
    left join auth.users c on c.id = t.created_by
   where (p_account is null or t.account_id = p_account)
     and (p_created_by is null or t.created_by = p_created_by)
     and (p_is_service is null or t.is_service = p_is_service)
     and (not p_only_valid or (t.expires_at > now() and private.is_active(t.account_id)))
     and (p_before is null or (t.created_at, t.id) < (p_before, p_before_id))
   order by t.created_at desc, t.id desc limit p_limit
$$;

create or replace function private.list_table(p_list text) returns text
language sql immutable set search_path = '' as $$
  select case p_list when 'brands' then 'public.brands' when 'areas' then 'public.area_types' end
$$;

create or replace function public.create_in_list(p_list text, p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_table text := private.list_table(p_list);
  v_result jsonb := private.idempotency_begin(p_user, p_list, p_idempotency_key, p_request_sha256);
begin
  if v_result is not null then return v_result; end if;
  -- Repeat, because a conflicting row can be deleted before it is read.
  while v_result is null loop
    execute format('insert into %s (name, created_by) values ($1, $2) on conflict (name_key) do nothing
                      returning jsonb_build_object(''outcome'', ''created'', ''name'', name)', v_table)
      into v_result using p_name, p_user;
    if v_result is null then
      execute format('select jsonb_build_object(''outcome'', ''exists'', ''name'', name) from %s
                       where name_key = private.name_key($1)', v_table)
        into v_result using p_name;
    end if;
  end loop;
  return private.idempotency_end(p_user, p_list, p_idempotency_key, v_result);
end $$;

create or replace function public.import_names(p_list text, p_user uuid, p_names text[]) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  -- The first spelling of each name, sorted so that two imports cannot deadlock.
  v_names text[] := array(
    select distinct on (private.name_key(name)) name from unnest(p_names) with ordinality as x (name, ordinal)
     order by private.name_key(name), ordinal);
  v_added int;
begin
  execute format('insert into %s (name, created_by) select unnest($1), $2 on conflict (name_key) do nothing',
      private.list_table(p_list))
    using v_names, p_user;
  get diagnostics v_added = row_count;
  return jsonb_build_object('added', v_added, 'existing', cardinality(v_names) - v_added);
end $$;

create or replace function public.rename_in_list(p_list text, p_name text, p_new_name text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_table text := private.list_table(p_list);
  v_count int;
  v_existing text;
begin
  execute format('update %s set name = $2 where name_key = private.name_key($1)', v_table) using p_name, p_new_name;
  get diagnostics v_count = row_count;
  return jsonb_build_object('outcome', case v_count when 0 then 'not_found' else 'renamed' end, 'name', p_new_name);
exception when unique_violation then
  execute format('select name from %s where name_key = private.name_key($1)', v_table) into v_existing using p_new_name;
  return jsonb_build_object('outcome', 'exists', 'name', coalesce(v_existing, p_new_name));
end $$;

create or replace function public.delete_in_list(p_list text, p_name text) returns text
language plpgsql volatile set search_path = '' as $$
declare v_count int;
begin
  execute format('delete from %s where name_key = private.name_key($1)', private.list_table(p_list)) using p_name;
  get diagnostics v_count = row_count;
  return case v_count when 0 then 'not_found' else 'deleted' end;
exception when foreign_key_violation then
  return 'in_use';
end $$;

create or replace function public.merge_in_list(p_list text, p_name text, p_into text) returns jsonb
language plpgsql volatile set search_path = '' set statement_timeout = '60s' as $$
declare
  v_table text := private.list_table(p_list);
  v_column text := case p_list when 'brands' then 'brand_id' else 'area_type_id' end;
  v_from record;
  v_into record;
  v_count int;
begin
  if private.name_key(p_name) = private.name_key(p_into) then return jsonb_build_object('outcome', 'same'); end if;
  -- Uploads and edits that use the names wait for these locks.
  execute format('select 1 from %s where name_key in ($1, $2) order by id for update', v_table)
    using private.name_key(p_name), private.name_key(p_into);
  execute format('select id, name from %s where name_key = private.name_key($1)', v_table) into v_from using p_name;
  execute format('select id, name from %s where name_key = private.name_key($1)', v_table) into v_into using p_into;
  if v_from.id is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_into.id is null then return jsonb_build_object('outcome', 'unknown_target'); end if;
  -- The search index keeps the key of `p_name`, so `update_search` changes no words of the moved specs.
  update private.merged_places set into_id = v_into.id where into_id = v_from.id;
  insert into private.merged_places (id, into_id) values (v_from.id, v_into.id);
  execute format('select 1 from public.spec_uploads where %I = $1 order by id for update', v_column) using v_from.id;
  execute format('update public.spec_uploads set %1$I = $2 where %1$I = $1', v_column) using v_from.id, v_into.id;
  get diagnostics v_count = row_count;
  perform set_config('atelier.merged_into', v_into.name, true);
  execute format('delete from %s where id = $1', v_table) using v_from.id;
  perform set_config('atelier.merged_into', '', true);
  return jsonb_build_object('outcome', 'merged', 'name', v_into.name, 'specs', v_count);
end $$;

create or replace function public.catalogue() returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'brands', (
      select coalesce(jsonb_agg(jsonb_build_object('name', b.name, 'specs', coalesce(t.specs, 0))), '[]')
        from public.brands b
        left join (select brand_id, sum(n) as specs from private.spec_tally group by 1) t on t.brand_id = b.id),
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'specs', coalesce(t.specs, 0))), '[]')
        from public.area_types a
        left join (select area_type_id, sum(n) as specs from private.spec_tally group by 1) t on t.area_type_id = a.id))
$$;

create or replace function public.create_project(p_user uuid, p_name text, p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'projects', p_idempotency_key, p_request_sha256);
  v_project public.projects;
begin
  if v_result is not null then return v_result; end if;
  insert into public.projects (name, created_by) values (p_name, p_user) returning * into v_project;
  insert into public.project_members (project_id, user_id, role) values (v_project.id, p_user, 'owner');
  v_result := jsonb_build_object('outcome', 'created', 'id', v_project.id, 'name', v_project.name,
    'created_at', v_project.created_at);
  return private.idempotency_end(p_user, 'projects', p_idempotency_key, v_result);
end $$;

create or replace function public.set_project_member(p_project uuid, p_email text, p_role text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user uuid;
  v_member public.project_members;
begin
  perform 1 from public.projects where id = p_project for update;
  select id into v_user from auth.users where lower(email) = lower(p_email);
  if v_user is null then return jsonb_build_object('outcome', 'no_account'); end if;
  if p_role <> 'owner' and private.is_last_owner(p_project, v_user) then
    return jsonb_build_object('outcome', 'last_owner');
  end if;
  insert into public.project_members (project_id, user_id, role) values (p_project, v_user, p_role)
  on conflict (user_id, project_id) do update set role = excluded.role returning * into v_member;
  return jsonb_build_object('outcome', 'set', 'user_id', v_user, 'created_at', v_member.created_at);
end $$;

create or replace function private.project_role(p_project uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_role text;
  v_token private.access_tokens;
begin
  if private.is_admin() then return 'owner'; end if;
  select * into v_token from private.find_token(private.token_key());
  v_role := case when v_token.is_service then 'owner' else (
    select m.role from public.project_members m where m.project_id = p_project and m.user_id = private.caller_id()) end;
  return case when private.role_rank(v_token.role) < private.role_rank(v_role) then v_token.role else v_role end;
end $$;

create or replace function public.project_access(p_project uuid default null, p_image_job uuid default null,
  p_export_job uuid default null, p_deleted_within_s int default null) returns table (project_id uuid, role text)
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.caller_id() is null then return; end if;
  return query
    select p.id, r.role from public.projects p cross join lateral private.project_role(p.id) as r (role)
     where p.id = coalesce(p_project, (select j.project_id from public.image_jobs j where j.id = p_image_job),
             (select e.project_id from public.export_jobs e where e.id = p_export_job))
       and case when p_deleted_within_s is null then p.deleted_at is null
             else p.deleted_at > now() - make_interval(secs => p_deleted_within_s) end
       and r.role is not null;
end $$;

create or replace function public.list_deleted_projects(p_within_s int, p_limit int, p_before timestamptz default null,
  p_before_id uuid default null) returns table (id uuid, name text, created_at timestamptz, archived_at timestamptz,
  deleted_at timestamptz)
language sql stable security definer set search_path = '' as $$
  select p.id, p.name, p.created_at, p.archived_at, p.deleted_at from public.projects p
   where (select private.caller_id()) is not null and p.deleted_at > now() - make_interval(secs => p_within_s)
     and private.project_role(p.id) = 'owner'
     and (p.created_at, p.id) < (coalesce(p_before, 'infinity'), coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
   order by p.created_at desc, p.id desc limit p_limit
$$;

create or replace function private.audit_spec_change(p_action text, p_id uuid, p_user uuid default null) returns void
language sql volatile set search_path = '' as $$
  select private.write_audit(p_action, p_id, s.file_name, concat_ws(' · ', s.brand_name, s.area, s.property_name), p_user)
    from public.specs s where s.id = p_id
$$;

create or replace function public.create_spec_upload(p_user uuid, p_id uuid, p_brand text, p_area text,
  p_storage_path text, p_file_name text, p_size_bytes bigint, p_sha256 text, p_property_name text default null,
  p_keep_duplicate boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_is_protected boolean default false,
  p_replaces uuid default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'specs', p_idempotency_key, p_request_sha256);
  v_document uuid := gen_random_uuid();
  v_brand uuid;
  v_area uuid;
  v_replaced public.spec_uploads;
begin
  if v_result is not null then return v_result; end if;
  select id into v_brand from public.brands where name_key = private.name_key(p_brand) for key share;
  select id into v_area from public.area_types where name_key = private.name_key(p_area) for key share;
  if v_brand is null then
    v_result := jsonb_build_object('outcome', 'unknown_brand');
  elsif v_area is null then
    v_result := jsonb_build_object('outcome', 'unknown_area');
  elsif not p_keep_duplicate then
    -- Serialize uploads of the same file.
    perform pg_advisory_xact_lock(hashtextextended(concat_ws(' ', v_brand, v_area, p_sha256), 0));
    select jsonb_build_object('outcome', 'duplicate', 'spec_upload_id', id) into v_result from public.spec_uploads
     where brand_id = v_brand and area_type_id = v_area and sha256 = p_sha256 and processing_status <> 'failed'
       and private.name_key(property_name) is not distinct from private.name_key(p_property_name)
     order by created_at, id limit 1;
  end if;
  if v_result is null and p_replaces is not null then
    select * into v_replaced from public.spec_uploads where id = p_replaces for update;
    v_result := case
      when not found then jsonb_build_object('outcome', 'unknown_spec')
      when (v_replaced.brand_id, v_replaced.area_type_id, private.name_key(v_replaced.property_name))
        is distinct from (v_brand, v_area, private.name_key(p_property_name))
        then jsonb_build_object('outcome', 'other_place')
      when not v_replaced.is_current then (
        select jsonb_build_object('outcome', 'replaced', 'spec_upload_id', id, 'version', version)
          from public.spec_uploads where series_id = v_replaced.series_id and is_current)
      end;
  end if;
  if v_result is not null then return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_result); end if;
  if p_replaces is not null then
    update public.spec_uploads
       set is_current = false, status_seq = status_seq + 1, updated_at = clock_timestamp()
     where id = p_replaces;
  end if;
  insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, is_protected, created_by)
  values (v_document, 'spec', p_storage_path, p_file_name, p_size_bytes, p_sha256, p_is_protected, p_user);
  insert into public.spec_uploads (id, document_id, brand_id, area_type_id, property_name, sha256, created_by,
    series_id, version)
  values (p_id, v_document, v_brand, v_area, p_property_name, p_sha256, p_user,
    coalesce(v_replaced.series_id, gen_random_uuid()), coalesce(v_replaced.version, 0) + 1);
  insert into public.upload_jobs (spec_upload_id, run, brand_name, area, property_name)
    select id, run, brand_name, area, property_name from public.specs where id = p_id;
  if p_replaces is not null then
    perform private.write_audit('spec.version_added', p_id, p_file_name,
        concat_ws(' · ', 'v' || s.version, s.brand_name, s.area, s.property_name), p_user)
      from public.specs s where s.id = p_id;
  end if;
  v_result := jsonb_build_object('outcome', 'created', 'spec_upload_id', p_id, 'document_id', v_document);
  return private.idempotency_end(p_user, 'specs', p_idempotency_key, v_result);
end $$;

create or replace function public.edit_specs(p_ids uuid[], p_brand text default null, p_area text default null,
  p_property text default null, p_clear_property boolean default false) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_brand uuid;
  v_area uuid;
  v_count int;
begin
  if p_brand is not null then
    select id into v_brand from public.brands where name_key = private.name_key(p_brand) for key share;
    if not found then return jsonb_build_object('outcome', 'unknown_brand'); end if;
  end if;
  if p_area is not null then
    select id into v_area from public.area_types where name_key = private.name_key(p_area) for key share;
    if not found then return jsonb_build_object('outcome', 'unknown_area'); end if;
  end if;
  perform private.lock_series(p_ids);
  update public.spec_uploads
     set brand_id = coalesce(v_brand, brand_id), area_type_id = coalesce(v_area, area_type_id),
         property_name = case when p_clear_property then null else coalesce(p_property, property_name) end,
         status_seq = status_seq + 1, updated_at = clock_timestamp()
   where series_id in (select series_id from public.spec_uploads where id = any (p_ids));
  select count(*) into v_count from public.spec_uploads where id = any (p_ids);
  return jsonb_build_object('outcome', 'edited', 'count', v_count);
end $$;

create or replace function public.delete_specs(p_ids uuid[]) returns text[]
language plpgsql volatile set search_path = '' as $$
declare v_paths text[];
begin
  -- Lock all versions, because deleting the newest one changes the one before it.
  perform private.lock_series(p_ids);
  with deleted as (
    delete from public.documents d using public.spec_uploads s
     where s.id = any (p_ids) and d.id = s.document_id
    returning d.storage_path)
  select coalesce(array_agg(storage_path), '{}') into v_paths from deleted;
  return v_paths;
end $$;

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
             case when not s.is_current then (
               select jsonb_build_object('id', n.id, 'version', n.version)
                 from public.spec_uploads n where n.series_id = s.series_id and n.is_current) end as replaced_by
        from public.specs s where s.id = p_id) spec);
end $$;

create or replace function public.read_spec(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case when private.is_admin() then private.spec_json(p_id) end
$$;

create or replace function public.match_specs(p_files jsonb) returns table (n int, id uuid, file_name text, version int)
language sql stable set search_path = '' as $$
  with files as materialized (
    select f.n::int as n, b.id as brand_id, a.id as area_type_id, private.name_key(f.file ->> 'property') as property,
           private.file_stem(f.file ->> 'file_name') as stem
      from jsonb_array_elements(p_files) with ordinality as f (file, n)
      join public.brands b on b.name_key = private.name_key(f.file ->> 'brand')
      join public.area_types a on a.name_key = private.name_key(f.file ->> 'area')),
  -- Materialized, because the planner could otherwise compute, for each file, the stems of all specs of its brand.
  same_stem as materialized (
    select f.*, d.id as document_id, d.file_name
      from files f join public.documents d on d.kind = 'spec' and private.file_stem(d.file_name) = f.stem)
  select distinct on (d.n) d.n, s.id, d.file_name, s.version
    from same_stem d
    join public.spec_uploads s on s.document_id = d.document_id and s.is_current
      and s.brand_id = d.brand_id and s.area_type_id = d.area_type_id
      and private.name_key(s.property_name) is not distinct from d.property
   order by d.n, s.created_at desc, s.id desc
$$;

create or replace function private.move_spec(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_sections_count int default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_document uuid;
  v_now timestamptz := clock_timestamp();
  v_finished timestamptz := case when p_to in ('completed', 'failed') then v_now end;
begin
  update public.spec_uploads
     set processing_status = p_to, status_seq = status_seq + 1, updated_at = v_now, finished_at = v_finished,
         started_at = case when p_to = 'processing' then v_now else started_at end,
         error_code = p_error_code, error = left(p_error, 10000), sections_count = p_sections_count,
         deadline_at = coalesce(p_deadline, deadline_at),
         progress = case when v_finished is null then progress end,
         progress_at = case when v_finished is null then progress_at end,
         note = case when v_finished is null then note end
   where id = p_id and run = p_run and processing_status = any (p_from)
  returning document_id into v_document;
  if not found then return false; end if;
  update public.documents set processing_status = p_to where id = v_document;
  update public.upload_jobs set status = p_to, error = left(p_error, 10000), finished_at = v_finished
   where spec_upload_id = p_id and run = p_run;
  return true;
end $$;

create or replace function private.start_next_runs(p_ids uuid[], p_user uuid, p_from text[] default array['failed'])
returns uuid[]
language plpgsql volatile set search_path = '' as $$
declare
  v_ids uuid[];
  v_documents uuid[];
begin
  with started as (
    update public.spec_uploads
       set run = run + 1, processing_status = 'pending', status_seq = status_seq + 1, updated_at = clock_timestamp(),
           started_at = null, finished_at = null, error_code = null, error = null, sections_count = null, deadline_at = null
     where id = any (p_ids) and processing_status = any (p_from)
    returning id, document_id)
  select coalesce(array_agg(id), '{}'), array_agg(document_id) into v_ids, v_documents from started;
  update public.documents set processing_status = 'pending' where id = any (v_documents);
  insert into public.upload_jobs (spec_upload_id, run, brand_name, area, property_name)
    select id, run, brand_name, area, property_name from public.specs where id = any (v_ids);
  if p_user is not null then
    update private.work_items w set user_id = p_user from public.spec_uploads s
     where s.id = any (v_ids) and w.kind = 'spec_dispatch' and w.subject_id = s.id and w.run = s.run;
  end if;
  return v_ids;
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
    when v_spec.processing_status in ('pending', 'processing') then 'applied'
    when p_status = 'completed' and v_spec.error_code in ('timeout', 'unreachable')
      and v_spec.finished_at > now() - interval '24 hours' then 'applied'
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
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason)
  values ('spec', p_id, v_run, p_status, v_outcome, private.plain_reason(p_error));
  return jsonb_build_object('outcome', v_outcome,
    'status', case when v_outcome = 'applied' then p_status else v_spec.processing_status end,
    'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

create or replace function public.report_spec_progress(p_id uuid, p_deadline_s int, p_limit_s int, p_run int default null,
  p_progress double precision default null, p_note text default null) returns jsonb
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
  v_outcome := private.progress_outcome('spec', p_id, v_run, v_spec.run, v_spec.processing_status);
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
    perform private.note_progress('spec', p_id, v_run, v_outcome, p_progress, v_note);
  end if;
  return jsonb_build_object('outcome', v_outcome,
    'status', (select processing_status from public.spec_uploads where id = p_id),
    'request_id', private.ordered_by('spec_dispatch', p_id, v_run));
end $$;

create or replace function public.stop_spec(p_id uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_spec public.spec_uploads;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_spec.error_code = 'stopped' then return jsonb_build_object('outcome', 'stopped'); end if;
  if not private.move_spec(p_id, v_spec.run, array['pending', 'processing'], 'failed', 'stopped',
    'Stopped by an administrator.') then
    return jsonb_build_object('outcome', 'conflict', 'status', v_spec.processing_status);
  end if;
  update private.work_items set state = 'canceled', finished_at = clock_timestamp(), lease_token = null
   where kind = 'spec_dispatch' and subject_id = p_id and state = 'pending';
  perform private.audit_spec_change('spec.stopped', p_id);
  return jsonb_build_object('outcome', 'stopped');
end $$;

create or replace function public.retry_spec(p_id uuid, p_user uuid default null, p_again boolean default false) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_spec public.spec_uploads;
begin
  select * into v_spec from public.spec_uploads where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if cardinality(private.start_next_runs(array[p_id], p_user,
    case when p_again then array['failed', 'completed'] else array['failed'] end)) = 0 then
    return jsonb_build_object('outcome', 'conflict', 'status', v_spec.processing_status);
  end if;
  perform private.audit_spec_change(case when p_again then 'spec.processed_again' else 'spec.retried' end, p_id, p_user);
  return jsonb_build_object('outcome', 'retried', 'run', v_spec.run + 1);
end $$;

create or replace function public.retry_specs(p_user uuid, p_ids uuid[]) returns int
language plpgsql volatile set search_path = '' as $$
declare v_count int;
begin
  perform 1 from public.spec_uploads where id = any (p_ids) order by id for update;
  v_count := cardinality(private.start_next_runs(p_ids, p_user));
  if v_count > 0 then
    perform private.write_audit('spec.retried', null, v_count || case when v_count = 1 then ' spec' else ' specs' end,
      null, p_user);
  end if;
  return v_count;
end $$;

create or replace function public.finish_spec_text(p_id bigint, p_token uuid, p_state text, p_pages int, p_sections jsonb)
returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_spec uuid := private.spec_being_read(p_id, p_token);
begin
  perform 1 from public.spec_uploads where id = v_spec for update;
  if not found then return false; end if;
  if not private.close_item(p_id, p_token) then return false; end if;
  update public.documents set text_state = p_state
   where id = (select document_id from public.spec_uploads where id = v_spec);
  -- An earlier attempt may have stored more pages.
  delete from public.spec_pages where spec_id = v_spec and page > p_pages;
  if not exists (select 1 from public.spec_sections where spec_id = v_spec and source <> 'outline') then
    perform private.put_sections(v_spec, 'outline', p_sections);
  end if;
  perform private.index_spec(v_spec);
  return true;
end $$;

create or replace function private.section_rows(p_sections jsonb)
returns table (title text, page int, level int, text text, ordinal bigint)
language sql immutable set search_path = '' as $$
  select title, page, coalesce(level, 1), nullif(text, ''), ordinal
    from rows from (jsonb_to_recordset(p_sections) as (title text, page int, level int, text text)) with ordinality
           as s (title, page, level, text, ordinal)
$$;

create or replace function private.put_sections(p_id uuid, p_source text, p_sections jsonb) returns void
language plpgsql volatile set search_path = '' as $$
begin
  delete from public.spec_sections where spec_id = p_id;
  insert into public.spec_sections (spec_id, ordinal, title, page, level, text, source)
    select p_id, ordinal, title, page, level, text, p_source from private.section_rows(p_sections);
end $$;

create or replace function private.report_sections(p_id uuid, p_sections jsonb) returns void
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

create or replace function public.create_project_image(p_user uuid, p_project uuid, p_id uuid, p_storage_path text, p_file_name text,
  p_mime_type text, p_size_bytes bigint, p_width int, p_height int, p_sha256 text, p_reuse boolean default false,
  p_idempotency_key text default null, p_request_sha256 text default null, p_svg text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'document_images', p_idempotency_key, p_request_sha256);
  v_image public.document_images;
begin
  if v_result is not null then return v_result; end if;
  if p_reuse then
    -- Without the lock, concurrent calls would not see each other's image.
    perform 1 from public.projects where id = p_project for update;
    select * into v_image from public.document_images
     where project_id = p_project and sha256 = p_sha256 order by created_at, id limit 1;
  end if;
  if v_image.id is null then
    insert into public.document_images (id, project_id, storage_path, file_name, mime_type, size_bytes, width, height,
      sha256, created_by, svg)
    values (p_id, p_project, p_storage_path, p_file_name, p_mime_type, p_size_bytes, p_width, p_height, p_sha256, p_user,
      p_svg)
    returning * into v_image;
  end if;
  v_result := jsonb_build_object('outcome', 'created', 'id', v_image.id, 'path', v_image.storage_path,
    'file_name', v_image.file_name, 'width', v_image.width, 'height', v_image.height, 'created_at', v_image.created_at);
  return private.idempotency_end(p_user, 'document_images', p_idempotency_key, v_result);
end $$;

create or replace function public.find_project_image(p_user uuid, p_idempotency_key text, p_request_sha256 text) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(
    (select case when request_sha256 = p_request_sha256 then result
                 else jsonb_build_object('outcome', 'idempotency_mismatch') end
       from private.idempotency_keys
      where user_id = p_user and scope = 'document_images' and key = p_idempotency_key),
    jsonb_build_object('outcome', 'unused'))
$$;

create or replace function public.rename_image_job(p_job uuid, p_name text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
begin
  update public.image_jobs set name = p_name, status_seq = status_seq + 1, updated_at = clock_timestamp()
   where id = p_job and name is distinct from p_name;
  return jsonb_build_object('outcome', case
    when found or exists (select 1 from public.image_jobs where id = p_job) then 'renamed' else 'not_found' end);
end $$;

create or replace function public.project_image_files(p_project uuid, p_ids uuid[] default '{}', p_paths text[] default '{}')
returns table (key text, path text, width int, height int)
language sql stable set search_path = '' as $$
  select i.id::text, i.storage_path, i.width, i.height from public.document_images i
   where i.project_id = p_project and i.id = any (p_ids)
  union all
  select i.storage_path, i.storage_path, i.width, i.height from public.document_images i
   where i.project_id = p_project and i.storage_path = any (p_paths)
  union all
  select v.path, v.path, v.width, v.height from public.image_variants v
   where v.project_id = p_project and v.path = any (p_paths)
$$;

create or replace function public.image_origins(p_project uuid, p_paths text[])
returns table (path text, prompt text, seed text)
language sql stable set search_path = '' as $$
  select v.path, m.prompt, left(v.meta ->> 'seed', 100)
    from public.image_variants v
    join public.image_runs r on r.job_id = v.job_id and r.run = v.run
    join public.image_messages m on m.id = r.message_id
   where v.project_id = p_project and v.path = any (p_paths)
   order by v.path
$$;

create or replace function private.move_image(p_id uuid, p_run int, p_from text[], p_to text, p_error_code text default null,
  p_error text default null, p_deadline timestamptz default null) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_now timestamptz := clock_timestamp();
  v_finished_at timestamptz := case when p_to in ('succeeded', 'failed', 'canceled') then v_now end;
begin
  update public.image_jobs
     set status = p_to, status_seq = status_seq + 1, updated_at = v_now, finished_at = v_finished_at,
         started_at = case when p_to = 'running' then v_now else started_at end,
         error_code = p_error_code, error = left(p_error, 10000), deadline_at = coalesce(p_deadline, deadline_at),
         progress = case when v_finished_at is null then progress end,
         progress_at = case when v_finished_at is null then progress_at end,
         note = case when v_finished_at is null then note end
   where id = p_id and run = p_run and status = any (p_from);
  if not found then return false; end if;
  update public.image_runs
     set status = p_to, error_code = p_error_code, error = left(p_error, 10000), finished_at = v_finished_at,
         started_at = case when p_to = 'running' then v_now else started_at end
   where job_id = p_id and run = p_run;
  return true;
end $$;

create or replace function public.create_image_job(p_user uuid, p_project uuid, p_prompt text, p_input_image_id uuid default null,
  p_input_image_path text default null, p_page_id text default null, p_material_ids text[] default '{}',
  p_material_payload jsonb default '[]', p_options jsonb default '{}', p_idempotency_key text default null,
  p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'image_jobs', p_idempotency_key, p_request_sha256);
  v_image_id uuid;
  v_image_path text;
  v_job_id uuid := gen_random_uuid();
  v_message_id uuid := gen_random_uuid();
begin
  if v_result is not null then return v_result; end if;
  perform 1 from public.projects where id = p_project for share;
  select id into v_image_id from public.document_images
   where project_id = p_project and (id = p_input_image_id or storage_path = p_input_image_path)
   order by id = p_input_image_id desc nulls last limit 1;
  if exists (select 1 from public.document_images where project_id = p_project and storage_path = p_input_image_path)
     or exists (select 1 from public.image_variants
                 where project_id = p_project and path = p_input_image_path and deleted_at is null) then
    v_image_path := p_input_image_path;
  end if;
  if v_image_id is null and v_image_path is null and (p_input_image_id is not null or p_input_image_path is not null) then
    v_result := jsonb_build_object('outcome', 'image_not_found');
  else
    insert into public.image_jobs (id, project_id, prompt, input_image_id, input_image_path, page_id, material_ids,
      material_payload, options, created_by)
    values (v_job_id, p_project, p_prompt, v_image_id, v_image_path, p_page_id, p_material_ids, p_material_payload,
      p_options, p_user);
    insert into public.image_messages (id, job_id, ordinal, prompt, created_by)
    values (v_message_id, v_job_id, 1, p_prompt, p_user);
    insert into public.image_runs (job_id, run, message_id) values (v_job_id, 1, v_message_id);
    v_result := jsonb_build_object('outcome', 'created', 'job_id', v_job_id);
  end if;
  return private.idempotency_end(p_user, 'image_jobs', p_idempotency_key, v_result);
end $$;

create or replace function public.send_image_message(p_user uuid, p_job uuid, p_prompt text, p_variant_id text default null,
  p_material_ids text[] default null, p_material_payload jsonb default null, p_options jsonb default null,
  p_mask_image_id uuid default null, p_idempotency_key text default null, p_request_sha256 text default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'image_messages', p_idempotency_key, p_request_sha256);
  v_job public.image_jobs;
  v_variant record;
  v_message_id uuid := gen_random_uuid();
begin
  if v_result is not null then return v_result; end if;
  perform 1 from public.projects where id = (select project_id from public.image_jobs where id = p_job) for share;
  select * into v_job from public.image_jobs where id = p_job for update;
  select variant_id, run, width, height into v_variant from public.image_variants
   where job_id = p_job and deleted_at is null and (p_variant_id is null or variant_id = p_variant_id)
   order by run desc, position desc limit 1;
  v_result := case
    when v_job.id is null then jsonb_build_object('outcome', 'not_found')
    when v_job.status in ('queued', 'running') then jsonb_build_object('outcome', 'conflict', 'status', v_job.status)
    when coalesce(p_variant_id, p_mask_image_id::text) is not null and v_variant.variant_id is null
      then jsonb_build_object('outcome', 'variant_not_found')
    else private.mask_problem(p_mask_image_id, v_job.project_id, v_variant.width, v_variant.height)
    end;
  if v_result is null then
    insert into public.image_messages (id, job_id, ordinal, prompt, variant_id, variant_run, material_ids,
      material_payload, options, mask_image_id, created_by)
    values (v_message_id, p_job, (select coalesce(max(ordinal), 0) + 1 from public.image_messages where job_id = p_job),
      p_prompt, v_variant.variant_id, v_variant.run, p_material_ids, p_material_payload, p_options, p_mask_image_id,
      p_user);
    update public.document_images set is_mask = true where id = p_mask_image_id and not is_mask;
    perform private.next_image_run(p_job, v_job.run + 1, v_message_id);
    v_result := jsonb_build_object('outcome', 'created', 'message_id', v_message_id, 'run', v_job.run + 1);
  end if;
  return private.idempotency_end(p_user, 'image_messages', p_idempotency_key, v_result);
end $$;

create or replace function public.retry_image_job(p_job uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare v_job public.image_jobs;
begin
  perform 1 from public.projects where id = (select project_id from public.image_jobs where id = p_job) for share;
  select * into v_job from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_job.status not in ('failed', 'canceled') then
    return jsonb_build_object('outcome', 'conflict', 'status', v_job.status);
  end if;
  perform private.next_image_run(p_job, v_job.run + 1,
    (select message_id from public.image_runs where job_id = p_job and run = v_job.run));
  return jsonb_build_object('outcome', 'retried', 'run', v_job.run + 1);
end $$;

create or replace function private.image_retrying(p_job uuid, p_run int) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object('maxAttempts', w.max_attempts,
             -- Without a lease, `attempts` does not count the next attempt.
             'attempt', least(w.max_attempts, w.attempts + case when w.lease_token is null then 1 else 0 end))
      from private.work_items w
     where w.kind = 'image_dispatch' and w.subject_id = p_job and w.run = p_run and w.state = 'pending'
       and w.last_error is not null
       and (private.is_admin() or exists (
             select 1 from public.image_jobs j where j.id = p_job and j.project_id in (select private.my_projects()))));
end $$;

create or replace function private.broadcast_retry() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.image_jobs set status_seq = status_seq + 1
   where id = new.subject_id and run = new.run and status = 'queued';
  return null;
end $$;

create or replace function private.store_variants(p_job uuid, p_run int, p_outputs jsonb, p_is_final boolean) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_variant_ids text[];
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
  -- The workflow service can repeat an id in another run.
  select array_agg(
           case when exists (select 1 from public.image_variants x
                              where x.job_id = p_job and x.run <> p_run and x.variant_id = o.value ->> 'variant_id')
                then 'r' || p_run || '-' || (o.value ->> 'variant_id') else o.value ->> 'variant_id' end
           order by o.ordinality)
    into v_variant_ids from jsonb_array_elements(p_outputs) with ordinality o;
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

create or replace function private.variants_of_run(p_job uuid, p_run int) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object('variant_id', v.variant_id, 'path', v.path, 'thumb_path', v.thumb_path,
           'meta', v.meta, 'width', v.width, 'height', v.height) order by v.position), '[]')
    from public.image_variants v where v.job_id = p_job and v.run = p_run
$$;

create or replace function public.report_image_progress(p_id uuid, p_deadline_s int, p_limit_s int, p_run int default null,
  p_progress double precision default null, p_note text default null) returns jsonb
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
  v_run := coalesce(p_run, v_job.run);
  v_outcome := private.progress_outcome('image', p_id, v_run, v_job.run, v_job.status);
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
    perform private.note_progress('image', p_id, v_run, v_outcome, p_progress, v_note);
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
  return jsonb_build_object('outcome', v_outcome, 'status', v_job.status);
end $$;

create or replace function public.apply_image_callback(p_id uuid, p_status text, p_run int default null,
  p_outputs jsonb default null, p_error text default null, p_notes text[] default '{}') returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_job public.image_jobs;
  v_run int;
  v_outcome text;
  v_error_code text := case when p_status = 'failed' then 'workflow_failed' when p_error is not null then 'invalid_output' end;
  v_new_status text := case when v_error_code is null then 'succeeded' else 'failed' end;
begin
  select * into v_job from public.image_jobs where id = p_id for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  v_run := coalesce(p_run, v_job.run);
  v_outcome := case
    when v_run < v_job.run then 'stale_run'
    when v_run > v_job.run then 'unknown_run'
    when v_job.status in ('queued', 'running') then 'applied'
    when v_job.status = 'canceled' then 'canceled'
    when p_status = 'succeeded' and v_job.error_code in ('timeout', 'unreachable')
      and v_job.finished_at > now() - interval '24 hours' then 'applied'
    when v_job.error_code in ('timeout', 'unreachable') then 'late'
    when v_job.status = p_status then 'duplicate'
    else 'conflict' end;
  if v_outcome = 'applied' and p_status = 'succeeded' and p_outputs is null then
    return jsonb_build_object('outcome', 'checkable', 'run', v_run, 'project_id', v_job.project_id,
      'stored', private.variants_of_run(p_id, v_run));
  end if;
  -- A success without usable outputs replaces no failure.
  if v_outcome = 'applied' and v_job.status = 'failed' and v_new_status = 'failed' then v_outcome := 'late'; end if;
  if v_outcome = 'applied' then
    perform private.move_image(p_id, v_run, array['queued', 'running', 'failed'], v_new_status, v_error_code,
      case when v_new_status = 'failed' then coalesce(nullif(btrim(private.strip_url_queries(p_error)), ''),
        'The workflow service reported a failure without a reason.') end);
    if v_new_status = 'succeeded' then
      update public.image_runs set notes = p_notes where job_id = p_id and run = v_run;
      perform private.store_variants(p_id, v_run, p_outputs, true);
    end if;
    update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
     where kind = 'image_dispatch' and subject_id = p_id and run = v_run and state = 'pending';
  end if;
  insert into private.callback_events (source, subject_id, run, status, outcome, reason)
  values ('image', p_id, v_run, p_status, v_outcome,
    private.plain_reason(coalesce(p_error, nullif(array_to_string(p_notes, ' '), ''))));
  return jsonb_build_object('outcome', v_outcome, 'run', v_run,
    'status', case when v_outcome = 'applied' then v_new_status else v_job.status end,
    'kept', case when v_outcome = 'applied' and v_new_status = 'failed' then
      (select count(*) from public.image_variants where job_id = p_id and run = v_run) else 0 end,
    'request_id', private.ordered_by('image_dispatch', p_id, v_run));
end $$;

create or replace function public.create_image_swap(p_user uuid, p_project uuid, p_variant uuid, p_place text, p_jobs jsonb,
  p_options jsonb, p_random_seed bigint, p_mask_image_id uuid default null, p_idempotency_key text default null,
  p_request_sha256 text default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'image_swaps', p_idempotency_key, p_request_sha256);
  v_variant public.image_variants;
  v_swap_id uuid := gen_random_uuid();
  v_seed bigint;
  v_size jsonb := '{}';
  v_job record;
  v_job_ids uuid[] := '{}';
begin
  if v_result is not null then return v_result; end if;
  -- The lock keeps the image from being deleted before all jobs exist.
  select * into v_variant from public.image_variants
   where id = p_variant and project_id = p_project and deleted_at is null for share;
  v_result := case when v_variant.id is null then jsonb_build_object('outcome', 'not_found')
    else private.mask_problem(p_mask_image_id, p_project, v_variant.width, v_variant.height) end;
  if v_result is not null then
    return private.idempotency_end(p_user, 'image_swaps', p_idempotency_key, v_result);
  end if;
  v_seed := coalesce((p_options ->> 'seed')::bigint,
    -- The workflow service can report any value as the seed.
    case when jsonb_typeof(v_variant.meta -> 'seed') = 'number' and v_variant.meta ->> 'seed' ~ '^-?\d{1,15}$'
         then (v_variant.meta ->> 'seed')::bigint end,
    p_random_seed);
  -- The option `size` allows only these sizes.
  if least(v_variant.width, v_variant.height) >= 64 and greatest(v_variant.width, v_variant.height) <= 16384 then
    v_size := jsonb_build_object('size', v_variant.width || 'x' || v_variant.height);
  end if;
  insert into public.image_swaps (id, project_id, variant_id, place, seed, created_by)
  values (v_swap_id, p_project, p_variant, p_place, v_seed, p_user);
  for v_job in select value, ordinality from jsonb_array_elements(p_jobs) with ordinality order by ordinality loop
    v_result := public.create_image_job(p_user, p_project, v_job.value ->> 'prompt',
      p_input_image_path => v_variant.path,
      p_material_ids => array[v_job.value #>> '{material,id}'],
      p_material_payload => jsonb_build_array(v_job.value -> 'material'),
      p_options => v_size || p_options || jsonb_build_object('seed', v_seed));
    -- Distinct times keep the jobs in the order of their materials.
    update public.image_jobs
       set swap_id = v_swap_id, created_at = created_at + v_job.ordinality * interval '1 microsecond'
     where id = (v_result ->> 'job_id')::uuid;
    if not found then raise exception 'a job of a swap was not created: %', v_result; end if;
    v_job_ids := v_job_ids || (v_result ->> 'job_id')::uuid;
  end loop;
  if p_mask_image_id is not null then
    update public.image_messages set mask_image_id = p_mask_image_id where job_id = any (v_job_ids);
    update public.document_images set is_mask = true where id = p_mask_image_id and not is_mask;
  end if;
  v_result := jsonb_build_object('outcome', 'created', 'swap_id', v_swap_id, 'job_ids', v_job_ids);
  return private.idempotency_end(p_user, 'image_swaps', p_idempotency_key, v_result);
end $$;

create or replace function private.has_room_for_document(p_project uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('documents:' || p_project, 0));
  return (select count(*) from public.project_pages d
           where d.project_id = p_project and d.id <> p_project and d.deleted_at is null) < 99;
end $$;

create or replace function public.create_document(p_user uuid, p_project uuid, p_document uuid, p_name text, p_format text,
  p_orientation text, p_language text, p_cover jsonb, p_settings json, p_copy_of uuid default null,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_scope text := 'documents:' || p_project;
  v_result jsonb := private.idempotency_begin(p_user, v_scope, p_idempotency_key, p_request_sha256);
  v_source_id uuid := coalesce(p_copy_of, p_project);
  v_outcome text := 'created';
begin
  if v_result is not null then return v_result; end if;
  if p_document <> p_project and not private.has_room_for_document(p_project) then
    v_outcome := 'too_many';
  else
    insert into public.project_pages (id, project_id, name, format, orientation, language, cover, settings, pages, updated_by)
    select p_document, p_project, p_name, coalesce(d.format, p_format), coalesce(d.orientation, p_orientation),
           coalesce(d.language, p_language), case when d.id = p_copy_of then d.cover else p_cover end,
           coalesce(d.settings, p_settings), case when d.id = p_copy_of then d.pages else '[]' end, p_user
      from (values (1)) one
      left join public.project_pages d on d.id = v_source_id and d.project_id = p_project and d.deleted_at is null
     where d.id is not null or v_source_id = p_project
    on conflict (id) do nothing;
    if not found and v_source_id <> p_project then v_outcome := 'not_found'; end if;
  end if;
  v_result := jsonb_build_object('outcome', v_outcome, 'id', p_document);
  return private.idempotency_end(p_user, v_scope, p_idempotency_key, v_result);
end $$;

create or replace function public.save_project_pages(p_user uuid, p_project uuid, p_version int, p_format text, p_orientation text,
  p_cover jsonb, p_pages json, p_language text, p_settings json, p_document uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_document_id uuid := coalesce(p_document, p_project);
  v_version int;
begin
  if p_version = 0 and v_document_id = p_project then
    insert into public.project_pages (id, project_id, format, orientation, language, cover, settings, pages, updated_by)
    values (p_project, p_project, p_format, p_orientation, p_language, p_cover, p_settings, p_pages, p_user)
    on conflict (id) do nothing returning version into v_version;
  else
    update public.project_pages
       set version = version + 1, format = p_format, orientation = p_orientation, language = p_language,
           cover = p_cover, settings = p_settings, pages = p_pages, updated_by = p_user,
           updated_at = clock_timestamp()
     where id = v_document_id and project_id = p_project and deleted_at is null and version = p_version
    returning version into v_version;
  end if;
  if v_version is not null then return jsonb_build_object('outcome', 'saved', 'version', v_version); end if;
  select version into v_version from public.project_pages
   where id = v_document_id and project_id = p_project and deleted_at is null;
  if not found and v_document_id <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_version, 0));
end $$;

create or replace function private.thin_document_versions(p_document uuid, p_at timestamptz) returns void
language sql volatile set search_path = '' as $$
  with ranked as materialized (
    select v.id, v.printed, v.created_at, v.bytes,
           row_number() over (
             partition by v.printed, case
               when v.printed or v.created_at > p_at - interval '1 day' then v.id::text
               when v.created_at > p_at - interval '30 days' then 'day ' || date_trunc('day', v.created_at, 'UTC')
               else 'week ' || date_trunc('week', v.created_at, 'UTC') end
             order by v.created_at desc, v.version desc) as rank
      from private.document_versions v where v.document_id = p_document and v.name is null),
  counted as (
    select r.id, r.printed, row_number() over newest as rank, sum(r.bytes) over newest as bytes
      from ranked r where r.rank = 1
    window newest as (partition by r.printed order by r.created_at desc, r.id))
  delete from private.document_versions v
   where v.document_id = p_document and v.name is null
     and not exists (
       select 1 from counted c
        where c.id = v.id
          and (c.rank = 1 or (c.rank <= case when c.printed then 100 else 200 end and c.bytes <= 67108864)))
$$;

create or replace function private.store_document_version(p_document public.project_pages, p_at timestamptz,
  p_printed boolean default false) returns uuid
language plpgsql volatile set search_path = '' as $$
declare
  v_content text := p_document.pages::text || p_document.cover::text || p_document.settings::text;
  v_id uuid;
begin
  insert into private.document_versions as v (project_id, document_id, version, printed, format, orientation, language,
    cover, settings, pages, page_hashes, rest_hash, images, bytes, saved_by, created_at, kept_at)
  values (p_document.project_id, p_document.id, p_document.version, p_printed, p_document.format,
    p_document.orientation, p_document.language, p_document.cover, p_document.settings, p_document.pages,
    (select coalesce(jsonb_object_agg(coalesce(page ->> 'id', ''), md5(page::text)), '{}')
       from json_array_elements(p_document.pages) page),
    md5(concat_ws(' ', p_document.format, p_document.orientation, p_document.language, p_document.cover,
      p_document.settings)),
    array(select distinct match[1] from regexp_matches(v_content, '"(images/projects/[^"]+)"', 'g') match),
    octet_length(v_content), p_document.updated_by, p_document.updated_at, p_at)
  on conflict (document_id, version) do update set printed = v.printed or p_printed
  returning id into v_id;
  perform private.thin_document_versions(p_document.id, p_at);
  return v_id;
end $$;

create or replace function private.keep_replaced_document() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not exists (
    select 1 from private.document_versions v
     where v.document_id = old.id
       and v.kept_at > new.updated_at - case when new.updated_by is not distinct from old.updated_by
                                             then interval '5 minutes' else interval '1 minute' end) then
    perform private.store_document_version(old, new.updated_at);
  end if;
  return null;
end $$;

create or replace function private.keep_printed_document() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare v_document public.project_pages;
begin
  -- The lock prevents a concurrent save.
  select * into v_document from public.project_pages d where d.id = coalesce(new.document_id, new.project_id) for share;
  -- Both store pages as the app serializes them, so equal pages have equal text.
  if (new.snapshot -> 'pages')::text = v_document.pages::text
     and (new.snapshot -> 'cover')::jsonb = v_document.cover
     and (new.snapshot -> 'masters')::jsonb = coalesce((v_document.settings -> 'masters')::jsonb, '[]') then
    new.version_id := private.store_document_version(v_document, now(), p_printed => true);
  end if;
  return new;
end $$;

create or replace function public.name_document_version(p_project uuid, p_id uuid, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_document record;
  v_version record;
begin
  -- The lock enforces the limits.
  select d.id, d.archived_at into v_document from public.project_pages d
   where d.id = coalesce(p_document, p_project) and d.project_id = p_project and d.deleted_at is null for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  select v.name, v.bytes into v_version from private.document_versions v
   where v.document_id = v_document.id and v.id = p_id;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_name is not null and (
    select count(*) >= 50 or sum(v.bytes) + v_version.bytes > 67108864
      from private.document_versions v
     where v.document_id = v_document.id and v.name is not null and v.id <> p_id) then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  if v_document.archived_at is not null and v_version.name is distinct from p_name then
    raise exception using errcode = 'PT409', message = 'document_archived';
  end if;
  update private.document_versions v set name = p_name where v.id = p_id;
  return jsonb_build_object('outcome', 'kept', 'id', p_id);
end $$;

create or replace function public.keep_document_version(p_project uuid, p_version int, p_name text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_document public.project_pages;
  v_id uuid;
  v_result jsonb;
begin
  select * into v_document from public.project_pages d
   where d.id = coalesce(p_document, p_project) and d.project_id = p_project and d.deleted_at is null for update;
  if not found and p_document <> p_project then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_document.version is distinct from p_version then
    return jsonb_build_object('outcome', 'conflict', 'version', coalesce(v_document.version, 0));
  end if;
  begin
    v_id := private.store_document_version(v_document, clock_timestamp());
    if p_name is null then return jsonb_build_object('outcome', 'kept', 'id', v_id); end if;
    v_result := public.name_document_version(p_project, v_id, p_name, p_document);
    -- The exception undoes the changes of this block.
    if v_result ->> 'outcome' <> 'kept' then raise exception 'not named' using errcode = 'UNDO1'; end if;
  exception when sqlstate 'UNDO1' then null;
  end;
  return v_result;
end $$;

create or replace function public.list_document_versions(p_project uuid, p_limit int, p_before timestamptz default null,
  p_before_id uuid default null, p_document uuid default null)
returns table (id uuid, version int, name text, printed boolean, saved_by uuid, created_at timestamptz, page_count int,
  added int, removed int, changed int, settings_changed boolean)
language sql stable security definer set search_path = '' as $$
  with listed as materialized (
    select v.*, lag(v.page_hashes) over (order by v.created_at, v.id) as hashes_before,
           lag(v.rest_hash) over (order by v.created_at, v.id) as rest_before
      from (
        select w.id, w.version, w.name, w.printed, w.saved_by, w.created_at, w.page_hashes, w.rest_hash
          from private.document_versions w
          join public.project_pages d on d.id = w.document_id and d.deleted_at is null
         where w.document_id = coalesce(p_document, p_project) and w.project_id = p_project
           and (p_before is null or (w.created_at, w.id) < (p_before, p_before_id))
         -- One more, to compare the last one with.
         order by w.created_at desc, w.id desc limit p_limit + 1) v)
  select l.id, l.version, l.name, l.printed, l.saved_by, l.created_at,
         (select count(*)::int from jsonb_object_keys(l.page_hashes)), pages.added, pages.removed, pages.changed,
         l.rest_hash <> l.rest_before
    from listed l
    left join lateral (
      select count(*) filter (where older.key is null)::int as added,
             count(*) filter (where page.key is null)::int as removed,
             count(*) filter (where page.value <> older.value)::int as changed
        from jsonb_each(l.page_hashes) page full join jsonb_each(l.hashes_before) older using (key)) pages
      on l.hashes_before is not null
   order by l.created_at desc, l.id desc limit p_limit
$$;

create or replace function public.read_document_version(p_project uuid, p_id uuid, p_document uuid default null)
returns table (version int, format text, orientation text, language text, cover jsonb, settings json, pages json)
language sql stable security definer set search_path = '' as $$
  select v.version, v.format, v.orientation, v.language, v.cover, v.settings, v.pages
    from private.document_versions v
    join public.project_pages d on d.id = v.document_id and d.deleted_at is null
   where v.id = p_id and v.document_id = coalesce(p_document, p_project) and v.project_id = p_project
$$;

create or replace function public.create_page_template(p_user uuid, p_project uuid, p_name text, p_content json,
  p_idempotency_key text default null, p_request_sha256 text default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_scope text := 'page_templates:' || p_project;
  v_result jsonb := private.idempotency_begin(p_user, v_scope, p_idempotency_key, p_request_sha256);
  v_id uuid;
begin
  if v_result is not null then return v_result; end if;
  perform pg_advisory_xact_lock(hashtextextended('page_templates', 0));
  if (select count(*) from private.page_templates) >= 500 then
    v_result := jsonb_build_object('outcome', 'too_many');
  else
    insert into private.page_templates (name, project_id, content, images, page_count, created_by)
    values (p_name, p_project, p_content,
      array(select distinct match[1] from regexp_matches(p_content::text, '"(images/projects/[^"]+)"', 'g') match),
      json_array_length(p_content -> 'pages'), p_user)
    returning id into v_id;
    v_result := jsonb_build_object('outcome', 'created', 'id', v_id);
  end if;
  return private.idempotency_end(p_user, v_scope, p_idempotency_key, v_result);
end $$;

create or replace function public.create_export_job(p_user uuid, p_project uuid, p_options jsonb, p_snapshot json,
  p_input_sha256 text, p_idempotency_key text default null, p_request_sha256 text default null,
  p_document uuid default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_result jsonb := private.idempotency_begin(p_user, 'export_jobs', p_idempotency_key, p_request_sha256);
  v_document_id uuid := nullif(p_document, p_project);
  v_job_id uuid := gen_random_uuid();
begin
  if v_result is not null then return v_result; end if;
  if v_document_id is not null and not exists (
    select 1 from public.project_pages d
     where d.id = v_document_id and d.project_id = p_project and d.deleted_at is null) then
    v_result := jsonb_build_object('outcome', 'not_found');
  else
    insert into public.export_jobs (id, project_id, document_id, options, snapshot, input_sha256, created_by)
    values (v_job_id, p_project, v_document_id, p_options, p_snapshot, p_input_sha256, p_user);
    v_result := jsonb_build_object('outcome', 'created', 'job_id', v_job_id);
  end if;
  return private.idempotency_end(p_user, 'export_jobs', p_idempotency_key, v_result);
end $$;

create or replace function public.export_progress(p_id bigint, p_token uuid, p_pages_done int, p_images_done int default 0,
  p_images_total int default 0) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_job_id uuid;
begin
  select subject_id into v_job_id from private.work_items where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  -- Each update is broadcast.
  update public.export_jobs
     set pages_done = greatest(pages_done, p_pages_done), images_done = greatest(images_done, p_images_done),
         images_total = greatest(images_total, p_images_total), updated_at = clock_timestamp()
   where id = v_job_id and status = 'processing'
     and (pages_done < p_pages_done or images_done < p_images_done or images_total < p_images_total);
  return true;
end $$;

create or replace function public.export_finished(p_id bigint, p_token uuid, p_path text, p_bytes bigint, p_page_count int,
  p_warnings jsonb default '[]') returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items := private.lock_subject(p_id, 'pdf_export');
begin
  if not private.close_item(v_item.id, p_token) then return false; end if;
  update public.export_jobs
     set status = 'completed', status_seq = status_seq + 1, pages_done = p_page_count, page_count = p_page_count,
         result_path = p_path, result_bytes = p_bytes, warnings = p_warnings, updated_at = clock_timestamp(),
         finished_at = clock_timestamp()
   where id = v_item.subject_id and run = v_item.run and status = 'processing';
  return found;
end $$;

create or replace function public.create_share_link(p_user uuid, p_project uuid, p_kind text, p_name text, p_image_ids uuid[],
  p_allow_download boolean, p_show_prompts boolean, p_key text, p_days int, p_document uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_image_ids uuid[] := array(select v.id from public.image_variants v
    where v.project_id = p_project and v.id = any (p_image_ids) and v.deleted_at is null);
  v_document_id uuid := nullif(p_document, p_project);
  v_link private.share_links;
begin
  if p_kind = 'images' and cardinality(v_image_ids) = 0 then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_document_id is not null and not exists (
    select 1 from public.project_pages d
     where d.id = v_document_id and d.project_id = p_project and d.deleted_at is null) then
    return jsonb_build_object('outcome', 'not_found');
  end if;
  perform pg_advisory_xact_lock(hashtextextended('share_links:' || p_project, 0));
  if (select count(*) from private.share_links s where s.project_id = p_project and private.is_live_share(s)) >= 100 then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  insert into private.share_links (project_id, document_id, kind, name, image_ids, allow_download, show_prompts,
    key_sha256, created_by, expires_at)
  values (p_project, v_document_id, p_kind, p_name, v_image_ids, p_allow_download, p_show_prompts, private.key_sha256(p_key),
    p_user, now() + make_interval(days => p_days))
  returning * into v_link;
  return jsonb_build_object('outcome', 'created', 'id', v_link.id, 'image_count', cardinality(v_image_ids),
    'created_at', v_link.created_at, 'expires_at', v_link.expires_at);
end $$;

create or replace function private.enqueue() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_run int := 1;
  v_user uuid;
begin
  if tg_argv[0] not in ('spec_text', 'account_mail') then v_run := new.run; end if;
  if tg_argv[0] = 'event_delivery' then v_user := new.endpoint_id; else v_user := new.created_by; end if;
  insert into private.work_items (kind, subject_id, run, max_attempts, request_id, user_id)
  values (tg_argv[0], new.id, v_run, tg_argv[1]::int, private.request_id(),
          coalesce(v_user, '00000000-0000-0000-0000-000000000000'))
  on conflict do nothing;
  return null;
end $$;

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

create or replace function private.lock_subject(p_id bigint, p_kind text default null) returns private.work_items
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items;
begin
  select * into v_item from private.work_items where id = p_id and kind = coalesce(p_kind, kind);
  if not found then return null; end if;
  case v_item.kind
    when 'spec_dispatch' then perform 1 from public.spec_uploads where id = v_item.subject_id for update;
    when 'image_dispatch' then perform 1 from public.image_jobs where id = v_item.subject_id for update;
    when 'pdf_export' then perform 1 from public.export_jobs where id = v_item.subject_id for update;
    when 'event_delivery' then perform private.lock_delivery(v_item.subject_id);
    when 'spec_text' then perform 1 from public.spec_uploads where document_id = v_item.subject_id for update;
    when 'account_mail' then perform 1 from private.account_mails where id = v_item.subject_id for update;
  end case;
  return v_item;
end $$;

create or replace function private.close_item(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  return found;
end $$;

create or replace function public.work_dispatched(p_id bigint, p_token uuid, p_deadline timestamptz) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items := private.lock_subject(p_id);
begin
  -- Even if the callback came first.
  perform private.note_trigger(v_item, 'accepted');
  if not private.close_item(v_item.id, p_token) then return false; end if;
  case v_item.kind
    when 'spec_dispatch' then
      perform private.move_spec(v_item.subject_id, v_item.run, array['pending'], 'processing', p_deadline => p_deadline);
    when 'image_dispatch' then
      perform private.move_image(v_item.subject_id, v_item.run, array['queued'], 'running', p_deadline => p_deadline);
  end case;
  return true;
end $$;

create or replace function public.work_failed(p_id bigint, p_token uuid, p_code text, p_error text, p_retryable boolean,
  p_retry_after_s int default 0) returns text
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
    case when v_is_retried then 'again' when p_retryable then 'given_up' else 'refused' end, p_error);
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
  v_timeout_error text := 'The workflow service did not call back before the deadline.';
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
    if private.subject_failed('spec_dispatch', r.id, r.run, 'timeout', v_timeout_error) then v_timed_out := v_timed_out + 1; end if;
  end loop;
  for r in select id, run from public.image_jobs where status = 'running' and deadline_at < now()
            order by deadline_at limit p_limit for update skip locked loop
    if private.subject_failed('image_dispatch', r.id, r.run, 'timeout', v_timeout_error) then v_timed_out := v_timed_out + 1; end if;
  end loop;
  return jsonb_build_object('dead', v_dead, 'timed_out', v_timed_out);
end $$;

create or replace function private.note_progress(p_source text, p_subject uuid, p_run int, p_outcome text, p_progress double precision,
  p_note text) returns void
language plpgsql volatile set search_path = '' as $$
declare v_reason text := nullif(concat_ws(': ', round(p_progress * 100) || '%', p_note), '');
begin
  update private.callback_events set received_at = clock_timestamp(), reason = v_reason
   where source = p_source and subject_id = p_subject and run = p_run and status = 'running' and outcome = p_outcome;
  if not found then
    insert into private.callback_events (source, subject_id, run, status, outcome, reason)
    values (p_source, p_subject, p_run, 'running', p_outcome, v_reason);
  end if;
end $$;

create or replace function public.workflow_events(p_source text default null, p_direction text default null,
  p_subject uuid default null, p_trouble boolean default false, p_before timestamptz default null,
  p_before_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, direction text, source text, subject_id uuid, run int, attempt int,
  outcome text, status text, reason text, label text, project_id uuid, subject_status text, subject_run int)
language sql stable set search_path = '' as $$
  with page as (
    select * from (
      (select t.id, t.created_at, 'sent' as direction, t.source, t.subject_id, t.run, t.attempt, t.outcome,
              null::text as status, t.reason
         from private.trigger_events t
        where coalesce(p_direction, 'sent') = 'sent' and (p_source is null or t.source = p_source)
          and (p_subject is null or t.subject_id = p_subject)
          and (not p_trouble or t.outcome <> 'accepted')
          and (p_before is null or (t.created_at, t.id) < (p_before, p_before_id))
        order by t.created_at desc, t.id desc limit p_limit)
      union all
      (select c.id, c.received_at, 'received', c.source, c.subject_id, c.run, null, c.outcome, c.status, c.reason
         from private.callback_events c
        where coalesce(p_direction, 'received') = 'received' and (p_source is null or c.source = p_source)
          and (p_subject is null or c.subject_id = p_subject)
          and (not p_trouble or c.outcome <> 'applied' or c.status = 'failed')
          and (p_before is null or (c.received_at, c.id) < (p_before, p_before_id))
        order by c.received_at desc, c.id desc limit p_limit)) events
     order by created_at desc, id desc limit p_limit)
  select p.id, p.created_at, p.direction, p.source, p.subject_id, p.run, p.attempt, p.outcome, p.status, p.reason,
         coalesce(d.file_name, left(j.prompt, 120)), j.project_id, coalesce(s.processing_status, j.status),
         coalesce(s.run, j.run)
    from page p
    left join public.spec_uploads s on p.source = 'spec' and s.id = p.subject_id
    left join public.documents d on d.id = s.document_id
    left join public.image_jobs j on p.source = 'image' and j.id = p.subject_id
   order by p.created_at desc, p.id desc
$$;

create or replace function public.note_refused_callback(p_source text, p_code text, p_detail text, p_subject uuid default null,
  p_times int default 1) returns void
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
  delete from private.refused_callbacks where id = any (array(
    select id from private.refused_callbacks where source = p_source and code = p_code
     order by created_at desc, id desc offset 1000));
end $$;

create or replace function public.add_workflow_test_step(p_id uuid, p_source text, p_step jsonb) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  update private.workflow_tests
     set steps = case when jsonb_array_length(steps) < 20 then steps else steps - coalesce((
                   select s.number::int - 1 from jsonb_array_elements(steps) with ordinality s(step, number)
                    where s.step ->> 'step' = 'callback'
                    order by s.step ->> 'status' is not distinct from 'running' desc, s.number desc limit 1), 1) end
                 || jsonb_build_array(p_step || jsonb_build_object('at', clock_timestamp(),
                      'detail', private.plain_reason(p_step ->> 'detail')))
   where id = p_id and source = p_source and created_at > now() - interval '1 hour';
  return found;
end $$;

create or replace function public.trigger_accepted(p_url_hash text, p_acknowledged boolean) returns boolean
language plpgsql volatile set search_path = '' as $$
declare
  v_endpoint private.workflow_endpoints;
  v_since timestamptz;
begin
  select * into v_endpoint from private.workflow_endpoints where url_hash = p_url_hash;
  if p_acknowledged then
    -- Write nothing for most triggers, so that they do not wait for each other.
    if v_endpoint.url_hash is null or v_endpoint.unacknowledged_since is not null then
      insert into private.workflow_endpoints (url_hash) values (p_url_hash)
        on conflict (url_hash) do update set unacknowledged_since = null, unacknowledged_at = null;
    end if;
    return true;
  end if;
  if v_endpoint.url_hash is null then return true; end if;
  v_since := case when v_endpoint.unacknowledged_at > clock_timestamp() - interval '5 minutes'
                  then v_endpoint.unacknowledged_since else clock_timestamp() end;
  if v_since < clock_timestamp() - interval '10 minutes' then
    delete from private.workflow_endpoints where url_hash = p_url_hash;
    return true;
  end if;
  update private.workflow_endpoints set unacknowledged_since = v_since, unacknowledged_at = clock_timestamp()
   where url_hash = p_url_hash;
  return false;
end $$;

create or replace function private.write_event(p_type text, p_subject uuid, p_run int, p_data jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_event uuid;
  v_endpoints uuid[];
begin
  -- Lock the endpoints, because the deletion of one would make this transaction fail.
  select array_agg(e.id) into v_endpoints
    from (select id from private.event_endpoints where p_type = any (events) order by id for key share) e;
  if v_endpoints is null then return; end if;
  insert into private.events (type, subject_id, run, data) values (p_type, p_subject, p_run, p_data) returning id into v_event;
  insert into private.event_deliveries (event_id, endpoint_id) select v_event, unnest(v_endpoints);
end $$;

create or replace function public.event_delivered(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items := private.lock_subject(p_id, 'event_delivery');
begin
  if not private.close_item(v_item.id, p_token) then return false; end if;
  update private.event_deliveries set state = 'delivered', reason = null, finished_at = clock_timestamp()
   where id = v_item.subject_id and run = v_item.run;
  update private.event_endpoints set failing_since = null, last_error = null
   where id = (select endpoint_id from private.event_deliveries where id = v_item.subject_id)
     and failing_since is not null and paused_at is null;
  return true;
end $$;

create or replace function public.event_held(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_item private.work_items := private.lock_subject(p_id, 'event_delivery');
begin
  if not exists (select 1 from private.event_deliveries d join private.event_endpoints e on e.id = d.endpoint_id
                  where d.id = v_item.subject_id and e.paused_at is not null) then
    perform public.work_release(v_item.id, p_token);
    return false;
  end if;
  update private.work_items
     set state = 'canceled', attempts = greatest(attempts - 1, 0), finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update private.event_deliveries set state = 'held' where id = v_item.subject_id and run = v_item.run and state = 'pending';
  return found;
end $$;

create or replace function public.resume_event_endpoint(p_id uuid) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_endpoint private.event_endpoints;
  v_queued int;
begin
  select * into v_endpoint from private.event_endpoints where id = p_id for no key update;
  if not found then return null; end if;
  if v_endpoint.paused_at is null then return 0; end if;
  update private.event_endpoints set paused_at = null, failing_since = null, last_error = null where id = p_id;
  update private.event_deliveries set run = run + 1, state = 'pending', reason = null, finished_at = null
   where endpoint_id = p_id and (state = 'held' or (state = 'failed' and finished_at >= v_endpoint.failing_since));
  get diagnostics v_queued = row_count;
  return v_queued;
end $$;

create or replace function public.resend_event_delivery(p_id uuid) returns text
language plpgsql volatile set search_path = '' as $$
declare v_delivery private.event_deliveries;
begin
  perform private.lock_delivery(p_id);
  select * into v_delivery from private.event_deliveries where id = p_id;
  if not found then return 'not_found'; end if;
  if v_delivery.state = 'pending' then return 'pending'; end if;
  if exists (select 1 from private.event_endpoints where id = v_delivery.endpoint_id and paused_at is not null) then
    return 'paused';
  end if;
  update private.event_deliveries set run = run + 1, state = 'pending', reason = null, finished_at = null where id = p_id;
  return 'queued';
end $$;

create or replace function public.sweep_orphans(p_min_age_s int, p_min_output_age_s int, p_checks int, p_limit int) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_after uuid;
  v_last uuid;
  v_ended boolean;
  v_paths jsonb;
begin
  select after into v_after from private.orphan_sweep for update;
  with checked as materialized (
    select o.id, o.bucket_id, o.name, greatest(o.created_at, o.updated_at) as written_at from storage.objects o
     where o.id > v_after order by o.id limit p_checks),
  orphans as materialized (
    select c.id, c.bucket_id || '/' || c.name as path from checked c
     where (c.bucket_id = 'specs' and c.written_at < now() - make_interval(secs => p_min_age_s)
            and not exists (select 1 from public.documents d where d.storage_path = 'specs/' || c.name))
        or (c.bucket_id = 'images'
            and c.written_at < now() - make_interval(secs => case when c.name like 'projects/%/jobs/%' then p_min_output_age_s else p_min_age_s end)
            and not exists (select 1 from public.document_images i where i.storage_path = 'images/' || c.name)
            and not exists (select 1 from public.image_variants v where v.path = 'images/' || c.name)
            and not exists (select 1 from public.image_variants v where v.thumb_path = 'images/' || c.name)
            and not exists (select 1 from public.image_jobs j where j.input_image_path = 'images/' || c.name))
        or (c.bucket_id = 'exports' and c.written_at < now() - make_interval(secs => p_min_age_s)
            and not exists (select 1 from public.export_jobs e where e.result_path = 'exports/' || c.name))
     order by c.id limit p_limit)
  select case when (select count(*) from orphans) = p_limit then (select id from orphans order by id desc limit 1)
              else (select id from checked order by id desc limit 1) end,
         (select count(*) from checked) < p_checks and (select count(*) from orphans) < p_limit,
         (select coalesce(jsonb_agg(path order by id), '[]') from orphans)
    into v_last, v_ended, v_paths;
  update private.orphan_sweep set after = case when v_ended then '00000000-0000-0000-0000-000000000000' else v_last end
   where only_one;
  return jsonb_build_object('paths', v_paths, 'ended', v_ended);
end $$;

create or replace function public.forget_old_rows(p_idempotency_s int, p_rate_s int, p_work_s int, p_exports_s int, p_limit int)
returns int
language plpgsql volatile set search_path = '' as $$
declare
  r record;
  v_count int;
  v_highest int := 0;
begin
  for r in select * from (values
             ('private.idempotency_keys', 'created_at', p_idempotency_s),
             ('private.rate_buckets', 'tat', p_rate_s),
             ('private.work_items', 'finished_at', p_work_s),
             ('private.trigger_events', 'created_at', p_work_s),
             ('private.callback_events', 'received_at', p_work_s),
             ('private.refused_callbacks', 'created_at', p_work_s),
             ('private.events', 'created_at', p_work_s),
             ('public.export_jobs', 'finished_at', p_exports_s)) as periods (table_name, column_name, period_s) loop
    execute format('delete from %1$s where ctid = any (array(select ctid from %1$s
                      where %2$I < now() - make_interval(secs => $1) order by %2$I limit $2))', r.table_name, r.column_name)
      using r.period_s, p_limit;
    get diagnostics v_count = row_count;
    v_highest := greatest(v_highest, v_count);
  end loop;
  return v_highest;
end $$;

create or replace function private.account_label(p_account uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case when private.is_service_account(u)
           then coalesce(u.raw_user_meta_data ->> 'name', 'Unnamed') || ' (service)' else u.email::text end
    from auth.users u where u.id = p_account
$$;

create or replace function public.set_profile_picture(p_account uuid, p_picture text default null) returns text
language sql volatile security definer set search_path = '' as $$
  insert into private.profiles (user_id, picture, picture_version)
  select p_account, d.picture, left(encode(sha256(d.picture), 'hex'), 16) from (select decode(p_picture, 'base64') as picture) d
  on conflict (user_id) do update set picture = excluded.picture, picture_version = excluded.picture_version,
    updated_at = clock_timestamp()
  returning picture_version
$$;

create or replace function private.store_link(p_account auth.users, p_key text, p_id uuid) returns private.account_links
language plpgsql volatile set search_path = '' as $$
declare v_link private.account_links;
begin
  delete from private.account_links where expires_at < now();
  delete from private.account_mails where created_at < now() - interval '30 days';
  insert into private.account_links (id, user_id, purpose, key_sha256, expires_at)
  values (p_id, p_account.id, private.link_purpose(p_account), private.key_sha256(p_key),
    now() + case private.link_purpose(p_account) when 'invitation' then interval '7 days' else interval '1 hour' end)
  on conflict (id) do update set key_sha256 = excluded.key_sha256, expires_at = excluded.expires_at
  returning * into v_link;
  return v_link;
end $$;

create or replace function public.account_mail_done(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_item private.work_items := private.lock_subject(p_id, 'account_mail');
begin
  if not private.close_item(v_item.id, p_token) then return false; end if;
  update private.account_mails set state = 'sent', reason = null where id = v_item.subject_id;
  return true;
end $$;

create or replace function public.change_account(p_actor uuid, p_account uuid, p_is_admin boolean default null,
  p_is_disabled boolean default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_account auth.users;
  v_was_admin boolean;
  v_was_disabled boolean;
begin
  perform pg_advisory_xact_lock(hashtextextended('change_account', 0));
  select * into v_account from auth.users where id = p_account and deleted_at is null for update;
  if not found or private.is_service_account(v_account) then return jsonb_build_object('outcome', 'not_found'); end if;
  if p_is_disabled and p_actor = p_account then return jsonb_build_object('outcome', 'own_account'); end if;
  v_was_admin := private.has_admin_role(p_account);
  v_was_disabled := not private.is_active(p_account);
  if (p_is_disabled or not p_is_admin) and private.is_working_admin(v_account)
    and not exists (select 1 from auth.users u where u.id <> p_account and private.is_working_admin(u)) then
    return jsonb_build_object('outcome', 'last_admin');
  end if;
  if p_is_admin is distinct from v_was_admin and p_is_admin is not null then
    update auth.users set updated_at = now(),
        raw_app_meta_data = case when p_is_admin then coalesce(raw_app_meta_data, '{}') || '{"role": "admin"}'
          else raw_app_meta_data - 'role' end
     where id = p_account;
    perform private.write_audit(case when p_is_admin then 'role.granted' else 'role.removed' end, p_account, v_account.email,
      'Administrator', p_actor);
  end if;
  if p_is_disabled is distinct from v_was_disabled and p_is_disabled is not null then
    -- Supabase's auth service cannot read `infinity`.
    update auth.users set updated_at = now(),
        banned_until = case when p_is_disabled then now() + interval '100 years' end
     where id = p_account;
    if p_is_disabled then
      delete from auth.sessions where user_id = p_account;
      delete from private.account_links where user_id = p_account;
    end if;
    perform private.write_audit(case when p_is_disabled then 'account.disabled' else 'account.enabled' end, p_account,
      v_account.email, null, p_actor);
  end if;
  return jsonb_build_object('outcome', 'changed');
end $$;

create or replace function private.audit_token() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    perform private.write_audit('token.created', new.id, new.name, new.role, new.created_by);
  -- Deleting an expired token is cleanup.
  elsif old.expires_at > now() then
    perform private.write_audit('token.revoked', old.id, old.name, old.role);
  end if;
  return null;
end $$;

create or replace function private.audit_name() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_target text := nullif(current_setting('atelier.merged_into', true), '');
begin
  perform private.write_audit(tg_argv[0] || case when v_target is null then '.deleted' else '.merged' end, old.id, old.name,
    'into ' || v_target);
  return null;
end $$;

create or replace function private.audit_member() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_member public.project_members := case when tg_op = 'DELETE' then old else new end;
  v_project public.projects;
begin
  select * into v_project from public.projects where id = v_member.project_id;
  -- The deletion of a project has its own event.
  if not found then return null; end if;
  -- The creator becomes the owner in the transaction that creates the project.
  if tg_op = 'INSERT' and v_member.role = 'owner' and v_member.user_id = v_project.created_by
    and v_member.created_at = v_project.created_at then return null; end if;
  if tg_op = 'UPDATE' and new.role = old.role then return null; end if;
  perform private.write_audit(
    case tg_op when 'INSERT' then 'member.added' when 'UPDATE' then 'member.changed' else 'member.removed' end,
    v_member.user_id, private.account_label(v_member.user_id), concat_ws(' · ', v_project.name, v_member.role));
  return null;
end $$;

grant execute on function public.project_access to anon, authenticated;

create view public.specs with (security_invoker = true) as
  select s.id, s.document_id, s.processing_status, s.status_seq, s.run, s.property_name, s.sections_count, s.error_code,
         s.error, s.deadline_at, s.created_by, s.created_at, s.updated_at, b.name as brand_name, a.name as area,
         d.file_name, d.size_bytes, d.sha256, d.storage_path, d.is_protected, s.started_at, s.progress, s.progress_at,
         s.note, s.series_id, s.version, s.is_current
    from public.spec_uploads s
    join public.documents d on d.id = s.document_id
    join public.brands b on b.id = s.brand_id
    join public.area_types a on a.id = s.area_type_id;
grant select on public.specs to anon, authenticated;
create trigger read_only instead of insert or update or delete on public.specs
  for each row execute function private.refuse_write();

alter table private.callback_events drop column id;
alter table private.callback_events rename column key to id;
alter table private.callback_events add primary key (id);
alter table private.callback_events alter column received_at set default clock_timestamp();
create index callback_events_subject on private.callback_events (subject_id, received_at desc, id desc);
grant select, insert, update, delete on private.orphan_sweep to service_role;
create trigger enqueue after insert on public.documents
  for each row execute function private.enqueue('spec_text', '5');
create trigger enqueue after insert or update of run on private.event_deliveries
  for each row execute function private.enqueue('event_delivery', '14');
alter table private.account_mails drop column run;
drop index private.work_items_due;
drop index private.work_items_age;
create index work_items_age on private.work_items (finished_at) where finished_at is not null;


