import { createClient } from '@supabase/supabase-js';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Spec } from '@/lib/specs/schema';
import { callbackResponse } from '@/lib/workflow/callback-schema';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { objectsBelow, openDatabase, specStates } from '@/tests/app/support/database';
import { newAdmin } from '@/tests/app/support/people';
import { poll } from '@/tests/app/support/poll';
import { readSpec, report, upload, waitForStatus } from '@/tests/app/support/specs';
import { makePdf } from '@/tests/pdf/support/make-pdf';

const { url, env } = inject('atelier');
const machine = apiAt(url);
let admin: Api;
let sql: Sql;

beforeAll(async () => {
  admin = apiAt(url, (await newAdmin(env)).headers);
  sql = openDatabase();
});
afterAll(() => sql.end());

const retry = (id: string) => admin('/api/admin/specs/retry', { json: { specUploadId: id } });
const sendReport = (id: string, body: object, run?: number) =>
  report(machine, env.WEBHOOK_SECRET, { spec_upload_id: id, ...body }, run);
const tick = () => machine('/api/cron/tick', { headers: { authorization: `Bearer ${env.CRON_SECRET}` } });
const attempts = (spec: Spec) => spec.attempts.map(({ attempt, status }) => [attempt, status]);

async function triesOf(id: string): Promise<number> {
  const [row] = await sql<{ attempts: number }[]>`
    select attempts from private.work_items where subject_id = ${id} order by run desc limit 1`;
  return row?.attempts ?? 0;
}

/** Makes the pending work item of a subject due now instead of after its back-off. */
async function endBackOff(id: string): Promise<void> {
  await sql`update private.work_items set visible_at = now()
             where subject_id = ${id} and state = 'pending' and lease_token is null`;
}

async function waitHurried(id: string, status: Spec['status']): Promise<Spec> {
  return poll(`${id} becomes ${status}`, async () => {
    const spec = await readSpec(admin, id);
    if (spec.status !== status) await endBackOff(id);
    return spec.status === status && spec;
  });
}

describe.concurrent('the workflow service', () => {
  test('the workflow service counts the sections of an upload, and the spec completes', async () => {
    const files = [await makePdf({ sections: 7 }), await makePdf({ sections: 3, outline: false })];
    const ids = await Promise.all(files.map((file) => upload(admin, { file })));
    const specs = await Promise.all(ids.map((id) => waitForStatus(admin, id, 'completed')));
    expect(specs.map(({ sectionsCount }) => sectionsCount)).toEqual([7, 3]);
    for (const spec of specs) {
      expect(spec).toMatchObject({
        error: null,
        attempts: [{ attempt: 1, status: 'completed', error: null }],
      });
      expect(spec.attempts[0]?.finishedAt).toBeTruthy();
    }
    for (const state of await specStates(sql, ids)) {
      expect(state).toMatchObject({
        spec: 'completed',
        document: 'completed',
        job: 'completed',
        work: 'done',
      });
    }
  });

  test('a failure that the workflow service reports keeps its reason, and a retry then completes', async () => {
    const id = await upload(admin, { propertyName: 'Hotel [fail-once]' });
    const failed = await waitForStatus(admin, id, 'failed');
    expect(failed.error).toBe('the workflow was told to fail');
    expect(attempts(failed)).toEqual([[1, 'failed']]);
    const response = await retry(id);
    expect(response.body, excerpt(response)).toEqual({ specUploadId: id, status: 'pending' });
    expect(response.headers.get('location')).toBe(`/api/admin/specs/${id}`);
    const completed = await waitForStatus(admin, id, 'completed');
    expect(completed).toMatchObject({ error: null, sectionsCount: 2 });
    expect(attempts(completed)).toEqual([
      [1, 'failed'],
      [2, 'completed'],
    ]);
    expect(expectProblem(await retry(id), 'state_conflict').currentStatus).toBe('completed');
  });

  test('a completed spec can be processed again, but not while it is being processed', async () => {
    const again = (specUploadId: string) =>
      admin('/api/admin/specs/process-again', { json: { specUploadId } });
    const [id, silent] = await Promise.all([upload(admin), upload(admin, { propertyName: '[silent]' })]);
    await waitForStatus(admin, id, 'completed');
    const response = await again(id);
    expect([response.status, response.body]).toEqual([202, { specUploadId: id, status: 'pending' }]);
    expect(response.headers.get('location')).toBe(`/api/admin/specs/${id}`);
    const spec = await waitForStatus(admin, id, 'completed');
    expect(attempts(spec)).toEqual([
      [1, 'completed'],
      [2, 'completed'],
    ]);
    await waitForStatus(admin, silent, 'processing');
    expect(expectProblem(await again(silent), 'state_conflict').currentStatus).toBe('processing');
  });

  test('a spec that the workflow service refuses fails at once', async () => {
    const id = await upload(admin, { propertyName: 'Hotel [refuse]' });
    const spec = await waitForStatus(admin, id, 'failed');
    expect(spec.error).toMatch(/rejected .* 422/);
    expect(await triesOf(id)).toBe(1);
    expect(await specStates(sql, [id])).toMatchObject([{ work: 'dead', error_code: 'refused' }]);
  });

  async function expectSentAgain(mode: string): Promise<void> {
    const id = await upload(admin, { propertyName: `Hotel [${mode}-once]` });
    await poll('a second try', async () => {
      await endBackOff(id);
      return (await triesOf(id)) >= 2;
    });
    if (mode !== 'flaky') {
      // With `unavailable` and `reset`, every trigger of the first run fails. A manual retry completes the spec.
      await sql`update private.work_items set attempts = max_attempts where subject_id = ${id} and lease_token is null`;
      await poll('the trigger is given up', async () => {
        await sql`update private.work_items set attempts = max_attempts, visible_at = now() - interval '1 minute'
                   where subject_id = ${id} and state = 'pending' and lease_token is null`;
        await tick();
        return (await readSpec(admin, id)).status === 'failed';
      });
      expect((await retry(id)).status).toBe(202);
    }
    expect((await waitHurried(id, 'completed')).retrying).toBeNull();
  }
  test.each(['flaky'])('a trigger that fails (%s) is sent again', expectSentAgain);
  test.each(['unavailable', 'reset'])(
    'a trigger that fails (%s) is sent again',
    { tags: ['extended'] },
    expectSentAgain,
  );

  test('a trigger that is sent again has the names that its run started with, although the spec was edited', async () => {
    const id = await upload(admin, { propertyName: 'Hotel [unavailable]' });
    await poll('the first try', async () => (await triesOf(id)) === 1);
    const json = { specUploadIds: [id], propertyName: 'Hotel [refuse]' };
    expect((await admin('/api/admin/specs/batch/edit', { json })).status).toBe(200);
    // If the second try sent the new name, the service would refuse the trigger, and there would be no third try.
    await poll('a third try', async () => {
      await endBackOff(id);
      return (await triesOf(id)) >= 3;
    });
    expect(await readSpec(admin, id)).toMatchObject({ status: 'pending', propertyName: 'Hotel [refuse]' });
  });

  test('a trigger is not sent again before the time in Retry-After', async () => {
    const id = await upload(admin, { propertyName: 'Hotel [unavailable]' });
    await poll('the first try', async () => (await triesOf(id)) === 1);
    const wait = await poll('the back-off', async () => {
      const [row] = await sql<{ s: number }[]>`
        select extract(epoch from visible_at - clock_timestamp())::float as s from private.work_items
         where subject_id = ${id} and lease_token is null`;
      return row?.s;
    });
    expect(wait).toBeGreaterThan(0.3);
    await admin(`/api/admin/specs/${id}`, { method: 'DELETE' });
  });

  test('a trigger survives a restart of the service, which is unreachable, then starting, then without its workflow, then ready', {
    tags: ['extended'],
  }, async () => {
    const id = await upload(admin, { propertyName: 'Hotel [restarting]' });
    const spec = await waitHurried(id, 'completed');
    expect(attempts(spec)).toEqual([[1, 'completed']]);
    const sent = await sql<{ outcome: string; reason: string | null }[]>`
      select outcome, reason from private.trigger_events where subject_id = ${id} order by attempt`;
    expect(sent.map(({ outcome, reason }) => reason ?? outcome)).toEqual([
      'The workflow service could not be reached.',
      'The workflow service returned HTTP 200, but it is still starting.',
      'The workflow service returned HTTP 404.',
      'The workflow service returned HTTP 404.',
      'accepted',
    ]);
    const reports = await sql`select outcome from private.callback_events where subject_id = ${id}`;
    expect(reports).toEqual([{ outcome: 'applied' }]);
  });

  test('a trigger whose response is lost is sent again with the same id, and its result counts once', async () => {
    const id = await upload(admin, { propertyName: 'Hotel [lost-response]' });
    const spec = await waitHurried(id, 'completed');
    expect(attempts(spec)).toEqual([[1, 'completed']]);
  });

  test.each([
    ['fast', 'completed', ['applied']],
    ['twice', 'completed', ['applied', 'duplicate']],
    ['conflict', 'completed', ['applied', 'conflict']],
    ['stale-run', 'completed', ['refused', 'applied']],
    ['garbage', 'completed', ['refused', 'applied']],
    ['numbers-as-text', 'completed', ['applied']],
    ['list', 'completed', ['applied']],
    ['completed', 'completed', ['applied']],
    ['bad-section', 'completed', ['applied']],
  ] as const)(
    'a workflow service that reports in the mode "%s" leaves one result',
    async (mode, status, outcomes) => {
      const id = await upload(admin, { propertyName: `Hotel [${mode}]` });
      const spec = await waitForStatus(admin, id, status);
      expect(spec.sectionsCount).toBe(2);
      const events = await poll('all reports', async () => {
        const rows = await sql<{ outcome: string }[]>`
        select outcome from private.callback_events where subject_id = ${id} order by received_at`;
        return rows.length >= outcomes.length && rows.map(({ outcome }) => outcome);
      });
      expect(events).toEqual(outcomes);
      expect((await readSpec(admin, id)).statusSeq).toBe(spec.statusSeq);
    },
  );

  test('a report with a wrong secret changes nothing', async () => {
    const id = await upload(admin, { propertyName: 'Hotel [wrong-secret]' });
    const fake = env.SPEC_WORKFLOW_URL?.replace(/\/spec$/, '/control') ?? '';
    await poll('the report was refused', async () => {
      const control = (await (await fetch(fake)).json()) as {
        callbacks: { subject: string; status: number }[];
      };
      return control.callbacks.some(({ subject, status }) => subject === id && status === 401);
    });
    expect(await readSpec(admin, id)).toMatchObject({ status: 'processing', sectionsCount: null });
  });
});

describe.concurrent('a deadline', () => {
  async function timedOut(): Promise<string> {
    const id = await upload(admin, { propertyName: 'Hotel [silent]' });
    await waitForStatus(admin, id, 'processing');
    await sql`update public.spec_uploads set deadline_at = now() - interval '1 second' where id = ${id}`;
    await waitForStatus(admin, id, 'failed');
    return id;
  }

  test('a spec whose deadline passes fails, and a late success corrects it', async () => {
    const id = await timedOut();
    expect(await specStates(sql, [id])).toMatchObject([
      { error_code: 'timeout', document: 'failed', job: 'failed' },
    ]);
    expect((await readSpec(admin, id)).error).toMatch(/did not call back/);
    const late = await sendReport(id, { status: 'failed', error: 'late' }, 1);
    expect(late.body).toEqual({ received: true, applied: false, status: 'failed', reason: 'late' });
    // A count that is not a whole number does not invalidate a report.
    expect((await sendReport(id, { status: 'completed', sections_count: 4.6 }, 1)).body).toEqual({
      received: true,
      applied: true,
      status: 'completed',
      notes: ['sections_count was changed from 4.6 to 5.'],
    });
    expect(await readSpec(admin, id)).toMatchObject({ status: 'completed', sectionsCount: 5, error: null });
    expect(await specStates(sql, [id])).toMatchObject([{ document: 'completed', job: 'completed' }]);
  });

  test('a report on a run that timed out does not change the run of the retry', async () => {
    const id = await timedOut();
    expect((await retry(id)).status).toBe(202);
    const stale = await sendReport(id, { status: 'completed', sections_count: 9 }, 1);
    expect(stale.body).toMatchObject({ received: true, applied: false, reason: 'stale_run' });
    expect(['pending', 'processing']).toContain(callbackResponse.parse(stale.body).status);
    const { sectionsCount, deadlineAt, createdAt } = await waitForStatus(admin, id, 'processing');
    expect(sectionsCount).toBeNull();
    expect(Date.parse(deadlineAt ?? '') - Date.parse(createdAt)).toBeGreaterThan(29 * 60_000);
  });
});

describe('deleting', () => {
  const remove = (id: string) => admin(`/api/admin/specs/${id}`, { method: 'DELETE' });

  test('deleting a spec removes its rows, its work and its file, even while it is being processed', async () => {
    const id = await upload(admin, { propertyName: 'Hotel [silent]' });
    const { url: file } = await waitForStatus(admin, id, 'processing');
    const folder = `nordlys/${id}`;
    expect(await objectsBelow(sql, folder)).toHaveLength(1);
    const response = await remove(id);
    expect([response.status, response.text]).toEqual([204, '']);
    expect(await objectsBelow(sql, folder)).toEqual([]);
    expect((await fetch(file ?? '')).ok).toBe(false);
    const [left] = await sql`
      select (select count(*) from public.spec_uploads where id = ${id}) + (select count(*) from public.documents
        where storage_path like ${`%${id}%`}) + (select count(*) from public.upload_jobs where spec_upload_id = ${id})
        + (select count(*) from private.work_items where subject_id = ${id}) as n`;
    expect(Number(left?.n)).toBe(0);
    expectProblem(await sendReport(id, { status: 'completed' }, 1), 'not_found');
    expectProblem(await remove(id), 'not_found');
    expectProblem(await retry(id), 'not_found');
    expectProblem(await admin(`/api/admin/specs/${id}`), 'not_found');
  });

  test('the file of a deleted spec can be uploaded again', async () => {
    const file = await makePdf({ sections: 1 });
    const first = await upload(admin, { file, propertyName: '[silent]' });
    await remove(first);
    expect(await upload(admin, { file, propertyName: '[silent]' })).not.toBe(first);
  });
});

test('a signed URL gives access to its file only, not to other files or to the list of a bucket', async () => {
  const id = await upload(admin, { propertyName: '[silent]' });
  const other = await upload(admin, { propertyName: '[silent]' });
  const { url: file } = await readSpec(admin, id);
  const client = createClient(
    env.NEXT_PUBLIC_SUPABASE_URL ?? '',
    env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? '',
  );
  expect((await client.storage.from('specs').list('nordlys')).data ?? []).toEqual([]);
  expect((await fetch(file ?? '')).ok).toBe(true);
  expect((await fetch(file?.replace(id, other) ?? '')).ok).toBe(false);
  expect((await fetch(file?.replace(/\?.*/, '') ?? '')).ok).toBe(false);
});
