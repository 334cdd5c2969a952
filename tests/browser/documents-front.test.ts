// @module-tag extended
import { expect, inject, test } from 'vitest';
import { apiAt } from '@/tests/app/support/api';
import { signIn } from '@/tests/app/support/people';
import { addImage, picture } from '@/tests/app/support/pictures';
import { expectFitForAll } from './support/axe';
import { openDocument, savingIs, storedDocument, storePages } from './support/document-pages';
import { desktop, openBrowser } from './support/open-browser';
import { byRole } from './support/spec-pages';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';

test('the cover and the contents are laid out in their settings: image position, font, alignment and master', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const projectId = await newProject(member, 'Front');
  const { id: imageId } = await addImage(member, projectId, await picture(1200, 900));
  const document = await storePages(member, projectId, [{ id: 'p', title: 'Lobby', elements: [] }]);
  const front = { includecover: true, includeToc: true, cover: { title: 'House', imageId } };
  const json = { ...document, ...front };
  expect((await member(`/api/projects/${projectId}/pages`, { method: 'PUT', json })).status).toBe(200);
  const page = await open();
  await openDocument(page, email, projectId);
  const stored = async () => {
    await savingIs(page, 'saved');
    return storedDocument(member, projectId);
  };
  const choose = (group: string, label: string) =>
    page.locator(`::-p-xpath(//aside//*[@aria-label="${group}"]//label[.="${label}"])`).click();

  await page.locator(byRole('button', 'Cover, page 1')).click();
  await choose('Image position', 'Left of text');
  await choose('Alignment', 'Right');
  await choose('Vertical alignment', 'Middle');
  await page.locator('::-p-xpath(//aside//label[.="Fit title size to the cover"])').click();
  await page.locator('aside ::-p-aria(Title size)').fill('48');
  await page.locator('aside ::-p-aria([name="Font"][role="combobox"])').fill('Lora');
  await page.locator(byRole('option', 'Lora')).click();
  expect((await stored()).cover).toMatchObject({
    layout: 'left',
    align: 'right',
    valign: 'middle',
    titleSize: 48,
    font: 'Lora',
  });
  await expectFitForAll(page, [desktop]);

  // A new master opens for editing and is assigned to the cover.
  await page.locator(byRole('button', 'New master')).click();
  await page.locator(byRole('button', 'Text')).click();
  await page.waitForSelector('[role=textbox][contenteditable=true]:focus');
  await page.keyboard.type('Studio Nord');
  await page.keyboard.press('Escape');
  const { cover, masters } = await stored();
  expect(masters.map(({ id }) => id)).toContain(cover.masterId);

  await page.locator(byRole('button', 'Contents, page 2')).click();
  // The CSS rules of the Chinese, Japanese and Korean fonts are large, so they are loaded only when they are needed.
  const hasJapanese = "[...document.fonts].some(({ family }) => family.includes('Noto Sans JP'))";
  expect(await page.evaluate(hasJapanese)).toBe(false);
  await page.locator('aside ::-p-aria(Heading)').fill('もくじ');
  await page.waitForFunction(hasJapanese);
  await page.locator('aside ::-p-aria(Heading)').fill('Rooms');
  await page.locator('aside ::-p-aria([name="Master"][role="combobox"])').click();
  await page.locator(byRole('option', 'Master 2')).click();
  await page.locator('[data-desk][aria-label="Contents, page 2"] ::-p-text(Studio Nord)').wait();
  expect((await stored()).contents).toMatchObject({ title: 'Rooms', masterId: cover.masterId });
  await page.locator(byRole('button', 'Cover, page 1')).click();
  await page.locator('[data-desk][aria-label="Cover, page 1"] ::-p-text(Studio Nord)').wait();
});
