import type { Page } from 'puppeteer-core';

type Content = { text?: string; html?: string; images?: Uint8Array[]; csv?: string };

/**
 * Pastes or drops data the way another program would provide it. Throws if the page does not cancel the event, because
 * the browser would then handle it.
 */
export async function give(
  page: Page,
  how: 'paste' | 'drop',
  { text = '', html = '', images = [], csv = '' }: Content,
): Promise<void> {
  const files = images.map((bytes) => Buffer.from(bytes).toString('base64'));
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    if (${JSON.stringify(text)}) data.setData('text/plain', ${JSON.stringify(text)});
    if (${JSON.stringify(html)}) data.setData('text/html', ${JSON.stringify(html)});
    if (${JSON.stringify(csv)}) data.items.add(new File([${JSON.stringify(csv)}], 'prices.csv', { type: 'text/csv' }));
    for (const [at, base64] of ${JSON.stringify(files)}.entries()) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], 'IMG ' + at + '.png', { type: 'image/png' }));
    }
    const event = '${how}' === 'paste'
      ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
      : new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
    if (!event.defaultPrevented) throw new Error('The browser would handle it.');
  })()`);
}
