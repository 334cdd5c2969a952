import type { BenchRow } from '@/tests/bench/row';
import { engines } from '@/tests/matlib/judged/engines';
import { judgedItems, measure } from '@/tests/matlib/judged/ndcg';
import { judged, kinds } from '@/tests/matlib/judged/queries';

const BAR = 0.8;
const BAR_OF_A_KIND = 0.65;

/** Measures the search quality on the judged queries and compares it with that of other engines on the same items. */
export const materialSearchQuality: BenchRow = {
  name: 'material-search-quality',
  isAbsolute: true,
  run: async () => {
    const items = judgedItems();
    const scores = Object.entries(await engines(items)).map(
      ([name, find]) => [name, measure(items, judged, find)] as const,
    );
    const ours = scores.find(([name]) => name === 'ours')?.[1];
    if (!ours) throw new Error('our own search was not measured');
    const beside = scores.map(([name, { all }]) => `${name} ${all.toFixed(2)}`).join(', ');
    const byKind = kinds.map((kind) => `${kind} ${ours.byKind[kind].toFixed(2)}`).join(', ');
    return {
      measured: `nDCG@10 of ${judged.length} queries: ${beside}; ours by kind: ${byKind}`,
      bar: `≥ ${BAR}, each kind ≥ ${BAR_OF_A_KIND}`,
      holds: ours.all >= BAR && kinds.every((kind) => ours.byKind[kind] >= BAR_OF_A_KIND),
    };
  },
};
