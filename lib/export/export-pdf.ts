import { ProtocolError } from 'puppeteer-core';
import { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import type { Log } from '@/lib/log/logger';
import type { WorkHandler, WorkItem, WorkOutcome } from '@/lib/queue/work';
import { exportPath } from '@/lib/storage/keys';
import { putObject, removeObjects } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { measured } from '@/lib/telemetry/measured';
import { StartFailure } from './chromium/start-process';
import { countPdfPages } from './count-pdf-pages';
import type { DocumentImages } from './document/page-model';
import { planSheets, type SheetPlan } from './document/sheets';
import { printedCharacters } from './fonts/print-fonts';
import { missingGlyphs } from './missing-glyphs';
import { IMAGE_ORIGIN, printHtml } from './print-html';
import { printedImages } from './printed-images';
import { type ExportWarning, exportOptions, exportWarning } from './schema';
import { snapshot } from './snapshot';
import { withBrowser } from './warm-browser';

/** Draws a planned document as a complete HTML page, which may show images of `imageSource` alone. */
export type RenderHtml = (input: {
  plan: SheetPlan;
  title: string;
  images: DocumentImages;
  imageSource: string;
}) => Promise<string>;

const DEADLINE_MS = 3 * 60_000;
const WATCH_MS = 1_000;
/** Two at a time keep two cores busy; more would only need more memory. */
const PARALLEL = 2;

type Result = { path: string; bytes: number; pageCount: number; warnings: ExportWarning[] };

async function readJob(jobId: string) {
  const [row] = dataOf(
    await adminDb()
      .from('export_jobs')
      .select('id,project_id,run,status,options,snapshot,input_sha256')
      .eq('id', jobId)
      .limit(1),
  );
  return row;
}
type Job = NonNullable<Awaited<ReturnType<typeof readJob>>>;

/** What an earlier export made from the same input. */
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
  const warnings = z.array(exportWarning).parse(row.warnings);
  return { path: row.result_path, bytes: row.result_bytes ?? 0, pageCount: row.page_count, warnings };
}

/** Tells how far the work is, and notices within a second when it was called off. */
function watch(item: WorkItem, calledOff: AbortController) {
  let done = 0;
  const timer = setInterval(async () => {
    const { data, error } = await adminDb().rpc('export_progress', {
      p_id: item.id,
      p_token: item.leaseToken,
      p_pages_done: done,
    });
    if (!error && data === false) calledOff.abort(new Error('called off'));
  }, WATCH_MS);
  return {
    report: (pages: number) => {
      done = pages;
    },
    stop: () => clearInterval(timer),
  };
}

async function makePdf(
  job: Job,
  render: RenderHtml,
  report: (pages: number) => void,
  signal: AbortSignal,
  log: Log,
) {
  const document = snapshot.parse(job.snapshot);
  const plan = planSheets(document, document.projectName, exportOptions.parse(job.options));
  const total = plan.sheets.length;
  // The last one is done when all are printed.
  const { images, serve, warnings } = printedImages(plan, document.images, (ready) =>
    report(Math.min(ready, total - 1)),
  );
  const title = document.cover.title || document.projectName;
  const html = await render({ plan, title, images, imageSource: IMAGE_ORIGIN });
  const { pdf, overflows } = await withBrowser(log, (browser, kill) =>
    printHtml(browser, kill, { html, image: serve, signal }),
  );
  const counted = countPdfPages(pdf);
  if (counted !== total) throw new Error(`The PDF has ${counted} pages instead of ${total}.`);
  const overflowing = overflows.map(({ pageId, elementId }) => {
    const message = 'The content does not fit its frame; what hangs over is not printed.';
    return { code: 'text_overflow' as const, pageId, elementId, message };
  });
  const unprinted = missingGlyphs(plan.sheets, await printedCharacters(serverEnv().ATELIER_DATA_DIR));
  return { pdf, pageCount: total, warnings: [...overflowing, ...unprinted, ...warnings] };
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

function failure(error: unknown, deadline: AbortSignal): WorkOutcome {
  if (deadline.aborted) {
    const words = `The document could not be printed within ${DEADLINE_MS / 60_000} minutes.`;
    return { type: 'failed', code: 'timeout', error: words, retryable: false };
  }
  if (error instanceof StartFailure) {
    const words = 'The browser that prints could not be started.';
    return { type: 'failed', code: 'browser_unavailable', error: words, retryable: true };
  }
  if (error instanceof ProtocolError) {
    const words = 'The browser that prints was lost before the PDF was done.';
    return { type: 'failed', code: 'browser_lost', error: words, retryable: true };
  }
  throw error;
}

async function runExport(
  render: RenderHtml,
  job: Job,
  item: WorkItem,
  signal: AbortSignal,
  log: Log,
): Promise<WorkOutcome> {
  const calledOff = new AbortController();
  const { report, stop } = watch(item, calledOff);
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  const over = AbortSignal.any([signal, calledOff.signal, deadline]);
  try {
    const { pdf, pageCount, warnings } = await makePdf(job, render, report, over, log);
    over.throwIfAborted();
    const path = exportPath(job.project_id, job.id, item.attempt);
    await putObject(path, pdf, { contentType: 'application/pdf', replace: true });
    const kept = await finish(item, { path, bytes: pdf.byteLength, pageCount, warnings });
    if (!kept) await removeObjects([path]);
    return { type: 'closed' };
  } catch (error) {
    if (calledOff.signal.aborted) return { type: 'closed' };
    if (!signal.aborted) log.warn({ error }, 'export attempt failed');
    return failure(error, deadline);
  } finally {
    stop();
  }
}

/** Makes the PDF of an export, stores it, and closes the job together with its work item. */
export function exportPdf(render: RenderHtml): WorkHandler {
  const handler: WorkHandler = async (item, signal, log) => {
    const job = await readJob(item.subjectId);
    if (!job || job.run !== item.run || job.status !== 'processing') return { type: 'closed' };
    const same = await findSame(job);
    if (!same) return measured('export', {}, () => runExport(render, job, item, signal, log));
    await finish(item, same);
    return { type: 'closed' };
  };
  return Object.assign(handler, { parallel: PARALLEL });
}
