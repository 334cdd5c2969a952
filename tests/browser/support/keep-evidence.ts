import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import type { TestContext } from 'vitest';

const folder = join(import.meta.dirname, '../../../test-results');

function slug(text: string): string {
  return text.replace(/[^a-z0-9]+/gi, '-').slice(0, 80);
}

/**
 * Saves the evidence of a failed browser test: a screenshot of each page of the test, and a text file with the console
 * messages of these pages and the server's log of their requests. Prints where the files are.
 */
export async function keepEvidence(evidence: {
  test: TestContext['task'];
  pages: readonly Page[];
  console: readonly string[];
  server: readonly string[];
}): Promise<void> {
  const { test, pages, console: written, server } = evidence;
  const base = join(folder, slug(`${test.file.name.replace(/^.*\//, '')} ${test.name}`));
  await mkdir(folder, { recursive: true });
  for (const [index, page] of pages.entries()) {
    // No screenshot can be taken of a page that hangs or has crashed.
    await page.screenshot({ path: `${base}-${index + 1}.png` }).catch(() => null);
  }
  const addresses = pages.map((page, index) => `page ${index + 1}: ${page.url()}`);
  const parts = [test.name, '', ...addresses, '', 'Console:', ...written, '', 'Server:', ...server, ''];
  await writeFile(`${base}.txt`, parts.join('\n'));
  console.warn(`Screenshots and logs of the failed test: ${base}*`);
}
