// @module-tag extended
import { expect, inject, test } from 'vitest';
import { writeClipboard } from '@/components/editor/paste/clipboard';
import { imageElement } from '@/lib/document/page-model';
import { flowedPages } from '@/lib/document/table-flow';
import { apiAt } from '@/tests/app/support/api';
import { textElement } from '@/tests/app/support/exports';
import { signIn } from '@/tests/app/support/people';
import { addImage, picture } from '@/tests/app/support/pictures';
import {
  desk,
  openDocument,
  pressControl,
  savingIs,
  storedDocument,
  storePages,
  takeFrom,
  target,
} from './support/document-pages';
import { give } from './support/give';
import { openBrowser } from './support/open-browser';
import { byRole } from './support/spec-pages';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';

test('after an insertion, keys act on the new element; text, tables and images are pasted from other programs; text that does not fit is marked', async () => {
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

  // Typing replaces the placeholder of a new text element. A new table has the focus, so keys act on it.
  await page.locator(byRole('button', 'Text')).click();
  await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
  await page.keyboard.type('a b c');
  await page.keyboard.press('Escape');
  await page.waitForSelector(`${target('Text: a b c')}:focus`);
  await page.locator(byRole('button', 'Table')).click();
  await page.locator(byRole('menuitem', 'Empty table')).click();
  const table = '[data-target][aria-label^=Table]';
  await page.waitForFunction(`document.activeElement.matches('${table}')`);
  await pressControl(page, 'd');
  await page.waitForFunction(`document.querySelectorAll('${table}').length === 2`);
  await page.keyboard.press('Delete');
  await page.waitForFunction(`document.querySelectorAll('${table}').length === 1`);
  await page.locator(table).click();
  await page.keyboard.press('Delete');
  await page.waitForFunction(`!document.querySelector('${table}')`);

  // A text selection in the heading does not prevent elements from being copied.
  await page.locator('h1').click({ count: 3 });
  await page.locator(target('Text: a b c')).click();
  expect(await page.evaluate('getSelection().isCollapsed')).toBe(true);
  await pressControl(page, 'c');
  await pressControl(page, 'v');
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
  await page.waitForFunction(`document.activeElement.matches('${table}')`);
  // A pasted image takes precedence over elements that were copied before.
  await pressControl(page, 'c');
  await give(page, 'paste', { images: [await picture()] });
  await page.locator('[data-target][aria-label^=Image]').wait();
  // If the editor did not cancel `dragover`, the browser would open a dropped file itself.
  const dragsOver = await page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['x'], 'a.png', { type: 'image/png' }));
    const event = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer });
    return document.querySelector('[data-desk]').dispatchEvent(event);
  })()`);
  expect(dragsOver).toBe(false);
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

  // A new text element grows while text is typed. One undo reverts the text and the growth, and keeps the keyboard
  // focus on the canvas.
  await page.locator(byRole('button', 'Text')).click();
  await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
  await page.keyboard.type(`Growing ${'words '.repeat(60)}`);
  const typed = "document.querySelector('[role=textbox][data-measured]')";
  await page.waitForFunction(
    `${typed}.clientHeight > 100 && ${typed}.scrollHeight <= ${typed}.clientHeight + 1`,
  );
  // The shortcut for saving also works while text is edited.
  await pressControl(page, 's');
  await page.waitForFunction("document.body.textContent.includes('Saved.')");
  await page.keyboard.press('Escape');
  const growing = 'button[data-target][aria-label^="Text: Growing"]';
  await page.waitForSelector(`${growing}:not([data-overflows])`);
  const heightOfTyped = () =>
    page.$eval('button[data-target]:focus', (target) => target.getBoundingClientRect().height);
  await page.waitForSelector('button[data-target]:focus');
  const grown = await heightOfTyped();
  await pressControl(page, 'z');
  await page.waitForFunction("document.activeElement.closest('[data-desk]') !== null");
  expect(await heightOfTyped()).toBeLessThan(grown * 0.8);
  await pressControl(page, 'y');

  // With “Grow with the text” turned off, the element keeps the height that it is given.
  await page.locator('::-p-xpath(//aside//label[.="Grow with the text"])').click();
  await page.locator('aside ::-p-aria(Height)').fill('15');
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${growing}[data-overflows]`);

  // The mark for overflowing text disappears when the frame is fitted to the text.
  const marked = 'button[data-target="long"][data-overflows]';
  await page.locator(marked).wait();
  const markedPage = '[data-open][aria-label$="Some content does not fit"]';
  await page.locator(markedPage).wait();
  await page.locator('section[aria-label=Layers] ::-p-text(does not fit)').wait();
  await page.locator('section[aria-label=Layers] ::-p-text(no description)').wait();
  await page.locator('section[aria-label=Layers] ::-p-text(Limewashed)').click();
  await page.locator('::-p-text(Fit frame to content)').click();
  await page.waitForSelector(marked, { hidden: true });
  await page.locator('section[aria-label=Layers] ::-p-text(Growing)').click();
  await page.locator('::-p-text(Fit frame to content)').click();
  await page.waitForSelector(markedPage, { hidden: true });
  expect((await elements()).find(({ id }) => id === 'long')?.h).toBeGreaterThan(30);
});

test('elements of another project are pasted with copies of their images, pasted text keeps its structure, and keys and fields work as in other programs', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const [source, projectId] = [await newProject(member, 'From'), await newProject(member, 'To')];
  const { id: imageId } = await addImage(member, source, await picture(1200, 900));
  await storePages(member, projectId, [
    { id: 'one', elements: [] },
    { id: 'two', title: 'Façade', elements: [textElement('brick', 'Brick and lime')] },
  ]);
  const page = await open();
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'image') loaded.push(request.url());
  });
  await openDocument(page, email, projectId);
  const elements = async () => {
    await savingIs(page, 'saved');
    return (await storedDocument(member, projectId)).pages[0]?.elements ?? [];
  };
  const wholePage = 'document.documentElement.scrollHeight <= window.innerHeight';
  expect(await page.evaluate(wholePage)).toBe(true);

  const image = imageElement.parse({ id: 'i', type: 'image', x: 10, y: 10, w: 40, h: 30, imageId });
  await give(page, 'paste', { text: writeClipboard([image]) });
  await page.waitForFunction(`document.querySelector('${desk} .doc-image img')?.naturalWidth > 0`);
  const [pasted] = await elements();
  if (pasted?.type !== 'image') throw new Error('There is no image.');
  expect(pasted.imageId).not.toBe(imageId);
  expect(loaded.filter((one) => one.includes(pasted.imageId ?? ''))).not.toEqual([]);
  expect(loaded.filter((one) => one.includes('/storage/'))).toEqual([]);

  // A field accepts a sum that mixes units.
  const width = '::-p-xpath(//aside//label[text()="Width"]/following::input[1])';
  await page.locator(width).fill('1 in + 2');
  await page.waitForFunction(`document.querySelector('[data-target]').getBoundingClientRect().width > 0`);
  await page.keyboard.press('Enter');
  expect((await elements())[0]?.w).toBe(27.4);

  // Pasted tables and nested lists become text with tabs and dashes, and the editor reports what was lost.
  await page.locator(byRole('button', 'Text')).click();
  await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
  await give(page, 'paste', {
    html: '<table><tr><td>c1</td><td>c2</td></tr></table><ol><li><p>first<sup>1</sup></p></li><ul><li><p>part</p></li></ul><li>with<ul><li>a</li></ul><ol><li>b</li></ol>end</li><li><span style="color: rgb(0, 0, 0)">second <s>old</s></span> <span style="color: #cc3311">red</span></li></ol>',
  });
  await page.locator('::-p-text(The text was pasted without its strikethrough and table lines.)').wait();
  // Tab in a list does not leave the text, and Escape in the toolbar returns the focus to the text.
  await page.keyboard.press('Tab');
  await page.keyboard.type(' \u{12000}');
  await page.keyboard.down('Alt');
  await page.keyboard.press('F10');
  await page.keyboard.up('Alt');
  await page.waitForSelector('[data-tool]:focus');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
  await page.locator('aside ::-p-text(No font has the character)').wait();
  await page.keyboard.press('Escape');
  const text = (await elements()).find(({ type }) => type === 'text');
  const plain = { bold: false, italic: false, underline: false, link: null };
  expect(text).toMatchObject({
    blocks: [
      { type: 'paragraph', runs: [{ text: 'c1\tc2', ...plain }] },
      {
        type: 'list',
        ordered: true,
        items: [
          [
            { text: 'first', ...plain },
            { text: '1', position: 'superscript', ...plain },
            { text: '\n– part', ...plain },
          ],
          [{ text: 'with\n– a\n1) b\nend', ...plain }],
          [
            { text: 'second old ', ...plain },
            { text: 'red \u{12000}', color: '#cc3311', ...plain },
          ],
        ],
      },
    ],
  });

  // The browser's shortcuts for saving and finding act on the document, not on the web page.
  await pressControl(page, 's');
  await pressControl(page, 'f');
  await page.waitForSelector('[data-find]:focus');
  await page.keyboard.type('LIME');
  await page.locator('::-p-text(1 found)').wait();
  await page.keyboard.press('Enter');
  await page.waitForSelector(`${desk}[aria-label^="Canvas of page 2"]`);
  await page.keyboard.press('Escape');
  await page.waitForSelector(`${target('Text: Brick and lime')}:focus`);
  await page.keyboard.press('PageUp');
  await page.waitForSelector(`${desk}[aria-label^="Canvas of page 1"]`);
});

test('a table is made from a CSV file, edited on the canvas by keyboard, and continued on as many pages as it needs', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const projectId = await newProject(member, 'Prices');
  await storePages(member, projectId, [{ id: 'p', title: 'Prices', elements: [] }]);
  const page = await open();
  await openDocument(page, email, projectId);
  const pages = async () => {
    await savingIs(page, 'saved');
    return (await storedDocument(member, projectId)).pages;
  };
  const lamps = Array.from({ length: 120 }, (_, index) => `Lamp ${index};${index}`);
  await page.locator(desk).click();
  await give(page, 'drop', { csv: `Item;Price\r\n${lamps.join('\r\n')}` });
  const table = 'button[data-target][aria-label^="Table: Item, Price"]';
  await page.waitForSelector(`${table}:focus`);

  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-cell][aria-label="Row 1, column 1"]:focus');
  await page.keyboard.type('Sofa');
  await page.keyboard.press('Tab');
  await page.waitForSelector('[data-cell][aria-label="Row 1, column 2"]:focus');
  await page.keyboard.type('95');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-cell][aria-label="Row 2, column 2"]:focus');
  await give(page, 'paste', { text: 'x\ty\nz' });
  // The second paste of the same cells replaces the text that was typed after the first one.
  await page.keyboard.type('typed');
  await give(page, 'paste', { text: 'x\ty\nz' });
  await page.keyboard.press('Escape');
  await page.waitForSelector(`${table}:focus`);
  const [first] = await pages();
  const rows = first?.elements[0]?.type === 'table' ? first.elements[0].rows : [];
  expect(rows.slice(0, 4)).toEqual([
    ['Sofa', '95', ''],
    ['Lamp 1', 'x', 'y'],
    ['Lamp 2', 'z', ''],
    ['Lamp 3', '3', ''],
  ]);

  await page.locator(byRole('button', 'Continue on the next page')).click();
  await page.waitForFunction("document.querySelectorAll('[data-open]').length > 2");
  await page.waitForSelector(`${table}:not([data-overflows])`);
  const flowed = flowedPages(await pages()).map(({ elements }) => elements[0]);
  expect(flowed.flatMap((part) => (part?.type === 'table' ? part.rows : []))).toEqual(rows);
  await page.keyboard.press('PageDown');
  await page.locator(target('Continued table')).click();
  await page.locator('aside ::-p-text(Go to the start of the table)').click();
  await page.waitForSelector(table);
  await page.locator(desk).click({ offset: { x: 5, y: 60 } });
  await pressControl(page, 'z');
  await page.waitForFunction("document.querySelectorAll('[data-open]').length === 1");
});

test('a page is saved as a template and used in a new document, which is then archived and unarchived', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const projectId = await newProject(member, 'Several documents');
  const title = `Board ${projectId.slice(0, 8)}`;
  await storePages(member, projectId, [{ id: 'p', title, elements: [textElement('t', 'Oak and lime')] }]);
  const page = await open();
  await openDocument(page, email, projectId);
  await page.locator(byRole('button', `More for Page 1: ${title}`)).click();
  await page.locator('::-p-xpath(//*[@role="menuitem"][.="Save as template"])').click();
  await page.locator('[role=dialog] input[name=name]').wait();
  await page.keyboard.press('Enter');
  await page.locator(`::-p-xpath(//*[contains(., "${title} was saved")])`).wait();

  await takeFrom(page, 'Document: Main document', 'New document');
  await page.locator('[role=dialog] input[name=name]').fill('Spec book');
  await page.keyboard.press('Enter');
  await page.locator(byRole('button', 'Document: Spec book')).wait();
  await page.locator(byRole('button', 'Choose a template')).click();
  await page.locator(byRole('button', title)).click();
  await page.locator(target('Text: Oak and lime')).wait();
  await savingIs(page, 'saved');
  const { searchParams } = new URL(page.url());
  const documentId = searchParams.get('document');
  const stored = await member(`/api/projects/${projectId}/pages?documentId=${documentId}`);
  expect(stored.body).toMatchObject({ pages: [{ title }] });
  expect((await storedDocument(member, projectId)).pages).toHaveLength(1);

  await takeFrom(page, 'Document: Spec book', 'Archive');
  await page.locator('::-p-xpath(//*[@role="note"][contains(., "This document is archived")])').wait();
  await page.locator(byRole('button', 'Unarchive')).click();
  await page.locator(byRole('button', 'Templates')).wait();
});
