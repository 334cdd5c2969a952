import { type Api, apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { signIn } from '@/tests/app/support/people';
import { withAtelier } from '@/tests/bench/atelier';
import { brandName, fillSpecs, wordOfRank } from '@/tests/bench/fill-specs';
import type { BenchRow } from '@/tests/bench/row';
import { interleaved, quantile } from '@/tests/bench/timing';

const LIST_BAR = 1.3;
const SEARCH_BAR = 3;
const SEARCH_MS = 50;
const ROUNDS = 60;
/** The number of specs. A smaller `BENCH_SPECS` saves time, but the results then do not apply to a million specs. */
const SPECS = Number(process.env.BENCH_SPECS || 1_000_000);

/** Views of the spec list, each with a label and a query string. */
const lists: [name: string, query: string][] = [
  ['list', ''],
  ['failed', 'status=failed'],
  ['brand', `brand=${brandName(7)}`],
  ['by brand', 'sort=brand'],
  ['by file', 'sort=file'],
];

/**
 * Searches in names, errors and text, each with a label, a query and an optional status. They range from searches that
 * match no spec to searches that match all specs.
 */
const searches: [name: string, q: string, status?: string][] = [
  ['one', 'lobby 777777'],
  ['file prefix', 'lobby 77'],
  ['brand and area', `${brandName(7)} area2 lobby`],
  ['brand and text', `${brandName(7)} ${wordOfRank(30)}`],
  ['error', 'find sections'],
  ['rare word', wordOfRank(40_000)],
  ['two words', `${wordOfRank(60)} ${wordOfRank(300)}`],
  ['two rare words', `${wordOfRank(3_000)} ${wordOfRank(4_000)}`],
  ['common word', wordOfRank(1)],
  ['common name', 'lobby'],
  ['prefix of one letter', 'b'],
  ['prefix of two letters', 'ba'],
  ['nothing', 'zzqqzz'],
  ['failed with a common word', wordOfRank(1), 'failed'],
  ['failed with a common name', 'lobby', 'failed'],
  ['failed with two words', `${wordOfRank(60)} ${wordOfRank(300)}`, 'failed'],
  ['failed with two common words', `${wordOfRank(1)} ${wordOfRank(2)}`, 'failed'],
  ['completed with two words', `${wordOfRank(60)} ${wordOfRank(300)}`, 'completed'],
];

const reading = (api: Api, path: string) => async () => {
  const { status, text } = await api(path);
  if (status !== 200) throw new Error(`returned ${status} ${text}`);
};

/**
 * Compares response times. A list of a million specs is compared with the same list of a thousand specs. A search in a
 * million specs is compared with reading one of them by its id.
 */
export const specsMillion: BenchRow = {
  name: 'specs-1m',
  run: () =>
    withAtelier((small) =>
      withAtelier(async (large) => {
        const open = async (atelier: typeof small, specs: number) => {
          const sql = openDatabase(atelier.databaseUrl);
          await fillSpecs(sql, specs);
          const [row] = await sql<{ id: string }[]>`select id from public.spec_uploads limit 1`;
          await sql.end();
          const api = apiAt(atelier.url, (await signIn(atelier.env, 'admin@atelier.test')).headers);
          return { api, id: row?.id ?? '' };
        };
        const few = await open(small, 1_000);
        const many = await open(large, SPECS);
        const compare = async (one: () => Promise<void>, other: () => Promise<void>) => {
          await interleaved(5, one, other);
          const [ours, theirs] = await interleaved(ROUNDS, one, other);
          return { ratio: quantile(ours, 0.5) / quantile(theirs, 0.5), ms: quantile(ours, 0.5) };
        };
        const words: string[] = [];
        let holds = true;
        for (const [name, query] of lists) {
          const path = `/api/admin/specs?${query}`;
          const { ratio, ms } = await compare(reading(many.api, path), reading(few.api, path));
          words.push(`${name} ${ratio.toFixed(2)} × (${ms.toFixed(0)} ms)`);
          holds &&= ratio <= LIST_BAR;
        }
        for (const [name, q, status = ''] of searches) {
          const search = reading(many.api, `/api/admin/specs?${new URLSearchParams({ q, status })}`);
          const { ratio, ms } = await compare(search, reading(many.api, `/api/admin/specs/${many.id}`));
          words.push(`search ${name} ${ratio.toFixed(2)} × (${ms.toFixed(0)} ms)`);
          holds &&= ratio <= SEARCH_BAR && ms <= SEARCH_MS;
        }
        return { measured: words.join(', '), bar: `<= ${LIST_BAR}, ${SEARCH_BAR} ×, ${SEARCH_MS} ms`, holds };
      }),
    ),
};
