import { describe, expect, test } from 'vitest';
import { imageRefusal } from '@/components/projects/use-image-uploads';
import { emptyJobDraft, payloadOf } from '@/components/studio/job-draft';
import { ownSettings, refineDraftOf } from '@/components/studio/refine-draft';
import {
  chainOf,
  comingImages,
  expectedImages,
  latestVariant,
  promptAndSeed,
  runsOf,
  usualDuration,
  variantFileName,
} from '@/components/studio/runs';
import { parseStudioUrl, studioHref } from '@/components/studio/studio-url';
import { withoutTypedAt } from '@/components/studio/use-material-dialog';
import {
  createJobBody,
  type ImageJob,
  type ImageMessage,
  type ImageStatus,
  type Variant,
} from '@/lib/image-gen/schema';

const P = 'b0000000-0000-4000-8000-000000000001';
const draftOf = (change: Partial<typeof emptyJobDraft>) => ({
  ...emptyJobDraft,
  prompt: 'A lobby',
  ...change,
});

const picked = (id: string) => ({ id, name: id, imageUrl: `https://x.test/${id}.png` });

describe('payloadOf', () => {
  test('a prompt alone makes a complete request', () => {
    expect(payloadOf(P, draftOf({ prompt: '  A lobby ' }), []).payload).toEqual({
      projectId: P,
      prompt: 'A lobby',
    });
  });

  test('a complete form makes a request that the route accepts', () => {
    const { payload } = payloadOf(
      P,
      draftOf({
        input: { id: null, path: 'projects/p/a.png', url: null, name: 'a' },
        size: 'custom',
        width: '768',
        height: '1024',
        count: '6',
        seed: '-3',
        safety: 'strict',
      }),
      [picked('oak'), { id: 'linen' }, { name: 'Brass' }],
    );
    expect(payload).toEqual({
      projectId: P,
      prompt: 'A lobby',
      inputImagePath: 'projects/p/a.png',
      materialIds: ['oak', 'linen'],
      materialPayload: [
        { id: 'oak', name: 'oak', imageUrl: 'https://x.test/oak.png' },
        { id: 'linen' },
        { name: 'Brass' },
      ],
      options: { size: '768x1024', count: 6, seed: -3, safety: 'strict' },
    });
    expect(createJobBody.safeParse(payload).success).toBe(true);
  });

  test('an uploaded image is sent by its id', () => {
    const input = { id: P, path: 'projects/p/a.png', url: null, name: 'a' };
    const { payload } = payloadOf(P, draftOf({ input }), []);
    expect(payload).toMatchObject({ inputImageId: P });
    expect(payload).not.toHaveProperty('inputImagePath');
  });

  test.each([
    ['an empty prompt', { prompt: ' \n' }, 'prompt'],
    ['a prompt that is too long', { prompt: 'x'.repeat(4001) }, 'prompt'],
    ['a width below the minimum', { size: 'custom', width: '15', height: '100' }, 'size'],
    ['a height above the maximum', { size: 'custom', width: '100', height: '16385' }, 'size'],
    ['a width in exponential notation', { size: 'custom', width: '1e3', height: '100' }, 'size'],
    ['a number of images above the maximum', { count: '9' }, 'count'],
    ['a seed that is not a number', { seed: '1.5.2' }, 'seed'],
    ['a seed out of range', { seed: '9007199254740992' }, 'seed'],
    ['a safety level that is too long', { safety: 'x'.repeat(65) }, 'safety'],
  ])('%s is reported at its field', (_, change, field) => {
    const { errors } = payloadOf(P, draftOf(change), []);
    expect(Object.keys(errors ?? {})).toEqual([field]);
  });

  test.each(['7', '-1.5', '1e-7'])('the seed %s is sent as the number that it is', (seed) => {
    const { payload } = payloadOf(P, draftOf({ seed }), []);
    expect(payload?.options).toEqual({ seed: Number(seed) });
  });

  test('a material beyond the limit is reported at the materials field', () => {
    const many = Array.from({ length: 33 }, (_, i) => picked(`oak-${i}`));
    const { errors } = payloadOf(P, draftOf({}), many);
    expect(Object.keys(errors ?? {})).toEqual(['materials']);
  });
});

describe('ownSettings', () => {
  const settings = {
    materialIds: ['oak', 'slate'],
    materialPayload: [{ id: 'oak', name: 'Oak' }, {}],
    options: { size: '1000x700', seed: 7 },
  };

  test('an unchanged form sends no settings, so the prompt uses those of the job', () => {
    expect(ownSettings(refineDraftOf(settings), settings)).toEqual({ own: {}, errors: null });
  });

  test('only settings that differ from those of the job are sent, and an emptied field is automatic again', () => {
    const draft = refineDraftOf(settings);
    const fewer = { ...draft, materials: draft.materials.slice(1) };
    expect(ownSettings(fewer, settings).own).toEqual({
      materialIds: ['slate'],
      materialPayload: [{ id: 'slate' }],
    });
    const unseeded = { ...draft, options: { ...draft.options, seed: ' ', count: '2' } };
    expect(ownSettings(unseeded, settings).own).toEqual({ options: { size: '1000x700', count: 2 } });
    expect(ownSettings({ ...draft, materials: [] }, settings).own).toEqual({
      materialIds: [],
      materialPayload: [],
    });
  });

  test('a prompt that refines an image sends the settings of the image if those of the job differ', () => {
    const other = { materialIds: ['slate'], materialPayload: [], options: {} };
    expect(ownSettings(refineDraftOf(other), settings).own).toEqual({
      materialIds: ['slate'],
      materialPayload: [{ id: 'slate' }],
      options: {},
    });
  });

  test('an invalid option is reported at its field', () => {
    const draft = refineDraftOf(settings);
    const wrong = { ...draft, options: { ...draft.options, width: '1', seed: 'x' } };
    expect(Object.keys(ownSettings(wrong, settings).errors ?? {})).toEqual(['size', 'seed']);
  });
});

test.each([
  ['', '@', 1, ''],
  ['oak ', 'oak @', 5, 'oak '],
  ['oak  floor', 'oak @ floor', 5, 'oak  floor'],
  ['oak', 'oak@', 4, null],
  ['@', '@o', 2, null],
  ['', 'a @', 3, null],
  ['a b', 'a b', 3, null],
])(
  'typing %j to %j with the caret at %i opens the materials if the rest is not null: %j',
  (before, now, caret, rest) => {
    expect(withoutTypedAt(before, now, caret)).toBe(rest);
  },
);

test.each([
  [{ name: 'a.png', type: 'image/png', size: 1 }, null],
  [{ name: 'a.png', type: 'image/png', size: 15 * 1024 * 1024 }, null],
  [{ name: 'a.svg', type: 'image/svg+xml', size: 1 }, null],
  [{ name: 'a.png', type: 'image/png', size: 0 }, 'a.png is empty (0 bytes).'],
  [{ name: 'a.gif', type: 'image/gif', size: 1 }, 'a.gif is not a PNG, JPEG, WebP or SVG image.'],
  [
    { name: 'a.png', type: 'image/png', size: 16 * 1024 * 1024 },
    'a.png has 16 MB; an image can have at most 15 MB.',
  ],
])('checking the image file %j returns %j', (file, message) => {
  expect(imageRefusal(file)).toBe(message);
});

const job = (status: ImageStatus, more: Partial<ImageJob> = {}) =>
  ({ status, run: 1, error: null, ...more }) as ImageJob;
const message = (run: number, more: Partial<ImageMessage> = {}) =>
  ({
    id: `m${run}`,
    ordinal: run,
    prompt: `Prompt ${run}`,
    run,
    status: 'succeeded',
    error: null,
    variantId: null,
    maskImageId: null,
    startedAt: null,
    finishedAt: null,
    ...more,
  }) as ImageMessage;
const variant = (variant_id: string, run: number, number = 1) =>
  ({ variant_id, number, run, path: `${run}/${variant_id}.png`, meta: { seed: 7 } }) as unknown as Variant;

describe('runsOf', () => {
  test('a prompt has the images of all its runs, and an image keeps its number when another is deleted', () => {
    const runs = runsOf(
      job('succeeded', { run: 3 }),
      [message(1), message(3, { variantId: 'b', ordinal: 2 })],
      [variant('a', 1), variant('b', 1, 2), variant('c', 2), variant('d', 3, 3)],
    );
    expect(runs.map((run) => run.variants.map(({ label }) => label))).toEqual([
      ['1.1', '1.2'],
      ['2.1', '2.3'],
    ]);
    expect(runs[1]?.source?.label).toBe('1.2');
    expect(latestVariant(runs)?.label).toBe('2.3');
  });

  test('the last prompts of a long conversation keep their numbers when earlier ones are not loaded', () => {
    const runs = runsOf(
      job('succeeded', { run: 71 }),
      [message(70, { ordinal: 41 }), message(71, { ordinal: 42, variantId: 'a' })],
      [variant('a', 69), variant('b', 70, 2), variant('c', 71)],
    );
    expect(runs.map(({ ordinal, variants }) => [ordinal, variants.map(({ label }) => label)])).toEqual([
      [41, ['41.1', '41.2']],
      [42, ['42.1']],
    ]);
    expect(runs[1]?.source?.label).toBe('41.1');
  });

  test('a repeated variant id refers to the latest image with that id before the prompt', () => {
    const runs = runsOf(
      job('succeeded', { run: 3 }),
      [message(1), message(2), message(3, { variantId: 'v1' })],
      [variant('v1', 1), variant('v1', 2), variant('v1', 3)],
    );
    expect(runs[2]?.source?.label).toBe('2.1');
  });

  test('a prompt has a source even if that image is deleted', () => {
    const [, refined] = runsOf(
      job('succeeded', { run: 2 }),
      [message(1), message(2, { variantId: 'gone' })],
      [variant('a', 1), variant('b', 2)],
    );
    expect(refined).toMatchObject({ source: null, hasSource: true });
  });

  test('the chain of an image has the images that it was refined from, even if other refinements came in between', () => {
    const runs = runsOf(
      job('succeeded', { run: 4 }),
      [
        message(1),
        message(2, { variantId: 'b' }),
        message(3, { variantId: 'a', maskImageId: 'm' }),
        message(4, { variantId: 'c' }),
      ],
      [variant('a', 1), variant('b', 1, 2), variant('c', 2), variant('d', 3), variant('e', 4)],
    );
    const chains = runs.map(({ variants }) => variants[0] && chainOf(variants[0], runs));
    expect(chains.map((chain) => chain?.map(({ label }) => label))).toEqual([
      ['1.1'],
      ['1.2', '2.1'],
      ['1.1', '3.1'],
      ['1.2', '2.1', '4.1'],
    ]);
    expect(runs.map(({ hasMask }) => hasMask)).toEqual([false, false, true, false]);
  });

  test('a prompt has its own materials and options, or those of the job', () => {
    const settings = { materialIds: ['oak'], materialPayload: [{ id: 'oak' }], options: { seed: 7 } };
    const own = { materialIds: [], materialPayload: [], options: { count: 2 } };
    const runs = runsOf(
      job('succeeded', { run: 3, ...settings }),
      [message(1), message(2, own), message(3, { options: {} })],
      [],
    );
    expect(runs.map((run) => run.settings)).toEqual([settings, own, { ...settings, options: {} }]);
  });

  test('the current run has the live status of the job, and earlier runs keep their own', () => {
    const runs = runsOf(
      job('failed', { run: 2, error: 'no color left' }),
      [message(1, { notes: ['No image came.'] }), message(2, { status: 'running' })],
      [],
    );
    expect(runs).toMatchObject([
      { status: 'succeeded', error: null, notes: ['No image came.'], isRead: true },
      { status: 'failed', error: 'no color left', isRead: false },
    ]);
  });

  test('the copied text and the download name are made from the prompt and seed', () => {
    const [run] = runsOf(
      job('succeeded'),
      [message(1, { prompt: 'Ein Café, très grand & hell!' })],
      [variant('a', 1)],
    );
    const shown = run?.variants[0];
    expect(shown && promptAndSeed(shown)).toBe('Ein Café, très grand & hell!\nSeed: 7');
    expect(shown && variantFileName(shown, 'image/png')).toBe('ein-cafe-tres-grand-hell-1.1.png');
  });
});

test('a run keeps its duration when the next run starts', () => {
  const ended = { startedAt: '2026-01-01T00:00:00.000Z', finishedAt: '2026-01-01T00:00:05.600Z' };
  const runs = runsOf(
    job('running', { run: 2, startedAt: '2026-01-01T00:01:00.000Z', finishedAt: null }),
    [message(1, ended), message(2, { startedAt: null, finishedAt: null })],
    [],
  );
  expect(runs.map(({ duration }) => duration)).toEqual([5600, null]);
});

describe('expectedImages', () => {
  const sized = (id: string, run: number, width: number, height: number) => ({
    ...variant(id, run),
    width,
    height,
  });

  test('the first run is expected to return four images of the chosen size', () => {
    const first = job('running', { options: { size: '1536x1024' } });
    expect(expectedImages(first, runsOf(first, [message(1)], []))).toEqual({ count: 4, aspect: 1.5 });
    const automatic = job('running', { options: {} });
    expect(expectedImages(automatic, runsOf(automatic, [message(1)], []))).toEqual({ count: 4, aspect: 1 });
  });

  test('a later run is expected to return as many images as the last run with images, with the same aspect ratio', () => {
    const third = job('running', { run: 3, options: { size: '1536x1024' } });
    const images = [sized('a', 1, 100, 200), sized('b', 1, 100, 200)];
    const runs = runsOf(third, [message(1), message(2), message(3)], images);
    expect(expectedImages(third, runs)).toEqual({ count: 2, aspect: 0.5 });
    const own = { options: { size: '2000x1000', count: 7 } };
    const resized = runsOf(third, [message(1), message(2), message(3, own)], images);
    expect(expectedImages(third, resized)).toEqual({ count: 7, aspect: 2 });
  });
});

test('the places of the expected images stay until the images of a finished run are read', () => {
  const four = Array.from({ length: 4 }, (_, i) => variant(`v${i}`, 1, i + 1));
  const running = message(1, { status: 'running' });
  const steps: [ImageJob, ImageMessage, Variant[]][] = [
    [job('running'), running, []],
    [job('running'), running, four.slice(0, 2)],
    // The news that the run succeeded arrives before its images.
    [job('succeeded'), running, four.slice(0, 2)],
    [job('succeeded'), message(1), four],
  ];
  const shown = steps.map(([job, message, variants]) => {
    const [run] = runsOf(job, [message], variants);
    return run && run.variants.length + comingImages(run, 4);
  });
  expect(shown).toEqual([4, 4, 4, 4]);
});

test('a run that ended has no places for images that will not come', () => {
  const coming = (status: ImageStatus, messageStatus = status) => {
    const [run] = runsOf(job(status), [message(1, { status: messageStatus })], [variant('a', 1)]);
    return run && comingImages(run, 4);
  };
  expect(coming('succeeded')).toBe(0);
  expect(coming('failed', 'running')).toBe(0);
  expect(coming('canceled', 'running')).toBe(0);
});

test('the usual duration is the median of the successful jobs', () => {
  const took = (seconds: number, status: ImageStatus = 'succeeded') =>
    job(status, {
      startedAt: '2026-01-01T00:00:00Z',
      finishedAt: new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString(),
    });
  expect(usualDuration([])).toBeNull();
  expect(usualDuration([took(5, 'failed'), job('succeeded')])).toBeNull();
  expect(usualDuration([took(9), took(1), took(5), took(500, 'failed')])).toBe(5000);
  expect(usualDuration([took(4), took(8)])).toBe(6000);
});

test('the state of the studio round-trips through its URL, and invalid parameters are ignored', () => {
  const address = { job: P, swap: null, status: 'failed' } as const;
  const href = studioHref(P, address);
  expect(parseStudioUrl(new URL(href, 'http://x').searchParams)).toEqual(address);
  const swap = { job: null, swap: P, status: null };
  expect(parseStudioUrl(new URL(studioHref(P, swap), 'http://x').searchParams)).toEqual(swap);
  expect(parseStudioUrl({ job: P, swap: P }).swap).toBeNull();
  expect(parseStudioUrl({ job: '../x', swap: '../x', status: ['nope', 'failed'] })).toEqual({
    job: null,
    swap: null,
    status: null,
  });
  expect(studioHref(P)).toBe(`/projects/${P}/studio`);
});
