import { expect, test } from 'vitest';
import { makeWriteTurns } from '@/lib/workflow/refused/write-turns';

test('refusals beyond the limit of a minute are counted with the next that is written', () => {
  let now = 0;
  const takeTurn = makeWriteTurns(() => now);
  const taken = Array.from({ length: 100 }, () => takeTurn('invalid_secret'));
  expect(taken.filter((times) => times > 0)).toHaveLength(60);
  expect(takeTurn('not_found')).toBe(1);
  now = 60_000;
  expect(takeTurn('invalid_secret')).toBe(41);
  expect(takeTurn('invalid_secret')).toBe(1);
});
