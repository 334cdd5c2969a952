import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openInReader } from '@/lib/specs/pdf/open-in-reader';
import { openWithPdfJs } from '@/lib/specs/pdf/reader-process';
import { checkPdf } from '@/lib/specs/pdf-file';
import { notPdf, pdfWithTail, truncatePdf } from '@/tests/pdf/support/broken-pdf';
import {
  encryptions,
  makeEncryptedPdf,
  makePdf,
  makeProtectedPdf,
  type PdfOptions,
} from '@/tests/pdf/support/make-pdf';
import { cutOffCompressedPdf, hybridPdf, onePage, rawPdf } from '@/tests/pdf/support/raw-pdf';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-pdf-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function withFile<T>(bytes: Uint8Array, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(join(folder, 'file.pdf'), 'w+');
  try {
    await file.writeFile(bytes);
    return await work(file);
  } finally {
    await file.close();
  }
}

const check = (bytes: Uint8Array) => withFile(bytes, (file) => checkPdf(file, bytes.length));
/** Checks a PDF with PDF.js in this process. */
const openHere = (bytes: Uint8Array) =>
  openWithPdfJs((appended) => new Uint8Array(Buffer.concat([bytes, appended])));
const opened = (isProtected: boolean) => ({ outcome: 'open', isProtected });
const replace = (pdf: Uint8Array, what: RegExp, by: string) =>
  Buffer.from(Buffer.from(pdf).toString('latin1').replace(what, by), 'latin1');

const layouts = ['table', 'stream', 'linearized'] as const satisfies PdfOptions['layout'][];

describe.each(layouts)('a PDF laid out as %s', (layout) => {
  test(`a PDF laid out as ${layout} is opened, with any whitespace after its end`, async () => {
    const pdf = await makePdf({ sections: 3, layout });
    for (const end of ['', '\n', '\r\n', '\n'.repeat(2000)]) {
      expect(await openHere(pdfWithTail(pdf, end))).toEqual(opened(false));
    }
  });

  test(`a damaged PDF laid out as ${layout} is opened if it can be repaired`, async () => {
    const pdf = await makePdf({ sections: 3, layout });
    const damaged = {
      'junk before the header': Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), pdf]),
      'junk after the end': pdfWithTail(pdf),
      'the end is missing': pdf.slice(0, -6),
      'startxref points elsewhere': replace(pdf, /startxref\n\d+\n%%EOF$/, 'startxref\n77\n%%EOF'),
      'it is cut off': truncatePdf(pdf, 0.9),
    };
    for (const [what, bytes] of Object.entries(damaged)) {
      expect(await openHere(bytes), what).toEqual(opened(false));
    }
  });
});

test('an intact PDF of 1,000 pages and 50 MB is accepted', async () => {
  const kids = Array.from({ length: 1000 }, (_, i) => `${i + 4} 0 R`).join(' ');
  const pdf = rawPdf({
    objects: [
      onePage[0] ?? '',
      `<< /Type /Pages /Kids [${kids}] /Count 1000 >>`,
      Buffer.concat([Buffer.from('<< /Length 50000000 >>\nstream\n'), Buffer.alloc(50_000_000)]),
      ...Array<string>(1000).fill(onePage[2] ?? ''),
    ],
  });
  expect(await check(pdf)).toEqual({ isProtected: false });
});

test('a PDF with incremental updates is opened', async () => {
  const plain = rawPdf({ objects: onePage });
  const previous = plain.indexOf('xref\n0 4');
  const update = `3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>\nendobj\n`;
  const table = `xref\n3 1\n${String(plain.length).padStart(10, '0')} 00000 n \n`;
  const trailer = `trailer\n<< /Size 4 /Root 1 0 R /Prev ${previous} >>\nstartxref\n${plain.length + update.length}\n%%EOF\n`;
  const updated = Buffer.concat([plain, Buffer.from(update + table + trailer)]);
  expect(await openHere(updated)).toEqual(opened(false));
});

describe('an encrypted PDF', () => {
  test.each(encryptions)(
    'an encrypted PDF that needs no password is opened as protected (%s)',
    async (algorithm) => {
      for (const layout of ['table', 'stream'] as const) {
        const pdf = await makeProtectedPdf(algorithm, { sections: 1, layout });
        expect(await openHere(pdf)).toEqual(opened(true));
      }
    },
  );

  test('an encrypted PDF that needs no password is opened as protected after a repair', async () => {
    const pdf = await makeProtectedPdf('AES-256', { sections: 1, layout: 'table' });
    expect(await openHere(pdf.slice(0, -6))).toEqual(opened(true));
  });

  test('an encrypted PDF that lost its trailer is not opened, because it cannot be decrypted', async () => {
    const pdf = await makeProtectedPdf('AES-128', { sections: 1, layout: 'table' });
    expect(await openHere(replace(pdf, /xref\n[\s\S]*$/, ''))).toEqual({ outcome: 'damaged' });
  });

  test.each(['table', 'stream'] as const)(
    'an encrypted PDF that needs a password is not opened (%s)',
    async (layout) => {
      const pdf = await makeEncryptedPdf({ sections: 200, layout });
      expect(await openHere(pdf)).toEqual({ outcome: 'password' });
    },
  );

  test('a PDF with the word /Encrypt in its text does not count as encrypted', async () => {
    const pdf = await makePdf({ sections: 1, title: 'How to /Encrypt a PDF', layout: 'table' });
    expect(await openHere(pdf)).toEqual(opened(false));
  });
});

test.each<[string, () => Uint8Array]>([
  ['a hybrid cross-reference', hybridPdf],
  ['no cross-reference table', () => replace(rawPdf({ objects: onePage }), /xref\n[\s\S]*?(?=trailer)/, '')],
  ['no trailer', () => replace(rawPdf({ objects: onePage }), /xref\n[\s\S]*$/, '')],
  ['its last object cut off', () => replace(rawPdf({ objects: onePage }), / >>\nendobj\nxref[\s\S]*$/, '')],
  ['its catalog in an object stream and no cross-reference', cutOffCompressedPdf],
  ['a header at byte 1,000', () => Buffer.concat([Buffer.alloc(1000, 'x\n'), rawPdf({ objects: onePage })])],
])('a PDF with %s is opened', async (_what, make) => {
  expect(await openHere(make())).toEqual(opened(false));
});

const pagesOf = (tree: string) => rawPdf({ objects: [onePage[0] ?? '', tree] });

test.each<[string, () => Uint8Array, string]>([
  ['no pages', () => pagesOf('<< /Type /Pages /Kids [] /Count 0 >>'), 'no_page'],
  ['a circular page tree', () => pagesOf('<< /Type /Pages /Kids [2 0 R] /Count 1 >>'), 'no_page'],
  ['missing pages', () => pagesOf('<< /Type /Pages /Kids [7 0 R 8 0 R] /Count 2 >>'), 'no_page'],
  ['nothing but a header', () => notPdf.headerOnly, 'damaged'],
  ['nothing but a header and an end', () => notPdf.headerAndEndOnly, 'damaged'],
  ['an empty object', () => notPdf.emptyObject, 'damaged'],
  [
    'text after a header',
    () => Buffer.from(`%PDF- is how it begins.\n${'More text.\n'.repeat(99)}`),
    'damaged',
  ],
])('a file with %s is not opened', async (_what, make, outcome) => {
  expect(await openHere(make())).toEqual({ outcome });
});

describe('checkPdf', () => {
  test('an upload that is damaged or protected is accepted', async () => {
    const pdf = rawPdf({ objects: onePage });
    expect(await check(pdfWithTail(pdf))).toEqual({ isProtected: false });
    expect(await check(await makeProtectedPdf())).toEqual({ isProtected: true });
  });

  const unknown = '/Encrypt << /Filter /Acme /V 9 >> /ID [<00> <00>]';
  test.each<[string, () => Promise<Uint8Array> | Uint8Array, string]>([
    ['that needs a password', makeEncryptedPdf, 'The PDF needs a password'],
    [
      'with an unknown encryption',
      () => rawPdf({ objects: onePage, trailer: unknown }),
      'an encryption that PDF readers do not support',
    ],
    ['without a page', () => pagesOf('<< /Type /Pages /Kids [] /Count 0 >>'), 'The PDF has no page'],
    ['that cannot be repaired', () => notPdf.headerOnly, 'The PDF is damaged beyond repair'],
    ['whose header is too late', () => Buffer.concat([Buffer.alloc(2000), hybridPdf()]), 'not a PDF'],
    ['of no bytes', () => new Uint8Array(), 'The file is empty'],
    ...(['text', 'html', 'png', 'zip'] as const).map((kind): [string, () => Uint8Array, string] => [
      `that is ${kind}`,
      () => notPdf[kind],
      'The file is not a PDF',
    ]),
  ])('an upload %s is refused with a message', async (_what, make, reason) => {
    await expect(check(await make())).rejects.toMatchObject({
      code: 'invalid_pdf',
      message: expect.stringContaining(reason),
    });
  });

  test('an upload that needs too much processor time is refused, and this process is not blocked', {
    tags: ['extended'],
  }, async () => {
    // Reading a tree of this depth takes about four seconds of processor time. The limit is one second, so faster
    // machines exceed it too.
    const depth = 500_000;
    const nodes = Array.from({ length: depth }, (_, i) => `<< /Type /Pages /Kids [${i + 3} 0 R] /Count 1 >>`);
    const deepTree = rawPdf({ objects: [onePage[0] ?? '', ...nodes, onePage[2] ?? ''] });
    let turns = 0;
    const turning = setInterval(() => {
      turns += 1;
    }, 10);
    const bounds = { cpuSeconds: 1, memoryMb: 4_096, wallMs: 600_000 };
    const found = await withFile(deepTree, ({ fd }) => openInReader(fd, bounds));
    clearInterval(turning);
    expect(found).toEqual({ outcome: 'too_costly' });
    expect(turns).toBeGreaterThan(0);
  });

  test('an upload that needs too much memory is refused', async () => {
    const numbers = Buffer.from(`%PDF-1.7\n${'1 '.repeat(10_000_000)}`);
    const bounds = { cpuSeconds: 60, memoryMb: 256, wallMs: 600_000 };
    const found = await withFile(numbers, ({ fd }) => openInReader(fd, bounds));
    expect(found).toEqual({ outcome: 'too_costly' });
  });
});
