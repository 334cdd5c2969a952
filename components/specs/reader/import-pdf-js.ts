import type * as PdfJs from 'pdfjs-dist';

// The bundler emits the builds of PDF.js as separate files. In a bundle, they would add seconds to each build, because
// they would be parsed and minified again.
const pdfJsUrl = new URL('pdfjs-dist/build/pdf.min.mjs', import.meta.url).href;

/**
 * The URL of the script of the worker. The content security policy of files under `/_next` applies to the worker, so the
 * worker can run WebAssembly, but cannot load or connect to anything.
 */
export const workerUrl = new URL('pdfjs-dist/build/pdf.worker.min.mjs', import.meta.url).href;

let pdfJs: Promise<typeof PdfJs> | null = null;
let failures = 0;

/** Imports PDF.js. Chromium remembers a failed import of a URL, so each new attempt uses another one. */
export function importPdfJs(): Promise<typeof PdfJs> {
  const url = failures === 0 ? pdfJsUrl : `${pdfJsUrl}?attempt=${failures + 1}`;
  pdfJs ??= import(/* turbopackIgnore: true */ url).catch((error: unknown) => {
    pdfJs = null;
    failures += 1;
    throw error;
  });
  return pdfJs;
}
