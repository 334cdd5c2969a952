import { beforeAll, expect, test } from 'vitest';
import { engines } from '@/tests/matlib/judged/engines';
import { judgedItems, measure, type Scores } from '@/tests/matlib/judged/ndcg';
import { judged, kinds } from '@/tests/matlib/judged/queries';

const BAR = 0.8;
const BAR_OF_A_KIND = 0.65;

let scores: Record<string, Scores>;
beforeAll(async () => {
  const items = judgedItems();
  const found = Object.entries(await engines(items)).map(([name, find]) => [
    name,
    measure(items, judged, find),
  ]);
  scores = Object.fromEntries(found);
});

test('at least 60 queries are judged, ten or more of each kind', () => {
  expect(judged.length).toBeGreaterThanOrEqual(60);
  for (const kind of kinds)
    expect(judged.filter((one) => one.kind === kind).length).toBeGreaterThanOrEqual(10);
});

test(`the search for materials has a mean nDCG@10 of at least ${BAR}`, () => {
  expect(scores.ours?.all).toBeGreaterThanOrEqual(BAR);
});

test.each(kinds)(
  `queries of the kind %s have a mean nDCG@10 of at least ${BAR_OF_A_KIND}, no less than with other engines`,
  (kind) => {
    const { ours, ...others } = scores;
    expect(ours?.byKind[kind]).toBeGreaterThanOrEqual(BAR_OF_A_KIND);
    for (const [name, other] of Object.entries(others)) {
      expect(ours?.byKind[kind], name).toBeGreaterThanOrEqual(other.byKind[kind]);
    }
  },
);
