import { beforeAll, expect, test } from 'vitest';
import { engines } from '@/tests/matlib/judged/engines';
import { judgedItems, measure, type Scores } from '@/tests/matlib/judged/ndcg';
import { judged, kinds } from '@/tests/matlib/judged/queries';

const items = judgedItems();
const BAR = 0.8;
const BAR_OF_A_KIND = 0.65;

let find: Awaited<ReturnType<typeof engines>>;
let ours: Scores;
beforeAll(async () => {
  find = await engines(items);
  ours = measure(items, judged, find.ours);
});

test('at least 60 queries are judged, ten or more of each kind', () => {
  expect(judged.length).toBeGreaterThanOrEqual(60);
  for (const kind of kinds)
    expect(judged.filter((one) => one.kind === kind).length).toBeGreaterThanOrEqual(10);
});

test(`the search for materials has a mean nDCG@10 of at least ${BAR}`, () => {
  expect(ours.all).toBeGreaterThanOrEqual(BAR);
});

test.each(kinds)(`queries of the kind %s have a mean nDCG@10 of at least ${BAR_OF_A_KIND}`, (kind) => {
  expect(ours.byKind[kind]).toBeGreaterThanOrEqual(BAR_OF_A_KIND);
});

test('queries of each kind have a mean nDCG@10 that is no less than with other engines', {
  tags: ['extended'],
}, () => {
  const { ours: _, ...others } = find;
  for (const [name, other] of Object.entries(others)) {
    const { byKind } = measure(items, judged, other);
    for (const kind of kinds) {
      expect(ours.byKind[kind], `${name}, ${kind}`).toBeGreaterThanOrEqual(byKind[kind]);
    }
  }
});
