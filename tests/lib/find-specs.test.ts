import { randomUUID } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { findSpecs } from '@/lib/specs/find-specs';
import type { Database } from '@/lib/supabase/database.types';

test('a search for only characters that the database ignores has a second page', async () => {
  const specs = Array.from({ length: 3 }, () => ({
    id: randomUUID(),
    created_at: '2026-01-01T00:00:00+00:00',
    sort_key: null,
    page: null,
    text: null,
    spec: null,
  }));
  const sent: unknown[] = [];
  const fetch: typeof globalThis.fetch = async (_, init) => {
    sent.push(JSON.parse(String(init?.body)));
    return Response.json({ specs, counts: {}, isExact: true });
  };
  const db = createClient<Database>('http://database.test', 'key', { global: { fetch } });
  const { nextCursor } = await findSpecs(db, { q: '\u0967', limit: 2 });
  await findSpecs(db, { q: '\u0967', limit: 2, cursor: nextCursor ?? undefined });
  expect(sent).toMatchObject([{ p_sort: 'match' }, { p_sort: 'match', p_after_id: specs[1]?.id }]);
});
