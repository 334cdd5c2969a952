import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportStartedResponse } from '@/lib/export/schema';
import { jobStartedResponse } from '@/lib/image-gen/schema';
import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { projectImage } from '@/lib/projects/schema';
import { createdShareLink } from '@/lib/share-links/schema';
import { uploadResponse } from '@/lib/specs/schema';
import { callbackTested } from '@/lib/workflow-events/testing/schema';
import { type Api, apiAt, expectProblem } from '@/tests/app/support/api';
import { exported, onePage, sendExport, waitForExport } from '@/tests/app/support/exports';
import { readChat, refine, reportImage, sendJob, startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { newAdmin, type Person, signInWithCookies } from '@/tests/app/support/people';
import { picture, sendImage } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { readSpec, sendUpload, upload, waitForStatus } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { freePorts } from '@/tests/setup/free-ports';
import { speedUpWorkflow } from '@/tests/setup/speed-up-workflow';
import { makePrintingDataDir } from '@/tests/setup/temporary-dir';
import { collectLog } from '@/tests/start/support/log-lines';
import { startReceiver } from '@/tests/start/support/telemetry-receiver';

// The tests of telemetry and of the log share one product. Those of telemetry come first, because they expect the first
// spans of each kind.
const log = collectLog();
let folder: Awaited<ReturnType<typeof makePrintingDataDir>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let atelier: Atelier;
let person: Person;
let api: Api;
let projectId: string;

beforeAll(async () => {
  folder = await makePrintingDataDir();
  receiver = await startReceiver();
  atelier = await startAtelier({
    ...(await freePorts()),
    dataDir: folder.path,
    distDir: process.env.ATELIER_DIST_DIR || '.next',
    env: {
      ATELIER_LOCAL_FSYNC: 'off',
      LOG_LEVEL: 'trace',
      WORKFLOW_TOKEN: 'a-token-for-the-workflow',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_SERVICE_NAME: 'atelier-in-a-test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
    },
    log: log.add,
  });
  await speedUpWorkflow(atelier.env);
  person = await newAdmin(atelier.env);
  api = apiAt(atelier.url, person.headers);
  projectId = await makeProject(api);
});

afterAll(async () => {
  await atelier?.stop();
  await receiver?.stop();
  await folder?.remove();
});

const spanOf = (name: string, attributes: Record<string, unknown>) =>
  poll(`a span ${name} of ${JSON.stringify(attributes)}`, async () =>
    receiver.spans.find(
      (span) =>
        span.name === name &&
        Object.entries(attributes).every(([key, value]) => span.attributes[key] === value),
    ),
  );

test('a request, its work item, the dispatch and the callback have linked spans', async () => {
  const requestId = 'traced-upload-0001';
  const sent = await sendUpload(api, {}, { 'x-request-id': requestId });
  const { specUploadId: subjectId } = uploadResponse.parse(sent.body);
  await waitForStatus(api, subjectId, 'completed');
  const request = await spanOf('request', { requestId });
  expect(request.attributes).toEqual({
    method: 'POST',
    route: '/api/admin/specs/upload',
    status: 202,
    requestId,
  });
  const work = await spanOf('work', { requestId });
  expect(work.attributes).toMatchObject({ kind: 'spec_dispatch', subjectId, outcome: 'dispatched' });
  const dispatch = await spanOf('dispatch', { trigger: `spec_${subjectId}_1` });
  expect(dispatch).toMatchObject({ traceId: work.traceId, parentSpanId: work.spanId });
  const callback = await spanOf('callback', { subjectId });
  expect(callback.attributes).toMatchObject({ source: 'spec', outcome: 'applied' });
  const asked = await spanOf('request', { route: '/api/admin/specs/callback' });
  expect(callback).toMatchObject({ traceId: asked.traceId, parentSpanId: asked.spanId });
  expect((await spanOf('request', { route: '/api/admin/specs/{id}' })).attributes.status).toBe(200);
});

test('an export is a span of its work item, and a failed span is marked', async () => {
  await exported(api, { projectId, pages: [onePage()] });
  const work = await spanOf('work', { kind: 'pdf_export' });
  const printing = await spanOf('export', {});
  expect(printing).toMatchObject({ traceId: work.traceId, parentSpanId: work.spanId });
  const jobId = await startJob(api, { projectId, prompt: 'A lobby [refuse]' });
  await waitForJob(api, jobId, 'failed');
  const refused = await spanOf('dispatch', { trigger: `image_${jobId}_1` });
  expect(refused).toMatchObject({ attributes: { outcome: 'refused' }, status: { code: 2 } });
});

test('durations, outcomes and waiting work are reported as metrics', async () => {
  await upload(api, { propertyName: '[unavailable]' });
  const gauge = await poll('the depth of the queue', async () => {
    const found = receiver.metric('atelier.queue.pending');
    return found?.gauge?.dataPoints.some((point) => point.attributes.kind === 'spec_dispatch') && found;
  });
  expect(gauge.unit).toBe('{item}');
  expect(receiver.metric('atelier.queue.oldest_due')?.unit).toBe('s');
  for (const [name, labels] of [
    ['request', { method: 'POST', route: '/api/admin/specs/upload', status: '202' }],
    ['work', { kind: 'spec_dispatch', outcome: 'dispatched' }],
    ['dispatch', { type: 'image.generate', outcome: 'refused' }],
    ['callback', { source: 'spec', outcome: 'applied' }],
    ['export', {}],
  ] as const) {
    await poll(`the count of ${name}`, async () =>
      receiver
        .metric(`atelier.${name}.duration`)
        ?.histogram?.dataPoints.some(
          ({ attributes, count = 0 }) =>
            count > 0 && Object.entries(labels).every(([key, value]) => String(attributes[key]) === value),
        ),
    );
  }
  // Metrics must not contain ids, because every label value would be stored forever.
  const counted = receiver.metric('atelier.request.duration')?.histogram?.dataPoints ?? [];
  expect(JSON.stringify(counted)).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});

test('the remaining telemetry is sent when the process ends, without secrets and well formed', async () => {
  const id = await upload(api);
  const { url } = await readSpec(api, id);
  const last = 'traced-at-the-end';
  await apiAt(atelier.url, { 'x-request-id': last })('/api/health');
  await atelier.restartApp();
  expect(receiver.spans.some((span) => span.attributes.requestId === last)).toBe(true);
  expect(receiver.problems).toEqual([]);
  expect([...receiver.services]).toEqual(['atelier-in-a-test']);
  const raw = receiver.raw();
  const { env } = atelier;
  for (const name of Object.keys(env).filter((each) => /SECRET|KEY|TOKEN/.test(each))) {
    expect(raw.includes(env[name] ?? ''), name).toBe(false);
  }
  expect(raw).not.toContain(new URL(url ?? '').searchParams.get('token'));
  expect(raw).not.toMatch(/eyJ[\w-]{10,}\.|\/object\/sign\//);
});

const named = (id: string) => ({ 'x-request-id': id });
/**
 * Waits for a log line with these values and returns it. Waiting is necessary because log lines come through a pipe, so
 * the line of a request may arrive after the response.
 */
const lineOf = (values: Record<string, unknown>) =>
  poll(`a line with ${JSON.stringify(values)}`, async () => log.having(values)[0]);

test('the id of an upload request is in the log lines of the request, its dispatch and its callback', async () => {
  const requestId = 'follow-upload-0001';
  const { specUploadId: subjectId } = uploadResponse.parse(
    (await sendUpload(api, {}, named(requestId))).body,
  );
  await waitForStatus(api, subjectId, 'completed');
  expect(await lineOf({ requestId, msg: 'request' })).toMatchObject({ method: 'POST', status: 202 });
  expect(await lineOf({ requestId, msg: 'work' })).toMatchObject({
    kind: 'spec_dispatch',
    subjectId,
    run: 1,
    attempt: 1,
    outcome: 'dispatched',
  });
  const callback = await lineOf({ orderedBy: requestId, msg: 'callback' });
  expect(callback).toMatchObject({ subjectId, run: 1, status: 'completed', outcome: 'applied' });
  // The callback is a separate request with its own id.
  expect(await lineOf({ requestId: callback.requestId, msg: 'request' })).toMatchObject({
    path: '/api/admin/specs/callback',
    status: 200,
  });
});

test('the ids of requests are in the log lines of each run of an image job, and of an export', async () => {
  const image = projectImage.parse((await sendImage(api, projectId, await picture())).body);
  const payload = { projectId, prompt: 'A lobby', inputImageId: image.id };
  const { jobId } = jobStartedResponse.parse((await sendJob(api, payload, named('follow-image-0001'))).body);
  await waitForJob(api, jobId, 'succeeded');
  await refine(apiAt(atelier.url, { ...person.headers, ...named('follow-image-0002') }), jobId, 'Warmer');
  await waitForJob(api, jobId, 'succeeded');
  for (const run of [1, 2]) {
    const id = `follow-image-000${run}`;
    expect(await lineOf({ requestId: id, msg: 'work' })).toMatchObject({ subjectId: jobId, run });
    expect(await lineOf({ orderedBy: id, msg: 'callback' })).toMatchObject({ subjectId: jobId, run });
  }
  const sent = await sendExport(api, { projectId, pages: [onePage()] }, named('follow-export-0001'));
  const exported = await waitForExport(api, exportStartedResponse.parse(sent.body).jobId);
  expect(exported.job.status).toBe('completed');
  expect(await lineOf({ requestId: 'follow-export-0001', msg: 'work' })).toMatchObject({
    kind: 'pdf_export',
    subjectId: exported.job.jobId,
    outcome: 'closed',
  });
});

test('the log marks the callback of a workflow test as a test, and a callback with an unknown id as not found', async () => {
  const response = await api('/api/admin/workflow/test-callback', { json: { kind: 'spec' } });
  const { id } = callbackTested.parse(response.body);
  expect(await lineOf({ subjectId: id, msg: 'callback' })).toMatchObject({ outcome: 'test' });
  const unknown = randomUUID();
  const secret = atelier.env.IMAGE_WEBHOOK_SECRET;
  expectProblem(await reportImage(api, secret, { job_id: unknown, status: 'failed' }), 'not_found');
  expect(await lineOf({ subjectId: unknown, msg: 'callback' })).toMatchObject({ outcome: 'not_found' });
});

test('the log contains no secret, token or signed URL', async () => {
  const { jobId } = jobStartedResponse.parse((await sendJob(api, { projectId, prompt: 'x [fail]' })).body);
  await waitForJob(api, jobId, 'failed');
  const wrong = 'a-secret-that-is-not-the-right-one';
  expectProblem(await reportImage(api, wrong, { job_id: jobId, status: 'failed' }), 'invalid_secret');
  const { cookie } = await signInWithCookies(atelier.env, person.email);
  await fetch(`${atelier.url}/projects/${projectId}/studio`, { headers: { cookie } });
  // If the backend does not respond, the error that the app logs comes from a dependency and may contain secrets.
  atelier.processes.backend?.kill('SIGSTOP');
  const away = await api('/api/admin/specs');
  atelier.processes.backend?.kill('SIGCONT');
  expectProblem(away, 'unavailable');
  // An unavailable service is not the app's fault, so the error is logged with a reason but without a stack trace.
  expect(await lineOf({ msg: 'request failed' })).toMatchObject({
    level: 40,
    code: 'unavailable',
    reason: expect.stringMatching(/unavailable: .+/),
  });

  const { env } = atelier;
  const names = Object.keys(env).filter((name) => /SECRET|KEY|TOKEN/.test(name));
  expect(names.length).toBeGreaterThanOrEqual(7);
  const text = log.text();
  expect(text.split('\n').filter((line) => /\\n +at /.test(line))).toEqual([]);
  expect(log.having({ msg: 'request' }).length).toBeGreaterThan(20);
  for (const name of names) expect(text.includes(env[name] ?? ''), name).toBe(false);
  for (const secret of [person.token, wrong, cookie.slice(cookie.indexOf('=') + 1, 200), 'atelier-demo']) {
    expect(text.includes(secret)).toBe(false);
  }
  const chat = await readChat(api, jobId);
  expect(chat.messages).toHaveLength(1);
  expect(text).not.toMatch(/eyJ[\w-]{10,}\.|token=(?!\[secret\])|\/object\/(upload\/)?sign\//);
});

test('the token of a share link is not in the log, regardless of what is requested with it', async () => {
  const json = { kind: 'gallery', name: 'Review' };
  const created = await api(`/api/projects/${projectId}/share-links`, { json });
  const { url } = createdShareLink.parse(created.body);
  const { pathname } = new URL(url);
  const visitor = apiAt(atelier.url, named('follow-visitor-0001'));
  expect((await visitor(pathname)).status).toBe(200);
  expectProblem(await visitor(`${pathname}/images/${randomUUID()}`), 'not_found');
  expectProblem(await visitor(pathname, { method: 'POST' }), 'method_not_allowed');
  const paths = await poll('both refused requests are logged', async () => {
    const lines = log.having({ requestId: 'follow-visitor-0001', msg: 'request' });
    return lines.length === 2 && lines.map(({ path }) => path);
  });
  expect(paths).toEqual([expect.stringMatching(/^\/share\/\[secret\]\/images\//), '/share/[secret]']);
  expect(log.text().includes(pathname.slice('/share/'.length))).toBe(false);
});

test('the signed URL of a spec is not in the log', async () => {
  const { specUploadId } = uploadResponse.parse((await sendUpload(api)).body);
  const { url } = await readSpec(api, specUploadId);
  const token = new URL(url ?? '').searchParams.get('token') ?? '';
  expect(token.length).toBeGreaterThan(20);
  expect(log.text().includes(token)).toBe(false);
});

test('after the materials page was opened, a library that is unavailable gives API clients a 503 and logs a warning', async () => {
  const library = `${atelier.env.MATLIB_URL}/control`;
  // Opening the page creates the process's client for the material library. API routes share that client, although
  // pages and API routes have separate copies of every module.
  const { cookie } = await signInWithCookies(atelier.env, person.email);
  expect((await fetch(`${atelier.url}/materials?type=models`, { headers: { cookie } })).status).toBe(200);
  for (const [type, mode] of [
    ['textures', 'unavailable'],
    ['hdris', 'limit-seconds'],
  ]) {
    await fetch(library, { method: 'PUT', body: JSON.stringify({ mode }) });
    const requestId = `library-unavailable-${type}`;
    const refused = await api(`/api/matlib/search?type=${type}`, { headers: named(requestId) });
    expectProblem(refused, 'unavailable');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await lineOf({ requestId, msg: 'request failed' })).toMatchObject({ level: 40 });
  }
  await fetch(library, { method: 'DELETE' });
});
