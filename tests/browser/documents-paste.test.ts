import type { Page } from 'puppeteer-core';
import { expect, inject, test } from 'vitest';
import { apiAt } from '@/tests/app/support/api';
import { textElement } from '@/tests/app/support/exports';
import { signIn } from '@/tests/app/support/people';
import { picture } from '@/tests/app/support/pictures';
import {
  openDocument,
  pressControl,
  savingIs,
  storedDocument,
  storePages,
  target,
} from './support/document-pages';
import { openBrowser } from './support/open-browser';
import { byRole } from './support/spec-pages';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';

type Content = { text?: string; html?: string; images?: Uint8Array[] };

/** Pastes into the page, or drops on it, the data that another program would provide. */
async function give(
  page: Page,
  how: 'paste' | 'drop',
  { text = '', html = '', images = [] }: Content,
): Promise<void> {
  const files = images.map((bytes) => Buffer.from(bytes).toString('base64'));
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    if (${JSON.stringify(text)}) data.setData('text/plain', ${JSON.stringify(text)});
    if (${JSON.stringify(html)}) data.setData('text/html', ${JSON.stringify(html)});
    for (const [at, base64] of ${JSON.stringify(files)}.entries()) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], 'IMG ' + at + '.png', { type: 'image/png' }));
    }
    const event = '${how}' === 'paste'
      ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
      : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
    if (!event.defaultPrevented) throw new Error('The browser would handle it.');
  })()`);
}

test('after an insertion, keys act on the new element; text, tables and images are taken from elsewhere; text that does not fit is marked', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const projectId = await newProject(member, 'Paste');
  const long = textElement('long', 'Limewashed walls and a floor of oiled oak. '.repeat(20), { h: 20 });
  await storePages(member, projectId, [{ id: 'p', elements: [long] }]);
  const page = await open();
  await openDocument(page, email, projectId);
  const elements = async () => {
    await savingIs(page, 'saved');
    return (await storedDocument(member, projectId)).pages[0]?.elements ?? [];
  };

  // Typing replaces the content of a new text at once; a new table can be deleted at once.
  await page.locator(byRole('button', 'Text')).click();
  await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
  await page.keyboard.type('a b c');
  await page.keyboard.press('Escape');
  await page.waitForSelector(`${target('Text: a b c')}:focus`);
  await page.locator(byRole('button', 'Table')).click();
  await page.waitForFunction("document.activeElement.matches('[data-target][aria-label^=Table]')");
  await page.keyboard.press('Delete');
  await page.waitForFunction("!document.querySelector('[data-target][aria-label^=Table]')");

  // Text selected in the heading does not prevent elements from being copied.
  await page.locator('h1').click({ count: 3 });
  await page.locator(target('Text: a b c')).click();
  expect(await page.evaluate('getSelection().isCollapsed')).toBe(true);
  await pressControl(page, 'd');
  await page.waitForFunction(
    'document.querySelectorAll(\'[data-target][aria-label="Text: a b c"]\').length === 2',
  );
  await page.keyboard.press('Delete');

  await give(page, 'paste', {
    html: '<h1>Lobby</h1><ul><li>oak</li><li>brass</li></ul>',
    text: 'Lobby oak brass',
  });
  await page.locator(target('Text: Lobby oak brass')).wait();
  await give(page, 'paste', { text: 'Item\tCount\nLamp\t3' });
  await page.waitForFunction("document.activeElement.matches('[data-target][aria-label^=Table]')");
  await give(page, 'paste', { images: [await picture()] });
  await page.locator('[data-target][aria-label^=Image]').wait();
  await give(page, 'drop', { images: [await picture(), await picture()] });
  await page.waitForFunction("document.querySelectorAll('[data-target][aria-label^=Image]').length === 3");
  const stored = await elements();
  expect(stored.map(({ type }) => type).sort()).toEqual([
    'image',
    'image',
    'image',
    'table',
    'text',
    'text',
    'text',
  ]);
  expect(stored.find(({ type }) => type === 'table')).toMatchObject({
    columns: [{ label: 'Item' }, { label: 'Count' }],
  });
  expect(stored.filter((element) => element.type === 'image').map(({ alt }) => alt)).toEqual(['', '', '']);
  expect(JSON.stringify(stored)).toContain('"type":"heading"');

  // Text that overflows while it is typed is marked when editing ends; undo keeps the keyboard focus on the canvas.
  await page.locator(byRole('button', 'Text')).click();
  await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
  await page.keyboard.type(`Overflowing ${'words '.repeat(60)}`);
  await page.keyboard.press('Escape');
  await page.waitForSelector('button[data-target][data-overflows][aria-label^="Text: Overflowing"]');
  await pressControl(page, 'z');
  await page.waitForFunction("document.activeElement.closest('[data-desk]') !== null");
  await pressControl(page, 'y');

  // The mark of overflowing text disappears when the frame is fitted to the text.
  const marked = 'button[data-target="long"][data-overflows]';
  await page.locator(marked).wait();
  await page.locator('section[aria-label=Layers] ::-p-text(does not fit)').wait();
  await page.locator('section[aria-label=Layers] ::-p-text(Limewashed)').click();
  await page.locator('::-p-text(Fit frame to content)').click();
  await page.waitForSelector(marked, { hidden: true });
  expect((await elements()).find(({ id }) => id === 'long')?.h).toBeGreaterThan(30);
});
