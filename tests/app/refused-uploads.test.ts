import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MAX_SPEC_BYTES } from '@/lib/specs/size-limit';
import { excerpt, expectProblem } from '@/tests/app/support/api';
import { form, type Part } from '@/tests/app/support/form';
import { makeUploader, type Uploader } from '@/tests/app/support/uploader';
import { notPdf } from '@/tests/pdf/support/broken-pdf';
import { makeEncryptedPdf, makePdf } from '@/tests/pdf/support/make-pdf';
import { onePage, rawPdf } from '@/tests/pdf/support/raw-pdf';

let uploader: Uploader;
beforeAll(async () => {
  uploader = await makeUploader('Refused');
});
afterAll(() => uploader.sql.end());

describe('refused files', () => {
  const pages = (tree: string) => rawPdf({ objects: [onePage[0] ?? '', tree] });
  const broken: [string, () => Promise<Uint8Array> | Uint8Array, RegExp][] = [
    ['that needs a password', () => makeEncryptedPdf({ sections: 2, layout: 'table' }), /needs a password/],
    ['that needs a password, in the form that most PDFs have', () => makeEncryptedPdf(), /needs a password/],
    ['without a page', () => pages('<< /Type /Pages /Kids [] /Count 0 >>'), /no page/],
    ['with a circular page tree', () => pages('<< /Type /Pages /Kids [2 0 R] /Count 1 >>'), /no page/],
    ['that is cut off at its beginning', () => notPdf.headerOnly, /damaged beyond repair/],
    ['of 0 bytes', () => notPdf.empty, /empty/],
    ...(['text', 'html', 'png', 'zip'] as const).map((kind): [string, () => Uint8Array, RegExp] => [
      `that is not a PDF (${kind})`,
      () => notPdf[kind],
      /not a PDF/,
    ]),
  ];

  test.each(broken)('a file %s is refused', async (_what, make, message) => {
    const file = await make();
    const response = await uploader.refused(async () => uploader.send(form(await uploader.parts({ file }))));
    expect(expectProblem(response, 'invalid_pdf').detail).toMatch(message);
  });

  test('a file one byte over 50 MB, and one of 51 MB without a declared length, get a 413 that the client can read', async () => {
    const tooLarge = async (size: number) =>
      form(await uploader.parts({ file: Buffer.alloc(size, '%PDF-1.7\n') }));
    const { body, headers } = await tooLarge(MAX_SPEC_BYTES + 1);
    const declared = await uploader.refused(() => uploader.send({ body, headers }));
    expect(expectProblem(declared, 'too_large').detail).toMatch(/at most/);

    const larger = await tooLarge(51 * 1024 * 1024);
    const chunked = await uploader.refused(() =>
      uploader.admin('/api/admin/specs/upload', {
        method: 'POST',
        body: new Blob([larger.body]).stream(),
        headers: larger.headers,
      }),
    );
    expectProblem(chunked, 'too_large');
  });

  test('a file of exactly 50 MB is accepted', { tags: ['extended'] }, async () => {
    const near = await makePdf({ sections: 1, bytes: MAX_SPEC_BYTES - 1500 });
    // A PDF may end with whitespace, so this padding keeps the file valid.
    const file = Buffer.concat([near, Buffer.alloc(MAX_SPEC_BYTES - near.length, '\n')]);
    const response = await uploader.send(form(await uploader.parts({ file })));
    expect(response.status, excerpt(response)).toBe(202);
  });
});

describe('refused forms', () => {
  const change = (name: string, by: (part: Part) => Part[]) => async () =>
    (await uploader.parts()).flatMap((part) => (part.name === name ? by(part) : [part]));
  const more =
    (...added: Part[]) =>
    async () => [...(await uploader.parts()), ...added];
  const fields = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `x${i}`, value: '1' }));
  const forms: [string, () => Promise<Part[]>, Parameters<typeof expectProblem>[1]][] = [
    ['without a file', change('file', () => []), 'invalid_request'],
    ['without a brand', change('brandName', () => []), 'invalid_request'],
    ['without an area', change('area', () => []), 'invalid_request'],
    ['with an empty brand', change('brandName', (part) => [{ ...part, value: '  ' }]), 'invalid_request'],
    [
      'with a long property',
      change('propertyName', (part) => [{ ...part, value: 'x'.repeat(121) }]),
      'invalid_request',
    ],
    [
      'with a huge field',
      change('brandName', (part) => [{ ...part, value: 'x'.repeat(9_000) }]),
      'invalid_multipart',
    ],
    [
      'with NUL in a field',
      change('propertyName', (part) => [{ ...part, value: 'a\0b' }]),
      'invalid_request',
    ],
    [
      'with a line end in a field',
      change('area', (part) => [{ ...part, value: 'Lob\nby' }]),
      'invalid_request',
    ],
    [
      'with an unknown brand',
      change('brandName', (part) => [{ ...part, value: randomUUID() }]),
      'unknown_brand',
    ],
    [
      'with an unknown brand in another script',
      change('brandName', (part) => [{ ...part, value: '東京ホテル' }]),
      'unknown_brand',
    ],
    ['with an unknown area', change('area', (part) => [{ ...part, value: randomUUID() }]), 'unknown_area'],
    ['with an unknown value of onDuplicate', more({ name: 'onDuplicate', value: 'yes' }), 'invalid_request'],
    ['with two files', change('file', (part) => [part, part]), 'invalid_multipart'],
    ['with a field twice', change('area', (part) => [part, part]), 'invalid_multipart'],
    ['with 100 fields', more(...fields(100)), 'invalid_multipart'],
    [
      'with 100 fields before the file',
      async () => [...fields(100), ...(await uploader.parts())],
      'invalid_multipart',
    ],
    [
      'with the prototype as a field',
      change('brandName', () => [{ name: '__proto__', value: 'x' }]),
      'invalid_request',
    ],
    [
      'with a text in place of the file',
      change('file', () => [{ name: 'file', value: 'words' }]),
      'invalid_pdf',
    ],
    ['with nothing in it', async () => [], 'invalid_request'],
  ];

  test.each(forms)('a form %s is refused', async (_what, make, code) => {
    expectProblem(
      await uploader.refused(async () => uploader.send(form(await make()))),
      code ?? 'invalid_request',
    );
  });

  test('a form of another content type, with a missing or wrong boundary, or without a body is refused', async () => {
    const { body } = form(await uploader.parts());
    const as = (type: string) =>
      uploader.refused(() => uploader.send({ body, headers: { 'content-type': type } }));
    expectProblem(await as('application/pdf'), 'unsupported_media_type');
    expectProblem(await as('application/json'), 'unsupported_media_type');
    expectProblem(await as('application/x-www-form-urlencoded'), 'unsupported_media_type');
    expectProblem(await as('multipart/form-data'), 'invalid_multipart');
    expectProblem(await as('multipart/form-data; boundary=other'), 'invalid_multipart', 'invalid_request');
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const none = () => uploader.admin('/api/admin/specs/upload', { method: 'POST', headers });
    expectProblem(await uploader.refused(none), 'invalid_multipart');
  });

  test('a form that ends early is refused, though the connection stays open', async () => {
    const { body, headers } = form(await uploader.parts());
    for (const end of [body.length - 3, body.length - 60, Math.floor(body.length / 2), 200, 20]) {
      expectProblem(
        await uploader.refused(() => uploader.send({ body: body.slice(0, end), headers })),
        'invalid_multipart',
      );
    }
  });
});

test('after all refused uploads storage holds exactly the files of the rows', () =>
  uploader.expectOnlyNamedFiles());
