-- Demo accounts and content for the local database of `npm start`. The accounts have a published password, so the seed
-- fails unless atelier.local_copy is on. `npm start` and the tests set it, but `supabase db push --include-seed` and
-- preview branches do not.
do $$ begin
  if current_setting('atelier.local_copy', true) is distinct from 'on' then
    raise exception 'This seed creates accounts with a published password. Only "npm start" can run it, on its local database.';
  end if;
end $$;

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
-- Checks `atelier.local_copy` again, because a client can continue after the error above.
where current_setting('atelier.local_copy', true) = 'on'
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
values ('b0000000-0000-4000-8000-000000000001', 'Harbor House', 'a0000000-0000-4000-8000-000000000001')
on conflict do nothing;
insert into public.project_members (project_id, user_id, role)
values ('b0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002', 'editor')
on conflict do nothing;

-- `supabase/local/backend/demo-picture.ts` uploads the picture of the first page, because SQL cannot write to storage.
insert into public.project_pages (id, project_id, cover, pages, updated_by)
values ('b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000001', $cover$
{ "title": "Harbor House", "subtitle": "Interior concept, second issue", "client": "Meridian Hotels", "date": "November 2026",
  "background": "#1f3a4d", "color": "#ffffff" }
$cover$, $pages$
[
  { "id": "concept", "title": "Concept", "elements": [
    { "id": "band", "type": "shape", "kind": "rect", "x": 0, "y": 0, "w": 210, "h": 64, "fill": "#e7e0d4" },
    { "id": "mark", "type": "shape", "kind": "ellipse", "x": 160, "y": 18, "w": 28, "h": 28, "fill": "#b5654a" },
    { "id": "heading", "type": "text", "x": 20, "y": 24, "w": 130, "h": 24, "fontSize": 15, "blocks": [
      { "type": "heading", "level": 1, "runs": [{ "text": "Salt, timber and slow light" }] } ] },
    { "id": "body", "type": "text", "x": 20, "y": 78, "w": 112, "h": 116, "blocks": [
      { "type": "paragraph", "runs": [{ "text": "The house stands with its feet in the harbor. We keep what the " },
        { "text": "sail lofts", "bold": true }, { "text": " left behind and add little: oiled oak, lime plaster, and brass that may age." }] },
      { "type": "heading", "level": 2, "runs": [{ "text": "What the rooms should do" }] },
      { "type": "list", "items": [
        [{ "text": "turn every bed towards the water" }],
        [{ "text": "keep daylight on the desk until evening" }],
        [{ "text": "stay quiet: soft floors, heavy curtains" }] ] } ] },
    { "id": "rule", "type": "shape", "kind": "line", "x": 140, "y": 78, "w": 50, "h": 2, "stroke": "#b5654a", "strokeWidth": 0.6 },
    { "id": "note", "type": "text", "x": 140, "y": 84, "w": 50, "h": 60, "fontSize": 9, "color": "#5a6068", "blocks": [
      { "type": "paragraph", "runs": [{ "text": "Colors follow the harbor wall at low tide.", "italic": true }] } ] },
    { "id": "view", "type": "image", "x": 20, "y": 200, "w": 170, "h": 72, "imageId": "c0000000-0000-4000-8000-000000000001",
      "alt": "Sail lofts on the harbor at dusk, some windows lit" } ] },
  { "id": "materials", "title": "Materials", "elements": [
    { "id": "heading", "type": "text", "x": 20, "y": 20, "w": 170, "h": 14, "fontSize": 12.5, "blocks": [
      { "type": "heading", "level": 1, "runs": [{ "text": "Materials of the lobby" }] } ] },
    { "id": "oak", "type": "material", "x": 20, "y": 44, "w": 52, "h": 74, "materialId": "oak-oiled", "title": "Oiled oak",
      "swatch": "#b98d5b", "rows": [{ "label": "Use", "value": "Floor, counters" }, { "label": "Finish", "value": "Hard-wax oil" }] },
    { "id": "plaster", "type": "material", "x": 79, "y": 44, "w": 52, "h": 74, "materialId": "lime-plaster", "title": "Lime plaster",
      "swatch": "#e4ded2", "rows": [{ "label": "Use", "value": "Walls" }, { "label": "Finish", "value": "Brushed" }] },
    { "id": "brass", "type": "material", "x": 138, "y": 44, "w": 52, "h": 74, "materialId": "brass-raw", "title": "Raw brass",
      "swatch": "#b08d3f", "rows": [{ "label": "Use", "value": "Handles, lamps" }, { "label": "Finish", "value": "None" }] },
    { "id": "schedule", "type": "table", "x": 20, "y": 132, "w": 170, "h": 60, "headerFill": "#e7e0d4",
      "columns": [{ "label": "Surface", "width": 2 }, { "label": "Material", "width": 2 }, { "label": "Area, m²", "width": 1, "align": "right" }],
      "rows": [["Floor", "Oiled oak", "148"], ["Walls", "Lime plaster", "212"], ["Reception desk", "Oiled oak, raw brass", "9"]] } ] },
  { "id": "next-steps", "title": "Next steps", "elements": [
    { "id": "heading", "type": "text", "x": 20, "y": 20, "w": 170, "h": 14, "fontSize": 12.5, "blocks": [
      { "type": "heading", "level": 1, "runs": [{ "text": "Next steps" }] } ] },
    { "id": "steps", "type": "text", "x": 20, "y": 44, "w": 170, "h": 80, "blocks": [
      { "type": "list", "ordered": true, "items": [
        [{ "text": "Approve the samples on site" }],
        [{ "text": "Settle the lamps with " }, { "text": "the maker", "link": "https://example.com/lamps" }],
        [{ "text": "Issue the drawings for the reception desk" }] ] } ] } ] }
]
$pages$, 'a0000000-0000-4000-8000-000000000001')
on conflict do nothing;
