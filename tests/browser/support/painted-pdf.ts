import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'puppeteer-core';

/** A piece of text; its position is in CSS pixels from the sheet's upper left corner. */
export type PlacedText = { text: string; x: number; baseline: number };
export type PaintedSheet = { png: Uint8Array; texts: PlacedText[] };

const scriptOf = (path: string) =>
  readFile(fileURLToPath(import.meta.resolve(`pdfjs-dist/build/${path}`)), 'utf8');
const scripts = Promise.all([scriptOf('pdf.min.mjs'), scriptOf('pdf.worker.min.mjs')]);

// This code is a string, because Vitest would replace the `import()` in a function with a call that fails in the page.
// It renders at a scale of 96 / 72, because a CSS pixel is three quarters of a point.
const paint = `async (scripts, bytes) => {
  const [address, worker] = scripts.map((script) => URL.createObjectURL(new Blob([script], { type: 'text/javascript' })));
  const { getDocument, GlobalWorkerOptions } = await import(address);
  GlobalWorkerOptions.workerSrc = worker;
  const data = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
  const pdf = await getDocument({ data, verbosity: 0 }).promise;
  const sheets = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const viewport = page.getViewport({ scale: 96 / 72 });
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(viewport.width);
    canvas.height = Math.ceil(viewport.height);
    await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise;
    const { items } = await page.getTextContent();
    const texts = items.filter(({ str }) => str && str.trim() !== '').map(({ str, transform }) => {
      const [x, baseline] = viewport.convertToViewportPoint(transform[4], transform[5]);
      return { text: str, x, baseline };
    });
    sheets.push({ png: canvas.toDataURL('image/png').split(',')[1], texts });
  }
  return sheets;
}`;

/** Renders the pages of a PDF with pdf.js at 96 dpi. `page` is an empty browser page to render in. */
export async function paintedPdf(page: Page, pdf: Uint8Array): Promise<PaintedSheet[]> {
  const bytes = JSON.stringify(Buffer.from(pdf).toString('base64'));
  const sheets = (await page.evaluate(`(${paint})(${JSON.stringify(await scripts)}, ${bytes})`)) as {
    png: string;
    texts: PlacedText[];
  }[];
  return sheets.map(({ png, texts }) => ({ png: new Uint8Array(Buffer.from(png, 'base64')), texts }));
}
