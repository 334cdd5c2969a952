import { expect, test } from 'vitest';
import { respondUnavailable } from '@/lib/launcher/respond-unavailable';
import { freePorts } from '@/tests/setup/free-ports';

test('API clients get a 503 problem with Retry-After until the server is stopped', async () => {
  const { port } = await freePorts();
  const stop = await respondUnavailable(port, '127.0.0.1', 'restarting');
  const response = await fetch(`http://127.0.0.1:${port}/api/projects`, { method: 'POST', body: '{}' });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; frame-ancestors 'none'/,
  );
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await response.json()).toMatchObject({
    code: 'unavailable',
    status: 503,
    detail: 'Atelier is restarting. Try again in a moment.',
  });
  await stop();
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
});

test('browsers get a page with status 503 and a policy that allows only the script of the page', async () => {
  const { port } = await freePorts();
  const stop = await respondUnavailable(port, '127.0.0.1', 'building');
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const response = await fetch(`http://127.0.0.1:${port}/projects`, { headers });
  expect(response.status).toBe(503);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'sha256-/);
  expect(await response.text()).toContain('<h1>Atelier is being built</h1>');
  await stop();
});
