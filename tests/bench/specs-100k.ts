import { type Api, apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { signIn } from '@/tests/app/support/people';
import { withAtelier } from '@/tests/bench/atelier';
import { brandName, fillSpecs, wordOfRank } from '@/tests/bench/fill-specs';
import type { BenchRow } from '@/tests/bench/row';
import { interleaved, quantile } from '@/tests/bench/timing';

const BAR = 3;
const BAR_MS = 100;
const ROUNDS = 20;
const SPECS = Number(process.env.BENCH_SPECS || 100_000);

/**
 * Lists and searches, each with a label and the parameters of the request. The searches are in names, errors and text,
 * and range from one that matches no spec to some that match all specs.
 */
const requests: [name: string, parameters: Record<string, string>][] = [
  ['list', {}],
  ['failed', { status: 'failed' }],
  ['brand', { brand: brandName(7) }],
  ['by brand', { sort: 'brand' }],
  ['by file', { sort: 'file' }],
  ['one', { q: 'lobby 77777' }],
  ['file prefix', { q: 'lobby 77' }],
  ['brand and area', { q: `${brandName(7)} area2 lobby` }],
  ['brand and text', { q: `${brandName(7)} ${wordOfRank(30)}` }],
  ['error', { q: 'find sections' }],
  ['rare word', { q: wordOfRank(40_000) }],
  ['two words', { q: `${wordOfRank(60)} ${wordOfRank(300)}` }],
  ['common word', { q: wordOfRank(1) }],
  ['common name', { q: 'lobby' }],
  ['common name by file', { q: 'lobby', sort: 'file' }],
  ['prefix of one letter', { q: 'b' }],
  ['prefix of two letters', { q: 'ba' }],
  ['nothing', { q: 'zzqqzz' }],
  ['failed with a common name', { q: 'lobby', status: 'failed' }],
  ['failed with two words', { q: `${wordOfRank(60)} ${wordOfRank(300)}`, status: 'failed' }],
  ['failed with two common words', { q: `${wordOfRank(1)} ${wordOfRank(2)}`, status: 'failed' }],
];

const reading = (api: Api, parameters: Record<string, string>) => async () => {
  const { status, text } = await api(`/api/admin/specs?${new URLSearchParams(parameters)}`);
  if (status !== 200) throw new Error(`returned ${status} ${text}`);
};

/** Compares how long lists and searches of 100,000 and of 1,000 specs take. */
export const manySpecs: BenchRow = {
  name: 'specs-100k',
  run: () =>
    withAtelier((small) =>
      withAtelier(async (large) => {
        const open = async (atelier: typeof small, specs: number) => {
          const sql = openDatabase(atelier.databaseUrl);
          await fillSpecs(sql, specs);
          await sql.end();
          return apiAt(atelier.url, (await signIn(atelier.env, 'admin@atelier.test')).headers);
        };
        const few = await open(small, 1_000);
        const many = await open(large, SPECS);
        const words: string[] = [];
        let holds = true;
        for (const [name, parameters] of requests) {
          const [one, other] = [reading(many, parameters), reading(few, parameters)];
          await interleaved(5, one, other);
          const [ours, theirs] = await interleaved(ROUNDS, one, other);
          const ms = quantile(ours, 0.5);
          const ratio = ms / quantile(theirs, 0.5);
          words.push(`${name} ${ratio.toFixed(2)} × (${ms.toFixed(0)} ms)`);
          holds &&= ratio <= BAR || ms <= BAR_MS;
        }
        return { measured: words.join(', '), bar: `<= ${BAR} × or ${BAR_MS} ms`, holds };
      }),
    ),
};
