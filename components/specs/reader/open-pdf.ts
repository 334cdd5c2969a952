import type { PDFDataRangeTransport, PDFDocumentProxy } from 'pdfjs-dist';
import { importPdfJs, workerUrl } from './import-pdf-js';

/** The reason why a PDF cannot be shown. */
export type PdfProblem = 'missing' | 'offline' | 'password' | 'damaged' | 'stuck';

/** Thrown when a PDF cannot be opened or shown. */
export class PdfError extends Error {
  readonly problem: PdfProblem;

  constructor(problem: PdfProblem, options?: ErrorOptions) {
    super(`the PDF cannot be shown: ${problem}`, options);
    this.problem = problem;
  }
}

/** A PDF in storage. `url` is a signed URL. After it has expired, `renewUrl` returns a new one. */
export type PdfSource = { url: string | null; sizeBytes: number; renewUrl: () => Promise<string | null> };

/**
 * An open PDF. `guard` waits for a promise that depends on the worker. `guard` rejects if this promise rejects, if the
 * worker fails or stops responding, if the file cannot be read, or if the PDF is closed. `close` stops the worker.
 */
export type OpenedPdf = {
  document: PDFDocumentProxy;
  guard: <T>(work: Promise<T>) => Promise<T>;
  close: () => void;
};

const CHUNK_BYTES = 256 * 1024;
const MAX_IMAGE_PIXELS = 32 * 1024 * 1024;
const MAX_CANVAS_BYTES = 128 * 1024 * 1024;
/**
 * Starts a worker. The URL is a parameter so that the bundler does not recognize a worker script here. The bundler
 * would split such a script into several files, and the content security policy would keep the worker from loading all
 * of them.
 */
function startWorker(url: string): Worker {
  return new Worker(url, { type: 'module' });
}

/**
 * The worker counts as stuck if it does not respond for this many seconds in a row. A second in which a read is pending
 * or the page is hidden restarts the count.
 */
const STUCK_S = 30;

/** Returns `read`, which reads a part of the file, and `waiting`, which counts the pending calls of `read`. */
export function partsOf({ url, renewUrl }: PdfSource) {
  let current = url;
  let whole: Uint8Array | null = null;
  const waiting = { count: 0 };

  const request = async (begin: number, end: number, signal: AbortSignal): Promise<Response> => {
    if (!current) throw new PdfError('missing');
    return fetch(current, { headers: { range: `bytes=${begin}-${end - 1}` }, signal });
  };

  const readPart = async (begin: number, end: number, signal: AbortSignal): Promise<Uint8Array> => {
    if (whole) return whole.slice(begin, end);
    let response = await request(begin, end, signal);
    if (response.status === 400 || response.status === 403) {
      // The signed URL may have expired.
      current = await renewUrl();
      response = await request(begin, end, signal);
    }
    if (!response.ok) throw new PdfError(response.status >= 500 ? 'offline' : 'missing');
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status === 206) return bytes;
    // A proxy that ignores ranges sends the whole file. Keep it for later reads.
    whole = bytes;
    return bytes.slice(begin, end);
  };

  /** Reads a range of bytes. Throws `PdfError`. */
  const read = async (begin: number, end: number, signal: AbortSignal): Promise<Uint8Array> => {
    waiting.count += 1;
    try {
      return await readPart(begin, end, signal);
    } catch (cause) {
      throw cause instanceof PdfError ? cause : new PdfError('offline', { cause });
    } finally {
      waiting.count -= 1;
    }
  };
  return { read, waiting };
}

function problemOf(error: unknown): PdfError {
  if (error instanceof PdfError) return error;
  const isLocked = error instanceof Error && error.name === 'PasswordException';
  return new PdfError(isLocked ? 'password' : 'damaged', { cause: error });
}

/**
 * Opens a PDF with PDF.js, and closes it when `signal` aborts. A worker parses the file. The main thread reads the
 * parts of the file, the CMaps, the standard fonts and the image decoders that the worker requests. The size of images
 * is limited, and XFA forms are off, so that a hostile file can do no more than stop its worker. Throws `PdfError`. If
 * `signal` aborts, the error can also be an `AbortError`.
 */
export async function openReaderPdf(source: PdfSource, signal: AbortSignal): Promise<OpenedPdf> {
  const pdfJs = await importPdfJs().catch((cause: unknown) => {
    throw new PdfError('offline', { cause });
  });
  signal.throwIfAborted();
  const { read, waiting } = partsOf(source);
  const stopped = new AbortController();
  const port = startWorker(workerUrl);
  const worker = pdfJs.PDFWorker.create({ port });
  const failed = Promise.withResolvers<never>();
  // If this promise rejects while nothing awaits it, the rejection must not count as unhandled.
  failed.promise.catch(() => {});
  // If the script of the worker cannot be loaded, the event has no message.
  port.addEventListener('error', ({ message }) =>
    failed.reject(new PdfError(message ? 'damaged' : 'offline')),
  );

  const close = () => {
    stopped.abort();
    failed.reject(new DOMException('the PDF was closed', 'AbortError'));
    worker.destroy();
    port.terminate();
  };
  signal.addEventListener('abort', close, { once: true });

  const guard = <T>(work: Promise<T>): Promise<T> => {
    let busySeconds = 0;
    const timer = setInterval(() => {
      busySeconds = waiting.count > 0 || document.hidden ? 0 : busySeconds + 1;
      if (busySeconds < STUCK_S) return;
      failed.reject(new PdfError('stuck'));
      close();
    }, 1000);
    return Promise.race([work, failed.promise]).finally(() => clearInterval(timer));
  };

  const files = `/pdf-js/${pdfJs.version}`;
  const range: PDFDataRangeTransport = new pdfJs.PDFDataRangeTransport(source.sizeBytes, null);
  range.requestDataRange = (begin: number, end: number) => {
    read(begin, end, stopped.signal).then(
      (bytes) => range.onDataRange(begin, bytes),
      (error: unknown) => failed.reject(error),
    );
  };
  try {
    const opened = await guard(
      pdfJs.getDocument({
        range,
        worker,
        rangeChunkSize: CHUNK_BYTES,
        disableStream: true,
        disableAutoFetch: true,
        enableXfa: false,
        // The main thread loads what the worker needs.
        useWorkerFetch: false,
        cMapUrl: `${files}/cmaps/`,
        standardFontDataUrl: `${files}/standard_fonts/`,
        wasmUrl: `${files}/wasm/`,
        maxImageSize: MAX_IMAGE_PIXELS,
        canvasMaxAreaInBytes: MAX_CANVAS_BYTES,
        verbosity: pdfJs.VerbosityLevel.ERRORS,
      }).promise,
    );
    return { document: opened, guard, close };
  } catch (error) {
    close();
    throw problemOf(error);
  }
}
