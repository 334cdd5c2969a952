import type { Page } from 'puppeteer-core';
import { expect } from 'vitest';

/** The words of what has the focus; null when no ring or, of a field, border shows the reader that it has it. */
const focused = `(() => {
  const element = document.activeElement;
  const rings = [null, '::after'].map((part) => getComputedStyle(element, part).outlineStyle);
  if (!element.matches(':focus-visible')) return null;
  if (!element.matches('input, select, textarea') && rings.every((ring) => ring === 'none')) return null;
  return element.getAttribute('aria-label') || element.name || element.textContent.trim();
})()`;

/** Presses Tab until what has these words has the focus, with Shift to go back; each stop on the way must be visible. */
export async function tabTo(page: Page, words: string, way: 'on' | 'back' = 'on'): Promise<void> {
  const stops: unknown[] = [];
  while (stops.length < 40) {
    if (way === 'back') await page.keyboard.down('Shift');
    await page.keyboard.press('Tab');
    if (way === 'back') await page.keyboard.up('Shift');
    const stop = await page.evaluate(focused);
    stops.push(stop);
    expect(stop, `after ${stops.join(', ')}`).not.toBeNull();
    if (stop === words) return;
  }
  throw new Error(`Tab did not lead to "${words}", but to ${stops.join(', ')}`);
}
