import { expect, test } from 'vitest';
import { modeFromName, pickMode, seededRandom } from '@/tests/fakes/workflow/modes';

test.each([
  ['Grand Hotel [fail]', 1, 'fail'],
  ['Grand Hotel [silent]', 9, 'silent'],
  ['[stale-run] Grand Hotel', 2, 'stale-run'],
  ['Grand Hotel [wrong-secret-once]', 1, 'wrong-secret'],
  ['Grand Hotel [wrong-secret-once]', 2, 'ok'],
  ['Grand Hotel [annex]', 1, null],
  ['Grand Hotel', 1, null],
  [null, 1, null],
])('the tag of the name %j sets in run %i the mode %s', (name, run, mode) => {
  expect(modeFromName(name, run)).toBe(mode);
});

test('pickMode respects weights, and a seed repeats the picks', () => {
  const picks = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 4000 }, () => pickMode({ ok: 3, fail: 1 }, random()));
  };
  const share = picks(3).filter((mode) => mode === 'fail').length / 4000;
  expect(share).toBeGreaterThan(0.22);
  expect(share).toBeLessThan(0.28);
  expect(new Set(picks(3))).toEqual(new Set(['ok', 'fail']));
  expect(picks(3)).toEqual(picks(3));
  expect(picks(3)).not.toEqual(picks(4));
});

test('pickMode without weights returns ok', () => {
  expect([pickMode({}, 0.5), pickMode({ fail: 0 }, 0)]).toEqual(['ok', 'ok']);
});
