import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Result } from 'axe-core';
import type { Page } from 'puppeteer-core';
import { expect } from 'vitest';
import { desktop, phone, type Size } from './open-browser';

export type Scheme = 'light' | 'dark';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Emulates this color scheme, this size and a preference for reduced motion, and waits for animations to end. */
export async function lookAs(page: Page, scheme: Scheme, size: Size): Promise<void> {
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.setViewport(size);
  await page.waitForFunction(
    `document.documentElement.dataset.mantineColorScheme === '${scheme}' && innerWidth === ${size.width}`,
  );
  // Colors can be wrong while an animation runs. Endless animations are ignored.
  await page.waitForFunction(`document.getAnimations().every((animation) =>
    animation.playState !== 'running' || animation.effect.getComputedTiming().endTime === Infinity)`);
}

/**
 * Returns axe's serious and critical findings on the current page. Each string has a line that describes the finding,
 * followed by a line for each element that it concerns.
 */
export async function seriousFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await source);
  const violations = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )) as Result[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}`);
}

/** Returns whether the page is wider than the viewport and therefore scrolls horizontally. */
export async function overflows(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean;
}

/** Expects no serious or critical finding on the page as it is, for example with an open dialog. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await seriousFindings(page), new URL(page.url()).pathname).toEqual([]);
}

async function expectFit(page: Page, scheme: Scheme, size: Size): Promise<void> {
  await lookAs(page, scheme, size);
  const where = `${new URL(page.url()).pathname}, ${scheme}, ${size.width} px`;
  expect(await seriousFindings(page), where).toEqual([]);
  expect(await overflows(page), `${where}: scrolls sideways`).toBe(false);
}

/** Expects no serious or critical finding and no horizontal scrolling, at each size and in both color schemes. */
export async function expectFitForAll(page: Page, sizes = [desktop, phone]): Promise<void> {
  for (const size of sizes) {
    await expectFit(page, 'dark', size);
    await expectFit(page, 'light', size);
  }
  await lookAs(page, 'light', desktop);
}

/** Like `expectFitForAll`, but checks only two of the four combinations: light and wide, and dark and narrow. */
export async function expectFitForTwo(page: Page): Promise<void> {
  await expectFit(page, 'dark', phone);
  await expectFit(page, 'light', desktop);
}
