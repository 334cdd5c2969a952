import { afterEach, describe, expect, test, vi } from 'vitest';
import { openEditor } from '@/components/editor/editor-state';
import { createEditorStore } from '@/components/editor/editor-store';
import {
  imageProgress,
  isUnknown,
  progressed,
  withProgress,
} from '@/components/editor/export/export-progress';
import { describeOptions, exportProgress, warningLocation } from '@/components/editor/export/export-text';
import { pageRangeError, rangeToSend } from '@/components/editor/export/page-choice';
import { startExport } from '@/components/editor/export/start-export';
import { textureSize } from '@/components/editor/inspector/scale-field';
import { pdfRefusal } from '@/components/editor/open-pdf/read-pdf';
import { createSubmitOnce } from '@/hooks/submit-once';
import { exportOptions, projectDocument } from '@/lib/document/schema';
import type { ExportJob } from '@/lib/export/schema';

const job = (n: number, change: Partial<ExportJob> = {}): ExportJob => ({
  jobId: `job-${n}`,
  projectId: 'b0000000-0000-4000-8000-000000000001',
  status: 'processing',
  options: exportOptions.parse({}),
  downloadUrl: null,
  pageCount: null,
  pagesDone: 0,
  imagesDone: 0,
  imagesTotal: 0,
  bytes: null,
  warnings: [],
  error: null,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
  finishedAt: null,
  ...change,
});
const document = projectDocument.parse({
  version: 1,
  pages: [
    {
      id: 'a',
      title: 'Lobby',
      elements: [
        {
          id: 'e',
          type: 'image',
          name: 'Sofa',
          x: 0,
          y: 0,
          w: 9,
          h: 9,
          imageId: 'b0000000-0000-4000-8000-000000000002',
        },
      ],
    },
    { id: 'b', elements: [] },
  ],
});

afterEach(() => vi.unstubAllGlobals());

test('an export has the pages that someone else changed while the document was saved for it', async () => {
  const store = createEditorStore(openEditor(document), true);
  const theirs = { ...document, pages: document.pages.slice(1) };
  const bodies: string[] = [];
  vi.stubGlobal('fetch', async (_path: string, { body }: RequestInit) => {
    bodies.push(String(body));
    const jobId = 'b0000000-0000-4000-8000-000000000003';
    return Response.json({ jobId, status: 'processing' }, { status: 202 });
  });
  await startExport({
    store,
    flush: async () => store.dispatch({ type: 'merged', document: theirs, base: document, theirs }),
    projectId: 'b0000000-0000-4000-8000-000000000001',
    options: {},
    submitOnce: createSubmitOnce(),
  });
  expect(bodies.map((body) => JSON.parse(body).pages)).toMatchObject([[{ id: 'b' }]]);
});

describe('the live progress of an export', () => {
  const event = (pagesDone: number, imagesDone = 0) => ({
    exportJobId: 'job-3',
    pagesDone,
    imagesDone,
    imagesTotal: 40,
  });
  const pagesOf = (jobs: ExportJob[]) => jobs.map(({ pagesDone }) => pagesDone);

  test('a late response or update does not move the progress of an export back', () => {
    const live = progressed(progressed({}, event(7)), event(5));
    expect(pagesOf(withProgress([job(3, { pagesDone: 2 }), job(2)], live))).toEqual([7, 0]);
    expect(pagesOf(withProgress([job(3, { pagesDone: 9 })], live))).toEqual([9]);
  });

  test('only the first update of an export that no response contains is news', () => {
    const isNews = (jobs: ExportJob[] | null, live = {}) => isUnknown('job-3', jobs, live);
    expect([isNews(null), isNews([job(2)]), isNews([job(2), job(3)])]).toEqual([true, true, false]);
    expect(isNews([job(2)], progressed({}, event(0)))).toBe(false);
  });

  test('pages and images advance independently of each other', () => {
    const live = progressed(progressed({}, event(2, 9)), event(3, 8));
    expect(withProgress([job(3, { imagesDone: 7, imagesTotal: 40 })], live)).toMatchObject([
      { pagesDone: 3, imagesDone: 9, imagesTotal: 40 },
    ]);
  });

  test.each([
    [0, 40, '0 of 40 images ready'],
    [0, 1, '0 of 1 image ready'],
    [40, 40, null],
    [0, 0, null],
  ])('with %i of %i images made, the progress is %j', (imagesDone, imagesTotal, text) => {
    expect(imageProgress(job(3, { imagesDone, imagesTotal }))).toBe(text);
  });

  test('a late update does not change an export that has ended', () => {
    const done = job(3, { status: 'completed', pageCount: 3, pagesDone: 3 });
    expect(withProgress([done], progressed({}, event(99)))).toEqual([done]);
  });
});

test.each([
  [{}, 'A4, portrait'],
  [{ format: 'letter', orientation: 'landscape', includecover: true }, 'Letter, landscape, with cover'],
  [{ includecover: true, includeToc: true }, 'A4, portrait, with cover and contents'],
  [{ quality: 'archive', includeToc: true }, 'A4, portrait, archive quality, with contents'],
  [
    { pages: '1-3', bleed: 3, cropMarks: true, pureBlack: true, pdfA: true },
    'A4, portrait, pages 1-3, PDF/A-2a, with 3 mm bleed, crop marks and pure black text',
  ],
  [{ format: 'custom', customSize: { width: 120.5, height: 80 } }, '120.5 × 80 mm'],
])('the export options %j are described as "%s"', (options, text) => {
  expect(describeOptions(exportOptions.parse(options), document)).toBe(text);
});

test('a page range is checked while it is typed', () => {
  const errors = [null, '1-2', '', 'x', '3'].map((range) => pageRangeError(range, 2, 0));
  const format = 'Enter page numbers like 1-3, 5, 8-.';
  expect(errors).toEqual([null, null, format, format, 'The last page has the number 2.']);
});

test('a page range has the numbers that the pages show, and is sent without the sheets before them', () => {
  const ranges = ['3-5', '4, 7-', '-5', '1-3', '2-', '12'];
  expect(ranges.map((range) => pageRangeError(range, 10, 2))).toEqual(ranges.map(() => null));
  expect(ranges.map((range) => rangeToSend(range, 2))).toEqual(['1-3', '2, 5-', '-3', '1-1', '1-', '10']);
  expect(rangeToSend(null, 2)).toBeNull();
  expect(['2', '1-2, 5', '-2'].map((range) => pageRangeError(range, 10, 2))).toEqual(
    Array(3).fill('The first page has the number 3.'),
  );
  expect(pageRangeError('13', 10, 2)).toBe('The last page has the number 12.');
  // The description of an earlier export also uses the page numbers that are printed on the pages.
  const options = exportOptions.parse({ includecover: true, includeToc: true, pages: '1, 2-' });
  expect(describeOptions(options, document)).toBe('A4, portrait, pages 3, 4-, with cover and contents');
});

test('a file that is not a PDF or is too large is rejected before it is uploaded', () => {
  const refusal = (name: string, type: string, size: number) => pdfRefusal({ name, type, size });
  expect(refusal('House.PDF', '', 5)).toBeNull();
  expect(refusal('house', 'application/pdf', 5)).toBeNull();
  expect(refusal('house.png', 'image/png', 5)).toBe('house.png is not a PDF.');
  expect(refusal('house.pdf', '', 201 * 1024 * 1024)).toBe('A PDF can have at most 200 MB.');
});

test('only a texture with a known size can be shown at a true scale', () => {
  expect(textureSize({ type: 'textures', dimensions_mm: [1200, 900] })).toEqual({ width: 1200, height: 900 });
  expect(textureSize({ type: 'textures', dimensions_mm: null })).toBeNull();
  expect(textureSize({ type: 'textures', dimensions_mm: [0, 900] })).toBeNull();
  expect(textureSize({ type: 'models', dimensions_mm: [1200, 900, 80] })).toBeNull();
});

test('export progress counts sheets, including the cover and the table of contents', () => {
  const options = exportOptions.parse({ includecover: true, includeToc: true });
  expect(exportProgress({ pagesDone: 1, options }, document)).toEqual({ text: '1 of 4 pages', share: 0.25 });
  // One exported page, plus the cover and the table of contents.
  expect(exportProgress({ pagesDone: 1, options: { ...options, pages: '1' } }, document)).toEqual({
    text: '1 of 3 pages',
    share: 1 / 3,
  });
  // Pages were deleted after the export started.
  expect(exportProgress({ pagesDone: 9, options }, document)).toEqual({ text: '9 pages', share: null });
});

describe('warningLocation', () => {
  test.each([
    ['default', 'logo', 'Master “Default”', { pageId: 'default', elementId: 'logo' }],
    ['a', 'e', 'Page 1 “Lobby”, Image: Sofa', { pageId: 'a', elementId: 'e' }],
    ['a', 'gone', 'Page 1 “Lobby”', { pageId: 'a', elementId: null }],
    ['b', null, 'Page 2', { pageId: 'b', elementId: null }],
    ['gone', 'e', 'Deleted page', null],
    [null, null, 'Document', null],
  ])('a warning about page %s, element %s is shown at "%s"', (pageId, elementId, text, jump) => {
    expect(warningLocation({ pageId, elementId }, document, exportOptions.parse({}))).toEqual({ text, jump });
  });

  test('a warning shows the page number that the page has in the PDF', () => {
    const options = exportOptions.parse({ includecover: true, includeToc: true });
    const { text } = warningLocation({ pageId: 'b', elementId: null }, document, options);
    expect(text).toBe('Page 4');
  });
});
