-- Fixes searches for words that the full-text search parser splits or ignores. Also keeps the words of a search from
-- matching the keys of brands and areas.

-- As before, but the key starts with a character that no word contains. Before, a search for `p` or `P1` matched keys
-- that start with these characters, and therefore the specs of unrelated brands.
create or replace function private.place_key(p_id uuid) returns text
language sql immutable strict set search_path = '' as $$
  select '_' || replace(p_id::text, '-', '')
$$;

-- As before, but for a word that the parser splits, such as `3e5f0c`, returns a query for its parts in any order,
-- because `spec_search.body` has no positions. The parser ignores words over 2,046 bytes, so long words are cut to 500
-- characters.
create or replace function private.word_query(p_word text, p_is_prefix boolean, p_weight text default '') returns tsquery
language sql immutable set search_path = '' as $$
  select replace(to_tsquery('simple'::regconfig, quote_literal(left(p_word, 500)) || ':' ||
    case when p_is_prefix then '*' else '' end || p_weight)::text, '<->', '&')::tsquery
$$;

-- As before, but leaves out words that the parser ignores, such as a vowel sign without its letter. Returns null if no
-- words are left.
create or replace function private.all_words_query(p_words text[], p_is_prefix boolean, p_weight text default '')
returns tsquery
language plpgsql stable set search_path = '' as $$
begin
  return (
    select string_agg('(' || concat_ws(' | ', private.word_query(t.word, t.is_prefix, p_weight)::text, (
             select string_agg(private.place_key(n.id), ' | ')
               from (select b.id from public.brands b where private.search_words(b.name) @@ t.plain
                     union all select a.id from public.area_types a where private.search_words(a.name) @@ t.plain) n)) || ')',
             ' & ' order by t.n)::tsquery
      from (select w.word, w.n, p_is_prefix and w.n = cardinality(p_words) as is_prefix,
                   private.word_query(w.word, p_is_prefix and w.n = cardinality(p_words)) as plain
              from unnest(p_words) with ordinality as w (word, n)) t
     where numnode(t.plain) > 0);
end $$;

-- Building the indexes after the update is faster than updating them row by row.
drop index private.spec_search_head;
drop index private.spec_search_all;
update private.spec_search x
   set head = private.spec_head(d.file_name, s.property_name, s.error, s.brand_id, s.area_type_id)
  from public.spec_uploads s join public.documents d on d.id = s.document_id
 where s.id = x.spec_id;
create index spec_search_head on private.spec_search using gin (head);
-- Covers both columns, because a spec can have some words of a search in the head and the others in the body.
create index spec_search_all on private.spec_search using gin ((strip(head) || body));
