import { chmod, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeyInput, Page } from 'puppeteer-core';
import { expect } from 'vitest';
import type { PageElement, PageInput } from '@/lib/document/page-model';
import { type ProjectDocument, projectDocument } from '@/lib/document/schema';
import { type Api, excerpt } from '@/tests/app/support/api';
import { poll } from '@/tests/app/support/poll';
import { makeDataDir } from '@/tests/setup/temporary-dir';
import { becomesInteractive } from './open-browser';
import { byRole, openAs } from './spec-pages';

export const desk = '[data-desk]';

/** Signs the user in, opens a project's main document and waits until it is interactive. */
export async function openDocument(page: Page, email: string, projectId: string): Promise<void> {
  await openAs(page, email, `/projects/${projectId}/document`);
  await isOpen(page);
}

/** Waits until the document is loaded and interactive. */
export async function isOpen(page: Page): Promise<void> {
  await page.locator('[role=toolbar][aria-label="Document tools"]').wait();
  await becomesInteractive(page);
}

/** Waits until the page shows this save status. */
export async function savingIs(
  page: Page,
  status: 'saved' | 'saving' | 'offline' | 'conflict',
): Promise<void> {
  await page.locator(`[data-save-status=${status}]`).wait();
}

/** Reads a project's main document through the API. */
export async function storedDocument(api: Api, projectId: string): Promise<ProjectDocument> {
  const response = await api(`/api/projects/${projectId}/pages`);
  expect(response.status, excerpt(response)).toBe(200);
  return projectDocument.parse(response.body);
}

/** Replaces the pages of a project's main document through the API; returns the saved document. */
export async function storePages(api: Api, projectId: string, pages: PageInput[]): Promise<ProjectDocument> {
  const document = await storedDocument(api, projectId);
  const json = { ...document, pages };
  const response = await api(`/api/projects/${projectId}/pages`, { method: 'PUT', json });
  expect(response.status, excerpt(response)).toBe(200);
  return projectDocument.parse(response.body);
}

/**
 * The editing commands of Control shortcuts, by key. Tests must name the command, because a headless browser has no
 * window that maps keys to commands.
 */
const commandKeys: Partial<Record<KeyInput, string>> = {
  a: 'selectAll',
  c: 'copy',
  v: 'paste',
  x: 'cut',
};

/** Presses a key while holding Control, and runs the editing command of that shortcut, if there is one. */
export async function pressControl(page: Page, key: KeyInput): Promise<void> {
  const command = commandKeys[key];
  await page.keyboard.down('Control');
  await page.keyboard.press(key, { commands: command ? [command] : [] });
  await page.keyboard.up('Control');
}

/** Opens one of the toolbar's menus and clicks an item. */
export async function takeFrom(page: Page, menu: string, item: string): Promise<void> {
  await page.locator(byRole('button', menu)).click();
  await page.locator(`::-p-xpath(//*[@role="menuitem"][contains(., "${item}")])`).click();
  await page.waitForSelector('[role=menu]', { hidden: true });
}

type Point = { x: number; y: number };

/** Returns the center of the element that the selector matches, in viewport coordinates. */
export async function middleOf(page: Page, selector: string): Promise<Point> {
  const element = await page.waitForSelector(selector, { visible: true });
  const box = await element?.boundingBox();
  if (!box) throw new Error(`${selector} has no place on the screen.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Returns the number of CSS pixels per millimeter of a portrait A4 page on the canvas. */
export async function pxPerMm(page: Page): Promise<number> {
  return (await page.evaluate(
    `document.querySelector('${desk} .doc-sheet').getBoundingClientRect().width / 210`,
  )) as number;
}

/** Drags with the mouse. `by` is in millimeters on the paper. `before` runs before the mouse button is released. */
export async function pull(page: Page, from: Point, by: Point, before?: () => Promise<void>): Promise<void> {
  const px = await pxPerMm(page);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + by.x * px, from.y + by.y * px, { steps: 6 });
  await before?.();
  await page.mouse.up();
}

/** Returns a selector for the button that lies over an element of the open page and receives its clicks and drags. */
export function target(label: string): string {
  return `button[data-target][aria-label="${label}"]`;
}

/** Returns the only element of this type on a page. Throws if there is none or more than one. */
export function only<Type extends PageElement['type']>(
  page: { elements: PageElement[] } | undefined,
  type: Type,
): Extract<PageElement, { type: Type }> {
  const [found, ...more] = (page?.elements ?? []).filter(
    (element): element is Extract<PageElement, { type: Type }> => element.type === type,
  );
  if (!found || more.length > 0)
    throw new Error(`The page has ${found ? 'several' : 'no'} ${type} elements.`);
  return found;
}

/** Calls `press`, which must start a download, and returns the downloaded PDF. */
export async function downloaded(page: Page, press: () => Promise<void>): Promise<Uint8Array> {
  const folder = await makeDataDir();
  try {
    // The browser may run as a different user than the tests.
    await chmod(folder.path, 0o777);
    const session = await page.createCDPSession();
    await session.send('Browser.setDownloadBehavior', {
      behavior: 'allow',
      browserContextId: page.browserContext().id,
      downloadPath: folder.path,
    });
    await press();
    const name = await poll('the PDF is on disk', async () =>
      (await readdir(folder.path)).find((each) => each.endsWith('.pdf')),
    );
    return new Uint8Array(await readFile(join(folder.path, name)));
  } finally {
    await folder.remove();
  }
}
