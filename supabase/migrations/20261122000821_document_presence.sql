-- Lets members see who has a project's document open. Clients use presence on the private topic
-- `document:{project id}`. Presence contains only user ids. Clients send their own id, so a member could claim another
-- user's id. Only members and admins can join.

create or replace function private.can_read_topic(p_topic text) returns boolean
language sql stable security definer set search_path = '' as $$
  select case
    when private.is_admin() then
      p_topic = 'specs' or p_topic like 'project:%' or p_topic like 'document:%' or p_topic like 'image-job:%'
    when p_topic like 'project:%' then
      substr(p_topic, 9) in (select id::text from private.my_projects() id)
    when p_topic like 'document:%' then
      substr(p_topic, 10) in (select id::text from private.my_projects() id)
    when p_topic like 'image-job:%' then exists (
      select 1 from public.image_jobs j
       where j.id::text = substr(p_topic, 11) and j.project_id in (select private.my_projects()))
    else false end
$$;

create policy atelier_presence_read on realtime.messages for select to authenticated
  using (extension = 'presence' and (select realtime.topic()) like 'document:%'
    and (select private.can_read_topic((select realtime.topic()))));
create policy atelier_presence_write on realtime.messages for insert to authenticated
  with check (extension = 'presence' and (select realtime.topic()) like 'document:%'
    and (select private.can_read_topic((select realtime.topic()))));
