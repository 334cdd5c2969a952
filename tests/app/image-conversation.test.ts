import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { readConversation, readJobs } from '@/hooks/image-gen/image-gen-calls';
import { messagesResponse } from '@/lib/image-gen/schema';
import { excerpt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';

const RUNS = 1_000;
const JOBS = 130;
const { url } = inject('atelier');

let team: Team;
let sql: Sql;
let jobId: string;

// Only the first prompt is actually run. The others are inserted into the database and share the files of the first.
beforeAll(async () => {
  team = await makeTeam();
  sql = openDatabase();
  jobId = await startJob(team.editor.api, { projectId: team.projectId, prompt: 'A lobby' });
  await waitForJob(team.editor.api, jobId, 'succeeded');
  await sql`insert into public.image_messages (job_id, ordinal, prompt)
            select ${jobId}, n, 'Prompt ' || n from generate_series(2, ${RUNS}) n`;
  await sql`insert into public.image_runs (job_id, run, message_id, status, finished_at)
            select job_id, ordinal, id, 'succeeded', now() from public.image_messages
             where job_id = ${jobId} and ordinal > 1`;
  await sql`insert into public.image_variants (job_id, project_id, run, variant_id, position, number, path, thumb_path, width,
              height)
            select r.job_id, v.project_id, r.run, 'r' || r.run || '-' || v.variant_id, v.position, v.number, v.path, v.thumb_path, v.width, v.height
              from public.image_runs r join public.image_variants v on v.job_id = r.job_id and v.run = 1
             where r.job_id = ${jobId} and r.run > 1`;
});
afterAll(() => sql.end());

async function read(query = '') {
  const response = await team.viewer.api(`/api/image-gen/jobs/${jobId}/messages${query}`);
  expect(response.status, excerpt(response)).toBe(200);
  return messagesResponse.parse(response.body);
}

test('a client that does not ask for pages gets all 1,000 runs of a conversation', async () => {
  const { messages, variants, nextCursor } = await read();
  expect(messages.map(({ ordinal, run }) => [ordinal, run])).toEqual(
    Array.from({ length: RUNS }, (_, n) => [n + 1, n + 1]),
  );
  expect(variants.length).toBeGreaterThanOrEqual(RUNS);
  expect(new Set(variants.map(({ run }) => run)).size).toBe(RUNS);
  expect(variants.filter(({ url, thumb_url }) => !url || !thumb_url)).toEqual([]);
  expect(nextCursor).toBeNull();
});

test('a conversation read in pages from its end is complete, and each page has only its own prompts and images', {
  tags: ['extended'],
}, async () => {
  const whole = await read();
  const perRun = whole.variants.length / RUNS;
  const last = await read('?limit=3');
  expect(last.messages).toEqual(whole.messages.slice(-3));
  expect(last.variants).toHaveLength(3 * perRun);

  vi.stubGlobal('fetch', asPage(globalThis.fetch));
  const conversation = await readConversation(jobId, Number.POSITIVE_INFINITY).finally(vi.unstubAllGlobals);
  expect(conversation.messages).toEqual(whole.messages);
  expect(conversation.variants.map(({ variant_id }) => variant_id)).toEqual(
    whole.variants.map(({ variant_id }) => variant_id),
  );
  expect(conversation.nextCursor).toBeNull();
});

test('a page before the first prompt is empty, and an invalid cursor is refused', async () => {
  expect(await read('?limit=3&cursor=1')).toEqual({ messages: [], variants: [], nextCursor: null });
  expect((await read('?limit=3&cursor=3')).nextCursor).toBeNull();
  for (const query of ['?cursor=x', '?cursor=0', '?cursor=-1', '?limit=0', '?limit=a']) {
    expectProblem(await team.viewer.api(`/api/image-gen/jobs/${jobId}/messages${query}`), 'invalid_request');
  }
  expectProblem(
    await team.stranger.api(`/api/image-gen/jobs/${jobId}/messages?limit=3&cursor=2`),
    'not_found',
  );
});

test('all jobs of a project are read, however many pages they take', async () => {
  const projectId = await makeProject(team.viewer.api);
  const rows = await sql.begin(async (tx) => {
    const jobs = await tx<{ id: string }[]>`
      insert into public.image_jobs (project_id, prompt, status, finished_at)
      select ${projectId}, 'Job ' || n, 'canceled', now() from generate_series(1, ${JOBS}) n returning id`;
    // Delete the work items, so that the jobs are not run. The test only lists them.
    await tx`delete from private.work_items where subject_id in ${tx(jobs.map(({ id }) => id))}`;
    return jobs;
  });
  vi.stubGlobal('fetch', asPage(globalThis.fetch));
  const all = await readJobs(
    { projectId, status: null },
    Number.POSITIVE_INFINITY,
    new AbortController().signal,
  ).finally(vi.unstubAllGlobals);
  expect(new Set(all.jobs.map((job) => job.jobId))).toEqual(new Set(rows.map((row) => row.id)));
  expect(all).toMatchObject({ jobs: { length: JOBS }, nextCursor: null });
});

/**
 * Returns a `fetch` like that of the viewer's browser: paths are relative to the app's URL, and the viewer is signed
 * in.
 */
function asPage(send: typeof fetch): typeof fetch {
  return (path, init) => send(`${url}${path}`, { ...init, headers: team.viewer.headers });
}
