import { beforeAll, expect, inject, test } from 'vitest';
import { callbackResponse } from '@/lib/workflow/callback-schema';
import { type ApiResponse, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { readChat, readJob, reportImage, startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { putOutput } from '@/tests/app/support/pictures';
import { makeTeam, type Team } from '@/tests/app/support/team';

const { url, env } = inject('atelier');
const machine = apiAt(url);
let team: Team;
let projectId: string;

beforeAll(async () => {
  team = await makeTeam();
  ({ projectId } = team);
});

const start = () => startJob(team.editor.api, { projectId });
const put = (jobId: string, name = 'one.png') => putOutput({ projectId, jobId, run: 1, name });
const sendReport = (jobId: string, body: object): Promise<ApiResponse> =>
  reportImage(machine, env.IMAGE_WEBHOOK_SECRET, { job_id: jobId, ...body }, 1);

const NO_IMAGE = 'The image service reported success without an image.';

test.each([[undefined], [null], [''], [[]]])(
  'a success whose output_paths are %j succeeds without an image, and the response notes it',
  async (output_paths) => {
    const jobId = await start();
    const response = await sendReport(jobId, { status: 'succeeded', output_paths });
    expect(response.body).toEqual({ received: true, applied: true, status: 'succeeded', notes: [NO_IMAGE] });
    const { messages } = await readChat(team.viewer.api, jobId);
    expect(messages).toMatchObject([{ status: 'succeeded', error: null, notes: [NO_IMAGE] }]);
    const again = await sendReport(jobId, { status: 'succeeded', output_paths });
    expect(again.body).toEqual({ received: true, applied: false, status: 'succeeded', reason: 'duplicate' });
  },
);

test('misnamed fields of a report are taken as they are meant, and the response notes them', async () => {
  const jobId = await start();
  const path = await put(jobId);
  const headers = { 'x-webhook-secret': env.IMAGE_WEBHOOK_SECRET ?? '' };
  const output = { variantId: 'v1', Path: path, meta: { Seed: 7, variantId: 'free' }, colour: 'red' };
  const json = { jobId, Status: 'succeeded', outputPaths: [output], state: 'done' };
  // A slash after the URL makes no difference.
  const response = await machine('/api/image-gen/callback/?run=1', { json, headers });
  expect(response.body).toEqual({
    received: true,
    applied: true,
    status: 'succeeded',
    notes: [
      'jobId was taken as job_id.',
      'Status was taken as status.',
      'outputPaths was taken as output_paths.',
      'Image 1: variantId was taken as variant_id.',
      'Image 1: Path was taken as path.',
    ],
  });
  const { variants } = await readChat(team.viewer.api, jobId);
  expect(variants).toMatchObject([{ variant_id: 'v1', path, meta: output.meta }]);
});

test('a success without a usable output fails the job, and the response says why', async () => {
  const jobId = await start();
  const path = (await put(jobId)).replace('one.png', 'none.png');
  const response = await sendReport(jobId, {
    status: 'succeeded',
    output_paths: [{ variant_id: 'v1', path }],
  });
  const notes = ['Image 1 could not be read: the file does not exist.'];
  expect(response.body).toEqual({ received: true, applied: true, status: 'failed', notes });
  expect(await readJob(team.viewer.api, jobId)).toMatchObject({ status: 'failed', error: notes[0] });
});

test('a good output is kept even if others exceed their limits, and the response notes everything that was cut', async () => {
  const jobId = (await start()).toUpperCase();
  const path = await put(jobId.toLowerCase());
  const long = 'v'.repeat(300);
  const deep = Array.from({ length: 100 }).reduce<object>((inner) => ({ inner }), { seed: 7 });
  const output_paths = [
    { variant_id: 'v1', path, thumb_path: '', meta: { large: 'x'.repeat(20_000) } },
    { variant_id: 'v2', path: `${path}${'x'.repeat(2_000)}` },
    { variant_id: `${long}a`, path, thumb_path: 'x'.repeat(2_000), meta: null },
    { variant_id: `${long}b`, path, meta: deep },
  ];
  const response = await sendReport(jobId, { status: 'succeeded', output_paths, error: 'x'.repeat(700_000) });
  const notes = [
    'error was cut to 10,000 characters.',
    'The meta field of image 1 has more than 16 KiB and was left out.',
    'Image 2 could not be read: the path does not belong to this job.',
    'The variant_id of image 3 was shortened to 128 characters.',
    'The variant_id of image 4 was shortened to 128 characters.',
    'x'.repeat(500),
  ];
  expect(response.body).toEqual({ received: true, applied: true, status: 'succeeded', notes });
  const { messages, variants } = await readChat(team.viewer.api, jobId);
  expect(messages[0]?.notes).toEqual(notes);
  expect(variants.map(({ meta }) => meta)).toEqual([null, null, deep]);
  expect(new Set(variants.map(({ variant_id }) => variant_id)).size).toBe(3);
});

test('the first 32 outputs are used, and the response notes that the others are not', async () => {
  const jobId = await start();
  const path = await put(jobId);
  // Most outputs have a path outside the job, which is rejected without reading a file.
  const output_paths = Array.from({ length: 40 }, (_, i) => ({
    variant_id: `v${i + 1}`,
    path: i === 31 || i === 32 ? path : 'elsewhere.png',
  }));
  const response = await sendReport(jobId, { status: 'succeeded', output_paths });
  const { notes = [] } = callbackResponse.parse(response.body);
  expect(notes).toHaveLength(32);
  expect(notes.at(-1)).toBe('40 images were reported; the first 32 were used.');
  const { variants } = await readChat(team.viewer.api, jobId);
  expect(variants.map(({ variant_id }) => variant_id)).toEqual(['v32']);
});

test('reports on a run in progress show its progress and images, and the success can omit these images', async () => {
  const jobId = await start();
  const path = await put(jobId);
  const [two, three] = [await put(jobId, 'two.png'), await put(jobId, 'three.png')];
  const applied = { received: true, applied: true };
  const drawing = {
    status: 'running',
    progress: 0.4,
    note: ' Drawing\n',
    output_paths: [{ variant_id: 'v1', path }],
  };
  expect((await sendReport(jobId, drawing)).body).toEqual({ ...applied, status: 'running' });
  expect((await sendReport(jobId, drawing)).body).toEqual({ ...applied, status: 'running' });
  const job = await readJob(team.viewer.api, jobId);
  expect(job).toMatchObject({ status: 'running', progress: 0.4, note: 'Drawing', cover: { path } });
  expect(job.progressAt).not.toBeNull();
  const more = [
    { variant_id: 'v1', path },
    { variant_id: 'v2', path: two },
    { variant_id: 'v3', path: `${path}.none` },
  ];
  const notes = ['Image 3 could not be read: the file does not exist.'];
  const response = await sendReport(jobId, {
    status: 'running',
    progress: 0.2,
    note: 'Behind',
    output_paths: more,
  });
  expect(response.body).toEqual({ ...applied, status: 'running', notes });
  const chat = await readChat(team.viewer.api, jobId);
  expect(chat.variants.map(({ variant_id, path }) => [variant_id, path])).toEqual([
    ['v1', path],
    ['v2', two],
  ]);
  expect(await readJob(team.viewer.api, jobId)).toMatchObject({ progress: 0.4, note: 'Drawing' });
  const last = [
    { variant_id: 'v3', path: three },
    { variant_id: 'v2', path: three },
  ];
  const stands = ['Image 2 was already reported with another path, which is kept.'];
  const success = await sendReport(jobId, { status: 'succeeded', output_paths: last });
  expect(success.body).toEqual({ ...applied, status: 'succeeded', notes: stands });
  expect((await sendReport(jobId, drawing)).body).toEqual({
    received: true,
    applied: false,
    status: 'succeeded',
    reason: 'late',
  });
  const { messages, variants } = await readChat(team.viewer.api, jobId);
  expect(messages[0]?.notes).toEqual(stands);
  expect(variants.map(({ variant_id, path }) => [variant_id, path])).toEqual([
    ['v3', three],
    ['v2', two],
    ['v1', path],
  ]);
  expect(await readJob(team.viewer.api, jobId)).toMatchObject({ progress: null, note: null });
});

test('a success without outputs has the images that were reported before, and a failure keeps them', async () => {
  const [succeeding, failing] = [await start(), await start()];
  for (const jobId of [succeeding, failing]) {
    await sendReport(jobId, {
      status: 'running',
      output_paths: [{ variant_id: 'v1', path: await put(jobId) }],
    });
  }
  const success = await sendReport(succeeding, { status: 'succeeded' });
  expect(success.body).toEqual({ received: true, applied: true, status: 'succeeded' });
  const failure = await sendReport(failing, { status: 'failed', error: 'no light' });
  expect(failure.body).toEqual({
    received: true,
    applied: true,
    status: 'failed',
    notes: ['The image that was reported before is kept.'],
  });
  for (const jobId of [succeeding, failing]) {
    expect((await readChat(team.viewer.api, jobId)).variants).toHaveLength(1);
  }
});

test('a progress over 1 counts as a percentage in a report on a run in progress, and is ignored in a result', async () => {
  const jobId = await start();
  const percentage = await sendReport(jobId, { status: 'running', progress: 45 });
  expect(percentage.body).toMatchObject({ applied: true, notes: ['progress 45 was read as 45%.'] });
  expect(await readJob(team.viewer.api, jobId)).toMatchObject({ progress: 0.45 });
  const response = await sendReport(jobId, { status: 'failed', progress: 45, note: {} });
  expect(response.body).toMatchObject({ applied: true, status: 'failed' });
});

test('a workflow service that reports each image when it is ready, and all of them at the end, creates each image only once', async () => {
  const jobId = await startJob(team.editor.api, { projectId, prompt: 'A lobby [partial]' });
  await waitForJob(team.viewer.api, jobId, 'succeeded');
  const { variants } = await readChat(team.viewer.api, jobId);
  expect(variants.map(({ variant_id }) => variant_id)).toEqual(['r1-v1', 'r1-v2', 'r1-v3', 'r1-v4']);
});

test('the first 10,000 characters of an error are kept, however long it is', async () => {
  const jobId = await start();
  const response = await sendReport(jobId, {
    status: 'failed',
    error: '語'.repeat(200_000),
    output_paths: null,
  });
  const notes = ['error was cut to 10,000 characters.'];
  expect(response.body).toEqual({ received: true, applied: true, status: 'failed', notes });
  expect((await readJob(team.viewer.api, jobId)).error).toBe('語'.repeat(10_000));
});

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json', ''])(
  'a callback with the content type %j is read as JSON',
  async (type) => {
    const jobId = await start();
    const response = await machine('/api/image-gen/callback', {
      method: 'POST',
      body: Buffer.from(JSON.stringify({ job_id: jobId, status: 'failed', error: 'no light' })),
      headers: {
        'x-webhook-secret': env.IMAGE_WEBHOOK_SECRET ?? '',
        ...(type ? { 'content-type': type } : {}),
      },
    });
    expect(response.body, excerpt(response)).toEqual({ received: true, applied: true, status: 'failed' });
  },
);

/** Sends a body as it is, such as a form or a list, to the callback URL with this query. */
const sendRaw = (body: BodyInit, query = ''): Promise<ApiResponse> =>
  machine(`/api/image-gen/callback${query}`, {
    body,
    headers: { 'x-webhook-secret': env.IMAGE_WEBHOOK_SECRET ?? '' },
  });

test('outputs as paths in text, in a body in a list, with another word for success, are stored under numbers', async () => {
  const jobId = await start();
  const paths = [await put(jobId, 'one.png'), await put(jobId, 'two.png')];
  const body = {
    job_id: `=${jobId.toUpperCase()}`,
    status: 'Completed',
    output_paths: JSON.stringify(paths),
  };
  const response = await sendRaw(JSON.stringify([body]));
  const notes = paths.map((path, i) => `${path} is stored as v${i + 1}.`);
  expect(response.body).toEqual({ received: true, applied: true, status: 'succeeded', notes });
  const { variants } = await readChat(team.viewer.api, jobId);
  expect(variants.map(({ variant_id, path }) => [variant_id, path])).toEqual([
    ['v1', paths[0]],
    ['v2', paths[1]],
  ]);
});

test('outputs without ids are matched with stored ones by their path, and others get the next free number', async () => {
  const jobId = await start();
  const [one, two, three] = [await put(jobId), await put(jobId, 'two.png'), await put(jobId, 'three.png')];
  await sendReport(jobId, { status: 'running', output_paths: [{ path: one }, { variant_id: 3, path: two }] });
  const success = await sendReport(jobId, {
    status: 'done',
    output_paths: [{ path: three }, { path: two }, { path: one }, { file: 'x' }],
  });
  const notes = ['Image 4 could not be read: it has no path.'];
  const stored = `${three} is stored as v2.`;
  expect(success.body).toEqual({
    received: true,
    applied: true,
    status: 'succeeded',
    notes: [...notes, stored],
  });
  const { messages, variants } = await readChat(team.viewer.api, jobId);
  expect(messages[0]?.notes).toEqual(notes);
  expect(variants.map(({ variant_id, path }) => [variant_id, path])).toEqual([
    ['v2', three],
    ['3', two],
    ['v1', one],
  ]);
});

test('the meta of an output comes back as it was sent, and other values for it are left out with a note', async () => {
  const jobId = await start();
  const path = await put(jobId);
  const meta = {
    null: null,
    empty: '',
    nested: { list: [], object: {}, text: '', nulls: [null, ''] },
    '': 0,
  };
  const output_paths = [
    { variant_id: 'v1', path, meta },
    { variant_id: 'v2', path, meta: JSON.stringify(meta) },
    { variant_id: 'v3', path, meta: {} },
    { variant_id: 'v4', path, meta: 'seed 7' },
  ];
  const response = await sendReport(jobId, { status: 'succeeded', output_paths });
  expect(response.body).toMatchObject({ notes: ['Image 4: meta must be an object and was left out.'] });
  const { variants } = await readChat(team.viewer.api, jobId);
  expect(variants.map(({ meta }) => meta)).toEqual([meta, meta, {}, null]);
});

test.each<[string, string, string]>([
  ['an object', '{"error":{"message":"no light"}}', 'no light'],
  ['a list of an object, in data', '{"detail":[{"msg":"no light"},{"msg":"no size"}]}', 'no light; no size'],
  ['text with characters that cannot be stored', '"no\\u0000 light \\ud800"', 'no\ufffd light \ufffd'],
])('a failure whose error is %s ends the run with its words', async (_name, error, words) => {
  const jobId = await start();
  const response = await sendRaw(
    `{"data":{"job_id":"${jobId}","status":"FAILURE","error":${error}}}`,
    '?run=1',
  );
  expect(response.body).toEqual({ received: true, applied: true, status: 'failed' });
  expect(await readJob(team.viewer.api, jobId)).toMatchObject({ status: 'failed', error: words });
});

test('a success whose outputs are all unusable in form fails the job, and the job says why', async () => {
  const jobId = await start();
  const response = await sendReport(jobId, { status: 'succeeded', output_paths: [{ url: 'x' }, 7] });
  const notes = [
    'Image 1 could not be read: it has no path.',
    'Image 2 could not be read: the path does not belong to this job.',
  ];
  expect(response.body).toEqual({ received: true, applied: true, status: 'failed', notes });
  expect((await readJob(team.viewer.api, jobId)).error).toBe(notes.join(' '));
});

test('the callback URL of a trigger names the job, for a body that does not', async () => {
  const jobId = await start();
  const withoutId = { status: 'failed', error: 'no light' };
  expectProblem(await sendRaw(JSON.stringify(withoutId), '?run=1'), 'invalid_request');
  const response = await sendRaw(JSON.stringify(withoutId), `?run=1&job_id=${jobId}`);
  expect(response.body).toEqual({ received: true, applied: true, status: 'failed' });
});

test.each<[string, BodyInit, string]>([
  ['an encoded form', 'job_id=1b4e28ba&status=failed', 'The body is not valid JSON. It was sent as a form.'],
  ['no body', '', 'The body is empty.'],
  ['broken JSON', '{"job_id":', 'The body is not valid JSON.'],
  ['no id', '{"status":"failed"}', 'The body has no job_id.'],
  [
    'no status',
    '{"job_id":"1b4e28ba-2fa1-41d2-883f-0016d3cca427","error":{"message":"no light"}}',
    'The body has no status.',
  ],
  ['two bodies', '[{},{}]', 'The body must be an object, not a list of 2.'],
])('a callback with %s is refused, and the response says what was sent', async (_name, body, detail) => {
  const response = await sendRaw(body);
  expect(response.status).toBe(400);
  expect(response.body).toMatchObject({ detail });
});

test('a callback that is sent as a multipart form is refused, and the response says so', async () => {
  const form = new FormData();
  form.set('job_id', 'x');
  const { detail } = expectProblem(await sendRaw(form), 'invalid_json');
  expect(detail).toBe('The body is not valid JSON. It was sent as a form.');
});
