import type { HTTPRequest } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { type Api, apiAt } from '@/tests/app/support/api';
import { reportImage } from '@/tests/app/support/image-jobs';
import { signIn } from '@/tests/app/support/people';
import { picture } from '@/tests/app/support/pictures';
import { inParallel } from '@/tests/app/support/poll';
import { expectAccessible } from './support/axe';
import { openMaterials } from './support/material-pages';
import { desktop, openBrowser, phone } from './support/open-browser';
import { byRole, isLive } from './support/spec-pages';
import { newProject, openStudio, promptCard, showsImages, startJob } from './support/studio-pages';
import { tabTo } from './support/tab-to';

const { url, env } = inject('atelier');
const { open, goTo, expectErrors } = openBrowser();
let member: Api;
let projectId: string;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, 'member@atelier.test')).headers);
  projectId = await newProject(member, 'Keys');
});

const focusIs = (label: string) => `document.activeElement.getAttribute('aria-label') === '${label}'`;
const dialogIs = (title: string) => `document.querySelector('[role=dialog] h2')?.textContent === '${title}'`;

test('a job can be started by keyboard, and the focus moves to it', async () => {
  const page = await open();
  await openStudio(page, 'member@atelier.test', projectId);
  await page.locator('::-p-text(Describe it below)').wait();
  // The form follows the project's header in the tab order, and stays at the bottom of the window.
  const atEnd = "innerHeight - document.querySelector('main form').getBoundingClientRect().bottom < 40";
  expect(await page.evaluate(atEnd)).toBe(true);
  await page.focus('button[aria-label^="More for Keys"]');
  await page.keyboard.press('Tab');
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Prompt');
  await page.keyboard.type('A spa with a cold pool');
  await page.keyboard.down('Shift');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Shift');
  expect(await page.evaluate('document.activeElement.value')).toBe('A spa with a cold pool\n');
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement.matches('h2')");
  expect(await page.evaluate('document.activeElement.textContent')).toBe('A spa with a cold pool');
  await showsImages(page, 1);
  expect(await page.evaluate(atEnd)).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('What should change');
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.down('Shift');
  await page.keyboard.press('?');
  await page.keyboard.up('Shift');
  await page.waitForFunction(dialogIs('Keyboard shortcuts'));
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  // Without an open job, the page shows the latest images. Each image opens its job.
  await page.keyboard.press('n');
  await page.waitForFunction(focusIs('Prompt'));
  await tabTo(page, 'A spa with a cold pool');
  expect(await page.evaluate('document.activeElement.querySelector("img").naturalWidth > 0')).toBe(true);
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement.matches('h2')");
  await showsImages(page, 1);
});

test('images can be viewed large one after the other and compared by keyboard', {
  tags: ['extended'],
}, async () => {
  const { jobId } = await startJob(member, projectId, 'A bar in green marble');
  const page = await open();
  await openStudio(page, 'member@atelier.test', projectId, `?job=${jobId}`);
  await showsImages(page, 1);
  await tabTo(page, 'Open image 1.2');
  await page.keyboard.press('Enter');
  await page.waitForFunction(dialogIs('Image 1.2'));
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(dialogIs('Image 1.3'));
  await page.waitForFunction("document.querySelector('[role=dialog] img').naturalWidth > 0");
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(dialogIs('Image 1.1'));
  // There is no image before the first one.
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(dialogIs('Image 1.1'));
  const scale =
    "new DOMMatrix(getComputedStyle(document.querySelector('[role=dialog] img').parentElement).transform).a";
  await page.keyboard.press('+');
  await page.waitForFunction(`${scale} > 1.3`);
  await page.keyboard.press('0');
  await page.waitForFunction(`${scale} === 1`);
  await page.mouse.move(600, 400);
  await page.mouse.wheel({ deltaY: -400 });
  await page.waitForFunction(`${scale} > 1.3`);
  await page.keyboard.press('0');
  await page.waitForFunction(`${scale} === 1`);
  const touch = await page.createCDPSession();
  /** Puts one or two fingers on the screen, moves them and lifts them. Each step has the x position of every finger. */
  const moveFingers = async (...steps: number[][]) => {
    for (const [step, xs] of steps.entries()) {
      const touchPoints = xs.map((x, id) => ({ x, y: 400, id }));
      const type = step === 0 ? 'touchStart' : 'touchMove';
      await touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    }
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await moveFingers([580, 700], [550, 730], [500, 780]);
  await page.waitForFunction(`${scale} > 1.3`);
  // Dragging with one finger moves an enlarged image. Only if the image fits the screen does it show another image.
  await moveFingers([800], [600]);
  expect(await page.evaluate(dialogIs('Image 1.1'))).toBe(true);
  // The next image is fitted to the screen again.
  await page.locator(byRole('button', 'Show image 1.3')).click();
  await page.waitForFunction(dialogIs('Image 1.3'));
  await page.waitForFunction(`${scale} === 1`);
  await moveFingers([800], [700], [600]);
  await page.waitForFunction(dialogIs('Image 1.4'));
  await moveFingers([600], [800]);
  await page.waitForFunction(dialogIs('Image 1.3'));
  // Compare the shown image with another one, without leaving the large view.
  await tabTo(page, 'Compare');
  await page.keyboard.press('Enter');
  await page.waitForFunction(dialogIs('Compare image 1.3'));
  await page.waitForFunction(focusIs('Show image 1.1'));
  await page.keyboard.press('Enter');
  await page.waitForFunction(dialogIs('Images 1.3 and 1.1'));
  await page.waitForFunction(focusIs('Comparison slider'));
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction("document.activeElement.getAttribute('aria-valuetext') === '51 % of image 1.3'");
  await page.keyboard.press('Escape');
  await page.waitForFunction(dialogIs('Image 1.3'));
  await page.waitForFunction(focusIs('Compare'));
  await page.keyboard.press('Escape');
  await page.waitForFunction(focusIs('Open image 1.2'));

  await tabTo(page, 'More for image 1.2');
  await page.keyboard.press('Enter');
  await page.waitForFunction("document.activeElement.textContent === 'Open'");
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(focusIs('More for image 1.2'));
  await tabTo(page, 'Compare with image 1.3');
  await page.keyboard.press('Enter');
  await page.waitForFunction(dialogIs('Images 1.2 and 1.3'));
  await page.waitForFunction(focusIs('Comparison slider'));
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction("document.activeElement.getAttribute('aria-valuetext') === '51 % of image 1.2'");
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });

  // The details beside the images offer the actions for the latest image.
  await page.focus('[aria-label="More for image 1.4"]');
  await tabTo(page, 'Star image 1.4');
  await page.keyboard.press('Enter');
  await page.waitForSelector('li:has([aria-label="Open image 1.4"]) [aria-label=Starred]');
  await page.waitForFunction(focusIs('Remove star of image 1.4'));
});

test('with materials in the tray, an image is chosen by a single key and refined in a form that neither the tray nor a notification covers', {
  tags: ['extended'],
}, async () => {
  const { jobId } = await startJob(member, projectId, 'A pool hall with a skylight');
  await startJob(member, projectId, 'A pool hall at night');
  const page = await open();
  await openMaterials(page);
  await page.locator('button[aria-label$=" to tray"]').click();
  await page.locator('::-p-text(1 of 12 in tray)').wait();
  await goTo(page, `/projects/${projectId}/studio?job=${jobId}`);
  await isLive(page);
  await showsImages(page, 1);
  // Go to the previous job in the list, and back.
  await page.keyboard.press('k');
  await page.waitForFunction("document.activeElement.textContent === 'A pool hall at night'");
  await page.keyboard.press('j');
  await page.waitForFunction("document.activeElement.textContent === 'A pool hall with a skylight'");
  await page.keyboard.press('4');
  await page.locator('button[aria-label="Refine image 1.4"][aria-pressed=true]').wait();
  await page.keyboard.press('Delete');
  for (const size of [phone, desktop]) {
    await page.setViewport(size);
    // Hovering keeps the notification open.
    await page.locator(byRole('button', 'Undo')).hover();
    await page.waitForFunction(`innerWidth === ${size.width} && (() => {
      const boxOf = (selector) => document.querySelector(selector).getBoundingClientRect();
      return boxOf('.mantine-Notification-root').bottom <= boxOf('form[aria-label=Refine]').top;
    })()`);
  }
  await page.keyboard.press('2');
  await page.locator('button[aria-label="Refine image 1.2"][aria-pressed=true]').wait();
  await page.keyboard.press('r');
  await page.waitForFunction(focusIs('What should change'));
  for (const size of [phone, desktop]) {
    await page.setViewport(size);
    // The form moves with the tray, so wait until the tray does not cover the form.
    await page.waitForFunction(`innerWidth === ${size.width} && (() => {
      const { x, y, width, height } = document.activeElement.getBoundingClientRect();
      const top = document.elementFromPoint(x + width / 2, y + height - 2);
      return top?.getAttribute('aria-label') === 'What should change';
    })()`);
  }
  await page.keyboard.type('Warmer light');
  await page.keyboard.down('Shift');
  await page.keyboard.press('Enter');
  await page.keyboard.up('Shift');
  await page.keyboard.type('and a rug');
  await page.keyboard.press('Enter');
  await page.locator(promptCard(2, undefined, 'Warmer light and a rug')).wait();
  await page.locator(promptCard(2, undefined, 'from 1.2')).wait();
  // The first prompt still shows how long it took, even after the second one was sent.
  await page.waitForFunction("/took \\d/.test(document.querySelector('article')?.textContent)");
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('n');
  await page.waitForFunction(
    'document.activeElement.matches(\'textarea[placeholder^="A quiet hotel lobby"]\')',
  );
});

test('an image is starred, downloaded, copied, renamed and used as an input image by keyboard', {
  tags: ['extended'],
}, async () => {
  const { jobId } = await startJob(member, projectId, 'A tea room');
  const page = await open();
  await openStudio(page, 'member@atelier.test', projectId, `?job=${jobId}`);
  await showsImages(page, 1);
  await page.keyboard.press('s');
  await page.waitForSelector('li:has([aria-label="Open image 1.4"]) [aria-label=Starred]');
  // Record the download and the copied image in the page, instead of using the download folder and the clipboard.
  await page.evaluate(`
    HTMLAnchorElement.prototype.click = function () { window.downloaded = this.download; };
    navigator.clipboard.write = async ([item]) => { window.copied = await item.getType('image/png'); };
  `);
  await page.keyboard.press('d');
  await page.waitForFunction("window.downloaded?.startsWith('a-tea-room-1.4.')");
  await tabTo(page, 'Copy image 1.4');
  await page.keyboard.press('Enter');
  await page.waitForFunction('window.copied?.size > 0');
  expectErrors(/ERR_FAILED/);
  await page.setRequestInterception(true);
  const withoutFiles = (request: HTTPRequest) =>
    void (request.url().includes('/storage/v1/object/sign/') ? request.abort() : request.continue());
  page.on('request', withoutFiles);
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(The file could not be loaded.)').wait();
  page.off('request', withoutFiles);
  await page.setRequestInterception(false);

  await page.focus('button[aria-label=Rename]');
  await page.keyboard.press('Enter');
  await page.waitForFunction(dialogIs('Rename image'));
  await page.waitForFunction("document.activeElement.name === 'name'");
  await page.keyboard.type('Tea room, final');
  await page.keyboard.press('Enter');
  await page.locator('::-p-xpath(//aside//a[.//*[normalize-space()="Tea room, final"]])').wait();
  await page.waitForFunction(focusIs('Rename'));
  // The prompt is still in the details.
  await page.waitForFunction(
    "document.querySelector('section[aria-label=Details]').textContent.includes('A tea room')",
  );

  await tabTo(page, 'Use image 1.4 as input image');
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(Image 1.4 of “Tea room, final”)').wait();
});

test('on a phone, the latest images leave the list of all images within reach', {
  tags: ['extended'],
}, async () => {
  const quiet = await newProject(member, 'Within reach');
  const prompts = ['A hall', 'A stair', 'A court', 'A porch', 'A loggia'];
  await inParallel(prompts, 3, (prompt) => startJob(member, quiet, prompt));
  const page = await open(phone);
  await openStudio(page, 'member@atelier.test', quiet);
  const lefts = await page.$$eval('ul[aria-label="Latest images"] > li', (items) =>
    items.filter((item) => item.checkVisibility()).map((item) => item.getBoundingClientRect().left),
  );
  expect([lefts.length, new Set(lefts).size]).toEqual([4, 2]);
  const top = await page.$eval(
    'aside[aria-label="Project images"]',
    (list) => list.getBoundingClientRect().top,
  );
  expect(top).toBeLessThan(2 * phone.height);
});

test('four images are shown in one, two or four columns at every width, never in three', {
  tags: ['extended'],
}, async () => {
  const { jobId } = await startJob(member, projectId, 'A loggia');
  const page = await open();
  await openStudio(page, 'member@atelier.test', projectId, `?job=${jobId}`);
  await showsImages(page, 1);
  for (const width of [320, 360, 400, 600, 720, 820, 1024, 1440, 1920, 2560]) {
    await page.setViewport({ width, height: 900 });
    await page.waitForFunction(`innerWidth === ${width}`);
    const columns = await page.$eval('article ul', (list) =>
      getComputedStyle(list).gridTemplateColumns.split(' '),
    );
    expect([1, 2, 4], `${width} px`).toContain(columns.length);
  }
});

test('an image dropped or pasted on the page of another image becomes the input image of a new one', {
  tags: ['extended'],
}, async () => {
  const { jobId } = await startJob(member, projectId, 'A cloakroom [silent]', 'running');
  const page = await open();
  await openStudio(page, 'member@atelier.test', projectId, `?job=${jobId}`);
  await page.locator(promptCard(1, 'running')).wait();
  // Until the workflow service reports progress, the bar shows no value. It does not move for users who prefer reduced
  // motion.
  await page.waitForSelector('article [role=progressbar]:not([aria-valuenow])');
  const moving = "document.querySelector('article').getAnimations({ subtree: true }).length";
  expect(await page.evaluate(moving)).toBe(0);
  const png = Buffer.from(await picture()).toString('base64');
  const prevented = await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${png}'), (character) => character.charCodeAt(0));
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([bytes], 'hall.png', { type: 'image/png' }));
    const target = document.querySelector('article');
    return ['dragover', 'drop'].map((type) => !target.dispatchEvent(
      new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })));
  })()`);
  expect(prevented).toEqual([true, true]);
  await page.locator('::-p-text(hall.png)').wait();
  await page.locator(byRole('button', 'Remove image')).wait();
  expect(new URL(page.url()).searchParams.get('job')).toBeNull();

  await page.locator(byRole('button', 'Remove image')).click();
  await page.evaluate(`(() => {
    const bytes = Uint8Array.from(atob('${png}'), (character) => character.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'stairs.png', { type: 'image/png' }));
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);
  await page.locator('::-p-text(stairs.png)').wait();
});

test('a run that the workflow service does not accept says so instead of only waiting in a queue', {
  tags: ['extended'],
}, async () => {
  const { jobId } = await startJob(member, projectId, 'A foyer [broken]', 'queued');
  const page = await open();
  await openStudio(page, 'member@atelier.test', projectId, `?job=${jobId}`);
  await page.waitForFunction(
    "/The image service is not responding. Trying again: attempt \\d+ of 14, next at /.test(document.querySelector('article')?.textContent)",
  );
  expect(await page.$('article [role=progressbar]')).toBeNull();
  const statuses = `['article', 'aside li'].map((place) => document.querySelector(place).textContent)`;
  await page.waitForFunction(`${statuses}.every((text) => text.includes('No response'))`);
  expect(await page.evaluate(`${statuses}.some((text) => text.includes('Queued'))`)).toBe(false);
  // While the run waits, its page also shows that the service sends callbacks that cannot be read.
  await reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, { job_id: jobId }, 1);
  await page
    .locator('::-p-text(The workflow service sent a callback that cannot be read: The body has no status.)')
    .wait();
  await page.locator(byRole('button', 'Cancel')).click();
  await page.locator(promptCard(1, 'canceled')).wait();
});
