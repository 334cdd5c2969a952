import type { Sql } from 'postgres';
import { type Api, type ApiResponse, apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { signIn } from '@/tests/app/support/people';
import { report } from '@/tests/app/support/specs';
import { withAtelier } from '@/tests/bench/atelier';
import type { BenchRow } from '@/tests/bench/row';
import { interleaved, quantile } from '@/tests/bench/timing';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 40;
/** A search scans every spec, which is so slow that it is timed only a few times. */
const SEARCHES = 3;

/**
 * Inserts completed specs, each with its document, attempt, finished work item and callback, with triggers disabled.
 */
async function fill(sql: Sql, specs: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      create temporary table filled on commit drop as
      select gen_random_uuid() as id, gen_random_uuid() as document_id, i, now() - make_interval(secs => i) as at,
             encode(sha256(i::text::bytea), 'hex') as hash
        from generate_series(1, ${specs}) i`;
    await tx`
      insert into public.documents (id, kind, storage_path, file_name, size_bytes, sha256, processing_status, created_at)
      select document_id, 'spec', 'specs/bench/' || id || '/a.pdf', 'Lobby ' || i || '.pdf', 1000, hash, 'completed', at
        from filled`;
    await tx`
      insert into public.spec_uploads (id, document_id, brand_id, area_type_id, sha256, processing_status,
                                       sections_count, created_at, updated_at, finished_at)
      select id, document_id, (select id from public.brands limit 1), (select id from public.area_types limit 1), hash,
             'completed', 3, at, at, at from filled`;
    await tx`insert into public.upload_jobs (spec_upload_id, run, status, created_at, finished_at)
             select id, 1, 'completed', at, at from filled`;
    await tx`insert into private.work_items (kind, subject_id, run, state, attempts, max_attempts, finished_at)
             select 'spec_dispatch', id, 1, 'done', 1, 12, at from filled`;
    await tx`insert into private.callback_events (source, subject_id, run, status, outcome, received_at)
             select 'spec', id, 1, 'completed', 'applied', at from filled`;
  });
  for (const table of [
    'public.documents',
    'public.spec_uploads',
    'public.upload_jobs',
    'private.work_items',
  ]) {
    await sql.unsafe(`vacuum analyze ${table}`);
  }
}

type Side = { api: Api; sql: Sql; secret: string; id: string };

async function open(
  atelier: { url: string; env: Record<string, string>; databaseUrl?: string },
  specs: number,
) {
  const sql = openDatabase(atelier.databaseUrl);
  await fill(sql, specs);
  const [row] = await sql<
    { id: string }[]
  >`select id from public.spec_uploads order by created_at offset ${specs / 2} limit 1`;
  const api = apiAt(atelier.url, (await signIn(atelier.env, 'admin@atelier.test')).headers);
  return { api, sql, secret: atelier.env.WEBHOOK_SECRET ?? '', id: row?.id ?? '' };
}

const ok = async (response: Promise<ApiResponse>) => {
  const { status, text } = await response;
  if (status !== 200) throw new Error(`returned ${status} ${text}`);
};

/** The most frequent calls of users, of the workflow service and of the work loop. */
const calls: [name: string, call: (side: Side) => Promise<unknown>][] = [
  ['list', ({ api }) => ok(api('/api/admin/specs'))],
  ['search', ({ api }) => ok(api('/api/admin/specs?q=lobby+77'))],
  ['one', ({ api, id }) => ok(api(`/api/admin/specs/${id}`))],
  [
    'callback',
    ({ api, secret, id }) =>
      ok(report(api, secret, { spec_upload_id: id, status: 'completed', sections_count: 3 }, 1)),
  ],
  ['claim', ({ sql }) => sql`select * from public.work_claim(array['spec_dispatch'], 'bench')`],
];

/** Measures how the cost of a call grows from a thousand specs to a million, in two products side by side. */
export const growth: BenchRow = {
  name: 'growth',
  run: () =>
    withAtelier((small) =>
      withAtelier(async (large) => {
        const few = await open(small, FEW);
        const many = await open(large, MANY);
        try {
          const words: string[] = [];
          for (const [name, call] of calls) {
            const one = () => call(many);
            const other = () => call(few);
            await interleaved(name === 'search' ? 1 : 3, one, other);
            const rounds = name === 'search' ? SEARCHES : ROUNDS;
            const [large, small] = await interleaved(rounds, one, other);
            const [ours, theirs] = [quantile(large, 0.5), quantile(small, 0.5)];
            words.push(`${name} ${(ours / theirs).toFixed(2)} × (${ours.toFixed(0)} ms)`);
          }
          return { measured: words.join(', ') };
        } finally {
          await few.sql.end();
          await many.sql.end();
        }
      }),
    ),
};
