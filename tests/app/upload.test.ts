import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Spec, uploadResponse } from '@/lib/specs/schema';
import { excerpt, expectProblem } from '@/tests/app/support/api';
import { form } from '@/tests/app/support/form';
import { signInWithCookies } from '@/tests/app/support/people';
import { readSpec, sendUpload, unique, upload } from '@/tests/app/support/specs';
import { makeUploader, type Uploader } from '@/tests/app/support/uploader';
import { pdfWithTail } from '@/tests/pdf/support/broken-pdf';
import { makePdf, makeProtectedPdf } from '@/tests/pdf/support/make-pdf';

let uploader: Uploader;
beforeAll(async () => {
  uploader = await makeUploader('Upload');
});
afterAll(() => uploader.sql.end());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function download(spec: Spec): Promise<Uint8Array> {
  const response = await fetch(spec.url ?? '');
  expect(response.headers.get('content-type')).toBe('application/pdf');
  return response.bytes();
}

async function pathOfSpec(id: string): Promise<string> {
  const [row] = await uploader.sql<{ path: string }[]>`
    select d.storage_path as path from public.spec_uploads s join public.documents d on d.id = s.document_id
     where s.id = ${id}`;
  return row?.path ?? '';
}

describe('valid uploads', () => {
  test('an upload with its parts in any order is stored byte for byte', async () => {
    const right = await uploader.parts({ onDuplicate: 'keep' });
    const file = right.find(({ name }) => name === 'file')?.value as Uint8Array;
    const orders = [right, right.toReversed(), [...right.slice(2), ...right.slice(0, 2)]];
    for (const order of orders) {
      const result = await uploader.send(form(order));
      expect(result.status, excerpt(result)).toBe(202);
      const { specUploadId, documentId, status } = uploadResponse.parse(result.body);
      expect(Object.keys(result.body as object).sort()).toEqual(['documentId', 'specUploadId', 'status']);
      expect(status).toBe('pending');
      expect(result.headers.get('location')).toBe(`/api/admin/specs/${specUploadId}`);
      const spec = await readSpec(uploader.admin, specUploadId);
      expect(spec).toMatchObject({
        documentId,
        brandName: uploader.brandName,
        area: 'Lobby',
        propertyName: 'Hotel [silent]',
        fileName: 'spec.pdf',
        sizeBytes: file.length,
        sha256: sha256(file),
        isProtected: false,
        createdBy: uploader.person.id,
      });
      expect(Buffer.compare(await download(spec), file)).toBe(0);
      expect(await pathOfSpec(specUploadId)).toBe(`specs/${uploader.folder}/${specUploadId}/spec.pdf`);
    }
  });

  test('an upload of a protected PDF is stored byte for byte, and the spec and its page say that it is protected', async () => {
    const file = await makeProtectedPdf();
    const id = await upload(uploader.admin, { ...uploader.silent, file });
    const spec = await readSpec(uploader.admin, id);
    expect(spec).toMatchObject({ isProtected: true, sha256: sha256(file) });
    expect(Buffer.compare(await download(spec), file)).toBe(0);
    const { url, env } = inject('atelier');
    const headers = await signInWithCookies(env, uploader.person.email);
    const page = await (await fetch(`${url}/admin/specs/${id}`, { headers })).text();
    expect(page).toContain('the PDF opens without a password');
  });

  test('an upload of a damaged PDF that readers can repair is stored byte for byte', async () => {
    const file = pdfWithTail(await makePdf({ sections: 1 }));
    const spec = await readSpec(uploader.admin, await upload(uploader.admin, { ...uploader.silent, file }));
    expect(spec).toMatchObject({ isProtected: false, sha256: sha256(file) });
    expect(Buffer.compare(await download(spec), file)).toBe(0);
  });

  test('an upload of 12 MB is stored byte for byte', async () => {
    const file = await makePdf({ sections: 3, bytes: 12 * 1024 * 1024 });
    const spec = await readSpec(uploader.admin, await upload(uploader.admin, { ...uploader.silent, file }));
    expect(spec.sizeBytes).toBe(file.length);
    expect(sha256(await download(spec))).toBe(sha256(file));
  });

  test.each<[string, string, string, string]>([
    ['that leaves the folder', '../../../etc/passwd.pdf', 'passwd.pdf', 'passwd.pdf'],
    ['of dots alone', '..', 'spec.pdf', 'spec.pdf'],
    ['that leaves the folder in percent-encoding', '%2e%2e%2f%2e%2e%2fx.pdf', '2e-2e-2f-2e-2e-2fx.pdf', ''],
    ['that leaves the folder with backslashes', '..\\..\\boot.pdf', 'boot.pdf', 'boot.pdf'],
    ['with a right-to-left override', 'invoice\u202efdp.exe', 'invoicefdp.exe.pdf', 'invoicefdp.exe'],
    ['with accents', 'Übersicht façade.pdf', 'Ubersicht-facade.pdf', 'Übersicht façade.pdf'],
    ['of emoji', '🎨🖼️.pdf', 'file.pdf', '🎨🖼️.pdf'],
    ['in another script', '仕様書.PDF', 'file.pdf', '仕様書.PDF'],
    ['with a quote', 'the "best".pdf', 'the-22best-22.pdf', ''],
    ['of 300 characters', `${'a'.repeat(296)}.pdf`, `${'a'.repeat(76)}.pdf`, 'a'.repeat(255)],
    ['of 300 emoji', '🎨'.repeat(300), 'file.pdf', '🎨'.repeat(255)],
    ['that is empty', '', 'spec.pdf', 'spec.pdf'],
    ['of blanks', '   ', 'spec.pdf', 'spec.pdf'],
  ])('an upload with a file name %s is stored under a safe path', async (_what, fileName, stored, kept) => {
    const id = await upload(uploader.admin, { ...uploader.silent, fileName });
    const path = await pathOfSpec(id);
    expect(path.startsWith(`specs/${uploader.folder}/${id}/`)).toBe(true);
    expect(path).toMatch(/^specs\/[a-z0-9-]+\/[0-9a-f-]{36}\/[A-Za-z0-9._-]{1,80}$/);
    expect(path.split('/').at(-1)).toBe(stored);
    const spec = await readSpec(uploader.admin, id);
    if (kept) expect(spec.fileName).toBe(kept);
    expect((await download(spec)).length).toBe(spec.sizeBytes);
  });

  test("an upload for a brand without an ASCII name is stored below the brand's id", async () => {
    const name = `東京${randomUUID().replace(/[0-9a-f-]/g, (c) => String.fromCharCode(0x3041 + c.charCodeAt(0)))}`;
    expect((await uploader.admin('/api/admin/brands', { json: { name } })).status).toBe(201);
    const id = await upload(uploader.admin, { ...uploader.silent, brandName: name });
    const [brand] = await uploader.sql<{ id: string }[]>`select id from public.brands where name = ${name}`;
    expect(await pathOfSpec(id)).toBe(`specs/${brand?.id}/${id}/spec.pdf`);
  });

  test('an upload finds brand and area regardless of case and width, and needs no property', async () => {
    const wide = uploader.brandName.toUpperCase().replace('U', 'Ｕ');
    const form = { brandName: `  ${wide} `, area: 'gUEST  room', propertyName: '   ' };
    const spec = await readSpec(uploader.admin, await upload(uploader.admin, form));
    expect(spec).toMatchObject({ brandName: uploader.brandName, area: 'Guest room', propertyName: null });
  });
});

describe('duplicate uploads', () => {
  test('the same file for the same brand, area and property is refused with the id of the first, unless onDuplicate is keep', async () => {
    const file = await makePdf({ sections: 1 });
    const id = await upload(uploader.admin, { ...uploader.silent, file });
    const again = await uploader.refused(() =>
      sendUpload(uploader.admin, { ...uploader.silent, file, fileName: 'other.pdf' }),
    );
    const { specUploadId, detail } = expectProblem(again, 'duplicate_file');
    expect(specUploadId).toBe(id);
    expect(detail).toContain('onDuplicate=keep');
    await upload(uploader.admin, { ...uploader.silent, file, propertyName: 'Other [silent]' });
    await upload(uploader.admin, { ...uploader.silent, file, area: 'Corridor' });
    const kept = await upload(uploader.admin, { ...uploader.silent, file, onDuplicate: 'keep' });
    expect(kept).not.toBe(id);
  });

  test('only one of five simultaneous uploads of the same file is accepted', async () => {
    const file = await makePdf({ sections: 1 });
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => sendUpload(uploader.admin, { ...uploader.silent, file })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409]);
    const accepted = uploadResponse.parse(responses.find(({ status }) => status === 202)?.body);
    for (const result of responses.filter(({ status }) => status === 409)) {
      expect(expectProblem(result, 'duplicate_file').specUploadId).toBe(accepted.specUploadId);
    }
  });
});

describe('an Idempotency-Key', () => {
  test('an Idempotency-Key returns the same response for the same form, although its boundary differs, and 409 for another form', async () => {
    const file = await makePdf({ sections: 1 });
    const key = { 'idempotency-key': randomUUID() };
    const first = await sendUpload(uploader.admin, { ...uploader.silent, file }, key);
    expect(first.status).toBe(202);
    const before = await uploader.traces();
    const second = await sendUpload(uploader.admin, { ...uploader.silent, file }, key);
    expect([second.status, second.body]).toEqual([202, first.body]);
    expect(await uploader.traces()).toEqual(before);
    const changes = [
      { area: 'Corridor' },
      { propertyName: 'Other [silent]' },
      { file: await makePdf({ sections: 2 }) },
    ];
    for (const other of changes) {
      const result = await uploader.refused(() =>
        sendUpload(uploader.admin, { ...uploader.silent, file, ...other }, key),
      );
      expectProblem(result, 'idempotency_mismatch');
    }
  });

  test('the Idempotency-Key of a refused form may be used again', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const area = unique('Later');
    const response = await uploader.refused(() =>
      sendUpload(uploader.admin, { ...uploader.silent, area }, key),
    );
    expect(expectProblem(response, 'unknown_area').detail).toBe(`There is no area “${area}”.`);
    expect((await uploader.admin('/api/admin/areas', { json: { name: area } })).status).toBe(201);
    expect((await sendUpload(uploader.admin, { ...uploader.silent, area }, key)).status).toBe(202);
  });

  test('five simultaneous uploads with one Idempotency-Key create one spec', async () => {
    const file = await makePdf({ sections: 1 });
    const key = { 'idempotency-key': randomUUID() };
    const before = await uploader.traces();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => sendUpload(uploader.admin, { ...uploader.silent, file }, key)),
    );
    for (const result of responses) expect([result.status, result.body]).toEqual([202, responses[0]?.body]);
    const after = await uploader.traces();
    expect(after.rows).toEqual({
      ...before.rows,
      specs: before.rows.specs + 1,
      documents: before.rows.documents + 1,
      jobs: before.rows.jobs + 1,
      keys: before.rows.keys + 1,
    });
    expect(after.objects).toHaveLength(before.objects.length + 1);
  });
});

test('after all uploads storage holds exactly the files of the rows', () => uploader.expectOnlyNamedFiles());
