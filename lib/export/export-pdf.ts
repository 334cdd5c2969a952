import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import type { PageData } from '@/lib/document/page-model';
import { missingFonts, type ProjectFontFile, projectFontNames } from '@/lib/document/project-fonts';
import { type ExportWarning, exportOptions, exportWarning } from '@/lib/document/schema';
import { sheetTexts } from '@/lib/document/sheet-texts';
import { planSheets, type Sheet } from '@/lib/document/sheets';
import { serverEnv } from '@/lib/env/server';
import type { Log } from '@/lib/log/logger';
import { EndedForAnother } from '@/lib/pdf/browser-memory';
import { chunkSheets } from '@/lib/pdf/fast/chunk-sheets';
import { derivativeStore } from '@/lib/pdf/images/derivative-store';
import { type PdfJob, type RenderHtml, withPdf } from '@/lib/pdf/make-pdf';
import type { FontCoverage } from '@/lib/pdf/missing-glyphs';
import { type BrowserWork, withBrowser } from '@/lib/pdf/warm-browser';
import { sharedValue } from '@/lib/process/shared-value';
import type { WorkHandler, WorkItem, WorkOutcome } from '@/lib/queue/work';
import { exportPath } from '@/lib/storage/keys';
import { putObject, readObject, removeObjects, signedUrls, sizeLimit } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { withSpan } from '@/lib/telemetry/with-span';
import { embedDocument } from './embedded-document';
import { deadlineOutcome, exportFailure } from './export-failure';
import { findDrawings, type Snapshot } from './snapshot';

const DEADLINE_MS = 3 * 60_000;
const WATCH_MS = 1_000;
/**
 * How many milliseconds an upload may continue after an abort. If the upload finishes in that time, `runExport` can
 * remove the uploaded file.
 */
const GRACE_MS = 5_000;
/**
 * Number of exports that one process runs at a time. Two exports keep two cores busy. More exports would only take up
 * more memory.
 */
const PARALLEL = 2;

/**
 * Functions that an export needs. All but `readProjectFonts` run in worker threads, because they can be slow.
 */
export type DocumentWork = {
  render: RenderHtml;
  /** Returns the input of an export, with each page as JSON. */
  readSnapshot: (jobId: string) => Promise<{ rest: Omit<Snapshot, 'pages'>; pages: string[] }>;
  /** Returns the characters that each font contains. */
  fontCoverage: (fonts: ProjectFontFile[]) => Promise<FontCoverage[]>;
  missingGlyphs: (sheets: Sheet[], fonts: FontCoverage[]) => Promise<ExportWarning[]>;
  /** Returns the project's fonts with these names. */
  readProjectFonts: (projectId: string, names: string[]) => Promise<ProjectFontFile[]>;
};

/** Removes repeated warnings. A master can cause the same warning on every page that uses it. */
function distinct(warnings: ExportWarning[]): ExportWarning[] {
  return [...new Map(warnings.map((warning) => [JSON.stringify(warning), warning])).values()];
}

type Result = { path: string; bytes: number; pageCount: number; warnings: ExportWarning[] };

async function readJob(jobId: string) {
  const [row] = dataOf(
    await adminDb()
      .from('export_jobs')
      .select('id,project_id,run,status,options,input_sha256')
      .eq('id', jobId)
      .limit(1),
  );
  return row;
}
type Job = NonNullable<Awaited<ReturnType<typeof readJob>>>;

/** Returns the result of an earlier export of the same input, or null. */
async function findSame(job: Job): Promise<Result | null> {
  const [row] = dataOf(
    await adminDb()
      .from('export_jobs')
      .select('result_path,result_bytes,page_count,warnings')
      .eq('project_id', job.project_id)
      .eq('input_sha256', job.input_sha256)
      .eq('status', 'completed')
      .limit(1),
  );
  if (!row?.result_path || row.page_count === null) return null;
  // Make the PDF again if the row still exists but the file does not.
  const [url] = await signedUrls([row.result_path], 1);
  if (!url) return null;
  const warnings = z.array(exportWarning).parse(row.warnings);
  return { path: row.result_path, bytes: row.result_bytes ?? 0, pageCount: row.page_count, warnings };
}

/** Reports progress every second. Aborts `canceled` if the export was canceled or another worker has claimed it. */
function watch(item: WorkItem, canceled: AbortController) {
  const done = { pages: 0, images: 0, imagesTotal: 0 };
  const send = async () => {
    const { data, error } = await adminDb().rpc('export_progress', {
      p_id: item.id,
      p_token: item.leaseToken,
      p_pages_done: done.pages,
      p_images_done: done.images,
      p_images_total: done.imagesTotal,
    });
    if (!error && data === false) canceled.abort(new Error('canceled'));
  };
  const timer = setInterval(send, WATCH_MS);
  return {
    report: (pages: number) => {
      done.pages = pages;
    },
    reportImages: (images: number, imagesTotal: number) => {
      Object.assign(done, { images, imagesTotal });
    },
    /** Reports the latest progress immediately. */
    flush: send,
    stop: () => clearInterval(timer),
  };
}

/** Returns a signal that aborts `GRACE_MS` after `signal` does. */
function afterGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const abort = () => void setTimeout(() => late.abort(signal.reason), GRACE_MS).unref();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return late.signal;
}

/**
 * Returns the document of an export, and also its pages as JSON. Parses one page at a time and yields to the event loop
 * after each page.
 */
async function readDocument(
  job: Job,
  work: DocumentWork,
): Promise<{ document: Snapshot; pageTexts: string[] }> {
  const { rest, pages } = await work.readSnapshot(job.id);
  const parsed: PageData[] = [];
  for (const page of pages) {
    parsed.push(JSON.parse(page));
    await nextTurn();
  }
  return { document: { ...rest, pages: parsed }, pageTexts: pages };
}

/** Makes the PDF and streams it to storage. Returns what to record about the stored file. */
async function makeAndStore(
  job: Job,
  path: string,
  work: DocumentWork,
  { report, reportImages }: Pick<PdfJob, 'report' | 'reportImages'>,
  signal: AbortSignal,
  log: Log,
): Promise<Result> {
  const { document, pageTexts } = await readDocument(job, work);
  const options = exportOptions.parse(job.options);
  const plan = planSheets(document, document.projectName, options);
  const title = document.cover.title || document.projectName;
  const { quality } = options;
  const names = projectFontNames(plan.sheets.flatMap(sheetTexts));
  const projectFonts = await work.readProjectFonts(job.project_id, names);
  const render: RenderHtml = (input) => work.render({ ...input, projectFonts });
  const tools = {
    render,
    readFile: readObject,
    // All exports of this process share the images that were scaled for printing.
    store: sharedValue('derivatives', () => derivativeStore(resolve(serverEnv().ATELIER_DATA_DIR, 'images'))),
    withBrowser: <T>(print: BrowserWork<T>) => withBrowser(log, print),
    log,
  };
  const maxImageBytes = (await sizeLimit('exports')) ?? Number.POSITIVE_INFINITY;
  const attachment = await embedDocument(job.project_id, document, pageTexts, options);
  const about = { plan, title, quality, attachment, isPdfA: options.pdfA };
  const drawings = await findDrawings(job.project_id, document.images);
  const pdfJob = { ...about, files: document.images, drawings, maxImageBytes, report, reportImages, signal };
  return withPdf(pdfJob, tools, async ({ pdf, warnings }) => {
    // Check the text before anything is stored, because a later failure would leave a file behind.
    const unprinted = missingFonts(plan.sheets, projectFonts);
    const coverage = await work.fontCoverage(projectFonts);
    for (const sheets of chunkSheets(plan.sheets))
      unprinted.push(...(await work.missingGlyphs(sheets, coverage)));
    let bytes = 0;
    const counted = async function* () {
      for await (const piece of pdf) {
        bytes += piece.byteLength;
        yield piece;
      }
    };
    const body = Readable.toWeb(Readable.from(counted(), { objectMode: false })) as ReadableStream;
    const settings = { contentType: 'application/pdf', replace: true, signal: afterGrace(signal) };
    await putObject(path, body, settings);
    return { path, bytes, pageCount: plan.sheets.length, warnings: distinct([...warnings, ...unprinted]) };
  });
}

/** Calls `make`. If that fails because the browser was killed on account of another export, calls `make` again. */
async function retryIfDisturbed<T>(make: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof EndedForAnother)) throw error;
    }
  }
}

async function finish(item: WorkItem, { path, bytes, pageCount, warnings }: Result): Promise<boolean> {
  return dataOf(
    await adminDb().rpc('export_finished', {
      p_id: item.id,
      p_token: item.leaseToken,
      p_path: path,
      p_bytes: bytes,
      p_page_count: pageCount,
      p_warnings: warnings,
    }),
  );
}

async function runExport(
  work: DocumentWork,
  job: Job,
  item: WorkItem,
  signal: AbortSignal,
  log: Log,
): Promise<WorkOutcome> {
  const canceled = new AbortController();
  const { flush, stop, ...progress } = watch(item, canceled);
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const over = AbortSignal.any([signal, canceled.signal, deadline]);
  try {
    const path = exportPath(job.project_id, job.id, item.attempt);
    const result = await retryIfDisturbed(() => makeAndStore(job, path, work, progress, over, log));
    await flush();
    const kept = await finish(item, result);
    if (!kept) await removeObjects([path]);
    return { type: 'closed' };
  } catch (error) {
    if (canceled.signal.aborted) return { type: 'closed' };
    if (!signal.aborted) log.warn({ error }, 'export attempt failed');
    if (deadline.aborted) return deadlineOutcome(DEADLINE_MS);
    return exportFailure(error);
  } finally {
    stop();
  }
}

/**
 * Returns the work handler for exports. The handler reuses the PDF of an earlier export with the same input. If there
 * is none, it makes and stores a new PDF. It then completes the job and its work item in one transaction.
 */
export function exportPdf(work: DocumentWork): WorkHandler {
  const handler: WorkHandler = async (item, signal, log) => {
    const job = await readJob(item.subjectId);
    if (!job || job.run !== item.run || job.status !== 'processing') return { type: 'closed' };
    const same = await findSame(job);
    if (!same) return withSpan('export', {}, () => runExport(work, job, item, signal, log));
    await finish(item, same);
    return { type: 'closed' };
  };
  return Object.assign(handler, { parallel: PARALLEL });
}
