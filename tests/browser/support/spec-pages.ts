import type { Page } from 'puppeteer-core';
import { inject } from 'vitest';
import type { SpecStatus } from '@/lib/specs/schema';
import { sessionCookies } from '@/tests/app/support/people';
import { becomesInteractive } from './open-browser';

export const password = 'atelier-demo';

/** Returns a selector for an element, by its role and accessible name. */
export const byRole = (role: string, name: string) => `::-p-aria([name="${name}"][role="${role}"])`;

const words: Record<SpecStatus, string> = {
  pending: 'Queued',
  processing: 'Processing',
  completed: 'Done',
  failed: 'Failed',
};

const having = (text: string) => `[.//*[normalize-space()="${text}"]]`;

/** Returns a selector for the row of a file in the list, optionally with this status and this text. */
export function specRow(fileName: string, status?: SpecStatus, text?: string): string {
  const stands = `${status ? having(words[status]) : ''}${text ? having(text) : ''}`;
  return `::-p-xpath(//tr[.//a[normalize-space()="${fileName}"]]${stands})`;
}

/** Fills in and submits the sign-in form, and waits until the next page is interactive. */
export async function signIn(page: Page, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await Promise.all([
    page.waitForFunction("!location.pathname.startsWith('/sign-in')"),
    page.locator(byRole('button', 'Sign in')).click(),
  ]);
  await becomesInteractive(page);
}

/** Gives the page's user a session without using the form, because most tests are not about signing in. */
export async function startSession(page: Page, email: string): Promise<void> {
  const { url, env } = inject('atelier');
  const domain = new URL(url).hostname;
  const cookies = await sessionCookies(env, email);
  await page.browserContext().setCookie(...cookies.map((cookie) => ({ ...cookie, domain })));
}

/** Starts a session for the user and opens this path of the app. */
export async function openAs(page: Page, email: string, path: string): Promise<void> {
  await startSession(page, email);
  await page.goto(`${inject('atelier').url}${path}`);
  await becomesInteractive(page);
}

/** Opens the list of specs and waits until it receives live updates. */
export async function openSpecs(page: Page, query = '', email = 'admin@atelier.test'): Promise<void> {
  await openAs(page, email, `/admin/specs${query}`);
  await isLive(page);
}

/** Waits until the page receives live updates. */
export async function isLive(page: Page): Promise<void> {
  await page.locator('[data-live=live]').wait();
}

/** Opens a picker in the table of uploads, such as `Brand of lobby.pdf`. */
export async function openPicker(page: Page, label: string): Promise<void> {
  await page.locator(`button[aria-label^="${label}:"]`).click();
  await page.locator(`input[aria-label="${label}"]`).wait();
}

/** Picks a brand or an area in the table of uploads. */
export async function pickName(page: Page, label: string, name: string): Promise<void> {
  await openPicker(page, label);
  // The picker lists at most 100 names, so type the name to make sure that it is listed.
  await page.locator(`input[aria-label="${label}"]`).fill(name);
  await page.locator(byRole('option', name)).click();
}

/**
 * Returns the text of each cell in a file's row: status; file and its details; brand, area and property; sections;
 * size; time; actions.
 */
export async function cellsOf(page: Page, fileName: string): Promise<string[]> {
  return page.$eval(specRow(fileName), (row) =>
    // The first cell contains the checkbox.
    [...row.children].slice(1).map((cell) => cell.textContent ?? ''),
  );
}
