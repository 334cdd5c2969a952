import { describe, expect, test } from 'vitest';
import {
  type ExportListState,
  emptyExportList,
  exportListReducer,
} from '@/components/editor/export/export-list-state';
import { exportProgress, optionsInWords, warningPlace } from '@/components/editor/export/export-words';
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
  bytes: null,
  warnings: [],
  error: null,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString(),
  finishedAt: null,
  ...change,
});
const done = (n: number) => job(n, { status: 'completed', pageCount: 3, pagesDone: 3 });
const ids = ({ jobs }: ExportListState) => jobs?.map(({ jobId }) => jobId);
const read = (jobs: ExportJob[], nextCursor: string | null = null) => ({
  type: 'read' as const,
  page: { jobs, nextCursor },
});

const document = projectDocument.parse({
  version: 1,
  pages: [
    { id: 'a', title: 'Lobby', elements: [{ id: 'e', type: 'text', x: 0, y: 0, w: 9, h: 9, blocks: [] }] },
    { id: 'b', elements: [] },
  ],
});

describe('exportListReducer', () => {
  const start = exportListReducer(emptyExportList, read([job(3), done(2)], 'more'));

  test('a new export goes to the top of the list', () => {
    const state = exportListReducer(start, { type: 'changed', job: job(4) });
    expect(ids(state)).toEqual(['job-4', 'job-3', 'job-2']);
  });

  test('a late response does not undo progress or completion', () => {
    const progressed = exportListReducer(start, { type: 'progressed', jobId: 'job-3', pagesDone: 7 });
    expect(progressed.jobs?.[0]?.pagesDone).toBe(7);
    expect(exportListReducer(progressed, { type: 'progressed', jobId: 'job-3', pagesDone: 5 })).toBe(
      progressed,
    );
    expect(exportListReducer(progressed, read([job(3), done(2)])).jobs?.[0]?.pagesDone).toBe(7);
    const ended = exportListReducer(progressed, { type: 'changed', job: done(3) });
    expect(exportListReducer(ended, { type: 'changed', job: job(3, { pagesDone: 9 }) }).jobs?.[0]).toEqual(
      done(3),
    );
    expect(exportListReducer(ended, read([job(3), done(2)])).jobs?.[0]).toEqual(done(3));
    expect(exportListReducer(ended, { type: 'progressed', jobId: 'job-3', pagesDone: 99 })).toBe(ended);
  });

  test('a reload keeps older exports only if there is no gap before them', () => {
    const longer = exportListReducer(start, {
      type: 'extended',
      page: { jobs: [done(2), done(1)], nextCursor: null },
    });
    expect(ids(longer)).toEqual(['job-3', 'job-2', 'job-1']);
    const again = exportListReducer(longer, read([job(4), job(3)], 'other'));
    expect([ids(again), again.nextCursor]).toEqual([['job-4', 'job-3', 'job-2', 'job-1'], null]);
    const far = exportListReducer(longer, read([job(9), job(8)], 'other'));
    expect([ids(far), far.nextCursor]).toEqual([['job-9', 'job-8'], 'other']);
  });

  test('a reload keeps an export that started while it was loading', () => {
    const begun = exportListReducer(start, { type: 'changed', job: job(4) });
    expect(ids(exportListReducer(begun, read([job(3), done(2)], 'more')))).toEqual([
      'job-4',
      'job-3',
      'job-2',
    ]);
    const only = exportListReducer(emptyExportList, { type: 'changed', job: job(4) });
    expect(ids(exportListReducer(only, read([])))).toEqual(['job-4']);
  });

  test('progress of an unknown export is ignored', () => {
    expect(exportListReducer(start, { type: 'progressed', jobId: 'elsewhere', pagesDone: 1 })).toBe(start);
  });
});

test.each([
  [{}, 'A4, portrait'],
  [{ format: 'letter', orientation: 'landscape', includecover: true }, 'Letter, landscape, with cover'],
  [{ includecover: true, includeToc: true }, 'A4, portrait, with cover and contents'],
  [{ quality: 'archive', includeToc: true }, 'A4, portrait, archive quality, with contents'],
])('the export options %j are described as "%s"', (options, words) => {
  expect(optionsInWords(exportOptions.parse(options))).toBe(words);
});

test('export progress counts sheets, including the cover and the contents', () => {
  const options = exportOptions.parse({ includecover: true, includeToc: true });
  expect(exportProgress({ pagesDone: 1, options }, document)).toEqual({ words: '1 of 4 pages', share: 0.25 });
  // Pages were deleted after the export started.
  expect(exportProgress({ pagesDone: 9, options }, document)).toEqual({ words: '9 pages', share: null });
});

describe('warningPlace', () => {
  test.each([
    ['a', 'e', 'Page 1 “Lobby”', { pageId: 'a', elementId: 'e' }],
    ['a', 'gone', 'Page 1 “Lobby”', { pageId: 'a', elementId: null }],
    ['b', null, 'Page 2', { pageId: 'b', elementId: null }],
    ['gone', 'e', 'Deleted page', null],
    [null, null, 'Cover', null],
  ])('a warning about page %s, element %s is shown at "%s"', (pageId, elementId, words, jump) => {
    expect(warningPlace({ pageId, elementId }, document)).toEqual({ words, jump });
  });
});
