import { imageUses } from '../document/image-uses';
import { type SheetPlan, sheetAnchor } from '../document/sheets';
import { type DerivativeFile, readPart } from '../images/derivative-file';
import type { MadePdf, PdfJob, PdfTools } from '../make-pdf';
import { overflowWarnings } from '../overflow-warnings';
import { placeholders } from '../pdf/placeholder';
import { type GraftedImage, splicePdfs } from '../pdf/splice-pdfs';
import type { PrintedImages } from '../printed-images';
import { chunkSheets } from './chunk-sheets';
import { outlineOf } from './outline-of';
import { printChunks } from './print-chunks';
import { requireSpliceable } from './self-test';
import { isSurelyPainted } from './surely-painted';

/** Links to sheets have addresses below this until they lead to pages: a part knows no sheets but its own. */
const LINK_BASE = 'https://sheets.invalid/#';

/** The names of the images that must be in the PDF. */
function requiredImages(plan: SheetPlan, images: PrintedImages): Set<string> {
  const named = images.images((name) => name);
  return new Set(
    imageUses(plan).flatMap((use) => {
      const image = named.get(use.key);
      return image && isSurelyPainted(use, image, plan) ? [image.src] : [];
    }),
  );
}

function grafted(file: DerivativeFile): GraftedImage {
  const { width, height, jpegBytes, maskBytes } = file;
  return {
    width,
    height,
    jpeg: { length: jpegBytes, pieces: readPart(file, 'jpeg') },
    mask: maskBytes > 0 ? { length: maskBytes, pieces: readPart(file, 'mask') } : null,
  };
}

async function* until(signal: AbortSignal, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

/**
 * Prints a document in parts, without its images, and joins the parts and the images while the file is read. The browser
 * works as long as for a document without images, and no more than a part of it is in its memory. Throws SpliceRefusal
 * when anything is not as it should be; then nothing has been written yet.
 */
export async function fastPdf(job: PdfJob, tools: PdfTools, images: PrintedImages): Promise<MadePdf> {
  const { plan, title, report, signal } = job;
  const placeholder = await placeholders();
  const html = async (sheets: SheetPlan['sheets']) => {
    await images.ready(sheets);
    return tools.render({
      plan: { ...plan, sheets },
      title,
      images: images.images(placeholder),
      imageSource: 'data:',
      linkBase: LINK_BASE,
    });
  };
  let done = 0;
  const onPrinted = (sheets: SheetPlan['sheets']) => {
    done += sheets.length;
    report(Math.min(done, plan.sheets.length - 1));
  };
  const printed = await tools.withBrowser(async (browser, kill) => {
    await requireSpliceable(browser, kill);
    return printChunks(browser, kill, chunkSheets(plan.sheets), { html, onPrinted, signal });
  });
  const pdf = splicePdfs({
    chunks: printed.map((chunk) => chunk.pdf),
    pages: plan.sheets.length,
    required: requiredImages(plan, images),
    image: (name) => {
      const file = images.file(name);
      return file && grafted(file);
    },
    title,
    language: 'en',
    outline: outlineOf(plan),
    anchor: (page) => sheetAnchor(page + 1),
    linkBase: LINK_BASE,
  });
  const overflows = printed.flatMap((chunk) => chunk.overflows);
  return { pdf: until(signal, pdf), warnings: [...overflowWarnings(overflows), ...images.warnings()] };
}
