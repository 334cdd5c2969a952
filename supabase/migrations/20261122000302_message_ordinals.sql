-- Position of each prompt in its conversation, from 1. Used as the cursor to page through a conversation from its end.
alter table public.image_messages add column ordinal int;
update public.image_messages m set ordinal = numbered.ordinal
  from (select id, row_number() over (partition by job_id order by created_at, id) as ordinal from public.image_messages) numbered
 where numbered.id = m.id;
alter table public.image_messages alter column ordinal set not null;
create unique index image_messages_ordinal on public.image_messages (job_id, ordinal);
drop index public.image_messages_job;

-- Messages are added only while their job is locked, so numbers are unique.
create function private.number_message() returns trigger
language plpgsql volatile set search_path = '' as $$
begin
  new.ordinal := 1 + coalesce((select max(ordinal) from public.image_messages where job_id = new.job_id), 0);
  return new;
end $$;
create trigger number_message before insert on public.image_messages
  for each row when (new.ordinal is null) execute function private.number_message();
revoke execute on function private.number_message() from public, anon;
