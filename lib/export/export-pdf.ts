import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { ProtocolError } from 'puppeteer-core';
import { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import type { Log } from '@/lib/log/logger';
import type { WorkHandler, WorkItem, WorkOutcome } from '@/lib/queue/work';
import { exportPath } from '@/lib/storage/keys';
import { putObject, readObject, removeObjects, signedUrls } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { measured } from '@/lib/telemetry/measured';
import { StartFailure } from './chromium/start-process';
import { planSheets } from './document/sheets';
import { printedCharacters } from './fonts/print-fonts';
import { type DerivativeStore, derivativeStore } from './images/derivative-store';
import { type RenderHtml, withPdf } from './make-pdf';
import { missingGlyphs } from './missing-glyphs';
import { type ExportWarning, exportOptions, exportWarning } from './schema';
import { snapshot } from './snapshot';
import { type BrowserWork, withBrowser } from './warm-browser';

const DEADLINE_MS = 3 * 60_000;
const WATCH_MS = 1_000;
/** As long, storage may end what nobody wants any more, so that it can be taken away. Then it is left alone. */
const GRACE_MS = 5_000;
/** Two at a time keep two cores busy; more would only need more memory. */
const PARALLEL = 2;

let keptImages: DerivativeStore | undefined;

/** The derived images that the exports of this process share. */
function derivatives(): DerivativeStore {
  keptImages ??= derivativeStore(resolve(serverEnv().ATELIER_DATA_DIR, 'images'));
  return keptImages;
}

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
  // A file that is gone, whatever its row says, is made again.
  const [url] = await signedUrls([row.result_path], 1);
  if (!url) return null;
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

/** Aborts a while after `signal` did. */
function afterGrace(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const abort = () => void setTimeout(() => late.abort(signal.reason), GRACE_MS).unref();
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return late.signal;
}

/** Makes the PDF and stores it as it is made; answers what was stored. */
async function makeAndStore(
  job: Job,
  path: string,
  render: RenderHtml,
  report: (pages: number) => void,
  signal: AbortSignal,
  log: Log,
): Promise<Result> {
  const document = snapshot.parse(job.snapshot);
  const options = exportOptions.parse(job.options);
  const plan = planSheets(document, document.projectName, options);
  const title = document.cover.title || document.projectName;
  const { quality } = options;
  const tools = {
    render,
    readFile: readObject,
    store: derivatives(),
    withBrowser: <T>(work: BrowserWork<T>) => withBrowser(log, work),
    log,
  };
  const pdfJob = { plan, title, files: document.images, quality, report, signal };
  return withPdf(pdfJob, tools, async ({ pdf, warnings }) => {
    // Before anything is stored: what fails after it leaves a file behind.
    const unprinted = missingGlyphs(plan.sheets, await printedCharacters(serverEnv().ATELIER_DATA_DIR));
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
    return { path, bytes, pageCount: plan.sheets.length, warnings: [...warnings, ...unprinted] };
  });
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
    // Of a browser that hung: another one may do it.
    return { type: 'failed', code: 'timeout', error: words, retryable: true };
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
    const path = exportPath(job.project_id, job.id, item.attempt);
    const result = await makeAndStore(job, path, render, report, over, log);
    const kept = await finish(item, result);
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
