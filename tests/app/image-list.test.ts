import { beforeAll, describe, expect, inject, test } from 'vitest';
import { jobsResponse } from '@/lib/image-gen/schema';
import { imagesResponse } from '@/lib/projects/schema';
import { excerpt, expectProblem } from '@/tests/app/support/api';
import { cancelJob, readJob, startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { liveClient } from '@/tests/app/support/live-client';
import { addImage } from '@/tests/app/support/pictures';
import { inParallel, poll } from '@/tests/app/support/poll';
import { makeTeam, type Team } from '@/tests/app/support/team';

const { env } = inject('atelier');
let team: Team;
let projectId: string;
let ids: string[];

async function list(query: Record<string, string> = {}) {
  const response = await team.viewer.api(
    `/api/image-gen/jobs?${new URLSearchParams({ projectId, ...query })}`,
  );
  expect(response.status, excerpt(response)).toBe(200);
  return jobsResponse.parse(response.body);
}
const idsOf = (jobs: { jobId: string }[]) => jobs.map(({ jobId }) => jobId);

// There are 11 jobs: 3 canceled, 2 failed, 1 succeeded, 5 running.
beforeAll(async () => {
  team = await makeTeam();
  ({ projectId } = team);
  const { api } = team.editor;
  const prompt = (i: number) => (i < 3 ? '[silent]' : i < 5 ? '[fail]' : i < 6 ? 'Drawn' : '[silent]');
  ids = [];
  for (let i = 0; i < 11; i += 1) ids.unshift(await startJob(api, { projectId, prompt: prompt(i) }));
  const oldest = ids.toReversed();
  await inParallel(oldest.slice(0, 3), 3, (id) => cancelJob(api, id));
  await inParallel(oldest.slice(3), 4, (id, i) =>
    waitForJob(api, id, i < 2 ? 'failed' : i < 3 ? 'succeeded' : 'running'),
  );
});

test('the list shows all image jobs of the project, newest first, each with its cover', async () => {
  const { jobs, nextCursor } = await list();
  expect(idsOf(jobs)).toEqual(ids);
  expect(nextCursor).toBeNull();
  expect(jobs.filter(({ cover }) => cover)).toHaveLength(1);
  const { cover } = jobs.find(({ status }) => status === 'succeeded') ?? {};
  expect(cover).toMatchObject({ variant_id: 'r1-v1', run: 1, width: 64, height: 64 });
  expect((await fetch(cover?.thumb_url ?? '')).status).toBe(200);
});

test.each([
  ['queued', 0],
  ['running', 5],
  ['succeeded', 1],
  ['failed', 2],
  ['canceled', 3],
])('the list of image jobs is filtered by the status %s', async (status, n) => {
  const { jobs } = await list({ status });
  expect(jobs).toHaveLength(n);
  for (const job of jobs) expect(job.status).toBe(status);
});

test.each<[Record<string, string>, string]>([
  [{ status: 'done' }, 'status'],
  [{ limit: '0' }, 'limit'],
  [{ limit: '1e3' }, 'limit'],
  [{ projectId: 'x' }, 'projectId'],
  [{ cursor: 'x' }, 'cursor'],
  [{ cursor: btoa(JSON.stringify(['2026-01-01T00:00:00Z', 'x'])) }, 'cursor'],
])('the list of image jobs refuses %o', async (query, path) => {
  const response = await team.viewer.api(
    `/api/image-gen/jobs?${new URLSearchParams({ projectId, ...query })}`,
  );
  expect(expectProblem(response, 'invalid_request').errors?.[0]?.path).toBe(path);
});

describe('pages of lists', () => {
  test.each([
    ['1', {}],
    ['3', {}],
    ['11', {}],
    ['2', { status: 'running' }],
    ['5', { status: 'running' }],
  ])('pages of %s %o list each job once while jobs are added', async (limit, filter) => {
    const whole = idsOf((await list(filter)).jobs);
    const added: string[] = [];
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list({
        limit,
        ...filter,
        ...(cursor ? { cursor } : {}),
      });
      expect(page.jobs.length).toBeLessThanOrEqual(Number(limit));
      seen.push(...idsOf(page.jobs));
      cursor = page.nextCursor;
      if (seen.length === Number(limit)) {
        const id = await startJob(team.editor.api, { projectId });
        ids.unshift(id);
        added.push(id);
      }
    }
    expect(seen).toEqual(whole);
    // Wait until these jobs are running, so that none starts while the next test reads the list of running jobs.
    for (const id of added) await waitForJob(team.editor.api, id, 'running');
  });

  test('pages of images list each image once', async () => {
    const { id } = { id: team.projectId };
    const added: string[] = [];
    for (let i = 0; i < 5; i += 1) added.unshift((await addImage(team.editor.api, id)).id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = new URLSearchParams({ limit: '2', ...(cursor ? { cursor } : {}) }).toString();
      const response = await team.viewer.api(`/api/projects/${id}/images?${query}`);
      const page = imagesResponse.parse(response.body);
      for (const { url } of page.images) expect((await fetch(url ?? '')).status).toBe(200);
      seen.push(...page.images.map((image) => image.id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(added);
  });
});

test('the name of an image job can be set and removed, and every change reaches the pages that show the job', async () => {
  const jobId = ids.at(-1) ?? '';
  const live = liveClient(env, team.viewer);
  let joined = false;
  const events = await live.follow(`project:${projectId}`, () => {
    joined = true;
  });
  await poll('the client has joined', async () => joined);
  const rename = (json: object) => team.editor.api(`/api/image-gen/jobs/${jobId}`, { method: 'PATCH', json });
  const before = await readJob(team.viewer.api, jobId);
  expect(before.name).toBeNull();
  const renamed = await rename({ name: '  Lobby,  final ' });
  expect(renamed.status, excerpt(renamed)).toBe(200);
  expect(renamed.body).toMatchObject({ jobId, name: 'Lobby,  final', prompt: before.prompt });
  const { statusSeq } = await readJob(team.viewer.api, jobId);
  expect(statusSeq).toBe(before.statusSeq + 1);
  await poll('the event', async () =>
    events.some((event) => event.jobId === jobId && event.statusSeq === statusSeq),
  );
  // Sending the same name again changes nothing.
  expect((await rename({ name: 'Lobby,  final' })).body).toMatchObject({ statusSeq });
  expect((await list()).jobs.find((job) => job.jobId === jobId)?.name).toBe('Lobby,  final');
  expectProblem(await rename({ name: 'x'.repeat(121) }), 'invalid_request');
  expectProblem(await rename({ name: 'two\nlines' }), 'invalid_request');
  expect((await rename({ name: null })).body).toMatchObject({ name: null, statusSeq: statusSeq + 1 });
  await live.end();
});
