import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { jobStartedResponse } from '@/lib/image-gen/schema';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { openDatabase, writtenBy } from '@/tests/app/support/database';
import { readJob } from '@/tests/app/support/image-jobs';
import { newAdmin } from '@/tests/app/support/people';
import { makeProject } from '@/tests/app/support/team';

const { url, env } = inject('atelier');

let admin: Api;
let sql: Sql;
let userId: string;
let projectId: string;

beforeAll(async () => {
  const person = await newAdmin(env);
  userId = person.id;
  admin = apiAt(url, person.headers);
  sql = openDatabase();
  projectId = await makeProject(admin);
});
afterAll(() => sql.end());

describe('image jobs with invalid input', () => {
  test.each<[string, object]>([
    ['prompt', { prompt: ' \n ' }],
    ['prompt', { prompt: 'x'.repeat(4001) }],
    ['prompt', { prompt: 'right\u202eleft' }],
    ['inputImageId', { inputImageId: 'x'.repeat(501) }],
    ['inputImagePath', { inputImagePath: 'x'.repeat(501) }],
    ['pageId', { pageId: 'x'.repeat(101) }],
    ['materialIds', { materialIds: Array(33).fill('oak') }],
    ['materialIds.0', { materialIds: [''] }],
    ['materialIds.1', { materialIds: ['oak', 'x'.repeat(101)] }],
    ['materialPayload', { materialPayload: Array(33).fill({}) }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: 'http://127.0.0.1:1/a.png' }] }],
    ['materialPayload.1.imageUrl', { materialPayload: [{}, { imageUrl: 'https://0x7f.1/a.png' }] }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: 'http://[::ffff:10.0.0.1]/a.png' }] }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: 'http://files.internal/a.png' }] }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: 'file:///etc/passwd' }] }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: 'javascript:alert(1)' }] }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: `https://x/${'a'.repeat(2000)}` }] }],
    ['materialPayload.0.name', { materialPayload: [{ name: 'x'.repeat(201) }] }],
    ['options', { options: [] }],
    ...['15x64', '64x16385', '1024', '1e3x64', '0x40x64', '-64x64', '64*64', '064x64', '64x64x64'].map(
      (size): [string, object] => ['options.size', { options: { size } }],
    ),
    ['options.seed', { options: { seed: 2 ** 53 } }],
    ['options.seed', { options: { seed: '7' } }],
    ['options.count', { options: { count: 0 } }],
    ['options.count', { options: { count: 9 } }],
    ['options.safety', { options: { safety: 'x'.repeat(65) } }],
  ])('a job is refused with the path of the mistake: %s: %o', async (path, wrong) => {
    const before = await writtenBy(sql, userId);
    const response = await admin('/api/image-gen/jobs', {
      json: { projectId, prompt: '[silent]', ...wrong },
    });
    expect(expectProblem(response, 'invalid_request').errors?.[0]?.path).toBe(path);
    expect(await writtenBy(sql, userId)).toEqual(before);
  });

  test('a job with every field at its limit is accepted', async () => {
    const wide = (n: number) => '👩'.repeat(n);
    const json = {
      projectId,
      prompt: `[silent]${wide(3992)}`,
      pageId: wide(100),
      materialIds: Array.from({ length: 32 }, () => wide(100)),
      materialPayload: Array.from({ length: 32 }, () => ({
        id: wide(100),
        name: wide(200),
        imageUrl: `http://x/${'語'.repeat(1900)}`,
      })),
      options: { size: '16384x16384', seed: Number.MIN_SAFE_INTEGER, safety: wide(64), count: 8 },
    };
    const response = await admin('/api/image-gen/jobs', { json });
    expect(response.status, excerpt(response)).toBe(202);
  });

  test('a job with nulls, empty texts, control characters and an image URL of a local library is accepted', async () => {
    const imageUrl = `${env.MATLIB_URL}/oak.png`;
    const json = {
      projectId: projectId.toUpperCase(),
      prompt: '[silent] A\vlobby \u2067شقة\u2069',
      inputImageId: null,
      inputImagePath: '',
      pageId: null,
      materialIds: null,
      materialPayload: [{ id: '', name: null, imageUrl }],
      options: { size: ' 16 × 64', seed: -1.5, safety: '' },
    };
    const response = await admin('/api/image-gen/jobs', { json });
    expect(response.status, excerpt(response)).toBe(202);
    const job = await readJob(admin, jobStartedResponse.parse(response.body).jobId);
    expect(job).toMatchObject({
      projectId,
      prompt: '[silent] A lobby \u2067شقة\u2069',
      materialIds: [],
      materialPayload: [{ imageUrl }],
      options: { size: '16x64', seed: -1.5 },
    });
    // A job can be sent back exactly as the app returned it.
    const again = await admin('/api/image-gen/jobs', { json: job });
    expect(again.status, excerpt(again)).toBe(202);
  });
});
