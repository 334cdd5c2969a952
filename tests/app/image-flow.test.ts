import type { Sql } from 'postgres';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Variant } from '@/lib/image-gen/schema';
import { apiAt, expectProblem } from '@/tests/app/support/api';
import { imageStates, openDatabase } from '@/tests/app/support/database';
import {
  cancelJob,
  readChat,
  readJob,
  receivedTrigger,
  refine,
  reportImage,
  retryJob,
  SMALL,
  startJob,
  waitForJob,
} from '@/tests/app/support/image-jobs';
import { addImage, putOutput } from '@/tests/app/support/pictures';
import { makeTeam, type Team } from '@/tests/app/support/team';

const { url, env } = inject('atelier');
let team: Team;
let sql: Sql;
let projectId: string;

beforeAll(async () => {
  team = await makeTeam();
  ({ projectId } = team);
  sql = openDatabase();
});
afterAll(() => sql.end());

const start = (prompt: string, more: object = {}) =>
  startJob(team.editor.api, { projectId, prompt, options: { size: SMALL }, ...more });
const sendReport = (jobId: string, body: object, run?: number) =>
  reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, { job_id: jobId, ...body }, run);

/** Reports the success of a `[silent]` run with one real image. */
async function completeRun(jobId: string, run: number): Promise<void> {
  const path = await putOutput({ projectId, jobId, run, name: 'one.png' });
  const result = await sendReport(
    jobId,
    { status: 'succeeded', output_paths: [{ variant_id: 'v1', path }] },
    run,
  );
  expect(result.body).toEqual({ received: true, applied: true, status: 'succeeded' });
}

async function sizeAt(address: string | null): Promise<[width?: number, height?: number]> {
  const response = await fetch(address ?? '');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^image\//);
  const { width, height } = await sharp(await response.bytes()).metadata();
  return [width, height];
}

const ids = (variants: Variant[]) => variants.map(({ run, variant_id }) => `${run}:${variant_id}`);

describe.concurrent('a job', () => {
  test("a job produces four variants that load, each with a thumbnail, below the job's own prefix", async () => {
    const { api } = team.editor;
    const jobId = await start('A calm lobby', { options: { size: '640x384', seed: 7 } });
    const queued = await readJob(api, jobId);
    expect(queued).toMatchObject({ jobId, projectId, run: 1, createdBy: team.editor.id, error: null });
    const job = await waitForJob(api, jobId, 'succeeded');
    const { messages, variants } = await readChat(team.viewer.api, jobId);
    expect(messages).toMatchObject([
      {
        jobId,
        role: 'user',
        prompt: 'A calm lobby',
        variantId: null,
        run: 1,
        status: 'succeeded',
        error: null,
      },
    ]);
    expect(ids(variants)).toEqual(['1:r1-v1', '1:r1-v2', '1:r1-v3', '1:r1-v4']);
    for (const variant of variants) {
      expect(variant.path.startsWith(`images/projects/${projectId}/jobs/${jobId}/1/`)).toBe(true);
      expect([variant.width, variant.height]).toEqual([640, 384]);
      expect(await sizeAt(variant.url)).toEqual([640, 384]);
      const [width = 0, height = 0] = await sizeAt(variant.thumb_url);
      expect(Math.max(width, height)).toBeLessThanOrEqual(512);
      expect(width / height).toBeCloseTo(640 / 384, 1);
      expect(variant.meta).toMatchObject({ model: 'fake', prompt: 'A calm lobby' });
    }
    // The workflow sent thumbnails for the first two images; the app made the thumbnails of the other two.
    expect(variants.map(({ thumb_path }) => /\.thumb\.webp$/.test(thumb_path ?? ''))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(job.cover).toMatchObject({ variant_id: 'r1-v1', run: 1 });
    expect(Date.parse(job.finishedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(job.createdAt));
    expect(Date.parse(job.deadlineAt ?? '') - Date.parse(job.createdAt)).toBeGreaterThan(9 * 60_000);
    expect(job.statusSeq).toBeGreaterThan(queued.statusSeq);
  });

  test('a job is refined from the chosen variant, by default the latest, and the chat keeps its order', async () => {
    const { api } = team.editor;
    const jobId = await start('A lobby');
    await waitForJob(api, jobId, 'succeeded');
    const second = await refine(api, jobId, 'warmer light', 'r1-v2');
    expect(second).toMatchObject({ jobId, run: 2, status: 'queued' });
    await waitForJob(api, jobId, 'succeeded');
    await refine(api, jobId, 'more plants');
    const job = await waitForJob(api, jobId, 'succeeded');
    expect(job).toMatchObject({ run: 3, prompt: 'A lobby', cover: { variant_id: 'r3-v1' } });
    const { messages, variants } = await readChat(api, jobId);
    expect(messages.map(({ prompt, variantId, run }) => [prompt, variantId, run])).toEqual([
      ['A lobby', null, 1],
      ['warmer light', 'r1-v2', 2],
      ['more plants', 'r2-v4', 3],
    ]);
    expect(messages[1]?.id).toBe(second.messageId);
    expect(variants).toHaveLength(12);
    expect(variants.map(({ run }) => run)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
    expect(await receivedTrigger(jobId, 3)).toMatchObject({
      prompt: 'more plants',
      variant: { variant_id: 'r2-v4', run: 2, width: 64, height: 64 },
      messages: [
        { run: 1, prompt: 'A lobby', variant_id: null },
        { run: 2, prompt: 'warmer light', variant_id: 'r1-v2' },
        { run: 3, prompt: 'more plants', variant_id: 'r2-v4' },
      ],
    });
    expectProblem(
      await api('/api/image-gen/messages', { json: { jobId, prompt: 'x', variantId: 'r9-v9' } }),
      'not_found',
    );
  });

  test('a canceled job stays canceled: later reports are not applied, and a retry starts a new run', async () => {
    const { api } = team.editor;
    const jobId = await start('[silent]');
    const running = await waitForJob(api, jobId, 'running');
    const canceled = await cancelJob(api, jobId);
    expect(canceled.status).toBe(200);
    expect(canceled.body).toMatchObject({ status: 'canceled', statusSeq: running.statusSeq + 1 });
    const again = await cancelJob(api, jobId);
    expect([again.status, again.body]).toEqual([200, canceled.body]);
    for (const body of [
      { status: 'succeeded', output_paths: [] },
      { status: 'failed', error: 'late' },
    ]) {
      const late = await sendReport(jobId, body, 1);
      expect(late.body).toEqual({ received: true, applied: false, status: 'canceled', reason: 'canceled' });
    }
    expect((await readJob(api, jobId)).status).toBe('canceled');

    const retried = await retryJob(api, jobId);
    expect([retried.status, retried.body]).toEqual([202, { jobId, run: 2, status: 'queued' }]);
    expect(retried.headers.get('location')).toBe(`/api/image-gen/jobs/${jobId}`);
    expectProblem(await retryJob(api, jobId), 'state_conflict');
    const stale = await sendReport(jobId, { status: 'failed' }, 1);
    expect(stale.body).toMatchObject({ received: true, applied: false, reason: 'stale_run' });
    await completeRun(jobId, 2);
    expect(expectProblem(await cancelJob(api, jobId), 'state_conflict').currentStatus).toBe('succeeded');
    expect(expectProblem(await retryJob(api, jobId), 'state_conflict').currentStatus).toBe('succeeded');
    const { messages } = await readChat(api, jobId);
    expect(messages).toMatchObject([{ prompt: '[silent]', run: 2, status: 'succeeded' }]);
  });

  test('a job fails with the reported reason, and a retry keeps its prompt and source', async () => {
    const { api } = team.editor;
    const jobId = await start('A lobby');
    await waitForJob(api, jobId, 'succeeded');
    await refine(api, jobId, 'darker [fail]', 'r1-v3');
    const failed = await waitForJob(api, jobId, 'failed');
    expect(failed).toMatchObject({ run: 2, error: 'the workflow was told to fail', cover: { run: 1 } });
    expect(expectProblem(await cancelJob(api, jobId), 'state_conflict').currentStatus).toBe('failed');
    expect((await retryJob(api, jobId)).body).toEqual({ jobId, run: 3, status: 'queued' });
    expect(await receivedTrigger(jobId, 3)).toMatchObject({
      prompt: 'darker [fail]',
      variant: { variant_id: 'r1-v3', run: 1 },
      messages: [{ run: 1 }, { run: 3, variant_id: 'r1-v3' }],
    });
    await waitForJob(api, jobId, 'failed');
    expect((await readChat(api, jobId)).messages).toMatchObject([
      { run: 1, status: 'succeeded' },
      { run: 3, status: 'failed', error: 'the workflow was told to fail' },
    ]);
  });

  test('a job accepts no prompt while a run is in progress', async () => {
    const { api } = team.editor;
    const jobId = await start('[silent]');
    const send = () => api('/api/image-gen/messages', { json: { jobId, prompt: 'sooner' } });
    expect(['queued', 'running']).toContain(expectProblem(await send(), 'run_in_progress').currentStatus);
    await waitForJob(api, jobId, 'running');
    expect(expectProblem(await send(), 'run_in_progress').currentStatus).toBe('running');
    expect((await readChat(api, jobId)).messages).toHaveLength(1);
  });

  test('a job accepts only one of five prompts sent at once', async () => {
    const { api } = team.editor;
    const jobId = await start('[silent]');
    await cancelJob(api, jobId);
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, i) =>
        api('/api/image-gen/messages', { json: { jobId, prompt: `${i} [silent]` } }),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409]);
    expect((await readChat(api, jobId)).messages).toHaveLength(2);
  });
});

describe.concurrent('outputs of the workflow service', () => {
  test.each([
    ['outside', /^Image 1 could not be read: the path does not belong to this job\. .*Image 4/],
    ['text-as-png', /not a PNG, JPEG or WebP image/],
    ['huge-dimensions', /too many pixels/],
    ['missing-object', /does not exist/],
  ])(
    'a job whose outputs are wrong (%s) fails with a message, and none of them is shown',
    async (mode, message) => {
      const jobId = await start(`A lobby [${mode}]`);
      const job = await waitForJob(team.editor.api, jobId, 'failed');
      expect(job.error).toMatch(message);
      expect(job.cover).toBeNull();
      expect((await readChat(team.editor.api, jobId)).variants).toEqual([]);
      expect(await imageStates(sql, [jobId])).toMatchObject([
        { ran: 'failed', error_code: 'invalid_output', work: 'done', variants: [] },
      ]);
    },
  );

  test('a job with one bad output among good ones succeeds without it', async () => {
    const jobId = await start('A lobby [one-bad]');
    await waitForJob(team.editor.api, jobId, 'succeeded');
    const { variants } = await readChat(team.editor.api, jobId);
    expect(ids(variants)).toEqual(['1:r1-v1', '1:r1-v2', '1:r1-v4']);
    expect((await readChat(team.editor.api, jobId)).messages[0]?.notes).toEqual([
      'Image 3 could not be read: the file does not exist.',
    ]);
  });

  test.each([
    ['paths', ['1:v1', '1:v2', '1:v3', '1:v4']],
    ['no-ids', ['1:v1', '1:v2', '1:v3', '1:v4']],
    ['numbers-as-text', ['1:r1-v1', '1:r1-v2', '1:r1-v3', '1:r1-v4']],
    ['list', ['1:r1-v1', '1:r1-v2', '1:r1-v3', '1:r1-v4']],
    ['completed', ['1:r1-v1', '1:r1-v2', '1:r1-v3', '1:r1-v4']],
  ])(
    'a job whose result has another form than documented (%s) has all images, without notes',
    { tags: ['extended'] },
    async (mode, variantIds) => {
      const jobId = await start(`A lobby [${mode}]`);
      await waitForJob(team.editor.api, jobId, 'succeeded');
      const { messages, variants } = await readChat(team.editor.api, jobId);
      expect(ids(variants)).toEqual(variantIds);
      expect(messages[0]?.notes).toEqual([]);
    },
  );

  test.each([
    ['error-object', 'the workflow was told to fail'],
    ['nul', '\ufffdthe workflow was told to fail'],
  ])(
    'a job whose failure has another form than documented (%s) fails with its reason',
    { tags: ['extended'] },
    async (mode, error) => {
      const jobId = await start(`A lobby [${mode}]`);
      expect((await waitForJob(team.editor.api, jobId, 'failed')).error).toBe(error);
    },
  );

  test('a job without an output succeeds, and its run notes that there is no image', async () => {
    const jobId = await start('A lobby [no-outputs]');
    const job = await waitForJob(team.editor.api, jobId, 'succeeded');
    expect(job).toMatchObject({ error: null, cover: null });
    const { messages, variants } = await readChat(team.editor.api, jobId);
    expect(variants).toEqual([]);
    expect(messages[0]?.notes).toEqual(['The image service reported success without an image.']);
    await refine(team.editor.api, jobId, 'Now with an image');
    await waitForJob(team.editor.api, jobId, 'succeeded');
    expect((await readChat(team.editor.api, jobId)).variants).toHaveLength(4);
  });

  test('a job keeps only one of two outputs with the same id', async () => {
    const jobId = await start('[silent]');
    const path = await putOutput({ projectId, jobId, run: 1, name: 'one.png' });
    const output = { variant_id: 'same', path };
    const result = await sendReport(jobId, { status: 'succeeded', output_paths: [output, output] }, 1);
    expect(result.body).toEqual({
      received: true,
      applied: true,
      status: 'succeeded',
      notes: ['Image 2 was left out: another image has the same variant_id.'],
    });
    expect(ids((await readChat(team.editor.api, jobId)).variants)).toEqual(['1:same']);
  });

  test('a thumbnail that does not belong to the job is replaced by one that the app makes', async () => {
    const jobId = await start('[silent]');
    const path = await putOutput({ projectId, jobId, run: 1, name: 'one.png' });
    const foreign = await addImage(team.editor.api, projectId);
    const output_paths = [{ variant_id: 'v1', path, thumb_path: foreign.path }];
    await sendReport(jobId, { status: 'succeeded', output_paths }, 1);
    const [variant] = (await readChat(team.editor.api, jobId)).variants;
    expect(variant?.thumb_path).toBe(`${path}.thumb.webp`);
    expect(await sizeAt(variant?.thumb_url ?? null)).toEqual([64, 48]);
  });
});
