import { randomUUID } from 'node:crypto';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Sql } from 'postgres';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { pageTemplate } from '@/lib/export/page-templates/schema';
import { jobStartedResponse, sentResponse } from '@/lib/image-gen/schema';
import { copiedImagesResponse } from '@/lib/projects/copies/schema';
import { imagesResponse, projectImage } from '@/lib/projects/schema';
import { type Api, type ApiResponse, excerpt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { exported, onePage } from '@/tests/app/support/exports';
import {
  cancelJob,
  readChat,
  readJob,
  receivedTrigger,
  retryJob,
  sendJob,
  startJob,
  waitForJob,
} from '@/tests/app/support/image-jobs';
import { addImage, picture, replaceFile, sendImage } from '@/tests/app/support/pictures';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';
import { pngThatClaims, textFile } from '@/tests/fakes/workflow/bad-pictures';
import { inspectPdf } from '@/tests/pdf/support/inspect-pdf';
import { contentOf } from '@/tests/pdf/support/page-content';

const jpeg = await sharp({
  create: {
    width: 300,
    height: 300,
    channels: 3,
    background: '#888',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
})
  .jpeg()
  .toBuffer();
const png = await picture(600, 600);
const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">${content}</svg>`);
const unusable: [string, Uint8Array, RegExp][] = [
  ['text', textFile, /not a readable|not a PNG/],
  ['nothing', new Uint8Array(), /not a PNG/],
  ['svg with a script', svg('<script>alert(1)</script>'), /has a script/],
  ['svg with text', svg('<text>Studio</text>'), /has text/],
  ['gif', await picture(64, 64, 'gif'), /not a PNG/],
  ['tiff', await picture(64, 64, 'tiff'), /not a PNG|not a readable/],
  ['truncated jpeg', jpeg.subarray(0, jpeg.length / 2), /not a readable/],
  ['begin of a jpeg', jpeg.subarray(0, 30), /not a readable/],
  ['truncated png', png.subarray(0, -30), /not a readable/],
  ['30,000 x 30,000', pngThatClaims(30_000), /too many pixels/],
  ['a pdf', Buffer.from('%PDF-1.7\n%%EOF'), /not a readable|not a PNG/],
];

let team: Team;
let sql: Sql;
let projectId: string;

beforeAll(async () => {
  team = await makeTeam();
  ({ projectId } = team);
  sql = openDatabase();
});
afterAll(() => sql.end());

async function counts() {
  const [row] = await sql`
    select (select count(*)::int from public.image_jobs where project_id = ${projectId}) as jobs,
           (select count(*)::int from public.document_images where project_id = ${projectId}) as images,
           (select count(*)::int from storage.objects where name like ${`projects/${projectId}/inputs/%`}) as objects`;
  return { ...row };
}

async function refused(answering: () => Promise<ApiResponse>): Promise<ApiResponse> {
  const before = await counts();
  const response = await answering();
  expect(await counts()).toEqual(before);
  return response;
}

describe('a job', () => {
  test('a job keeps all fields of its request, and the trigger contains them', async () => {
    const image = await addImage(team.editor.api, projectId);
    const request = {
      prompt: 'Eine Lobby,\nhell [silent]',
      inputImageId: image.id,
      inputImagePath: image.path,
      pageId: 'page-7',
      materialIds: ['oak_01', 'slate'],
      materialPayload: [
        { id: 'oak_01', name: 'Oak', imageUrl: 'https://cdn.example/oak.jpg' },
        { name: 'Bare' },
        {},
      ],
      options: { size: '128x16', seed: -7.25, safety: 'strict' },
    };
    const jobId = await startJob(team.editor.api, { projectId, ...request });
    expect(await readJob(team.viewer.api, jobId)).toMatchObject({ jobId, projectId, ...request });
    expect(await receivedTrigger(jobId)).toMatchObject({
      job_id: jobId,
      project_id: projectId,
      run: 1,
      prompt: request.prompt,
      messages: [{ run: 1, prompt: request.prompt, variant_id: null }],
      input_image: { id: image.id, width: 64, height: 48 },
      variant: null,
      page_id: 'page-7',
      material_ids: request.materialIds,
      materials: request.materialPayload,
      options: { size: { width: 128, height: 16 }, seed: -7.25, safety: 'strict' },
    });
  });

  test('the smallest image is generated', { tags: ['extended'] }, async () => {
    const options = { size: '16x16', seed: 1.5 };
    const jobId = await startJob(team.editor.api, { projectId, prompt: 'A lobby', options });
    const { cover } = await waitForJob(team.editor.api, jobId, 'succeeded');
    expect(cover).toMatchObject({ width: 16, height: 16 });
  });

  test('the trigger of a job contains nothing that the request did not contain', {
    tags: ['extended'],
  }, async () => {
    const jobId = await startJob(team.editor.api, { projectId, options: undefined });
    const job = await readJob(team.editor.api, jobId);
    expect(job).toMatchObject({ inputImageId: null, inputImagePath: null, pageId: null, options: {} });
    expect(await receivedTrigger(jobId)).toMatchObject({
      input_image: null,
      material_ids: [],
      materials: [],
    });
  });

  test('a job starts from an image given by id, by path, or by path when the id is unknown, and from a variant', {
    tags: ['extended'],
  }, async () => {
    const { api } = team.editor;
    const image = await addImage(api, projectId);
    const other = await addImage(api, projectId);
    const ways = [
      { inputImageId: image.id },
      { inputImagePath: image.path },
      { inputImagePath: `/${image.path}` },
      { inputImagePath: image.path.slice('images/'.length) },
      { inputImagePath: `//${image.path.slice('images/'.length)}` },
      { inputImageId: randomUUID(), inputImagePath: image.path },
      { inputImageId: 'img-12', inputImagePath: image.path },
      { inputImageId: image.id, inputImagePath: other.path },
      { inputImageId: image.id, inputImagePath: 'nowhere.png' },
      { inputImageId: image.id.toUpperCase() },
    ];
    for (const way of ways) {
      const jobId = await startJob(api, { projectId, ...way });
      expect((await readJob(api, jobId)).inputImageId).toBe(image.id);
      expect((await receivedTrigger(jobId)).input_image).toEqual({ id: image.id, width: 64, height: 48 });
    }
    const drawn = await startJob(api, { projectId, prompt: 'A lobby' });
    await waitForJob(api, drawn, 'succeeded');
    const [variant] = (await readChat(api, drawn)).variants;
    const next = await startJob(api, { projectId, prompt: 'On', inputImagePath: variant?.path });
    expect((await receivedTrigger(next)).input_image).toEqual({ id: null, width: 64, height: 64 });
    await waitForJob(api, next, 'succeeded');
  });

  test('a job does not start from an image that its project does not have', {
    tags: ['extended'],
  }, async () => {
    const { api } = team.editor;
    const elsewhere = await makeProject(api);
    const foreign = await addImage(api, elsewhere);
    const own = await addImage(api, projectId);
    const foreignJob = await startJob(api, { projectId: elsewhere, prompt: 'Mine' });
    await waitForJob(api, foreignJob, 'succeeded');
    const [variant] = (await readChat(api, foreignJob)).variants;
    const ways = [
      { inputImageId: randomUUID() },
      { inputImageId: 'img-12' },
      { inputImageId: foreign.id },
      { inputImagePath: foreign.path },
      { inputImagePath: variant?.path },
      { inputImagePath: variant?.thumb_path ?? '' },
      { inputImageId: foreign.id, inputImagePath: foreign.path },
      { inputImagePath: own.path.replace('/inputs/', '/inputs/../inputs/') },
      { inputImagePath: own.path.replace('images/', 'specs/') },
      { inputImagePath: `/${foreign.path}` },
      { inputImagePath: foreign.path.slice('images/'.length) },
      { inputImagePath: `${own.path}\u0020` },
      { inputImagePath: '%' },
    ];
    for (const way of ways) {
      const response = await refused(() => sendJob(api, { projectId, ...way }));
      const { errors } = expectProblem(response, 'not_found');
      expect(errors?.map(({ path }) => path)).toEqual(Object.keys(way));
    }
  });

  test('many job requests with one Idempotency-Key create one job, and a different body with the key is refused', {
    tags: ['extended'],
  }, async () => {
    const { api } = team.editor;
    const key = { 'idempotency-key': randomUUID() };
    const before = await counts();
    const responses = await Promise.all(Array.from({ length: 5 }, () => sendJob(api, { projectId }, key)));
    for (const response of responses)
      expect([response.status, response.body]).toEqual([202, responses[0]?.body]);
    expect(await counts()).toEqual({ ...before, jobs: before.jobs + 1 });
    const other = () => sendJob(api, { projectId, prompt: 'Other [silent]' }, key);
    expectProblem(await refused(other), 'idempotency_mismatch');
    // An idempotency key applies to one user only.
    expect((await sendJob(team.owner.api, { projectId }, key)).body).not.toEqual(responses[0]?.body);
    const { jobId } = jobStartedResponse.parse(responses[0]?.body);
    await api(`/api/image-gen/jobs/${jobId}/cancel`, { method: 'POST' });
    const send = () => api('/api/image-gen/messages', { json: { jobId, prompt: '[silent]' }, headers: key });
    const sent = await Promise.all([send(), send(), send()]);
    for (const response of sent) expect([response.status, response.body]).toEqual([202, sent[0]?.body]);
    expect((await readChat(api, jobId)).messages).toHaveLength(2);
  });

  test('an Idempotency-Key of a refused job may be used again', { tags: ['extended'] }, async () => {
    const { api } = team.editor;
    const key = { 'idempotency-key': randomUUID() };
    expectProblem(await sendJob(api, { projectId, inputImageId: randomUUID() }, key), 'not_found');
    expect((await sendJob(api, { projectId }, key)).status).toBe(202);
  });
});

describe('a refinement', () => {
  let jobId: string;
  const job = {
    materialIds: ['oak_01'],
    materialPayload: [{ id: 'oak_01', name: 'Oak' }],
    options: { size: '128x96', seed: 7, count: 1 },
  };
  const own = {
    materialIds: ['slate'],
    materialPayload: [{ id: 'slate', name: 'Slate', imageUrl: 'https://cdn.example/slate.jpg' }],
    options: { size: '96x64', count: 8 },
  };
  const send = (json: object, api = team.editor.api) =>
    api('/api/image-gen/messages', { json: { jobId, prompt: 'Warmer [silent]', ...json } });
  async function sentRun(json: object): Promise<number> {
    const response = await send(json);
    expect(response.status, excerpt(response)).toBe(202);
    return sentResponse.parse(response.body).run;
  }
  const lastMessage = async () => (await readChat(team.viewer.api, jobId)).messages.at(-1);

  beforeAll(async () => {
    jobId = await startJob(team.editor.api, { projectId, prompt: 'A lobby', ...job });
    await waitForJob(team.editor.api, jobId, 'succeeded');
  });
  afterEach(() => cancelJob(team.editor.api, jobId));

  test('a job for one image gets one image, and its refinement uses the materials and options of the job', async () => {
    expect((await readChat(team.editor.api, jobId)).variants).toHaveLength(1);
    const run = await sentRun({});
    expect(await receivedTrigger(jobId, run)).toMatchObject({
      material_ids: job.materialIds,
      materials: job.materialPayload,
      options: { size: { width: 128, height: 96 }, seed: 7, count: 1 },
      mask: null,
    });
    const unset = { materialIds: null, materialPayload: null, options: null, maskImageId: null };
    expect(await lastMessage()).toMatchObject(unset);
  });

  test('a refinement keeps its own materials and options, which replace those of the job, even when it is retried', async () => {
    const run = await sentRun(own);
    const request = {
      material_ids: own.materialIds,
      materials: own.materialPayload,
      options: { size: { width: 96, height: 64 }, count: 8 },
    };
    expect(await receivedTrigger(jobId, run)).toMatchObject(request);
    expect(await receivedTrigger(jobId, run)).not.toHaveProperty('options.seed');
    expect(await lastMessage()).toMatchObject(own);
    await cancelJob(team.editor.api, jobId);
    await retryJob(team.editor.api, jobId);
    expect(await receivedTrigger(jobId, run + 1)).toMatchObject(request);
    expect(await readJob(team.viewer.api, jobId)).toMatchObject(job);
  });

  test('a refinement with only material ids drops the details of earlier materials, and an empty list means no materials', {
    tags: ['extended'],
  }, async () => {
    await sentRun({ materialIds: ['slate'] });
    expect(await lastMessage()).toMatchObject({ materialIds: ['slate'], materialPayload: [] });
    await cancelJob(team.editor.api, jobId);
    const run = await sentRun({ materialPayload: [], options: {} });
    expect(await receivedTrigger(jobId, run)).toMatchObject({ material_ids: [], materials: [] });
    expect(await receivedTrigger(jobId, run)).not.toHaveProperty('options.count');
  });

  test('a refinement with a mask sends it to the workflow next to the variant, and the mask is not listed as an upload', async () => {
    const { api } = team.editor;
    const [variant] = (await readChat(api, jobId)).variants;
    const mask = await addImage(api, projectId, await picture(128, 96));
    const run = await sentRun({ variantId: variant?.variant_id, maskImageId: mask.id });
    expect(await receivedTrigger(jobId, run)).toMatchObject({
      variant: { variant_id: variant?.variant_id, width: 128, height: 96 },
      mask: { id: mask.id, width: 128, height: 96 },
    });
    expect(await lastMessage()).toMatchObject({ maskImageId: mask.id });
    const { images } = imagesResponse.parse((await api(`/api/projects/${projectId}/images`)).body);
    expect(images.map(({ id }) => id)).not.toContain(mask.id);
  });

  test('a mask that does not fit the image, belongs to another project, or comes without a variant is refused', {
    tags: ['extended'],
  }, async () => {
    const { api } = team.editor;
    const [variant] = (await readChat(api, jobId)).variants;
    const variantId = variant?.variant_id;
    const foreign = await addImage(api, await makeProject(api), await picture(128, 96));
    const right = await addImage(api, projectId, await picture(128, 96));
    const wrong: [object, RegExp][] = [
      [
        { variantId, maskImageId: (await addImage(api, projectId, await picture(96, 128))).id },
        /PNG of 128 x 96/,
      ],
      [
        { variantId, maskImageId: (await addImage(api, projectId, await picture(128, 96, 'webp'))).id },
        /PNG of 128/,
      ],
      [{ variantId, maskImageId: foreign.id }, /uploaded to the project/],
      [{ variantId, maskImageId: randomUUID() }, /uploaded to the project/],
      [{ maskImageId: right.id }, /needs a variantId/],
    ];
    const before = await lastMessage();
    for (const [json, message] of wrong) {
      const { errors, detail } = expectProblem(await send(json), 'invalid_request');
      expect(errors?.[0]?.path).toBe('maskImageId');
      expect(detail).toMatch(message);
    }
    expect(await lastMessage()).toEqual(before);
    expectProblem(await send({ variantId, maskImageId: right.id }, team.viewer.api), 'forbidden');
    expectProblem(await send({ variantId, maskImageId: right.id }, team.stranger.api), 'not_found');
  });

  test.each<[string, object]>([
    ['options.count', { options: { count: 0 } }],
    ['options.count', { options: { count: 9 } }],
    ['options.count', { options: { count: 1.5 } }],
    ['options.size', { options: { size: '15x64' } }],
    ['options.seed', { options: { seed: '7' } }],
    ['materialIds', { materialIds: Array(33).fill('oak') }],
    ['materialPayload.0.imageUrl', { materialPayload: [{ imageUrl: 'http://127.0.0.1:1/a.png' }] }],
    ['maskImageId', { variantId: 'v1', maskImageId: 'mask.png' }],
  ])(
    'a refinement is refused with the path of the mistake: %s: %o',
    { tags: ['extended'] },
    async (path, json) => {
      expect(expectProblem(await send(json), 'invalid_request').errors?.[0]?.path).toBe(path);
    },
  );
});

describe('an image', () => {
  test.each(['png', 'jpeg', 'webp'] as const)(
    'an image of type %s is stored byte for byte, whatever its name says',
    { tags: ['extended'] },
    async (format) => {
      const file = await picture(120, 80, format);
      const response = await sendImage(team.editor.api, projectId, file, {
        fileName: '../Ansicht.gif',
        type: 'image/gif',
      });
      expect(response.status, excerpt(response)).toBe(201);
      const { images } = imagesResponse.parse(
        (await team.viewer.api(`/api/projects/${projectId}/images`)).body,
      );
      const [image] = images;
      expect(image).toMatchObject({ width: 120, height: 80, fileName: 'Ansicht.gif' });
      expect(image?.path).toBe(`images/projects/${projectId}/inputs/${image?.id}.${format}`);
      const stored = await fetch(image?.url ?? '');
      expect(stored.headers.get('content-type')).toBe(`image/${format}`);
      expect(Buffer.compare(await stored.bytes(), file)).toBe(0);
    },
  );

  test('an SVG is served as a PNG of its drawing and printed as vectors, even after it was copied', {
    tags: ['extended'],
  }, async () => {
    const { api } = team.editor;
    const source = await makeProject(api);
    const file = svg('<style>.a{fill:#6b345e}</style><path class="a" d="M0 0h100v50z"/>');
    const image = await addImage(api, source, file);
    expect(image).toMatchObject({ width: 2048, height: 1024 });
    const stored = await fetch(image.url ?? '');
    expect(stored.headers.get('content-type')).toBe('image/png');
    const drawn = await sharp(await stored.bytes()).metadata();
    expect([drawn.format, drawn.width, drawn.hasAlpha]).toEqual(['png', 2048, true]);
    const copied = await api(`/api/projects/${projectId}/images/copy`, { json: { keys: [image.id] } });
    const [copy] = copiedImagesResponse.parse(copied.body).images;
    const element = { id: 'logo', type: 'image', imageId: copy?.newKey, x: 20, y: 20, w: 80, h: 40 } as const;
    const { pdf, job } = await exported(api, {
      projectId,
      pages: [onePage('Logo', { elements: [element] })],
    });
    expect(job.warnings).toEqual([]);
    const { images } = await inspectPdf(Buffer.from(pdf));
    expect(images).toBe(0);
    const [page] = (await PDFDocument.load(pdf)).getPages();
    // The fill color of the drawing, as fractions.
    expect(page && contentOf(page)).toMatch(/\.4196\d* \.2039\d* \.3686\d* rg/);
  });

  test('an image with an EXIF orientation is measured upright', { tags: ['extended'] }, async () => {
    const file = await sharp(await picture(120, 80, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(await addImage(team.editor.api, projectId, file)).toMatchObject({ width: 80, height: 120 });
  });

  test.each(unusable)(
    'an upload of an image that is unusable (%s) is refused',
    { tags: ['extended'] },
    async (_what, file, message) => {
      const response = await refused(() => sendImage(team.editor.api, projectId, file));
      expect(expectProblem(response, 'invalid_image').detail).toMatch(message);
    },
  );

  test('an image of 16 MB, and one a byte over the limit, is refused', async () => {
    const file = Buffer.alloc(16 * 1024 * 1024, 1);
    expectProblem(await refused(() => sendImage(team.editor.api, projectId, file)), 'too_large');
    const limit = await refused(() =>
      sendImage(team.editor.api, projectId, Buffer.alloc(15 * 1024 * 1024 + 1, 1)),
    );
    expectProblem(limit, 'too_large');
  });
});

describe('an image that is sent again', () => {
  test('sending an image again with its Idempotency-Key returns the same image, and no second copy is stored', {
    tags: ['extended'],
  }, async () => {
    const { api } = team.editor;
    const [file, other] = [await picture(), await picture()];
    const before = await counts();
    const key = randomUUID();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => sendImage(api, projectId, file, { key })),
    );
    responses.push(await sendImage(api, projectId, file, { key }));
    const images = responses.map((response) => {
      expect(response.status, excerpt(response)).toBe(201);
      return projectImage.parse(response.body);
    });
    const once = { ...before, images: before.images + 1, objects: before.objects + 1 };
    expect(await counts()).toEqual(once);
    for (const { url, ...image } of images) expect(image).toEqual({ ...images[0], url: undefined });
    const stored = await fetch(images[5]?.url ?? '');
    expect(Buffer.compare(await stored.bytes(), file)).toBe(0);

    // The same key is refused with another file, file name or project.
    const name = { key, fileName: 'other.png' };
    expectProblem(await sendImage(api, projectId, other, { key }), 'idempotency_mismatch');
    expectProblem(await sendImage(api, projectId, file, name), 'idempotency_mismatch');
    const elsewhere = await makeProject(api);
    expectProblem(await sendImage(api, elsewhere, file, { key }), 'idempotency_mismatch');
    expect(await counts()).toEqual(once);
  });

  test('an Idempotency-Key of a refused image may be used again', { tags: ['extended'] }, async () => {
    const key = randomUUID();
    const send = (file: Uint8Array) => sendImage(team.editor.api, projectId, file, { key });
    expectProblem(await refused(() => send(textFile)), 'invalid_image');
    expect((await send(await picture())).status).toBe(201);
  });

  test('an image sent again without a key becomes a new image', { tags: ['extended'] }, async () => {
    const file = await picture();
    const [one, two] = [
      await addImage(team.editor.api, projectId, file),
      await addImage(team.editor.api, projectId, file),
    ];
    expect(one.id).not.toBe(two.id);
  });
});

describe('images copied from other projects', () => {
  const copy = (api: Api, keys: string[]) =>
    api(`/api/projects/${projectId}/images/copy`, { json: { keys } });
  const copiesOf = async (api: Api, keys: string[]) => {
    const response = await copy(api, keys);
    expect(response.status, excerpt(response)).toBe(200);
    const { images, failed } = copiedImagesResponse.parse(response.body);
    const copied = new Set(images.map(({ key }) => key));
    expect(failed.map(({ key }) => key)).toEqual(keys.filter((key) => !copied.has(key)));
    return images;
  };

  test('images of another project that the caller can see are copied only once, and those of the project itself are not copied', {
    tags: ['extended'],
  }, async () => {
    const { api } = team.editor;
    const source = await makeProject(api);
    const [one, two] = [
      await addImage(api, source, await picture(31)),
      await addImage(api, source, await picture(32)),
    ];
    const own = await addImage(api, projectId);
    const before = await counts();
    const first = await copiesOf(api, [one.id, two.path, own.id, own.path, 'images/none']);
    expect(first.map(({ key, width }) => [key, width])).toEqual([
      [one.id, 31],
      [two.path, 32],
      [own.id, own.width],
      [own.path, own.width],
    ]);
    expect(first.map(({ key, newKey }) => key === newKey)).toEqual([false, false, true, true]);
    expect((await fetch(first[0]?.url ?? '')).status).toBe(200);
    const again = await copiesOf(api, [one.path, two.id]);
    expect(new Set(again.map(({ newKey }) => newKey))).toEqual(new Set([first[0]?.newKey, first[1]?.newKey]));
    expect(await counts()).toEqual({ ...before, images: before.images + 2, objects: before.objects + 2 });
  });

  test('an image of a project that the caller cannot see is not copied', async () => {
    const foreign = await addImage(team.owner.api, await makeProject(team.owner.api));
    const before = await counts();
    expect(await copiesOf(team.editor.api, [foreign.id, foreign.path])).toEqual([]);
    for (const sign of ['/', '木', '"']) {
      const longest = Array.from({ length: 20 }, (_, index) => String(index).padEnd(500, sign));
      expect(await copiesOf(team.editor.api, longest)).toEqual([]);
    }
    expect(await counts()).toEqual(before);
    expect(await copiesOf(team.owner.api, [foreign.id])).toHaveLength(1);
  });

  test('images are copied even if others are damaged or deleted, and those are reported', {
    tags: ['extended'],
  }, async () => {
    const { api } = team.editor;
    const source = await makeProject(api);
    const [intact, damaged] = [await addImage(api, source), await addImage(api, source)];
    await replaceFile(damaged.path, textFile);
    const job = await startJob(api, { projectId: source, prompt: 'A lobby' });
    await waitForJob(api, job, 'succeeded');
    const [variant] = (await readChat(api, job)).variants;
    if (!variant) throw new Error('The job has no image.');
    await api(`/api/projects/${source}/gallery/delete`, { json: { imageIds: [variant.id] } });
    const response = await copy(api, [damaged.id, variant.path, intact.id]);
    expect(response.body).toMatchObject({
      images: [{ key: intact.id }],
      failed: [
        { key: damaged.id, reason: 'invalid_image' },
        { key: variant.path, reason: 'not_available' },
      ],
    });
    const upper = damaged.id.toUpperCase();
    expect((await copy(api, [upper])).body).toEqual({
      images: [],
      failed: [{ key: upper, reason: 'invalid_image' }],
    });

    // A page template keeps a deleted image available to people who can see the image's project.
    const frame = { id: 'f', type: 'image', x: 0, y: 0, w: 50, h: 50, path: variant.path };
    const content = { pages: [{ id: 'p', elements: [frame] }] };
    const saved = await api(`/api/projects/${source}/page-templates`, { json: { name: 'Board', content } });
    expect(saved.status, excerpt(saved)).toBe(201);
    const [kept] = await copiesOf(api, [variant.path]);
    expect((await fetch(kept?.url ?? '')).status).toBe(200);
    expect(await copiesOf(team.owner.api, [variant.path])).toEqual([]);
    const template = pageTemplate.parse(saved.body).id;
    await api(`/api/projects/${source}/page-templates/${template}`, { method: 'DELETE' });
    expect(await copiesOf(api, [variant.path])).toEqual([]);
  });

  test.each([[[]], [Array.from({ length: 21 }, () => randomUUID())], [['a'.repeat(501)]]])(
    'no images are copied for a list of keys that is not valid',
    async (keys) => {
      expectProblem(await refused(() => copy(team.editor.api, keys)), 'invalid_request');
    },
  );
});

describe('material images', () => {
  const take = (materialId: unknown, headers = {}) =>
    team.editor.api(`/api/projects/${projectId}/images/material`, { json: { materialId }, headers });

  test('the image of a material is stored once in a project, however often it is added', {
    tags: ['extended'],
  }, async () => {
    const before = await counts();
    const responses = await Promise.all(Array.from({ length: 4 }, () => take('ModernArmChair_01')));
    responses.push(await take('ModernArmChair_01'));
    const images = responses.map((response) => {
      expect(response.status, excerpt(response)).toBe(201);
      return projectImage.parse(response.body);
    });
    expect(new Set(images.map(({ id }) => id)).size).toBe(1);
    expect(await counts()).toEqual({ ...before, images: before.images + 1, objects: before.objects + 1 });
    // The image is large enough to print; a thumbnail would not be.
    expect(Math.max(images[0]?.width ?? 0, images[0]?.height ?? 0)).toBe(768);
    expect((await fetch(images[0]?.url ?? '')).status).toBe(200);
  });

  test("a material's image added again with its key stays the same, although the library now has a different image", {
    tags: ['extended'],
  }, async () => {
    const library = `${inject('atelier').env.MATLIB_URL}/control`;
    const repaint = (...ids: string[]) =>
      fetch(library, { method: 'PUT', body: JSON.stringify({ repainted: ids }) });
    const key = { 'idempotency-key': randomUUID() };
    const first = projectImage.parse((await take('Cabinet_02', key)).body);
    try {
      await repaint('Cabinet_02');
      const again = await take('Cabinet_02', key);
      expect(again.status, excerpt(again)).toBe(201);
      expect(projectImage.parse(again.body).id).toBe(first.id);
      expectProblem(await take('ModernArmChair_01', key), 'idempotency_mismatch');
      expect(projectImage.parse((await take('Cabinet_02')).body).id).not.toBe(first.id);
    } finally {
      await repaint();
    }
  });

  test("a material's image is returned again for its key while the library is unavailable", {
    tags: ['extended'],
  }, async () => {
    const library = `${inject('atelier').env.MATLIB_URL}/control`;
    const behave = (behavior: object) =>
      fetch(library, { method: 'PUT', body: JSON.stringify(behavior) }).then(({ status }) =>
        expect(status).toBe(200),
      );
    const key = { 'idempotency-key': randomUUID() };
    const first = projectImage.parse((await take('Cabinet_02', key)).body);
    try {
      await behave({ mode: 'down', on: ['image'] });
      expectProblem(await refused(() => take('Cabinet_02')), 'unavailable');
      const again = await refused(() => take('Cabinet_02', key));
      expect(again.status, excerpt(again)).toBe(201);
      expect({ ...projectImage.parse(again.body), url: null }).toEqual({ ...first, url: null });
      expectProblem(await refused(() => take('ModernArmChair_01', key)), 'idempotency_mismatch');
      // With an unused key, the app has to send a request to the library, which is unavailable.
      const unused = { 'idempotency-key': randomUUID() };
      expectProblem(await refused(() => take('Cabinet_02', unused)), 'unavailable');
    } finally {
      await behave({ mode: 'ok', on: ['list', 'info', 'files'] });
    }
  });

  test.each<[unknown, 'not_found' | 'invalid_request']>([
    ['no_such_material', 'not_found'],
    ['__proto__', 'not_found'],
    ['../../control', 'invalid_request'],
    ['http://127.0.0.1/', 'invalid_request'],
    [7, 'invalid_request'],
  ])('no image is added for the material id %j', async (materialId, code) => {
    expectProblem(await refused(() => take(materialId)), code);
  });
});
