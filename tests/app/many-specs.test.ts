import { beforeAll, describe, expect, inject, test } from 'vitest';
import { retriedManyResponse } from '@/lib/specs/schema';
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
    // The trigger of the new run is sent.
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
