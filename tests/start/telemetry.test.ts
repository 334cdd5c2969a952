// @module-tag extended
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Atelier, startAtelier } from '@/lib/launcher/atelier';
import { uploadResponse } from '@/lib/specs/schema';
import { type Api, apiAt } from '@/tests/app/support/api';
import { exported, onePage } from '@/tests/app/support/exports';
import { startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readSpec, sendUpload, upload, waitForStatus } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';
import { freePorts } from '@/tests/setup/free-ports';
import { makePrintingDataDir } from '@/tests/setup/temporary-dir';
import { startReceiver } from '@/tests/start/support/telemetry-receiver';

let folder: Awaited<ReturnType<typeof makePrintingDataDir>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let atelier: Atelier;
let api: Api;

beforeAll(async () => {
  folder = await makePrintingDataDir();
  receiver = await startReceiver();
  atelier = await startAtelier({
    ...(await freePorts()),
    dataDir: folder.path,
    distDir: process.env.ATELIER_DIST_DIR || '.next',
    env: {
      ATELIER_LOCAL_FSYNC: 'off',
      LOG_LEVEL: 'warn',
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_SERVICE_NAME: 'atelier-in-a-test',
      OTEL_METRIC_EXPORT_INTERVAL: '500',
    },
  });
  api = apiAt(atelier.url, (await newAdmin(atelier.env)).headers);
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
  const projectId = await makeProject(api);
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
