import { expect, inject, test } from 'vitest';
import { requireChromium } from '@/lib/pdf/chromium/find';
import { apiAt } from '@/tests/app/support/api';

const { url, env } = inject('atelier');

test('the readiness check reports all parts in one response, without any secret', async () => {
  const response = await apiAt(url)('/api/health/ready');
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  expect(response.body).toEqual({
    status: 'ok',
    checks: { database: 'ok', storage: 'ok', browser: 'ok', disk: 'ok' },
    queue: { pending: expect.any(Number), oldestDueSeconds: expect.any(Number) },
    warnings: [],
  });
  for (const value of Object.values(env)) {
    if (value.length > 5) expect(response.text.includes(value), value.slice(0, 4)).toBe(false);
  }
});

test('a browser that cannot be run counts as missing', async () => {
  await requireChromium(undefined);
  await requireChromium(process.execPath);
  await expect(requireChromium('/nowhere/chromium')).rejects.toThrow('ENOENT');
  await expect(requireChromium('package.json')).rejects.toThrow('EACCES');
});
