// The program of the process that opens one PDF with PDF.js: the file is its descriptor 3, its answer JSON.
// Node runs this file as it is: an import of ours carries its extension.
import { fstatSync, readSync, writeSync } from 'node:fs';
import { getDocumentProxy } from 'unpdf';
import { missingTrailer } from './missing-trailer.ts';

type Outcome =
  | { outcome: 'open'; isProtected: boolean }
  | { outcome: 'password' | 'unknown_encryption' | 'no_page' | 'damaged' | 'too_costly' };
/** Gives the bytes of the file and what is to follow them, each time in new memory: PDF.js keeps what it is given. */
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

/** What PDF.js finds in a file. It trusts the file: a hostile one takes any amount of time and memory. */
export async function lookAtPdf(readFile: ReadFile): Promise<Outcome> {
  try {
    const document = await openPdf(readFile);
    const page = document.numPages > 0 && (await document.getPage(1).catch(() => null));
    if (!page) return { outcome: 'no_page' };
    return { outcome: 'open', isProtected: (await document.getPermissions()) !== null };
  } catch (error) {
    return failureOf(error);
  }
}

function answer(outcome: Outcome): void {
  writeSync(1, JSON.stringify(outcome));
  process.exit(0);
}

if (import.meta.main) {
  process.on('uncaughtException', (error) => answer(failureOf(error)));
  answer(await lookAtPdf((appended) => readDescriptor(3, appended)));
}
