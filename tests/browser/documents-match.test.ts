import type { Page } from 'puppeteer-core';
import sharp from 'sharp';
import { beforeAll, expect, inject, test } from 'vitest';
import type { PageInput } from '@/lib/document/page-model';
import { type Api, apiAt } from '@/tests/app/support/api';
import { exported } from '@/tests/app/support/exports';
import { addFont, studioFont } from '@/tests/app/support/fonts';
import { signIn } from '@/tests/app/support/people';
import { addImage } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { photo } from '@/tests/pdf/support/documents';
import { desk, openDocument, storePages } from './support/document-pages';
import { openBrowser } from './support/open-browser';
import { type PlacedText, paintedPdf } from './support/painted-pdf';
import { byRole } from './support/spec-pages';
import { newProject } from './support/studio-pages';

const { url, env } = inject('atelier');
const { open } = openBrowser();
const email = 'member@atelier.test';
let member: Api;

beforeAll(async () => {
  member = apiAt(url, (await signIn(env, email)).headers);
});

const prose =
  'Limewashed walls and a floor of oiled oak hold the light of the bay through the day. The bench along the window ' +
  'is deep enough to sleep on, and its cushions are of undyed wool.';

/**
 * Returns two pages. The first is white and has texts and a table. The second is colored and has images, shapes and
 * materials; one image and one shape are rotated.
 */
function pagesWith(imageId: string): PageInput[] {
  return [
    {
      id: 'words',
      title: 'Words',
      elements: [
        {
          id: 'text',
          type: 'text',
          ...{ x: 20, y: 20, w: 120, h: 110, padding: 3, fill: '#f3f1ef' },
          blocks: [
            { type: 'heading', level: 1, runs: [{ text: 'The north wing' }] },
            {
              type: 'paragraph',
              runs: [
                { text: `${prose} ` },
                { text: 'Bold', bold: true },
                { text: ', ' },
                { text: 'slanted', italic: true },
                { text: ' and ' },
                { text: 'linked', link: 'https://example.com/' },
                { text: '. Ελληνικά, кириллица.' },
              ],
            },
            { type: 'heading', level: 2, runs: [{ text: 'What is needed' }] },
            { type: 'list', items: [[{ text: 'Oak, oiled' }], [{ text: prose }]] },
            { type: 'list', ordered: true, items: [[{ text: 'First' }], [{ text: 'Second' }]] },
          ],
        },
        {
          id: 'serif',
          type: 'text',
          ...{
            x: 145,
            y: 20,
            w: 45,
            h: 110,
            fontSize: 9,
            font: 'EB Garamond',
            align: 'justify',
            hyphenate: true,
          },
          blocks: [
            {
              type: 'paragraph',
              spaceAfter: 4,
              lineHeight: 1.2,
              runs: [
                { text: `${prose} Documentation of representative upholstery. ` },
                { text: 'Measured ', font: 'Montserrat', size: 8, color: '#5f2c52', tracking: 40 },
                { text: 'light', bold: true },
                { text: ' of the morning', font: 'Studio Mono' },
                { text: '2', position: 'superscript' },
                { text: ' of Ελληνικά, кириллица and Ærø.', italic: true },
              ],
            },
            { type: 'list', spaceBefore: 2, items: [[{ text: prose }]] },
          ],
        },
        {
          id: 'right',
          type: 'text',
          ...{
            x: 60,
            y: 150,
            w: 120,
            h: 50,
            align: 'right',
            valign: 'bottom',
            fontSize: 18,
            color: '#5f2c52',
          },
          blocks: [{ type: 'paragraph', runs: [{ text: prose }] }],
        },
        {
          id: 'styled',
          type: 'text',
          ...{ x: 20, y: 268, w: 120, h: 20, fontSize: 8, font: 'EB Garamond' },
          blocks: [
            {
              type: 'heading',
              level: 2,
              style: { id: 'a', fontSize: 9, bold: true, align: 'center', color: '#1d4e89', tracking: 30 },
              runs: [{ text: 'Light in the morning' }],
            },
            { type: 'paragraph', runs: [{ text: 'Oak, linen and limewash.' }] },
            {
              type: 'paragraph',
              style: { id: 'b', font: 'Lora', fontSize: 7, lineHeight: 1.1, align: 'right' },
              runs: [{ text: 'A note ' }, { text: 'with words', size: 9 }, { text: ' of their own' }],
            },
          ],
        },
        {
          id: 'schedule',
          type: 'table',
          ...{ x: 20, y: 205, w: 170, h: 60, headerFill: '#d8d4cc' },
          columns: [
            { label: 'Item' },
            { label: 'Description', width: 2 },
            { label: 'Amount', align: 'right' },
          ],
          rows: [
            ['Oak', prose, '12'],
            ['Linen', 'Undyed', '340'],
          ],
        },
      ],
    },
    {
      id: 'pictures',
      title: 'Pictures',
      background: '#efe6dc',
      elements: [
        { id: 'photo', type: 'image', x: 12, y: 12, w: 120, h: 80, imageId },
        { id: 'whole', type: 'image', x: 140, y: 12, w: 58, h: 80, fit: 'contain', imageId },
        { id: 'turned', type: 'image', x: 30, y: 110, w: 60, h: 45, rotation: 12, imageId },
        { id: 'box', type: 'shape', kind: 'rect', x: 110, y: 105, w: 70, h: 40, fill: '#2f5d50', radius: 6 },
        {
          id: 'ring',
          type: 'shape',
          kind: 'ellipse',
          ...{ x: 120, y: 155, w: 50, h: 40, stroke: '#1d4e89', strokeWidth: 2 },
        },
        {
          id: 'line',
          type: 'shape',
          kind: 'line',
          ...{ x: 20, y: 180, w: 90, h: 4, stroke: '#1f2328', strokeWidth: 0.5, rotation: -8 },
        },
        {
          id: 'oak',
          type: 'material',
          ...{ x: 20, y: 200, w: 60, h: 70, materialId: 'oak', title: 'Oak, oiled', swatch: '#b48a5a' },
          rows: [
            { label: 'Finish', value: 'matt' },
            { label: 'Where', value: 'Floor and bench' },
          ],
        },
        {
          id: 'linen',
          type: 'material',
          x: 100,
          y: 210,
          w: 60,
          h: 60,
          materialId: 'l',
          title: 'Linen',
          imageId,
        },
      ],
    },
  ];
}

/**
 * The part of a line on the canvas that belongs to one text node: its characters with their left edges, and its
 * vertical extent, in CSS pixels from the page's upper left corner.
 */
type CanvasLine = { text: string; lefts: number[]; top: number; bottom: number };

const readLines = `(() => {
  const page = document.querySelector('${desk} .doc-page');
  const at = page.getBoundingClientRect();
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  const lines = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    let line = null;
    for (let index = 0; index < node.data.length; index += 1) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      // If a word is hyphenated at the end of a line, the first letter on the next line also has an empty rectangle at
      // the end of the hyphenated line. Therefore, take the last rectangle.
      const rect = [...range.getClientRects()].at(-1);
      if (!rect || node.data[index] === '\\u00ad') continue;
      if (!line || Math.abs(line.top - (rect.top - at.top)) > 2) {
        line = { text: '', lefts: [], top: rect.top - at.top, bottom: rect.bottom - at.top };
        lines.push(line);
      }
      line.text += node.data[index];
      line.lefts.push(rect.left - at.left);
    }
  }
  return lines;
})()`;

/** Removes all hyphens, because those at the ends of lines are not text on the canvas. */
const withoutHyphens = (text: string) => text.replace(/[\u00ad\u2010-]/g, '');

/**
 * Returns whether the canvas shows this text of the PDF in the same place. The text's baseline in the PDF must lie
 * between the top and the bottom of the line on the canvas. The text's left edge in the PDF and its left edge on the
 * canvas may differ by at most 0.75 pixels.
 */
function stands({ text, x, baseline }: PlacedText, lines: CanvasLine[]): boolean {
  return lines.some(({ text: words, lefts, top, bottom }) => {
    if (baseline < top || baseline > bottom) return false;
    return lefts.some(
      (left, index) => words.startsWith(withoutHyphens(text).trim(), index) && Math.abs(left - x) <= 0.75,
    );
  });
}

/**
 * Opens a page of the document in the editor, takes a screenshot of its sheet, and reads the lines of text on it. The
 * editor's zoom must be 100%.
 */
async function canvasOf(page: Page, number: number): Promise<{ png: Uint8Array; lines: CanvasLine[] }> {
  await page.locator(`[data-open][aria-label^="Page ${number}:"]`).click();
  await page.locator(`${desk}[aria-label^="Canvas of page ${number},"]`).wait();
  await page.waitForFunction(`document.fonts.status === 'loaded' &&
    [...document.querySelectorAll('${desk} img')].every((image) => image.complete && image.naturalWidth > 0)`);
  const take = async () => {
    const box = await (await page.waitForSelector(`${desk} .doc-sheet`))?.boundingBox();
    if (!box) throw new Error('The canvas shows no paper.');
    // An A4 sheet is 793.7 by 1122.5 pixels; leave out the partial pixels at its edges.
    const clip = { x: box.x, y: box.y, width: 793, height: 1122 };
    return page.screenshot({ clip, captureBeyondViewport: false });
  };
  // An image is painted a few frames after it has loaded.
  let png = await take();
  await poll('the canvas no longer changes', async () => {
    const before = png;
    png = await take();
    return Buffer.from(before).equals(png);
  });
  return { png, lines: (await page.evaluate(readLines)) as CanvasLine[] };
}

/**
 * The largest share of pixels in which two renderings of the same page may differ. Some pixels differ because the
 * renderers antialias slanted edges and scale images differently.
 */
const MOST = 0.002;

/** Returns the share of pixels in which a channel differs by more than an eighth of its range. */
async function shareThatDiffers(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all(
    [one, other].map((png) =>
      sharp(png).extract({ left: 0, top: 0, width: 793, height: 1122 }).removeAlpha().raw().toBuffer(),
    ),
  );
  if (!a || !b) throw new Error('There is nothing to compare.');
  let different = 0;
  for (let at = 0; at < a.length; at += 3) {
    const by = [0, 1, 2].map((channel) => Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0)));
    if (Math.max(...by) > 32) different += 1;
  }
  return different / (a.length / 3);
}

test('the pages of the PDF match those of the canvas pixel for pixel, except for antialiased edges', async () => {
  const projectId = await newProject(member, 'Match');
  const { bytes } = await photo(1200, 900, { grain: 0 });
  const image = await addImage(member, projectId, bytes);
  const mono = { file: 'ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff' };
  await addFont(member, projectId, await studioFont('Studio Mono', mono));
  const document = await storePages(member, projectId, pagesWith(image.id));
  const { job, pdf } = await exported(member, { projectId, pages: document.pages });
  expect(job.warnings).toEqual([]);

  const page = await open({ width: 1500, height: 1500 });
  await openDocument(page, email, projectId);
  await page.locator('button[aria-label^="Zoom, "]').click();
  await page.locator(byRole('menuitem', '100%')).click();
  await page.locator('button[aria-label="Zoom, 100%"]').wait();

  const sheets = await paintedPdf(await open(), pdf);
  expect(sheets).toHaveLength(2);
  for (const [index, sheet] of sheets.entries()) {
    const canvas = await canvasOf(page, index + 1);
    const letters = (texts: { text: string }[]) =>
      [...texts.map(({ text }) => withoutHyphens(text).replace(/\s/g, '')).join('')].sort().join('');
    // Leave out list numbers, bullets and texts that consist of a hyphen. On the canvas, these are not text.
    const printed = sheet.texts.filter(({ text }) => !/^(•|\d+\.|[\u00ad\u2010-])\s*$/.test(text));
    if (index === 0) expect(sheet.texts.some(({ text }) => /[\u00ad\u2010-]\s*$/.test(text))).toBe(true);
    expect(letters(printed), `letters of page ${index + 1}`).toBe(letters(canvas.lines));
    expect(
      printed.filter((text) => !stands(text, canvas.lines)),
      `texts of page ${index + 1}`,
    ).toEqual([]);
    const share = await shareThatDiffers(canvas.png, sheet.png);
    expect(share, `pixels of page ${index + 1}`).toBeLessThan(MOST);
  }
});
