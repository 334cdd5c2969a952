import type { Page } from 'puppeteer-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { projectDocument } from '@/lib/document/schema';
import { messagesResponse } from '@/lib/image-gen/schema';
import { imagesResponse } from '@/lib/projects/schema';
import { type Api, apiAt } from '@/tests/app/support/api';
import { reportImage } from '@/tests/app/support/image-jobs';
import { signIn } from '@/tests/app/support/people';
import { picture, putOutput } from '@/tests/app/support/pictures';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { expectAccessible, expectFitForAll, expectFitForTwo } from './support/axe';
import { chooseFile } from './support/choose-file';
import { desktop, openBrowser, phone } from './support/open-browser';
import { byRole, isLive } from './support/spec-pages';
import {
  bringImages,
  jobRow,
  jobsOf,
  jobTitle,
  newProject,
  openStudio,
  promptCard,
  refine,
  showsImage,
  showsImages,
  startJob,
} from './support/studio-pages';
import { tabTo } from './support/tab-to';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const [memberEmail, colleagueEmail] = ['member@atelier.test', 'stranger@atelier.test'];
let member: Api;
let files: Awaited<ReturnType<typeof makeDataDir>>;

beforeAll(async () => {
  files = await makeDataDir();
  member = apiAt(url, (await signIn(env, memberEmail)).headers);
});
afterAll(() => files.remove());

/** Returns a function that reads an image's color at a point, given as fractions of the width and height. */
async function readPixels(source: string | null | undefined) {
  const image = sharp(await (await fetch(source ?? '')).arrayBuffer()).removeAlpha();
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return (x: number, y: number) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return data.toString('hex', at, at + 3);
  };
}

/** Paints the upper half of the image as the region, in the open painting dialog. */
async function paintUpperHalf(page: Page): Promise<void> {
  const area = await page.waitForSelector('[role=application]');
  await page.waitForFunction(
    "document.querySelector('[role=application]').parentElement.querySelector('img').naturalWidth > 0",
  );
  await page.locator('::-p-xpath(//*[@role="dialog"]//label[.="Rectangle"])').click();
  const { x = 0, y = 0, width = 0, height = 0 } = (await area?.boundingBox()) ?? {};
  await page.mouse.move(x + 1, y + 1);
  await page.mouse.down();
  await page.mouse.move(x + width - 1, y + height / 2, { steps: 2 });
  await page.mouse.up();
  await expectAccessible(page);
  await page.locator(byRole('button', 'Use region')).click();
}

/** Checks that Escape closes only the painting dialog, and then paints the upper half of the image to swap. */
async function paintInSwapDialog(page: Page): Promise<void> {
  const editRegion = '[role=dialog] button[aria-haspopup=dialog]';
  await page.locator(editRegion).click();
  await page.waitForSelector('[role=application]');
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=application]', { hidden: true });
  await page.waitForFunction("document.activeElement.textContent === 'Edit a region'");
  await page.locator(editRegion).click();
  await paintUpperHalf(page);
  await page.waitForFunction("document.activeElement.textContent === 'Change region'");
}

/** Returns whether an image differs from another one near the top and near the bottom, in the middle of its width. */
async function changedHalves(image?: { url: string | null }, other?: { url: string | null }) {
  const [read, readOther] = await Promise.all([image, other].map((each) => readPixels(each?.url)));
  return [0.25, 0.75].map((y) => read?.(0.5, y) !== readOther?.(0.5, y));
}

const sameDocument = 'window.sameDocument';
const prompt = 'textarea[placeholder^="A quiet hotel lobby"]';

describe('an image job', () => {
  test('a double click on Generate starts one image job; its images appear for all viewers, and the upper half of the second one is refined', async () => {
    const projectId = await newProject(member, 'Harbor', { [colleagueEmail]: 'editor' });
    const [page, other] = [await open(), await open()];
    await openStudio(page, memberEmail, projectId);
    await openStudio(other, colleagueEmail, projectId);
    for (const each of [page, other]) await each.evaluate(`${sameDocument} = 'yes'`);

    await page.locator(prompt).fill('A lobby at dusk, oak and linen');
    await page.locator(byRole('button', 'Generate')).click({ count: 2 });
    await page.locator(promptCard(1)).wait();
    // On the colleague's page, the job appears in the list, opens, and progresses without a reload.
    await other.locator(jobRow('A lobby at dusk, oak and linen')).click();
    await other.locator(promptCard(1)).wait();
    await Promise.all([page, other].map((each) => showsImages(each, 1)));
    await other.locator(jobRow('A lobby at dusk, oak and linen', 'succeeded')).wait();
    const jobs = await jobsOf(member, projectId);
    expect(jobs.map((job) => job.prompt)).toEqual(['A lobby at dusk, oak and linen']);
    const jobId = jobs[0]?.jobId;
    expect(new URL(page.url()).searchParams.get('job')).toBe(jobId);

    await page.locator(byRole('button', 'Refine image 1.2')).click();
    await page.locator(byRole('button', 'Edit a region')).click();
    await paintUpperHalf(page);
    await refine(page, 'Warmer light');
    await page.locator(promptCard(2, undefined, 'from a region of 1.2')).wait();
    await Promise.all([page, other].map((each) => showsImages(each, 2)));
    const chat = messagesResponse.parse((await member(`/api/image-gen/jobs/${jobId}/messages`)).body);
    const second = chat.variants.filter(({ run }) => run === 1)[1];
    expect(chat.messages[1]).toMatchObject({ prompt: 'Warmer light', variantId: second?.variant_id });
    const refined = chat.variants.find(({ run }) => run === 2);
    expect(await changedHalves(second, refined)).toEqual([true, false]);
    for (const each of [page, other]) expect(await each.evaluate(sameDocument)).toBe('yes');
    await expectFitForTwo(page);
  });

  test('an image is refined in a region painted by mouse and keyboard, with its own seed, material and number of images', {
    tags: ['extended'],
  }, async () => {
    const projectId = await newProject(member, 'Studio of regions');
    const { jobId } = await startJob(member, projectId, 'A lobby in grey');
    const page = await open();
    await openStudio(page, memberEmail, projectId, `?job=${jobId}`);
    await page.locator(byRole('button', 'Open image 1.1')).click();
    await page.locator('[role=dialog] button[aria-label="Edit a region"]').click();
    const area = await page.waitForSelector('[role=application]');
    await page.waitForFunction("document.querySelector('[role=dialog] img')?.naturalWidth > 0");
    const { x = 0, y = 0, width = 0, height = 0 } = (await area?.boundingBox()) ?? {};
    // Paint a stroke in the upper right quarter and undo it, then paint one in the upper left quarter.
    for (const share of [0.75, 0.25]) {
      await page.mouse.move(x + width * share, y + height * 0.1);
      await page.mouse.down();
      await page.mouse.move(x + width * share, y + height * 0.4, { steps: 4 });
      await page.mouse.up();
      if (share > 0.5) await page.locator(byRole('button', 'Undo')).click();
    }
    // Use the keyboard to paint a rectangle that starts at the center of the image and lies in the lower right quarter.
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.locator('::-p-xpath(//*[@role="dialog"]//label[.="Rectangle"])').click();
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.focus('[role=application]');
    await page.keyboard.press('Space');
    await page.locator('::-p-text(Painting at 50% from the left, 50% from the top.)').wait();
    await page.keyboard.down('Shift');
    for (let n = 0; n < 4; n += 1) {
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.up('Shift');
    await page.keyboard.press('Space');
    await page.locator(byRole('button', 'Use region')).click();
    await page.locator('::-p-text(Refining a region of 1.1)').wait();
    // A reload keeps the region, as it keeps the prompt's text.
    await page.reload();
    await isLive(page);
    await page.locator('::-p-text(Refining a region of 1.1)').wait();

    await page.locator(byRole('button', 'Images')).click();
    const count = await page.waitForSelector('[role=dialog] select');
    await count?.select('2');
    await page.keyboard.press('Escape');
    await page.locator(byRole('button', 'Seed')).click();
    await page.locator(byRole('button', 'Use the seed of image 1.1')).click();
    await page.keyboard.press('Escape');
    await page.locator('textarea[aria-label="What should change"]').click();
    // The text after the `@` becomes the search query even if it is typed before the dialog has opened.
    await page.keyboard.type('Red @marble');
    await page.waitForFunction(
      "document.querySelector('[role=dialog] input[type=search]')?.value === 'marble'",
    );
    const material = await page.waitForSelector(
      'ul[aria-label="Library materials"] button[aria-label*=Marble]',
    );
    await material?.click();
    await page.locator(byRole('button', 'Done')).click();
    await page.waitForFunction("document.activeElement.getAttribute('aria-label') === 'What should change'");
    await page.keyboard.type('marble');
    await page.keyboard.press('Enter');
    await page.locator(promptCard(2, 'succeeded', 'Red marble')).wait();
    await Promise.all(['2.1', '2.2'].map((label) => showsImage(page, label)));
    expect(await page.$('button[aria-label="Open image 2.3"]')).toBeNull();

    const chat = messagesResponse.parse((await member(`/api/image-gen/jobs/${jobId}/messages`)).body);
    const [original, changed] = [1, 2].map((run) => chat.variants.find((variant) => variant.run === run));
    expect(chat.messages[1]).toMatchObject({
      variantId: original?.variant_id,
      options: { count: 2, seed: original?.meta?.seed },
      materialIds: [expect.any(String)],
    });
    const pixels = await Promise.all([original, changed].map((variant) => readPixels(variant?.url)));
    const isChanged = (atX: number, atY: number) => {
      const [before, after] = pixels.map((read) => read(atX, atY));
      return before !== after;
    };
    expect([isChanged(0.25, 0.25), isChanged(0.75, 0.75)]).toEqual([true, true]);
    expect([isChanged(0.75, 0.25), isChanged(0.25, 0.75)]).toEqual([false, false]);

    // Go back to the first image, which is then selected for the next refinement.
    await page.locator(promptCard(2, undefined, 'from a region of 1.1')).wait();
    await page.locator(byRole('button', 'Show image 1.1 in the conversation')).click();
    await page.locator('button[aria-label="Refine image 1.1"][aria-pressed=true]').wait();
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Open image 1.1');
  });

  test('an image job starts from an image on disk, chosen after a file that is not an image was rejected', {
    tags: ['extended'],
  }, async () => {
    const projectId = await newProject(member, 'Atrium');
    const page = await open();
    await openStudio(page, memberEmail, projectId);
    await chooseFile(page, files.path, 'notes.txt', 'not an image');
    await page.locator('::-p-text(notes.txt is not a PNG, JPEG, WebP or SVG image.)').wait();
    await chooseFile(page, files.path, 'hall.png', await picture());
    await page.locator(byRole('button', 'Remove image')).wait();
    expect(await page.$('::-p-text(notes.txt)')).toBeNull();
    await page.locator(prompt).fill('The same hall at night [silent]');
    await page.locator(byRole('button', 'Generate')).click();
    await page.locator(promptCard(1)).wait();
    const { images } = imagesResponse.parse((await member(`/api/projects/${projectId}/images`)).body);
    expect(images.map(({ fileName }) => fileName)).toEqual(['hall.png']);
    expect((await jobsOf(member, projectId))[0]?.inputImageId).toBe(images[0]?.id);
  });

  test('an image job continues over a reload, and the draft of a prompt is kept', {
    tags: ['extended'],
  }, async () => {
    const projectId = await newProject(member, 'Quay');
    const page = await open();
    await openStudio(page, memberEmail, projectId);
    await page.locator(prompt).fill('A reading room with a long table [silent]');
    await page.locator(byRole('button', 'Generate')).click();
    await page.locator(promptCard(1, 'running')).wait();
    const change = 'textarea[aria-label="What should change"]';
    await page.locator(change).fill('With a lamp on the table');
    await page.reload();
    await isLive(page);
    await page.locator(jobTitle('A reading room with a long table [silent]')).wait();
    await page.locator(promptCard(1, 'running')).wait();
    const [job] = await jobsOf(member, projectId);
    await bringImages(job?.jobId ?? '', projectId);
    await showsImages(page, 1);
    expect(await page.$eval(change, (field) => field.value)).toBe('With a lamp on the table');
    await page.locator(byRole('button', 'Refine')).click();
    await showsImages(page, 2);
    expect(await jobsOf(member, projectId)).toHaveLength(1);
  });

  test('an image job that fails shows the reason, and succeeds when it is retried', async () => {
    const projectId = await newProject(member, 'Mill');
    const page = await open();
    await openStudio(page, memberEmail, projectId);
    await page.locator(prompt).fill('A staircase [fail-once]');
    await page.locator(byRole('button', 'Generate')).click();
    await page.locator(promptCard(1, 'failed', 'Generation failed')).wait();
    const [job] = await jobsOf(member, projectId);
    expect(job?.error).toMatch(/\w{3}/);
    // The page shows another message until the reason is loaded.
    await page.waitForFunction(`document.querySelector('article').textContent.includes('${job?.error}')`);
    await page.locator(byRole('button', 'Try again')).click();
    await showsImages(page, 1);
    expect(await page.$(promptCard(1, undefined, 'Generation failed'))).toBeNull();
    expect(await page.$(promptCard(2))).toBeNull();
  });

  test('an image job shows its progress, and its first image before the end', {
    tags: ['extended'],
  }, async () => {
    const projectId = await newProject(member, 'Loft');
    const { jobId } = await startJob(member, projectId, 'A loft with a skylight [silent]', 'running');
    const page = await open();
    await openStudio(page, memberEmail, projectId, `?job=${jobId}`);
    await page.locator(promptCard(1, 'running')).wait();
    const path = await putOutput({ projectId, jobId, run: 1, name: 'first.png' });
    const output_paths = [{ variant_id: 'v1', path }];
    const note = 'Image 1 of 4 is drawn';
    const body = { job_id: jobId, status: 'running', progress: 0.25, note, output_paths };
    await reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, body, 1);
    await page.waitForSelector('article [role="progressbar"][aria-valuenow="25"]');
    await page.locator(promptCard(1, 'running', note)).wait();
    await showsImage(page, '1.1');
    expect(await page.$('button[aria-label="Open image 1.2"]')).toBeNull();
    await bringImages(jobId, projectId);
    await showsImages(page, 1);
    expect(await page.$('article [role="progressbar"]')).toBeNull();
  });

  test('an image is tried with two materials, which are retried in place and added to the document with a schedule', {
    tags: ['extended'],
  }, async () => {
    const projectId = await newProject(member, 'Sauna');
    const { jobId } = await startJob(member, projectId, 'A sauna with a bench');
    const page = await open();
    await openStudio(page, memberEmail, projectId, `?job=${jobId}`);
    await page.locator(byRole('button', 'More for image 1.2')).click();
    await page.locator(byRole('menuitem', 'Swap materials …')).click();
    await page.locator('[role=dialog] ul[aria-label="Library materials"] button').wait();
    await page.waitForFunction("document.activeElement.matches('[role=dialog] input')");
    await page.keyboard.type('the bench [fail-once]');
    await paintInSwapDialog(page);
    const names = await page.$$eval('ul[aria-label="Library materials"] button', (buttons) =>
      buttons.slice(0, 2).map((button) => button.ariaLabel ?? ''),
    );
    const [first = '', second = ''] = names;
    // One material is picked by keyboard, the other by mouse.
    await tabTo(page, first);
    await page.keyboard.press('Space');
    await page.locator(byRole('button', second)).click();
    await page.locator(byRole('button', `Remove ${second}`)).wait();
    await expectFitForAll(page, [phone]);
    await page.locator(byRole('button', 'Generate')).click();
    await page.waitForFunction(
      "document.activeElement.textContent === 'Materials for the bench [fail-once]'",
    );

    for (const name of names) {
      await page.locator(byRole('button', `Try again with ${name}`)).click();
      await page.waitForSelector(`button[aria-label="Open the image with ${name}"] img`);
    }
    const row = 'Materials for the bench [fail-once]';
    await page.locator(jobRow(row, 'succeeded')).wait();
    await expectFitForAll(page, [desktop]);
    const swapped = (await jobsOf(member, projectId)).find(({ swapId }) => swapId !== null)?.cover;
    const before = messagesResponse
      .parse((await member(`/api/image-gen/jobs/${jobId}/messages`)).body)
      .variants.find(({ number }) => number === 2);
    expect(await changedHalves(before, swapped ?? undefined)).toEqual([true, false]);
    await page.locator(byRole('button', 'Add to document')).click();
    await page.locator('::-p-text(Added as a new page)').wait();
    const { pages } = projectDocument.parse((await member(`/api/projects/${projectId}/pages`)).body);
    const elements = pages.at(-1)?.elements ?? [];
    expect(elements.filter(({ type }) => type === 'image')).toHaveLength(3);
    const [table] = elements.filter((element) => element.type === 'table');
    expect(table?.rows.map(([name]) => name)).toEqual(names);
    expect(table?.rows.every((cells) => cells.every((cell) => cell !== ''))).toBe(true);

    await page.locator(byRole('button', `Open the image with ${first}`)).click();
    await page.locator(promptCard(1, 'succeeded')).wait();
    await page.locator(`::-p-xpath(//section[@aria-label="Details"]//a[.="${row}"])`).click();
    await page.waitForSelector(`button[aria-label="Open the image with ${second}"] img`);
  });

  test('an image job that hangs can be canceled', async () => {
    const projectId = await newProject(member, 'Annex', { [colleagueEmail]: 'editor' });
    const { jobId } = await startJob(member, projectId, 'A winter garden [silent]', 'running');
    const [page, other] = [await open(), await open()];
    await openStudio(page, memberEmail, projectId, `?job=${jobId}`);
    await openStudio(other, colleagueEmail, projectId, `?job=${jobId}`);
    await other.locator(promptCard(1, 'running')).wait();
    await page.locator(byRole('button', 'Cancel')).click();
    for (const each of [page, other])
      await each.locator(promptCard(1, 'canceled', 'Generation canceled.')).wait();
    await page.locator(byRole('button', 'Try again')).wait();
    expect((await jobsOf(member, projectId))[0]).toMatchObject({ jobId, status: 'canceled' });
  });
});
