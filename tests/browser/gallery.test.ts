// @module-tag extended
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, inject, test } from 'vitest';
import { projectDocument } from '@/lib/document/schema';
import { project } from '@/lib/projects/schema';
import { createdShareLink } from '@/lib/share-links/schema';
import { type Api, apiAt } from '@/tests/app/support/api';
import { onePage } from '@/tests/app/support/exports';
import { signIn } from '@/tests/app/support/people';
import { expectFitForAll } from './support/axe';
import { desktop, openBrowser } from './support/open-browser';
import { byRole, isLive, openAs } from './support/spec-pages';
import { newProject, openStudio, showsImages, startJob } from './support/studio-pages';
import { tabTo } from './support/tab-to';

const { url, env } = inject('atelier');
const { open, expectErrors } = openBrowser();
const email = 'member@atelier.test';
let member: Api;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, email)).headers);
});

/** Waits until the gallery shows exactly the images with these labels, in this order. */
async function showsTiles(page: Page, labels: string[]): Promise<void> {
  const names = labels.map((label) => `Select image ${label}`);
  await page.waitForFunction(
    `JSON.stringify([...document.querySelectorAll('[data-check]')].map((check) => check.ariaLabel))
      === ${JSON.stringify(JSON.stringify(names))}`,
  );
}
const focusIs = (label: string) =>
  `document.activeElement.closest('li')?.querySelector('[data-check]')?.ariaLabel === 'Select image ${label}'`;

test('images are starred, filtered, selected, deleted and restored by mouse and keyboard, and the open studio follows', async () => {
  const projectId = await newProject(member, 'Gallery');
  const { jobId } = await startJob(member, projectId, 'A winter garden');
  const studio = await open();
  await openStudio(studio, email, projectId, `?job=${jobId}`);
  await showsImages(studio, 1);
  const page = await open();
  await openAs(page, email, `/projects/${projectId}/gallery`);
  await isLive(page);
  await showsTiles(page, ['1.4', '1.3', '1.2', '1.1']);

  // On a wide screen, the images are larger.
  await page.setViewport({ width: 2560, height: 1200 });
  await page.waitForFunction("document.querySelector('[data-id] img').getBoundingClientRect().width > 280");
  await page.setViewport(desktop);

  // Use the mouse to star an image, show only starred images, and open the large view.
  await page.locator(byRole('button', 'Star image 1.2')).click();
  await studio.locator('li:has([aria-label="Open image 1.2"]) [aria-label="Starred"]').wait();
  await page.locator(byRole('button', 'Starred')).click();
  await showsTiles(page, ['1.2']);
  await page.locator('[data-id]').click();
  await page.waitForFunction("document.querySelector('[role=dialog] h2')?.textContent === 'Image 1.2'");
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator(byRole('button', 'Starred')).click();
  await showsTiles(page, ['1.4', '1.3', '1.2', '1.1']);

  // Delete an image with the keyboard, and undo the deletion with the mouse.
  await page.focus('[data-id]');
  await page.keyboard.press('ArrowRight');
  await page.waitForFunction(focusIs('1.3'));
  await page.keyboard.press('Delete');
  await showsTiles(page, ['1.4', '1.2', '1.1']);
  await page.waitForFunction(focusIs('1.2'));
  await studio.waitForSelector('[aria-label="Open image 1.3"]', { hidden: true });
  await page.locator(byRole('button', 'Undo')).click();
  await showsTiles(page, ['1.4', '1.3', '1.2', '1.1']);
  await studio.waitForSelector('[aria-label="Open image 1.3"]');

  // Select a range by keyboard, and one more image by mouse.
  await page.focus('[data-id]');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.down('Shift');
  await page.keyboard.press('Space');
  await page.keyboard.up('Shift');
  await page.locator('::-p-text(2 images selected)').wait();
  await page.locator(byRole('button', 'Select image 1.1')).click();
  await page.locator('::-p-text(3 images selected)').wait();
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Add to document')).click();
  await page.waitForFunction(
    "document.querySelector('[role=dialog] input')?.value === 'New page with the images'",
  );
  await page.locator(byRole('button', 'Add')).click();
  await page.locator('::-p-text(Added as a new page)').wait();
  await page.keyboard.press('Escape');
  await page.waitForSelector('[role=dialog]', { hidden: true });
  await page.locator('section[aria-label="Selected images"] ::-p-text(Delete)').click();
  await showsTiles(page, ['1.2']);

  await page.locator('::-p-text(Recently deleted)').click();
  await showsTiles(page, ['1.4', '1.3', '1.1']);
  await expectFitForAll(page);
  await page.locator(byRole('button', 'Restore image 1.1')).click();
  await showsTiles(page, ['1.4', '1.3']);
  await studio.waitForSelector('[aria-label="Open image 1.1"]');
  expect(await studio.$('[aria-label="Open image 1.4"]')).toBeNull();
});

test('an editor shares chosen images, a visitor without an account looks at them by mouse and keyboard, and the link is revoked', async () => {
  const projectId = await newProject(member, 'Shared');
  await startJob(member, projectId, 'A winter garden');
  const page = await open();
  await page.browserContext().overridePermissions(url, ['clipboard-read', 'clipboard-sanitized-write']);
  await openAs(page, email, `/projects/${projectId}/gallery`);
  await isLive(page);
  await showsTiles(page, ['1.4', '1.3', '1.2', '1.1']);
  await page.locator(byRole('button', 'Select image 1.3')).click();
  await page.locator(byRole('button', 'Select image 1.1')).click();
  await page.locator('section[aria-label="Selected images"] ::-p-text(Share)').click();
  await page.locator('::-p-text(Selected: 2 images)').wait();
  await page.locator('::-p-text(No active links)').wait();
  await page.locator(byRole('button', 'Create link')).click();
  await page.locator('::-p-text(Enter a name.)').wait();
  await expectFitForAll(page);
  await page.locator(byRole('textbox', 'Name')).fill('First review');
  await page.locator(byRole('checkbox', 'Offer downloads')).click();
  await page.locator(byRole('button', 'Create link')).click();
  await page.locator('::-p-text(Copy the link now)').wait();
  await page.locator(byRole('button', 'Copy link')).click();
  await page.locator('::-p-text(Copied)').wait();
  const { pathname } = new URL(String(await page.evaluate('navigator.clipboard.readText()')));
  await page.locator(byRole('button', 'Done')).click();
  await page.waitForSelector('[role=dialog]', { hidden: true });

  const visitor = await open();
  await visitor.goto(`${url}${pathname}`);
  await visitor.waitForFunction(
    "[...document.querySelectorAll('main img')].filter(({ complete, naturalWidth }) => complete && naturalWidth > 0).length === 2",
  );
  expect(await visitor.title()).toMatch(/^Shared/);
  await expectFitForAll(visitor);
  await visitor.locator(byRole('button', 'Open image 1')).click();
  await visitor.waitForFunction("document.querySelector('[role=dialog] h2')?.textContent === 'Image 1 of 2'");
  await visitor.keyboard.press('ArrowRight');
  await visitor.waitForFunction(
    "document.querySelector('[role=dialog] h2')?.textContent === 'Image 2 of 2' && document.querySelector('[role=dialog] img')?.naturalWidth > 0",
  );
  await visitor.waitForSelector('[role=dialog] a[aria-label=Download][href$="?download=true"]');
  await expectFitForAll(visitor);
  await visitor.keyboard.press('Escape');
  await visitor.waitForSelector('[role=dialog]', { hidden: true });
  await visitor.waitForFunction("document.activeElement?.ariaLabel === 'Open image 1'");

  const pagesPath = `/api/projects/${projectId}/pages`;
  const made = await member(`/api/projects/${projectId}/share-links`, {
    json: { kind: 'document', name: 'Second review' },
  });
  const { pathname: documentPath } = new URL(createdShareLink.parse(made.body).url);
  await visitor.goto(`${url}${documentPath}`);
  await visitor.locator('::-p-text(No pages yet.)').wait();
  const { body } = await member(pagesPath);
  const pages = [onePage('A garden under glass'), onePage()];
  await member(pagesPath, { method: 'PUT', json: { ...projectDocument.parse(body), pages } });
  // A proxy in front of Atelier responds with a page of its own while Atelier is not available.
  let proxyFails = true;
  await visitor.setRequestInterception(true);
  visitor.on('request', (request) => {
    const isRefused = proxyFails && request.url().endsWith('/document');
    if (!isRefused) void request.continue();
    else void request.respond({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
  });
  expectErrors(/status of 502/);
  await visitor.goto(`${url}${documentPath}`);
  await visitor.locator('::-p-text(The document could not be loaded.)').wait();
  proxyFails = false;
  await visitor.locator(byRole('button', 'Try again')).click();
  // The frame is at least as tall as both sheets together, so the document does not scroll separately from the page.
  await visitor.waitForFunction(`(() => {
    const frame = document.querySelector('iframe');
    const drawn = frame?.contentDocument;
    return drawn?.body?.textContent.includes('A garden under glass')
      && drawn.querySelectorAll('.doc-sheet').length === 2
      && frame.clientHeight >= drawn.documentElement.scrollHeight && frame.clientHeight > 2000;
  })()`);
  await expectFitForAll(visitor);

  const { body: saved } = await member(pagesPath);
  const withContents = { ...projectDocument.parse(saved), includecover: false, includeToc: true };
  await member(pagesPath, { method: 'PUT', json: withContents });
  await visitor.reload();
  // An entry in the table of contents scrolls the page to its sheet and moves the focus there.
  await visitor.waitForFunction(`(() => {
    const entry = document.querySelector('iframe')?.contentDocument?.querySelector('.doc-contents a');
    entry?.focus();
    return entry?.onclick != null && entry.ownerDocument.activeElement === entry;
  })()`);
  await visitor.keyboard.press('Enter');
  await visitor.waitForFunction(`(() => {
    const frame = document.querySelector('iframe');
    const sheet = frame.contentDocument.getElementById('sheet-2');
    const { top, width } = frame.getBoundingClientRect();
    const scale = width / frame.clientWidth;
    return frame.contentDocument.activeElement === sheet && scale !== 1
      && Math.abs(top + sheet.getBoundingClientRect().top * scale) < 2;
  })()`);
  expect(await visitor.browserContext().pages()).toHaveLength(1);

  await page.locator(byRole('button', 'Share')).click();
  await page.locator('::-p-text(Opened 1 time)').wait();
  await tabTo(page, 'Revoke First review');
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(stops working at once)').wait();
  // Escape closes only the confirmation.
  await page.keyboard.press('Escape');
  await page.waitForFunction("document.activeElement?.ariaLabel === 'Revoke First review'");
  await page.keyboard.press('Enter');
  await page.locator('::-p-text(stops working at once)').wait();
  await page.locator(byRole('button', 'Revoke')).click();
  await page.waitForFunction(`!document.querySelector('[aria-label="Revoke First review"]')`);
  await page.waitForFunction("document.activeElement?.textContent === 'Active links'");
  expectErrors(/status of 404 .*\/share\//);
  await visitor.goto(`${url}${pathname}`);
  await visitor.locator('::-p-text(This link does not work)').wait();
  await expectFitForAll(visitor);
});

test('a project is archived, deleted by its typed name, and restored, and its card follows', async () => {
  const projectId = await newProject(member, 'Place');
  await startJob(member, projectId, 'A reading room');
  const { name } = project.parse((await member(`/api/projects/${projectId}`)).body);
  const link = byRole('link', name);
  const isGone = () => page.waitForFunction(`!document.querySelector('a[href^="/projects/${projectId}/"]')`);
  const choose = async (item: string) => {
    await page.locator(byRole('button', `More for ${name}`)).click();
    await page.locator(byRole('menuitem', item)).click();
  };
  const page = await open();
  await openAs(page, email, '/projects');
  await page.waitForFunction(`document.querySelector('a[href="/projects/${projectId}/studio"]')
    .closest('li').querySelectorAll('img').length === 4`);
  await expectFitForAll(page);

  await choose('Archive');
  await isGone();
  await page.locator('::-p-xpath(//label[.="Archived"])').click();
  await page.locator(link).click();
  // Opening an archived project shows its gallery without the editing controls.
  await page.waitForFunction(`location.pathname === '/projects/${projectId}/gallery'`);
  await page.locator('::-p-text(This project is archived)').wait();
  await showsTiles(page, ['1.4', '1.3', '1.2', '1.1']);
  expect(await page.$('[aria-label^="Star image"]')).toBeNull();
  await page.locator(byRole('button', 'Unarchive')).click();
  await page.locator(byRole('button', 'Star image 1.1')).wait();

  // The URL sets the time and material filters.
  await page.goto(`${url}/projects/${projectId}/gallery?last=1&material=unknown`);
  await page.locator('::-p-text(No image matches these filters)').wait();
  await page.goto(`${url}/projects/${projectId}/gallery?last=1`);
  await showsTiles(page, ['1.4', '1.3', '1.2', '1.1']);

  await choose('Delete');
  await page.waitForSelector('[role=dialog] [type=submit]');
  const confirm = byRole('button', 'Delete project');
  expect(await page.$eval('[role=dialog] [type=submit]', (button) => button.matches(':disabled'))).toBe(true);
  await page.type('[role=dialog] input', name);
  await page.locator(confirm).click();
  await page.waitForFunction("location.pathname === '/projects'");
  await page.locator('::-p-xpath(//h1[.="Projects"])').wait();
  await isGone();
  await page.locator(byRole('button', 'Undo')).click();
  await page.locator(link).wait();
  await member(`/api/projects/${projectId}`, { method: 'DELETE' });
  await page.locator('::-p-xpath(//label[.="Deleted"])').click();
  await page.locator(byRole('button', `Restore ${name}`)).wait();
  await expectFitForAll(page);
  await page.locator(byRole('button', `Restore ${name}`)).click();
  await page.waitForSelector(`[aria-label="Restore ${name}"]`, { hidden: true });
  await page.locator('::-p-xpath(//label[.="Active"])').click();
  await page.locator(link).wait();
});
