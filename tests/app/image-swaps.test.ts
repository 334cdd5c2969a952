import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobsResponse } from '@/lib/image-gen/schema';
import {
  type CreateSwapPayload,
  swapStarted,
  swapsResponse,
  swapWithJobs,
} from '@/lib/image-gen/swaps/schema';
import { type Api, excerpt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import {
  cancelJob,
  readChat,
  receivedTrigger,
  retryJob,
  startJob,
  waitForJob,
} from '@/tests/app/support/image-jobs';
import { addImage, picture } from '@/tests/app/support/pictures';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';

let team: Team;
let projectId: string;
let sql: Sql;
// The images of a finished job, and the id of that job.
let images: Awaited<ReturnType<typeof readChat>>['variants'];
let jobId: string;

beforeAll(async () => {
  team = await makeTeam();
  sql = openDatabase();
  ({ projectId } = team);
  jobId = await startJob(team.editor.api, { projectId, prompt: 'A calm lobby' });
  await waitForJob(team.editor.api, jobId, 'succeeded');
  images = (await readChat(team.editor.api, jobId)).variants;
});
afterAll(() => sql.end());

const materials = [
  { id: 'oak_01', name: 'Oak [silent]', imageUrl: 'https://cdn.example/oak.jpg' },
  { id: 'cork_01', name: 'Cork [silent]' },
];
const imageId = (index: number) => images[index]?.id ?? '';
const send = (api: Api, payload: Partial<CreateSwapPayload> = {}, headers: Record<string, string> = {}) =>
  api('/api/image-gen/swaps', {
    json: { projectId, variantId: imageId(0), where: 'the floor', materials, ...payload },
    headers,
  });
async function start(payload: Partial<CreateSwapPayload> = {}) {
  const response = await send(team.editor.api, payload);
  expect(response.status, excerpt(response)).toBe(202);
  const started = swapStarted.parse(response.body);
  expect(response.headers.get('location')).toBe(`/api/image-gen/swaps/${started.swapId}`);
  return started;
}
async function read(api: Api, swapId: string) {
  const response = await api(`/api/image-gen/swaps/${swapId}`);
  expect(response.status, excerpt(response)).toBe(200);
  return swapWithJobs.parse(response.body);
}
async function jobs() {
  const response = await team.viewer.api(`/api/image-gen/jobs?projectId=${projectId}&limit=100`);
  return jobsResponse.parse(response.body).jobs;
}
const jobIds = async () => (await jobs()).map((job) => job.jobId);

test('a swap starts an ordinary job for each material, from the same image with its seed and size', async () => {
  const { swapId, jobIds: started } = await start({ variantId: imageId(1) });
  const source = images[1];
  const swap = await read(team.viewer.api, swapId);
  expect(swap).toMatchObject({
    projectId,
    where: 'the floor',
    seed: source?.meta?.seed,
    source: { id: source?.id },
    sourceJobId: jobId,
    createdBy: team.editor.id,
  });
  expect(swap.jobs.map((job) => job.jobId)).toEqual(started);
  const listed = (await jobs()).filter((job) => job.swapId === swapId);
  expect(listed.map((job) => job.jobId).toSorted()).toEqual(started.toSorted());
  for (const [index, { id, name }] of materials.entries()) {
    const prompt = `Replace the material of the floor with ${name}. Keep everything else unchanged.`;
    const options = { size: `${source?.width}x${source?.height}`, seed: source?.meta?.seed };
    expect(swap.jobs[index]).toMatchObject({
      prompt,
      inputImagePath: source?.path,
      materialIds: [id],
      materialPayload: [materials[index]],
      options,
      swapId,
      swapWhere: 'the floor',
    });
    expect(await receivedTrigger(started[index] ?? '')).toMatchObject({
      prompt,
      input_image: { id: null, width: source?.width, height: source?.height },
      variant: null,
      materials: [materials[index]],
    });
  }
});

test('a swap with a mask sends the mask and the image to the workflow, even on a retry, and needs no text', async () => {
  const { api } = team.editor;
  const { width = 0, height = 0 } = images[0] ?? {};
  const mask = await addImage(api, projectId, await picture(width, height));
  const {
    swapId,
    jobIds: [first = ''],
  } = await start({ where: undefined, maskImageId: mask.id });
  const sent = {
    prompt: 'Replace the material of the marked region with Oak [silent]. Keep everything else unchanged.',
    variant: null,
    input_image: { id: null, width, height },
    mask: { id: mask.id, width, height },
  };
  expect(await receivedTrigger(first)).toMatchObject(sent);
  expect((await read(team.viewer.api, swapId)).where).toBe('the marked region');
  expect((await readChat(api, first)).messages).toMatchObject([
    { variantId: null, maskImageId: mask.id, createdBy: team.editor.id },
  ]);
  await cancelJob(api, first);
  await retryJob(api, first);
  expect(await receivedTrigger(first, 2)).toMatchObject(sent);
});

test('a swap with a mask that does not fit the image or belongs to another project is rejected', async () => {
  const { api } = team.editor;
  const { width = 0, height = 0 } = images[0] ?? {};
  const unfit = await addImage(api, projectId, await picture(width, height + 1));
  const foreign = await addImage(api, await makeProject(api), await picture(width, height));
  const before = await jobIds();
  for (const [maskImageId, text] of [
    [unfit.id, `must be a PNG of ${width} x ${height} pixels, the size of the image`],
    [foreign.id, 'must be an image uploaded to the project'],
  ] as const) {
    const { errors } = expectProblem(await send(api, { maskImageId }), 'invalid_request');
    expect(errors).toEqual([{ path: 'maskImageId', message: text }]);
  }
  expect(await jobIds()).toEqual(before);
});

test('the swaps of a project are listed newest first, page by page, only to its members', async () => {
  const first = await start();
  const second = await start({ where: 'the walls' });
  const list = (query: string, api = team.viewer.api) => api(`/api/image-gen/swaps?projectId=${query}`);
  const page = swapsResponse.parse((await list(`${projectId}&limit=1`)).body);
  expect(page.swaps.map(({ swapId }) => swapId)).toEqual([second.swapId]);
  const next = swapsResponse.parse((await list(`${projectId}&limit=1&cursor=${page.nextCursor}`)).body);
  expect(next.swaps.map(({ swapId }) => swapId)).toEqual([first.swapId]);
  expectProblem(await list(projectId, team.stranger.api), 'not_found');
  expectProblem(await team.stranger.api(`/api/image-gen/swaps/${first.swapId}`), 'not_found');
});

test('a deleted image starts no swap, and a swap that started from it no longer shows it', async () => {
  const { swapId } = await start({ variantId: imageId(2) });
  const body = { imageIds: [imageId(2)] };
  await team.editor.api(`/api/projects/${projectId}/gallery/delete`, { json: body });
  expect(await read(team.viewer.api, swapId)).toMatchObject({ source: null, sourceJobId: null });
  const before = await jobIds();
  expectProblem(await send(team.editor.api, { variantId: imageId(2) }), 'not_found');
  expect(await jobIds()).toEqual(before);
  await team.editor.api(`/api/projects/${projectId}/gallery/restore`, { json: body });
  expect((await read(team.viewer.api, swapId)).source?.id).toBe(imageId(2));
});

test('an image of another project starts no swap', async () => {
  const elsewhere = await makeProject(team.editor.api);
  expectProblem(await send(team.editor.api, { projectId: elsewhere }), 'not_found');
});

test.each<[string, object]>([
  ['where', { where: undefined }],
  ['where', { where: ' ' }],
  ['where', { where: 'x'.repeat(501) }],
  ['variantId', { variantId: 'v1' }],
  ['materials', { materials: [] }],
  ['materials', { materials: Array.from({ length: 9 }, (_, n) => ({ id: `m${n}` })) }],
  ['materials.1.id', { materials: [{ id: 'oak' }, { id: 'oak' }] }],
  ['materials.0.id', { materials: [{ name: 'Oak' }] }],
  ['materials.0.imageUrl', { materials: [{ id: 'oak', imageUrl: 'http://127.0.0.1:1/a.png' }] }],
  ['options.size', { options: { size: '15x64' } }],
  ['options.seed', { options: { seed: 1.5 } }],
])('a swap is refused with the path of the mistake: %s: %o', async (path, wrong) => {
  const response = await send(team.editor.api, wrong);
  expect(expectProblem(response, 'invalid_request').errors?.[0]?.path).toBe(path);
});

test('a repeated request with the same key starts nothing more', async () => {
  const key = { 'idempotency-key': randomUUID() };
  const first = await send(team.editor.api, {}, key);
  expect(first.status, excerpt(first)).toBe(202);
  const before = await jobIds();
  expect((await send(team.editor.api, {}, key)).body).toEqual(first.body);
  expectProblem(await send(team.editor.api, { where: 'the walls' }, key), 'idempotency_mismatch');
  expect(await jobIds()).toEqual(before);
});

test('a swap counts as one costly call for each material, and a refused one starts nothing', async () => {
  const { api, id } = team.owner;
  const key = `costly:${id}`;
  /** Sets the theoretical arrival time (`tat`) of the user's rate limit to this many seconds from now. */
  const setUsed = (seconds: number) => sql`
    insert into private.rate_buckets (key, tat) values (${key}, now() + make_interval(secs => ${seconds}))
    on conflict (key) do update set tat = excluded.tat`;
  const arrivalTime = async () => {
    const [row] =
      await sql`select extract(epoch from tat) * 1000 as ms from private.rate_buckets where key = ${key}`;
    return Number(row?.ms);
  };
  await setUsed(50);
  const before = await arrivalTime();
  expect((await send(api, { materials })).status).toBe(202);
  // With the rate limit of the tests, each counted call moves the arrival time by one millisecond.
  expect((await arrivalTime()) - before).toBeCloseTo(materials.length, 1);
  await setUsed(130);
  const known = await jobIds();
  expectProblem(await send(api), 'rate_limited');
  expect(await jobIds()).toEqual(known);
});
