import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ImageJob } from '@/lib/image-gen/schema';
import type { Spec } from '@/lib/specs/schema';
import { type RefusedCallback, refusedResponse } from '@/lib/workflow-events/refused/schema';
import { type EventsResponse, eventsResponse, type WorkflowEvent } from '@/lib/workflow-events/schema';
import {
  callbackTested,
  testStarted,
  type WorkflowTestRun,
  workflowTest,
} from '@/lib/workflow-events/testing/schema';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { cancelJob, readJob, reportImage, startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readSpec, report, unique, upload, waitForStatus } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';

const { url, env } = inject('atelier');
const sql = openDatabase();
let admin: Api;
let projectId: string;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
  projectId = await makeProject(admin);
});
afterAll(() => sql.end());

async function list(query: Record<string, string>): Promise<EventsResponse> {
  const response = await admin(`/api/admin/workflow/events?${new URLSearchParams(query)}`);
  expect(response.status, excerpt(response)).toBe(200);
  return eventsResponse.parse(response.body);
}

/** Waits until a subject has at least this many events; returns its events, oldest first. */
function eventsOf(subject: string, count: number): Promise<WorkflowEvent[]> {
  return poll(`there are ${count} events`, async () => {
    const { events } = await list({ subject });
    return events.length >= count && events.toReversed();
  });
}

const brief = ({ direction, run, attempt, outcome, status }: WorkflowEvent) =>
  [direction, run, attempt, outcome, status].join(' ');

describe('recorded events', () => {
  test('the events of a spec show each try and each report with its reason, and whether it may be sent again', async () => {
    const id = await upload(admin, { propertyName: '[fail]' });
    await waitForStatus(admin, id, 'failed');
    await report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id, status: 'failed' }, 1);
    const events = await eventsOf(id, 3);
    expect(events.map(brief).sort()).toEqual([
      'received 1  applied failed',
      'received 1  duplicate failed',
      'sent 1 1 accepted ',
    ]);
    for (const event of events) {
      expect(event).toMatchObject({
        kind: 'spec',
        subjectId: id,
        label: 'spec.pdf',
        projectId: null,
        subjectStatus: 'failed',
        canSendAgain: true,
      });
    }
    expect(events.map(({ reason }) => reason)).toContain('the workflow was told to fail');

    expect((await admin('/api/admin/specs/retry', { json: { specUploadId: id } })).status).toBe(202);
    await waitForStatus(admin, id, 'failed');
    const later = await eventsOf(id, 5);
    expect(later.filter(({ canSendAgain }) => canSendAgain).map(({ run }) => run)).toEqual([2, 2]);
  });

  test('the events of a flaky service show every attempt, including the failed ones', {
    tags: ['extended'],
  }, async () => {
    const id = await upload(admin, { propertyName: '[flaky]' });
    await waitForStatus(admin, id, 'completed');
    const events = await eventsOf(id, 4);
    expect(events.filter(({ direction }) => direction === 'sent').map(brief)).toEqual([
      'sent 1 1 again ',
      'sent 1 2 again ',
      'sent 1 3 accepted ',
    ]);
    expect(events[0]?.reason).toBe('The workflow service returned HTTP 500.');
    expect(events.some(({ canSendAgain }) => canSendAgain)).toBe(false);
  });

  test('a spec and an image that the workflow service does not accept say when they are sent again, and show a callback that cannot be read', async () => {
    const id = await upload(admin, { propertyName: '[broken]' });
    const jobId = await startJob(admin, { projectId, prompt: unique('A lobby [broken]') });
    const waiting = ({ retrying }: Spec | ImageJob) => retrying?.nextAttemptAt && retrying;
    const spec = await poll('the spec waits', async () => waiting(await readSpec(admin, id)));
    expect(spec).toMatchObject({ maxAttempts: 14, reason: 'The workflow service returned HTTP 500.' });
    const job = await poll('the image waits', async () => waiting(await readJob(admin, jobId)));
    expect(job).toMatchObject({ maxAttempts: 14 });

    const noStatus = [
      await report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id }, 1),
      await reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, { job_id: jobId }, 1),
    ];
    for (const response of noStatus) expectProblem(response, 'invalid_request');
    const note = 'The workflow service sent a callback that cannot be read: The body has no status.';
    expect(await readSpec(admin, id)).toMatchObject({ status: 'pending', note });
    expect(await readJob(admin, jobId)).toMatchObject({ status: 'queued', note });
    await cancelJob(admin, jobId);
    await admin('/api/admin/specs/stop', { json: { specUploadId: id } });
    expect(await readSpec(admin, id)).toMatchObject({ status: 'failed', retrying: null, note: null });
  });

  test('a refused trigger is recorded with the reason of the service, which the spec shows too', async () => {
    const id = await upload(admin, { propertyName: '[refuse]' });
    const reason =
      'The workflow service rejected the trigger with HTTP 422: this workflow does not take such files';
    expect(await waitForStatus(admin, id, 'failed')).toMatchObject({ error: reason });
    const [event] = await eventsOf(id, 1);
    expect(event).toMatchObject({ outcome: 'refused', reason, canSendAgain: true });
  });

  test('a callback that arrives before the response to its trigger is recorded, and so is the trigger', {
    tags: ['extended'],
  }, async () => {
    const id = await upload(admin, { propertyName: '[fast]' });
    await waitForStatus(admin, id, 'completed');
    expect((await eventsOf(id, 2)).map(brief).sort()).toEqual([
      'received 1  applied completed',
      'sent 1 1 accepted ',
    ]);
  });

  test('the events of an image job show reports after it was canceled', { tags: ['extended'] }, async () => {
    const prompt = unique('A lobby [silent]');
    const id = await startJob(admin, { projectId, prompt });
    await waitForJob(admin, id, 'running');
    await cancelJob(admin, id);
    await reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, { job_id: id, status: 'failed', error: 'no' }, 1);
    const events = await eventsOf(id, 2);
    expect(events.map(brief)).toEqual(['sent 1 1 accepted ', 'received 1  canceled failed']);
    expect(events[1]).toMatchObject({
      kind: 'image',
      label: prompt,
      projectId,
      subjectStatus: 'canceled',
      canSendAgain: true,
    });
  });

  test('a recorded reason contains no URL with a token, regardless of what the service sends', {
    tags: ['extended'],
  }, async () => {
    const id = await upload(admin, { propertyName: '[silent]' });
    const error =
      'GET https://files.example.com/a.pdf?token=abc&x=1 gave 403, HTTP://files.example.com/b#token=abc too';
    await report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id, status: 'failed', error });
    const event = (await eventsOf(id, 1)).find(({ direction }) => direction === 'received');
    expect(event?.reason).toBe(
      'GET https://files.example.com/a.pdf gave 403, HTTP://files.example.com/b too',
    );
  });

  test('events of a deleted spec are kept without its name', { tags: ['extended'] }, async () => {
    const id = await upload(admin, { propertyName: '[refuse]' });
    await waitForStatus(admin, id, 'failed');
    expect((await admin(`/api/admin/specs/${id}`, { method: 'DELETE' })).status).toBe(204);
    const [event] = await eventsOf(id, 1);
    expect(event).toMatchObject({ label: null, subjectStatus: null, canSendAgain: false });
  });
});

describe('the list of events', () => {
  test('pages of the list of events have each event once, even while others are added', {
    tags: ['extended'],
  }, async () => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) ids.push(await upload(admin, { propertyName: '[fail]' }));
    for (const id of ids) await waitForStatus(admin, id, 'failed');
    const whole = (await list({ limit: '100' })).events.slice(0, 12).map(({ id }) => id);
    const seen: string[] = [];
    for (let cursor = ''; seen.length < 12; ) {
      const page = await list({ limit: '3', ...(cursor ? { cursor } : {}) });
      seen.push(...page.events.map(({ id }) => id));
      cursor = page.nextCursor ?? '';
      await upload(admin, { propertyName: '[refuse]' });
    }
    // New events are listed first, so an event that is added while the pages are read is on none of the later pages.
    expect(seen.filter((id) => whole.includes(id))).toEqual(whole.filter((id) => seen.includes(id)));
    expect(new Set(seen).size).toBe(seen.length);
  });

  test.each([
    [{ kind: 'spec' }, ({ kind }: WorkflowEvent) => kind === 'spec'],
    [{ kind: 'image' }, ({ kind }: WorkflowEvent) => kind === 'image'],
    [{ direction: 'sent' }, ({ direction }: WorkflowEvent) => direction === 'sent'],
    [{ direction: 'received' }, ({ direction }: WorkflowEvent) => direction === 'received'],
    [
      { trouble: 'true' },
      ({ outcome, status }: WorkflowEvent) =>
        outcome !== 'accepted' && (outcome !== 'applied' || status === 'failed'),
    ],
  ])('the list of events is filtered by %o', { tags: ['extended'] }, async (query, fits) => {
    const { events } = await list({ ...query, limit: '100' } as Record<string, string>);
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(fits(event), JSON.stringify(event)).toBe(true);
  });

  test.each([
    [{ kind: 'pdf' }, 'kind'],
    [{ direction: 'up' }, 'direction'],
    [{ subject: 'x' }, 'subject'],
    [{ trouble: 'yes' }, 'trouble'],
    [{ cursor: 'x' }, 'cursor'],
  ])('the list of events refuses %o', { tags: ['extended'] }, async (query, path) => {
    const search = new URLSearchParams(query as Record<string, string>);
    const response = await admin(`/api/admin/workflow/events?${search}`);
    expect(expectProblem(response, 'invalid_request').errors?.[0]?.path).toBe(path);
  });

  test('events are deleted after a month', { tags: ['extended'] }, async () => {
    const id = await upload(admin, { propertyName: '[refuse]' });
    await waitForStatus(admin, id, 'failed');
    await eventsOf(id, 1);
    await sql`update private.trigger_events set created_at = now() - interval '31 days' where subject_id = ${id}`;
    await sql`select public.forget_old_rows(86400, 3600, 30 * 86400, 30 * 86400, 1000)`;
    expect((await list({ subject: id })).events).toEqual([]);
  });
});

describe('refused callbacks', () => {
  const secrets = { spec: env.WEBHOOK_SECRET, image: env.IMAGE_WEBHOOK_SECRET };

  /**
   * Repeatedly sends a callback that the product refuses, until the refusal is listed. The product lists only a
   * limited number of refusals per minute, and other tests may have reached that limit.
   */
  function refused(send: () => Promise<unknown>, isRight: (found: RefusedCallback) => boolean) {
    return poll('the refused callback', async () => {
      await send();
      const response = await admin('/api/admin/workflow/refused?limit=100');
      return refusedResponse.parse(response.body).callbacks.find(isRight);
    });
  }

  test('a callback with a wrong secret is listed with the id that it names, without the secret', async () => {
    const id = randomUUID();
    const body = { spec_upload_id: id, status: 'completed', error: 'words of the body' };
    const found = await refused(
      () => report(apiAt(url), 'the-wrong-secret', body),
      ({ subjectId }) => subjectId === id,
    );
    expect(found).toMatchObject({
      kind: 'spec',
      code: 'invalid_secret',
      detail: 'The secret is missing or wrong.',
    });
    const { text } = await admin('/api/admin/workflow/refused?limit=100');
    expect(text).not.toContain('the-wrong-secret');
    expect(text).not.toContain('words of the body');
  });

  test('a callback for an unknown id or with an invalid body is listed with its reason', {
    tags: ['extended'],
  }, async () => {
    const [unknown, invalid] = [randomUUID(), randomUUID()];
    const found = await refused(
      () => reportImage(apiAt(url), secrets.image, { job_id: unknown, status: 'failed' }),
      ({ subjectId }) => subjectId === unknown,
    );
    expect(found).toMatchObject({ kind: 'image', code: 'not_found' });
    expect(
      await refused(
        () => report(apiAt(url), secrets.spec, { spec_upload_id: invalid, status: 'ready' }),
        ({ subjectId }) => subjectId === invalid,
      ),
    ).toMatchObject({ code: 'invalid_request', detail: 'status must be completed, failed or running.' });
  });

  test('an id that is not a UUID is not listed', { tags: ['extended'] }, async () => {
    const send = () => report(apiAt(url), secrets.spec, { spec_upload_id: 'my words', status: 'completed' });
    await refused(send, ({ code, subjectId }) => code === 'invalid_request' && subjectId === null);
    expect((await admin('/api/admin/workflow/refused?limit=100')).text).not.toContain('my words');
  });
});

describe('tests of the workflow service', () => {
  const start = async (kind: string) => {
    const response = await admin('/api/admin/workflow/tests', { json: { kind } });
    expect(response.status, excerpt(response)).toBe(202);
    return testStarted.parse(response.body).id;
  };
  const overTest = (id: string): Promise<WorkflowTestRun> =>
    poll('the end of the test', async () => {
      const found = workflowTest.parse((await admin(`/api/admin/workflow/tests/${id}`)).body);
      return found.isOver && found;
    });

  test.each([
    ['spec', 'completed'],
    ['image', 'succeeded'],
  ])(
    'a test of the %s workflow shows each step and changes nothing',
    { tags: ['extended'] },
    async (kind, status) => {
      const id = await start(kind);
      const { steps } = await overTest(id);
      expect(steps.map(({ step }) => step).sort()).toEqual(['accepted', 'callback', 'sent']);
      expect(steps.find(({ step }) => step === 'callback')).toMatchObject({ status, detail: null });
      const [row] = await sql`
      select (select count(*)::int from public.spec_uploads where id = ${id}) as specs,
             (select count(*)::int from public.image_jobs where id = ${id}) as jobs,
             (select count(*)::int from public.image_variants where job_id = ${id}) as variants,
             (select count(*)::int from private.callback_events where subject_id = ${id}) as events`;
      expect(row).toEqual({ specs: 0, jobs: 0, variants: 0, events: 0 });
    },
  );

  test.each(['spec', 'image'])(
    'a sample %s callback is accepted, and so are others of its id',
    { tags: ['extended'] },
    async (kind) => {
      const response = await admin('/api/admin/workflow/test-callback', { json: { kind } });
      const tested = callbackTested.parse(response.body);
      expect(tested).toMatchObject({ status: 200, url: expect.stringContaining('/callback?run=1') });
      expect(JSON.parse(tested.response)).toMatchObject({
        received: true,
        applied: true,
        notes: ['This is a test: nothing was changed.'],
      });
      for (const secret of [env.WEBHOOK_SECRET, env.IMAGE_WEBHOOK_SECRET])
        expect(response.text).not.toContain(secret);
      if (kind === 'spec') {
        const own = await report(apiAt(url), env.WEBHOOK_SECRET, {
          spec_upload_id: tested.id,
          status: 'failed',
        });
        expect(own.status).toBe(200);
        // The id belongs to a test run of the spec callback, so the image callback returns 404.
        const other = { job_id: tested.id, status: 'failed' };
        expectProblem(await reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, other), 'not_found');
      }
    },
  );

  test('a test names what is wrong with the reported images', { tags: ['extended'] }, async () => {
    const response = await admin('/api/admin/workflow/test-callback', { json: { kind: 'image' } });
    const { id } = callbackTested.parse(response.body);
    const output_paths = [{ variant_id: 'v1', path: `images/projects/${id}/jobs/${id}/1/1-1` }];
    const own = { job_id: id, status: 'succeeded', output_paths };
    const { body } = await reportImage(apiAt(url), env.IMAGE_WEBHOOK_SECRET, own, 1);
    expect(body).toMatchObject({
      notes: ['This is a test: nothing was changed.', 'Image 1 could not be read: the file does not exist.'],
    });
  });
});
