-- Stores the text of each page of a spec and the sections in its outline. A worker reads them from the PDF after the
-- upload. The subject of the work item is the document, because the text belongs to the file. Reading the text is
-- independent of runs and never changes the processing status.

-- The state of reading the text. `none` means that the PDF contains no text, and `failed` means that the PDF could not
-- be read.
alter table public.documents add column text_state text not null default 'pending'
  check (text_state in ('pending', 'done', 'none', 'failed'));

-- Converts text to lowercase letters and digits, with one space for each sequence of other characters. Removes accents,
-- and replaces some letters that do not decompose, such as `ø` and `ß`, with their usual substitutes.
create function private.fold_text(p_text text) returns text
language sql immutable strict parallel safe set search_path = '' as $$
  select regexp_replace(
    replace(replace(replace(translate(
      lower(regexp_replace(normalize(p_text, NFKD), '[\u0300-\u036f]', '', 'g')),
      'øđłıħðς', 'odlihdσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'),
    '[^[:alnum:]]+', ' ', 'g')
$$;

-- Returns the words of `p_text` for full-text search.
create function private.search_words(p_text text) returns tsvector
language sql immutable strict parallel safe cost 500 set search_path = '' as $$
  select to_tsvector('simple'::regconfig, private.fold_text(p_text))
$$;

create table public.spec_pages (
  spec_id uuid not null references public.spec_uploads (id) on delete cascade,
  page int not null check (page between 1 and 2000),
  text text not null check (char_length(text) between 1 and 20000),
  words tsvector not null generated always as (strip(private.search_words(text))) stored,
  primary key (spec_id, page)
);

-- The sections of a spec, in order. They come from the outline of the PDF, from the workflow service or from manual
-- edits.
create table public.spec_sections (
  spec_id uuid not null references public.spec_uploads (id) on delete cascade,
  ordinal int not null check (ordinal between 1 and 2000),
  title text not null check (char_length(title) between 1 and 300),
  page int check (page >= 1),
  level int not null default 1 check (level between 1 and 20),
  text text check (char_length(text) <= 20000),
  source text not null check (source in ('outline', 'workflow', 'manual')),
  primary key (spec_id, ordinal)
);

alter table public.spec_pages enable row level security;
alter table public.spec_sections enable row level security;
create policy spec_pages_read on public.spec_pages for select to authenticated, anon using ((select private.is_admin()));
create policy spec_sections_read on public.spec_sections for select to authenticated, anon
  using ((select private.is_admin()));
create policy anon_needs_token on public.spec_pages as restrictive for select to anon using ((select private.has_token()));
create policy anon_needs_token on public.spec_sections as restrictive for select to anon
  using ((select private.has_token()));
revoke all on public.spec_pages, public.spec_sections from anon, authenticated;
grant select on public.spec_pages, public.spec_sections to anon, authenticated;
grant all on public.spec_pages, public.spec_sections to service_role;

alter table private.work_items drop constraint work_items_kind_check,
  add constraint work_items_kind_check
    check (kind in ('spec_dispatch', 'image_dispatch', 'pdf_export', 'event_delivery', 'spec_text'));

create function private.enqueue_text() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.work_items (kind, subject_id, run, max_attempts, request_id, user_id)
  values ('spec_text', new.id, 1, 5, private.request_id(),
          coalesce(new.created_by, '00000000-0000-0000-0000-000000000000'));
  return null;
end $$;
create trigger enqueue_text after insert on public.documents for each row execute function private.enqueue_text();
create trigger drop_work after delete on public.documents for each row execute function private.drop_work('spec_text');
-- Also reads the text of existing specs. Their work items belong to no user. Users take turns in the queue, so new
-- uploads need not wait for all of these items.
insert into private.work_items (kind, subject_id, run, max_attempts) select 'spec_text', id, 1, 5 from public.documents;

create or replace function private.lock_subject(p_kind text, p_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  case p_kind
    when 'spec_dispatch' then perform 1 from public.spec_uploads where id = p_id for update;
    when 'image_dispatch' then perform 1 from public.image_jobs where id = p_id for update;
    when 'pdf_export' then perform 1 from public.export_jobs where id = p_id for update;
    when 'event_delivery' then perform private.lock_delivery(p_id);
    when 'spec_text' then perform 1 from public.spec_uploads where document_id = p_id for update;
  end case;
end $$;

create or replace function private.subject_failed(p_kind text, p_id uuid, p_run int, p_code text, p_error text) returns boolean
language plpgsql volatile set search_path = '' as $$
begin
  case p_kind
    when 'spec_dispatch' then
      return private.move_spec(p_id, p_run, array['pending', 'processing'], 'failed', p_code, p_error);
    when 'image_dispatch' then
      return private.move_image(p_id, p_run, array['queued', 'running'], 'failed', p_code, p_error);
    when 'pdf_export' then
      update public.export_jobs
         set status = 'failed', status_seq = status_seq + 1, error_code = p_code, error = left(p_error, 2000),
             updated_at = clock_timestamp(), finished_at = clock_timestamp()
       where id = p_id and run = p_run and status = 'processing';
      return found;
    when 'event_delivery' then
      return private.delivery_failed(p_id, p_run, p_error);
    when 'spec_text' then
      update public.documents set text_state = 'failed' where id = p_id and text_state = 'pending';
      return found;
  end case;
end $$;

-- Returns the spec whose text a worker is reading, or null if the worker no longer holds the lease.
create function private.spec_being_read(p_id bigint, p_token uuid) returns uuid
language sql stable set search_path = '' as $$
  select s.id from private.work_items w join public.spec_uploads s on s.document_id = w.subject_id
   where w.id = p_id and w.kind = 'spec_text' and w.lease_token = p_token and w.state = 'pending'
$$;

-- Stores the text of some pages: [{ page, text }]. Returns false if the lease is lost.
create function public.store_spec_pages(p_id bigint, p_token uuid, p_pages jsonb) returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_spec uuid := private.spec_being_read(p_id, p_token);
begin
  -- The lock keeps the spec from being deleted while its pages are stored.
  perform 1 from public.spec_uploads where id = v_spec for key share;
  if not found then return false; end if;
  insert into public.spec_pages (spec_id, page, text)
    select v_spec, p.page, p.text from jsonb_to_recordset(p_pages) as p (page int, text text)
    on conflict (spec_id, page) do update set text = excluded.text;
  return true;
end $$;

revoke execute on function private.fold_text(text), private.search_words(text), private.enqueue_text(),
  private.spec_being_read(bigint, uuid) from public, anon, authenticated;
grant execute on function private.fold_text(text), private.search_words(text), private.spec_being_read(bigint, uuid)
  to service_role;
revoke execute on function public.store_spec_pages(bigint, uuid, jsonb) from public, anon, authenticated;
grant execute on function public.store_spec_pages(bigint, uuid, jsonb) to service_role;
