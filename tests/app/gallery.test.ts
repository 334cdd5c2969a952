import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { changedResponse, galleryResponse, imageDownloadResponse } from '@/lib/image-gen/schema';
import { retention } from '@/lib/queue/retention';
import { type ApiResponse, excerpt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import {
  readChat,
  readJob,
  refine,
  retryJob,
  sendJob,
  startJob,
  waitForJob,
} from '@/tests/app/support/image-jobs';
import { inParallel } from '@/tests/app/support/poll';
import { readZip } from '@/tests/app/support/read-zip';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';

let team: Team;
let sql: Sql;
let projectId: string;
// The ids of two jobs: the editor started `lobby`, and the owner then started `spa`.
let lobby: string;
let spa: string;

beforeAll(async () => {
  team = await makeTeam();
  ({ projectId } = team);
  sql = openDatabase();
  lobby = await startJob(team.editor.api, { projectId, prompt: 'A calm lobby with 50% oak_panels' });
  await waitForJob(team.editor.api, lobby, 'succeeded');
  spa = await startJob(team.owner.api, { projectId, prompt: 'A calm spa' });
  await waitForJob(team.editor.api, spa, 'succeeded');
});
afterAll(() => sql.end());

async function gallery(query: Record<string, string> = {}, of = projectId) {
  const response = await team.viewer.api(`/api/projects/${of}/gallery?${new URLSearchParams(query)}`);
  expect(response.status, excerpt(response)).toBe(200);
  return galleryResponse.parse(response.body);
}
const idsIn = async (query: Record<string, string> = {}) =>
  (await gallery(query)).images.map(({ variant }) => variant.id);

const change = (what: 'star' | 'delete' | 'restore', body: object, of = projectId): Promise<ApiResponse> =>
  team.editor.api(`/api/projects/${of}/gallery/${what}`, { json: body });
async function changed(what: 'star' | 'delete' | 'restore', body: object): Promise<string[]> {
  const response = await change(what, body);
  expect(response.status, excerpt(response)).toBe(200);
  return changedResponse.parse(response.body).imageIds;
}
const variantsOf = async (jobId: string) => (await readChat(team.viewer.api, jobId)).variants;

test('the gallery has the images of all jobs, newest first, with their prompts, people and URLs', {
  tags: ['extended'],
}, async () => {
  const { images, nextCursor } = await gallery();
  const [newer, older] = [await variantsOf(spa), await variantsOf(lobby)];
  expect(images.map(({ variant }) => variant.id)).toEqual(
    [...older, ...newer].toReversed().map(({ id }) => id),
  );
  expect(nextCursor).toBeNull();
  expect(images[0]).toMatchObject({
    jobId: spa,
    ordinal: 1,
    prompt: 'A calm spa',
    createdBy: team.owner.id,
    deletedAt: null,
    restorableUntil: null,
    variant: { number: newer.length, starred_at: null },
  });
  expect((await fetch(images[0]?.variant.url ?? '')).status).toBe(200);
  expect((await fetch(images[0]?.variant.thumb_url ?? '')).status).toBe(200);
});

test('the gallery is filtered by person, by words of the prompt, and by star', {
  tags: ['extended'],
}, async () => {
  const ofLobby = (await variantsOf(lobby)).map(({ id }) => id).toReversed();
  const ofSpa = (await variantsOf(spa)).map(({ id }) => id).toReversed();
  expect(await idsIn({ createdBy: team.editor.id })).toEqual(ofLobby);
  expect(await idsIn({ createdBy: team.stranger.id })).toEqual([]);
  for (const [q, expected] of [
    ['SPA', ofSpa],
    ['lobby  calm', ofLobby],
    ['calm', [...ofSpa, ...ofLobby]],
    ['lobby spa', []],
    ['50%', ofLobby],
    // Wildcards and filter syntax are matched literally.
    ['c%m', []],
    ['l_bby', []],
    ['", prompt.ilike."%', []],
    [' ', [...ofSpa, ...ofLobby]],
  ] as const) {
    expect(await idsIn({ q }), q).toEqual(expected);
  }
  const [starred = ''] = ofLobby;
  expect(await changed('star', { imageIds: [starred], starred: true })).toEqual([starred]);
  expect(await idsIn({ starred: 'true' })).toEqual([starred]);
  expect((await variantsOf(lobby)).filter(({ starred_at }) => starred_at).map(({ id }) => id)).toEqual([
    starred,
  ]);
  expect(await changed('star', { imageIds: [starred], starred: false })).toEqual([starred]);
  expect(await idsIn({ starred: 'true' })).toEqual([]);
});

test('the gallery is filtered by day and by material, and lists the materials of its images', {
  tags: ['extended'],
}, async () => {
  const of = await makeProject(team.owner.api);
  const addViewer = { email: team.viewer.email, role: 'viewer' };
  await team.owner.api(`/api/projects/${of}/members`, { json: addViewer });
  const oak = { id: 'oak_01', name: 'Oak' };
  const oaken = await startJob(team.owner.api, { projectId: of, prompt: 'Oak', materialPayload: [oak] });
  await waitForJob(team.owner.api, oaken, 'succeeded');
  const plain = await startJob(team.owner.api, { projectId: of, prompt: 'Plain' });
  await waitForJob(team.owner.api, plain, 'succeeded');
  await sql`update public.image_variants set created_at = '2026-01-02T23:59:59Z' where job_id = ${plain}`;
  const jobsIn = async (query: Record<string, string>) => [
    ...new Set((await gallery(query, of)).images.map(({ jobId }) => jobId)),
  ];
  expect(await jobsIn({ material: 'oak_01' })).toEqual([oaken]);
  expect(await jobsIn({ material: 'oak' })).toEqual([]);
  expect(await jobsIn({ from: '2026-01-02', to: '2026-01-02' })).toEqual([plain]);
  expect(await jobsIn({ to: '2026-01-01' })).toEqual([]);
  expect(await jobsIn({ from: '2026-01-03', material: 'oak_01' })).toEqual([oaken]);
  expect((await team.viewer.api(`/api/projects/${of}/gallery/materials`)).body).toEqual({ materials: [oak] });
  expectProblem(await team.viewer.api(`/api/projects/${of}/gallery?from=2026-02-30`), 'invalid_request');
});

test('a deleted image is gone from the conversation and the list, is not refined or used, and can be restored', {
  tags: ['extended'],
}, async () => {
  const { api } = team.editor;
  const jobId = await startJob(api, { projectId, prompt: 'A bar' });
  await waitForJob(api, jobId, 'succeeded');
  const before = await variantsOf(jobId);
  const [first, second] = before;
  const imageIds = [first?.id ?? ''];
  expect(await changed('delete', { imageIds })).toEqual(imageIds);

  expect((await variantsOf(jobId)).map(({ number }) => number)).toEqual(
    before.map(({ number }) => number).slice(1),
  );
  expect((await readJob(api, jobId)).cover?.id).toBe(second?.id);
  expect(await idsIn()).not.toContain(first?.id);
  const [deleted] = (await gallery({ deleted: 'true' })).images;
  expect(deleted?.variant.id).toBe(first?.id);
  const kept = Date.parse(deleted?.restorableUntil ?? '') - Date.parse(deleted?.deletedAt ?? '');
  expect(kept).toBe(retention.deletedImagesS * 1000);
  const refined = await api('/api/image-gen/messages', {
    json: { jobId, prompt: 'Warmer', variantId: first?.variant_id },
  });
  expectProblem(refined, 'not_found');
  expectProblem(await sendJob(api, { projectId, inputImagePath: first?.path }), 'not_found');

  expect(await changed('restore', { imageIds })).toEqual(imageIds);
  expect((await variantsOf(jobId)).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(await idsIn({ deleted: 'true' })).toEqual([]);
});

test('a prompt whose image was deleted before it is sent fails with the reason, and runs after the image is restored', {
  tags: ['extended'],
}, async () => {
  const { api } = team.editor;
  const jobId = await startJob(api, { projectId, prompt: 'A cinema' });
  await waitForJob(api, jobId, 'succeeded');
  const [source] = await variantsOf(jobId);
  await refine(api, jobId, 'Warmer [fail]', source?.variant_id);
  await waitForJob(api, jobId, 'failed');
  const imageIds = [source?.id ?? ''];
  await changed('delete', { imageIds });
  expect((await retryJob(api, jobId)).status).toBe(202);
  const failed = await waitForJob(api, jobId, 'failed');
  expect(failed).toMatchObject({ run: 3, error: 'An image that this prompt starts from was deleted.' });
  await changed('restore', { imageIds });
  await retryJob(api, jobId);
  expect((await waitForJob(api, jobId, 'failed')).error).not.toBe(failed.error);
});

test('an image that was deleted too long ago is neither listed nor restored', async () => {
  const [image] = await variantsOf(lobby);
  const imageIds = [image?.id ?? ''];
  await changed('delete', { imageIds });
  const deletedAgo = (seconds: number) => sql`
    update public.image_variants set deleted_at = now() - make_interval(secs => ${seconds}) where id = any (${imageIds})`;
  await deletedAgo(retention.deletedImagesS + 60);
  expect(await idsIn({ deleted: 'true' })).toEqual([]);
  expectProblem(await change('restore', { imageIds }), 'not_found');
  await deletedAgo(retention.deletedImagesS - 60);
  expect(await idsIn({ deleted: 'true' })).toEqual(imageIds);
  expect(await changed('restore', { imageIds })).toEqual(imageIds);
});

test('pages stay complete while images are added and deleted between them', {
  tags: ['extended'],
}, async () => {
  const id = await makeProject(team.editor.api);
  await team.editor.api(`/api/projects/${id}/members`, {
    json: { email: team.viewer.email, role: 'viewer' },
  });
  const jobs = await inParallel([1, 2, 3], 3, (n) =>
    startJob(team.editor.api, { projectId: id, prompt: `Room ${n}` }),
  );
  for (const jobId of jobs) await waitForJob(team.editor.api, jobId, 'succeeded');
  const all = (await gallery({ limit: '100' }, id)).images.map(({ variant }) => variant.id);
  const first = await gallery({ limit: '3' }, id);
  expect(first.images.map(({ variant }) => variant.id)).toEqual(all.slice(0, 3));
  await change('delete', { imageIds: [all[0], all[2], all[4]] }, id);
  const newer = await startJob(team.editor.api, { projectId: id, prompt: 'Room 4' });
  await waitForJob(team.editor.api, newer, 'succeeded');
  const rest: string[] = [];
  let cursor = first.nextCursor;
  while (cursor) {
    const page = await gallery({ limit: '2', cursor }, id);
    rest.push(...page.images.map(({ variant }) => variant.id));
    cursor = page.nextCursor;
  }
  expect(rest).toEqual(all.slice(3).filter((other) => other !== all[4]));
  expectProblem(await team.viewer.api(`/api/projects/${id}/gallery?cursor=broken`), 'invalid_request');
});

test('images of another project are neither shown nor changed, regardless of the ids that are sent', async () => {
  const elsewhere = await makeProject(team.editor.api);
  const [image] = await variantsOf(spa);
  const imageIds = [image?.id ?? ''];
  for (const [what, body] of [
    ['star', { imageIds, starred: true }],
    ['delete', { imageIds }],
    ['restore', { imageIds }],
  ] as const) {
    expectProblem(await change(what, body, elsewhere), 'not_found');
    for (const bad of [[], ['v1'], [`${image?.id}'`], Array.from({ length: 501 }, () => image?.id)]) {
      expectProblem(await change(what, { ...body, imageIds: bad }), 'invalid_request');
    }
  }
  expect((await variantsOf(spa))[0]).toMatchObject({ id: image?.id, starred_at: null });
});

describe('a download of many images', () => {
  let id: string;
  let jobId: string;
  const downloads = () => `/api/projects/${id}/gallery/downloads`;

  beforeAll(async () => {
    id = await makeProject(team.editor.api, 'Harbor: "East" / 1');
    jobId = await startJob(team.editor.api, { projectId: id, prompt: '=SUM(1) a "calm" lobby' });
    await waitForJob(team.editor.api, jobId, 'succeeded');
  });
  const own = async () => (await readChat(team.editor.api, jobId)).variants;

  async function prepare(imageIds: string[]): Promise<string> {
    const response = await team.editor.api(downloads(), { json: { imageIds } });
    expect(response.status, excerpt(response)).toBe(201);
    const { downloadId } = imageDownloadResponse.parse(response.body);
    expect(response.headers.get('location')).toBe(`${downloads()}/${downloadId}`);
    return `${downloads()}/${downloadId}`;
  }
  const fetchZip = (path: string) =>
    fetch(`${inject('atelier').url}${path}`, { headers: team.editor.headers });

  test('the ZIP file has the images in the chosen order with distinct names, and a list of them', async () => {
    const images = await own();
    const chosen = images.toReversed();
    const response = await fetchZip(await prepare(chosen.map((image) => image.id)));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toBe('attachment');
    const files = readZip(Buffer.from(await response.arrayBuffer()));
    const folder = 'Harbor East 1';
    const originals = await Promise.all(chosen.map(({ url }) => fetch(url ?? '')));
    const names = chosen.map(({ number }, i) => {
      const type = originals[i]?.headers.get('content-type')?.replace('image/', '').replace('jpeg', 'jpg');
      return `1.${number} =SUM(1) a calm lobby.${type}`;
    });
    expect(files.map(({ name }) => name)).toEqual([
      ...names.map((name) => `${folder}/${name}`),
      `${folder}/images.csv`,
    ]);
    for (const [i, original] of originals.entries()) {
      expect(files[i]?.bytes.equals(Buffer.from(await original.arrayBuffer()))).toBe(true);
    }
    const [header, ...lines] = (files.at(-1)?.bytes.toString() ?? '').trimEnd().split('\r\n');
    expect(header).toBe('\ufeff"number","file","prompt","seed","width","height","who","when"');
    expect(lines).toHaveLength(chosen.length);
    const [first] = chosen;
    const cells = `"1.${first?.number}","${names[0]}","'=SUM(1) a ""calm"" lobby",`;
    expect(lines[0]?.startsWith(cells), lines[0]).toBe(true);
    expect(lines[0]).toContain(`,64,64,"${team.editor.email}","${first?.created_at}"`);
  });

  test('a download works only for the user who prepared it, in its project, and for an hour', {
    tags: ['extended'],
  }, async () => {
    await team.editor.api(`/api/projects/${id}/members`, {
      json: { email: team.viewer.email, role: 'viewer' },
    });
    const [image] = await own();
    const path = await prepare([image?.id ?? '']);
    expectProblem(await team.viewer.api(path), 'not_found');
    expectProblem(await team.editor.api(path.replace(id, projectId)), 'not_found');
    const downloadId = path.split('/').at(-1) ?? '';
    await sql`update private.image_downloads set created_at = now() - interval '61 minutes' where id = ${downloadId}`;
    expectProblem(await team.editor.api(path), 'not_found');
    const [foreign] = await variantsOf(spa);
    expectProblem(await team.editor.api(downloads(), { json: { imageIds: [foreign?.id] } }), 'not_found');
  });

  test('an image whose file is missing is only listed, and a failure of storage breaks the download', {
    tags: ['extended'],
  }, async () => {
    const [gone, broken] = await own();
    const path = await prepare([gone?.id ?? '', broken?.id ?? '']);
    await sql`update public.image_variants set path = path || '-gone' where id = ${gone?.id ?? ''}`;
    const files = readZip(Buffer.from(await (await fetchZip(path)).arrayBuffer()));
    expect(files).toHaveLength(2);
    expect(files[1]?.bytes.toString()).toContain(`"1.${gone?.number}","",`);

    // Change the file's record, so that storage fails while it sends the file.
    await sql`update storage.objects set version = gen_random_uuid() 
      where name = ${broken?.path.replace('images/', '') ?? ''}`;
    const read = async () => {
      const response = await fetchZip(
        await prepare([...(await own()).slice(2), broken].map((image) => image?.id ?? '')),
      );
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    };
    await expect(read()).rejects.toThrow();
  });
});
