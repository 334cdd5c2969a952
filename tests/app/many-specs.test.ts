import { beforeAll, describe, expect, inject, test } from 'vitest';
import { deletedManyResponse, editedManyResponse, retriedManyResponse } from '@/lib/specs/schema';
import { unknownId } from '@/tests/app/support/access-table';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { newAdmin } from '@/tests/app/support/people';
import { inParallel } from '@/tests/app/support/poll';
import { readSpec, report, unique, upload, waitForStatus } from '@/tests/app/support/specs';

const { url, env } = inject('atelier');
const brandName = unique('Many');
let admin: Api;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
  await admin('/api/admin/brands', { json: { name: brandName } });
});

const uploadMany = (count: number, area = 'Lobby') =>
  inParallel(Array.from({ length: count }), 4, (_, n) =>
    upload(admin, { brandName, area, fileName: `many-${n}.pdf`, propertyName: `${n} [silent]` }),
  );
async function failedSpecs(count: number, area?: string): Promise<string[]> {
  const ids = await uploadMany(count, area);
  for (const id of ids) {
    await waitForStatus(admin, id, 'processing');
    await report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id, status: 'failed', error: 'no' }, 1);
  }
  return ids;
}
async function retryMany(json: object) {
  const response = await admin('/api/admin/specs/batch/retry', { json });
  expect(response.status, excerpt(response)).toBe(202);
  return retriedManyResponse.parse(response.body);
}

describe('POST /api/admin/specs/batch/retry', () => {
  test('failed specs are sent again by id, and the others are counted', async () => {
    const failed = await failedSpecs(2);
    const specUploadIds = [...failed, failed[0]?.toUpperCase(), unknownId];
    expect(await retryMany({ specUploadIds })).toEqual({ retried: 2, skipped: 1, nextCursor: null });
    // Waiting for `processing` checks that the trigger of the new run is sent.
    for (const id of failed) expect((await waitForStatus(admin, id, 'processing')).attempts).toHaveLength(2);
    expect(await retryMany({ specUploadIds })).toEqual({ retried: 0, skipped: 3, nextCursor: null });
  });

  test('all failed specs that match the filters are sent again, and no others', async () => {
    const [inCorridor = ''] = await failedSpecs(1, 'Corridor');
    const [inLobby = ''] = await failedSpecs(1, 'Lobby');
    const response = await retryMany({ failed: { brand: brandName, area: 'Corridor', q: 'MANY-0' } });
    expect(response).toEqual({ retried: 1, skipped: 0, nextCursor: null });
    expect((await readSpec(admin, inCorridor)).attempts).toHaveLength(2);
    expect((await readSpec(admin, inLobby)).status).toBe('failed');
  });

  test.each([
    [{}],
    [{ specUploadIds: [] }],
    [{ specUploadIds: [unknownId], failed: {} }],
    [{ specUploadIds: Array(501).fill(unknownId) }],
    [{ specUploadIds: ['x'] }],
    [{ failed: {}, cursor: 'x' }],
  ])('the body %o is refused', async (json) => {
    expectProblem(await admin('/api/admin/specs/batch/retry', { json }), 'invalid_request');
  });
});

describe('POST /api/admin/specs/batch/edit', () => {
  const edit = (json: object) => admin('/api/admin/specs/batch/edit', { json });

  test('specs, including running ones, are moved without being processed again', async () => {
    const ids = await uploadMany(2);
    const [first = ''] = ids;
    await waitForStatus(admin, first, 'processing');
    const other = unique('Moved');
    await admin('/api/admin/brands', { json: { name: other } });
    const response = await edit({
      specUploadIds: [...ids, unknownId],
      brandName: other.toUpperCase(),
      area: 'Corridor',
      propertyName: '',
    });
    expect(response.status, excerpt(response)).toBe(200);
    expect(editedManyResponse.parse(response.body)).toEqual({ edited: 2, missing: 1 });
    const spec = await readSpec(admin, first);
    expect(spec).toMatchObject({ brandName: other, area: 'Corridor', propertyName: '0 [silent]' });
    expect(spec).toMatchObject({ status: 'processing', attempts: [{ attempt: 1 }] });
    await edit({ specUploadIds: [first], clearProperty: true });
    expect(await readSpec(admin, first)).toMatchObject({ brandName: other, propertyName: null });
  });

  test('an unknown brand or area is refused by its name', async () => {
    const specUploadIds = [unknownId];
    expect(expectProblem(await edit({ specUploadIds, brandName: 'Nobody' }), 'unknown_brand').detail).toMatch(
      /Nobody/,
    );
    expect(expectProblem(await edit({ specUploadIds, area: 'Nowhere' }), 'unknown_area').detail).toMatch(
      /Nowhere/,
    );
  });

  test.each([
    [{ specUploadIds: [unknownId] }],
    [{ specUploadIds: [unknownId], brandName: '' }],
    [{ specUploadIds: [unknownId], propertyName: 'X', clearProperty: true }],
    [{ specUploadIds: [unknownId], clearProperty: false }],
    [{ area: 'Lobby' }],
  ])('the edit %o is refused', async (json) => {
    expectProblem(await edit(json), 'invalid_request');
  });
});

describe('POST /api/admin/specs/batch/delete', () => {
  test('specs are deleted with their files', async () => {
    const ids = await uploadMany(2);
    const { url: file } = await readSpec(admin, ids[0] ?? '');
    const response = await admin('/api/admin/specs/batch/delete', {
      json: { specUploadIds: [...ids, ...ids, unknownId] },
    });
    expect(response.status, excerpt(response)).toBe(200);
    expect(deletedManyResponse.parse(response.body)).toEqual({ deleted: 2, missing: 1 });
    for (const id of ids) expectProblem(await admin(`/api/admin/specs/${id}`), 'not_found');
    expect((await fetch(file ?? '')).ok).toBe(false);
  });
});
