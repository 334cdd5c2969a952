import { describe, expect, test } from 'vitest';
import { openBytes } from '@/lib/specs/pdf/open-pdf';
import { pdfWithTail, truncatePdf } from '@/tests/pdf/support/broken-pdf';
import { makeEncryptedPdf, makePdf, type PdfOptions } from '@/tests/pdf/support/make-pdf';

const END = /startxref\n\d+\n%%EOF$/;

async function read(pdf: Uint8Array) {
  const document = await openBytes(new Uint8Array(pdf));
  const outline = await document.getOutline();
  const read = {
    pages: document.numPages,
    sections: outline?.length ?? 0,
    child: outline?.[0]?.items.length,
  };
  await document.loadingTask.destroy();
  return read;
}

describe.each<PdfOptions['layout']>(['table', 'stream', 'linearized'])(
  'makePdf with the layout %s',
  (layout) => {
    test(`makePdf makes a PDF laid out as ${layout} that a reader opens`, async () => {
      const pdf = await makePdf({ sections: 4, layout });
      const file = Buffer.from(pdf).toString('latin1');
      expect(file).toMatch(/^%PDF-1\./);
      expect(file).toMatch(END);
      expect(file.includes('\nxref\n')).toBe(layout !== 'stream');
      expect(file.split('%%EOF').length - 1).toBe(layout === 'linearized' ? 2 : 1);
      const announced = /\/L (\d+)/.exec(file)?.[1];
      if (layout === 'linearized') expect(Number(announced)).toBe(pdf.length);
      expect(await read(pdf)).toEqual({ pages: 4, sections: 4, child: 1 });
    });

    test(`makePdf makes a PDF of 45 MB laid out as ${layout}`, async () => {
      const bytes = 45 * 1024 * 1024;
      const pdf = await makePdf({ sections: 2, layout, bytes });
      expect(Math.abs(pdf.length - bytes)).toBeLessThan(500);
      expect(await read(pdf)).toMatchObject({ pages: 2, sections: 2 });
    });
  },
);

test('every reference of a linearized PDF points to its object', async () => {
  const file = Buffer.from(await makePdf({ sections: 2, layout: 'linearized' })).toString('latin1');
  const offsets = [...file.matchAll(/^(\d{10}) 00000 n/gm)].map(([, offset]) => Number(offset));
  const starts = [...file.matchAll(/^\d+ 0 obj/gm)].map(({ index }) => index);
  expect(offsets.sort((a, b) => a - b)).toEqual(starts.sort((a, b) => a - b));
  const first = Number(/startxref\n(\d+)\n%%EOF$/.exec(file)?.[1]);
  const main = Number(/\/Prev (\d+)/.exec(file)?.[1]);
  expect([first, main].map((offset) => file.slice(offset, offset + 5))).toEqual(['xref\n', 'xref\n']);
});

test('makePdf never makes two identical PDFs', async () => {
  const [one, other] = [await makePdf({ sections: 1 }), await makePdf({ sections: 1 })];
  expect(Buffer.compare(one, other)).not.toBe(0);
});

test.each<PdfOptions['layout']>(['table', 'stream'])(
  'makeEncryptedPdf makes a PDF that needs a password (%s)',
  async (layout) => {
    const pdf = await makeEncryptedPdf({ sections: 2, layout });
    expect(Buffer.from(pdf).includes('/Encrypt')).toBe(true);
    await expect(read(pdf)).rejects.toThrow(/password/i);
  },
);

test('truncatePdf cuts a PDF off, and pdfWithTail appends a tail', async () => {
  const pdf = await makePdf({ sections: 2, layout: 'table' });
  expect(Buffer.from(truncatePdf(pdf)).toString('latin1')).not.toMatch(END);
  const tailed = Buffer.from(pdfWithTail(pdf)).toString('latin1');
  expect(tailed.startsWith(Buffer.from(pdf).toString('latin1'))).toBe(true);
  expect(tailed).not.toMatch(END);
});
