import type { HTTPRequest, Page } from 'puppeteer-core';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { projectDocument } from '@/lib/document/schema';
import { documentSummary } from '@/lib/export/documents/schema';
import { type Api, apiAt } from '@/tests/app/support/api';
import { onePage } from '@/tests/app/support/exports';
import { signIn } from '@/tests/app/support/people';
import { expectAccessible } from './support/axe';
import {
  desk,
  isOpen,
  middleOf,
  openDocument,
  pull,
  savingIs,
  storedDocument,
  storePages,
  target,
} from './support/document-pages';
import { openBrowser } from './support/open-browser';
import { byRole, startSession } from './support/spec-pages';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open, openBeside, goTo, expectErrors } = openBrowser();
const [email, colleague] = ['member@atelier.test', 'stranger@atelier.test'];
let member: Api;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, email)).headers);
});

const title = 'aside input[maxlength="200"]';
const titleIs = (text: string) => `document.querySelector('${title}')?.value === '${text}'`;

async function titlesOf(projectId: string): Promise<string[]> {
  return (await storedDocument(member, projectId)).pages.map((page) => page.title);
}

/** Creates a project with a one-page document, and opens the document. */
async function openNew(name: string): Promise<{ page: Page; projectId: string }> {
  const projectId = await newProject(member, name);
  await storePages(member, projectId, [onePage('Words')]);
  const page = await open();
  await openDocument(page, email, projectId);
  return { page, projectId };
}

/**
 * Aborts saves while `line.isCut` is true. Reads still work. Also accepts the browser's dialog about leaving the page
 * with unsaved changes.
 */
async function cutSaving(page: Page, line: { isCut: boolean }): Promise<void> {
  await page.setRequestInterception(true);
  page.on('request', (request: HTTPRequest) => {
    if (line.isCut && request.method() === 'PUT') void request.abort('internetdisconnected');
    else void request.continue();
  });
  page.on('dialog', (dialog) => void dialog.accept());
}

/**
 * Holds back the saves of a browser page until `release` is called. Calling `hold` holds them back again. Other users
 * can still save.
 */
async function holdSaving(page: Page): Promise<{ hold: () => void; release: () => void }> {
  const held: HTTPRequest[] = [];
  let isHeld = true;
  await page.setRequestInterception(true);
  page.on('request', (request: HTTPRequest) => {
    if (isHeld && request.method() === 'PUT') held.push(request);
    else void request.continue();
  });
  return {
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const request of held.splice(0)) void request.continue();
    },
  };
}

const pageOf = (number: number, name: string) => `[data-open][aria-label="Page ${number}: ${name}"]`;

describe('two users of one document', () => {
  test('two users see each other and keep the changes of both, and decide only about what both changed', async () => {
    const projectId = await newProject(member, 'Twice', { [colleague]: 'editor' });
    await storePages(member, projectId, [onePage('Shared words'), onePage('More words')]);
    const [mine, theirs] = [await open(), await open()];
    await openDocument(mine, email, projectId);
    await openDocument(theirs, colleague, projectId);
    await mine.locator(`[aria-label="Also in this document"] [aria-label="${colleague}"]`).wait();
    await theirs.locator(`[aria-label="Also in this document"] [aria-label="${email}"]`).wait();
    expectErrors(/status of 409/);

    const saving = await holdSaving(mine);
    await mine.locator(title).fill('Mine');
    await savingIs(mine, 'saving');
    await theirs.locator(pageOf(2, 'A page')).click();
    await theirs.locator(title).fill('Theirs');
    await savingIs(theirs, 'saved');
    saving.release();
    await mine.locator(`::-p-text(Saved, with changes by ${colleague})`).wait();
    expect(await titlesOf(projectId)).toEqual(['Mine', 'Theirs']);
    await mine.locator(pageOf(2, 'Theirs')).wait();
    await theirs.locator(pageOf(1, 'Mine')).wait();
    await theirs.locator(`::-p-text(Saved, with changes by ${email})`).wait();

    saving.hold();
    await mine.locator(title).fill('Mine again');
    await savingIs(mine, 'saving');
    await theirs.locator(pageOf(1, 'Mine')).click();
    await theirs.locator(title).fill('Theirs again');
    await expect.poll(() => titlesOf(projectId)).toEqual(['Theirs again', 'Theirs']);
    saving.release();
    await mine.locator(`::-p-text(${colleague} saved a newer version)`).wait();
    await expectAccessible(mine);
    // The user can decide later. Until then, their own changes stay on the page.
    await mine.locator(byRole('button', 'Decide later')).click();
    await mine.waitForSelector('[role=dialog]', { hidden: true });
    await savingIs(mine, 'conflict');
    await mine.waitForFunction(titleIs('Mine again'));
    await mine.locator(byRole('button', 'Decide')).click();
    await mine.locator('::-p-text(Theirs: Theirs again)').click();
    await mine.locator(byRole('button', 'Merge')).click();
    await savingIs(mine, 'saved');
    await mine.waitForFunction(titleIs('Theirs again'));
    await theirs.close();
    await mine.waitForSelector('[aria-label="Also in this document"]', { hidden: true });
  });
});

describe('a document without a connection', () => {
  test('a document shows that it is offline, and is saved when the connection is back', {
    tags: ['extended'],
  }, async () => {
    const { page, projectId } = await openNew('Tunnel');
    expectErrors(/ERR_INTERNET_DISCONNECTED/);
    await page.setOfflineMode(true);
    await page.locator(title).fill('In the tunnel');
    await savingIs(page, 'offline');
    await page.locator('::-p-text(Not saved: offline, stored in this browser)').wait();
    expect(await titlesOf(projectId)).toEqual(['A page']);
    await page.setOfflineMode(false);
    await savingIs(page, 'saved');
    expect(await titlesOf(projectId)).toEqual(['In the tunnel']);
  });

  test('a reload restores changes that could not be saved, and they are saved later', {
    tags: ['extended'],
  }, async () => {
    const { page, projectId } = await openNew('Cellar');
    expectErrors(/ERR_INTERNET_DISCONNECTED/);
    const line = { isCut: true };
    await cutSaving(page, line);
    await page.locator(title).fill('In the cellar');
    await savingIs(page, 'offline');
    await page.reload();
    await isOpen(page);
    await page.waitForFunction(titleIs('In the cellar'));
    await savingIs(page, 'offline');
    expect(await titlesOf(projectId)).toEqual(['A page']);
    line.isCut = false;
    await savingIs(page, 'saved');
    expect(await titlesOf(projectId)).toEqual(['In the cellar']);
    await page.reload();
    await isOpen(page);
    await page.waitForFunction(titleIs('In the cellar'));
  });
});

describe('leaving a document', () => {
  test('a user who leaves a document and comes straight back finds the last change, however long saving it takes', {
    tags: ['extended'],
  }, async () => {
    const { page, projectId } = await openNew('Attic');
    const saving = await holdSaving(page);
    await page.locator(title).fill('In the attic');
    await page.locator('::-p-xpath(//nav[@aria-label="Project"]//a[.="Studio"])').click();
    await page.waitForFunction("location.pathname.endsWith('/studio')");
    await page.locator('::-p-xpath(//nav[@aria-label="Project"]//a[.="Document"])').click();
    await page.waitForFunction("location.pathname.endsWith('/document')");
    saving.release();
    await isOpen(page);
    await page.waitForFunction(titleIs('In the attic'));
    await page.locator(title).fill('Under the roof');
    await savingIs(page, 'saved');
    expect(await titlesOf(projectId)).toEqual(['Under the roof']);
  });
});

describe('two tabs of one user', () => {
  test('two tabs of one user each keep and restore their own draft', async () => {
    const { page: first, projectId } = await openNew('Tabs');
    const second = await openBeside(first);
    await goTo(second, `/projects/${projectId}/document`);
    await isOpen(second);
    expectErrors(/ERR_INTERNET_DISCONNECTED|status of 409/);
    const [firstLine, secondLine] = [{ isCut: true }, { isCut: true }];
    const tabs = [
      { page: first, line: firstLine, text: 'Of the first' },
      { page: second, line: secondLine, text: 'Of the second' },
    ];
    for (const { page, line, text } of tabs) {
      await cutSaving(page, line);
      await page.bringToFront();
      await page.locator(title).fill(text);
      await savingIs(page, 'offline');
    }
    for (const { page, text: words } of tabs) {
      await page.bringToFront();
      await page.reload();
      await isOpen(page);
      await page.waitForFunction(titleIs(words));
    }
    // The second tab does not overwrite the changes that the first one saves; it reports a conflict.
    firstLine.isCut = false;
    await first.bringToFront();
    await savingIs(first, 'saved');
    secondLine.isCut = false;
    await second.bringToFront();
    await savingIs(second, 'conflict');
    expect(await titlesOf(projectId)).toEqual(['Of the first']);
    await second.locator(byRole('button', 'Load theirs')).click();
    await second.waitForFunction(titleIs('Of the first'));
    await savingIs(second, 'saved');
    await second.waitForSelector('[role=dialog]', { hidden: true });
    await second.locator(byRole('button', 'Undo')).click();
    await second.waitForFunction(titleIs('Of the second'));
    await expect.poll(() => titlesOf(projectId)).toEqual(['Of the second']);
  });

  test('a tab does not take over a draft that another open tab is editing, but takes over the draft of a closed tab', {
    tags: ['extended'],
  }, async () => {
    const { page: first, projectId } = await openNew('Left');
    expectErrors(/ERR_INTERNET_DISCONNECTED/);
    const line = { isCut: true };
    await cutSaving(first, line);
    await first.locator(title).fill('Left behind');
    await savingIs(first, 'offline');
    const second = await openBeside(first);
    await goTo(second, `/projects/${projectId}/document`);
    await isOpen(second);
    await second.waitForFunction(titleIs('A page'));
    await first.close();
    await second.reload();
    await isOpen(second);
    await second.waitForFunction(titleIs('Left behind'));
    await savingIs(second, 'saved');
    expect(await titlesOf(projectId)).toEqual(['Left behind']);
  });
});

describe('a document without the right to edit it', () => {
  /**
   * Returns the names of the enabled controls in the main part of the page, except the elements on the canvas and the
   * pages in the strip.
   */
  const controls = (page: Page): Promise<string[]> =>
    page.$$eval('main :is(input, textarea, button):not(:disabled, [data-target], [data-open])', (all) =>
      all.map((each) => (each.getAttribute('aria-label') ?? each.textContent ?? '').trim()),
    );

  test('a viewer sees the document but cannot move, write or delete anything', async () => {
    const projectId = await newProject(member, 'Gallery', { [colleague]: 'viewer' });
    const document = await storePages(member, projectId, [onePage('Look at me'), onePage('And at me')]);
    const page = await open();
    await openDocument(page, colleague, projectId);
    await page.locator('::-p-text(View only)').wait();
    const text = target('Text: Look at me');
    const place = () => page.$eval(text, (each) => (each as HTMLElement).style.cssText);
    const [before, stood] = [await middleOf(page, text), await place()];
    await page.mouse.click(before.x, before.y, { count: 2 });
    await pull(page, before, { x: 30, y: 30 });
    await page.keyboard.press('Delete');
    await page.keyboard.press('ArrowDown');
    expect(await place()).toBe(stood);
    // An element that could not be deleted keeps the focus.
    expect(await page.$eval(text, (each) => each.matches(':focus'))).toBe(true);
    expect(await page.$('[contenteditable=true]')).toBeNull();
    expect(await page.$('[data-save-status]')).toBeNull();
    const looks = [
      'Document: Main document',
      'Members',
      'Zoom out',
      'Zoom in',
      'History',
      'Preview',
      'Exports',
    ];
    const others = (await controls(page)).filter((name) => !/^Zoom, |^Text: /.test(name));
    expect(others).toEqual(looks);
    await page.locator('[data-open][aria-label^="Page 2"]').click();
    await page.locator(target('Text: And at me')).wait();
    expect(await storedDocument(member, projectId)).toEqual(document);
    // Changes that others save appear without a reload.
    const entitled = document.pages.map((each) => ({ ...each, title: 'Entrance' }));
    await storePages(member, projectId, entitled);
    await page.locator(pageOf(1, 'Entrance')).wait();
    await page.locator(target('Text: And at me')).wait();
  });

  test('a stranger cannot learn that the document exists', { tags: ['extended'] }, async () => {
    const projectId = await newProject(member, 'Vault');
    await storePages(member, projectId, [onePage('The secret cellar')]);
    const page = await open();
    await startSession(page, colleague);
    expectErrors(/status of 404/);
    expect(await goTo(page, `/projects/${projectId}/document`)).toBe(404);
    await page.locator('::-p-text(Project not found)').wait();
    expect(await page.$(desk)).toBeNull();
    expect(await page.content()).not.toMatch(/Vault|secret cellar/);
  });
});

describe('a document that someone else archives or deletes', () => {
  test('its unsaved changes become a new document, or are saved when it is restored', {
    tags: ['extended'],
  }, async () => {
    const projectId = await newProject(member, 'Closed');
    const documents = `/api/projects/${projectId}/documents`;
    const create = await member(documents, { json: { name: 'Offer' } });
    expect(create.status).toBe(201);
    const { id } = documentSummary.parse(create.body);
    const storedTitles = async (documentId: string | null) => {
      const { body } = await member(`/api/projects/${projectId}/pages?documentId=${documentId}`);
      return projectDocument.parse(body).pages.map((each) => each.title);
    };
    const pages = { version: 1, pages: [onePage('Words')] };
    const path = `/api/projects/${projectId}/pages?documentId=${id}`;
    const { version } = projectDocument.parse((await member(path)).body);
    expect((await member(path, { method: 'PUT', json: { ...pages, version } })).status).toBe(200);
    const page = await open();
    await startSession(page, email);
    await goTo(page, `/projects/${projectId}/document?document=${id}`);
    await isOpen(page);
    expectErrors(/status of 40[49]/, /ERR_INTERNET_DISCONNECTED/);

    const line = { isCut: true };
    await cutSaving(page, line);
    const warnings: string[] = [];
    page.on('dialog', (dialog) => warnings.push(dialog.type()));
    await page.locator(title).fill('Not yet saved');
    await savingIs(page, 'offline');
    const archived = await member(`${documents}/${id}/archive`, { json: { archived: true } });
    expect(archived.status).toBe(200);
    line.isCut = false;
    await page.locator('[role=alert] ::-p-text(was archived while you were editing it)').wait();
    await page.waitForFunction(titleIs('Not yet saved'));
    await page.locator(byRole('button', 'Save as new document')).click();
    await page.locator(byRole('button', 'Document: Offer (copy)')).wait();
    await savingIs(page, 'saved');
    await page.waitForFunction(titleIs('Not yet saved'));
    const copy = new URL(page.url()).searchParams.get('document');
    expect(await storedTitles(copy)).toEqual(['Not yet saved']);
    expect(await storedTitles(id)).toEqual(['A page']);

    expect((await member(`${documents}/${copy}`, { method: 'DELETE' })).status).toBe(204);
    await page.locator('[role=alert] ::-p-text(This document was deleted)').wait();
    await page.locator(title).fill('Changed afterwards');
    await page.waitForSelector('[data-save-status=failed]');
    await page.locator(byRole('button', 'Restore document')).click();
    await savingIs(page, 'saved');
    await page.waitForFunction("!document.body.textContent.includes('This document was deleted')");
    expect(await storedTitles(copy)).toEqual(['Changed afterwards']);

    expect((await member(`${documents}/${copy}`, { method: 'DELETE' })).status).toBe(204);
    await page.locator('[role=alert] ::-p-text(This document was deleted)').wait();
    await page.locator(title).fill('Changed again');
    await page.waitForSelector('[data-save-status=failed]');
    await page.locator(byRole('button', 'Save as new document')).click();
    await page.locator(byRole('button', 'Document: Offer (copy) (copy)')).wait();
    await page.waitForFunction(titleIs('Changed again'));
    expect(warnings).toEqual([]);
  });

  test('its URL says that it is missing, and links to the documents of the project', {
    tags: ['extended'],
  }, async () => {
    const projectId = await newProject(member, 'Missing');
    await storePages(member, projectId, [onePage('Words')]);
    const { body } = await member(`/api/projects/${projectId}/documents`, { json: { name: 'Offer' } });
    const { id } = documentSummary.parse(body);
    await member(`/api/projects/${projectId}/documents/${id}`, { method: 'DELETE' });
    const page = await open();
    await startSession(page, email);
    await goTo(page, `/projects/${projectId}/document?document=${id}`);
    await page.locator('::-p-text(Document not found)').wait();
    await page.locator(byRole('link', 'Documents of the project')).click();
    await isOpen(page);
  });
});
