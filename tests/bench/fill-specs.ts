import type { Sql } from 'postgres';

const BRANDS = 300;
const AREAS = 6;

/** Runs `work` without the full-text indexes of the search, which are much faster to build afterwards. */
async function withoutWordIndexes(sql: Sql, work: () => Promise<void>): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = 'private.spec_search'::regclass and not indisprimary`;
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  await work();
  for (const { definition } of indexes) await sql.unsafe(definition);
}

/**
 * Inserts specs of 300 brands in 6 areas, of which 2 % have failed and the others are completed, each with its document,
 * attempt, finished work item, callback and the words of its text, with triggers disabled.
 */
export async function fillSpecs(sql: Sql, specs: number): Promise<void> {
  await sql`insert into public.brands (name) select 'Brand' || i from generate_series(1, ${BRANDS}) i`;
  await sql`insert into public.area_types (name) select 'Area' || i from generate_series(1, ${AREAS}) i`;
  const fill = async () => {
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`
        create temporary table filled on commit drop as
        select gen_random_uuid() as id, gen_random_uuid() as document_id, i, now() - make_interval(secs => i) as at,
               encode(sha256(i::text::bytea), 'hex') as hash, 'Lobby ' || i || '.pdf' as file_name,
               brands[1 + i % ${BRANDS}] as brand_id, areas[1 + i % ${AREAS}] as area_id,
               case when i % 50 = 0 then 'failed' else 'completed' end as status,
               case when i % 50 = 0 then 'The workflow could not find any sections.' end as error
          from generate_series(1, ${specs}) i, (select array_agg(id) as brands from public.brands) b,
               (select array_agg(id) as areas from public.area_types) a`;
      await tx`
        insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, processing_status, created_at)
        select document_id, 'spec', 'specs/bench/' || id || '/a.pdf', file_name, 1000, hash, status, at from filled`;
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
      await tx`
        insert into private.spec_search (spec_id, head, body)
        select id, private.spec_head(file_name, null, error, brand_id, area_id),
               array_to_tsvector(array(select 'word' || (hashtextextended(i::text, n) & 4095) from generate_series(1, 8) n))
          from filled`;
      await tx`insert into private.spec_tally (brand_id, area_type_id, status, n)
               select brand_id, area_id, status, count(*) from filled group by 1, 2, 3`;
    });
  };
  await withoutWordIndexes(sql, fill);
  for (const table of [
    'public.documents',
    'public.spec_uploads',
    'public.upload_jobs',
    'private.work_items',
    'private.spec_search',
    'private.spec_tally',
  ]) {
    await sql.unsafe(`vacuum analyze ${table}`);
  }
}
