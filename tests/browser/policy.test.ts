import { expect, inject, test } from 'vitest';
import { apiAt } from '@/tests/app/support/api';
import { openBrowser } from './support/open-browser';

const { url } = inject('atelier');
const { open, goTo, expectErrors } = openBrowser();

test('an injected script does not run, and the tests notice it', async () => {
  const page = await open();
  await goTo(page, '/sign-in');
  // By default, any error in a page fails the test, so allow these errors.
  expectErrors(/policy: (script|connect)-src/, /Content Security Policy/);
  const messages: string[] = [];
  page.on('console', (message) => message.type() === 'error' && messages.push(message.text()));
  const ran = await page.evaluate(async () => {
    const heardOf: string[] = [];
    const reported = new Promise<void>((done) => {
      document.addEventListener('securitypolicyviolation', (event) => {
        heardOf.push(event.effectiveDirective);
        if (heardOf.length === 3) done();
      });
    });
    const script = document.createElement('div');
    script.innerHTML =
      '<img src="data:," onerror="window.slipped = 1"><a href="javascript:window.slipped = 1">x</a>';
    document.body.append(script);
    script.querySelector('a')?.click();
    await fetch('https://elsewhere.example/').catch(() => undefined);
    await reported;
    return { heardOf: heardOf.sort(), slipped: 'slipped' in window };
  });
  expect(ran).toEqual({ heardOf: ['connect-src', 'script-src-attr', 'script-src-elem'], slipped: false });
  expect(messages.filter((text) => text.startsWith('policy: '))).toHaveLength(3);
});

test('responses over https require https from then on, and API responses cannot act as pages', async () => {
  const secure = { 'x-forwarded-proto': 'https' };
  for (const path of ['/sign-in', '/api/health', '/api/nowhere']) {
    const { headers } = await apiAt(url, secure)(path);
    expect(headers.get('strict-transport-security'), path).toMatch(/^max-age=\d{8}/);
  }
  for (const [path, method] of [
    ['/api/health', 'GET'],
    ['/api/health', 'POST'],
    ['/api/projects', 'GET'],
  ] as const) {
    const { headers } = await apiAt(url)(path, { method });
    expect(headers.get('content-security-policy'), path).toMatch(
      /^default-src 'none'; frame-ancestors 'none'/,
    );
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('strict-transport-security'), path).toBeNull();
  }
});
