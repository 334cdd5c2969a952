import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentHtml } from '@/app/document-html';
import type { PageInput } from '@/lib/document/page-model';
import { documentPages } from '@/lib/document/page-model';
import { boundMemory, EndedForAnother, MemoryExceeded } from '@/lib/pdf/browser-memory';
import { groupMemory } from '@/lib/pdf/chromium/group-memory';
import type { PdfTools } from '@/lib/pdf/make-pdf';
import { IMAGE_ORIGIN, printHtml } from '@/lib/pdf/print-html';
import { poll } from '@/tests/app/support/poll';
import { tablePages } from '@/tests/pdf/support/heavy-pages';
import { paintedPages } from '@/tests/pdf/support/painted';
import { openPrintShop, type PrintShop } from '@/tests/pdf/support/print-shop';

let shop: PrintShop;
beforeAll(async () => {
  shop = await openPrintShop();
});
afterAll(() => shop?.close());

/**
 * Returns a page with three text elements of `characters` characters each and a table of `rows` rows. All of them
 * overflow their frames.
 */
function overfull(characters: number, rows: number): PageInput {
  const sentence = 'Limewashed walls 木 and a floor of oiled oak\thold the light. '
    .repeat(400)
    .slice(0, characters);
  const blocks = [
    { type: 'heading' as const, level: 1 as const, runs: [{ text: 'Room' }] },
    {
      type: 'paragraph' as const,
      runs: [{ text: sentence.slice(0, 70), bold: true }, { text: sentence.slice(70) }],
    },
  ];
  const look = { x: 20, w: 100, h: 40, blocks };
  return {
    id: 'p',
    elements: [
      ...(['top', 'middle', 'bottom'] as const).map((valign, n) => ({
        ...look,
        id: valign,
        type: 'text' as const,
        y: 10 + n * 45,
        valign,
        align: 'justify' as const,
        rotation: n * 3,
      })),
      {
        id: 'table',
        type: 'table',
        x: 20,
        y: 150,
        w: 150,
        h: 60,
        columns: [{ label: 'Item' }, { label: 'Note' }],
        rows: Array.from({ length: rows }, (_, row) => [
          `Lamp ${row}`,
          row % 3 === 0 ? 'brass, patinated' : '',
        ]),
      },
    ],
  };
}

test('elements that overflow their frames render as if nothing had been left out of the HTML', {
  tags: ['extended'],
}, async () => {
  // The first page has too little content for the HTML to leave anything out. The second page has far more, and its
  // table has the maximum number of rows.
  const [little, much] = [overfull(900, 13), overfull(20_000, 300)];
  const [one, other] = [await shop.fast({ pages: [little] }), await shop.fast({ pages: [much] })];
  const [[mine], [theirs]] = [await paintedPages(one.pdf), await paintedPages(other.pdf)];
  expect(mine?.painted.length).toBeGreaterThan(10);
  expect(theirs?.painted).toEqual(mine?.painted);
  expect(other.warnings.map(({ code, elementId }) => `${code} ${elementId}`)).toEqual(
    ['top', 'middle', 'bottom', 'table'].map((id) => `text_overflow ${id}`),
  );
  expect(other.warnings).toEqual(one.warnings);
});

test('the HTML for the browser leaves out text that is not visible', { tags: ['extended'] }, async () => {
  const letters = [{ type: 'paragraph' as const, runs: [{ text: 'W'.repeat(20_000) }] }];
  const texts = Array.from({ length: 10 }, (_, n) => ({
    id: `e${n}`,
    type: 'text' as const,
    x: 10,
    y: 10,
    w: 150,
    h: 150,
    fontSize: 400,
    blocks: letters,
  }));
  const given: number[] = [];
  const render: PdfTools['render'] = async (input) => {
    const html = await documentHtml(input);
    given.push(html.length);
    return html;
  };
  const base =
    (await shop.fast({ pages: [{ id: 'empty', elements: [] }] }, { render })) && given.splice(0)[0];
  await shop.fast({ pages: [{ id: 'texts', elements: texts }, ...tablePages(10, 1)] }, { render });
  const [html = 0] = given;
  // If nothing were left out, the HTML would contain 200,000 letters, and 60,000 cells with more than 30 characters of
  // markup each.
  expect(html - (base ?? 0)).toBeLessThan(500_000);
});

test('a document that needs too much memory fails with a message, and others in the same browser fail as retryable', async () => {
  const { browser, pid } = shop.chromium;
  const kill = () => process.kill(-pid, 'SIGKILL');
  await shop.fast({ pages: [{ id: 'warm', elements: [] }] });
  const maxBytes = (await groupMemory(pid)) + 60 * 1024 * 1024;
  boundMemory(browser, { pid, kill, maxBytes });

  const asked = Promise.withResolvers<void>();
  const other = printHtml(browser, kill, {
    html: `<!doctype html><html lang="en"><title>t</title><img src="${IMAGE_ORIGIN}x">`,
    image: () => {
      asked.resolve();
      return new Promise(() => {});
    },
    signal: AbortSignal.timeout(60_000),
  });
  other.catch(() => undefined);
  await asked.promise;
  // Place sixteen tables on one page, each in a frame that is tall enough for all of its rows.
  const pages = tablePages(16, 1).map((page) => ({
    ...page,
    elements: (page.elements ?? []).map((element) => ({ ...element, fontSize: 4, h: 2_000 })),
  }));
  expect(documentPages.safeParse(pages).success).toBe(true);
  const printing = shop.fast({ pages });
  await expect(printing).rejects.toThrow(new MemoryExceeded(maxBytes, false));
  await expect(other).rejects.toThrow(EndedForAnother);
  await poll('the browser is gone', async () => !browser.connected);
});
