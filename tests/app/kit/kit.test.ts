import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { WorkOutcome } from '@/lib/queue/work';
import type { N8nWorkflow } from '@/lib/workflow/kit/n8n';
import { kitFiles } from '@/lib/workflow/kit/schema';
import { type Credentials, fakeN8n } from '@/tests/app/kit/fake-n8n';
import { loadDispatchers } from '@/tests/app/kit/load-dispatchers';
import { startReceiver } from '@/tests/app/kit/trigger-receiver';
import { type Api, apiAt, excerpt } from '@/tests/app/support/api';
import { readChat, startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { newAdmin } from '@/tests/app/support/people';
import { addImage, picture } from '@/tests/app/support/pictures';
import { upload, waitForStatus } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { makePdf, makeProtectedPdf } from '@/tests/pdf/support/make-pdf';
import { onePage, rawPdf } from '@/tests/pdf/support/raw-pdf';

const { url, env } = inject('atelier');
type Receiver = Awaited<ReturnType<typeof startReceiver>>;
/** The workflow that runs on the next trigger. */
let current: ReturnType<typeof fakeN8n> | undefined;
let service: Receiver;
let model: Receiver;
let admin: Api;
let projectId: string;
let dispatchers: Awaited<ReturnType<typeof loadDispatchers>>;

beforeAll(async () => {
  service = await startReceiver(async (got, respond) => {
    await current?.run(got, (response) => respond(response));
  });
  model = await startReceiver(async (got, respond) => {
    const { prompt, seed } = JSON.parse(got.body.toString());
    const tries = modelRequests().filter(
      (request) => request.prompt === prompt && request.seed === seed,
    ).length;
    const fails =
      prompt.includes('no picture') ||
      (prompt.includes('no first picture') && seed === 0) ||
      (prompt.includes('first picture at the second try') && seed === 0 && tries === 1);
    const body = '{"error":{"message":"The prompt violates the content policy."}}';
    if (fails) respond({ status: 422, body });
    else respond({ status: 200, type: 'image/png', body: await picture(96, 64) });
  });
  // The product's own code sends the triggers. It uses the product's own settings except for the URLs and the token.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.stubEnv('SPEC_WORKFLOW_URL', service.url);
  vi.stubEnv('IMAGE_WORKFLOW_URL', service.url);
  vi.stubEnv('WORKFLOW_TOKEN', 'the-token-of-the-workflow');
  dispatchers = await loadDispatchers();
  admin = apiAt(url, (await newAdmin(env)).headers);
  projectId = await makeProject(admin);
});
afterEach(() => service.settled());
afterAll(async () => {
  await service.stop();
  await model.stop();
  vi.unstubAllEnvs();
});

async function download(file: (typeof kitFiles)[number]): Promise<N8nWorkflow> {
  const response = await apiAt(url)(`/api/workflow-kit/${file}`);
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${file}"`);
  return response.body as N8nWorkflow;
}

/**
 * Downloads a workflow, fills in the values that its note asks an importer to set, and applies `change` to its text.
 */
async function imported(
  file: (typeof kitFiles)[number],
  { credentials = {}, change = (text: string) => text }: { credentials?: Credentials; change?: Change } = {},
) {
  const text = JSON.stringify(await download(file));
  const set = text
    .replace('whsec_PUT_YOURS_HERE', env.WORKFLOW_SIGNING_SECRET ?? '')
    .replace('https://your-image-model.example.com/generate', model.url);
  return fakeN8n(JSON.parse(change(set)), {
    'Atelier trigger': ['x-workflow-token', 'the-token-of-the-workflow'],
    'Atelier spec callback': ['x-webhook-secret', env.WEBHOOK_SECRET ?? ''],
    'Atelier image callback': ['x-webhook-secret', env.IMAGE_WEBHOOK_SECRET ?? ''],
    'Image model': ['authorization', 'Bearer of the model'],
    ...credentials,
  });
}
type Change = (text: string) => string;
type ModelRequest = { prompt: string; seed: number; image_url: string | null; mask_url: string | null };
const modelRequests = (): ModelRequest[] => model.received.map(({ body }) => JSON.parse(body.toString()));

const item = (subjectId: string, run = 1) => ({
  id: 0,
  kind: '',
  subjectId,
  run,
  attempt: 2,
  leaseToken: '',
  requestId: null,
});
const never = new AbortController().signal;
const sendSpec = (id: string): Promise<WorkOutcome> =>
  dispatchers.dispatchSpec(item(id), never, dispatchers.logger());
const sendImage = (id: string, run = 1): Promise<WorkOutcome> =>
  dispatchers.dispatchImage(item(id, run), never, dispatchers.logger());

test.each(kitFiles)('%s contains no secret', async (file) => {
  const text = JSON.stringify(await download(file));
  for (const [name, value] of Object.entries(env)) {
    if (/SECRET|KEY|TOKEN/.test(name)) expect(text).not.toContain(value);
  }
});

describe('the spec workflow', () => {
  test('the spec workflow accepts our trigger, counts the sections of the PDF and reports them', async () => {
    current = await imported('atelier-spec.n8n.json');
    const file = await makePdf({ sections: 5 });
    const id = await upload(admin, { propertyName: '[silent]', file });
    expect(await sendSpec(id)).toMatchObject({ type: 'dispatched' });
    expect(service.received.at(-1)?.headers['x-workflow-token']).toBe('the-token-of-the-workflow');
    expect(await waitForStatus(admin, id, 'completed')).toMatchObject({ sectionsCount: 5 });
  });

  test('the spec workflow accepts a protected PDF, which the trigger marks as protected', {
    tags: ['extended'],
  }, async () => {
    current = await imported('atelier-spec.n8n.json');
    const file = await makeProtectedPdf('AES-256', { sections: 3 });
    const id = await upload(admin, { propertyName: '[silent]', file });
    await sendSpec(id);
    const trigger = JSON.parse(String(service.received.at(-1)?.body));
    expect(trigger.data).toMatchObject({ spec_upload_id: id, is_protected: true });
    expect(await waitForStatus(admin, id, 'completed')).toMatchObject({ sectionsCount: 3 });
  });

  test('the spec workflow runs once for a repeated trigger', { tags: ['extended'] }, async () => {
    current = await imported('atelier-spec.n8n.json');
    const id = await upload(admin, { propertyName: '[silent]' });
    await sendSpec(id);
    await waitForStatus(admin, id, 'completed');
    expect(await sendSpec(id)).toMatchObject({ type: 'dispatched' });
    await service.settled();
    const { body } = await admin(`/api/admin/workflow/events?subject=${id}&direction=received`);
    expect(body).toMatchObject({ events: [{ outcome: 'applied' }] });
  });

  test('the spec workflow runs once for a trigger that is repeated while the first is still being processed', {
    tags: ['extended'],
  }, async () => {
    const workflow = await imported('atelier-spec.n8n.json');
    current = workflow;
    const id = await upload(admin, { propertyName: '[silent]' });
    const before = workflow.executions.length;
    await Promise.all([sendSpec(id), sendSpec(id)]);
    await waitForStatus(admin, id, 'completed');
    await service.settled();
    // Each of the two triggers causes two executions. One responds. The other does the work or, for the repeated
    // trigger, ends early.
    expect(workflow.executions.slice(before)).toEqual(Array(4).fill({ status: 'success' }));
    const { body } = await admin(`/api/admin/workflow/events?subject=${id}&direction=received`);
    expect(body).toMatchObject({ events: [{ outcome: 'applied' }] });
  });

  test.each<[string, Change, RegExp]>([
    [
      'a missing PDF',
      (text) => text.replace('$json.trigger.data.url', "$json.trigger.data.url.replace('token', 'none')"),
      /^The PDF could not be downloaded: .+/,
    ],
    [
      'a file that is no PDF',
      (text) => text.replace('$json.trigger.data.url', `'${url}/api/health'`),
      /^The PDF could not be read: .+/,
    ],
  ])(
    'the spec workflow reports %s as failed, with the reason',
    { tags: ['extended'] },
    async (_, change, reason) => {
      current = await imported('atelier-spec.n8n.json', { change });
      const id = await upload(admin, { propertyName: '[silent]' });
      await sendSpec(id);
      expect((await waitForStatus(admin, id, 'failed')).error).toMatch(reason);
    },
  );

  test('the spec workflow reports a PDF without text as failed', { tags: ['extended'] }, async () => {
    current = await imported('atelier-spec.n8n.json');
    const id = await upload(admin, { propertyName: '[silent]', file: rawPdf({ objects: onePage }) });
    await sendSpec(id);
    expect(await waitForStatus(admin, id, 'failed')).toMatchObject({ error: 'The PDF has no text.' });
  });

  test('the spec workflow is never reached without the token', { tags: ['extended'] }, async () => {
    current = await imported('atelier-spec.n8n.json', {
      credentials: { 'Atelier trigger': ['x-workflow-token', 'another'] },
    });
    const id = await upload(admin, { propertyName: '[silent]' });
    expect(await sendSpec(id)).toMatchObject({ code: 'refused' });
    expect(current.executions).toEqual([]);
  });

  test('the spec workflow refuses a trigger that is forged, changed or replayed later', {
    tags: ['extended'],
  }, async () => {
    current = await imported('atelier-spec.n8n.json');
    const id = await upload(admin, { propertyName: '[silent]' });
    await sendSpec(id);
    await waitForStatus(admin, id, 'completed');
    const { headers, body } = service.received.at(-1) ?? { headers: {}, body: Buffer.of() };
    const old = String(Math.floor(Date.now() / 1000) - 301);
    const changes: [Record<string, string>, Buffer][] = [
      [{ 'webhook-id': 'spec_of_another' }, body],
      [{ 'webhook-timestamp': old }, body],
      [{ 'webhook-signature': 'v1,AAAA' }, body],
      [{ 'webhook-signature': '' }, body],
      [{}, Buffer.of()],
      [{ 'webhook-timestamp': 'now' }, body],
      [{}, Buffer.from(body.toString().replace('Nordlys', 'Another'))],
    ];
    for (const [changed, bytes] of changes) {
      const responses: unknown[] = [];
      await current.run({ headers: { ...headers, ...changed }, body: bytes }, (response) =>
        responses.push(response),
      );
      expect(responses, JSON.stringify(changed)).toEqual([{ status: 401, body: '{"accepted":false}' }]);
    }
    // The unchanged trigger is accepted again, although it is a repeat.
    const responses: unknown[] = [];
    await current.run({ headers, body }, (response) => responses.push(response));
    expect(responses).toEqual([{ status: 202, body: '{"accepted":true}' }]);
  });

  test('a spec workflow whose callback has a wrong secret ends with an error', {
    tags: ['extended'],
  }, async () => {
    const id = await upload(admin, { propertyName: '[silent]' });
    current = await imported('atelier-spec.n8n.json', {
      credentials: { 'Atelier spec callback': ['x-webhook-secret', 'not-the-secret'] },
    });
    await sendSpec(id);
    await service.settled();
    expect(current.executions).toEqual([
      { status: 'success' },
      { status: 'error', node: 'Call back', message: expect.stringMatching(/^401 - /) },
    ]);
    const { body } = await admin(`/api/admin/workflow/events?subject=${id}&direction=received`);
    expect(body).toMatchObject({ events: [] });
  });
});

describe('the image workflow', () => {
  test('the image workflow accepts our trigger, uploads two images into their slots and reports them', async () => {
    current = await imported('atelier-image.n8n.json');
    const id = await startJob(admin, { projectId, options: { size: '64x64', safety: 'strict' } });
    expect(await sendImage(id)).toMatchObject({ type: 'dispatched' });
    await waitForJob(admin, id, 'succeeded');
    const { variants } = await readChat(admin, id);
    expect(variants).toMatchObject([
      { variant_id: 'r1-v1', width: 96, height: 64, meta: { seed: 0 } },
      { variant_id: 'r1-v2', width: 96, height: 64, meta: { seed: 1 } },
    ]);
    expect(modelRequests().at(-1)).toMatchObject({
      prompt: 'A lobby [silent]',
      size: '64x64',
      safety: 'strict',
      messages: [{ run: 1, prompt: 'A lobby [silent]', variant_id: null }],
      image_url: null,
      mask_url: null,
    });
  });

  test('the image workflow makes as many images as requested, and passes on the mask of a refinement', {
    tags: ['extended'],
  }, async () => {
    current = await imported('atelier-image.n8n.json');
    const id = await startJob(admin, { projectId, options: { size: '96x64', count: 3 } });
    await sendImage(id);
    await waitForJob(admin, id, 'succeeded');
    const [variant] = (await readChat(admin, id)).variants;
    const mask = await addImage(admin, projectId, await picture(96, 64));
    const options = { size: '96x64', count: 1 };
    const json = { jobId: id, prompt: 'Warmer [silent]', variantId: variant?.variant_id, options };
    const response = await admin('/api/image-gen/messages', { json: { ...json, maskImageId: mask.id } });
    expect(response.status, excerpt(response)).toBe(202);
    await sendImage(id, 2);
    await waitForJob(admin, id, 'succeeded');
    const { variants } = await readChat(admin, id);
    expect(variants.map(({ variant_id }) => variant_id)).toEqual(['r1-v1', 'r1-v2', 'r1-v3', 'r2-v1']);
    expect(modelRequests().at(-1)).toMatchObject({
      image_url: expect.stringContaining(`${id}/1/`),
      mask_url: expect.stringContaining(mask.id),
    });
  });

  test.each([
    [
      'no first picture',
      ['r1-v2'],
      6,
      ['1 of 2 images could not be made: The prompt violates the content policy.'],
    ],
    ['first picture at the second try', ['r1-v1', 'r1-v2'], 3, []],
  ])(
    'the image workflow with %s delivers %j after asking the model %i times',
    { tags: ['extended'] },
    async (prompt, ids, asks, notes) => {
      current = await imported('atelier-image.n8n.json');
      const id = await startJob(admin, { projectId, prompt: `${prompt} [silent]` });
      await sendImage(id);
      await waitForJob(admin, id, 'succeeded');
      const { messages, variants } = await readChat(admin, id);
      expect(variants.map(({ variant_id }) => variant_id)).toEqual(ids);
      expect(messages).toMatchObject([{ notes }]);
      expect(modelRequests().filter((request) => request.prompt === `${prompt} [silent]`)).toHaveLength(asks);
    },
  );

  test('the image workflow counts an image as uploaded when only the response to its upload was lost', {
    tags: ['extended'],
  }, async () => {
    current = await imported('atelier-image.n8n.json');
    const id = await startJob(admin, { projectId });
    await sendImage(id);
    await waitForJob(admin, id, 'succeeded');
    // Use the same slots again. Every upload is now refused, because its slot is full.
    const { headers, body } = service.received.at(-1) ?? { headers: {}, body: Buffer.of() };
    const again = await imported('atelier-image.n8n.json');
    await again.run({ headers, body }, () => undefined);
    const { body: page } = await admin(`/api/admin/workflow/events?subject=${id}&direction=received`);
    expect(page).toMatchObject({ events: [{ outcome: 'duplicate', status: 'succeeded' }, {}] });
  });

  test("the image workflow reports a run without an image as failed, with the model's reason", {
    tags: ['extended'],
  }, async () => {
    current = await imported('atelier-image.n8n.json');
    const id = await startJob(admin, { projectId, prompt: 'no picture [silent]' });
    await sendImage(id);
    expect(await waitForJob(admin, id, 'failed')).toMatchObject({
      error: 'The prompt violates the content policy.',
    });
  });

  test('the image workflow with progress reports each image as soon as it is stored', {
    tags: ['extended'],
  }, async () => {
    const bodies: unknown[] = [];
    const app = await startReceiver(async ({ path, body }, respond) => {
      if (path === '/callback') bodies.push(JSON.parse(body.toString()));
      respond({ status: 200, body: '{}' });
    });
    const workflow = await imported('atelier-image-progress.n8n.json', {
      change: (text) =>
        text.replaceAll(/\$\('Trigger data'\)[\w.()]+\.callback\.url/g, `'${app.url}/callback'`),
    });
    current = workflow;
    const id = await startJob(admin, { projectId });
    await sendImage(id);
    await service.settled();
    await app.stop();
    const [first, second] = [1, 2].map((i) => ({
      variant_id: `r1-v${i}`,
      path: expect.stringContaining(`${id}/1/2-${i}`),
      meta: { seed: i - 1 },
    }));
    const job_id = id;
    expect(bodies).toEqual([
      { job_id, status: 'running', progress: 0.5, note: '1 of 2 images', output_paths: [first] },
      { job_id, status: 'running', progress: 1, note: '2 of 2 images', output_paths: [first, second] },
      { job_id, status: 'succeeded', output_paths: [first, second] },
    ]);
    expect(workflow.executions).toEqual([{ status: 'success' }, { status: 'success' }]);
  });
});
