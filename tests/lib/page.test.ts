import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterKeyset, cutPage, decodeCursor, decodeKeyedCursor, limitParam } from '@/lib/http/page';
import { anyText } from '@/tests/setup/any-text';

describe('limitParam', () => {
  test.each([
    [undefined, 20],
    ['1', 1],
    ['007', 7],
    ['100', 100],
    ['101', 100],
    ['999999999', 100],
    ['12345678901234567890', 100],
  ])('the limit %j is read as %i', (given, limit) => {
    expect(limitParam.parse(given)).toBe(limit);
  });

  test.each(['', '0', '000', '-5', '1e3', '1.0', ' 1', '+1', '0x1', '1'.repeat(101), '１'])(
    'the limit %j is refused',
    (given) => {
      expect(limitParam.safeParse(given).success).toBe(false);
    },
  );
});

const rows = (n: number) =>
  Array.from({ length: n }, (_, i) => ({
    created_at: `2026-11-21T00:00:0${i}.123456+00:00`,
    id: `00000000-0000-4000-8000-00000000000${i}`,
  }));

test('a page has a cursor only when more rows were fetched than fit on it, and the cursor points to its last row', () => {
  expect(cutPage(rows(0), 2)).toEqual({ rows: [], nextCursor: null });
  expect(cutPage(rows(2), 2)).toEqual({ rows: rows(2), nextCursor: null });
  const { rows: page, nextCursor } = cutPage(rows(3), 2);
  expect(page).toEqual(rows(2));
  const last = rows(2)[1];
  expect(nextCursor).toMatch(/^[\w=-]+$/);
  expect(decodeCursor(nextCursor ?? '')).toEqual({ createdAt: last?.created_at, id: last?.id });
});

test('the cursor of a list that is sorted by a key contains the key, which must consist of letters and digits', () => {
  const last = rows(2)[1];
  const { nextCursor } = cutPage(rows(3), 2, () => 'c3bc6a');
  expect(decodeKeyedCursor(nextCursor ?? '')).toEqual({
    createdAt: last?.created_at,
    id: last?.id,
    key: 'c3bc6a',
  });
  // A list that is not sorted by a key rejects a cursor with a key. A list that is sorted by a key rejects a cursor
  // without a valid key.
  expect(() => decodeCursor(nextCursor ?? '')).toThrow();
  for (const keyOf of [undefined, () => '', () => 'a"', () => 'a,b']) {
    expect(() => decodeKeyedCursor(cutPage(rows(3), 2, keyOf).nextCursor ?? '')).toThrow();
  }
});

test('a cursor becomes a filter that contains its parts only as values', () => {
  expect(afterKeyset({ createdAt: 'T', id: 'I' })).toBe(
    'and(created_at.lte."T",or(created_at.lt."T",id.lt.I))',
  );
  expect(afterKeyset({ createdAt: 'T', id: 'I' }, 'oldest')).toBe(
    'and(created_at.gte."T",or(created_at.gt."T",id.gt.I))',
  );
});

test('a string that is not one of our cursors is refused', () => {
  const place = fc
    .tuple(fc.string(), fc.string())
    .map((pair) => btoa(encodeURIComponent(JSON.stringify(pair))));
  const any = fc.oneof(
    anyText({ maxLength: 200 }),
    fc.base64String(),
    fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value)).toString('base64')),
    place,
  );
  // Postgres rejects a time with hundreds of fractional digits.
  const long = JSON.stringify([`2026-01-31T12:00:00.${'1'.repeat(300)}+00:00`, crypto.randomUUID()]);
  expect(() => decodeCursor(btoa(long))).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  fc.assert(
    fc.property(any, (cursor) => {
      expect(() => decodeCursor(cursor)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
    }),
  );
});
