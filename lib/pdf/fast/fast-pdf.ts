import { paperSize } from '@/lib/document/sheet-edge';
import { type Sheet, sheetAnchor } from '@/lib/document/sheets';
import { type DerivativeFile, readDerivative } from '../images/derivative-file';
import type { MadePdf, PdfJob, PdfTools } from '../make-pdf';
import { pageBoxes, printedPaper } from '../paper-size';
import { IMAGE_ORIGIN } from '../print-html';
import { printWarnings } from '../print-warnings';
import type { PrintedImages } from '../printed-images';
import { type GraftedImage, splicePdfs } from '../splice/splice-pdfs';
import { srgbProfile } from '../srgb-profile';
import { chunkSheets } from './chunk-sheets';
import { outlineOf } from './outline-of';
import { imageOfPlaceholder, placePlaceholders } from './place-placeholders';
import { printChunks } from './print-chunks';
import { requireSpliceable } from './self-test';

/**
 * Prefix of links between sheets. A part contains only its own sheets, so these links are resolved when the parts are
 * joined.
 */
const LINK_BASE = 'https://sheets.invalid/#';

function grafted(name: string, file: DerivativeFile): GraftedImage {
  const { width, height, jpegBytes, maskBytes } = file;
  return {
    name,
    width,
    height,
    jpeg: { length: jpegBytes, pieces: readDerivative(file, 'jpeg') },
    mask: maskBytes > 0 ? { length: maskBytes, pieces: readDerivative(file, 'mask') } : null,
  };
}

async function* until(signal: AbortSignal, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

/**
 * Prints a document in parts, with placeholders for all images except SVG drawings. Joins the parts and inserts the
 * images while the result is read. Images therefore do not slow down printing, and the browser holds at most two parts
 * in memory at a time. Throws `SpliceRefusal`, before the first byte, when the parts do not have the expected form.
 */
export async function fastPdf(job: PdfJob, tools: PdfTools, images: PrintedImages): Promise<MadePdf> {
  const { plan, title, attachment, isPdfA, report, signal } = job;
  const required = new Set<string>();
  const look = { boxes: pageBoxes(plan), isPureBlack: plan.isPureBlack };
  const html = async (sheets: Sheet[]) => {
    await images.ready(sheets);
    const drawn = await tools.render({
      plan: { ...plan, sheets },
      title,
      images: new Map([...images.images((name) => IMAGE_ORIGIN + name), ...images.drawings()]),
      imageSource: 'data:',
      linkBase: LINK_BASE,
      paper: printedPaper(paperSize(plan)),
    });
    const placed = await placePlaceholders(drawn, sheets, plan, images);
    for (const name of placed.required) required.add(name);
    return placed.html;
  };
  let halves = 0;
  const finishHalf = (sheets: number) => {
    halves += sheets;
    report(Math.min(Math.floor(halves / 2), plan.sheets.length - 1));
  };
  for (const sheet of plan.sheets) {
    const ready = images.ready([sheet]);
    // Ignore a failure here, because the part that waits for these images also fails.
    ready.then(() => finishHalf(1)).catch(() => undefined);
  }
  const onPrinted = (sheets: Sheet[]) => finishHalf(sheets.length);
  const printed = await tools.withBrowser(async (browser, kill) => {
    await requireSpliceable(browser, kill);
    return printChunks(browser, kill, chunkSheets(plan.sheets), { html, look, onPrinted, signal });
  });
  const numberOf = (page: number) => plan.sheets[page]?.number ?? page + 1;
  const pdf = splicePdfs({
    parts: printed.map(({ part }) => part),
    pages: plan.sheets.length,
    required,
    image: (placeholder) => {
      const name = imageOfPlaceholder(placeholder);
      const file = images.file(name);
      return file && grafted(name, file);
    },
    title,
    language: plan.language,
    outline: outlineOf(plan),
    attachment,
    archiveProfile: isPdfA ? await srgbProfile() : null,
    anchor: (page) => sheetAnchor(numberOf(page)),
    pageNumber: numberOf,
    pageTitle: (page) => plan.sheets[page]?.title ?? title,
    linkBase: LINK_BASE,
  });
  return { pdf: until(signal, pdf), warnings: [...printed.flatMap(printWarnings), ...images.warnings()] };
}
