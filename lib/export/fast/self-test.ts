import type { Browser } from 'puppeteer-core';
import { SpliceRefusal } from '../pdf/chunk-pdf';
import { placeholders } from '../pdf/placeholder';
import { readPart, splicePdfs } from '../pdf/splice-pdfs';
import { printHtml } from '../print-html';

const TIME_MS = 15_000;
const LINK_BASE = 'https://sheets.invalid/#';

/** A page with one placeholder and one link must come out as two of them joined should. */
async function test(browser: Browser, kill: () => void): Promise<void> {
  const src = (await placeholders())('test');
  const html =
    `<!doctype html><html lang="en"><title>t</title><style>@page { margin: 0 } body { margin: 0 }</style>` +
    `<a href="${LINK_BASE}sheet-1">link</a><img src="${src}" style="width: 50mm; height: 50mm" alt="">`;
  const signal = AbortSignal.timeout(TIME_MS);
  const job = { html, image: async () => null, outline: false, signal };
  const { pdf } = await printHtml(browser, kill, job);
  const mark = Buffer.from('what the placeholder stands for');
  const spliced = splicePdfs({
    parts: [readPart(pdf), readPart(pdf)],
    pages: 2,
    required: new Set(['test']),
    image: (name) => ({
      name,
      width: 1,
      height: 1,
      jpeg: { length: mark.length, pieces: [mark] },
      mask: null,
    }),
    title: 't',
    language: 'en',
    outline: [],
    anchor: (page) => `sheet-${page + 1}`,
    linkBase: LINK_BASE,
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of spliced) pieces.push(piece);
  const whole = Buffer.concat(pieces);
  const first = whole.indexOf(mark);
  if (first < 0 || whole.indexOf(mark, first + 1) >= 0) throw new SpliceRefusal('One image is not one.');
}

const tested = new Map<string, Promise<void>>();

/** Throws SpliceRefusal when this version of the browser prints what cannot be joined; tried once for each. */
export async function requireSpliceable(browser: Browser, kill: () => void): Promise<void> {
  const version = await browser.version();
  const testing = tested.get(version) ?? test(browser, kill);
  tested.set(version, testing);
  await testing.catch((error: unknown) => {
    // A browser that was lost has said nothing about its version.
    if (!(error instanceof SpliceRefusal)) tested.delete(version);
    throw error;
  });
}
