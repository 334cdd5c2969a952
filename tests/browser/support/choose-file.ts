import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';

/** Chooses a file in the page's first file input, and writes it to this folder for that. */
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
