import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readText } from '@/lib/specs/pdf/read-text';
import { makeProtectedPdf } from '@/tests/pdf/support/make-pdf';
import { japanesePdf, rawPdf } from '@/tests/pdf/support/raw-pdf';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-text-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function withFile<T>(bytes: Uint8Array, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(join(folder, 'file.pdf'), 'w+');
  try {
    await file.writeFile(bytes);
    return await work(file);
  } finally {
    await file.close();
  }
}
const never = new AbortController().signal;
const read = (bytes: Uint8Array, limits?: Parameters<typeof readText>[2]) =>
  withFile(bytes, (file) => readText(file.fd, never, limits));

const stream = (content: string) => `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
const line = (text: string) => `BT /F1 12 Tf 20 700 Td (${text}) Tj ET`;

/**
 * Returns a PDF with these page contents. `outline` is called with the object number of the outline's root, and returns
 * the outline's objects, the root first.
 */
function pdfOf(contents: string[], outline: (first: number) => string[] = () => []): Uint8Array {
  const firstPage = 4;
  const entries = outline(firstPage + contents.length * 2);
  const kids = contents.map((_, n) => `${firstPage + n * 2} 0 R`).join(' ');
  const root = entries.length > 0 ? ` /Outlines ${firstPage + contents.length * 2} 0 R` : '';
  return rawPdf({
    objects: [
      `<< /Type /Catalog /Pages 2 0 R${root} >>`,
      `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      ...contents.flatMap((content, n) => [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${firstPage + n * 2 + 1} 0 R >>`,
        stream(content),
      ]),
      ...entries,
    ],
  });
}

test.each([
  ['UniJIS-UTF16-H', '67714EAC306E5E8A'],
  ['90ms-RKSJ-H', '938C8B9E82CC8FB0'],
])('the text in a font that is not embedded and uses the CMap %s is read', async (cMap, codes) => {
  const text = await read(japanesePdf(cMap, codes));
  expect(text.pages).toEqual([{ page: 1, text: '東京の床' }]);
});

test('the text of each page is read, and pages without text are left out', async () => {
  const text = await read(
    pdfOf([line('Fire doors  close'), '', `${line('One')} ${line('Two').replace('700', '600')}`]),
  );
  expect(text.isComplete).toBe(true);
  expect(text.sections).toEqual([]);
  expect(text.pages[0]).toEqual({ page: 1, text: 'Fire doors close' });
  expect(text.pages[1]?.page).toBe(3);
  expect(text.pages[1]?.text.split(/\s/)).toEqual(['One', 'Two']);
});

test('a PDF without text has no pages, and a protected PDF is read', async () => {
  expect(await read(pdfOf(['0 0 10 10 re f']))).toEqual({ pages: [], sections: [], isComplete: true });
  expect((await read(await makeProtectedPdf())).pages.length).toBeGreaterThan(0);
});

test('the outline is read with pages and levels, even when it has a cycle', async () => {
  const { sections } = await read(
    pdfOf([line('a'), line('b')], (first) => [
      `<< /Type /Outlines /First ${first + 1} 0 R /Last ${first + 2} 0 R >>`,
      `<< /Title (Doors \\\\ and\nwindows) /Parent ${first} 0 R /Next ${first + 2} 0 R /First ${first + 3} 0 R /Last ${first + 3} 0 R /Dest [4 0 R /Fit] >>`,
      `<< /Title (Curtains) /Parent ${first} 0 R /Next ${first + 1} 0 R /Dest [6 0 R /Fit] >>`,
      `<< /Title (Fire doors) /Parent ${first + 1} 0 R /First ${first + 1} 0 R /Next ${first + 3} 0 R /Dest (nowhere) >>`,
    ]),
  );
  expect(sections).toEqual([
    { title: 'Doors \\ and windows', page: 1, level: 1 },
    { title: 'Fire doors', page: null, level: 2 },
    { title: 'Curtains', page: 2, level: 1 },
  ]);
});

test('only the first 2,000 of 100,000 bookmarks are read', { tags: ['extended'] }, async () => {
  const many = 100_000;
  const { sections, pages } = await read(
    pdfOf([line('a')], (first) => [
      `<< /Type /Outlines /First ${first + 1} 0 R >>`,
      ...Array.from(
        { length: many },
        (_, n) =>
          `<< /Title (Entry ${n + 1}) /Parent ${first} 0 R ${n + 1 < many ? `/Next ${first + n + 2} 0 R` : ''} /Dest [4 0 R /Fit] >>`,
      ),
    ]),
  );
  expect(pages).toHaveLength(1);
  expect(sections).toHaveLength(2_000);
  expect(sections[1_999]).toEqual({ title: 'Entry 2000', page: 1, level: 1 });
});

test('only the beginning of a page with 50 MB of text is kept, and the next page is read', {
  tags: ['extended'],
}, async () => {
  const { pages } = await read(pdfOf([line('word '.repeat(80)).repeat(110_000), line('next')]));
  expect(pages[0]?.text).toHaveLength(20_000);
  expect(pages[1]).toEqual({ page: 2, text: 'next' });
});

test('all of 1,000 pages are read', { tags: ['extended'] }, async () => {
  const { pages } = await read(pdfOf(Array.from({ length: 1_000 }, (_, n) => line(`Page ${n + 1}`))));
  expect(pages).toHaveLength(1_000);
  expect(pages[999]).toEqual({ page: 1_000, text: 'Page 1000' });
});

test('the text that was read before a limit was exceeded is kept', { tags: ['extended'] }, async () => {
  const slow = `${line('x')} `.repeat(400_000);
  const contents = [line('kept'), ...Array.from({ length: 40 }, () => slow.slice(0, 900_000))];
  const text = await read(pdfOf(contents), { cpuSeconds: 1 });
  expect(text.isComplete).toBe(false);
  expect(text.pages[0]).toEqual({ page: 1, text: 'kept' });
  expect(text.sections).toEqual([]);
});

test('a file that cannot be read has no text, and an aborted read stops its process', async () => {
  expect(await read(Buffer.from('%PDF-1.7 nothing'))).toEqual({ pages: [], sections: [], isComplete: false });
  const stop = new AbortController();
  const reading = withFile(pdfOf([line('a')]), (file) => readText(file.fd, stop.signal));
  stop.abort();
  await expect(reading).rejects.toThrow();
});
