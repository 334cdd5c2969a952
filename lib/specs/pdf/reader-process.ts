// The program of the process that opens one PDF with PDF.js: the file is its descriptor 3, its answer JSON.
// Node runs this file as it is, so it imports packages only.
import { fstatSync, readSync, writeSync } from 'node:fs';
import { getDocumentProxy } from 'unpdf';

type Outcome =
  | { outcome: 'open'; isProtected: boolean }
  | { outcome: 'password' | 'unknown_encryption' | 'no_page' | 'damaged' | 'too_costly' };
/** Gives the bytes of the file and what is to follow them, each time in new memory: PDF.js keeps what it is given. */
type ReadFile = (appended: string) => Uint8Array;

function readDescriptor(descriptor: number, appended: string): Uint8Array {
  const { size } = fstatSync(descriptor);
  const bytes = new Uint8Array(size + appended.length);
  for (let filled = 0; filled < size; ) {
    const read = readSync(descriptor, bytes, filled, size - filled, filled);
    if (read === 0) throw new Error('the file became shorter');
    filled += read;
  }
  bytes.set(Buffer.from(appended, 'latin1'), size);
  return bytes;
}

/**
 * A trailer for the last catalog of a file that is cut off before its own, which PDF.js does not make up. Null without a
 * catalog, and for an encrypted file: what decrypts it was in the trailer that is missing.
 */
function missingTrailer(bytes: Buffer): string | null {
  if (/\/Filter\s*\/Standard\b/.test(bytes.toString('latin1'))) return null;
  const catalog = bytes.lastIndexOf('/Catalog');
  const before = bytes.toString('latin1', Math.max(0, catalog - 4096), Math.max(0, catalog));
  const [, number, generation] = [...before.matchAll(/\b(\d{1,10})\s+(\d{1,5})\s+obj\b/g)].at(-1) ?? [];
  if (number === undefined) return null;
  return `\nendstream\nendobj\ntrailer\n<< /Root ${number} ${generation} R >>\nstartxref\n0\n%%EOF\n`;
}

async function openPdf(readFile: ReadFile) {
  try {
    return await getDocumentProxy(readFile(''), { verbosity: 0 });
  } catch (error) {
    const isDamaged = (error as Error).name === 'InvalidPDFException';
    const trailer = isDamaged ? missingTrailer(Buffer.from(readFile('').buffer)) : null;
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
