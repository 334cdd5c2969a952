// @module-tag extended
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import type { PageInput } from '@/lib/document/page-model';
import { type Api, apiAt } from '@/tests/app/support/api';
import { exported, onePage, textElement } from '@/tests/app/support/exports';
import { signIn } from '@/tests/app/support/people';
import { addImage, picture } from '@/tests/app/support/pictures';
import { expectFitForAll, lookAs, type Scheme } from './support/axe';
import { desk, isOpen, openDocument, storePages, takeFrom, target } from './support/document-pages';
import { desktop, openBrowser, phone } from './support/open-browser';
import { byRole } from './support/spec-pages';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';
let member: Api;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, email)).headers);
});

/**
 * Returns a page with a guide, text that is too long for its frame, an image with too few pixels, and at least one
 * element of each other type.
 */
function pageWithAll(imageId: string): PageInput {
  return {
    id: 'all',
    title: 'A title that takes more room than a strip of pages has',
    guides: [{ axis: 'x', at: 195 }],
    elements: [
      textElement('long', 'Words that do not fit. '.repeat(40), { h: 10 }),
      { id: 'image', type: 'image', x: 20, y: 60, w: 80, h: 60, imageId, alt: 'A lobby' },
      { id: 'frame', type: 'image', x: 110, y: 60, w: 80, h: 60 },
      { id: 'shape', type: 'shape', kind: 'ellipse', x: 20, y: 130, w: 60, h: 40, fill: '#2f5d50' },
      {
        id: 'oak',
        type: 'material',
        x: 110,
        y: 130,
        w: 60,
        h: 70,
        materialId: 'ModernArmChair_01',
        title: 'Oak',
      },
      {
        id: 'rows',
        type: 'table',
        x: 20,
        y: 210,
        w: 170,
        h: 40,
        columns: [{ label: 'Item' }],
        rows: [['Oak']],
      },
    ],
  };
}

/** Closes the open dialog and waits until it is gone. */
async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
}

const looks = (['light', 'dark'] as const).flatMap((scheme) =>
  [desktop, phone].map((size) => [scheme, size] as [Scheme, typeof phone]),
);

test('an empty document, its templates and its pickers are accessible', async () => {
  const projectId = await newProject(member, 'A name that takes more than one line on a phone');
  await addImage(member, projectId);
  const page = await open();
  await openDocument(page, email, projectId);
  await expectFitForAll(page);
  // In a toolbar that is at least 900 px wide, “Export” stays visible even if the buttons do not all fit.
  for (const width of [1000, desktop.width]) {
    await lookAs(page, 'light', { ...desktop, width });
    const bounds = await page.$eval(
      byRole('button', 'Export'),
      (button) => button.getBoundingClientRect().right,
    );
    expect(bounds, `${width} px`).toBeLessThan(width);
  }
  await page.locator(byRole('button', 'Templates')).click();
  await page.locator('::-p-text(New page from a template)').wait();
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Blank page')).click();
  await page.locator(`${desk}[aria-label^="Canvas of page 1"]`).wait();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await takeFrom(page, 'Image', 'From project');
  await page.locator('[role=dialog] button[aria-pressed=false]').click();
  await page.locator('::-p-text(1 image selected)').wait();
  await expectFitForAll(page);
  await closeDialog(page);
  await page.locator(byRole('button', 'Material')).click();
  await page.locator('[role=dialog] button[aria-pressed=false] img').wait();
  await expectFitForAll(page);
  await closeDialog(page);
});

test('a page with a selection, its settings, an image being cropped and a text being edited are accessible', async () => {
  const projectId = await newProject(member, 'Fit');
  const image = await addImage(member, projectId);
  await storePages(member, projectId, [pageWithAll(image.id), onePage('Second')]);
  const page = await open();
  await openDocument(page, email, projectId);
  await expectFitForAll(page);
  for (const [words, index] of [
    ['Image: A lobby', 1],
    ['Material: Oak', 4],
    ['Table: Item', 5],
    ['Ellipse', 3],
  ] as const) {
    await page.locator(target(words)).click();
    await page.locator(`${target(words)}[aria-pressed=true]`).wait();
    await expectFitForAll(page, index === 1 ? [desktop, phone] : [desktop]);
  }
  await lookAs(page, 'light', phone);
  await page.locator(byRole('button', 'Settings')).click();
  await page.locator('[role=dialog]').wait();
  await expectFitForAll(page, [phone]);
  await lookAs(page, 'light', desktop);
  await page.waitForSelector('[role=dialog]', { hidden: true });

  await page.locator(target('Image: A lobby')).click({ count: 2 });
  await page.locator('[role=toolbar][aria-label=Crop]').wait();
  await expectFitForAll(page);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[aria-label=Crop]', { hidden: true });

  await page.locator('button[data-target^=long]').click({ count: 2 });
  await page.locator('[aria-label="Text formatting"]').wait();
  for (const [scheme, size] of looks) {
    await lookAs(page, scheme, size);
    await page.focus('[contenteditable=true]');
    await expectFitForAll(page, [size]);
  }
});

test('the export dialog with warnings, and the preview, are accessible', async () => {
  const projectId = await newProject(member, 'Warned');
  const image = await addImage(member, projectId, await picture(64, 48));
  const document = await storePages(member, projectId, [pageWithAll(image.id)]);
  const { job } = await exported(member, { projectId, pages: document.pages });
  expect(job.warnings.map(({ code }) => code).sort()).toEqual([
    'image_missing',
    'low_resolution',
    'text_overflow',
  ]);
  const page = await open();
  await openDocument(page, email, projectId);
  await isOpen(page);
  await page.locator(byRole('button', 'Export')).click();
  await page.locator('li[aria-label="Export, Done"]').wait();
  await page.locator('::-p-text(3 warnings)').wait();
  await expectFitForAll(page);
  // Clicking a warning selects its element.
  await page.locator('ul[aria-label=Warnings] button').click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.waitForSelector('button[data-target][aria-pressed=true]');

  await page.locator(byRole('button', 'Preview')).click();
  const frame = await page.waitForSelector('iframe[title="Preview of the document"]');
  await (await frame?.contentFrame())?.waitForSelector('.doc-sheet');
  await page.waitForSelector('[aria-label="Loading preview"]', { hidden: true });
  await expectFitForAll(page);
});
