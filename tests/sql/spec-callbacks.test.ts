import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { claimFor, makeSpec, specState } from './support/make-spec';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

async function callback(id: string, status: 'completed' | 'failed', run: number | null = null, extra = 7) {
  const [row] = await db.sql`
    select public.apply_spec_callback(${id}, ${status}, ${run}, ${status === 'completed' ? extra : null},
      ${status === 'failed' ? 'no text' : null}) as answer`;
  return row?.answer.outcome;
}
const timeOut = async (id: string, code = 'timeout') => {
  const item = await claimFor(db.sql, id);
  await db.sql`select public.work_failed(${item.id}, ${item.lease_token}, ${code}, 'gave up', false)`;
};

describe('apply_spec_callback', () => {
  test('a report on a spec applies once; repeats and contradictions change nothing', async () => {
    const id = await makeSpec(db.sql);
    expect(await callback(id, 'completed', 1)).toBe('applied');
    const after = await specState(db.sql, id);
    expect(after).toMatchObject({
      status: 'completed',
      document: 'completed',
      job: 'completed',
      sections_count: 7,
      work: 'done',
    });
    expect(await callback(id, 'completed', 1, 9)).toBe('duplicate');
    expect(await callback(id, 'failed', 1)).toBe('conflict');
    expect(await specState(db.sql, id)).toEqual(after);
  });

  test('a report on a spec without a run counts for the current one', async () => {
    const id = await makeSpec(db.sql);
    expect(await callback(id, 'failed')).toBe('applied');
    expect(await specState(db.sql, id)).toMatchObject({
      status: 'failed',
      error: 'no text',
      error_code: 'workflow_failed',
    });
    await db.sql`select public.retry_spec(${id})`;
    expect(await callback(id, 'completed')).toBe('applied');
    expect(await specState(db.sql, id)).toMatchObject({ status: 'completed', run: 2 });
  });

  test('the reason of a report is stored without the token of a signed URL', async () => {
    const id = await makeSpec(db.sql);
    const reason = 'GET https://files.example.com/a.pdf?token=abc&x=1 gave 403.';
    await db.sql`select public.apply_spec_callback(${id}, 'failed', 1, null, ${reason})`;
    expect(await specState(db.sql, id)).toMatchObject({
      error: 'GET https://files.example.com/a.pdf gave 403.',
    });
  });

  test('a report on an earlier run is stale, and one on a future run unknown', async () => {
    const id = await makeSpec(db.sql);
    await callback(id, 'failed', 1);
    await db.sql`select public.retry_spec(${id})`;
    expect(await callback(id, 'completed', 1)).toBe('stale_run');
    expect(await callback(id, 'completed', 3)).toBe('unknown_run');
    expect(await specState(db.sql, id)).toMatchObject({ status: 'pending', run: 2 });
  });

  test("a report may arrive before the trigger's 2xx is handled", async () => {
    const id = await makeSpec(db.sql);
    const item = await claimFor(db.sql, id);
    expect(await callback(id, 'completed', 1)).toBe('applied');
    const [response] =
      await db.sql`select public.work_dispatched(${item.id}, ${item.lease_token}, now()) as ours`;
    expect(response?.ours).toBe(false);
    expect((await specState(db.sql, id)).status).toBe('completed');
  });

  test.each(['timeout', 'unreachable'])(
    'a success corrects a failure of our own (%s) within a day',
    async (code) => {
      const id = await makeSpec(db.sql);
      await timeOut(id, code);
      expect(await callback(id, 'failed', 1)).toBe('late');
      expect(await callback(id, 'completed', 1)).toBe('applied');
      expect(await specState(db.sql, id)).toMatchObject({
        status: 'completed',
        error_code: null,
        error: null,
      });
    },
  );

  test('a success does not correct a refusal, a failure older than a day, or a run that was retried', async () => {
    const refused = await makeSpec(db.sql);
    await timeOut(refused, 'refused');
    expect(await callback(refused, 'completed', 1)).toBe('conflict');
    const old = await makeSpec(db.sql);
    await timeOut(old);
    await db.sql`update public.spec_uploads set finished_at = now() - interval '25 hours' where id = ${old}`;
    expect(await callback(old, 'completed', 1)).toBe('late');
    const retried = await makeSpec(db.sql);
    await timeOut(retried);
    await db.sql`select public.retry_spec(${retried})`;
    expect(await callback(retried, 'completed', 1)).toBe('stale_run');
  });

  test('a report on an unknown spec is not found', async () => {
    expect(await callback('00000000-0000-4000-8000-00000000dead', 'completed')).toBe('not_found');
  });

  test('the result of a report includes the status of the spec, whether it is applied or not', async () => {
    const id = await makeSpec(db.sql);
    const response = async (status: string, run: number) =>
      (await db.sql`select public.apply_spec_callback(${id}, ${status}, ${run}) as answer`)[0]?.answer;
    expect(await response('failed', 1)).toMatchObject({ outcome: 'applied', status: 'failed' });
    expect(await response('completed', 1)).toMatchObject({ outcome: 'conflict', status: 'failed' });
    await db.sql`select public.retry_spec(${id})`;
    expect(await response('completed', 1)).toMatchObject({ outcome: 'stale_run', status: 'pending' });
  });

  test('the first 10,000 characters of a reason are stored', async () => {
    const id = await makeSpec(db.sql);
    await db.sql`select public.apply_spec_callback(${id}, 'failed', 1, null, ${'x'.repeat(12_000)})`;
    expect((await specState(db.sql, id)).error).toHaveLength(10_000);
  });

  test('each report leaves an event', async () => {
    const id = await makeSpec(db.sql);
    await callback(id, 'completed', 1);
    await callback(id, 'completed', 1);
    const events =
      await db.sql`select outcome from private.callback_events where subject_id = ${id} order by received_at`;
    expect(events.map((row) => row.outcome)).toEqual(['applied', 'duplicate']);
  });
});

describe('retry_spec', () => {
  test('only a failed spec can be retried, and only one run is started', async () => {
    const id = await makeSpec(db.sql);
    const retry = async () => (await db.sql`select public.retry_spec(${id}) as answer`)[0]?.answer;
    expect(await retry()).toEqual({ outcome: 'conflict', status: 'pending' });
    await callback(id, 'failed', 1);
    const responses = await Promise.all(Array.from({ length: 5 }, retry));
    expect(responses.filter((response) => response.outcome === 'retried')).toHaveLength(1);
    expect(await specState(db.sql, id)).toMatchObject({
      run: 2,
      status: 'pending',
      document: 'pending',
      job: 'pending',
      work: 'pending',
    });
    const jobs =
      await db.sql`select run, status from public.upload_jobs where spec_upload_id = ${id} order by run`;
    expect(jobs.map((job) => [job.run, job.status])).toEqual([
      [1, 'failed'],
      [2, 'pending'],
    ]);
  });
});
