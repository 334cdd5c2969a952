import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/api';
import { makeProject } from '@/tests/app/crew';
import { openDatabase, writtenBy } from '@/tests/app/database';
import { newAdmin } from '@/tests/app/people';

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

describe('a job is refused with the place of the mistake', () => {
  test.each<[string, object]>([
    ['prompt', { prompt: ' \n ' }],
    ['prompt', { prompt: 'x'.repeat(4001) }],
    ['prompt', { prompt: 'right\u202eleft' }],
    ['inputImageId', { inputImageId: 'x' }],
    ['inputImagePath', { inputImagePath: '' }],
    ['inputImagePath', { inputImagePath: 'x'.repeat(501) }],
    ['pageId', { pageId: 'x'.repeat(101) }],
    ['materialIds', { materialIds: Array(13).fill('oak') }],
    ['materialIds.0', { materialIds: [''] }],
    ['materialIds.1', { materialIds: ['oak', 'x'.repeat(101)] }],
    ['materialPayload', { materialPayload: Array(13).fill({}) }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: 'http://cdn.example/a.png' }] }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: 'file:///etc/passwd' }] }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: 'javascript:alert(1)' }] }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: `https://x/${'a'.repeat(2000)}` }] }],
    ['materialPayload.0.name', { materialPayload: [{ name: 'x'.repeat(201) }] }],
    ['options', { options: [] }],
    ...[
      '63x64',
      '64x4097',
      '1024',
      '1e3x64',
      '0x40x64',
      '-64x64',
      ' 64x64',
      '64X64',
      '064x64',
      '64x64x64',
    ].map((size): [string, object] => ['options.size', { options: { size } }]),
    ['options.seed', { options: { seed: 1.5 } }],
    ['options.seed', { options: { seed: 2 ** 32 } }],
    ['options.seed', { options: { seed: '7' } }],
    ['options.safety', { options: { safety: 'x'.repeat(65) } }],
  ])('%s: %o', async (path, wrong) => {
    const before = await writtenBy(sql, userId);
    const answer = await admin('/api/image-gen/jobs', { json: { projectId, prompt: '[silent]', ...wrong } });
    expect(expectProblem(answer, 'invalid_request').errors?.[0]?.path).toBe(path);
    expect(await writtenBy(sql, userId)).toEqual(before);
  });

  test('but one with all that the bounds allow is taken', async () => {
    const wide = (n: number) => '👩'.repeat(n);
    const json = {
      projectId,
      prompt: `[silent]${wide(3992)}`,
      pageId: wide(100),
      materialIds: Array.from({ length: 12 }, () => wide(100)),
      materialPayload: Array.from({ length: 12 }, () => ({
        id: wide(100),
        name: wide(200),
        imageUrl: `https://x/${'語'.repeat(1990)}`,
      })),
      options: { size: '4096x4096', seed: -(2 ** 31), safety: wide(64) },
    };
    const answer = await admin('/api/image-gen/jobs', { json });
    expect(answer.status, excerpt(answer)).toBe(202);
  });
});
