import type { Sql } from 'postgres';
import { type Api, type ApiResponse, apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { signIn } from '@/tests/app/support/people';
import { report } from '@/tests/app/support/specs';
import { withAtelier } from '@/tests/bench/atelier';
import { fillSpecs } from '@/tests/bench/fill-specs';
import type { BenchRow } from '@/tests/bench/row';
import { interleaved, quantile } from '@/tests/bench/timing';

const FEW = 1_000;
const MANY = 1_000_000;
const ROUNDS = 40;
const BAR = 1.3;

type Side = { api: Api; sql: Sql; secret: string; id: string };

async function open(
  atelier: { url: string; env: Record<string, string>; databaseUrl?: string },
  specs: number,
) {
  const sql = openDatabase(atelier.databaseUrl);
  await fillSpecs(sql, specs);
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

/** The most frequent calls by users, the workflow service and the work loop. */
const calls: [name: string, call: (side: Side) => Promise<unknown>][] = [
  ['one', ({ api, id }) => ok(api(`/api/admin/specs/${id}`))],
  [
    'callback',
    ({ api, secret, id }) =>
      ok(report(api, secret, { spec_upload_id: id, status: 'completed', sections_count: 3 }, 1)),
  ],
  ['claim', ({ sql }) => sql`select * from public.work_claim(array['spec_dispatch'], 'bench')`],
];

/** Measures how much longer the `calls` take in an instance with a million specs than in one with a thousand. */
export const growth: BenchRow = {
  name: 'growth',
  run: () =>
    withAtelier((small) =>
      withAtelier(async (large) => {
        const few = await open(small, FEW);
        const many = await open(large, MANY);
        try {
          const words: string[] = [];
          let holds = true;
          for (const [name, call] of calls) {
            const one = () => call(many);
            const other = () => call(few);
            await interleaved(3, one, other);
            const [large, small] = await interleaved(ROUNDS, one, other);
            const [ours, theirs] = [quantile(large, 0.5), quantile(small, 0.5)];
            holds &&= ours / theirs <= BAR;
            words.push(`${name} ${(ours / theirs).toFixed(2)} × (${ours.toFixed(0)} ms)`);
          }
          return { measured: words.join(', '), bar: `<= ${BAR} ×`, holds };
        } finally {
          await few.sql.end();
          await many.sql.end();
        }
      }),
    ),
};
