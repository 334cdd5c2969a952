import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpError } from '@/lib/http/problem';
import { checkPdf } from '@/lib/specs/pdf-file';
import { notPdf, pdfWithTail, truncatePdf } from '@/tests/pdf/broken-pdf';
import { makeEncryptedPdf, makePdf, type PdfOptions } from '@/tests/pdf/make-pdf';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-pdf-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function check(bytes: Uint8Array): Promise<void> {
  const file: FileHandle = await open(join(folder, 'file.pdf'), 'w+');
  try {
    await file.writeFile(bytes);
    await checkPdf(file, bytes.length);
  } finally {
    await file.close();
  }
}

const layouts = ['table', 'stream', 'linearized'] as const satisfies PdfOptions['layout'][];

describe.each(layouts)('a PDF laid out as %s', (layout) => {
  test('is taken, with any blanks behind its end', async () => {
    const pdf = await makePdf({ sections: 3, layout });
    for (const end of ['', '\n', '\r\n', '\n'.repeat(2000)]) await check(pdfWithTail(pdf, end));
  });

  test('is refused wherever it is cut', async () => {
    const pdf = await makePdf({ sections: 1, layout });
    const end = Buffer.from(pdf).lastIndexOf('%%EOF') + 4;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: end }), async (length) => {
        await expect(check(pdf.slice(0, length))).rejects.toEqual(
          expect.objectContaining({ code: 'invalid_pdf' }),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('is refused with anything behind its end', async () => {
    const pdf = await makePdf({ sections: 1, layout });
    await expect(check(pdfWithTail(pdf, '<b>'))).rejects.toThrow('something behind its end');
    await expect(check(pdfWithTail(pdf))).rejects.toThrow('behind its end');
  });
});

test.each(['table', 'stream'] as const)('an encrypted one (%s) is refused in words', async (layout) => {
  await expect(makeEncryptedPdf({ sections: 1, layout }).then(check)).rejects.toThrow(/encrypted/);
});

test('an encrypted one is found out behind a table of many objects', async () => {
  const pdf = await makeEncryptedPdf({ sections: 200, layout: 'table' });
  await expect(check(pdf)).rejects.toThrow(/encrypted/);
});

test('the word alone does not make it encrypted', async () => {
  await check(await makePdf({ sections: 1, title: 'How to /Encrypt a PDF', layout: 'table' }));
});

test.each(Object.entries(notPdf))('what is none is refused: %s', async (_name, bytes) => {
  await expect(check(bytes)).rejects.toEqual(expect.objectContaining({ code: 'invalid_pdf' }));
});

test('whatever the bytes are, the answer is a clear one', async () => {
  const pdf = await makePdf({ sections: 1, layout: 'table' });
  const change = fc.record({ at: fc.nat(pdf.length - 1), byte: fc.nat(255) });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
      const bytes = pdf.slice();
      for (const { at, byte } of changes) bytes[at] = byte;
      const error = await check(bytes).catch((thrown: unknown) => thrown);
      if (error !== undefined) expect(error).toBeInstanceOf(HttpError);
    }),
    { numRuns: 60 },
  );
  await expect(check(truncatePdf(pdf))).rejects.toBeInstanceOf(HttpError);
});
