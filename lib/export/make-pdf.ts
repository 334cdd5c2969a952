import { rm } from 'node:fs/promises';
import type { Log } from '@/lib/log/logger';
import type { DocumentImages } from './document/page-model';
import type { SheetPlan } from './document/sheets';
import { fastPdf } from './fast/fast-pdf';
import type { DerivativeStore } from './images/derivative-store';
import { SpliceRefusal } from './pdf/chunk-pdf';
import { plainPdf } from './plain-pdf';
import { type ImageSettings, type PrintedImages, printedImages } from './printed-images';
import type { ExportQuality, ExportWarning } from './schema';
import type { Snapshot } from './snapshot';
import type { BrowserWork } from './warm-browser';

/** Draws a planned document, or some sheets of one, as a complete HTML page. */
export type RenderHtml = (input: {
  plan: SheetPlan;
  title: string;
  images: DocumentImages;
  /** What images are allowed from, as a content security policy says it. */
  imageSource: string;
  /** What links to sheets begin with, before the sheet's anchor; `#` when it is left out. */
  linkBase?: string;
}) => Promise<string>;

export type PdfJob = {
  plan: SheetPlan;
  title: string;
  /** The files of the document's images. */
  files: Snapshot['images'];
  quality: ExportQuality;
  /** Is told how many sheets are done; the last one is when all are. */
  report: (sheets: number) => void;
  signal: AbortSignal;
};
export type PdfTools = {
  render: RenderHtml;
  readFile: ImageSettings['readFile'];
  store: DerivativeStore;
  withBrowser: <T>(work: BrowserWork<T>) => Promise<T>;
  log: Pick<Log, 'warn'>;
};
/** A PDF that is written as it is read. */
export type MadePdf = { pdf: AsyncIterable<Uint8Array>; warnings: ExportWarning[] };

async function make(job: PdfJob, tools: PdfTools, images: PrintedImages): Promise<MadePdf> {
  try {
    return await fastPdf(job, tools, images);
  } catch (error) {
    if (!(error instanceof SpliceRefusal)) throw error;
    tools.log.warn({ reason: error.message }, 'printed in one piece');
    return plainPdf(job, tools, images);
  }
}

/**
 * Makes a PDF: in parts that are joined, or in one piece where the joining finds anything that it does not expect. What
 * it is made from is there until `use` has read it. Throws the signal's reason, what `tools` throw, or an Error when the
 * page count is not that of the plan.
 */
export async function withPdf<T>(
  job: PdfJob,
  tools: PdfTools,
  use: (made: MadePdf) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const folder = await tools.store.makeFolder();
  const { plan, files, quality } = job;
  const signal = AbortSignal.any([job.signal, over.signal]);
  const images = printedImages(plan, files, { ...tools, quality, folder, signal });
  try {
    return await use(await make(job, tools, images));
  } finally {
    over.abort(new Error('no longer wanted'));
    // What is just being fetched finds no folder to be put into.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
