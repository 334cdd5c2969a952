import { randomUUID } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { STANDARD_MARGIN } from '@/lib/document/margins';
import { readSettings } from '@/lib/export/stored-settings';
import type { Database } from '@/lib/supabase/database.types';

/** Reads the settings of a document from a database that returns these rows. */
function settingsFrom(rows: object[]) {
  const fetch: typeof globalThis.fetch = async () => Response.json(rows);
  const db = createClient<Database>('http://database.test', 'key', { global: { fetch } });
  return readSettings(db, { projectId: randomUUID() });
}

test('a document that was never saved has the margin of a new document, and an older one keeps having none', async () => {
  const unsaved = await settingsFrom([]);
  expect(unsaved).toMatchObject({ format: 'A4', margin: STANDARD_MARGIN });
  expect(unsaved.version).toBeUndefined();
  const older = {
    version: 3,
    format: 'A3',
    orientation: 'portrait',
    language: 'en',
    cover: {},
    settings: {},
  };
  expect(await settingsFrom([older])).toMatchObject({ version: 3, format: 'A3', margin: null });
});
