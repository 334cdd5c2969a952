import { buffer } from 'node:stream/consumers';
import type { Browser } from 'puppeteer-core';
import { printHtml } from '../print-html';
import { SpliceRefusal } from '../splice/chunk-pdf';
import { makePlaceholders } from '../splice/placeholder';
import { readPart, splicePdfs } from '../splice/splice-pdfs';

const TIME_MS = 15_000;
const LINK_BASE = 'https://sheets.invalid/#';
const NAME = 'test';

/**
 * Prints a page with one placeholder and one link, joins the PDF with a copy of itself, and checks the result. Throws
 * `SpliceRefusal` when the result is not as expected.
 */
export async function testSplice(print: (html: string) => Promise<Uint8Array>): Promise<void> {
  const src = (await makePlaceholders())(NAME);
  const html =
    '<!doctype html><html lang="en"><title>t</title><style>@page { margin: 0 } body { margin: 0 }</style>' +
    `<a href="${LINK_BASE}sheet-1">link</a><img src="${src}" style="width: 50mm; height: 50mm" alt="">`;
  const pdf = await print(html);
  const parts = [await readPart(pdf), await readPart(pdf)];
  if (parts.some(({ structure }) => structure.kids.length === 0)) {
    throw new SpliceRefusal('The PDF is not tagged.');
  }
  const texts = parts.flatMap(({ chunk }) => [...chunk.objects.values()].map(({ text }) => text));
  const links = texts.filter((text) => text.includes(`/URI (${LINK_BASE}sheet-1)`));
  if (links.length !== parts.length) throw new SpliceRefusal('Links are not printed as links.');

  const mark = Buffer.from('the image of the placeholder');
  const jpeg = { length: mark.length, pieces: [mark] };
  const spliced = splicePdfs({
    parts,
    pages: parts.length,
    required: new Set([NAME]),
    image: (name) => ({ name, width: 1, height: 1, jpeg, mask: null }),
    title: 't',
    language: 'en',
    outline: [],
    attachment: null,
    archiveProfile: null,
    anchor: (page) => `sheet-${page + 1}`,
    pageNumber: (page) => page + 1,
    pageTitle: String,
    linkBase: LINK_BASE,
  });
  const whole = await buffer(spliced);
  const first = whole.indexOf(mark);
  if (first < 0 || whole.includes(mark, first + 1))
    throw new SpliceRefusal('A shared image is not stored once.');
}

const tested = new Map<string, Promise<void>>();

/** Throws `SpliceRefusal` when PDFs from this version of the browser cannot be joined. Tests each version once. */
export async function requireSpliceable(browser: Browser, kill: () => void): Promise<void> {
  const version = await browser.version();
  const print = async (html: string) => {
    const signal = AbortSignal.timeout(TIME_MS);
    return (await printHtml(browser, kill, { html, signal })).pdf;
  };
  const testing = tested.get(version) ?? testSplice(print);
  tested.set(version, testing);
  await testing.catch((error: unknown) => {
    // Any other error, such as a lost browser, says nothing about the version, so test the version again next time.
    if (!(error instanceof SpliceRefusal)) tested.delete(version);
    throw error;
  });
}
