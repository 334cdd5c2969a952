import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { jobPrefix } from '@/lib/storage/keys';
import { callbackResponse } from '@/lib/workflow/callback-schema';
import { eventsResponse, type WorkflowEvent } from '@/lib/workflow-events/schema';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import {
  cancelJob,
  readChat,
  readJob,
  receivedTrigger,
  refine,
  reportImage,
  SMALL,
  startJob,
  waitForJob,
} from '@/tests/app/support/image-jobs';
import { newAdmin } from '@/tests/app/support/people';
import { picture, putOutput, replaceFile } from '@/tests/app/support/pictures';
import { poll } from '@/tests/app/support/poll';
import { readSpec, report, upload, waitForStatus } from '@/tests/app/support/specs';
import { makeTeam, type Team } from '@/tests/app/support/team';

const { url, env } = inject('atelier');
const sql = openDatabase();
let team: Team;
let admin: Api;
let projectId: string;

beforeAll(async () => {
  [team, admin] = [await makeTeam(), apiAt(url, (await newAdmin(env)).headers)];
  ({ projectId } = team);
});
afterAll(() => sql.end());

const start = (prompt = 'A lobby [silent]', options: object = {}) =>
  startJob(team.editor.api, { projectId, prompt, options: { size: SMALL, ...options } });
const put = (jobId: string, name: string, run = 1, file?: Uint8Array) =>
  putOutput({ projectId, jobId, run, name }, file);
const sendReport = async (jobId: string, body: object, run?: number) =>
  (await reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, { job_id: jobId, ...body }, run)).body;
const success = (...paths: string[]) => ({
  status: 'succeeded',
  output_paths: paths.map((path) => ({ variant_id: path.split('/').at(-1), path })),
});
const [applied, ignored] = [true, false].map((isApplied) => ({ received: true, applied: isApplied }));

async function imagesOf(jobId: string) {
  const { messages, variants } = await readChat(team.viewer.api, jobId);
  return {
    notes: messages.at(-1)?.notes,
    ids: variants.map(({ run, variant_id }) => `${run}:${variant_id}`),
    paths: variants.map(({ path }) => path),
    variants,
  };
}

/** Waits until a subject has an event with this outcome. */
function eventOf(subject: string, outcome: WorkflowEvent['outcome']): Promise<WorkflowEvent> {
  return poll(`there is a ${outcome} event`, async () => {
    const response = await admin(`/api/admin/workflow/events?subject=${subject}`);
    return eventsResponse.parse(response.body).events.find((event) => event.outcome === outcome);
  });
}

async function applyEvent(id: string) {
  const response = await admin(`/api/admin/workflow/events/${id}/apply`, { method: 'POST' });
  expect(response.status, excerpt(response)).toBe(200);
  return response.body;
}

/** Begins the first seconds of a run anew, in which a callback can be about the run before. */
async function acceptNow(table: 'image_jobs' | 'spec_uploads', id: string): Promise<void> {
  await sql`update ${sql(table)} set started_at = now() where id = ${id}`;
}

async function passDeadline(table: 'image_jobs' | 'spec_uploads', id: string): Promise<void> {
  await sql`update ${sql(table)} set deadline_at = now() - interval '1 second' where id = ${id}`;
}

describe.concurrent('the run of a callback', () => {
  test('a late success of a canceled run without a run number does not answer the next prompt', async () => {
    const jobId = await start('A lobby [late-no-run]');
    await waitForJob(team.editor.api, jobId, 'running');
    await cancelJob(team.editor.api, jobId);
    await refine(team.editor.api, jobId, 'A blue sofa instead [silent]');
    expect(await eventOf(jobId, 'stale_run')).toMatchObject({ run: 1, status: 'succeeded' });
    await waitForJob(team.editor.api, jobId, 'running');
    expect((await imagesOf(jobId)).ids).toEqual([]);
    const path = await put(jobId, 'blue', 2);
    expect(await sendReport(jobId, success(path))).toEqual({ ...applied, status: 'succeeded' });
    expect(await imagesOf(jobId)).toMatchObject({ ids: ['2:blue'], paths: [path], notes: [] });
  });

  test('a success that is delivered again after the next prompt does not answer it', async () => {
    const jobId = await start('A lobby [redelivered]');
    await waitForJob(team.editor.api, jobId, 'succeeded');
    const first = await imagesOf(jobId);
    expect(first.paths).toHaveLength(4);
    expect(await sendReport(jobId, success(...first.paths))).toMatchObject({ reason: 'duplicate' });
    await refine(team.editor.api, jobId, 'Warmer [silent]');
    await eventOf(jobId, 'stale_run');
    await waitForJob(team.editor.api, jobId, 'running');
    expect(await sendReport(jobId, success(...first.paths), 2)).toMatchObject({ reason: 'stale_run' });
    const path = await put(jobId, 'r1-v1', 2);
    const notes = [`${path} is stored as r2-r1-v1.`];
    expect(await sendReport(jobId, success(path))).toEqual({ ...applied, status: 'succeeded', notes });
    expect((await imagesOf(jobId)).paths).toEqual([...first.paths, path]);
  });

  test('a success that names the files of the first run again does not answer the second', async () => {
    const jobId = await start('A lobby');
    await waitForJob(team.editor.api, jobId, 'succeeded');
    await refine(team.editor.api, jobId, 'Warmer [reused-path]');
    expect(await eventOf(jobId, 'stale_run')).toMatchObject({ run: 1 });
    await waitForJob(team.editor.api, jobId, 'running');
    expect((await imagesOf(jobId)).ids).toEqual(['1:r1-v1', '1:r1-v2', '1:r1-v3', '1:r1-v4']);
  });

  test('files of an earlier run among those of the current one are left out, with a note', async () => {
    const jobId = await start();
    const old = await put(jobId, 'old');
    await sendReport(jobId, success(old), 1);
    await refine(team.editor.api, jobId, 'Warmer [silent]');
    const path = await put(jobId, 'new', 2);
    const notes = ['Image 1 could not be read: the path belongs to run 1.'];
    for (const run of [undefined, 2]) {
      const response = await sendReport(jobId, success(old, path), run);
      expect(response).toMatchObject(run ? { reason: 'duplicate' } : { ...applied, notes });
    }
    expect(await imagesOf(jobId)).toMatchObject({ paths: [old, path], notes });
  });

  test('progress of an earlier run with its files does not change the current run', async () => {
    const jobId = await start();
    const old = await put(jobId, 'old');
    await cancelJob(team.editor.api, jobId);
    await refine(team.editor.api, jobId, 'Warmer [silent]');
    const body = { ...success(old), status: 'running', progress: 0.9 };
    expect(await sendReport(jobId, body)).toMatchObject({ reason: 'stale_run' });
    expect(await readJob(team.viewer.api, jobId)).toMatchObject({ progress: null, cover: null });
  });

  test('a path that only contains the prefix of the job is refused, although there is a file', async () => {
    const jobId = await start();
    const path = `images/projects/${crypto.randomUUID()}/${jobPrefix(projectId, jobId)}1/one`;
    await replaceFile(path, await picture());
    const notes = ['Image 1 could not be read: the path does not belong to this job.'];
    expect(await sendReport(jobId, success(path))).toEqual({ ...applied, status: 'failed', notes });
  });
});

describe.concurrent('a held callback', () => {
  test('a failure of an image delivered again after the next prompt is held until it is applied', async () => {
    const jobId = await start('A lobby [fail-redelivered]');
    await waitForJob(team.editor.api, jobId, 'failed');
    await refine(team.editor.api, jobId, 'Warmer [silent]');
    const held = await eventOf(jobId, 'held');
    expect(held).toMatchObject({ run: 2, status: 'failed', reason: 'the workflow was told to fail' });
    await waitForJob(team.editor.api, jobId, 'running');
    expect(await eventOf(jobId, 'held')).toMatchObject({ canApply: true, canSendAgain: false });
    expectProblem(
      await team.owner.api(`/api/admin/workflow/events/${held.id}/apply`, { method: 'POST' }),
      'forbidden',
    );
    expect(await applyEvent(held.id)).toEqual({ ...applied, status: 'failed' });
    expect(await readJob(team.viewer.api, jobId)).toMatchObject({ run: 2, error: held.reason });
    expect(await applyEvent(held.id)).toMatchObject({ ...ignored, reason: 'duplicate' });
    expect(await eventOf(jobId, 'held')).toMatchObject({ canApply: false, canSendAgain: true });
    // Who applies the callback says that it is about this run.
    const path = await put(jobId, 'late', 2);
    expect(await sendReport(jobId, success(path))).toMatchObject({ ...ignored, reason: 'conflict' });
  });

  test('a held failure of an image is the reason at the deadline, and a later success corrects it', async () => {
    const jobId = await start();
    await sendReport(jobId, { status: 'failed', error: 'no light' });
    await refine(team.editor.api, jobId, 'Warmer [silent]');
    await waitForJob(team.editor.api, jobId, 'running');
    await acceptNow('image_jobs', jobId);
    const again = await sendReport(jobId, { status: 'failed', error: 'no light' });
    expect(again).toEqual({ ...ignored, status: 'running', reason: 'held' });
    await passDeadline('image_jobs', jobId);
    expect(await waitForJob(team.editor.api, jobId, 'failed')).toMatchObject({ error: 'no light' });
    const path = await put(jobId, 'two', 2);
    expect(await sendReport(jobId, success(path))).toEqual({ ...applied, status: 'succeeded' });
  });

  test('a result of an image with its files is never held', async () => {
    const jobId = await start();
    await cancelJob(team.editor.api, jobId);
    await refine(team.editor.api, jobId, 'Warmer [silent]');
    const path = await put(jobId, 'two', 2);
    expect(await sendReport(jobId, success(path))).toEqual({ ...applied, status: 'succeeded' });
  });

  test('a failure of a spec delivered again after a retry is held, and then applied or the reason at the deadline', async () => {
    for (const isApplied of [true, false]) {
      const id = await upload(admin, { propertyName: 'Hotel [silent]' });
      const failure = { spec_upload_id: id, status: 'failed', error: 'no text' };
      await report(apiAt(url), env.WEBHOOK_SECRET, failure);
      expect((await admin('/api/admin/specs/retry', { json: { specUploadId: id } })).status).toBe(202);
      await waitForStatus(admin, id, 'processing');
      await acceptNow('spec_uploads', id);
      const again = await report(apiAt(url), env.WEBHOOK_SECRET, failure);
      expect(again.body).toEqual({ ...ignored, status: 'processing', reason: 'held' });
      const held = await eventOf(id, 'held');
      expect(held).toMatchObject({ run: 2, canApply: true });
      if (isApplied) expect(await applyEvent(held.id)).toEqual({ ...applied, status: 'failed' });
      else await passDeadline('spec_uploads', id);
      expect(await waitForStatus(admin, id, 'failed')).toMatchObject({ error: 'no text' });
    }
  });

  test('a spec that reports a failure again after a retry by itself is not failed by it', async () => {
    const id = await upload(admin, { propertyName: 'Hotel [fail-redelivered-once]' });
    await waitForStatus(admin, id, 'failed');
    expect((await admin('/api/admin/specs/retry', { json: { specUploadId: id } })).status).toBe(202);
    expect(await waitForStatus(admin, id, 'completed')).toMatchObject({ sectionsCount: 2 });
  });
});

describe.concurrent('one callback per image', () => {
  test('eight successes at once with an image each give eight images for a prompt that asks for eight', async () => {
    const jobId = await start('A lobby [one-by-one]', { count: 8 });
    const { ids } = await poll('eight images', async () => {
      const images = await imagesOf(jobId);
      return images.ids.length === 8 && images;
    });
    expect(ids).toEqual(Array.from({ length: 8 }, (_, i) => `1:r1-v${i + 1}`));
    expect(await readJob(team.viewer.api, jobId)).toMatchObject({ status: 'succeeded', error: null });
    const { slots, thumbnail_slots } = await receivedTrigger(jobId);
    expect([slots, thumbnail_slots]).toEqual([expect.any(Array), expect.any(Array)]);
    expect([slots, thumbnail_slots].map((each) => (each as string[]).length)).toEqual([8, 8]);
  });

  test('of four successes for a prompt that asks for two images, two count, and the run notes the others', async () => {
    const jobId = await start(undefined, { count: 2 });
    const paths = await Promise.all(['a', 'b', 'c', 'd'].map((name) => put(jobId, name)));
    const answers = await Promise.all(paths.map((path) => sendReport(jobId, success(path))));
    const isApplied = answers.map((answer) => callbackResponse.parse(answer).applied);
    expect(isApplied.toSorted().toReversed()).toEqual([true, true, false, false]);
    const notes = ['The image service sent more images than the prompt asks for. They were left out.'];
    const images = await imagesOf(jobId);
    expect(images).toMatchObject({ ids: [expect.any(String), expect.any(String)], notes });
    const [left] = paths.filter((path) => !images.paths.includes(path));
    expect(await sendReport(jobId, success(left ?? ''))).toMatchObject({ reason: 'duplicate' });
    expect(await imagesOf(jobId)).toMatchObject({ paths: images.paths, notes });
  });

  test('an image that cannot be read is noted on the run, and the others count, in any order', async () => {
    const bad = 'Image 1 could not be read: the file does not exist.';
    for (const isFirst of [true, false]) {
      const jobId = await start();
      const [good, missing] = [await put(jobId, 'a'), `${jobPrefix(projectId, jobId)}1/b`];
      const [one, two] = isFirst ? [missing, good] : [good, missing];
      expect(await sendReport(jobId, success(one))).toMatchObject({
        ...applied,
        status: isFirst ? 'failed' : 'succeeded',
      });
      expect(await sendReport(jobId, success(two))).toMatchObject(
        isFirst ? { ...applied, status: 'succeeded' } : { ...ignored, reason: 'duplicate' },
      );
      expect(await imagesOf(jobId)).toMatchObject({ paths: [good], notes: isFirst ? [] : [bad] });
    }
  });
});

describe.concurrent('a result that is corrected', () => {
  test('a success replaces a result without a usable file, but only with a file', async () => {
    const jobId = await start();
    const text = new TextEncoder().encode('This is no picture. '.repeat(20));
    const path = await put(jobId, 'one', 1, text);
    expect(await sendReport(jobId, success(path))).toMatchObject({ ...applied, status: 'failed' });
    expect(await sendReport(jobId, { status: 'succeeded' }, 1)).toMatchObject({ reason: 'conflict' });
    expect(await sendReport(jobId, success(path))).toMatchObject({ reason: 'late' });
    // The text is gone, so the slot takes the picture.
    await put(jobId, 'one');
    expect(await sendReport(jobId, success(path))).toEqual({ ...applied, status: 'succeeded' });
    expect(await readJob(team.viewer.api, jobId)).toMatchObject({ status: 'succeeded', error: null });
    expect((await imagesOf(jobId)).paths).toEqual([path]);
    expect(await sendReport(jobId, success(path))).toMatchObject({ reason: 'duplicate' });
  });

  test('a success with files replaces a failure that named no run, and none that did', async () => {
    for (const run of [undefined, 1]) {
      const jobId = await start();
      const path = await put(jobId, 'one');
      await sendReport(jobId, { status: 'failed', error: 'no light' }, run);
      expect(await sendReport(jobId, success(path))).toMatchObject(
        run ? { ...ignored, reason: 'conflict' } : { ...applied, status: 'succeeded' },
      );
    }
  });

  test('a success that names its run replaces a failure of a spec that named none', async () => {
    const id = await upload(admin, { propertyName: 'Hotel [silent]' });
    const send = async (body: object, run?: number) =>
      (await report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id, ...body }, run)).body;
    await send({ status: 'failed', error: 'no text' });
    expect(await send({ status: 'completed', sections_count: 3 })).toMatchObject({ reason: 'conflict' });
    expect(await send({ status: 'completed', sections_count: 3 }, 1)).toMatchObject(applied ?? {});
    expect(await readSpec(admin, id)).toMatchObject({ status: 'completed', sectionsCount: 3, error: null });
  });
});

describe.concurrent('a refused callback', () => {
  const note = (reason: string) => `The workflow service sent a callback that cannot be read: ${reason}`;

  test('a form in place of JSON is shown on the job at once, and is the reason at the deadline', async () => {
    const jobId = await start('A lobby [not-json]');
    const reason = 'The body is not valid JSON. It was sent as a form.';
    const event = await eventOf(jobId, 'refused');
    expect(event).toMatchObject({ direction: 'received', run: 1, status: null, reason });
    expect(await readJob(team.viewer.api, jobId)).toMatchObject({ status: 'running', note: note(reason) });
    await passDeadline('image_jobs', jobId);
    expect(await waitForJob(team.viewer.api, jobId, 'failed')).toMatchObject({ error: note(reason) });
  });

  test('a callback of a spec that cannot be read is shown on the spec until its result', async () => {
    const id = await upload(admin, { propertyName: 'Hotel [silent]' });
    const send = (status: string) =>
      report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id, status, sections_count: 3 }, 1);
    expectProblem(await send('ready'), 'invalid_request');
    const reason = 'status must be completed, failed or running.';
    expect(await eventOf(id, 'refused')).toMatchObject({ run: 1, reason });
    expect(await readSpec(admin, id)).toMatchObject({ note: note(reason) });
    expect((await send('completed')).body).toMatchObject({ applied: true });
    expect(await readSpec(admin, id)).toMatchObject({ status: 'completed', note: null });
  });

  test('a callback with a wrong secret is not shown on the job', async () => {
    const jobId = await start('A lobby [wrong-secret]');
    const refused = await poll('the refused callback', async () => {
      const { text } = await admin('/api/admin/workflow/refused?limit=100');
      return text.includes(jobId);
    });
    expect(refused).toBe(true);
    expect(await readJob(team.viewer.api, jobId)).toMatchObject({ note: null });
  });
});

describe.concurrent('the files of a callback', () => {
  test.each(['no-run', 'slash-path', 'no-bucket', 'late-file', 'octet-stream', 'no-type'])(
    'a job whose workflow service has the habit %s has all images, without notes',
    async (mode) => {
      const jobId = await start(`A lobby [${mode}]`);
      await waitForJob(team.editor.api, jobId, 'succeeded');
      const { ids, notes, paths } = await imagesOf(jobId);
      expect(ids).toEqual(['1:r1-v1', '1:r1-v2', '1:r1-v3', '1:r1-v4']);
      expect(notes).toEqual([]);
      for (const path of paths) expect(path.startsWith(`${jobPrefix(projectId, jobId)}1/`)).toBe(true);
    },
  );

  test.each([
    ['gif', 'image/webp'],
    ['avif', 'image/webp'],
    ['octet-stream', 'image/png'],
  ])('a browser gets images that were put as %s as %s', async (mode, type) => {
    const jobId = await start(`A lobby [${mode}]`, { count: 1 });
    await waitForJob(team.editor.api, jobId, 'succeeded');
    const [variant] = (await imagesOf(jobId)).variants;
    const response = await fetch(variant?.url ?? '');
    expect(response.headers.get('content-type')).toBe(type);
    expect([variant?.width, variant?.height]).toEqual([64, 64]);
  });

  test('a path can be the signed URL of its slot', async () => {
    const jobId = await start();
    const path = await put(jobId, 'one');
    const address = `${env.NEXT_PUBLIC_SUPABASE_URL}/storage/v1/object/upload/sign/${path}?token=x`;
    const output_paths = [{ variant_id: 'v1', path: address, thumb_path: `/${path}` }];
    expect(await sendReport(jobId, { status: 'succeeded', output_paths })).toEqual({
      ...applied,
      status: 'succeeded',
    });
    expect((await imagesOf(jobId)).variants).toMatchObject([{ path, thumb_path: path }]);
  });

  test('of images that all have the same variant_id, the first counts, and the run notes the others', async () => {
    const jobId = await start('A lobby [same-id]');
    await waitForJob(team.editor.api, jobId, 'succeeded');
    expect(await imagesOf(jobId)).toMatchObject({
      ids: ['1:v1'],
      notes: [2, 3, 4].map((n) => `Image ${n} was left out: another image has the same variant_id.`),
    });
  });

  test('a trigger has four slots and four thumbnail slots without a number of images', async () => {
    const jobId = await start();
    const prefix = `${jobPrefix(projectId, jobId)}1/`;
    const slots = [1, 2, 3, 4].map((n) => `${prefix}1-${n}`);
    expect(await receivedTrigger(jobId)).toMatchObject({
      slots,
      thumbnail_slots: slots.map((path) => `${path}-thumb`),
    });
  });
});
