import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { documentTasks } from '@/app/document-tasks';
import type { PageInput } from '@/lib/document/page-model';
import { exportOptions, type ProjectDocumentInput, projectDocument } from '@/lib/document/schema';
import { planSheets } from '@/lib/document/sheets';
import { launchChromium } from '@/lib/pdf/chromium/launch';
import { fastPdf } from '@/lib/pdf/fast/fast-pdf';
import { derivativeStore } from '@/lib/pdf/images/derivative-store';
import { type MadePdf, type PdfJob, type PdfTools, withPdf } from '@/lib/pdf/make-pdf';
import { plainPdf } from '@/lib/pdf/plain-pdf';
import { prepareSpare } from '@/lib/pdf/print-page';
import { printedImages } from '@/lib/pdf/printed-images';
import { makePrintingDataDir } from '@/tests/setup/temporary-dir';

/** An image file. `bytes` is null if the file is gone but its dimensions are still known. */
export type ShopFile = {
  width: number;
  height: number;
  bytes: Uint8Array | null | (() => Promise<Uint8Array>);
};
export type Order = {
  pages: PageInput[];
  document?: Omit<ProjectDocumentInput, 'pages' | 'version'>;
  options?: Partial<Parameters<typeof exportOptions.parse>[0] & object>;
  /** Image files, keyed by the path that elements reference. */
  files?: Record<string, ShopFile>;
  /** SVG source of each file that has one, keyed by the path of the file. */
  drawings?: PdfJob['drawings'];
  attachment?: PdfJob['attachment'];
  report?: PdfJob['report'];
  signal?: AbortSignal;
};

const TITLE = 'The house by the sea';

/**
 * Opens a browser and a store of derived images. Returns functions that print documents without a database, either in
 * parts (the fast path) or in one piece (the plain path).
 */
export async function openPrintShop() {
  const dataDir = await makePrintingDataDir();
  const logged: { reason: string }[] = [];
  const chromium = await launchChromium({
    dataDir: dataDir.path,
    network: 'none',
    userDataDir: join(dataDir.path, 'profile'),
    args: [
      '--disable-webgl',
      '--disable-dev-shm-usage',
      '--disable-background-networking',
      '--js-flags=--jitless',
    ],
    log: { warn: () => {} },
  });
  const kill = () => process.kill(-chromium.pid, 'SIGKILL');
  const folder = join(dataDir.path, 'images');
  const tools: PdfTools = {
    render: documentTasks.documentHtml,
    readFile: async () => null,
    store: derivativeStore(folder),
    withBrowser: async (work) => {
      try {
        return await work(chromium.browser, kill);
      } finally {
        prepareSpare(chromium.browser);
      }
    },
    log: { warn: (said: object) => logged.push(said as { reason: string }) },
  };

  const prepare = (order: Order) => {
    const { pages, document, options, files = {}, drawings, report, signal } = order;
    const parsed = projectDocument.parse({ version: 0, ...document, pages });
    const how = exportOptions.parse(options ?? {});
    const job: PdfJob = {
      plan: planSheets(parsed, TITLE, how),
      title: parsed.cover.title || TITLE,
      files: Object.entries(files).map(([path, { width, height }]) => ({ key: path, path, width, height })),
      drawings,
      quality: how.quality,
      attachment: order.attachment ?? null,
      isPdfA: how.pdfA,
      maxImageBytes: Number.POSITIVE_INFINITY,
      report: report ?? (() => {}),
      signal: signal ?? AbortSignal.timeout(600_000),
    };
    const readFile: PdfTools['readFile'] = async (path) => {
      const bytes = files[path]?.bytes ?? null;
      return typeof bytes === 'function' ? bytes() : bytes;
    };
    return { job, tools: { ...tools, readFile } };
  };
  /** Prints on one path only, without a fallback. */
  const printBy =
    (way: typeof fastPdf) =>
    async <T>(order: Order, use: (made: MadePdf) => Promise<T>, more: Partial<PdfTools> = {}): Promise<T> => {
      const { job, tools: prepared } = prepare(order);
      const own = { ...prepared, ...more };
      const target = await own.store.makeFolder();
      const settings = {
        ...own,
        quality: job.quality,
        maxBytes: job.maxImageBytes,
        folder: target,
        drawings: job.drawings,
        signal: job.signal,
      };
      return use(await way(job, own, printedImages(job.plan, job.files, settings)));
    };
  const whole = async ({ pdf, warnings }: MadePdf) => ({ pdf: await buffer(pdf), warnings });

  return {
    title: TITLE,
    folder,
    chromium,
    tools,
    /** Reasons why documents were printed in one piece. */
    logged,
    prepare,
    streamFast: printBy(fastPdf),
    streamPlain: printBy(plainPdf),
    // `more` overrides tools.
    fast: (order: Order, more?: Partial<PdfTools>) => printBy(fastPdf)(order, whole, more),
    plain: (order: Order, more?: Partial<PdfTools>) => printBy(plainPdf)(order, whole, more),
    /** Prints as an export does: on the fast path, with the plain path as a fallback. */
    make: (order: Order, more: Partial<PdfTools> = {}) => {
      const { job, tools: own } = prepare(order);
      return withPdf(job, { ...own, ...more }, whole);
    },
    close: async () => {
      await chromium.close();
      await dataDir.remove();
    },
  };
}
export type PrintShop = Awaited<ReturnType<typeof openPrintShop>>;
