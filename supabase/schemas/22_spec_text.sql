-- The text of specs. After the upload, a worker reads the text of each page and the outline from the PDF, and stores
-- them here and in `spec_sections`. This is independent of runs and never changes the processing status.
--
-- `p_id` and `p_token` are the id and the lease of the work item. Its subject is the document.

create table public.spec_pages (
  spec_id uuid not null references public.spec_uploads (id) on delete cascade,
  page int not null check (page between 1 and 2000),
  text text not null check (char_length(text) between 1 and 20000),
  words tsvector not null generated always as (strip(private.search_words(text))) stored,
  primary key (spec_id, page)
);
alter table public.spec_pages enable row level security;
grant select on public.spec_pages to anon, authenticated;
create policy spec_pages_read on public.spec_pages for select to authenticated, anon
  using ((select private.is_admin()));
create policy anon_needs_token on public.spec_pages as restrictive for select to anon
  using ((select private.has_token()));

-- Returns the spec whose text a worker is reading, or null if the lease is lost.
create function private.spec_being_read(p_id bigint, p_token uuid) returns uuid
language sql stable set search_path = '' as $$
  select s.id from private.work_items w join public.spec_uploads s on s.document_id = w.subject_id
   where w.id = p_id and w.kind = 'spec_text' and w.lease_token = p_token and w.state = 'pending'
$$;

-- Stores or replaces the text of some pages: [{ page, text }]. Returns false if the lease is lost.
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

-- Finishes the work item after the pages have been stored, and stores their words in `spec_words`. `p_state` is the new
-- `text_state`, and `p_pages` the number of the last page with text. `p_sections` is the outline, [{ title, page,
-- level }], which does not replace sections from another source. Returns false if the lease is lost.
create function public.finish_spec_text(p_id bigint, p_token uuid, p_state text, p_pages int, p_sections jsonb)
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
  update private.spec_words w set words = private.names_words(s) || private.pages_words(s.id)
    from public.spec_uploads s where s.id = v_spec and w.spec_id = s.id;
  return true;
end $$;
