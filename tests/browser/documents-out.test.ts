// @module-tag extended
import { expect, inject, test } from 'vitest';
import { documentVersionsResponse, exportsResponse } from '@/lib/export/schema';
import { apiAt } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { exported, textElement } from '@/tests/app/support/exports';
import { signIn } from '@/tests/app/support/people';
import { openDocument, pressControl, savingIs, storedDocument, storePages } from './support/document-pages';
import { openBrowser } from './support/open-browser';
import { byRole } from './support/spec-pages';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';

test('a PDF that is dropped on the editor replaces the document, which can be undone, and some of its pages are exported for a print shop', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const from = await newProject(member, 'Source');
  const pages = ['a', 'b', 'c'].map((id) => ({
    id,
    title: `Room ${id}`,
    elements: [textElement('text', `Text of ${id}`)],
  }));
  const { pdf } = await exported(member, {
    projectId: from,
    pages,
    options: { embedDocument: true },
  });
  const projectId = await newProject(member, 'Target');
  await storePages(member, projectId, [{ id: 'old', elements: [] }]);
  const page = await open();
  await openDocument(page, email, projectId);
  const storedPages = async () => {
    await savingIs(page, 'saved');
    return (await storedDocument(member, projectId)).pages.map(({ id }) => id);
  };

  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${Buffer.from(pdf).toString('base64')}'), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], 'house.pdf', { type: 'application/pdf' }));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  })()`);
  await page.locator('[role=dialog] ::-p-text(house.pdf has 3 pages)').wait();
  await page.locator(byRole('button', 'Replace the document')).click();
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator('[data-desk] ::-p-text(Text of a)').wait();
  expect(await storedPages()).toEqual(['a', 'b', 'c']);
  await pressControl(page, 'z');
  await page.waitForFunction(`!document.body.textContent.includes('Text of a')`);
  expect(await storedPages()).toEqual(['old']);
  await pressControl(page, 'y');
  await page.locator('[data-desk] ::-p-text(Text of a)').wait();
  expect(await storedPages()).toEqual(['a', 'b', 'c']);
  const { version } = await storedDocument(member, projectId);

  await page.locator(byRole('button', 'Export')).click();
  // Wait for the list below the fields, because the fields move when it is loaded.
  await page.locator('[role=dialog] ::-p-text(No exports yet.)').wait();
  const start = '::-p-xpath(//*[@role="dialog"]//button[.="Export"])';
  await page.locator('::-p-xpath(//*[@role="dialog"]//label[.="Range"])').click();
  const range = '[role=dialog] input[aria-label="Page range"]';
  await page.locator(range).fill('2-4');
  await page.locator('[role=dialog] ::-p-text(The last page has the number 3.)').wait();
  expect(await page.$eval(start, (button) => button.hasAttribute('disabled'))).toBe(true);
  await page.locator(range).fill('2-');
  await page.locator('::-p-xpath(//*[@role="dialog"]//label[.="Crop marks"])').click();
  await page.locator('[role=dialog] input[placeholder="{project}"]').fill('Offer v{version}');
  await page.locator(`[role=dialog] ::-p-text(Offer v${version}.pdf)`).wait();
  await page.locator(start).click();
  await page.locator('li[aria-label="Export, Done"]').wait();
  const { body } = await member(`/api/export/jobs?projectId=${projectId}`);
  expect(exportsResponse.parse(body).jobs).toMatchObject([
    {
      pageCount: 2,
      options: { pages: '2-', cropMarks: true, embedDocument: true, fileName: 'Offer v{version}' },
    },
  ]);
});

test('a version is named, viewed and restored page by page or entirely, also from the export that printed it, and a restoration can be undone', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const projectId = await newProject(member, 'History');
  const pages = ['a', 'b'].map((id) => ({
    id,
    title: `Room ${id}`,
    elements: [
      textElement('text', '', { blocks: [{ type: 'list' as const, items: [[{ text: `Text of ${id}` }]] }] }),
    ],
  }));
  await storePages(member, projectId, pages);
  await exported(member, { projectId, pages: (await storedDocument(member, projectId)).pages });
  await storePages(member, projectId, [{ id: 'new', title: 'Hall', elements: [] }]);
  const page = await open();
  await openDocument(page, email, projectId);
  const storedPages = async () => {
    await savingIs(page, 'saved');
    return (await storedDocument(member, projectId)).pages.map(({ id }) => id);
  };

  await page.locator(byRole('button', 'History')).click();
  const dialog = '[role=dialog]';
  await page.locator(`${dialog} ::-p-text(Exported)`).wait();
  await page.locator(byRole('button', 'Name this version')).click();
  await page.locator(`${dialog} input`).fill('Only the hall');
  await page.locator(byRole('button', 'Save')).click();
  await page.locator(`${dialog} ::-p-text(Only the hall)`).wait();
  await page.locator(`${dialog} ::-p-text(1 page added, 2 removed)`).wait();
  await page.locator(`${dialog} ::-p-text(Version 1)`).click();
  await page.locator(`${dialog} ::-p-text(Text of b)`).wait();
  // Any `content-visibility` other than `visible` implies CSS containment, which would clip the bullet that is drawn
  // outside its list item.
  expect(await page.$eval(`${dialog} .doc-text li`, (item) => getComputedStyle(item).contentVisibility)).toBe(
    'visible',
  );
  await page.locator(byRole('button', 'Restore page 2')).click();
  await page.waitForSelector(dialog, { hidden: true });
  await page.locator('[data-desk] ::-p-text(Text of b)').wait();
  expect(await storedPages()).toEqual(['new', 'b']);

  await page.locator(byRole('button', 'Export')).click();
  await page.locator(byRole('button', 'Restore this version')).click();
  await page.locator(byRole('button', 'Restore all')).click();
  await page.waitForSelector(dialog, { hidden: true });
  await page.locator('nav ::-p-text(Room a)').wait();
  expect(await storedPages()).toEqual(['a', 'b']);
  await pressControl(page, 'z');
  await page.waitForFunction(`!document.querySelector('nav')?.textContent.includes('Room a')`);
  expect(await storedPages()).toEqual(['new', 'b']);
  const { body } = await member(`/api/projects/${projectId}/pages/versions`);
  // Each restoration kept the version that it replaced.
  expect(documentVersionsResponse.parse(body).versions.map(({ version, name }) => [version, name])).toEqual([
    [3, null],
    [2, 'Only the hall'],
    [1, null],
  ]);
});

test('the export panel says how many images of a running export are ready, until all are', async () => {
  const member = apiAt(url, (await signIn(env, email)).headers);
  const projectId = await newProject(member, 'Photos');
  await storePages(member, projectId, [{ id: 'a', elements: [] }]);
  const sql = openDatabase();
  const jobId = await sql.begin(async (transaction) => {
    const [job] = await transaction<[{ id: string }]>`
      insert into public.export_jobs (project_id, snapshot, input_sha256, images_total)
      values (${projectId}, '{}', ${'0'.repeat(64)}, 40) returning id`;
    // Delete the work item, so that no worker processes the export and only the test changes it.
    await transaction`delete from private.work_items where subject_id = ${job.id}`;
    return job.id;
  });
  const report = (images: number) =>
    sql`update public.export_jobs set images_done = ${images} where id = ${jobId}`;
  const page = await open();
  await openDocument(page, email, projectId);
  await page.locator(byRole('button', 'Export')).click();
  await page.locator('li[aria-label="Export, Processing"] ::-p-text(0 of 40 images ready)').wait();
  await report(25);
  await page.locator('li[aria-label="Export, Processing"] ::-p-text(25 of 40 images ready)').wait();
  await report(40);
  await page.waitForFunction(`!document.body.textContent.includes('images ready')`);
  await page.waitForSelector('li[aria-label="Export, Processing"]');
  await sql.end();
});
