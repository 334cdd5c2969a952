// @module-tag extended
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { addImage, picture } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { chooseFiles } from './support/choose-file';
import {
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

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';
const dialog = '[role=dialog]';

test('changing the paper asks whether to scale the elements, a replaced image keeps its description, and dialogs edit cells and choose images and materials', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const projectId = await newProject(member, 'Dialogs');
  const { id: imageId } = await addImage(member, projectId, await picture(1200, 900));
  const { id: otherId } = await addImage(member, projectId, await picture(600, 600));
  const rows = Array.from({ length: 12 }, (_, index) => [`Lamp ${index}`, 'Brass']);
  await storePages(member, projectId, [
    {
      id: 'p',
      elements: [
        { id: 'i', type: 'image', x: 20, y: 20, w: 80, h: 60, imageId, alt: 'The lobby' },
        {
          id: 't',
          type: 'table',
          ...{ x: 20, y: 150, w: 150, h: 100 },
          columns: [{ label: 'Item' }, { label: 'Metal' }],
          rows,
        },
      ],
    },
  ]);
  const page = await open();
  await openDocument(page, email, projectId);
  const stored = async () => {
    await savingIs(page, 'saved');
    const document = await storedDocument(member, projectId);
    return { ...document, image: only(document.pages[0], 'image') };
  };

  // The user chooses whether the elements are scaled with the paper or keep their size.
  const changeTo = async (orientation: string, fit: string) => {
    await page.locator(`::-p-xpath(//aside//label[.="${orientation}"])`).click();
    await page.locator(`::-p-xpath(//*[@role="dialog"]//label[.="${fit}"])`).click();
    await page.locator(byRole('button', `Change to A4, ${orientation.toLowerCase()}`)).click();
    await page.waitForSelector(dialog, { hidden: true });
  };
  await changeTo('Landscape', 'Scale to fit the new paper');
  const scaled = await stored();
  expect(scaled.orientation).toBe('landscape');
  expect(scaled.image.h).toBeCloseTo((60 * 210) / 297, 1);
  expect(scaled.image.w / scaled.image.h).toBeCloseTo(4 / 3, 2);
  await changeTo('Portrait', 'Keep size and position');
  expect((await stored()).image).toEqual(scaled.image);

  // After the dialog closes, keyboard shortcuts act on the image again.
  await page.locator(target('Image: The lobby')).click();
  await page.locator(byRole('button', 'Replace image')).click();
  await page.locator('[role=dialog] ul[aria-label="Uploaded images"] li:first-child button').click();
  await page.locator(byRole('button', 'Replace')).click();
  await page.waitForSelector(dialog, { hidden: true });
  await page.waitForSelector(`${target('Image: The lobby')}:focus`);
  await pressControl(page, 'l');
  const { image: replaced } = await poll('the image is locked', async () => {
    const found = await stored();
    return found.image.locked && found;
  });
  expect(replaced).toMatchObject({ imageId: otherId, alt: 'The lobby' });

  // A row number with two digits fits on one line, and Enter goes to the next row.
  await page.locator('button[data-target="t"]').click();
  await page.locator(byRole('button', 'Edit cells')).click();
  const heightOf = (row: number) =>
    page.$eval(`[role=dialog] tbody tr:nth-child(${row}) th`, (cell) => cell.getBoundingClientRect().height);
  await page.locator('[role=dialog] input[aria-label="Row 1, column 2"]').click();
  expect(await heightOf(12)).toBe(await heightOf(1));
  await page.keyboard.press('Enter');
  await page.waitForSelector('[role=dialog] input[aria-label="Row 2, column 2"]:focus');
  await page.keyboard.press('Escape');
  await page.waitForSelector(dialog, { hidden: true });

  // An uploaded image is added to the selection and does not replace it.
  const files = await makeDataDir();
  try {
    await takeFrom(page, 'Image', 'From project');
    await page.locator('[role=dialog] ul[aria-label="Uploaded images"] li:first-child button').click();
    const path = join(files.path, 'stairs.png');
    await writeFile(path, await picture());
    await chooseFiles(page, dialog, path);
    await page.locator('[role=dialog] ::-p-text(2 images selected)').wait();
  } finally {
    await files.remove();
  }
  await page.keyboard.press('Escape');
  await page.waitForSelector(dialog, { hidden: true });

  await page.locator(byRole('button', 'Material')).click();
  const materials = '[role=dialog] ul[aria-label="Library materials"] li';
  await page.waitForSelector(materials);
  const first = (await page.$$(materials)).length;
  await page.locator(byRole('button', 'Show more')).click();
  await page.waitForFunction(`document.querySelectorAll('${materials}').length > ${first}`);
  await page.keyboard.press('Escape');
  await page.waitForSelector(dialog, { hidden: true });

  // The preview loads scaled-down versions of the images, and loads each only when it scrolls into view.
  await page.locator(byRole('button', 'Preview')).click();
  const frame = await (await page.waitForSelector('iframe[title="Preview of the document"]'))?.contentFrame();
  const image = await frame?.waitForSelector('.doc-image img');
  expect(await image?.evaluate((element) => element.getAttribute('loading'))).toBe('lazy');
  expect(await image?.evaluate((element) => element.getAttribute('srcset'))).toContain('/pages/images?');
});
