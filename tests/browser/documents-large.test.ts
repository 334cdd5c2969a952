import type { Page } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import type { PageInput } from '@/lib/document/page-model';
import { type Api, apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import {
  desk,
  middleOf,
  openDocument,
  pull,
  savingIs,
  storedDocument,
  storePages,
} from './support/document-pages';
import { openBrowser } from './support/open-browser';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';
let member: Api;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, email)).headers);
});

function fullPage(number: number, elements: number): PageInput {
  return {
    id: `page-${number}`,
    title: `Room ${number}`,
    elements: Array.from({ length: elements }, (_, index) => {
      const frame = { x: 12 + (index % 5) * 37, y: 12 + Math.floor(index / 5) * 27, w: 35, h: 25 };
      const id = `element-${index}`;
      return index % 2 === 0
        ? { id, type: 'shape' as const, kind: 'rect' as const, ...frame, fill: '#d8d4cc' }
        : {
            ...{ id, type: 'text' as const, ...frame, fontSize: 8 },
            blocks: [{ type: 'paragraph' as const, runs: [{ text: `Words ${number}.${index}` }] }],
          };
    }),
  };
}

/** Returns how many pages of the strip are in the DOM, and how many of them are visible. */
async function drawn(page: Page): Promise<{ inDom: number; inSight: number }> {
  return (await page.evaluate(`(() => {
    const all = [...document.querySelectorAll('nav[aria-label=Pages] [data-open]')];
    const room = document.querySelector('nav[aria-label=Pages] ol').parentElement.getBoundingClientRect();
    const seen = all.filter((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      return bottom > room.top && top < room.bottom;
    });
    return { inDom: all.length, inSight: seen.length };
  })()`)) as { inDom: number; inSight: number };
}

/** The number of pages beyond each edge of the strip that are rendered although they are not visible yet. */
const AHEAD = 3;

/** Scrolls and drags through a document with this many pages and this many elements on each. */
async function expectFewRendered(pages: number, elements: number): Promise<void> {
  const projectId = await newProject(member, 'Tower');
  await storePages(
    member,
    projectId,
    Array.from({ length: pages }, (_, index) => fullPage(index + 1, elements)),
  );
  const page = await open();
  await openDocument(page, email, projectId);
  const canvasOf = (number: number) =>
    `${desk}[aria-label="Canvas of page ${number}, Room ${number}: ${elements} elements"]`;
  await page.locator(canvasOf(1)).wait();
  const expectFew = async () => {
    const { inDom, inSight } = await drawn(page);
    expect(inSight).toBeGreaterThan(0);
    expect(inDom).toBeLessThanOrEqual(inSight + 2 * AHEAD);
    expect(await page.$$eval('[data-element]', (all) => all.length)).toBe((inDom + 1) * elements);
  };
  await expectFew();

  // Scroll to the end with the wheel, past all pages in between.
  const strip = await middleOf(page, 'nav[aria-label=Pages] ol');
  await page.mouse.move(strip.x, 500);
  const last = `[data-open][aria-label="Page ${pages}: Room ${pages}"]`;
  for (let turn = 0; turn < 60 && !(await page.$(last)); turn += 1) {
    await page.mouse.wheel({ deltaY: 1000 });
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
  await page.locator(last).wait();
  await expectFew();
  await page.locator(last).click();
  await page.locator(canvasOf(pages)).wait();
  await expectFew();

  const pulled = 'button[data-target=element-1]';
  await pull(page, await middleOf(page, pulled), { x: 25, y: 60 }, expectFew);
  await savingIs(page, 'saved');
  const stored = await storedDocument(member, projectId);
  expect(stored.pages).toHaveLength(pages);
  expect(stored.pages[pages - 1]?.elements[1]?.y).toBeGreaterThan(12 + 50);
  expect(stored.pages[pages - 2]?.elements[1]?.y).toBe(12);
}

test('only the visible ones of 50 pages are rendered, wherever the user scrolls and drags', async () => {
  await expectFewRendered(50, 4);
});

test('only the visible ones of 200 pages with 50 elements each are rendered, wherever the user scrolls and drags', {
  tags: ['extended'],
}, async () => {
  await expectFewRendered(200, 50);
});
