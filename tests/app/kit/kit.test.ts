import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { dispatchImage } from '@/lib/image-gen/dispatch-image';
import { logger } from '@/lib/log/logger';
import type { WorkOutcome } from '@/lib/queue/work';
import { dispatchSpec } from '@/lib/specs/dispatch-spec';
import type { N8nWorkflow } from '@/lib/workflow/kit/n8n';
import { kitFiles } from '@/lib/workflow/kit/schema';
import { type Api, apiAt } from '@/tests/app/api';
import { makeProject } from '@/tests/app/crew';
import { readChat, startJob, waitForJob } from '@/tests/app/image-jobs';
import { type Credentials, n8nStandIn } from '@/tests/app/kit/n8n-stand-in';
import { startReceiver } from '@/tests/app/kit/trigger-receiver';
import { newAdmin } from '@/tests/app/people';
import { picture } from '@/tests/app/pictures';
import { upload, waitForStatus } from '@/tests/app/specs';
import { makePdf, makeProtectedPdf } from '@/tests/pdf/make-pdf';

const { url, env } = inject('atelier');
type Receiver = Awaited<ReturnType<typeof startReceiver>>;
/** The workflow that runs on the next trigger. */
let current: ReturnType<typeof n8nStandIn> | undefined;
let service: Receiver;
let model: Receiver;
let admin: Api;
let projectId: string;

beforeAll(async () => {
  service = await startReceiver(async (got, respond) => {
    await current?.run(got, (answer) => respond(answer));
  });
  model = await startReceiver(async (got, respond) => {
    const { prompt } = JSON.parse(got.body.toString());
    if (prompt.includes('no picture')) respond({ status: 500, body: '{}' });
    else respond({ status: 200, type: 'image/png', body: await picture(96, 64) });
  });
  // The product's own code sends the triggers, with the product's own settings but another URL.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  vi.stubEnv('SPEC_WORKFLOW_URL', service.url);
  vi.stubEnv('IMAGE_WORKFLOW_URL', service.url);
  vi.stubEnv('WORKFLOW_TOKEN', 'the-token-of-the-workflow');
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
  const answer = await apiAt(url)(`/api/workflow-kit/${file}`);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${file}"`);
  return answer.body as N8nWorkflow;
}

/** Downloads a workflow and sets what its note asks an importer to set. */
async function imported(file: (typeof kitFiles)[number], secret: string | undefined) {
  const text = JSON.stringify(await download(file));
  const set = text
    .replace('whsec_PUT_YOURS_HERE', env.WORKFLOW_SIGNING_SECRET ?? '')
    .replace('https://your-image-model.example.com/generate', model.url);
  const credentials: Credentials = {
    'Call back': ['x-webhook-secret', secret ?? ''],
    'Generate an image': ['authorization', 'Bearer of the model'],
  };
  return n8nStandIn(JSON.parse(set), credentials);
}

const item = (subjectId: string, attempt = 2) => ({
  id: 0,
  kind: '',
  subjectId,
  run: 1,
  attempt,
  leaseToken: '',
  requestId: null,
});
const never = new AbortController().signal;
const sendSpec = (id: string): Promise<WorkOutcome> => dispatchSpec(item(id), never, logger());
const sendImage = (id: string): Promise<WorkOutcome> => dispatchImage(item(id), never, logger());

describe.each(kitFiles)('%s', (file) => {
  test(`${file} has unique names, every connection leads from and to a node, and every node is reached`, async () => {
    const { nodes, connections } = await download(file);
    const names = nodes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(names.length);
    const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
    for (const name of [...Object.keys(connections), ...targets]) expect(names).toContain(name);
    expect([...targets, 'Trigger', 'Read me'].sort()).toEqual([...names].sort());
    // Every node that a step refers to exists, and no step contains a secret.
    const text = JSON.stringify(nodes);
    for (const [, name] of text.matchAll(/\$\('(.+?)'\)/g)) expect(names).toContain(name);
    for (const [name, value] of Object.entries(env)) {
      if (/SECRET|KEY/.test(name)) expect(text).not.toContain(value);
    }
  });

  test(`${file} requires the token`, async () => {
    const { nodes } = await download(file);
    expect(nodes.find(({ name }) => name === 'Trigger')?.parameters).toMatchObject({
      httpMethod: 'POST',
      authentication: 'headerAuth',
      options: { rawBody: true },
    });
  });
});

describe('the spec workflow', () => {
  test('the spec workflow accepts our trigger, counts the sections of the PDF and reports them', async () => {
    current = await imported('atelier-spec.n8n.json', env.WEBHOOK_SECRET);
    const file = await makePdf({ sections: 5 });
    const id = await upload(admin, { propertyName: '[silent]', file });
    expect(await sendSpec(id)).toMatchObject({ type: 'dispatched' });
    expect(service.received.at(-1)?.headers['x-workflow-token']).toBe('the-token-of-the-workflow');
    expect(await waitForStatus(admin, id, 'completed')).toMatchObject({ sectionsCount: 5 });
  });

  test('the spec workflow accepts a protected PDF, which the trigger marks as protected', async () => {
    current = await imported('atelier-spec.n8n.json', env.WEBHOOK_SECRET);
    const file = await makeProtectedPdf('AES-256', { sections: 3 });
    const id = await upload(admin, { propertyName: '[silent]', file });
    await sendSpec(id);
    const trigger = JSON.parse(String(service.received.at(-1)?.body));
    expect(trigger.data).toMatchObject({ spec_upload_id: id, is_protected: true });
    expect(await waitForStatus(admin, id, 'completed')).toMatchObject({ sectionsCount: 3 });
  });

  test('the spec workflow runs once for a repeated trigger', async () => {
    current = await imported('atelier-spec.n8n.json', env.WEBHOOK_SECRET);
    const id = await upload(admin, { propertyName: '[silent]' });
    await sendSpec(id);
    await waitForStatus(admin, id, 'completed');
    expect(await sendSpec(id)).toMatchObject({ type: 'dispatched' });
    await service.settled();
    const { body } = await admin(`/api/admin/workflow/events?subject=${id}&direction=received`);
    expect(body).toMatchObject({ events: [{ outcome: 'applied' }] });
  });

  test('the spec workflow reports a missing PDF as failed', async () => {
    const workflow = await download('atelier-spec.n8n.json');
    const broken = JSON.stringify(workflow)
      .replace('whsec_PUT_YOURS_HERE', env.WORKFLOW_SIGNING_SECRET ?? '')
      .replace('$json.trigger.data.url', "$json.trigger.data.url.replace('token', 'none')");
    current = n8nStandIn(JSON.parse(broken), { 'Call back': ['x-webhook-secret', env.WEBHOOK_SECRET ?? ''] });
    const id = await upload(admin, { propertyName: '[silent]' });
    await sendSpec(id);
    expect(await waitForStatus(admin, id, 'failed')).toMatchObject({
      error: 'The PDF could not be downloaded or read.',
    });
  });

  test('the spec workflow refuses a trigger that is forged, changed or replayed later', async () => {
    current = await imported('atelier-spec.n8n.json', env.WEBHOOK_SECRET);
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
      [{}, Buffer.from(body.toString().replace('Nordlys', 'Another'))],
    ];
    for (const [changed, bytes] of changes) {
      const answers: unknown[] = [];
      await current.run({ headers: { ...headers, ...changed }, body: bytes }, (answer) =>
        answers.push(answer),
      );
      expect(answers, JSON.stringify(changed)).toEqual([{ status: 401, body: '{"accepted":false}' }]);
    }
    // The unchanged trigger is accepted, as a repeat.
    const answers: unknown[] = [];
    await current.run({ headers, body }, (answer) => answers.push(answer));
    expect(answers).toEqual([{ status: 202, body: '{"accepted":true}' }]);
  });

  test('a spec workflow with a wrong secret is refused by the app', async () => {
    const id = await upload(admin, { propertyName: '[silent]' });
    current = await imported('atelier-spec.n8n.json', 'not-the-secret');
    await sendSpec(id);
    await service.settled();
    const { body } = await admin(`/api/admin/workflow/events?subject=${id}&direction=received`);
    expect(body).toMatchObject({ events: [] });
  });
});

describe('the image workflow', () => {
  test('the image workflow accepts our trigger, uploads two images into their slots and reports them', async () => {
    current = await imported('atelier-image.n8n.json', env.IMAGE_WEBHOOK_SECRET);
    const id = await startJob(admin, { projectId });
    expect(await sendImage(id)).toMatchObject({ type: 'dispatched' });
    await waitForJob(admin, id, 'succeeded');
    const { variants } = await readChat(admin, id);
    expect(variants).toMatchObject([
      { variant_id: 'r1-v1', width: 96, height: 64, meta: { seed: 0 } },
      { variant_id: 'r1-v2', width: 96, height: 64, meta: { seed: 1 } },
    ]);
    const asked = model.received.map(({ body }) => JSON.parse(body.toString()));
    expect(asked.at(-1)).toMatchObject({ prompt: 'A lobby [silent]', size: '64x64', image_url: null });
  });

  test('the image workflow reports a run without an image as failed', async () => {
    current = await imported('atelier-image.n8n.json', env.IMAGE_WEBHOOK_SECRET);
    const id = await startJob(admin, { projectId, prompt: 'no picture [silent]' });
    await sendImage(id);
    expect(await waitForJob(admin, id, 'failed')).toMatchObject({ error: 'No image could be generated.' });
  });
});
