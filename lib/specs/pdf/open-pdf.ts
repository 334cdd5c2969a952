import { fstatSync, readSync } from 'node:fs';
import { getDocumentProxy } from 'unpdf';
import { missingTrailer } from './missing-trailer.ts';

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

/** Opens a PDF with PDF.js. Repairs a file that was cut off before its cross-references. */
export async function openPdf(readFile: ReadFile) {
  try {
    return await getDocumentProxy(readFile(NOTHING), { verbosity: 0 });
  } catch (error) {
    const isDamaged = (error as Error).name === 'InvalidPDFException';
    const trailer = isDamaged ? missingTrailer(Buffer.from(readFile(NOTHING).buffer)) : null;
    if (!trailer) throw error;
    return getDocumentProxy(readFile(trailer), { verbosity: 0 });
  }
}

export type OpenPdf = Awaited<ReturnType<typeof openPdf>>;
