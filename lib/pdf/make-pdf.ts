import { rm } from 'node:fs/promises';
import type { DocumentImages } from '@/lib/document/page-model';
import type { ProjectFontFile } from '@/lib/document/project-fonts';
import type { ExportQuality, ExportWarning, StoredImage } from '@/lib/document/schema';
import type { SheetPlan, SheetSize } from '@/lib/document/sheets';
import type { Log } from '@/lib/log/logger';
import { fastPdf } from './fast/fast-pdf';
import type { DerivativeStore } from './images/derivative-store';
import { layoutWarnings } from './layout-warnings';
import { plainPdf } from './plain-pdf';
import { type ImageSettings, type PrintedImages, printedImages } from './printed-images';
import type { Attachment } from './splice/attachment';
import { SpliceRefusal } from './splice/chunk-pdf';
import type { BrowserWork } from './warm-browser';

/** Renders a planned document, or some of its sheets, as a complete HTML page. */
export type RenderHtml = (input: {
  plan: SheetPlan;
  title: string;
  images: DocumentImages;
  /** Allowed image sources, in the syntax of a content security policy. */
  imageSource: string;
  /** Paper size; defaults to the plan's. */
  paper?: SheetSize;
  /** The project fonts that the sheets use. */
  projectFonts?: ProjectFontFile[];
  /** URL prefix of links to sheets. Each link consists of this prefix and the sheet's anchor. Defaults to `#`. */
  linkBase?: string;
}) => Promise<string>;

export type PdfJob = {
  plan: SheetPlan;
  title: string;
  /** The files of the document's images. */
  files: StoredImage[];
  /**
   * SVG source of each image that has one, keyed by the path of the image file. The SVG is printed as vectors in place
   * of that file, unless the document's SVGs would then exceed `MAX_DRAWN_BYTES`.
   */
  drawings?: ReadonlyMap<string, string>;
  quality: ExportQuality;
  attachment: Attachment | null;
  /**
   * Whether the PDF should conform to PDF/A-2a. A PDF that is printed in one piece does not conform, and gets a warning
   * instead.
   */
  isPdfA: boolean;
  /**
   * Limit on the total size of the derived images in bytes. For a document that exceeds it, `withPdf` throws
   * `ImagesTooLarge` before it calls `use`.
   */
  maxImageBytes: number;
  /**
   * Called with the number of finished sheets. If the document is printed in parts, a sheet counts as half finished
   * when its images are made, and as finished when it is printed. The number stays below the total, because work
   * remains after the last sheet.
   */
  report: (sheets: number) => void;
  /** Called with the number of finished images, including those that cannot be printed, and the total number. */
  reportImages?: ImageSettings['report'];
  signal: AbortSignal;
};
export type PdfTools = {
  render: RenderHtml;
  readFile: ImageSettings['readFile'];
  store: DerivativeStore;
  withBrowser: <T>(work: BrowserWork<T>) => Promise<T>;
  log: Pick<Log, 'warn'>;
};
/** A PDF and its warnings. A PDF that is joined from parts is generated while it is read. */
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
 * Makes a PDF and passes it to `use`. Prints the document in parts and joins them. If the parts do not have the
 * expected form, prints the document in one piece instead. When `use` has finished, removes the PDF's folder of derived
 * images, but not the cached images. Throws `ImagesTooLarge`, `MemoryExceeded`, `EndedForAnother`, the signal's reason,
 * any error from the browser, `tools` or `use`, or an `Error` when the page count differs from the plan's.
 */
export async function withPdf<T>(
  job: PdfJob,
  tools: PdfTools,
  use: (made: MadePdf) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const folder = await tools.store.makeFolder();
  const { plan, files, drawings, quality, maxImageBytes } = job;
  const signal = AbortSignal.any([job.signal, over.signal]);
  const report = job.reportImages;
  const settings = { ...tools, quality, maxBytes: maxImageBytes, folder, drawings, report, signal };
  const images = printedImages(plan, files, settings);
  try {
    const { pdf, warnings } = await make(job, tools, images);
    return await use({ pdf, warnings: [...warnings, ...layoutWarnings(plan)] });
  } finally {
    over.abort(new Error('no longer needed'));
    // There is no need to wait for images that are still being made, because `store.place` fails for them once the
    // folder is gone.
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
