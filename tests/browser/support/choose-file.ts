import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';

/** Writes a file to this folder and chooses it in the page's first file input. */
export async function chooseFile(
  page: Page,
  folder: string,
  name: string,
  content: Uint8Array | string,
): Promise<void> {
  const path = join(folder, name);
  await writeFile(path, content);
  await chooseFiles(page, 'body', path);
}

/** Chooses files in an element's first file input, which may be hidden behind a button. */
export async function chooseFiles(page: Page, within: string, ...paths: string[]): Promise<void> {
  await page.waitForFunction(`document.querySelector('${within} input[type=file]')`);
  const container = await page.$(within);
  const input = await container?.$('input[type=file]');
  await input?.uploadFile(...paths);
}
