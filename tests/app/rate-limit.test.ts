import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { makeToken } from '@/tests/app/support/access-tokens';
import { type ApiResponse, apiAt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { cancelJob, readJob, retryJob, sendJob, startJob } from '@/tests/app/support/image-jobs';
import { sendUpload } from '@/tests/app/support/specs';
import { makeTeam, type Team } from '@/tests/app/support/team';
import { makeUploader } from '@/tests/app/support/uploader';

const { url } = inject('atelier');
let team: Team;
let sql: Sql;

beforeAll(async () => {
  team = await makeTeam();
  sql = openDatabase();
});
afterAll(() => sql.end());

/**
 * Uses up this user's rate limit for costly requests, the way other instances of the app could. The user then has to
 * wait for about half a minute.
 */
const useUp = (userId: string) => sql`
  insert into private.rate_buckets (key, tat) values (${`costly:${userId}`}, now() + interval '130 seconds')
  on conflict (key) do update set tat = excluded.tat`;

function expectRefused(response: ApiResponse): void {
  expectProblem(response, 'rate_limited');
  const seconds = Number(response.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(20);
  expect(seconds).toBeLessThanOrEqual(31);
}

test('costly requests in a project, including those with an access token, are limited for each user across all instances, but reads are not', async () => {
  const { projectId, editor, owner } = team;
  const jobId = await startJob(editor.api, { projectId });
  await cancelJob(editor.api, jobId);
  const token = await makeToken(editor.api, { role: 'editor' });
  await useUp(editor.id);
  expectRefused(await sendJob(editor.api, { projectId }));
  expectRefused(await editor.api('/api/image-gen/messages', { json: { jobId, prompt: 'x' } }));
  expectRefused(await retryJob(editor.api, jobId));
  expectRefused(await editor.api(`/api/export/render/${projectId}`));
  expectRefused(await sendJob(apiAt(url, token.headers), { projectId }));
  expect(await readJob(editor.api, jobId)).toMatchObject({ status: 'canceled', run: 1 });
  expect((await sendJob(owner.api, { projectId })).status).toBe(202);
  expectProblem(await sendJob(team.viewer.api, { projectId }), 'forbidden');
});

test('uploads of specs are limited for each user across all instances, and a refused one leaves nothing behind', async () => {
  const uploader = await makeUploader('Limited');
  await useUp(uploader.person.id);
  expectRefused(await uploader.refused(() => sendUpload(uploader.admin, uploader.silent)));
  // The call is refused before its form is read.
  expectRefused(await uploader.refused(() => sendUpload(uploader.admin, { brandName: '' })));
  await uploader.sql.end();
});
