import type { Locator, Page, WaitForSelectorOptions } from 'puppeteer-core';

type WaitForSelector = (selector: string, options: WaitForSelectorOptions) => Promise<null>;

/**
 * Returns whether an element is enabled and, on a page that React renders, hydrated. Also returns true for a removed
 * element, because waiting for it would never end. `connected` then throws, so that the locator looks for the new
 * element.
 */
const isReady = (element: Element) =>
  !element.isConnected ||
  (!element.matches(':disabled') &&
    (!('__next_f' in window) || Object.keys(element).some((key) => key.startsWith('__reactFiber$'))));

/** Returns whether the text of a field can be changed, or true if the field has been removed. */
const isWritable = (element: Element) => !element.isConnected || !element.matches(':read-only');

/** Returns the element. Throws if it has been removed, so that its locator looks for it again. */
const connected = (element: Element) => {
  if (!element.isConnected) throw new Error('The element has been removed.');
  return element;
};

/**
 * Replaces the `waitForSelector` of a page and the `click` and `fill` of its locators with more reliable versions. The
 * locators also use the new `waitForSelector`. There are three reasons:
 *
 * - After a page load, buttons and fields are visible before React has hydrated them. Clicks and changes before
 *   hydration are lost.
 * - By default, Puppeteer looks for an element only after elements or attributes change. It misses text changes inside
 *   an element and may read outdated text from its cache, so a wait can last until the page changes for another reason.
 *   Only if the element has to be visible or hidden does Puppeteer look again in every animation frame.
 * - Puppeteer empties a field without an event, and then types each character. If React renders the field in between,
 *   the old text comes back. Selecting the text and inserting the new text is a single change.
 */
export function makeSteady(page: Page): void {
  const waitForSelector = page.waitForSelector.bind(page) as WaitForSelector;
  page.waitForSelector = (selector: string, options: WaitForSelectorOptions = {}) =>
    waitForSelector(selector, { ...options, visible: !options.hidden });

  const locate = page.locator.bind(page) as (selector: string) => Locator<Element>;
  page.locator = ((selector: string) => {
    const locator = locate(selector);
    const ready = locator.filter(isReady);
    locator.click = (options) => ready.map(connected).click(options);
    locator.fill = async (value: string | boolean) => {
      using field = await ready.filter(isWritable).map(connected).waitHandle();
      await field.evaluate((element) => {
        if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement))
          throw new TypeError('Only text can be filled in');
        element.focus();
        element.select();
      });
      if (value === '') await page.keyboard.press('Backspace');
      else await page.keyboard.sendCharacter(String(value));
    };
    return locator;
  }) as Page['locator'];
}
