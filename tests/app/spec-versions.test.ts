import { beforeAll, describe, expect, inject, test } from 'vitest';
import {
  changesResponse,
  matchResponse,
  specDownloadResponse,
  specsResponse,
  specVersionsResponse,
} from '@/lib/specs/schema';
import { unknownId } from '@/tests/app/support/access-table';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readZip } from '@/tests/app/support/read-zip';
import { readSpec, report, sendUpload, unique, upload, waitForStatus } from '@/tests/app/support/specs';
import { makePdf } from '@/tests/pdf/support/make-pdf';

const { url, env } = inject('atelier');
const brandName = unique('Versions');
const place = { brandName, area: 'Lobby', propertyName: 'Grand Hotel [silent]' };
let headers: Record<string, string>;
let admin: Api;
let first: string;
let second: string;
let firstFile: Awaited<ReturnType<typeof pdf>>;

const pdf = (...texts: string[]) => makePdf({ sections: texts.length, texts });
const textIsRead = (id: string) =>
  poll(`the text of ${id} is read`, async () => (await readSpec(admin, id)).textState === 'done');
const audited = async (action: string, subject: string) => {
  const { body } = await admin(`/api/admin/activity?action=${action}`);
  return JSON.stringify(body).includes(subject);
};

beforeAll(async () => {
  ({ headers } = await newAdmin(env));
  admin = apiAt(url, headers);
  await admin('/api/admin/brands', { json: { name: brandName } });
  firstFile = await pdf('Walls are oak.', 'Doors are 90 cm wide.');
  first = await upload(admin, { ...place, fileName: 'lobby.pdf', file: firstFile });
  const after = await pdf('Walls are oak.', 'Doors are 100 cm wide.', 'Light is warm.');
  second = await upload(admin, { ...place, fileName: 'lobby v2.pdf', file: after, replaces: first });
  await Promise.all([textIsRead(first), textIsRead(second)]);
});

describe('a new version of a spec', () => {
  test('the new version replaces the older one in the list, and the older one links to it', async () => {
    const listed = async (query = '') => {
      const { body } = await admin(`/api/admin/specs?brand=${encodeURIComponent(brandName)}${query}`);
      return specsResponse.parse(body);
    };
    const idsOf = async (query?: string) =>
      (await listed(query)).specs.map(({ specUploadId }) => specUploadId);
    expect(await idsOf()).toEqual([second]);
    expect(await idsOf('&versions=all')).toEqual([second, first]);
    expect((await listed()).counts.processing).toBe(1);
    expect(await readSpec(admin, second)).toMatchObject({ version: 2, replacedBy: null });
    const replacedBy = { specUploadId: second, version: 2 };
    expect(await readSpec(admin, first)).toMatchObject({ version: 1, replacedBy });
    const { versions } = specVersionsResponse.parse((await admin(`/api/admin/specs/${first}/versions`)).body);
    expect(versions.map(({ version, isCurrent, fileName }) => [version, isCurrent, fileName])).toEqual([
      [2, true, 'lobby v2.pdf'],
      [1, false, 'lobby.pdf'],
    ]);
    const older = await admin(`/api/admin/specs/${first}/versions?cursor=2`);
    expect(specVersionsResponse.parse(older.body)).toMatchObject({
      versions: [{ version: 1 }],
      nextCursor: null,
    });
    expectProblem(await admin(`/api/admin/specs/${first}/versions?cursor=x`), 'invalid_request');
    expect(await audited('spec.version_added', second)).toBe(true);
  });

  test('a file cannot replace an older version, a spec with another brand, area or property, or one that does not exist', async () => {
    const conflict = expectProblem(await sendUpload(admin, { ...place, replaces: first }), 'state_conflict');
    expect(conflict).toMatchObject({ specUploadId: second, detail: expect.stringContaining('v2') });
    const elsewhere = await sendUpload(admin, { ...place, area: 'Corridor', replaces: second });
    expect(expectProblem(elsewhere, 'invalid_request').errors).toEqual([
      { path: 'replaces', message: 'has another brand, area or property' },
    ]);
    for (const replaces of [unknownId, 'x']) {
      expectProblem(await sendUpload(admin, { ...place, replaces }), 'invalid_request');
    }
  });

  test('uploading the file of a replaced version is refused as a duplicate of that version', async () => {
    const again = await sendUpload(admin, { ...place, file: firstFile });
    expect(expectProblem(again, 'duplicate_file').specUploadId).toBe(first);
  });

  test('files to upload are matched with the current specs that they probably replace', async () => {
    const file = (fileName: string) => ({ ...place, fileName });
    const json = {
      files: [file('Lobby_V3.pdf'), file('Lobby V2.pdf'), file('Lobby V1.pdf'), file('spa.pdf')],
    };
    const response = await admin('/api/admin/specs/matches', { json });
    expect(response.status, excerpt(response)).toBe(200);
    const match = { specUploadId: second, fileName: 'lobby v2.pdf', version: 2 };
    expect(matchResponse.parse(response.body).matches).toEqual([match, match, null, null]);
    for (const files of [[], Array(101).fill(file('a.pdf')), [{ fileName: 'a.pdf' }]]) {
      expectProblem(await admin('/api/admin/specs/matches', { json: { files } }), 'invalid_request');
    }
  });
});

describe('the changes of a version', () => {
  test('the sections that differ are returned with the changed text, in the order of the newer version', async () => {
    const response = await admin(`/api/admin/specs/${second}/changes`);
    expect(response.status, excerpt(response)).toBe(200);
    const { from, to, counts, changes, ...rest } = changesResponse.parse(response.body);
    expect([from.version, to.version]).toEqual([1, 2]);
    expect(rest).toEqual({ state: 'ready', basis: 'sections', more: 0 });
    expect(counts).toEqual({ added: 1, removed: 0, changed: 1, moved: 0, unchanged: 2 });
    expect(changes).toMatchObject([
      {
        kind: 'changed',
        title: 'Section 2',
        page: 2,
        pieces: [
          { op: 'same', text: 'Doors are ' },
          { op: 'removed', text: '90' },
          { op: 'added', text: '100' },
          { op: 'same', text: ' cm wide.' },
        ],
      },
      { kind: 'added', title: 'Section 3', pieces: [{ op: 'added', text: 'Light is warm.' }] },
    ]);
    const back = await admin(`/api/admin/specs/${first}/changes?from=${second}`);
    expect(changesResponse.parse(back.body).counts).toMatchObject({ removed: 1, changed: 1 });
  });

  test('the oldest version has no changes, and only versions of the same spec are compared', async () => {
    expectProblem(await admin(`/api/admin/specs/${first}/changes`), 'not_found');
    for (const from of [unknownId, 'x']) {
      expectProblem(await admin(`/api/admin/specs/${second}/changes?from=${from}`), 'invalid_request');
    }
  });
});

test('a spec that is being processed can be stopped, and later reports of its workflow change nothing', async () => {
  const id = await upload(admin, { brandName, propertyName: 'Stop [silent]' });
  await waitForStatus(admin, id, 'processing');
  const stop = () => admin('/api/admin/specs/stop', { json: { specUploadId: id } });
  expect((await stop()).body).toEqual({ specUploadId: id, status: 'failed' });
  const late = await report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id, status: 'completed' }, 1);
  expect(late.body).toMatchObject({ applied: false, status: 'failed', reason: 'conflict' });
  expect(await readSpec(admin, id)).toMatchObject({
    status: 'failed',
    error: 'Stopped by an administrator.',
  });
  expect(await audited('spec.stopped', id)).toBe(true);
  await admin('/api/admin/specs/retry', { json: { specUploadId: id } });
  await waitForStatus(admin, id, 'processing');
});

describe('a download of many specs', () => {
  const prepare = async (specUploadIds: string[]) => {
    const response = await admin('/api/admin/specs/batch/downloads', { json: { specUploadIds } });
    expect(response.status, excerpt(response)).toBe(201);
    return `/api/admin/specs/batch/downloads/${specDownloadResponse.parse(response.body).downloadId}`;
  };
  const fetchZip = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers });
    expect(response.headers.get('content-type')).toBe('application/zip');
    return readZip(Buffer.from(await response.arrayBuffer()));
  };

  test('the ZIP file has folders by brand, area and property, and a list of missing files', async () => {
    const [one, two] = [await makePdf({ sections: 1 }), await makePdf({ sections: 1 })];
    const facts = { brandName, propertyName: 'Zip: a/b [silent]', fileName: 'Spa.PDF' };
    const ids = [
      await upload(admin, { ...facts, file: one }),
      await upload(admin, { ...facts, file: two, fileName: 'spa.pdf' }),
    ];
    const files = await fetchZip(await prepare([...ids, unknownId]));
    const folder = `${brandName}/Lobby/Zip a b [silent]`;
    expect(files.map(({ name }) => name)).toEqual([`${folder}/Spa.pdf`, `${folder}/spa (2).pdf`]);
    expect(files.map(({ bytes }) => bytes.equals(Buffer.from(one)))).toEqual([true, false]);

    const path = await prepare([...ids].reverse());
    const { url: file } = await readSpec(admin, ids[1] ?? '');
    const key = decodeURIComponent(new URL(file ?? '').pathname.split('/sign/specs/')[1] ?? '');
    const gone = await fetch(`${env.NEXT_PUBLIC_SUPABASE_URL}/storage/v1/object/specs/${key}`, {
      method: 'DELETE',
      headers: { apikey: env.SUPABASE_SECRET_KEY ?? '', authorization: `Bearer ${env.SUPABASE_SECRET_KEY}` },
    });
    expect(gone.status).toBe(200);
    const left = await fetchZip(path);
    expect(left.map(({ name }) => name)).toEqual([`${folder}/Spa (2).pdf`, 'missing files.txt']);
    expect(left[1]?.bytes.toString()).toContain(`${folder}/spa.pdf`);
    expect(await audited('spec.downloaded', '2 specs')).toBe(true);
  });

  test('a download belongs to the administrator who prepared it', async () => {
    const other = apiAt(url, (await newAdmin(env)).headers);
    expectProblem(await other(await prepare([first])), 'not_found');
    const none = await admin('/api/admin/specs/batch/downloads', { json: { specUploadIds: [unknownId] } });
    expectProblem(none, 'not_found');
  });
});
