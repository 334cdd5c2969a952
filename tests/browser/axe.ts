import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Result } from 'axe-core';
import type { Page } from 'puppeteer-core';
import type { Size } from './open-browser';

export type Scheme = 'light' | 'dark';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Shows the page as on a device with this colour scheme and width, without anything that moves. */
export async function lookAs(page: Page, scheme: Scheme, size: Size): Promise<void> {
  await page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: scheme },
    { name: 'prefers-reduced-motion', value: 'reduce' },
  ]);
  await page.setViewport(size);
  await page.waitForFunction(
    `document.documentElement.dataset.mantineColorScheme === '${scheme}' && innerWidth === ${size.width}`,
  );
  // Colours on their way from one scheme to the other are neither's; what turns for ever has no end to wait for.
  await page.waitForFunction(`document.getAnimations().every((animation) =>
    animation.playState !== 'running' || animation.effect.getComputedTiming().endTime === Infinity)`);
}

/** What axe finds serious or critical on the page as it stands, a line for each finding with its elements. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(await source);
  const violations = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)",
  )) as Result[];
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}`);
}

/** Whether the page is wider than its window, so that one would have to scroll sideways. */
export async function overflows(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean;
}
