import { expect, test } from 'vitest';
import { openBrowser } from './support/open-browser';

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
