import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { type ReadPage, readPdf } from '@/tests/app/support/read-pdf';
import { unique } from '@/tests/app/support/specs';
import { photo } from '@/tests/pdf/support/documents';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { expectAccessible, expectFitForTwo } from './support/axe';
import { chooseFiles } from './support/choose-file';
import {
  desk,
  downloaded,
  isOpen,
  middleOf,
  only,
  pull,
  savingIs,
  storedDocument,
  takeFrom,
  target,
} from './support/document-pages';
import { give } from './support/give';
import { openBrowser } from './support/open-browser';
import { byRole, openAs } from './support/spec-pages';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';
let files: Awaited<ReturnType<typeof makeDataDir>>;
let member: Api;

beforeAll(async () => {
  files = await makeDataDir();
  member = apiAt(url, (await signIn(env, email)).headers);
});
afterAll(() => files.remove());

/** Creates a project with the form on the project list, and opens its document. Returns the project's id. */
async function newDocument(page: Page, name: string): Promise<string> {
  await openAs(page, email, '/projects');
  await page.locator(byRole('button', 'New project')).click();
  await page.locator('[role=dialog] input').fill(name);
  await expectAccessible(page);
  await page.locator(byRole('button', 'Create')).click();
  await page.locator('::-p-xpath(//nav[@aria-label="Project"]//a[.="Document"])').click();
  await page.locator('::-p-text(No pages yet)').wait();
  await isOpen(page);
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}

async function setTitle(page: Page, title: string): Promise<void> {
  await page.locator('aside input[maxlength="200"]').fill(title);
}

const stripPages = (page: Page) =>
  page.$$eval('nav[aria-label=Pages] [data-open]', (all) =>
    all.map((each) => each.getAttribute('aria-label')),
  );

const textOf = (page: ReadPage | undefined) => page?.text.replace(/\s+/g, ' ') ?? '';

test('three pages are laid out from scratch with the mouse, are kept over a reload, and become a PDF', async () => {
  const name = unique('Harbor');
  const page = await open();
  const projectId = await newDocument(page, name);
  const stored = () => storedDocument(member, projectId);

  await page.locator('::-p-xpath(//main//button[.="Add a page"])').click();
  await page.locator(`${desk}[aria-label="Canvas of page 1: 0 elements"]`).wait();
  await setTitle(page, 'Arrival');

  // Type text into a new element on the canvas, and drag the element until it snaps to the margin.
  await page.locator(byRole('button', 'Text')).click();
  await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
  await page.keyboard.type('Harbor Hotel');
  await page.locator(byRole('button', 'Heading 1')).click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('The lobby is ');
  await page.locator(byRole('button', 'Bold')).click();
  await page.keyboard.type('calm');
  await page.locator(byRole('button', 'Bold')).click();
  await page.keyboard.type(' at dusk.');
  const { x, y } = await middleOf(page, `${desk} .doc-page`);
  await page.mouse.click(x, y - 200);
  const text = target('Text: Harbor Hotel The lobby is calm at dusk.');
  await pull(page, await middleOf(page, text), { x: -41.2, y: -110 }, async () => {
    await page.waitForSelector('[class*=markX]');
  });
  await savingIs(page, 'saved');
  expect(only((await stored()).pages[0], 'text')).toMatchObject({
    x: 18,
    w: 90,
    blocks: [
      { type: 'heading', level: 1, runs: [{ text: 'Harbor Hotel', bold: false }] },
      {
        type: 'paragraph',
        runs: [
          { text: 'The lobby is ', bold: false },
          { text: 'calm', bold: true },
          { text: ' at dusk.', bold: false },
        ],
      },
    ],
  });

  // Insert an image from disk and enlarge it by dragging a corner. The opposite corner stays in place.
  await takeFrom(page, 'Image', 'From project');
  const path = join(files.path, 'lobby.jpg');
  await writeFile(path, (await photo(800, 600)).bytes);
  await chooseFiles(page, '[role=dialog]', path);
  await page.locator('::-p-text(1 image selected)').wait();
  await expectAccessible(page);
  await page.locator(byRole('button', 'Insert')).click();
  const image = target('Image');
  await page.locator(image).wait();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.waitForFunction(`document.querySelector('${desk} .doc-image img')?.naturalWidth > 0`);
  await savingIs(page, 'saved');
  const before = only((await stored()).pages[0], 'image');
  expect(before.w / before.h).toBeCloseTo(4 / 3, 2);
  await pull(page, await middleOf(page, '[data-handle="bottom right"]'), { x: 22, y: 16.5 });
  await savingIs(page, 'saved');
  const after = only((await stored()).pages[0], 'image');
  expect(after).toMatchObject({ x: before.x, y: before.y });
  expect(after.w).toBeGreaterThan(before.w + 15);

  // Use the menu to align a shape with the text. Undo and redo the alignment.
  await takeFrom(page, 'Shape', 'Rectangle');
  await pull(page, await middleOf(page, target('Rectangle')), { x: 20, y: 105 });
  await page.keyboard.down('Shift');
  await page.locator(text).click();
  await page.keyboard.up('Shift');
  await takeFrom(page, 'Arrange', 'Align left');
  const left = () => page.$eval(target('Rectangle'), (shape) => shape.getBoundingClientRect().left);
  const aligned = await left();
  expect(aligned).toBeCloseTo(await page.$eval(text, (each) => each.getBoundingClientRect().left), 1);
  await page.locator(byRole('button', 'Undo')).click();
  await page.waitForFunction(
    `document.querySelector('${target('Rectangle')}').getBoundingClientRect().left > ${aligned} + 20`,
  );
  await page.locator(byRole('button', 'Redo')).click();
  await page.waitForFunction(
    `Math.abs(document.querySelector('${target('Rectangle')}').getBoundingClientRect().left - ${aligned}) < 0.1`,
  );

  // Add a page from a template and then an empty page. Delete the last page and restore it.
  await page.locator(byRole('button', 'Templates')).click();
  await page.locator('[role=dialog] input').fill('The idea');
  await expectAccessible(page);
  await page.locator(byRole('button', 'Title and text')).click();
  await page.locator(`${desk}[aria-label^="Canvas of page 2, The idea"]`).wait();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator('nav[aria-label=Pages] button[aria-label="Add a page"]').click();
  await page.locator(`${desk}[aria-label="Canvas of page 3: 0 elements"]`).wait();
  await setTitle(page, 'Thanks');
  await page.locator(byRole('button', 'Text')).click();
  await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
  await page.keyboard.type('Thank you.');
  await page.keyboard.press('Escape');
  await takeFrom(page, 'More for Page 3: Thanks', 'Delete');
  await page.locator(`${desk}[aria-label^="Canvas of page 2"]`).wait();
  expect(await stripPages(page)).toEqual(['Page 1: Arrival', 'Page 2: The idea']);
  await page.locator('::-p-xpath(//*[contains(., "Page 3 was deleted.")]/following-sibling::button)').click();
  await page.locator(`${desk}[aria-label="Canvas of page 3, Thanks: 1 element"]`).wait();

  // Paste formatted text, cells and an image from other programs.
  await page.locator(target('Text: Thank you.')).click();
  await give(page, 'paste', { html: '<h1>Lobby</h1><ul><li>oak</li></ul>', text: 'Lobby oak' });
  await page.locator(target('Text: Lobby oak')).wait();
  await give(page, 'paste', { text: 'Item\tCount\nLamp\t3' });
  await page.locator(target('Table: Item, Count')).wait();
  await give(page, 'paste', { images: [(await photo(80, 60)).bytes] });
  await page.locator(target('Image')).wait();
  await savingIs(page, 'saved');

  const saved = await stored();
  expect(saved.pages.map(({ title }) => title)).toEqual(['Arrival', 'The idea', 'Thanks']);
  expect(saved.pages[2]?.elements).toMatchObject([
    { type: 'text' },
    { type: 'text', blocks: [{ type: 'heading' }, { type: 'list' }] },
    { type: 'table', columns: [{ label: 'Item' }, { label: 'Count' }], rows: [['Lamp', '3']] },
    { type: 'image' },
  ]);
  expect(only(saved.pages[0], 'shape').x).toBe(only(saved.pages[0], 'text').x);
  await page.reload();
  await isOpen(page);
  await page.locator(`${desk}[aria-label="Canvas of page 3, Thanks: 4 elements"]`).wait();
  expect(await stripPages(page)).toEqual(['Page 1: Arrival', 'Page 2: The idea', 'Page 3: Thanks']);
  await page.locator('[data-open][aria-label="Page 1: Arrival"]').click();
  for (const each of [text, image, target('Rectangle')]) await page.locator(each).wait();
  await expectFitForTwo(page);
  expect(await stored()).toEqual(saved);

  // Add a cover and a table of contents, and put the page number on the default master.
  for (const [label, shown] of [
    ['Cover', 'Cover, page 1'],
    ['Table of contents', 'Contents, page 2'],
  ]) {
    await page.locator(`::-p-xpath(//aside//label[.="${label}"])`).click();
    await page.locator(`${desk}[aria-label="${shown}"]`).wait();
  }
  await page.locator('[data-open][aria-label="Page 3: Arrival"]').click();
  await page.locator(`${desk}[aria-label="Canvas of page 3, Arrival: 3 elements"]`).wait();
  await page.locator(byRole('button', 'Edit master')).click();
  await page.locator(`${desk}[aria-label="Canvas of master, Default: 0 elements"]`).wait();
  await page.locator(byRole('button', 'Insert page number or title')).click();
  await page.locator(byRole('menuitem', 'Page number and total')).click();
  await page.locator(`${desk}[aria-label="Canvas of master, Default: 1 element"]`).wait();
  await page.locator(byRole('button', 'Done')).click();
  await page.locator(`${desk}[aria-label="Canvas of page 3, Arrival: 3 elements"]`).wait();

  await page.locator(byRole('button', 'Export')).click();
  await page.locator('::-p-xpath(//*[@role="dialog"]//button[.="Export"])').click();
  await page.locator('[role=progressbar][aria-label="Export progress"]').wait();
  await page.locator('li[aria-label="Export, Done"]').wait();
  await page.locator('::-p-text(A4, portrait, with cover and contents · 5 pages)').wait();
  await expectFitForTwo(page);
  const pdf = await readPdf(await downloaded(page, () => page.locator(byRole('button', 'Download')).click()));
  expect(pdf).toMatchObject({ title: name, isTagged: true });
  const [cover, contents, ...sheets] = pdf.pages;
  expect(textOf(cover)).toContain(name);
  for (const title of ['Arrival', 'The idea', 'Thanks']) expect(textOf(contents)).toContain(title);
  expect(contents?.targets).toEqual([3, 4, 5]);
  expect(sheets).toHaveLength(3);
  expect(textOf(sheets[0])).toContain('The lobby is calm at dusk.');
  expect(textOf(sheets[0])).toContain('Harbor Hotel');
  expect(textOf(sheets[1])).toContain('The idea');
  for (const part of ['Thank you.', 'Lobby', 'oak', 'Lamp']) expect(textOf(sheets[2])).toContain(part);
  expect(sheets.map(({ images }) => images)).toEqual([1, 0, 1]);
  for (const [index, sheet] of sheets.entries()) expect(textOf(sheet)).toContain(`${index + 3} / 5`);
});

test('several images from disk are each uploaded once and selected, however slow the page is', {
  tags: ['extended'],
}, async () => {
  const page = await open();
  await newDocument(page, unique('Many'));
  await page.locator('::-p-xpath(//main//button[.="Add a page"])').click();
  await takeFrom(page, 'Image', 'From project');
  const { bytes } = await photo(200, 150);
  const names = Array.from({ length: 10 }, (_, i) => `view-${i}.jpg`);
  for (const each of names) await writeFile(join(files.path, each), bytes);
  await writeFile(join(files.path, 'notes.txt'), 'no image');
  // Keep the page busy, so that it receives the last progress event and the response at the same time.
  await page.evaluate(`setInterval(() => {
    const end = Date.now() + 200;
    while (Date.now() < end);
  }, 210)`);
  await chooseFiles(page, '[role=dialog]', ...[...names, 'notes.txt'].map((each) => join(files.path, each)));
  await page.locator('::-p-text(10 images selected)').wait();
  await page.locator('::-p-text(notes.txt is not a PNG, JPEG, WebP or SVG image.)').wait();
  const listed = await page.$$eval('ul[aria-label="Uploaded images"] button[aria-pressed=true]', (all) =>
    all.map((each) => each.getAttribute('aria-label')),
  );
  expect(listed).toEqual([...names].reverse());
});
