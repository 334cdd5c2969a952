-- Checks the caller's role and the rate limit in the transaction that starts an image run. Before, these checks needed
-- a separate database request, which took as long as starting the run.

-- Returns a user's role in a project, or null if the project is deleted or the user may not see it. `p_claims_admin`
-- says whether the session claims the admin role. `p_key` is the key of an access token or null. With a key, the
-- function ignores `p_user` and `p_claims_admin`, and returns the role of the token's account, but no higher role than
-- the token's. For a service token, it returns the token's role in every project, but `owner` instead of `admin`.
create function private.project_role(p_user uuid, p_claims_admin boolean, p_key text, p_project uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_token private.access_tokens;
  v_role text;
begin
  if not exists (select 1 from public.projects p where p.id = p_project and p.deleted_at is null) then return null; end if;
  if p_key is null then
    if not private.is_active(p_user) then return null; end if;
    if p_claims_admin and private.has_admin_role(p_user) then return 'owner'; end if;
    return (select m.role from public.project_members m where m.project_id = p_project and m.user_id = p_user);
  end if;
  select * into v_token from private.find_token(p_key);
  if not found then return null; end if;
  if private.is_admin_token(v_token) then return 'owner'; end if;
  v_role := case when v_token.is_service then 'owner' else (
    select m.role from public.project_members m where m.project_id = p_project and m.user_id = v_token.account_id) end;
  return case when private.role_rank(v_token.role) < private.role_rank(v_role) then v_token.role else v_role end;
end $$;

-- As before, but gets the role from `private.project_role`, as the functions below do.
create or replace function public.project_access(p_project uuid default null, p_image_job uuid default null,
  p_export_job uuid default null, p_burst int default null, p_interval_ms int default null)
returns table (project_id uuid, role text, wait_ms int)
language plpgsql volatile security definer set search_path = '' as $$
#variable_conflict use_column
declare
  v_project uuid := coalesce(p_project,
    case when p_image_job is not null then (select j.project_id from public.image_jobs j where j.id = p_image_job) end,
    case when p_export_job is not null then (select e.project_id from public.export_jobs e where e.id = p_export_job) end);
  v_role text := private.project_role(auth.uid(), coalesce(auth.jwt() -> 'app_metadata' ->> 'role' = 'admin', false),
    private.token_key(), v_project);
begin
  if v_role is null then return; end if;
  return query select v_project, v_role,
    case when p_burst is null then 0 else private.take_own_start(p_burst, p_interval_ms) end;
end $$;

-- Returns why a caller may not start work in a project. If the caller may, counts the call for the rate limit and
-- returns null. `p_caller` contains `claims_admin` and `token_key` as in `private.project_role`, the required `role`,
-- and the `burst` and `interval_ms` of the rate limit. If `p_caller` is null, checks and counts nothing, and returns
-- null.
-- outcome: not_found | forbidden | rate_limited (with the milliseconds to wait)
create function private.refuse_start(p_user uuid, p_caller jsonb, p_project uuid) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_role text;
  v_wait_ms int;
begin
  if p_caller is null then return null; end if;
  v_role := private.project_role(p_user, (p_caller ->> 'claims_admin')::boolean, p_caller ->> 'token_key', p_project);
  if v_role is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if not coalesce(private.role_rank(v_role) >= private.role_rank(p_caller ->> 'role'), false) then
    return jsonb_build_object('outcome', 'forbidden');
  end if;
  v_wait_ms := public.rate_take('costly:' || p_user, (p_caller ->> 'burst')::int, (p_caller ->> 'interval_ms')::int);
  if v_wait_ms > 0 then return jsonb_build_object('outcome', 'rate_limited', 'wait_ms', v_wait_ms); end if;
  return null;
end $$;

drop function public.create_image_job(uuid, uuid, text, uuid, text, text, text[], jsonb, jsonb, text, text);
drop function public.send_image_message(uuid, uuid, text, text, text[], jsonb, jsonb, uuid, text, text);
drop function public.retry_image_job(uuid);

-- The next three functions are as before, but check the caller's role and the rate limit if `p_caller` is given.
create function public.create_image_job(p_user uuid, p_project uuid, p_prompt text, p_input_image_id uuid default null,
  p_input_image_path text default null, p_page_id text default null, p_material_ids text[] default '{}',
  p_material_payload jsonb default '[]', p_options jsonb default '{}', p_idempotency_key text default null,
  p_request_sha256 text default null, p_caller jsonb default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_start(p_user, p_caller, p_project);
  v_image uuid;
  v_path text;
  v_job uuid := gen_random_uuid();
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.idempotency_begin(p_user, 'image_jobs', p_idempotency_key, p_request_sha256);
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

create function public.send_image_message(p_user uuid, p_job uuid, p_prompt text, p_variant_id text default null,
  p_material_ids text[] default null, p_material_payload jsonb default null, p_options jsonb default null,
  p_mask_image_id uuid default null, p_idempotency_key text default null, p_request_sha256 text default null,
  p_caller jsonb default null)
returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_start(p_user, p_caller, (select project_id from public.image_jobs where id = p_job));
  v_job public.image_jobs;
  v_variant record;
  v_message uuid := gen_random_uuid();
begin
  if v_answer is not null then return v_answer; end if;
  v_answer := private.idempotency_begin(p_user, 'image_messages', p_idempotency_key, p_request_sha256);
  if v_answer is not null then return v_answer; end if;
  select * into v_job from public.image_jobs where id = p_job for update;
  select variant_id, run, width, height into v_variant from public.image_variants
   where job_id = p_job and deleted_at is null and (p_variant_id is null or variant_id = p_variant_id)
   order by run desc, position desc limit 1;
  v_answer := case
    when v_job.id is null then jsonb_build_object('outcome', 'not_found')
    when v_job.status in ('queued', 'running') then jsonb_build_object('outcome', 'conflict', 'status', v_job.status)
    when coalesce(p_variant_id, p_mask_image_id::text) is not null and v_variant.variant_id is null
      then jsonb_build_object('outcome', 'variant_not_found')
    else private.mask_problem(p_mask_image_id, v_job.project_id, v_variant.width, v_variant.height)
    end;
  if v_answer is null then
    insert into public.image_messages (id, job_id, prompt, variant_id, variant_run, material_ids, material_payload,
      options, mask_image_id, created_by)
    values (v_message, p_job, p_prompt, v_variant.variant_id, v_variant.run, p_material_ids, p_material_payload,
      p_options, p_mask_image_id, p_user);
    update public.document_images set is_mask = true where id = p_mask_image_id and not is_mask;
    perform private.next_image_run(p_job, v_job.run + 1, v_message);
    v_answer := jsonb_build_object('outcome', 'created', 'message_id', v_message, 'run', v_job.run + 1);
  end if;
  return private.idempotency_end(p_user, 'image_messages', p_idempotency_key, v_answer);
end $$;

create function public.retry_image_job(p_job uuid, p_user uuid default null, p_caller jsonb default null) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_answer jsonb := private.refuse_start(p_user, p_caller, (select project_id from public.image_jobs where id = p_job));
  v_job public.image_jobs;
begin
  if v_answer is not null then return v_answer; end if;
  select * into v_job from public.image_jobs where id = p_job for update;
  if not found then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_job.status not in ('failed', 'canceled') then
    return jsonb_build_object('outcome', 'conflict', 'status', v_job.status);
  end if;
  perform private.next_image_run(p_job, v_job.run + 1,
    (select message_id from public.image_runs where job_id = p_job and run = v_job.run));
  return jsonb_build_object('outcome', 'retried', 'run', v_job.run + 1);
end $$;

revoke execute on function private.project_role(uuid, boolean, text, uuid), private.refuse_start(uuid, jsonb, uuid),
  public.create_image_job(uuid, uuid, text, uuid, text, text, text[], jsonb, jsonb, text, text, jsonb),
  public.send_image_message(uuid, uuid, text, text, text[], jsonb, jsonb, uuid, text, text, jsonb),
  public.retry_image_job(uuid, uuid, jsonb) from public, anon, authenticated;
grant execute on function private.role_rank(text), private.project_role(uuid, boolean, text, uuid),
  private.refuse_start(uuid, jsonb, uuid),
  public.create_image_job(uuid, uuid, text, uuid, text, text, text[], jsonb, jsonb, text, text, jsonb),
  public.send_image_message(uuid, uuid, text, text, text[], jsonb, jsonb, uuid, text, text, jsonb),
  public.retry_image_job(uuid, uuid, jsonb) to service_role;
