import { describe, expect, test } from 'vitest';
import { matching, nameKey } from '@/components/catalogue/matching-names';
import { formatBytes } from '@/components/format/bytes';
import { formatPercent } from '@/components/format/percent';
import { formatDuration, formatRelative } from '@/components/format/time';
import { formatTimeLeft, timeLeft } from '@/components/format/time-left';
import { nextPath } from '@/components/sign-in/next-path';
import { filtersQuery, parseFilters } from '@/components/specs/spec-filters';

describe('nextPath', () => {
  test.each([
    ['/admin/specs?status=failed#top', '/admin/specs?status=failed#top'],
    ['/', '/'],
    [undefined, '/'],
    ['', '/'],
    ['admin', '/'],
    [['/a', '/b'], '/'],
    ['https://evil.example/', '/'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/x/..//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/sign-in?next=/sign-in', '/'],
  ])('signing in with next=%j leads to %s', (next, path) => {
    expect(nextPath(next)).toBe(path);
  });
});

describe('spec filters', () => {
  test('filters with special characters round-trip through the query string', () => {
    const filters = { status: 'failed', brand: 'A & B = 東京', area: 'Lobby/Bar', q: '100% +x' } as const;
    expect(parseFilters(new URLSearchParams(filtersQuery(filters)))).toEqual(filters);
  });

  test('unknown and empty parameters are ignored, and the first of repeated ones counts', () => {
    expect(parseFilters({ status: 'nope', brand: '  ', q: ['one', 'two'], x: '1' })).toEqual({ q: 'one' });
    // Postgres can store neither a NUL nor a lone surrogate, so no spec can match such a filter.
    expect(parseFilters({ q: 'a\0b', area: ['\ud800'] })).toEqual({});
    expect(filtersQuery({})).toBe('');
  });

  test('the query string does not depend on the order of the filters', () => {
    expect(filtersQuery({ q: 'x', status: 'failed' })).toBe(filtersQuery({ status: 'failed', q: 'x' }));
  });
});

test('matching ignores case, accents and character width', () => {
  const names = ['Café Rot', 'ＡＣＭＥ', '東京', 'Zeta'];
  expect(matching(names, 'cafe')).toEqual(['Café Rot']);
  expect(matching(names, 'acme ')).toEqual(['ＡＣＭＥ']);
  expect(matching(names, '京')).toEqual(['東京']);
  expect(matching(names, ' ')).toEqual(names);
});

test('names that differ in case, width or the amount of whitespace are the same, and others are not', () => {
  expect(nameKey(' ＡＣＭＥ  Spa\u00a0Bar ')).toBe(nameKey('acme spa bar'));
  expect(nameKey('Café')).not.toBe(nameKey('Cafe'));
});

test.each([
  [0, '0 B'],
  [512, '512 B'],
  [1023, '1023 B'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [1048575, '1 MB'],
  [12.34 * 1024 ** 2, '12.3 MB'],
  [50 * 1024 ** 2, '50 MB'],
])('%d bytes are formatted as %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words);
});

test('relative times and durations are formatted for people', () => {
  const now = Date.parse('2026-05-01T12:00:00Z');
  expect(formatRelative('2026-05-01T11:59:55Z', now)).toBe('just now');
  expect(formatRelative('2026-05-01T11:55:00Z', now)).toBe('5 minutes ago');
  expect(formatRelative('2026-05-01T12:30:00Z', now)).toBe('in 30 minutes');
  expect(formatRelative('2026-05-08T11:59:59Z', now)).toBe('in 7 days');
  expect(formatRelative('2026-05-01T11:55:00Z', now, 'narrow')).toBe('5m ago');
  expect(formatRelative('2026-04-30T10:00:00Z', now)).toBe('yesterday');
  expect(formatDuration(400)).toBe('0.4 s');
  expect(formatDuration(12_000)).toBe('12 s');
  expect(formatDuration(200_000)).toBe('3 min 20 s');
  expect(formatDuration(7_500_000)).toBe('2 h 5 min');
});

test('a percentage is rounded down, so only finished work shows 100%', () => {
  expect([0, 0.29, 0.999, 1].map(formatPercent)).toEqual(['0%', '29%', '99%', '100%']);
});

describe('the time left', () => {
  const started = Date.parse('2026-05-01T12:00:00Z');
  /**
   * Returns the estimated time left, in milliseconds, or null if it is unknown. The progress is reported `elapsed`
   * seconds after the start, and the estimate is made `later` seconds after the report.
   */
  const left = (progress: number | null, elapsed: number, later = 0) =>
    timeLeft(
      {
        progress,
        progressAt: new Date(started + elapsed * 1000).toISOString(),
        startedAt: new Date(started).toISOString(),
      },
      started + (elapsed + later) * 1000,
    );

  test('the time left is estimated from the progress over the elapsed time, and counts down until the next report', () => {
    expect(left(0.25, 20)).toBe(60_000);
    expect(left(0.25, 20, 45)).toBe(15_000);
    // The estimate stays the same if the browser's clock is behind the server's.
    expect(left(0.25, 20, -5)).toBe(60_000);
  });

  test('the time left is unknown with too little progress, at the end, and after a wrong estimate', () => {
    expect([left(null, 20), left(0.05, 20), left(0.5, 2), left(1, 20), left(0.5, 20, 25)]).toEqual(
      Array(5).fill(null),
    );
    expect(timeLeft({ progress: 0.5, progressAt: null, startedAt: null }, started)).toBeNull();
  });

  test('the time left is rounded up when it is formatted', () => {
    expect([1, 12_000, 56_000, 61_000, 3_700_000].map(formatTimeLeft)).toEqual([
      'about 5 s left',
      'about 15 s left',
      'about 1 min left',
      'about 2 min left',
      'about 1 h 2 min left',
    ]);
  });
});
