-- People: names and pictures, one-time links to choose a password, messages with such links, and account changes.
--
-- Visitors must not learn whether an email address has an account. The service role has few rights on these tables, so
-- the functions run as their owner.

-- Names and pictures

-- Returns the email address or service name of an account, or null if it does not exist.
create function private.account_label(p_account uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case when private.is_service_account(u)
           then coalesce(u.raw_user_meta_data ->> 'name', 'Unnamed') || ' (service)' else u.email::text end
    from auth.users u where u.id = p_account
$$;

create table private.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  name text check (char_length(name) between 1 and 80),
  -- A small WebP image, and the first digits of its hash, which make its URL cacheable.
  picture bytea check (octet_length(picture) <= 200000),
  picture_version text check (picture_version ~ '^[0-9a-f]{16}$'),
  updated_at timestamptz not null default clock_timestamp(),
  check ((picture is null) = (picture_version is null))
);
alter table private.profiles enable row level security;
revoke all on private.profiles from service_role;

-- Null removes the name.
create function public.set_profile_name(p_account uuid, p_name text default null) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.profiles (user_id, name) values (p_account, p_name)
  on conflict (user_id) do update set name = excluded.name, updated_at = clock_timestamp()
$$;

-- From base64. Null removes the picture. Returns its version.
create function public.set_profile_picture(p_account uuid, p_picture text default null) returns text
language sql volatile security definer set search_path = '' as $$
  insert into private.profiles (user_id, picture, picture_version)
  select p_account, d.picture, left(encode(sha256(d.picture), 'hex'), 16) from (select decode(p_picture, 'base64') as picture) d
  on conflict (user_id) do update set picture = excluded.picture, picture_version = excluded.picture_version,
    updated_at = clock_timestamp()
  returning picture_version
$$;

create function public.profiles(p_accounts uuid[]) returns table (user_id uuid, name text, picture_version text)
language sql stable security definer set search_path = '' as $$
  select p.user_id, p.name, p.picture_version from private.profiles p where p.user_id = any (p_accounts)
$$;

-- In base64, or null.
create function public.profile_picture(p_account uuid) returns text
language sql stable security definer set search_path = '' as $$
  select encode(p.picture, 'base64') from private.profiles p where p.user_id = p_account
$$;

-- Links and messages

-- One-time links to choose a password. `key_sha256` is a hash of a hash of the link's secret.
create table private.account_links (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  purpose text not null check (purpose in ('invitation', 'reset')),
  key_sha256 text not null unique check (key_sha256 ~ '^[0-9a-f]{64}$'),
  expires_at timestamptz not null,
  -- Until when one request may set the password.
  claimed_until timestamptz
);
create index account_links_user on private.account_links (user_id);
create index account_links_age on private.account_links (expires_at);
alter table private.account_links enable row level security;
revoke all on private.account_links from service_role;

-- A request for a new password does not look up the account, so that it cannot reveal it. The service role locks and
-- updates rows in `lock_subject` and `subject_failed`.
create table private.account_mails (
  id uuid primary key default gen_random_uuid(),
  email text not null check (char_length(email) between 1 and 320),
  user_id uuid references auth.users (id) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'sent', 'failed')),
  reason text,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp()
);
create index account_mails_user on private.account_mails (user_id, created_at desc);
create index account_mails_age on private.account_mails (created_at);
alter table private.account_mails enable row level security;
revoke insert, delete on private.account_mails from service_role;
create trigger enqueue after insert on private.account_mails
  for each row execute function private.enqueue('account_mail', '14');
create trigger drop_work after delete on private.account_mails
  for each row execute function private.drop_work('account_mail');

-- Choosing a password confirms the email address.
create function private.link_purpose(p_account auth.users) returns text
language sql immutable set search_path = '' as $$
  select case when p_account.email_confirmed_at is null then 'invitation' else 'reset' end
$$;

-- Replaces an earlier link with this id. Deletes expired links, and messages older than 30 days.
create function private.store_link(p_account auth.users, p_key text, p_id uuid) returns private.account_links
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

-- Without a key, queues a message with a link.
-- outcome: linked (with purpose, expires_at) | mailed (with purpose) | not_found | disabled
create function public.create_account_link(p_account uuid, p_key text default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_account auth.users;
  v_link private.account_links;
  v_purpose text;
begin
  select * into v_account from auth.users where id = p_account and deleted_at is null and email <> '';
  if not found or private.is_service_account(v_account) then return jsonb_build_object('outcome', 'not_found'); end if;
  if not private.is_active(p_account) then return jsonb_build_object('outcome', 'disabled'); end if;
  v_purpose := private.link_purpose(v_account);
  perform private.write_audit(case v_purpose when 'invitation' then 'account.invited' else 'account.link_created' end,
    v_account.id, v_account.email, case when p_key is null then 'by email' else 'link copied' end);
  if p_key is null then
    insert into private.account_mails (email, user_id, created_by) values (v_account.email, v_account.id, private.actor_id());
    return jsonb_build_object('outcome', 'mailed', 'purpose', v_purpose);
  end if;
  v_link := private.store_link(v_account, p_key, gen_random_uuid());
  return jsonb_build_object('outcome', 'linked', 'purpose', v_purpose, 'expires_at', v_link.expires_at);
end $$;

-- Queues a message, whether or not the address has an account.
create function public.request_password_reset(p_email text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.account_mails (email) values (lower(p_email))
$$;

-- Returns { email, purpose, expires_at } of a new link, or null if the message is not pending or its account does not
-- exist, is not active or is a service account.
create function public.account_mail_to_send(p_mail uuid, p_key text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_mail private.account_mails;
  v_account auth.users;
  v_link private.account_links;
begin
  select * into v_mail from private.account_mails where id = p_mail and state = 'pending';
  if not found then return null; end if;
  select * into v_account from auth.users u
   where case when v_mail.user_id is null then lower(u.email) = lower(v_mail.email) else u.id = v_mail.user_id end
     and not private.is_service_account(u) and private.is_active(u.id);
  if not found then return null; end if;
  v_link := private.store_link(v_account, p_key, p_mail);
  return jsonb_build_object('email', v_account.email, 'purpose', v_link.purpose, 'expires_at', v_link.expires_at);
end $$;

-- Marks a message as sent. Returns false if the lease is lost.
create function public.account_mail_done(p_id bigint, p_token uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare v_item private.work_items := private.lock_subject(p_id, 'account_mail');
begin
  if not private.close_item(v_item.id, p_token) then return false; end if;
  update private.account_mails set state = 'sent', reason = null where id = v_item.subject_id;
  return true;
end $$;

-- Returns no row if the link has expired or its account is not active.
create function private.find_link(p_key text) returns setof private.account_links
language sql stable set search_path = '' as $$
  select * from private.account_links l
   where l.key_sha256 = private.key_sha256(p_key) and l.expires_at > now() and private.is_active(l.user_id)
$$;

-- Returns null if the link is not valid.
create function public.account_link(p_key text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('email', u.email, 'purpose', l.purpose, 'expires_at', l.expires_at)
    from private.find_link(p_key) l join auth.users u on u.id = l.user_id
$$;

-- Lets one request set the password for 30 seconds. Returns the account, or null if the link is not valid or is
-- claimed.
create function public.claim_account_link(p_key text) returns uuid
language sql volatile security definer set search_path = '' as $$
  update private.account_links l set claimed_until = clock_timestamp() + interval '30 seconds'
   where l.id = (select f.id from private.find_link(p_key) f)
     and (l.claimed_until is null or l.claimed_until < clock_timestamp())
  returning l.user_id
$$;

create function public.release_account_link(p_key text) returns void
language sql volatile security definer set search_path = '' as $$
  update private.account_links set claimed_until = null where key_sha256 = private.key_sha256(p_key)
$$;

-- After its password was set, deletes all links and sessions of the account, and sets its name if one is given.
create function public.finish_account_link(p_key text, p_name text default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_account uuid := (select l.user_id from private.account_links l where l.key_sha256 = private.key_sha256(p_key));
begin
  if v_account is null then return; end if;
  delete from private.account_links where user_id = v_account;
  delete from auth.sessions where user_id = v_account;
  if p_name is not null then perform public.set_profile_name(v_account, p_name); end if;
end $$;

-- Trigger function that logs a new password, however it was set, with the account itself as the actor. The claimed
-- link, which sets the password, stays. All others are deleted.
create function private.password_set() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_purpose text := (select l.purpose from private.account_links l
    where l.user_id = new.id and l.claimed_until > clock_timestamp() limit 1);
begin
  delete from private.account_links
   where user_id = new.id and (claimed_until is null or claimed_until <= clock_timestamp());
  perform private.write_audit(
    case v_purpose when 'invitation' then 'account.joined' when 'reset' then 'password.reset' else 'password.changed' end,
    new.id, private.account_label(new.id), null, new.id);
  return null;
end $$;

create trigger password_set after update of encrypted_password on auth.users
  for each row when (new.encrypted_password is distinct from old.encrypted_password)
  execute function private.password_set();

-- Accounts, for administrators

create function private.is_working_admin(p_account auth.users) returns boolean
language sql stable set search_path = '' as $$
  select p_account.raw_app_meta_data ->> 'role' = 'admin' and p_account.email_confirmed_at is not null
     and private.is_active(p_account.id) and not private.is_service_account(p_account)
$$;

-- Changes whether an account is an administrator or disabled, unless null. Disabling deletes its sessions and links.
-- Calls take turns, so that two cannot remove the last administrators.
-- outcome: changed | not_found | own_account | last_admin
create function public.change_account(p_actor uuid, p_account uuid, p_is_admin boolean default null,
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

-- `p_query` is part of a name or email address. A state is invited, active or disabled. `mail_state` is that of the
-- latest message from an administrator.
create function public.list_people(p_query text default null, p_state text default null, p_account uuid default null,
  p_before timestamptz default null, p_before_id uuid default null, p_limit int default 21)
returns table (id uuid, created_at timestamptz, email text, name text, picture_version text, is_admin boolean, state text,
  last_seen_at timestamptz, mail_state text, mail_reason text)
language sql stable security definer set search_path = '' as $$
  select u.id, u.created_at, u.email::text, p.name, p.picture_version,
         coalesce(u.raw_app_meta_data ->> 'role' = 'admin', false), s.state,
         greatest(u.last_sign_in_at, (select max(coalesce(x.refreshed_at at time zone 'utc', x.updated_at))
           from auth.sessions x where x.user_id = u.id)),
         m.state, coalesce(m.reason, case when m.state = 'pending' then w.last_error end)
    from auth.users u
    left join private.profiles p on p.user_id = u.id
    left join lateral (select a.id, a.state, a.reason from private.account_mails a where a.user_id = u.id
      order by a.created_at desc limit 1) m on true
    left join private.work_items w on w.kind = 'account_mail' and w.subject_id = m.id
    cross join lateral (select case when not private.is_active(u.id) then 'disabled'
      when u.email_confirmed_at is null then 'invited' else 'active' end as state) s
   where u.deleted_at is null and u.email <> '' and not private.is_service_account(u)
     and (p_account is null or u.id = p_account)
     and (p_state is null or s.state = p_state)
     and (p_query is null or strpos(lower(concat_ws(' ', p.name, u.email)), lower(p_query)) > 0)
     and (p_before is null or (u.created_at, u.id) < (p_before, p_before_id))
   order by u.created_at desc, u.id desc limit p_limit
$$;
