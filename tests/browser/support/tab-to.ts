import type { Page } from 'puppeteer-core';
import { expect } from 'vitest';

/**
 * Evaluates to the name of the focused element, or to null if no focus ring is visible on it. Fields need no ring,
 * because their border shows the focus.
 */
const focused = `(() => {
  const element = document.activeElement;
  const rings = [null, '::after'].map((part) => getComputedStyle(element, part).outlineStyle);
  if (!element.matches(':focus-visible')) return null;
  if (!element.matches('input, select, textarea') && rings.every((ring) => ring === 'none')) return null;
  const label = element.getAttribute('aria-label') || element.labels?.[0]?.textContent;
  return label || element.name || element.textContent.trim();
})()`;

/**
 * Presses Tab, with Shift for 'back', until the element with this name has the focus. The focus must be visible at each
 * stop on the way.
 */
export async function tabTo(page: Page, name: string, direction: 'on' | 'back' = 'on'): Promise<void> {
  const stops: unknown[] = [];
  while (stops.length < 40) {
    if (direction === 'back') await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    if (direction === 'back') await page.keyboard.up('Shift');
    const stop = await page.evaluate(focused);
    stops.push(stop);
    expect(stop, `after ${stops.join(', ')}`).not.toBeNull();
    if (stop === name) return;
  }
  throw new Error(`Tab did not lead to "${name}", but to ${stops.join(', ')}`);
}
