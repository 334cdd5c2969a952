import type { Page } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { readPdf } from '@/tests/app/support/read-pdf';
import {
  desk,
  downloaded,
  only,
  openDocument,
  pressControl,
  savingIs,
  storedDocument,
} from './support/document-pages';
import { openBrowser } from './support/open-browser';
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

  // The button in the strip comes first. The one in the middle disappears when it is pressed, so the page gets the
  // focus.
  await tabTo(page, 'Add a page');
  await tabTo(page, 'Add a page');
  await page.keyboard.press('Enter');
  await page.waitForFunction(focusIs('Canvas of page 1: 0 elements'));

  // Add a text, replace its placeholder by typing, make it a heading with the toolbar next to it, and leave it.
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

  // Paste a copy on a second page, move that page to the front, and undo.
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
