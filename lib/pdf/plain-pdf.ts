import { countPdfPages } from './count-pdf-pages';
import type { MadePdf, PdfJob, PdfTools } from './make-pdf';
import { overflowWarnings } from './overflow-warnings';
import { cutPages, printedPaper } from './paper-size';
import { IMAGE_ORIGIN, printHtml } from './print-html';
import { printImage } from './print-image';
import type { PrintedImages } from './printed-images';

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
    images: images.images((name) => IMAGE_ORIGIN + name),
    imageSource: IMAGE_ORIGIN,
    paper: printedPaper(plan.size),
  });
  const image = async (name: string) => {
    const file = images.file(name);
    return file ? printImage(file) : null;
  };
  const { pdf, overflows } = await tools.withBrowser((browser, kill) =>
    printHtml(browser, kill, { html, image, signal }),
  );
  cutPages(pdf, plan.size);
  const counted = countPdfPages(pdf);
  if (counted !== total) throw new Error(`The PDF has ${counted} pages instead of ${total}.`);
  const warnings = [...overflowWarnings(overflows), ...images.warnings()];
  return {
    pdf: (async function* () {
      yield pdf;
    })(),
    warnings,
  };
}
