import { afterEach, expect, test, vi } from 'vitest';
import { createNameIfMissing } from '@/components/catalogue/catalogue-calls';
import { importNamesBody, MAX_IMPORT_BYTES, MAX_IMPORTED_NAMES } from '@/lib/admin/schema';

afterEach(() => vi.unstubAllGlobals());

function respondWith(status: number, body: object): void {
  vi.stubGlobal('fetch', async () => Response.json(body, { status }));
}

test('a name that another user has added in the meantime is returned in the existing spelling', async () => {
  respondWith(409, { code: 'already_exists', detail: '“Nordlys” already exists.', name: 'Nordlys' });
  expect(await createNameIfMissing('brand', 'NORDLYS')).toBe('Nordlys');
  respondWith(403, { code: 'forbidden', detail: 'Administrators only.' });
  await expect(createNameIfMissing('brand', 'NORDLYS')).rejects.toThrow('Administrators only.');
});

test('an import with the maximum number of names of maximum length fits into one request', () => {
  const names = Array.from({ length: MAX_IMPORTED_NAMES }, () => '𠀀'.repeat(120));
  expect(importNamesBody.safeParse({ names }).success).toBe(true);
  expect(Buffer.byteLength(JSON.stringify({ names }))).toBeLessThan(MAX_IMPORT_BYTES);
});
