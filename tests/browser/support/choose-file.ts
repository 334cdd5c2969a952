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
  const input = await page.waitForSelector<'input[type=file]'>('input[type=file]');
  await input?.uploadFile(path);
}
