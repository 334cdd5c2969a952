-- The search and the list of specs: the words of each spec, the numbers of specs per brand, area and status, and the
-- functions that find and count specs. `lib/specs/SEARCH.md` explains the layout and has measurements.
--
-- A search must not take longer when there are more specs. So it reads blocks of specs, newest first, until it has
-- enough. Many functions fix a plan or use plpgsql to keep the planner from reading whole tables.

--------------------------------------------------------------------------------------------------------------------
-- Words
--------------------------------------------------------------------------------------------------------------------

-- Blocks of about 4,096 specs with consecutive creation times. A spec belongs to the last block that starts at or
-- before its creation.
create table private.spec_blocks (
  no int generated always as identity primary key,
  first_at timestamptz not null unique
);
alter table private.spec_blocks enable row level security;

-- Every spec belongs to a block, so the first block has no start.
insert into private.spec_blocks (first_at) values ('-infinity');

-- Returns the words in the form that the index of groups stores: each word starts with the number of its group of 64
-- blocks instead of the block number, and has a period before its last character. Because of the period, a prefix
-- matches only longer words. A search for a prefix that is also a frequent word thus need not read all specs with this
-- word.
create function private.wide_words(p_block int, p_words tsvector) returns tsvector
language sql immutable parallel safe cost 500 set search_path = '' as $$
  select array_to_tsvector(array(
    select p_block / 64 || substr(left(w.word, -1), length(p_block::text) + 1) || '.' || right(w.word, 1)
      from unnest(tsvector_to_array(p_words)) w (word)))
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
-- These indexes have no list of pending changes, because each search of a block would read the whole list.
create index spec_words_words on private.spec_words using gin (words) with (fastupdate = off);
create index spec_words_wide on private.spec_words using gin (private.wide_words(block, words)) with (fastupdate = off);
alter table private.spec_words enable row level security;

-- The specs whose `all` row still contains old names or an old error. A search reads their `names` row and their pages
-- instead.
create table private.outdated_specs (
  spec_id uuid primary key references public.spec_uploads (id) on delete cascade
);
alter table private.outdated_specs enable row level security;

-- Returns the number of the block to which a spec created at `p_at` belongs.
create function private.block_at(p_at timestamptz) returns int
language sql stable set search_path = '' as $$
  select no from private.spec_blocks where first_at <= p_at order by first_at desc limit 1
$$;

-- Returns the word that stands for a brand or an area in `spec_words`. The key starts with `_`, which no word contains.
-- Otherwise, a search for the start of a word could match keys, and therefore specs of unrelated brands.
create function private.place_key(p_id uuid) returns text
language sql immutable strict set search_path = '' as $$
  select '_' || replace(p_id::text, '-', '')
$$;

-- Returns the words of the names and of the first 2,000 characters of the error, in the form that the `names` row
-- stores. Leaves out words that are longer than 2,000 bytes including their letter, because a tsvector allows only
-- slightly longer words.
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

-- Adds the rows of new specs. The words of the pages are not known yet; `index_spec` adds them to the `all` row.
create function private.add_to_search() returns trigger
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

-- Writes the `names` rows of specs whose property, brand, area or error changed, and marks these specs as outdated.
-- Also copies `is_current`. A merge of brands or areas changes no words: the old key stays, and stands for the brand
-- or area that the old one was merged into. The ids are read into an array first, because a single statement could
-- reuse a plan made for transition tables with many rows. Such a plan scans whole tables even if only one row has
-- changed.
create function private.update_search() returns trigger
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

-- Writes the `all` row of a spec, after which the spec is not outdated. The caller must have locked the spec.
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

-- Returns the keys of the brands and areas whose names contain a word, and the keys of the brands and areas that were
-- merged into these. Written in plpgsql, which caches the plan.
create function private.keys_of(p_word tsquery) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    with named as (
      select b.id from public.brands b where private.search_words(b.name) @@ p_word
      union all select a.id from public.area_types a where private.search_words(a.name) @@ p_word)
    select private.place_key(n.id) from named n
    union all select private.place_key(m.id) from named n join private.merged_places m on m.into_id = n.id);
end $$;

-- Starts a new block if the last one is full. Then writes the `all` rows of up to `p_limit` outdated specs, except
-- those that are locked, but stops early after about two seconds. Returns how many rows it wrote.
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

--------------------------------------------------------------------------------------------------------------------
-- Numbers of specs
--------------------------------------------------------------------------------------------------------------------

-- The number of current specs with a brand, area and status is the sum of `n` over the rows with these values. `n` can
-- be negative. Writers only add rows, so they never wait for each other. `fold_spec_tally` combines the rows.
create table private.spec_tally (
  id bigint generated always as identity primary key,
  brand_id uuid not null,
  area_type_id uuid not null,
  status text not null,
  n bigint not null
);
alter table private.spec_tally enable row level security;

-- Adds the changes of a statement to `spec_tally`. Counts only current versions, because the list leaves out replaced
-- ones.
create function private.tally_specs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  case tg_op
    when 'INSERT' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, count(*) from added where is_current group by 1, 2, 3;
    when 'DELETE' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, -count(*) from removed where is_current group by 1, 2, 3;
    when 'UPDATE' then
      insert into private.spec_tally (brand_id, area_type_id, status, n)
        select brand_id, area_type_id, processing_status, sum(n)
          from (select brand_id, area_type_id, processing_status, 1 as n from changed where is_current
                union all select brand_id, area_type_id, processing_status, -1 from before where is_current) moved
         group by 1, 2, 3 having sum(n) <> 0;
  end case;
  return null;
end $$;
create trigger tally_added after insert on public.spec_uploads referencing new table as added
  for each statement execute function private.tally_specs();
create trigger tally_removed after delete on public.spec_uploads referencing old table as removed
  for each statement execute function private.tally_specs();
create trigger tally_changed after update on public.spec_uploads referencing new table as changed old table as before
  for each statement execute function private.tally_specs();

-- Replaces rows that have the same brand, area and status with one row, or with none if the sum of `n` is 0. Skips rows
-- that are locked. Returns the number of replaced rows.
create function public.fold_spec_tally() returns int
language plpgsql volatile set search_path = '' as $$
declare v_count int;
begin
  with gone as (
    delete from private.spec_tally where id in (
      select t.id from private.spec_tally t
       where t.id in (
         select g.id from (select x.id, count(*) over (partition by x.brand_id, x.area_type_id, x.status) as rows
                             from private.spec_tally x) g
          where g.rows > 1)
         for update skip locked)
    returning brand_id, area_type_id, status, n),
  kept as (
    insert into private.spec_tally (brand_id, area_type_id, status, n)
    select brand_id, area_type_id, status, sum(n) from gone group by 1, 2, 3 having sum(n) <> 0)
  select count(*) into v_count from gone;
  return v_count;
end $$;

--------------------------------------------------------------------------------------------------------------------
-- Queries
--------------------------------------------------------------------------------------------------------------------

-- The queries of a search, with `~` in place of the block number.
create type private.spec_query as (
  -- All words are in the names.
  exact text,
  -- All words are in the names, the last one as a prefix. `head` and `whole` also treat the last word as a prefix.
  names text,
  -- All words are in the names or the error.
  head text,
  -- All words are in the names, the error or the text.
  whole text,
  -- `head` and `whole` without the last word. Null if the search has only one word.
  head_start text,
  whole_start text,
  -- For each word, the query for the names and the error, and the query for a page.
  head_words text[],
  page_words tsquery[],
  -- The brand and area that the search is limited to, or null.
  place text
);

-- Which specs a search reads. Contains filters by status, creation time and version, and the position after which the
-- page of results starts. With `is_rising`, the oldest specs come first, otherwise the newest. Without
-- `all_versions`, replaced versions are left out.
create type private.spec_range as (
  status text, from_at timestamptz, before_at timestamptz, is_rising boolean, after_at timestamptz, after_id uuid,
  all_versions boolean
);

-- Returns the folded words of a search, or an empty array if there are none.
create function private.words_of(p_text text) returns text[]
language sql immutable set search_path = '' as $$
  select string_to_array(btrim(private.fold_text(coalesce(p_text, ''))), ' ')
$$;

-- Returns a query that matches `p_word` with any of `p_letters` before it, or any of `p_keys` with the first of these
-- letters before it.
create function private.any_query(p_word text, p_is_prefix boolean, p_letters text[], p_keys text[]) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_query text;
  v_letter text;
  v_key text;
begin
  foreach v_letter in array p_letters loop
    v_query := concat_ws(' | ', v_query,
      quote_literal('~' || v_letter || p_word) || case when p_is_prefix then ':*' else '' end);
  end loop;
  foreach v_key in array p_keys loop
    v_query := concat_ws(' | ', v_query, quote_literal('~' || p_letters[1] || v_key));
  end loop;
  return '(' || v_query || ')';
end $$;

-- Returns a query that matches the key of a brand or area, or the key of one that was merged into it. Each key is
-- preceded by `p_letter`. Returns null if `p_id` is null.
create function private.place_query(p_id uuid, p_letter text) returns text
language plpgsql stable set search_path = '' as $$
begin
  return (
    select '(' || string_agg(format('%L', '~' || p_letter || private.place_key(k.id)), ' | ') || ')'
      from (select p_id as id union all select m.id from private.merged_places m where m.into_id = p_id) k
     where k.id is not null);
end $$;

-- Returns the queries for the words of a search, or null if full-text search ignores all of them. For a word that the
-- parser splits, such as `3e5f0c`, the queries contain its parts. The parser ignores words over 2,046 bytes, so long
-- words are cut to 500 characters.
create function private.spec_queries(p_words text[], p_brand_id uuid, p_area_type_id uuid) returns private.spec_query
language plpgsql stable set search_path = '' as $$
declare
  v_query private.spec_query;
  v_term record;
  v_page tsquery;
  v_keys text[];
  v_place text;
begin
  for v_term in
    select distinct l.lexeme as word, w.n = cardinality(p_words) as is_last
      from unnest(p_words) with ordinality as w (word, n)
      cross join lateral unnest(to_tsvector('simple'::regconfig, left(w.word, 500))) l
  loop
    v_page := (quote_literal(v_term.word) || case when v_term.is_last then ':*' else '' end)::tsquery;
    v_keys := private.keys_of(quote_literal(v_term.word)::tsquery);
    v_query.exact := concat_ws(' & ', v_query.exact, private.any_query(v_term.word, false, '{n}', v_keys));
    if v_term.is_last then
      v_keys := private.keys_of(v_page);
    else
      v_query.head_start := concat_ws(' & ', v_query.head_start, private.any_query(v_term.word, false, '{n,e}', v_keys));
      v_query.whole_start := concat_ws(' & ', v_query.whole_start, private.any_query(v_term.word, false, '{a}', v_keys));
    end if;
    v_query.names := concat_ws(' & ', v_query.names, private.any_query(v_term.word, v_term.is_last, '{n}', v_keys));
    v_query.head_words := v_query.head_words || private.any_query(v_term.word, v_term.is_last, '{n,e}', v_keys);
    v_query.page_words := v_query.page_words || v_page;
    v_query.whole := concat_ws(' & ', v_query.whole, private.any_query(v_term.word, v_term.is_last, '{a}', v_keys));
  end loop;
  if v_query.whole is null then return null; end if;
  v_query.head := array_to_string(v_query.head_words, ' & ');
  if p_brand_id is not null or p_area_type_id is not null then
    v_query.place := concat_ws(' & ', private.place_query(p_brand_id, 'n'), private.place_query(p_area_type_id, 'n'));
    v_place := concat_ws(' & ', private.place_query(p_brand_id, 'a'), private.place_query(p_area_type_id, 'a'));
    v_query.exact := v_query.exact || ' & ' || v_query.place;
    v_query.names := v_query.names || ' & ' || v_query.place;
    v_query.head := v_query.head || ' & ' || v_query.place;
    v_query.whole := v_query.whole || ' & ' || v_place;
    v_query.head_start := v_query.head_start || ' & ' || v_query.place;
    v_query.whole_start := v_query.whole_start || ' & ' || v_place;
  end if;
  return v_query;
end $$;

-- Converts a query from `spec_query` for the index of groups. A search for a prefix becomes a search for the prefix as
-- a whole word or for any longer word that starts with it.
create function private.wide_query(p_query text) returns text
language sql immutable set search_path = '' as $$
  select regexp_replace(
    regexp_replace(p_query, '''([^'']+)([^''])''', '''\1.\2''', 'g'),
    '''([^'']+)\.([^''])'':\*', '''\1.\2'' | ''\1\2'':*', 'g')
$$;

--------------------------------------------------------------------------------------------------------------------
-- Matches
--------------------------------------------------------------------------------------------------------------------

-- Returns at most `p_most` specs with a row that matches a query, mostly from the newest blocks. With `p_pool`, checks
-- only the `p_part` rows of the specs in it and returns all that match. Reads the newest four blocks first. If these
-- have at least an eighth of the `p_most` matches, the newest 32 blocks probably have enough, so reads those before any
-- groups of blocks. The nested loops read the newest blocks or groups first and stop once they have enough.
create function private.some_specs(p_query text, p_part text, p_pool uuid[], p_most int) returns uuid[]
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
declare
  v_blocks int;
  v_ids uuid[];
  v_wide text := private.wide_query(p_query);
begin
  if p_pool is not null then
    return array(select x.spec_id from private.spec_words x
      where x.spec_id = any (p_pool) and x.part = p_part and x.words @@ replace(p_query, '~', x.block::text)::tsquery);
  end if;
  foreach v_blocks in array array[4, 32] loop
    v_ids := array(
      select x.spec_id
        from (select no from private.spec_blocks order by first_at desc limit v_blocks) b
        cross join lateral (
          select w.spec_id from private.spec_words w where w.words @@ replace(p_query, '~', b.no::text)::tsquery) x
       limit p_most);
    if cardinality(v_ids) = p_most then return v_ids; end if;
    exit when cardinality(v_ids) * 8 < p_most;
  end loop;
  return array(
    select x.spec_id
      from (select distinct no / 64 as no from private.spec_blocks order by 1 desc) g
      cross join lateral (
        select w.spec_id from private.spec_words w
         where private.wide_words(w.block, w.words) @@ replace(v_wide, '~', g.no::text)::tsquery) x
     limit p_most);
end $$;

-- Does the same as `some_specs` for a query whose last word is a prefix. For a prefix, an index scan reads all words
-- that start with it, even if few specs have the other words. So this function first searches for the other words
-- (`p_start`). If at most 100 specs have them, it checks only these specs.
create function private.some_with_prefix(p_query text, p_start text, p_part text, p_pool uuid[], p_most int)
returns uuid[]
language plpgsql stable set search_path = '' as $$
declare v_ids uuid[];
begin
  if p_pool is null and p_start is not null then
    v_ids := private.some_specs(p_start, p_part, null, 101);
    if cardinality(v_ids) <= 100 then return private.some_specs(p_query, p_part, v_ids, p_most); end if;
  end if;
  return private.some_specs(p_query, p_part, p_pool, p_most);
end $$;

-- Returns the specs with a status. Returns null if there are more than 1,000, or if `p_status` is null.
create function private.few_with_status(p_status text) returns uuid[]
language plpgsql stable set search_path = '' as $$
declare v_ids uuid[];
begin
  if p_status is null then return null; end if;
  v_ids := array(select u.id from public.spec_uploads u where u.processing_status = p_status limit 1001);
  return case when cardinality(v_ids) <= 1000 then v_ids end;
end $$;

-- Returns the outdated specs of the query's brand and area whose names, error and pages together contain all words.
create function private.outdated_matches(p_query private.spec_query) returns uuid[]
language plpgsql stable set search_path = '' as $$
begin
  return array(
    select o.spec_id from private.outdated_specs o
      join private.spec_words n on n.spec_id = o.spec_id and n.part = 'names'
     where coalesce(n.words @@ replace(p_query.place, '~', n.block::text)::tsquery, true)
       and not exists (
         select 1 from unnest(p_query.head_words, p_query.page_words) w (head, page)
          where not n.words @@ replace(w.head, '~', n.block::text)::tsquery
            and not exists (select 1 from public.spec_pages p where p.spec_id = o.spec_id and p.words @@ w.page)));
end $$;

-- Returns the specs with all words of a search, and in `is_all` whether `ids` contains all such specs. If more than
-- `p_most` specs have all words, returns about `p_most`. With `p_pool`, checks only the specs in it and the outdated
-- specs.
create function private.some_matches(p_query private.spec_query, p_pool uuid[], p_most int, out ids uuid[],
  out is_all boolean)
language plpgsql stable set search_path = '' as $$
begin
  ids := private.some_with_prefix(p_query.whole, p_query.whole_start, 'all', p_pool, p_most + 1);
  is_all := p_pool is not null or cardinality(ids) <= p_most;
  if exists (select 1 from private.outdated_specs) then
    ids := array(select unnest(ids) except select o.spec_id from private.outdated_specs o)
      || private.outdated_matches(p_query);
  end if;
end $$;

-- Returns the first `p_limit` specs of `p_ids` that are in the range, in the order of the range.
create function private.pick_specs(p_ids uuid[], p_range private.spec_range, p_limit int)
returns table (id uuid, created_at timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
#variable_conflict use_column
begin
  return query
    select u.id, u.created_at from public.spec_uploads u
     where u.id = any (p_ids) and (p_range.status is null or u.processing_status = p_range.status)
       and (p_range.all_versions or u.is_current) and (p_range.from_at is null or u.created_at >= p_range.from_at)
       and (p_range.before_at is null or u.created_at < p_range.before_at)
       and case when p_range.after_id is null then true
                when p_range.is_rising then (u.created_at, u.id) > (p_range.after_at, p_range.after_id)
                else (u.created_at, u.id) < (p_range.after_at, p_range.after_id) end
     order by case when p_range.is_rising then u.created_at end, case when p_range.is_rising then u.id end,
              u.created_at desc, u.id desc
     limit p_limit;
end $$;

-- Returns whether a status is probably rarer than the words of a query. Compares the status's share of all current
-- specs with the share of matches in the newest full block, which has about 4,096 specs. Returns false if no block is
-- full.
create function private.is_rarer_status(p_status text, p_query text) returns boolean
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
declare
  v_block int;
  v_share numeric;
begin
  if p_status is null then return false; end if;
  select b.no into v_block from private.spec_blocks b order by b.first_at desc offset 1 limit 1;
  if not found then return false; end if;
  select sum(t.n) filter (where t.status = p_status) / nullif(sum(t.n), 0) into v_share from private.spec_tally t;
  return (select count(*) from private.spec_words w where w.words @@ replace(p_query, '~', v_block::text)::tsquery)
    > 4096 * v_share;
end $$;

-- Returns the first specs in the range that have a row matching a query. Leaves out the specs in `p_except`, those
-- whose `names` row matches `p_not` and, for a query on `all` rows, outdated specs. Reads one block, then one more,
-- then two, then four, and so on, because the newest block can contain few specs. If the newest specs come first and
-- the status is rarer than the words, scans up to 2,000 specs with this status before the blocks.
create function private.scan_specs(p_query text, p_not text, p_except uuid[], p_range private.spec_range, p_limit int)
returns table (id uuid, created_at timestamptz)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' set jit = 'off' as $$
#variable_conflict use_column
declare
  v_before timestamptz;
  v_from timestamptz;
  v_blocks int[];
  v_has_outdated boolean := p_query like '%~a%' and exists (select 1 from private.outdated_specs);
  v_spec record;
  v_seen int := 0;
  v_next int := 1;
  v_size int := 1;
  v_left int := p_limit;
  v_count int;
begin
  if not p_range.is_rising and private.is_rarer_status(p_range.status, p_query) then
    for v_spec in
      select u.id, u.created_at from public.spec_uploads u
       where u.processing_status = p_range.status
         and (p_range.from_at is null or u.created_at >= p_range.from_at)
         and (p_range.before_at is null or u.created_at < p_range.before_at)
         and (p_range.after_id is null or (u.created_at, u.id) < (p_range.after_at, p_range.after_id))
         and (p_range.all_versions or u.is_current)
       order by u.created_at desc, u.id desc limit 2000
    loop
      v_seen := v_seen + 1;
      p_range.after_at := v_spec.created_at;
      p_range.after_id := v_spec.id;
      continue when v_spec.id = any (coalesce(p_except, '{}'))
        or v_has_outdated and exists (select 1 from private.outdated_specs o where o.spec_id = v_spec.id)
        or not exists (
          select 1 from private.spec_words w
           where w.spec_id = v_spec.id and w.words @@ replace(p_query, '~', w.block::text)::tsquery)
        or p_not is not null and (
          select n.words @@ replace(p_not, '~', n.block::text)::tsquery from private.spec_words n
           where n.spec_id = v_spec.id and n.part = 'names');
      id := v_spec.id;
      created_at := v_spec.created_at;
      return next;
      v_left := v_left - 1;
      exit when v_left = 0;
    end loop;
    -- If 2,000 specs do not fill the page, the words are unexpectedly rare in specs with this status, so scan the
    -- blocks for the rest.
    if v_left = 0 or v_seen < 2000 then return; end if;
  end if;
  v_before := least(p_range.before_at, case when not p_range.is_rising then p_range.after_at end);
  v_from := greatest(p_range.from_at, case when p_range.is_rising then p_range.after_at end);
  select array_agg(b.no order by case when p_range.is_rising then b.first_at end, b.first_at desc) into v_blocks
    from (select no, first_at, lead(first_at) over (order by first_at) as end_at from private.spec_blocks) b
   where (v_before is null or b.first_at <= v_before) and (v_from is null or b.end_at is null or b.end_at > v_from);
  while v_left > 0 and v_next <= cardinality(v_blocks) loop
    return query
      select f.spec_id, f.created_at
        from (select x.spec_id, x.created_at
                from unnest(v_blocks[v_next : v_next + v_size - 1]) b (no)
                cross join lateral (
                  select w.spec_id, w.created_at, w.is_current, w.block from private.spec_words w
                   where w.words @@ replace(p_query, '~', b.no::text)::tsquery) x
               where (p_range.from_at is null or x.created_at >= p_range.from_at)
                 and (p_range.before_at is null or x.created_at < p_range.before_at)
                 and case when p_range.after_id is null then true
                          when p_range.is_rising then (x.created_at, x.spec_id) > (p_range.after_at, p_range.after_id)
                          else (x.created_at, x.spec_id) < (p_range.after_at, p_range.after_id) end
                 and (p_range.all_versions or x.is_current)
                 -- These conditions use scalar subqueries, because the planner can turn joins and other subqueries
                 -- into scans of whole tables.
                 and case when p_range.status is null then true
                     else (select u.processing_status = p_range.status from public.spec_uploads u where u.id = x.spec_id) end
                 and case when p_not is null then true
                     else (select not n.words @@ replace(p_not, '~', n.block::text)::tsquery from private.spec_words n
                            where n.spec_id = x.spec_id and n.part = 'names') end
                 and case when v_has_outdated
                     then (select o.spec_id from private.outdated_specs o where o.spec_id = x.spec_id) is null
                     else true end
               order by case when p_range.is_rising then x.created_at end, case when p_range.is_rising then x.spec_id end,
                        x.created_at desc, x.spec_id desc
               limit v_left + coalesce(cardinality(p_except), 0)) f
       where f.spec_id <> all (coalesce(p_except, '{}'))
       limit v_left;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    v_next := v_next + v_size;
    v_size := v_next - 1;
  end loop;
end $$;

-- Returns the first specs in the range that have all words of a search, except the specs in `p_except` and those whose
-- `names` row matches `p_not`. Includes outdated specs.
create function private.scan_matches(p_query private.spec_query, p_not text, p_except uuid[],
  p_range private.spec_range, p_limit int)
returns table (id uuid, created_at timestamptz)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_outdated uuid[];
begin
  if exists (select 1 from private.outdated_specs) then
    v_outdated := array(select unnest(private.outdated_matches(p_query)) except select unnest(p_except));
    if p_not is not null then
      v_outdated := array(
        select unnest(v_outdated) except select unnest(private.some_specs(p_not, 'names', v_outdated, null)));
    end if;
  end if;
  return query
    select f.id, f.created_at
      from (select s.id, s.created_at from private.scan_specs(p_query.whole, p_not, p_except, p_range, p_limit) s
            union all select p.id, p.created_at from private.pick_specs(v_outdated, p_range, p_limit) p) f
     order by case when p_range.is_rising then f.created_at end, case when p_range.is_rising then f.id end,
              f.created_at desc, f.id desc
     limit p_limit;
end $$;

-- Returns the first `p_limit` specs of `p_ids` that are in the range, the best matches first, and the newest first
-- among equal matches. `sort_key` is the rank: 1 if all words are in the names, 2 if the last one is only a prefix
-- there, 3 if words are in the error, 4 if words are only in the text. Most matches have rank 4, so that comparison
-- comes first.
create function private.rank_specs(p_ids uuid[], p_query private.spec_query, p_range private.spec_range,
  p_after_key text, p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
#variable_conflict use_column
begin
  return query
    select r.id, r.created_at, r.key
      from (select u.id, u.created_at,
                   case when not n.words @@ replace(p_query.head, '~', n.block::text)::tsquery then '4'
                        when n.words @@ replace(p_query.exact, '~', n.block::text)::tsquery then '1'
                        when n.words @@ replace(p_query.names, '~', n.block::text)::tsquery then '2' else '3' end as key
              from private.spec_words n join public.spec_uploads u on u.id = n.spec_id
             where n.spec_id = any (p_ids) and n.part = 'names'
               and (p_range.status is null or u.processing_status = p_range.status)
               and (p_range.all_versions or u.is_current)
               and (p_range.from_at is null or u.created_at >= p_range.from_at)
               and (p_range.before_at is null or u.created_at < p_range.before_at)) r
     where p_after_key is null or r.key > p_after_key
        or r.key = p_after_key and (r.created_at, r.id) < (p_range.after_at, p_range.after_id)
     order by r.key, r.created_at desc, r.id desc
     limit p_limit;
end $$;

-- Does the same as `rank_specs` for all specs that match a search. Used if there are too many to rank each one. Ranks
-- the specs up to the last rank that at most 1,000 specs reach, and scans blocks only for the ranks after it. On the
-- first page without a status, looks in the newest two blocks first, and skips the rest if they fill the page.
create function private.scan_by_rank(p_query private.spec_query, p_range private.spec_range, p_after_key text,
  p_limit int)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
declare
  v_pool uuid[] := private.few_with_status(p_range.status);
  -- All specs with a rank up to `v_last`, at most 1,000.
  v_few uuid[];
  v_last text := '0';
  v_ids uuid[];
  -- The newest specs of the rank after `v_last`. Used only if they fill a page.
  v_latest uuid[];
  v_times timestamptz[];
  v_key text;
  v_range private.spec_range;
  v_recent timestamptz;
  v_left int := p_limit;
  v_count int;
begin
  if p_range.status is null then
    v_recent := (select b.first_at from private.spec_blocks b
                  where p_range.before_at is null or b.first_at <= p_range.before_at
                  order by b.first_at desc offset 1 limit 1);
  end if;
  foreach v_key in array array['1', '2', '3'] loop
    if v_recent is not null and p_after_key is null then
      v_range := p_range;
      v_range.from_at := greatest(p_range.from_at, v_recent);
      select array_agg(s.id), array_agg(s.created_at) into v_latest, v_times
        from private.scan_specs(
          case v_key when '1' then p_query.exact when '2' then p_query.names else p_query.head end,
          case v_key when '2' then p_query.exact when '3' then p_query.names end, null, v_range, p_limit) s;
      exit when cardinality(v_latest) = p_limit;
    end if;
    v_ids := case v_key
      when '1' then private.some_specs(p_query.exact, 'names', v_pool, 1001)
      when '2' then private.some_specs(p_query.names, 'names', v_pool, 1001)
      else private.some_with_prefix(p_query.head, p_query.head_start, 'names', v_pool, 1001) end;
    exit when cardinality(v_ids) > 1000;
    v_few := v_ids;
    v_last := v_key;
  end loop;
  if coalesce(p_after_key, '1') <= v_last then
    return query select r.id, r.created_at, r.sort_key
      from private.rank_specs(v_few, p_query, p_range, p_after_key, p_limit) r;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
  end if;
  if cardinality(v_latest) = p_limit then
    return query select s.id, s.created_at, v_key
      from unnest(v_latest, v_times) with ordinality s (id, created_at, n) order by s.n limit v_left;
    return;
  end if;
  foreach v_key in array array['1', '2', '3', '4'] loop
    exit when v_left <= 0;
    continue when v_key <= v_last or v_key < p_after_key;
    v_range := p_range;
    if v_key is distinct from p_after_key then
      v_range.after_at := null;
      v_range.after_id := null;
    end if;
    if v_key = '4' then
      return query select s.id, s.created_at, v_key from private.scan_matches(
        p_query, case when v_last < '3' then p_query.head end, case when v_last = '3' then v_few end, v_range, v_left) s;
    else
      return query select s.id, s.created_at, v_key from private.scan_specs(
        case v_key when '1' then p_query.exact when '2' then p_query.names else p_query.head end,
        case v_key when '2' then p_query.exact when '3' then p_query.names end, null, v_range, v_left) s;
    end if;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
  end loop;
end $$;

-- Returns the specs that match a search and the filters, sorted by `p_sort`: match | status | newest | oldest.
-- `p_found` and `p_is_all` are the result of calling `some_matches` with a null pool, if the caller has it.
create function private.search_specs(p_query private.spec_query, p_status text, p_from timestamptz,
  p_before timestamptz, p_sort text, p_after_key text, p_after_at timestamptz, p_after_id uuid, p_limit int,
  p_all_versions boolean, p_found uuid[] default null, p_is_all boolean default null)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_status text;
  v_range private.spec_range :=
    (p_status, p_from, p_before, p_sort = 'oldest', p_after_at, p_after_id, p_all_versions);
  v_pool uuid[];
  v_found record;
  v_left int := p_limit;
  v_count int;
begin
  foreach v_status in array case when p_sort = 'status' and p_status is null
    then array['completed', 'failed', 'pending', 'processing'] else array[p_status] end
  loop
    continue when p_sort = 'status' and v_status < p_after_key;
    if p_sort = 'status' and v_status > p_after_key then
      v_range.after_at := null;
      v_range.after_id := null;
    end if;
    v_range.status := v_status;
    v_pool := private.few_with_status(v_status);
    if v_pool is null and p_found is not null then
      select p_found as ids, p_is_all as is_all into v_found;
    else
      v_found := private.some_matches(p_query, v_pool, 1000);
    end if;
    if p_sort = 'match' then
      return query select r.id, r.created_at, r.sort_key
        from private.rank_specs(v_found.ids, p_query, v_range, p_after_key, p_limit) r where v_found.is_all
      union all select r.id, r.created_at, r.sort_key
        from private.scan_by_rank(p_query, v_range, p_after_key, p_limit) r where not v_found.is_all;
    else
      return query select p.id, p.created_at, v_status
        from private.pick_specs(v_found.ids, v_range, v_left) p where v_found.is_all
      union all select s.id, s.created_at, v_status
        from private.scan_matches(p_query, null, null, v_range, v_left) s where not v_found.is_all;
    end if;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
end $$;

--------------------------------------------------------------------------------------------------------------------
-- The list
--------------------------------------------------------------------------------------------------------------------

-- Returns the specs that match the filters, sorted by `p_sort`. Used without a search, and for a search sorted by file
-- or brand. With `p_ids` but without `p_query`, returns only specs in `p_ids`. With both, returns the specs in `p_ids`
-- and those that match `p_query` and are not outdated.
create function private.list_specs(p_query text, p_ids uuid[], p_status text, p_brand_id uuid, p_area_type_id uuid,
  p_from timestamptz, p_before timestamptz, p_sort text, p_after_key text, p_after_at timestamptz, p_after_id uuid,
  p_limit int, p_all_versions boolean)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_keys text[];
  v_key text;
  v_order text := case p_sort when 'oldest' then 'asc' else 'desc' end;
  v_sort_key text := '$1';
  v_tables text;
  v_where text;
  v_left int := p_limit;
  v_count int;
begin
  -- If the sort key has few values, query each value separately, because an index can then return the rows in order.
  case
    when p_sort = 'status' then v_keys := array['completed', 'failed', 'pending', 'processing'];
    when p_sort = 'brand' and p_ids is null then
      v_keys := array(
        select private.sort_key(b.name) from public.brands b where p_brand_id is null or b.id = p_brand_id order by 1);
    when p_sort = 'brand' then v_sort_key := 'private.sort_key(b.name)';
    when p_sort = 'file' then v_sort_key := 'private.sort_key(d.file_name)';
    else null;
  end case;

  foreach v_key in array coalesce(v_keys, array[null::text]) loop
    continue when v_keys is not null and v_key < p_after_key;
    v_tables := 'public.spec_uploads u';
    v_where := 'true';
    if p_query is not null then
      -- `p_query` is given only if there are thousands of matches, so an index on the sort order soon finds the first
      -- matches. The planner cannot know how many matches there are, so a `case` keeps the planner from using the index
      -- on words.
      v_tables := v_tables || ' join private.spec_words x on x.spec_id = u.id and x.part = ''all''';
      v_where := 'case when u.id = any ($2) then true
                       when (select o.spec_id from private.outdated_specs o where o.spec_id = u.id) is not null then false
                       else x.words @@ replace($11, ''~'', x.block::text)::tsquery end';
    elsif p_ids is not null then
      v_where := 'u.id = any ($2)';
    elsif p_sort = 'brand' then
      v_where := 'u.brand_id = (select b.id from public.brands b where private.sort_key(b.name) = $1)';
    end if;
    if p_sort = 'brand' and p_ids is not null then
      v_tables := v_tables || ' join public.brands b on b.id = u.brand_id';
    elsif p_sort = 'file' then
      v_tables := v_tables || ' join public.documents d on d.id = u.document_id';
    elsif p_sort = 'status' then
      v_where := v_where || ' and u.processing_status = $1';
    end if;
    if not p_all_versions then v_where := v_where || ' and u.is_current'; end if;
    if p_status is not null then v_where := v_where || ' and u.processing_status = $3'; end if;
    if p_brand_id is not null then v_where := v_where || ' and u.brand_id = $4'; end if;
    if p_area_type_id is not null then v_where := v_where || ' and u.area_type_id = $5'; end if;
    if p_from is not null then v_where := v_where || ' and u.created_at >= $6'; end if;
    if p_before is not null then v_where := v_where || ' and u.created_at < $7'; end if;
    if p_after_id is not null and (v_keys is null or v_key = p_after_key) then
      v_where := v_where || format(
        case when v_sort_key = '$1' then ' and (u.created_at, u.id) %s ($9, $10)'
             else ' and %2$s >= $8 and (%2$s > $8 or (u.created_at, u.id) %1$s ($9, $10))' end,
        case v_order when 'desc' then '<' else '>' end, v_sort_key);
    end if;
    return query execute format(
      'select u.id, u.created_at, %1$s from %2$s where %3$s order by %4$s u.created_at %5$s, u.id %5$s limit %6$s',
      v_sort_key || '::text', v_tables, v_where, case when v_sort_key = '$1' then '' else v_sort_key || ', ' end,
      v_order, v_left)
      using v_key, p_ids, p_status, p_brand_id, p_area_type_id, p_from, p_before, p_after_key, p_after_at, p_after_id,
            p_query;
    get diagnostics v_count = row_count;
    v_left := v_left - v_count;
    exit when v_left <= 0;
  end loop;
end $$;

-- Returns one page of the specs that match the filters, sorted by `p_sort`. `p_found` and `p_is_all` are the result of
-- calling `some_matches` with a null pool. Both are null if there is no search.
create function private.page_of_specs(p_query private.spec_query, p_found uuid[], p_is_all boolean, p_status text,
  p_brand_id uuid, p_area_type_id uuid, p_from timestamptz, p_before timestamptz, p_sort text, p_after_key text,
  p_after_at timestamptz, p_after_id uuid, p_limit int, p_all_versions boolean)
returns table (id uuid, created_at timestamptz, sort_key text)
language plpgsql stable set search_path = '' as $$
#variable_conflict use_column
declare
  v_found record;
  v_few uuid[];
  v_scanned text;
begin
  if p_query.whole is not null then
    if p_sort not in ('brand', 'file') then
      return query select s.id, s.created_at, s.sort_key
        from private.search_specs(p_query, p_status, p_from, p_before, p_sort, p_after_key, p_after_at, p_after_id, p_limit,
          p_all_versions, p_found, p_is_all) s;
      return;
    end if;
    v_found := private.some_matches(p_query, private.few_with_status(p_status), 5000);
    if v_found.is_all then
      v_few := v_found.ids;
    else
      v_few := private.outdated_matches(p_query);
      v_scanned := p_query.whole;
    end if;
  end if;
  return query select l.id, l.created_at, l.sort_key
    from private.list_specs(v_scanned, v_few, p_status, p_brand_id, p_area_type_id, p_from, p_before, p_sort, p_after_key,
      p_after_at, p_after_id, p_limit, p_all_versions) l;
end $$;

-- Returns the number of specs in each status that match the filters, and whether the numbers are exact. If a search has
-- more than 1,000 matches, counts at most 1,000 of them, mostly the newest. `p_found` and `p_is_all` are the result of
-- calling `some_matches` with a null pool. Both are null if there is no search.
create function private.count_specs(p_query private.spec_query, p_found uuid[], p_is_all boolean, p_brand_id uuid,
  p_area_type_id uuid, p_from timestamptz, p_before timestamptz, p_all_versions boolean, out counts jsonb,
  out is_exact boolean)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_generic_plan' as $$
declare
  v_where text;
begin
  is_exact := true;
  if p_query.whole is not null then
    is_exact := p_is_all;
    if not p_is_all and (p_from is not null or p_before is not null
        or not p_all_versions
          and exists (select 1 from public.spec_uploads u where u.id = any (p_found) and not u.is_current)) then
      p_found := array(
        select s.id from private.scan_matches(p_query, null, null, (null, p_from, p_before, false, null, null, p_all_versions), 1001) s);
      is_exact := cardinality(p_found) <= 1000;
    end if;
    select jsonb_object_agg(c.status, c.n) into counts
      from (select p.status, count(*) as n
              from (select u.processing_status as status from public.spec_uploads u
                     where u.id = any (p_found) and (p_all_versions or u.is_current)
                       and (p_from is null or u.created_at >= p_from) and (p_before is null or u.created_at < p_before)
                     limit case when not is_exact then 1000 end) p
             group by 1) c;
  elsif p_from is not null or p_before is not null then
    v_where := concat_ws(' and ', 'true',
      case when not p_all_versions then 'u.is_current' end,
      case when p_brand_id is not null then 'u.brand_id = $1' end,
      case when p_area_type_id is not null then 'u.area_type_id = $2' end,
      case when p_from is not null then 'u.created_at >= $3' end,
      case when p_before is not null then 'u.created_at < $4' end);
    execute format('select jsonb_object_agg(c.status, c.n)
        from (select u.processing_status as status, count(*) as n from public.spec_uploads u where %s group by 1) c', v_where)
      into counts using p_brand_id, p_area_type_id, p_from, p_before;
  else
    select jsonb_object_agg(c.status, c.n) into counts
      from (select x.status, sum(x.n)::bigint as n
              from (select t.status, t.n from private.spec_tally t
                     where (p_brand_id is null or t.brand_id = p_brand_id)
                       and (p_area_type_id is null or t.area_type_id = p_area_type_id)
                    union all
                    select u.processing_status, count(*) from public.spec_uploads u
                     where p_all_versions and not u.is_current
                       and (p_brand_id is null or u.brand_id = p_brand_id)
                       and (p_area_type_id is null or u.area_type_id = p_area_type_id)
                     group by 1) x
             group by 1) c;
  end if;
  counts := coalesce(counts, '{}');
end $$;

-- Of a spec's pages, returns the one that contains the most words of a search. Returns no row if the spec's names and
-- error together contain all words, or if no page contains any of them.
create function private.matching_page(p_id uuid, p_query private.spec_query) returns table (page int, text text)
language plpgsql stable rows 1 set search_path = '' as $$
#variable_conflict use_column
begin
  return query
    select p.page, p.text
      from public.spec_pages p
      cross join lateral (select count(*) as n from unnest(p_query.page_words) w (word) where p.words @@ w.word) found
     where p.spec_id = p_id and found.n > 0
       and not (select x.words @@ replace(p_query.head, '~', x.block::text)::tsquery
                  from private.spec_words x where x.spec_id = p_id and x.part = 'names')
     order by found.n desc, p.page limit 1;
end $$;

-- Returns one page of the specs that match all given filters, in the order `p_sort` (match | newest | oldest | status
-- | brand | file) and after the row with the given key, time and id: `specs` with their matching pages, `counts` by
-- status without the filter for the status, and `isExact`, which is false if there are too many matches to count. With
-- `p_is_only_ids`, leaves out the specs' details, their matching pages and the counts. Returns no specs to callers who
-- are not administrators.
create function public.find_specs(p_q text default null, p_status text default null,
  p_brand text default null, p_area text default null, p_from timestamptz default null,
  p_before timestamptz default null, p_sort text default 'newest', p_after_key text default null,
  p_after_at timestamptz default null, p_after_id uuid default null, p_limit int default 21,
  p_all_versions boolean default false, p_is_only_ids boolean default false)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_words text[];
  v_brand uuid;
  v_area uuid;
  v_query private.spec_query;
  v_found uuid[];
  v_is_all boolean;
  v_specs jsonb := '[]';
  v_counts jsonb := '{}';
  v_is_exact boolean := true;
  v_has_matches boolean := true;
begin
  if not private.is_admin() then
    return jsonb_build_object('specs', v_specs, 'counts', v_counts, 'isExact', v_is_exact);
  end if;
  perform private.require_short(p_q, p_status, p_brand, p_area, p_sort, p_after_key);
  v_words := private.words_of(p_q);
  if p_brand is not null then
    select b.id into v_brand from public.brands b where b.name_key = private.name_key(p_brand) and b.name = p_brand;
    v_has_matches := v_has_matches and found;
  end if;
  if p_area is not null then
    select a.id into v_area from public.area_types a where a.name_key = private.name_key(p_area) and a.name = p_area;
    v_has_matches := v_has_matches and found;
  end if;
  if v_has_matches and cardinality(v_words) > 0 then
    v_query := private.spec_queries(v_words, v_brand, v_area);
    v_has_matches := v_query.whole is not null;
    if v_has_matches then
      select m.ids, m.is_all into v_found, v_is_all from private.some_matches(v_query, null, 1000) m;
    end if;
  end if;
  if v_has_matches then
    select coalesce(jsonb_agg(
             jsonb_build_object('id', l.id, 'created_at', l.created_at, 'sort_key', l.sort_key, 'page', m.page, 'text', m.text,
                                'spec', case when not p_is_only_ids then private.spec_json(l.id) end)
             order by l.n), '[]') into v_specs
      from private.page_of_specs(v_query, v_found, v_is_all, p_status, v_brand, v_area, p_from, p_before, p_sort,
             p_after_key, p_after_at, p_after_id, p_limit, p_all_versions) with ordinality l (id, created_at, sort_key, n)
      left join lateral private.matching_page(l.id, v_query) m on v_query.whole is not null and not p_is_only_ids;
    if not p_is_only_ids then
      select c.counts, c.is_exact into v_counts, v_is_exact
        from private.count_specs(v_query, v_found, v_is_all, v_brand, v_area, p_from, p_before, p_all_versions) c;
    end if;
  end if;
  return jsonb_build_object('specs', v_specs, 'counts', v_counts, 'isExact', v_is_exact);
end $$;
grant execute on function public.find_specs(text, text, text, text, timestamptz, timestamptz, text, text, timestamptz,
  uuid, int, boolean, boolean) to anon, authenticated;
