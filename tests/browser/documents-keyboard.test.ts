import type { Page } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { addImage, picture } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { readPdf } from '@/tests/app/support/read-pdf';
import {
  desk,
  downloaded,
  only,
  openDocument,
  pressControl,
  savingIs,
  storedDocument,
  storePages,
  takeFrom,
  target,
} from './support/document-pages';
import { openBrowser } from './support/open-browser';
import { byRole } from './support/spec-pages';
import { newProject } from './support/studio-pages';
import { tabTo } from './support/tab-to';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';
let member: Api;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, email)).headers);
});

const focusIs = (label: string) => `document.activeElement.getAttribute('aria-label') === '${label}'`;

type Key = Parameters<Page['keyboard']['press']>[0];

async function pressWith(page: Page, modifier: 'Shift' | 'Alt', key: Key): Promise<void> {
  await page.keyboard.down(modifier);
  await page.keyboard.press(key);
  await page.keyboard.up(modifier);
}

test('a document can be made, changed and exported by keyboard alone', async () => {
  const projectId = await newProject(member, 'Keys');
  const page = await open();
  await openDocument(page, email, projectId);
  const stored = () => storedDocument(member, projectId);

  // The first “Add a page” button is in the strip of pages. The second one, on the empty canvas, disappears when it is
  // pressed, so the focus moves to the new page.
  await tabTo(page, 'Add a page');
  await tabTo(page, 'Add a page');
  await page.keyboard.press('Enter');
  await page.waitForFunction(focusIs('Canvas of page 1: 0 elements'));

  // Add a text element, type over its placeholder, make it a heading in the toolbar, and leave it.
  await tabTo(page, 'Text', 'back');
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement.matches('[role=textbox][contenteditable=true]')");
  await page.keyboard.type('Rooms of the north wing');
  await page.keyboard.press('Tab');
  await page.waitForFunction(focusIs('Paragraph'));
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(focusIs('Heading 1'));
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement.matches('[role=textbox]')");
  await page.keyboard.press('Escape');
  await page.waitForFunction(focusIs('Text: Rooms of the north wing'));

  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowUp'] as const) await page.keyboard.press(key);
  await pressWith(page, 'Shift', 'ArrowDown');
  await pressWith(page, 'Alt', 'ArrowLeft');
  await savingIs(page, 'saved');
  const text = only((await stored()).pages[0], 'text');
  expect(text.blocks).toMatchObject([
    { type: 'heading', level: 1, runs: [{ text: 'Rooms of the north wing' }] },
  ]);
  expect(text.x).toBeCloseTo(61.9, 5);
  expect(text.y).toBeCloseTo(147.5, 5);

  // Paste a copy on a second page, move that page to the front, delete the page, and undo the last two changes.
  await pressControl(page, 'c');
  await tabTo(page, 'Add a page', 'back');
  await page.keyboard.press('Enter');
  await page.locator(`${desk}[aria-label="Canvas of page 2: 0 elements"]`).wait();
  await tabTo(page, 'Canvas of page 2: 0 elements');
  await pressControl(page, 'v');
  await page.waitForFunction(focusIs('Text: Rooms of the north wing'));
  await tabTo(page, 'Page 2', 'back');
  await pressWith(page, 'Alt', 'ArrowUp');
  await page.waitForFunction(focusIs('Page 1'));
  await savingIs(page, 'saved');
  const [front, behind] = (await stored()).pages;
  expect(behind?.elements).toEqual([text]);
  expect(only(front, 'text')).toEqual({ ...text, id: only(front, 'text').id });
  await page.keyboard.press('Delete');
  await page.locator('::-p-text(1 page)').wait();
  await pressControl(page, 'z');
  await pressControl(page, 'z');
  await savingIs(page, 'saved');
  expect((await stored()).pages).toEqual([behind, front]);

  await tabTo(page, 'Export', 'back');
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    "document.activeElement.closest('[role=dialog]') && document.activeElement.textContent === 'Export'",
  );
  await page.keyboard.press('Enter');
  await page.locator('li[aria-label="Export, Done"]').wait();
  await page.waitForFunction("document.activeElement.textContent === 'Export'");
  await tabTo(page, 'Download');
  const pdf = await readPdf(await downloaded(page, () => page.keyboard.press('Enter')));
  await page.waitForFunction("document.activeElement.textContent === 'Download'");
  expect(pdf.pages.map(({ text: words }) => words)).toEqual([
    expect.stringContaining('Rooms of the north wing'),
    expect.stringContaining('Rooms of the north wing'),
  ]);
});

test('a paragraph and those typed after it get a style of the brand kit by keyboard', {
  tags: ['extended'],
}, async () => {
  const projectId = await newProject(member, 'Paragraph styles');
  const stored = () => storedDocument(member, projectId);
  const styles = [
    { id: 'heading', name: 'Heading', font: 'Lora', fontSize: 24, align: 'center' },
    { id: 'text', name: 'Text', fontSize: 11 },
  ];
  const paragraph = (text: string) => ({ type: 'paragraph', runs: [{ text }] });
  const blocks = [paragraph('Rooms'), paragraph('Oak and linen'), paragraph('Limewash')];
  const element = { id: 'a', type: 'text', x: 20, y: 20, w: 120, h: 80, styleId: 'text', blocks };
  const json = { ...(await stored()), styles, pages: [{ id: 'p', elements: [element] }] };
  expect(await member(`/api/projects/${projectId}/pages`, { method: 'PUT', json })).toMatchObject({
    status: 200,
  });
  const page = await open();
  await openDocument(page, email, projectId);
  const name = 'Text: Rooms Oak and linen Limewash';
  await page.locator(target(name)).click();
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement.matches('[role=textbox][contenteditable=true]')");
  await page.keyboard.press('Tab');
  await page.waitForFunction(focusIs('Paragraph'));
  for (let left = 0; !(await page.evaluate(focusIs('Paragraph style'))); left += 1) {
    expect(left).toBeLessThan(20);
    await page.keyboard.press('ArrowLeft');
  }
  await page.keyboard.press('Enter');
  await tabTo(page, 'Paragraph style', 'on');
  const chosen = () => page.evaluate('document.activeElement.value');
  expect(await chosen()).toBe('As the frame');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction("document.activeElement.ariaExpanded === 'true'");
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement.value === 'Heading'");
  // The first Escape closes the panel and focuses its tool, and the second one returns the focus to the text.
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-tool][aria-label="Paragraph style"][aria-expanded=false]:focus');
  await page.keyboard.press('Escape');
  await page.waitForFunction("document.activeElement.matches('[role=textbox]')");
  // Clicking a tool opens its panel but keeps the focus in the text. Escape closes the panel but does not end editing.
  await page.locator(byRole('button', 'Font and color')).click();
  await page.waitForSelector('[data-tool][aria-label="Font and color"][aria-expanded=true]');
  await page.waitForFunction("document.activeElement.matches('[role=textbox]')");
  await page.keyboard.press('Escape');
  await page.waitForSelector('[data-tool][aria-label="Font and color"][aria-expanded=false]');
  await page.waitForFunction("document.activeElement.matches('[role=textbox]')");
  // A paragraph added after the styled one gets the same style.
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('to live in');
  await page.keyboard.press('Escape');
  const text = await poll('the text is saved', async () => {
    const found = only((await stored()).pages[0], 'text');
    return found.blocks.length === 4 && found;
  });
  const heading = { id: 'heading', font: 'Lora', fontSize: 24, align: 'center' };
  expect(text).toMatchObject({ styleId: 'text', font: null, fontSize: 11, align: 'left' });
  expect(text.blocks).toMatchObject([
    paragraph('Rooms'),
    paragraph('Oak and linen'),
    { ...paragraph('Limewash'), style: heading },
    { ...paragraph('to live in'), style: heading },
  ]);
  expect(text.blocks.map(({ style }) => style !== undefined)).toEqual([false, false, true, true]);
});

test('an inserted element has the focus, so that Delete removes it', { tags: ['extended'] }, async () => {
  const projectId = await newProject(member, 'Focus after insertion');
  const { id: imageId } = await addImage(member, projectId, await picture());
  await storePages(member, projectId, [{ id: 'p', elements: [] }]);
  const page = await open();
  await openDocument(page, email, projectId);
  const isInserted = () => page.waitForSelector('button[data-target]:focus');
  const isRemoved = async () => {
    await page.keyboard.press('Delete');
    await page.waitForSelector('button[data-target]', { hidden: true });
  };
  const items = [
    ['Image', 'Empty frame'],
    ['Table', 'Empty table'],
    ['Shape', 'Rectangle'],
    ['Shape', 'Ellipse'],
    ['Shape', 'Line'],
  ] as const;
  for (const [menu, item] of items) {
    await takeFrom(page, menu, item);
    await isInserted();
    await isRemoved();
  }
  const insertFirst = async (list: string) => {
    await page.locator(`[role=dialog] ul[aria-label="${list}"] button`).click();
    await page.locator(byRole('button', 'Insert')).click();
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await isInserted();
  };
  await takeFrom(page, 'Image', 'From project');
  await insertFirst('Uploaded images');
  await savingIs(page, 'saved');
  expect(only((await storedDocument(member, projectId)).pages[0], 'image')).toMatchObject({ imageId });
  await isRemoved();
  await page.locator(byRole('button', 'Material')).click();
  await insertFirst('Library materials');
  await isRemoved();
  await savingIs(page, 'saved');
  expect((await storedDocument(member, projectId)).pages[0]?.elements).toEqual([]);

  // After Ctrl+A with the focus in the strip of pages, Delete removes the elements of the page but not the page itself.
  await takeFrom(page, 'Shape', 'Rectangle');
  await isInserted();
  await page.locator('[data-open][aria-label="Page 1"]').click();
  await page.waitForFunction(focusIs('Page 1'));
  await pressControl(page, 'a');
  await page.waitForSelector(`${target('Rectangle')}:focus`);
  await isRemoved();
  await savingIs(page, 'saved');
  expect((await storedDocument(member, projectId)).pages).toMatchObject([{ elements: [] }]);
});
