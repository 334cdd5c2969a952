import type { Page } from 'puppeteer-core';
import { openAs } from './spec-pages';

export const searchField = 'input[aria-label="Search materials"]';

/** Opens the material library and waits for results. */
export async function openMaterials(page: Page, query = ''): Promise<void> {
  await openAs(page, 'member@atelier.test', `/materials${query}`);
  await hasResponse(page);
}

/** Waits until the URL has these query parameters and the page shows at least one material for that URL. */
export async function hasResponse(page: Page, query: Record<string, string> = {}): Promise<void> {
  await page.waitForFunction(`(() => {
    const main = document.querySelector('main');
    const at = new URLSearchParams(location.search);
    // The cards' links get the new query a moment after the page's URL changes.
    const link = main.querySelector('ul[aria-label=Materials] a[data-id]');
    const shown = new URLSearchParams(link?.search);
    shown.delete('material');
    return ${JSON.stringify(Object.entries(query))}.every(([name, value]) => (at.get(name) ?? '') === value) &&
      link !== null && String(shown) === String(at) && !main.textContent.includes('Searching');
  })()`);
}

/** Returns the number of materials that the page reports. */
export async function countShown(page: Page): Promise<number> {
  const text = await page.$eval(
    '::-p-xpath(//main//span[contains(., " material")])',
    (line) => line.textContent,
  );
  return Number.parseInt((text ?? '').replaceAll(',', ''), 10);
}

/** Returns the names in the grid, in order. */
export async function namesShown(page: Page): Promise<string[]> {
  return page.$$eval('ul[aria-label=Materials] a[data-id]', (links) =>
    links.map((link) => link.textContent ?? ''),
  );
}

/** Returns a selector for a card in the grid, by the name of its material. */
export const card = (name: string) =>
  `::-p-xpath(//ul[@aria-label="Materials"]//a[normalize-space()="${name}"])`;

/** Returns a browser expression that is true while a dialog shows the material with this name. */
export const shownInDialog = (name: string) =>
  `[...document.querySelectorAll('[role=dialog] h2')].some((title) => title.textContent === ${JSON.stringify(name)})`;
