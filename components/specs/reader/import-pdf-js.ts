import type * as PdfJs from 'unpdf/pdfjs';

/**
 * The URL of the PDF.js build, which the bundler emits as a separate file. The page imports this file, and it is also the
 * script of the worker, where it handles the messages of PDF.js. The content security policy of files under `/_next`
 * applies to the worker, so the worker cannot load or connect to anything.
 */
export const pdfJsUrl = new URL('unpdf/pdfjs', import.meta.url).href;

let pdfJs: Promise<typeof PdfJs> | null = null;
let failures = 0;

/**
 * Imports PDF.js without the bundler. In a bundle, it would add seconds to each build, because it would be parsed and
 * minified again. Chromium remembers a failed import of a URL, so each new attempt uses another one.
 */
export function importPdfJs(): Promise<typeof PdfJs> {
  const url = failures === 0 ? pdfJsUrl : `${pdfJsUrl}?attempt=${failures + 1}`;
  pdfJs ??= import(/* turbopackIgnore: true */ url).catch((error: unknown) => {
    pdfJs = null;
    failures += 1;
    throw error;
  });
  return pdfJs;
}
