import type { Sql, TransactionSql } from 'postgres';

const AREAS = 6;
const SLICE = 100_000;
const PARALLEL = 2;
const WORDS_PER_TEXT = 40;
/** The number of different words in the texts. */
const VOCABULARY = 50_000;
const SYLLABLES = [...'bdfgklmnprstvz'].flatMap((start) => [...'aeiouy'].map((end) => start + end)).join('');
const SYLLABLE_COUNT = SYLLABLES.length / 2;

const TABLES = [
  'public.documents',
  'public.spec_uploads',
  'public.spec_pages',
  'public.upload_jobs',
  'private.work_items',
  'private.callback_events',
  'private.spec_words',
];

/**
 * Returns the word with this rank. Ranks start at 1. The lower the rank, the more texts contain the word. No text
 * contains a word whose rank is `VOCABULARY` or above.
 */
export function wordOfRank(rank: number): string {
  const syllable = (n: number) => SYLLABLES.substr(2 * (n % SYLLABLE_COUNT), 2);
  return (
    syllable(rank) +
    syllable(Math.floor(rank / SYLLABLE_COUNT)) +
    syllable(Math.floor(rank / SYLLABLE_COUNT ** 2))
  );
}

/** Returns the name of a brand: a word that no text contains. */
export function brandName(n: number): string {
  return wordOfRank(VOCABULARY + 131 * n);
}

const BRANDS = Array.from({ length: 300 }, (_, n) => brandName(n));

/**
 * Drops the indexes of `TABLES` that do not belong to a constraint, runs `work`, and creates the indexes again.
 * Creating the indexes is much faster than updating them row by row.
 */
async function withoutIndexes(sql: Sql, work: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index i
     where indrelid = any (${TABLES}::text[]::regclass[])
       and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  await work();
  await inParallel(indexes, ({ definition }) =>
    sql.begin(async (tx) => {
      await tx`set local statement_timeout = 0`;
      await tx`set local maintenance_work_mem = '512MB'`;
      await tx.unsafe(definition);
    }),
  );
}

async function inParallel<T>(items: Iterable<T>, work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  const next = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: PARALLEL }, next));
}

/**
 * Inserts the specs with the numbers `from` to `to`. The word frequencies of their texts follow Zipf's law. All specs
 * have search words, but only the newest 2,000 specs and every tenth spec also have a page with the text. The search
 * words equal the results of `private.names_words` and `private.pages_words`. These functions are not called, because
 * the calls would take most of the time.
 */
async function fillSlice(tx: TransactionSql, from: number, to: number): Promise<void> {
  await tx`set local session_replication_role = replica`;
  await tx`set local statement_timeout = 0`;
  await tx`
    create temporary table filled on commit drop as
    select gen_random_uuid() as id, gen_random_uuid() as document_id, i, at,
           encode(sha256(i::text::bytea), 'hex') as hash, 'Lobby ' || i || '.pdf' as file_name,
           brands[1 + i % ${BRANDS.length}] as brand_id, areas[1 + i % ${AREAS}] as area_id,
           case when i % 50 = 0 then 'failed' else 'completed' end as status,
           case when i % 50 = 0 then 'The workflow could not find any sections.' end as error,
           array['lobby', i::text, 'pdf', brand_keys[1 + i % ${BRANDS.length}], area_keys[1 + i % ${AREAS}]] as names,
           case when i % 50 = 0 then array['the', 'workflow', 'could', 'not', 'find', 'any', 'sections'] end as errors,
           array(
             select substr(${SYLLABLES}, 1 + 2 * (r.rank % ${SYLLABLE_COUNT}), 2)
                    || substr(${SYLLABLES}, 1 + 2 * (r.rank / ${SYLLABLE_COUNT} % ${SYLLABLE_COUNT}), 2)
                    || substr(${SYLLABLES}, 1 + 2 * (r.rank / ${SYLLABLE_COUNT ** 2} % ${SYLLABLE_COUNT}), 2)
               from (select floor(exp(random() * ln(${VOCABULARY}::float)))::int as rank
                       from generate_series(1, ${WORDS_PER_TEXT} - i % 10)) r) as words
      from generate_series(${from}::int, ${to}::int) i
      cross join lateral (select now() - make_interval(secs => i) as at) t,
           (select array_agg(id order by id) as brands, array_agg(private.place_key(id) order by id) as brand_keys
              from public.brands where name = any (${BRANDS}::text[])) b,
           (select array_agg(id order by id) as areas, array_agg(private.place_key(id) order by id) as area_keys
              from public.area_types where name like 'Area%') a`;
  await tx`
    insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, processing_status, text_state, created_at)
    select document_id, 'spec', 'specs/bench/' || id || '/a.pdf', file_name, 1000, hash, status, 'done', at from filled`;
  await tx`
    insert into public.spec_uploads (id, document_id, brand_id, area_type_id, sha256, processing_status,
                                     sections_count, error_code, error, created_at, updated_at, finished_at)
    select id, document_id, brand_id, area_id, hash, status, 3, case when error is not null then 'workflow_failed' end,
           error, at, at, at from filled`;
  await tx`insert into public.upload_jobs (spec_upload_id, run, status, brand_name, area, created_at, finished_at)
           select id, 1, status, 'Brand', 'Area', at, at from filled`;
  await tx`insert into private.work_items (kind, subject_id, run, state, attempts, max_attempts, finished_at)
           select 'spec_dispatch', id, 1, 'done', 1, 12, at from filled`;
  await tx`insert into private.callback_events (source, subject_id, run, status, outcome, received_at)
           select 'spec', id, 1, status, 'applied', at from filled`;
  await tx`insert into public.spec_pages (spec_id, page, text)
           select id, 1, array_to_string(words, ' ') from filled where i <= 2000 or i % 10 = 0`;
  await tx`
    insert into private.spec_words (spec_id, words)
    select id, array_to_tsvector(array(
             select 'n' || n from unnest(names) n union all select 'e' || e from unnest(errors) e
             union all select 't' || w from unnest(words) w))
      from filled`;
}

/**
 * Inserts specs of 300 brands in 6 areas, with triggers disabled. Each spec has a document, an attempt, a finished work
 * item, a callback and search words; 2% of the specs have failed, and the others are completed.
 */
export async function fillSpecs(sql: Sql, specs: number): Promise<void> {
  await sql`insert into public.brands (name) select unnest(${BRANDS}::text[])`;
  await sql`insert into public.area_types (name) select 'Area' || i from generate_series(1, ${AREAS}) i`;
  const starts = Array.from({ length: Math.ceil(specs / SLICE) }, (_, n) => n * SLICE);
  await withoutIndexes(sql, () =>
    inParallel(starts, (start) =>
      sql.begin((tx) => fillSlice(tx, start + 1, Math.min(start + SLICE, specs))),
    ),
  );
  // Vacuum now. Otherwise, autovacuum would start within minutes of these inserts, while the lists are timed.
  await inParallel(TABLES, async (table) => {
    const session = await sql.reserve();
    try {
      await session`set statement_timeout = 0`;
      await session`set maintenance_work_mem = '512MB'`;
      await session.unsafe(`vacuum (analyze) ${table}`);
    } finally {
      session.release();
    }
  });
}
