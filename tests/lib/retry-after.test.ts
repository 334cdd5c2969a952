import { expect, test } from 'vitest';
import { parseRetryAfter } from '@/lib/http/retry-after';

const now = Date.UTC(2026, 10, 21, 12, 0, 0);

test.each([
  ['7', 7_000],
  [' 0 ', 0],
  ['86400', 300_000],
  ['Sat, 21 Nov 2026 12:00:09 GMT', 9_000],
  ['Saturday, 21-Nov-26 12:00:09 GMT', null],
  ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ['Sun, 22 Nov 2026 12:00:00 GMT', 300_000],
  ['-5', null],
  ['1.5', null],
  ['soon', null],
  ['', null],
  [null, null],
])('the Retry-After %j is read as %j ms', (value, expected) => {
  expect(parseRetryAfter(value, now, 300_000)).toBe(expected);
});
