-- Demo accounts and a little content for one machine. Never applied to a hosted database.
create extension if not exists pgcrypto with schema extensions;

insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, raw_app_meta_data,
  raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token, email_change, email_change_token_new)
select '00000000-0000-0000-0000-000000000000', account.id::uuid, 'authenticated', 'authenticated', account.email,
  extensions.crypt('atelier-demo', extensions.gen_salt('bf', 8)), now(), account.app::jsonb, '{}', now(), now(), '', '', '', ''
from (values
  ('a0000000-0000-4000-8000-000000000001', 'admin@atelier.test', '{"provider":"email","providers":["email"],"role":"admin"}'),
  ('a0000000-0000-4000-8000-000000000002', 'member@atelier.test', '{"provider":"email","providers":["email"]}'),
  ('a0000000-0000-4000-8000-000000000003', 'stranger@atelier.test', '{"provider":"email","providers":["email"]}')
) as account (id, email, app)
on conflict (id) do nothing;

insert into auth.identities (id, provider, provider_id, user_id, identity_data, last_sign_in_at, created_at, updated_at)
select gen_random_uuid(), 'email', id::text, id, jsonb_build_object('sub', id::text, 'email', email, 'email_verified', true),
  now(), now(), now()
from auth.users where email like '%@atelier.test'
on conflict (provider, provider_id) do nothing;

insert into public.brands (name) values ('Meridian Hotels'), ('Nordlys'), ('Casa Verde') on conflict do nothing;
insert into public.area_types (name) values ('Lobby'), ('Guest room'), ('Bathroom'), ('Restaurant'), ('Corridor')
on conflict do nothing;

insert into public.projects (id, name, created_by)
values ('b0000000-0000-4000-8000-000000000001', 'Harbour House', 'a0000000-0000-4000-8000-000000000001')
on conflict do nothing;
insert into public.project_members (project_id, user_id, role)
values ('b0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002', 'editor')
on conflict do nothing;
