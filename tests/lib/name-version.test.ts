import { expect, test } from 'vitest';
import { compareVersions } from '@/lib/specs/name-version';

test.each([
  ['lobby v2.pdf', 'lobby v3.pdf'],
  ['Lobby_V9.PDF', 'lobby version 10.pdf'],
  ['lobby v1.2.pdf', 'lobby-v1.10.pdf'],
  ['lobby rev a.pdf', 'lobby Rev.B.pdf'],
  ['lobby 2026-02.pdf', 'lobby 2026-11.pdf'],
  ['lobby 20260201.pdf', 'lobby 2026-02-03.pdf'],
  ['lobby v2 2025.pdf', 'lobby v2 2026.pdf'],
  ['lobby v2 2026.pdf', 'lobby v3 2025.pdf'],
])('%s is older than %s', (older, newer) => {
  expect(compareVersions(older, newer)).toBeLessThan(0);
  expect(compareVersions(newer, older)).toBeGreaterThan(0);
});

test.each([
  ['lobby.pdf', 'lobby v2.pdf'],
  ['lobby rev b.pdf', 'lobby v2.pdf'],
  ['lobby v2.pdf', 'Lobby_V2.pdf'],
  ['lobby v2 final.pdf', 'lobby v2 (1).pdf'],
  ['suite 42.pdf', 'suite 42 draft.pdf'],
])('neither %s nor %s is older', (one, other) => {
  expect(compareVersions(one, other)).toBe(0);
});
