// The program that `openInReader` runs in a separate process to open one PDF with PDF.js. It reads the file from
// descriptor 3 and writes JSON to stdout. Node runs this file directly, so imports of the project's modules need file
// extensions.
import { writeSync } from 'node:fs';
import { fileOf, openPdf, type ReadFile } from './open-pdf.ts';

type Outcome =
  | { outcome: 'open'; isProtected: boolean }
  | { outcome: 'password' | 'unknown_encryption' | 'no_page' | 'damaged' | 'too_costly' };

function failureOf(error: unknown): Outcome {
  const { name, message } = error as Error;
  if (name === 'PasswordException') return { outcome: 'password' };
  if (error instanceof RangeError) return { outcome: 'too_costly' };
  return { outcome: /encrypt/i.test(message) ? 'unknown_encryption' : 'damaged' };
}

/** Opens a file with PDF.js. A hostile file can take any amount of time and memory, so the caller must limit both. */
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
  response(await openWithPdfJs(fileOf(3)));
}
