import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import type { WorkOutcome } from '@/lib/queue/work';
import type { N8nWorkflow } from '@/lib/workflow/kit/n8n';
import { kitFiles } from '@/lib/workflow/kit/schema';
import { eventsResponse } from '@/lib/workflow-events/schema';
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
  model = await startReceiver(async ({ path, body }, respond) => {
    const png = Buffer.from(await picture(96, 64));
    if (path === '/refused.png') return respond({ status: 403, body: '{"message":"The URL has expired."}' });
    if (path.endsWith('.png')) return respond({ status: 200, type: path.slice(1, -4), body: png });
    const { prompt, seed }: ModelRequest = JSON.parse(body.toString());
    const tries = modelRequests().filter(
      (request) => request.prompt === prompt && request.seed === seed,
    ).length;
    if (prompt.includes('no first picture') && seed === 0) return respond(violation);
    if (prompt.includes('first picture at the second try') && seed === 0 && tries === 1) {
      return respond({ status: 503, body: 'busy' });
    }
    respond(answers[prompt]?.(png) ?? { status: 200, type: 'image/png', body: png });
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

type Answer = { status: number; type?: string; body?: string | Buffer };
const violation: Answer = {
  status: 422,
  body: '{"error":{"message":"The prompt violates the content policy."}}',
};
const json = (value: unknown): Answer => ({ status: 200, body: JSON.stringify(value) });
const at = (path: string) => `${model.url}/${path}.png`;
/** What the model answers to a prompt. It answers others with a PNG file. */
const answers: Record<string, (png: Buffer) => Answer> = {
  'a url [silent]': () => json({ url: at('image/png') }),
  'an image_url [silent]': () => json({ image_url: { url: at('application/octet-stream') } }),
  'a list of URLs [silent]': () => json({ input: { url: 'https://a.example' }, output: [at('image/png')] }),
  'a URL in data [silent]': () => json({ data: [{ url: at('image/png') }] }),
  'base64 in data [silent]': (png) => json({ data: [{ b64_json: png.toString('base64') }] }),
  'base64 in images [silent]': (png) => json({ images: [png.toString('base64')] }),
  'a data URL [silent]': (png) => json({ image: `data:image/png;base64,${png.toString('base64')}` }),
  'another media type [silent]': (png) => ({ status: 200, type: 'application/octet-stream', body: png }),
  'image/jpg [silent]': (png) => ({ status: 200, type: 'image/jpg', body: png }),
  'JSON in a text [silent]': () => ({ ...json({ url: at('image/png') }), type: 'text/plain' }),
  'no media type [silent]': (png) => ({ status: 200, type: '', body: png }),
  'no picture [silent]': () => violation,
  'a list of details [silent]': () => ({
    status: 422,
    body: '{"detail":[{"loc":["body","size"],"msg":"Too large."},{"msg":"No seed."}]}',
  }),
  'a used up quota [silent]': () => ({ status: 429, body: '{"error":"The quota is used up."}' }),
  'a gateway page [silent]': () => ({ status: 502, type: 'text/html', body: '<html>Bad Gateway</html>' }),
  'a GIF [silent]': () => ({ status: 200, type: 'image/gif', body: 'GIF89a' }),
  'a GIF without a type [silent]': () => ({
    status: 200,
    type: 'application/octet-stream',
    body: 'GIF89a',
  }),
  'no image [silent]': () => json({ id: 7, images: [] }),
  'a reason with 200 [silent]': () => json({ status: 'failed', error: 'The prompt is empty.' }),
  'an expired URL [silent]': () => json({ url: at('refused') }),
  'a URL of a page [silent]': () => json({ url: at('text/html') }),
  'binary text [silent]': () => ({ status: 200, type: 'text/plain', body: Buffer.from([65, 0, 255]) }),
};

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
const modelRequests = (): ModelRequest[] =>
  model.received.flatMap(({ path, body }) => (path === '/' ? [JSON.parse(body.toString())] : []));

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

/** Returns the callbacks about a spec or a job that are no progress reports, newest first. */
async function resultsOf(id: string) {
  const { body } = await admin(`/api/admin/workflow/events?subject=${id}&direction=received`);
  return eventsResponse.parse(body).events.filter(({ status }) => status !== 'running');
}

test.each(kitFiles)('%s contains no secret', async (file) => {
  const text = JSON.stringify(await download(file));
  for (const [name, value] of Object.entries(env)) {
    if (/SECRET|KEY|TOKEN/.test(name)) expect(text).not.toContain(value);
  }
});

describe('the spec workflow', () => {
  /** The expression for the URL of the PDF. */
  const pdfUrl = "$('Trigger data').first().json.trigger.data.url";

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
    expect(await resultsOf(id)).toMatchObject([{ outcome: 'applied' }]);
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
    expect(await resultsOf(id)).toMatchObject([{ outcome: 'applied' }]);
  });

  test.each<[string, Change, RegExp]>([
    [
      'a missing PDF',
      (text) => text.replace(pdfUrl, (found) => `${found}.replace('token', 'none')`),
      /^The PDF could not be downloaded: .+/,
    ],
    [
      'a file that is no PDF',
      (text) => text.replace(pdfUrl, () => `'${url}/api/health'`),
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
      { status: 'error', node: 'Take the run', message: expect.stringMatching(/^401 - /) },
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
      2,
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
    const change: Change = (text) => text.replace('{{ $json.applied }}', '{{ true }}');
    const again = await imported('atelier-image.n8n.json', { change });
    await again.run({ headers, body }, () => undefined);
    expect(await resultsOf(id)).toMatchObject([{ outcome: 'duplicate', status: 'succeeded' }, {}]);
  });

  const startOne = (prompt: string) => startJob(admin, { projectId, prompt, options: { count: 1 } });
  const asksFor = (prompt: string) => modelRequests().filter((request) => request.prompt === prompt).length;

  test.each([
    'a url [silent]',
    'an image_url [silent]',
    'a list of URLs [silent]',
    'a URL in data [silent]',
    'base64 in data [silent]',
    'base64 in images [silent]',
    'a data URL [silent]',
    'another media type [silent]',
    'image/jpg [silent]',
    'JSON in a text [silent]',
    'no media type [silent]',
  ])(
    'the image workflow delivers the image of a model that answers with %s',
    {
      tags: ['extended'],
    },
    async (prompt) => {
      current = await imported('atelier-image.n8n.json');
      const id = await startOne(prompt);
      await sendImage(id);
      await waitForJob(admin, id, 'succeeded');
      expect((await readChat(admin, id)).variants).toMatchObject([{ variant_id: 'r1-v1', width: 96 }]);
      expect(asksFor(prompt)).toBe(1);
    },
  );

  test.each([
    ['no picture [silent]', 1, 'The prompt violates the content policy.'],
    ['a list of details [silent]', 1, 'Too large. No seed.'],
    ['a used up quota [silent]', 5, 'The quota is used up.'],
    ['a gateway page [silent]', 5, 'The image model answered HTTP 502.'],
    ['a GIF [silent]', 1, 'The image model returned image/gif instead of a PNG, JPEG or WebP file.'],
    [
      'a GIF without a type [silent]',
      1,
      'The image model returned image/gif instead of a PNG, JPEG or WebP file.',
    ],
    ['no image [silent]', 1, 'The image model returned no image.'],
    ['a reason with 200 [silent]', 1, 'The prompt is empty.'],
    ['an expired URL [silent]', 1, 'The URL has expired.'],
    ['a URL of a page [silent]', 1, 'The image model returned a URL without an image.'],
    ['binary text [silent]', 1, 'The image model returned no image.'],
  ])(
    "the image workflow with %s asks the model %i times and reports the model's reason",
    { tags: ['extended'] },
    async (prompt, asks, error) => {
      current = await imported('atelier-image.n8n.json');
      const id = await startOne(prompt);
      await sendImage(id);
      expect(await waitForJob(admin, id, 'failed')).toMatchObject({ error });
      expect(asksFor(prompt)).toBe(asks);
    },
  );

  test('of two triggers for a run that arrive at once, the image workflow processes one', async () => {
    const workflow = await imported('atelier-image.n8n.json');
    current = workflow;
    const prompt = 'a burst [silent]';
    const ids = await Promise.all(Array.from({ length: 5 }, () => startOne(prompt)));
    await Promise.all([...ids, ...ids].map((id) => sendImage(id)));
    for (const id of ids) await waitForJob(admin, id, 'succeeded');
    await service.settled();
    expect(asksFor(prompt)).toBe(ids.length);
    expect(workflow.executions).toEqual(Array(20).fill({ status: 'success' }));
  });

  test('the image workflow with progress reports each image as soon as it is stored', {
    tags: ['extended'],
  }, async () => {
    const bodies: unknown[] = [];
    const app = await startReceiver(async ({ path, body }, respond) => {
      if (path === '/callback') bodies.push(JSON.parse(body.toString()));
      respond({ status: 200, body: '{"applied":true}' });
    });
    const workflow = await imported('atelier-image-progress.n8n.json', {
      change: (text) =>
        text.replaceAll(
          /\$(?:\('Trigger data'\)[\w.()]+|json\.trigger)\.callback\.url/g,
          `'${app.url}/callback'`,
        ),
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
      { job_id, status: 'running', execution: expect.any(String) },
      { job_id, status: 'running', progress: 0.5, note: '1 of 2 images', output_paths: [first] },
      { job_id, status: 'running', progress: 1, note: '2 of 2 images', output_paths: [first, second] },
      { job_id, status: 'succeeded', output_paths: [first, second] },
    ]);
    expect(workflow.executions).toEqual([{ status: 'success' }, { status: 'success' }]);
  });
});
