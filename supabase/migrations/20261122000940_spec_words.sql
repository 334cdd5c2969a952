-- Replaces the search table with one that can be searched in parts, newest specs first. When the names of a spec
-- change, the row with the words of its pages is rewritten later, not immediately. `lib/specs/SEARCH.md` explains the
-- layout.

lock table private.spec_search in access exclusive mode;
drop trigger add_to_search on public.spec_uploads;
drop trigger update_search on public.spec_uploads;

-- Blocks of about 4,096 specs with consecutive creation times. A spec belongs to the last block that starts at or
-- before its creation.
create table private.spec_blocks (
  no int generated always as identity primary key,
  first_at timestamptz not null unique
);
insert into private.spec_blocks (first_at) values ('-infinity');
insert into private.spec_blocks (first_at)
  select distinct n.created_at
    from (select created_at, row_number() over (order by created_at, id) as place from public.spec_uploads) n
   where n.place % 4096 = 0
   order by 1;

create function private.block_at(p_at timestamptz) returns int
language sql stable set search_path = '' as $$
  select no from private.spec_blocks where first_at <= p_at order by first_at desc limit 1
$$;

-- Each spec has two rows. The `names` row has the words of the spec's names (of the file, property, brand and area) and
-- of its error. The `all` row has these words and the words of the spec's pages. Each word is preceded by the number of
-- the block and a letter. In the `names` row, the letter is `n` for names or `e` for the error. In the `all` row, the
-- letter is always `a`. A brand or area is stored as its key instead of its name.
create table private.spec_words (
  spec_id uuid not null references public.spec_uploads (id) on delete cascade,
  part text not null check (part in ('names', 'all')),
  block int not null references private.spec_blocks (no),
  created_at timestamptz not null,
  -- A copy of `spec_uploads.is_current`.
  is_current boolean not null default true,
  words tsvector not null,
  primary key (spec_id, part)
);
-- The specs whose `all` row still contains old names or an old error. A search reads their `names` row and their pages
-- instead.
create table private.outdated_specs (
  spec_id uuid primary key references public.spec_uploads (id) on delete cascade
);
-- The brands and areas that were merged into another one. Their keys stay in `spec_words` and now stand for the brand
-- or area `into_id`.
create table private.merged_places (
  id uuid primary key,
  into_id uuid not null
);
create index merged_places_into on private.merged_places (into_id);

alter table private.spec_blocks enable row level security;
alter table private.spec_words enable row level security;
alter table private.outdated_specs enable row level security;
alter table private.merged_places enable row level security;
grant select, insert, update, delete
  on private.spec_blocks, private.spec_words, private.outdated_specs, private.merged_places to service_role;

-- Returns the words of the names and the error. Leaves out words that are longer than 2,000 bytes including their
-- letter, because a tsvector allows only slightly longer words.
create function private.names_words(p_block int, p_file_name text, p_property text, p_error text, p_brand_id uuid,
  p_area_type_id uuid) returns tsvector
language sql immutable set search_path = '' as $$
  select array_to_tsvector(array(
    select p_block || w.word
      from (select 'n' || n.lexeme as word
              from unnest(private.search_words(p_file_name || ' ' || coalesce(p_property, ''))) n
            union all select 'e' || e.lexeme from unnest(private.search_words(left(p_error, 2000))) e
            union all select 'n' || private.place_key(p.id) from unnest(array[p_brand_id, p_area_type_id]) p (id)) w
     where octet_length(w.word) <= 2000))
$$;

-- Converts the words of a `names` row to the form that the `all` row stores.
create function private.plain_words(p_names tsvector) returns tsvector
language sql immutable set search_path = '' as $$
  select array_to_tsvector(array(select regexp_replace(n.lexeme, '^(\d+)[ne]', '\1a') from unnest(p_names) n))
$$;

-- Returns page words in the form that the `all` row stores.
create function private.text_words(p_block int, p_words text[]) returns tsvector
language sql immutable set search_path = '' as $$
  select array_to_tsvector(array(select p_block || 'a' || w.word from unnest(p_words) w (word)))
$$;

-- Writes the `all` row of a spec. The spec must be locked.
create function private.index_spec(p_id uuid) returns void
language plpgsql volatile set search_path = '' as $$
begin
  -- A tsvector holds less than 1 MB, so keep only the words that occur on the most pages. Leave out words over 100
  -- bytes.
  update private.spec_words x
     set words = private.plain_words(n.words) || private.text_words(x.block, array(
           select w.lexeme
             from (select u.lexeme,
                          sum(octet_length(u.lexeme) + 10) over (order by count(*) desc, u.lexeme) as bytes
                     from public.spec_pages p cross join lateral unnest(p.words) u
                    where p.spec_id = p_id and octet_length(u.lexeme) <= 100
                    group by u.lexeme) w
            where w.bytes <= 800000))
    from private.spec_words n
   where x.spec_id = p_id and x.part = 'all' and n.spec_id = p_id and n.part = 'names';
  delete from private.outdated_specs where spec_id = p_id;
end $$;

create or replace function private.add_to_search() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.spec_words (spec_id, part, block, created_at, is_current, words)
    select x.id, p.part, x.block, x.created_at, x.is_current, case p.part when 'names' then x.words else private.plain_words(x.words) end
      from (select s.id, b.no as block, s.created_at, s.is_current,
                   private.names_words(b.no, d.file_name, s.property_name, s.error, s.brand_id, s.area_type_id) as words
              from added s
              join public.documents d on d.id = s.document_id
              join private.spec_blocks b on b.no = private.block_at(s.created_at)) x,
           (values ('names'), ('all')) p (part);
  return null;
end $$;
create trigger add_to_search after insert on public.spec_uploads referencing new table as added
  for each statement execute function private.add_to_search();

-- A merge of brands or areas changes no words. The old key stays, and stands for the brand or area that the old one was
-- merged into. The ids are read into an array first, because a single statement could reuse a plan made for transition
-- tables with many rows. Such a plan scans whole tables even if only one row has changed.
create or replace function private.update_search() returns trigger
language plpgsql security definer set search_path = '' as $$
declare v_ids uuid[];
begin
  v_ids := array(
    select s.id from changed s join before o on o.id = s.id
     where (s.property_name, s.error) is distinct from (o.property_name, o.error)
        or s.brand_id <> o.brand_id
          and not exists (select 1 from private.merged_places m where m.id = o.brand_id and m.into_id = s.brand_id)
        or s.area_type_id <> o.area_type_id
          and not exists (select 1 from private.merged_places m where m.id = o.area_type_id and m.into_id = s.area_type_id)
     order by s.id);
  update private.spec_words x
     set words = (
       select private.names_words(x.block, d.file_name, s.property_name, s.error, s.brand_id, s.area_type_id)
         from public.spec_uploads s join public.documents d on d.id = s.document_id where s.id = x.spec_id)
   where x.spec_id = any (v_ids) and x.part = 'names';
  insert into private.outdated_specs (spec_id) select unnest(v_ids) on conflict do nothing;
  v_ids := array(select s.id from changed s join before o on o.id = s.id where s.is_current <> o.is_current order by s.id);
  update private.spec_words x
     set is_current = (select s.is_current from public.spec_uploads s where s.id = x.spec_id)
   where x.spec_id = any (v_ids);
  return null;
end $$;
create trigger update_search after update on public.spec_uploads referencing new table as changed old table as before
  for each statement execute function private.update_search();

insert into private.spec_words (spec_id, part, block, created_at, is_current, words)
  select s.id, 'names', b.no, s.created_at, s.is_current,
         private.names_words(b.no, d.file_name, s.property_name, s.error, s.brand_id, s.area_type_id)
    from public.spec_uploads s
    join public.documents d on d.id = s.document_id
    join private.spec_blocks b on b.no = private.block_at(s.created_at);
insert into private.spec_words (spec_id, part, block, created_at, is_current, words)
  select n.spec_id, 'all', n.block, n.created_at, n.is_current,
         private.plain_words(n.words) || private.text_words(n.block, tsvector_to_array(x.body))
    from private.spec_words n join private.spec_search x on x.spec_id = n.spec_id;
drop table private.spec_search;
-- This index has no list of pending changes, because each search of a block would read the whole list.
create index spec_words_words on private.spec_words using gin (words) with (fastupdate = off);

-- Starts a new block if the last one is full. Then writes the `all` rows of up to `p_limit` outdated specs, but stops
-- early after about two seconds. Returns how many rows it wrote.
create function public.refresh_spec_search(p_limit int) returns int
language plpgsql volatile set search_path = '' as $$
declare
  v_is_full boolean;
  v_id uuid;
  v_count int := 0;
begin
  select count(*) = 4096 into v_is_full
    from (select 1 from public.spec_uploads u
           where u.created_at >= (select max(b.first_at) from private.spec_blocks b) limit 4096) x;
  -- The new block starts one to two minutes in the future. A spec inserted by a transaction that cannot see the block
  -- yet has an earlier `created_at`, so the spec does not belong to the block.
  if v_is_full then
    insert into private.spec_blocks (first_at) select date_trunc('minute', now()) + interval '2 minutes'
      on conflict do nothing;
  end if;
  for v_id in
    select s.id from private.outdated_specs o join public.spec_uploads s on s.id = o.spec_id
     limit p_limit for no key update of s skip locked
  loop
    perform private.index_spec(v_id);
    v_count := v_count + 1;
    exit when clock_timestamp() > statement_timestamp() + interval '2 seconds';
  end loop;
  return v_count;
end $$;

-- As before, but stores the words of the pages in `spec_words`.
create or replace function public.finish_spec_text(p_id bigint, p_token uuid, p_state text, p_pages int, p_sections jsonb)
returns boolean
language plpgsql volatile set search_path = '' as $$
declare v_spec uuid := private.spec_being_read(p_id, p_token);
begin
  perform 1 from public.spec_uploads where id = v_spec for update;
  if not found then return false; end if;
  update private.work_items set state = 'done', finished_at = clock_timestamp(), lease_token = null
   where id = p_id and lease_token = p_token and state = 'pending';
  if not found then return false; end if;
  update public.documents set text_state = p_state
   where id = (select document_id from public.spec_uploads where id = v_spec);
  -- An earlier attempt may have stored more pages.
  delete from public.spec_pages where spec_id = v_spec and page > p_pages;
  delete from public.spec_sections where spec_id = v_spec and source = 'outline';
  insert into public.spec_sections (spec_id, ordinal, title, page, level, source)
    select v_spec, x.n, x.section ->> 'title', (x.section ->> 'page')::int, (x.section ->> 'level')::int, 'outline'
      from jsonb_array_elements(p_sections) with ordinality as x (section, n)
     where not exists (select 1 from public.spec_sections where spec_id = v_spec);
  perform private.index_spec(v_spec);
  return true;
end $$;

-- As before, but first records the merge in `private.merged_places`, so that `update_search` does not change the words
-- of the moved specs.
create or replace function public.merge_in_list(p_list text, p_name text, p_into text) returns jsonb
language plpgsql volatile set search_path = '' as $$
declare
  v_from uuid;
  v_into uuid;
  v_name text;
  v_count int;
begin
  if private.name_key(p_name) = private.name_key(p_into) then return jsonb_build_object('outcome', 'same'); end if;
  -- To avoid deadlocks, lock brands and areas before specs, and the rows of each table in the order of their ids.
  -- Uploads and edits that use one of the two brands or areas wait for these locks.
  case p_list
    when 'brands' then
      perform 1 from public.brands
        where name_key in (private.name_key(p_name), private.name_key(p_into)) order by id for update;
      select id into v_from from public.brands where name_key = private.name_key(p_name);
      select id, name into v_into, v_name from public.brands where name_key = private.name_key(p_into);
    when 'areas' then
      perform 1 from public.area_types
        where name_key in (private.name_key(p_name), private.name_key(p_into)) order by id for update;
      select id into v_from from public.area_types where name_key = private.name_key(p_name);
      select id, name into v_into, v_name from public.area_types where name_key = private.name_key(p_into);
  end case;
  if v_from is null then return jsonb_build_object('outcome', 'not_found'); end if;
  if v_into is null then return jsonb_build_object('outcome', 'unknown_target'); end if;
  perform set_config('atelier.merged_into', v_name, true);
  update private.merged_places set into_id = v_into where into_id = v_from;
  insert into private.merged_places (id, into_id) values (v_from, v_into);
  case p_list
    when 'brands' then
      perform 1 from public.spec_uploads where brand_id = v_from order by id for update;
      update public.spec_uploads set brand_id = v_into where brand_id = v_from;
      get diagnostics v_count = row_count;
      delete from public.brands where id = v_from;
    when 'areas' then
      perform 1 from public.spec_uploads where area_type_id = v_from order by id for update;
      update public.spec_uploads set area_type_id = v_into where area_type_id = v_from;
      get diagnostics v_count = row_count;
      delete from public.area_types where id = v_from;
  end case;
  perform set_config('atelier.merged_into', '', true);
  return jsonb_build_object('outcome', 'merged', 'name', v_name, 'specs', v_count);
end $$;

create function private.drop_merged() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from private.merged_places where into_id = old.id;
  return null;
end $$;
create trigger drop_merged after delete on public.brands for each row execute function private.drop_merged();
create trigger drop_merged after delete on public.area_types for each row execute function private.drop_merged();

drop function private.spec_head(text, text, text, uuid, uuid);
revoke execute on function private.block_at(timestamptz), private.names_words(int, text, text, text, uuid, uuid),
  private.plain_words(tsvector), private.text_words(int, text[]), private.index_spec(uuid), private.drop_merged()
  from public, anon, authenticated;
revoke execute on function public.refresh_spec_search(int) from public, anon, authenticated;
grant execute on function private.block_at(timestamptz), private.names_words(int, text, text, text, uuid, uuid),
  private.plain_words(tsvector), private.text_words(int, text[]), private.index_spec(uuid) to service_role;
grant execute on function public.refresh_spec_search(int) to service_role;
