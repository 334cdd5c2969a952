import { fstatSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { DocumentInitParameters } from 'pdfjs-dist/types/src/display/api';
import { missingTrailer } from './missing-trailer.ts';

// PDF.js warns about these classes of browsers when they are missing. It uses them only to draw, which happens in no
// process of ours.
Object.assign(globalThis, { DOMMatrix: class {}, Path2D: class {} });
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');

const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Returns the file's bytes followed by `appended`. Each call allocates a new array, because PDF.js takes ownership of
 * the one that it receives.
 */
export type ReadFile = (appended: Uint8Array) => Uint8Array;

const NOTHING = new Uint8Array();

/** Returns a function that reads the entire file behind a descriptor. */
export function fileOf(descriptor: number): ReadFile {
  return (appended) => {
    const { size } = fstatSync(descriptor);
    const bytes = new Uint8Array(size + appended.length);
    for (let filled = 0; filled < size; ) {
      const read = readSync(descriptor, bytes, filled, size - filled, filled);
      if (read === 0) throw new Error('the file became shorter');
      filled += read;
    }
    bytes.set(appended, size);
    return bytes;
  };
}

/** Opens a PDF with PDF.js, which takes ownership of `data`. */
export function openBytes(data: Uint8Array, options: DocumentInitParameters = {}) {
  return getDocument({
    data,
    cMapUrl: `${root}/cmaps/`,
    standardFontDataUrl: `${root}/standard_fonts/`,
    useSystemFonts: true,
    verbosity: 0,
    ...options,
  }).promise;
}

/** Opens a PDF with PDF.js. Repairs a file that was cut off before its cross-references. */
export async function openPdf(readFile: ReadFile) {
  try {
    return await openBytes(readFile(NOTHING));
  } catch (error) {
    const isDamaged = (error as Error).name === 'InvalidPDFException';
    const trailer = isDamaged ? missingTrailer(Buffer.from(readFile(NOTHING).buffer)) : null;
    if (!trailer) throw error;
    return openBytes(readFile(trailer));
  }
}

export type OpenPdf = Awaited<ReturnType<typeof openPdf>>;
