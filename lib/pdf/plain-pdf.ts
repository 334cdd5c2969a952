import type { ExportWarning } from '@/lib/document/schema';
import { paperSize } from '@/lib/document/sheet-edge';
import { countPdfPages } from './count-pdf-pages';
import type { MadePdf, PdfJob, PdfTools } from './make-pdf';
import { cutPages, pageBoxes, printedPaper } from './paper-size';
import { IMAGE_ORIGIN, printHtml } from './print-html';
import { printImage } from './print-image';
import { printWarnings } from './print-warnings';
import type { PrintedImages } from './printed-images';

/** Returns a warning if a document has options that require printing in parts. */
function unmetOptions({ plan, attachment, isPdfA }: PdfJob): ExportWarning[] {
  const { bleed, cropMarks } = plan.edge;
  const unmet = [
    (bleed > 0 || cropMarks) && 'crop marks and bleed boxes',
    plan.isPureBlack && 'pure black text',
    isPdfA && 'PDF/A conformance',
    attachment && 'the editable document',
  ].filter((option) => typeof option === 'string');
  if (unmet.length === 0) return [];
  const message = `The document could only be printed in one piece, so the PDF lacks ${unmet.join(', ')}.`;
  return [{ code: 'option_unmet', pageId: null, elementId: null, message }];
}

/** Prints a document in one piece. Throws an Error when the number of pages differs from the plan's. */
export async function plainPdf(job: PdfJob, tools: PdfTools, images: PrintedImages): Promise<MadePdf> {
  const { plan, title, report, signal } = job;
  const total = plan.sheets.length;
  for (const [index, sheet] of plan.sheets.entries()) {
    await images.ready([sheet]);
    report(Math.min(index + 1, total - 1));
  }
  const html = await tools.render({
    plan,
    title,
    images: new Map([...images.images((name) => IMAGE_ORIGIN + name), ...images.drawings()]),
    imageSource: `${IMAGE_ORIGIN} data:`,
    paper: printedPaper(paperSize(plan)),
  });
  const image = async (name: string) => {
    const file = images.file(name);
    return file ? printImage(file) : null;
  };
  const { pdf, ...problems } = await tools.withBrowser((browser, kill) =>
    printHtml(browser, kill, { html, image, signal }),
  );
  cutPages(pdf, pageBoxes(plan));
  const counted = countPdfPages(pdf);
  if (counted !== total) throw new Error(`The PDF has ${counted} pages instead of ${total}.`);
  const warnings = [...printWarnings(problems), ...images.warnings(), ...unmetOptions(job)];
  return {
    pdf: (async function* () {
      yield pdf;
    })(),
    warnings,
  };
}
