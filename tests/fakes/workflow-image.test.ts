// @module-tag extended
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@/tests/app/support/poll';
import { startFakeApp } from '@/tests/fakes/workflow/fake-app';
import type { Output } from '@/tests/fakes/workflow/image-outputs';
import type { Mode } from '@/tests/fakes/workflow/modes';
import { type FakeWorkflow, startFakeWorkflow } from '@/tests/fakes/workflow/server';
import { type ImageTriggerChanges, signedImageTrigger } from '@/tests/fakes/workflow/signed-image-trigger';

const secrets = {
  signingSecret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  webhookSecret: 'the-spec-secret-of-the-tests',
  imageWebhookSecret: 'the-image-secret-of-the-tests',
};
const size = '96x64';

let app: Awaited<ReturnType<typeof startFakeApp>>;
let fake: FakeWorkflow;

beforeAll(async () => {
  app = await startFakeApp({
    signingSecret: secrets.signingSecret,
    webhookSecret: secrets.imageWebhookSecret,
  });
  fake = await startFakeWorkflow({ ...secrets, delayMs: 10, retryBaseMs: 5, port: 0 });
});

afterEach(async () => {
  await control('DELETE');
  for (const list of [app.callbacks, app.callbackStatuses, app.putStatuses, app.fetched]) list.length = 0;
  app.objects.clear();
});

afterAll(async () => {
  await fake.stop();
  await app.stop();
});

function control(method: string, body?: object) {
  return fetch(`${fake.url}/control`, { method, body: body && JSON.stringify(body) });
}

function makeTrigger({ data, ...changes }: ImageTriggerChanges = {}) {
  return signedImageTrigger(secrets.signingSecret, app.url, {
    ...changes,
    data: { options: { size, seed: 7 }, ...data },
  });
}

function post({ body, headers }: { body: string; headers: Record<string, string> }) {
  return fetch(fake.imageUrl, { method: 'POST', body, headers });
}

async function settled() {
  const underWay = async () => {
    const told = (await (await control('GET')).json()) as { counts: { underWay: number } };
    return told.counts.underWay;
  };
  await eventually(async () => expect(await underWay()).toBe(0));
}

type Result = {
  job_id: string;
  status: string;
  progress?: number;
  output_paths?: Output[];
  error?: string;
};

/** Sends a trigger, waits until the fake is idle, and returns what it reported and stored. */
async function run(changes: ImageTriggerChanges = {}, mode?: Mode) {
  if (mode) await control('PUT', { mode });
  const trigger = makeTrigger(changes);
  const { length } = app.callbacks;
  const response = await post(trigger);
  await settled();
  const sent = app.callbacks.slice(length);
  const results = sent.map(({ text }) => JSON.parse(text) as Result);
  const outputs = results[0]?.output_paths ?? [];
  return {
    trigger,
    response,
    sent,
    results,
    outputs,
    pictures: outputs.map(({ path }) => stored(path)),
  };
}

function stored(path: string): Buffer {
  return app.objects.get(path)?.bytes ?? Buffer.alloc(0);
}

/** Stores an image of a single color in the fake app's storage and returns the image as it appears in a trigger. */
async function storePicture(color: string, width = 300, height = 200) {
  const bytes = await sharp({ create: { width, height, channels: 3, background: color } })
    .png()
    .toBuffer();
  const path = `images/kept/${color.slice(1)}.png`;
  app.objects.set(path, { type: 'image/png', bytes });
  return { url: signedUrl(path), width, height };
}

function signedUrl(path: string): string {
  return `${app.url}/storage/v1/object/sign/${path}?token=signed`;
}

function makeSlot(path: string) {
  return { path, url: `${app.url}/storage/v1/object/upload/sign/${path}?token=signed` };
}

/** Returns the mean red, green and blue values, 0 to 255. */
async function meanColor(picture: Buffer): Promise<number[]> {
  const { channels } = await sharp(picture).removeAlpha().stats();
  return channels.map(({ mean }) => mean);
}

describe('valid image triggers', () => {
  test('an image trigger makes four images of the requested size, in slots, with one callback', async () => {
    const { trigger, response, sent, results, outputs, pictures } = await run();
    expect([response.status, await response.json()]).toEqual([202, { accepted: true, duplicate: false }]);
    expect(sent).toEqual([expect.objectContaining({ secret: secrets.imageWebhookSecret, run: '1' })]);
    expect(results[0]).toMatchObject({ job_id: trigger.jobId, status: 'succeeded' });
    const [first, second, third, fourth] = trigger.paths;
    const meta = (seed: number) => ({ seed, model: 'fake', prompt: 'a quiet lobby' });
    expect(outputs).toEqual([
      { variant_id: 'r1-v1', path: first, thumb_path: `${first}-thumb`, meta: meta(7) },
      { variant_id: 'r1-v2', path: second, thumb_path: `${second}-thumb`, meta: meta(8) },
      { variant_id: 'r1-v3', path: third, meta: meta(9) },
      { variant_id: 'r1-v4', path: fourth, meta: meta(10) },
    ]);
    const seen = await Promise.all(pictures.map((picture) => sharp(picture).metadata()));
    const kinds = seen.map(({ format, width, height }) => `${format} ${width}x${height}`);
    expect(kinds).toEqual(['png 96x64', 'jpeg 96x64', 'webp 96x64', 'jpeg 96x64']);
    const types = [...app.objects.values()].map(({ type }) => type);
    expect(types.toSorted()).toEqual([
      'image/jpeg',
      'image/jpeg',
      'image/png',
      'image/webp',
      'image/webp',
      'image/webp',
    ]);
    expect(new Set([...app.objects.values()].map(({ bytes }) => bytes.toString('hex'))).size).toBe(6);
  });

  test('an image trigger without a size makes images of 1024 x 1024, with thumbnails of 320', async () => {
    const { outputs, pictures } = await run({ data: { options: {} } });
    const sides = async (picture: Buffer) => {
      const { width, height } = await sharp(picture).metadata();
      return [width, height];
    };
    expect(await Promise.all(pictures.map(sides))).toEqual(Array(4).fill([1024, 1024]));
    expect(await sides(stored(outputs[0]?.thumb_path ?? ''))).toEqual([320, 320]);
  });

  test('images are stored one after another, and the callback is sent after the last', async () => {
    const trigger = makeTrigger();
    await control('PUT', { delayMs: 40 });
    await post(trigger);
    await settled();
    expect(app.callbacks.map(({ objects }) => objects)).toEqual([6]);
    const numbers = [...app.objects.keys()].map((path) => path.split('-').at(-1));
    expect(numbers).toEqual(['1', 'thumb', '2', 'thumb', '3', '4']);
  });

  test('a repeated image trigger is accepted again, and its images are drawn once', async () => {
    const trigger = makeTrigger();
    await post(trigger);
    expect(await (await post(trigger)).json()).toEqual({ accepted: true, duplicate: true });
    await settled();
    expect([app.callbacks.length, app.objects.size]).toEqual([1, 6]);
  });

  test('images are stored despite temporary storage failures, even when a failed try has stored the bytes', async () => {
    app.putStatuses.push(503, 200, 500);
    const { results, pictures } = await run();
    expect(results[0]?.status).toBe('succeeded');
    expect(pictures.every(({ length }) => length > 0)).toBe(true);
  });
});

describe('drawn images', () => {
  test('an image is the same for the same seed, prompt and parent, and differs otherwise', async () => {
    const parents = [await storePicture('#336699'), await storePicture('#993366')];
    const refined = (parent = parents[0]) => ({ variant: { ...parent, variant_id: 'r1-v2', run: 1 } });
    const bytes = async (data: Record<string, unknown>) => {
      const { pictures } = await run({ run: 2, data });
      return pictures.map((picture) => picture.toString('hex')).join();
    };
    const seeded = (seed: number) => ({ options: { size, seed } });
    const different = [
      await bytes({}),
      await bytes(seeded(8)),
      await bytes({ prompt: 'a loud bar' }),
      await bytes({ material_ids: ['oak_01'] }),
      await bytes({ material_ids: ['linen_02'] }),
      await bytes(refined()),
      await bytes(refined(parents[1])),
      await bytes({ input_image: { ...parents[0], id: null } }),
    ];
    expect(new Set(different).size).toBe(different.length);
    expect(await bytes({})).toBe(different[0]);
    expect(await bytes(refined())).toBe(different[5]);
  });

  test('images without a seed differ from run to run, and their meta has the seed that reproduces them', async () => {
    const unseeded = { data: { options: { size } } };
    const [first, second] = [await run(unseeded), await run(unseeded)];
    const seed = first.outputs[0]?.meta?.seed;
    expect(second.outputs[0]?.meta?.seed).not.toBe(seed);
    const again = await run({ data: { options: { size, seed } } });
    expect(again.pictures).toEqual(first.pictures);
  });

  test('a refinement shows the variant that it refines, lighter or darker as the prompt asks', async () => {
    const blue = { ...(await storePicture('#2040c0')), variant_id: 'r1-v1', run: 1 };
    const red = { ...(await storePicture('#c02020')), variant_id: 'r1-v2', run: 1 };
    const refine = async (variant: object, prompt: string) => {
      const { outputs, pictures } = await run({ run: 3, data: { variant, prompt } });
      expect(outputs.map(({ variant_id }) => variant_id)).toEqual(['r3-v1', 'r3-v2', 'r3-v3', 'r3-v4']);
      const [r = 0, g = 0, b = 0] = await meanColor(pictures[0] ?? Buffer.alloc(0));
      return { r, g, b, light: r + g + b };
    };
    const ofBlue = await refine(blue, 'warmer');
    const ofRed = await refine(red, 'warmer');
    expect(ofBlue.b).toBeGreaterThan(ofBlue.r);
    expect(ofRed.r).toBeGreaterThan(ofRed.b);
    expect((await refine(red, 'brighter')).light).toBeGreaterThan((await refine(red, 'darker')).light + 30);
  });

  test('a run draws as many images as requested, each in its own slot', async () => {
    for (const count of [1, 8]) {
      const slots = Array.from({ length: count }, (_, i) => makeSlot(`images/counted/${i + 1}`));
      const thumbnail_slots = slots.map(({ path }) => makeSlot(`${path}-thumb`));
      const { outputs, pictures } = await run({
        data: { options: { size, seed: 7, count } },
        upload: { prefix: 'images/counted/', slots, thumbnail_slots },
      });
      expect(outputs.map(({ meta }) => meta?.seed)).toEqual(Array.from({ length: count }, (_, i) => 7 + i));
      expect(new Set(pictures.map((picture) => picture.toString('hex'))).size).toBe(count);
      expect(app.objects.size).toBe(count + Math.min(count, 2));
      app.objects.clear();
    }
  });

  test('a refinement with a mask changes only the white area of the mask', async () => {
    const parent = { ...(await storePicture('#2040c0')), variant_id: 'r1-v1', run: 1 };
    const half = { left: 48, top: 0, width: 48, height: 64 };
    const white = {
      create: { width: half.width, height: half.height, channels: 3, background: '#fff' },
    } as const;
    const mask = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#000' } })
      .composite([{ input: white, left: half.left, top: half.top }])
      .png()
      .toBuffer();
    app.objects.set('images/kept/mask.png', { type: 'image/png', bytes: mask });
    const { pictures } = await run({
      run: 2,
      data: {
        variant: { ...parent, width: 96, height: 64 },
        mask: { id: randomUUID(), url: signedUrl('images/kept/mask.png'), width: 96, height: 64 },
      },
    });
    const colorsIn = async (left: number) => {
      const pixels = await sharp(pictures[0])
        .extract({ ...half, left })
        .removeAlpha()
        .raw()
        .toBuffer();
      return new Set(
        Array.from({ length: pixels.length / 3 }, (_, i) => pixels.toString('hex', i * 3, i * 3 + 3)),
      );
    };
    expect([...(await colorsIn(0))]).toEqual(['2040c0']);
    expect(await colorsIn(half.left)).not.toContain('2040c0');
  });

  test('an image shows the text of its prompt, in any script', async () => {
    const bands = new Set<string>();
    for (const prompt of ['oak', 'OAK?', '東京', '東西', '🛋️', 'a'.repeat(4000)]) {
      const { pictures } = await run({ data: { prompt } });
      const foot = sharp(pictures[0]).extract({ left: 0, top: 44, width: 96, height: 20 }).threshold(200);
      bands.add((await foot.raw().toBuffer()).toString('hex'));
    }
    expect(bands.size).toBe(6);
  });

  test('an image can have any size', async () => {
    const parent = { ...(await storePicture('#808080')), variant_id: 'r1-v1', run: 1 };
    for (const odd of ['16x16', '4096x16', '16x4096', '4096x4096']) {
      const { pictures } = await run({ data: { options: { size: odd }, variant: parent } });
      const { width, height } = await sharp(pictures[3]).metadata();
      expect(`${width}x${height}`).toBe(odd);
    }
  });
});

test('the image URL of a material is never fetched', async () => {
  const input_image = { ...(await storePicture('#ffcc00')), id: null };
  const imageUrl = `${app.url}/material.jpg`;
  const { results } = await run({
    data: { input_image, materials: [{ id: 'oak', imageUrl }, { imageUrl }] },
  });
  expect(results[0]?.status).toBe('succeeded');
  expect(app.fetched).toEqual([new URL(input_image.url).pathname.concat('?token=signed')]);
});

describe('refused image triggers', () => {
  test('an unsigned image trigger gets 401', async () => {
    const { body } = makeTrigger();
    expect((await post({ body, headers: {} })).status).toBe(401);
  });

  test.each<[string, ImageTriggerChanges]>([
    ['data.options.size', { data: { options: { size: '8x64' } } }],
    ['data.options.size', { data: { options: { size: 'large' } } }],
    ['data.prompt', { data: { prompt: '' } }],
    ['upload.slots', { upload: { slots: [] } }],
    ['upload.slots', { upload: { prefix: 'images/elsewhere/' } }],
    ['upload.prefix', { upload: { prefix: 'specs/' } }],
  ])('an image trigger with a wrong %s gets 400 with a message', async (field, changes) => {
    const response = await post(makeTrigger(changes));
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringContaining(field) });
  });

  test('an image trigger whose image cannot be fetched or read is reported as failed', async () => {
    const [gone, text] = ['gone.png', 'text.png'].map((name) => ({
      url: `${app.url}/storage/v1/object/sign/images/kept/${name}?token=signed`,
      width: 1,
      height: 1,
    }));
    app.objects.set('images/kept/text.png', { type: 'image/png', bytes: Buffer.from('no picture') });
    const parent = await run({ data: { variant: { ...gone, variant_id: 'r1-v1', run: 1 } } });
    expect(parent.results).toEqual([
      {
        job_id: parent.trigger.jobId,
        status: 'failed',
        error: 'the variant to refine could not be fetched (404)',
      },
    ]);
    const input = await run({ data: { input_image: { ...text, id: null } } });
    expect(input.results[0]?.error).toBe('the input image is not a picture that can be read');
  });

  test('an image trigger with a slot that refuses the upload is reported as failed', async () => {
    const { paths, prefix } = makeTrigger();
    const slots = paths.map((path) => ({ path, url: `${app.url}/storage/v1/object/upload/sign/${path}` }));
    const { results } = await run({ upload: { prefix, slots } });
    expect(results[0]?.error).toBe('a picture could not be stored (400)');
  });
});

describe('image modes', () => {
  test('the mode outside reports four paths outside the prefix', async () => {
    const { trigger, outputs } = await run({}, 'outside');
    const [up, encoded, beside, other] = outputs.map(({ path }) => path);
    expect(up).toBe(`${trigger.prefix}../1/1-1`);
    expect(encoded).toBe(`${trigger.prefix}%2e%2e/1/1-2`);
    expect(beside).toBe(trigger.prefix.replace(/1\/$/, '10/1-3'));
    expect(other).toMatch(/\/1\/1-4$/);
    for (const path of [beside, other]) expect(path?.startsWith(trigger.prefix)).toBe(false);
  });

  test('the mode text-as-png stores a text file, and huge-dimensions a tiny PNG that claims 30000 x 30000 pixels', async () => {
    const text = await run({}, 'text-as-png');
    await expect(sharp(text.pictures[0]).metadata()).rejects.toThrow();
    const huge = await run({}, 'huge-dimensions');
    expect(huge.pictures.every(({ length }) => length < 100)).toBe(true);
    const { format, width, height } = await sharp(huge.pictures[0], { limitInputPixels: false }).metadata();
    expect([format, width, height]).toEqual(['png', 30_000, 30_000]);
    for (const { trigger } of [text, huge]) {
      expect(trigger.paths.slice(0, 4).map((path) => app.objects.get(path)?.type)).toEqual(
        Array(4).fill('image/png'),
      );
    }
  });

  test.each<[Mode, number, number]>([
    ['no-outputs', 0, 0],
    ['missing-object', 4, 0],
    ['one-bad', 4, 3],
    ['hundred-outputs', 100, 100],
  ])('the mode %s reports %i outputs of which %i exist', async (mode, reported, there) => {
    const { results, outputs, pictures } = await run({}, mode);
    expect(results).toEqual([expect.objectContaining({ status: 'succeeded' })]);
    expect(new Set(outputs.map(({ variant_id }) => variant_id)).size).toBe(reported);
    expect(pictures.filter(({ length }) => length > 0)).toHaveLength(there);
  });

  test('the mode partial reports the progress and each image once it is stored, and all images at the end', async () => {
    const { results, sent } = await run({}, 'partial');
    const outputs = results.at(-1)?.output_paths ?? [];
    expect(outputs).toHaveLength(4);
    expect(results.map(({ status, progress }) => [status, progress])).toEqual([
      ['running', 0.25],
      ['running', 0.5],
      ['running', 0.75],
      ['succeeded', undefined],
    ]);
    expect(results.map(({ output_paths }) => output_paths)).toEqual([
      ...outputs.slice(0, 3).map((output) => [output]),
      outputs,
    ]);
    // Each of the first two variants comes with a thumbnail.
    expect(sent.map(({ objects }) => objects)).toEqual([2, 4, 5, 6]);
  });

  test('the mode paths reports outputs as their paths, and the mode no-ids reports them without ids', async () => {
    const paths = await run({}, 'paths');
    expect(paths.results[0]?.output_paths).toEqual(paths.trigger.paths.slice(0, 4));
    const noIds = await run({}, 'no-ids');
    expect(noIds.outputs.map(({ path }) => path)).toEqual(noIds.trigger.paths.slice(0, 4));
    expect(noIds.outputs.map((output) => 'variant_id' in output)).toEqual(Array(4).fill(false));
  });

  test.each<[Mode, (path: string) => string]>([
    ['slash-path', (path) => `/${path}`],
    ['no-bucket', (path) => path.slice('images/'.length)],
    ['reused-path', (path) => path.replace('/2/', '/1/')],
  ])('the mode %s reports its own form of the paths', async (mode, form) => {
    const { trigger, outputs } = await run({ run: 2 }, mode);
    expect(outputs.map(({ path }) => path)).toEqual(trigger.paths.map(form));
  });

  test('the mode one-by-one reports a success for each image, and same-id one id for all of them', async () => {
    const { results, trigger } = await run({}, 'one-by-one');
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('succeeded'));
    const paths = results.flatMap(({ output_paths }) => output_paths?.map(({ path }) => path));
    expect(paths.toSorted()).toEqual(trigger.paths);
    const same = await run({}, 'same-id');
    expect(same.outputs.map(({ variant_id }) => variant_id)).toEqual(Array(4).fill('v1'));
  });

  test.each<[Mode, string, string | undefined, string]>([
    ['octet-stream', 'application/octet-stream', 'png', 'jpeg'],
    ['no-type', 'undefined', 'png', 'jpeg'],
    ['gif', 'image/gif', 'gif', 'gif'],
    ['avif', 'image/avif', 'heif', 'heif'],
  ])('the mode %s puts files with the content type %s', async (mode, type, ...formats) => {
    const { trigger, pictures } = await run({}, mode);
    const types = trigger.paths.map((path) => app.objects.get(path)?.type);
    expect(types).toEqual(Array(4).fill(type));
    const read = await Promise.all(pictures.slice(0, 2).map((picture) => sharp(picture).metadata()));
    expect(read.map(({ format }) => format)).toEqual(formats);
  });

  test('the mode late-file puts the first image after the callback', async () => {
    const { sent, pictures } = await run({}, 'late-file');
    expect(sent.map(({ objects }) => objects)).toEqual([5]);
    expect(pictures.every(({ length }) => length > 0)).toBe(true);
  });

  test('the modes late-no-run and redelivered call back without a run once a later run is triggered', async () => {
    for (const [mode, atOnce, later] of [
      ['late-no-run', 0, 2],
      ['redelivered', 1, 3],
      ['fail-redelivered', 1, 2],
    ] as const) {
      await control('PUT', { mode });
      const jobId = randomUUID();
      await post(makeTrigger({ jobId }));
      await eventually(() => expect(app.callbacks).toHaveLength(atOnce));
      await control('PUT', { mode: mode === 'fail-redelivered' ? 'silent' : 'no-run' });
      await post(makeTrigger({ jobId, run: 2 }));
      await eventually(() => expect(app.callbacks).toHaveLength(later));
      expect(app.callbacks.map(({ run }) => run)).toEqual(Array(later).fill(null));
      await settled();
      app.callbacks.length = 0;
      app.objects.clear();
    }
  });

  test('the mode fail stops halfway and reports a reason', async () => {
    const { results } = await run({}, 'fail');
    expect(results).toEqual([expect.objectContaining({ status: 'failed', error: expect.any(String) })]);
    expect(app.objects.size).toBe(4);
  });

  test('the modes conflict, stale-run, wrong-secret and silent work as for specs', async () => {
    const conflict = await run({ run: 2 }, 'conflict');
    expect(conflict.results.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    const stale = await run({ run: 2 }, 'stale-run');
    expect(stale.sent.map((each) => each.run)).toEqual(['1', '2']);
    expect(stale.results.map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    const wrong = await run({}, 'wrong-secret');
    expect(wrong.sent.map(({ secret }) => secret)).not.toContain(secrets.imageWebhookSecret);
    expect((await run({}, 'silent')).sent).toEqual([]);
  });

  test('the mode fast calls back before its response, and the mode late after the deadline', async () => {
    await control('PUT', { mode: 'fast', delayMs: 60_000 });
    await post(makeTrigger());
    expect(app.callbacks).toHaveLength(1);
    await control('PUT', { delayMs: 10 });
    await run({ deadlineInMs: 10 }, 'late');
    expect(app.callbacks).toHaveLength(2);
  });
});

describe('the control of the fake for image jobs', () => {
  test('a tag in the prompt sets the mode', async () => {
    const { outputs } = await run({ data: { prompt: 'a lobby [no-outputs]' } });
    expect(outputs).toEqual([]);
    const failing = { data: { prompt: 'a lobby [fail-once]' } };
    expect((await run(failing)).results[0]?.status).toBe('failed');
    expect((await run({ ...failing, run: 2 })).results[0]?.status).toBe('succeeded');
  });

  test('a rule can apply to a single job', async () => {
    const chosen = makeTrigger();
    await control('PUT', { mode: 'refuse', match: { job_id: chosen.jobId } });
    expect([(await post(chosen)).status, (await post(makeTrigger())).status]).toEqual([422, 202]);
    await settled();
    const both = { spec_upload_id: chosen.jobId, job_id: chosen.jobId };
    expect((await control('PUT', { mode: 'ok', match: both })).status).toBe(400);
  });

  test('modes are picked by weight, and the same seed gives the same picks', async () => {
    const round = async () => {
      await control('PUT', { weights: { refuse: 1, silent: 1 }, seed: 5 });
      const statuses: number[] = [];
      for (let count = 0; count < 8; count += 1) statuses.push((await post(makeTrigger())).status);
      return statuses;
    };
    const first = await round();
    expect(new Set(first)).toEqual(new Set([202, 422]));
    expect(await round()).toEqual(first);
  });

  test('the control returns the events without secrets or signed URLs', async () => {
    const { trigger } = await run();
    const told = await (await control('GET')).text();
    expect(told).toContain(trigger.jobId);
    for (const secret of [...Object.values(secrets), 'token=', 'v1,']) expect(told).not.toContain(secret);
  });
});
