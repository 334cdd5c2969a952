// The program of the process that `openInReader` starts to open one PDF with PDF.js. It reads the file from descriptor
// 3 and writes JSON to stdout. Node runs this file directly, so imports of our own modules need their extension.
import { fstatSync, readSync, writeSync } from 'node:fs';
import { getDocumentProxy } from 'unpdf';
import { missingTrailer } from './missing-trailer.ts';

type Outcome =
  | { outcome: 'open'; isProtected: boolean }
  | { outcome: 'password' | 'unknown_encryption' | 'no_page' | 'damaged' | 'too_costly' };
/** Returns the bytes of the file and then `appended`, in new memory for each call, because PDF.js takes ownership. */
type ReadFile = (appended: Uint8Array) => Uint8Array;

const NOTHING = new Uint8Array();

function readDescriptor(descriptor: number, appended: Uint8Array): Uint8Array {
  const { size } = fstatSync(descriptor);
  const bytes = new Uint8Array(size + appended.length);
  for (let filled = 0; filled < size; ) {
    const read = readSync(descriptor, bytes, filled, size - filled, filled);
    if (read === 0) throw new Error('the file became shorter');
    filled += read;
  }
  bytes.set(appended, size);
  return bytes;
}

async function openPdf(readFile: ReadFile) {
  try {
    return await getDocumentProxy(readFile(NOTHING), { verbosity: 0 });
  } catch (error) {
    const isDamaged = (error as Error).name === 'InvalidPDFException';
    const trailer = isDamaged ? missingTrailer(Buffer.from(readFile(NOTHING).buffer)) : null;
    if (!trailer) throw error;
    return getDocumentProxy(readFile(trailer), { verbosity: 0 });
  }
}

function failureOf(error: unknown): Outcome {
  const { name, message } = error as Error;
  if (name === 'PasswordException') return { outcome: 'password' };
  if (error instanceof RangeError) return { outcome: 'too_costly' };
  return { outcome: /encrypt/i.test(message) ? 'unknown_encryption' : 'damaged' };
}

/** Opens a file with PDF.js, without any limits: a hostile file can take any amount of time and memory. */
export async function openWithPdfJs(readFile: ReadFile): Promise<Outcome> {
  try {
    const document = await openPdf(readFile);
    const page = document.numPages > 0 && (await document.getPage(1).catch(() => null));
    if (!page) return { outcome: 'no_page' };
    return { outcome: 'open', isProtected: (await document.getPermissions()) !== null };
  } catch (error) {
    return failureOf(error);
  }
}

function response(outcome: Outcome): void {
  writeSync(1, JSON.stringify(outcome));
  process.exit(0);
}

if (import.meta.main) {
  process.on('uncaughtException', (error) => response(failureOf(error)));
  response(await openWithPdfJs((appended) => readDescriptor(3, appended)));
}
