import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { projectDocument } from '@/lib/document/schema';
import { messagesResponse } from '@/lib/image-gen/schema';
import { imagesResponse } from '@/lib/projects/schema';
import { type Api, apiAt } from '@/tests/app/support/api';
import { reportImage } from '@/tests/app/support/image-jobs';
import { signIn } from '@/tests/app/support/people';
import { picture, putOutput } from '@/tests/app/support/pictures';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { expectFitForAll } from './support/axe';
import { chooseFile } from './support/choose-file';
import { desktop, openBrowser, phone } from './support/open-browser';
import { byRole, isLive } from './support/spec-pages';
import {
  bringImages,
  jobRow,
  jobsOf,
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

const sameDocument = 'window.sameDocument';
const prompt = 'textarea[placeholder^="A quiet hotel lobby"]';

describe('an image job', () => {
  test('a double click on Generate starts one image job; its images appear for all viewers, and the second one is refined', async () => {
    const projectId = await newProject(member, 'Harbour', { [colleagueEmail]: 'editor' });
    const [page, other] = [await open(), await open()];
    await openStudio(page, memberEmail, projectId);
    await openStudio(other, colleagueEmail, projectId);
    for (const each of [page, other]) await each.evaluate(`${sameDocument} = 'yes'`);

    await page.locator(prompt).fill('A lobby at dusk, oak and linen');
    await page.locator(byRole('button', 'Generate')).click({ count: 2 });
    await page.locator(promptCard(1)).wait();
    // The colleague does nothing but watch: the job appears in the list, opens, and continues.
    await other.locator(jobRow('A lobby at dusk, oak and linen')).click();
    await other.locator(promptCard(1)).wait();
    await Promise.all([page, other].map((each) => showsImages(each, 1)));
    await other.locator(jobRow('A lobby at dusk, oak and linen', 'succeeded')).wait();
    const jobs = await jobsOf(member, projectId);
    expect(jobs.map((job) => job.prompt)).toEqual(['A lobby at dusk, oak and linen']);
    const jobId = jobs[0]?.jobId;
    expect(new URL(page.url()).searchParams.get('job')).toBe(jobId);

    await page.locator(byRole('button', 'Refine image 1.2')).click();
    await refine(page, 'Warmer light');
    await page.locator(promptCard(2, undefined, 'refines 1.2')).wait();
    await Promise.all([page, other].map((each) => showsImages(each, 2)));
    const chat = messagesResponse.parse((await member(`/api/image-gen/jobs/${jobId}/messages`)).body);
    const second = chat.variants.filter(({ run }) => run === 1)[1];
    expect(chat.messages[1]).toMatchObject({ prompt: 'Warmer light', variantId: second?.variant_id });
    for (const each of [page, other]) expect(await each.evaluate(sameDocument)).toBe('yes');
  });

  test('an image job starts from an image on disk, chosen after a file that is no image was rejected', async () => {
    const projectId = await newProject(member, 'Atrium');
    const page = await open();
    await openStudio(page, memberEmail, projectId);
    await chooseFile(page, files.path, 'notes.txt', 'not an image');
    await page.locator('::-p-text(notes.txt is not a PNG, JPEG or WebP image.)').wait();
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

  test('an image job continues over a reload, and the draft of a prompt is kept', async () => {
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
    await page.locator(promptCard(1, 'running', 'A reading room with a long table [silent]')).wait();
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
    // The page shows another text until the reason is loaded; a locator does not notice a change of text alone.
    await page.waitForFunction(`document.querySelector('article').textContent.includes('${job?.error}')`);
    await page.locator(byRole('button', 'Try again')).click();
    await showsImages(page, 1);
    expect(await page.$(promptCard(1, undefined, 'Generation failed'))).toBeNull();
    expect(await page.$(promptCard(2))).toBeNull();
  });

  test('an image job shows its progress, and its first image before the end', async () => {
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

  test('an image is tried with two materials, which are retried in place and added to the document with a schedule', async () => {
    const projectId = await newProject(member, 'Sauna');
    const { jobId } = await startJob(member, projectId, 'A sauna with a bench');
    const page = await open();
    await openStudio(page, memberEmail, projectId, `?job=${jobId}`);
    await page.locator(byRole('button', 'More for image 1.2')).click();
    await page.locator(byRole('menuitem', 'Swap materials …')).click();
    await page.locator('[role=dialog] ul[aria-label="Library materials"] button').wait();
    await page.waitForFunction("document.activeElement.matches('[role=dialog] input')");
    await page.keyboard.type('the bench [fail-once]');
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
