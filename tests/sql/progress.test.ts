import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { claimFor, makeSpec, specState } from './support/make-spec';
import { signedIn } from './support/sessions';

let db: TestDatabase;
let project: string;
const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);

beforeAll(async () => {
  console.log(`seed of the progress reports: ${seed}`);
  db = await createTestDatabase();
  const [row] = await db.sql<{ id: string }[]>`insert into public.projects (name) values ('P') returning id`;
  project = row?.id ?? '';
});
afterAll(() => db?.drop());

async function startJob(): Promise<string> {
  const [row] = await db.sql`select public.create_image_job(null, ${project}, 'A lobby') as answer`;
  return row?.answer.job_id;
}

const outputsOf = (ids: string[]) =>
  ids.map((id) => ({
    variant_id: id,
    path: `images/jobs/1/${id}`,
    thumb_path: null,
    meta: null,
    width: 1,
    height: 1,
  }));

type Report = { progress?: number; note?: string; ids?: string[]; run?: number | null };

/** Reports on a run as the app does: first the progress, then the outputs if the run is still in progress. */
async function report(job: string, { progress, note, ids = [], run = 1 }: Report): Promise<string> {
  const [row] = await db.sql`
    select public.report_image_progress(${job}, 600, 3600, ${run}, ${progress ?? null}, ${note ?? null}) as answer`;
  if (row?.answer.outcome !== 'applied' || ids.length === 0) return row?.answer.outcome;
  const [added] = await db.sql`
    select public.add_image_outputs(${job}, ${row.answer.run}, ${db.sql.json(outputsOf(ids))}) as answer`;
  return added?.answer.outcome;
}

async function finish(job: string, status: 'succeeded' | 'failed', ids: string[]): Promise<string> {
  const outputs = status === 'succeeded' ? db.sql.json(outputsOf(ids)) : null;
  const [row] = await db.sql`
    select public.apply_image_callback(${job}, ${status}, 1, ${outputs},
      ${status === 'failed' ? 'no light' : null}) as answer`;
  return row?.answer.outcome;
}

async function stateOf(job: string) {
  const [row] = await db.sql`
    select j.status, j.progress, j.note, j.error, r.status as ran, w.state as work
      from public.image_jobs j
      join public.image_runs r on r.job_id = j.id and r.run = j.run
      join private.work_items w on w.subject_id = j.id and w.run = j.run
     where j.id = ${job}`;
  const variants = await db.sql`
    select variant_id, path, position::int from public.image_variants where job_id = ${job} order by position`;
  return { ...row, variants: variants.map((variant) => ({ ...variant })) };
}

describe('an image run under way', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
  const reports = fc.array(
    fc.record({
      progress: fc.option(
        fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
        { nil: undefined },
      ),
      note: fc.constantFrom(undefined, 'Drawing', 'Enlarging'),
      ids: fc.subarray(ids),
    }),
    { minLength: 1, maxLength: 6 },
  );
  const stories = fc
    .record({
      reports,
      status: fc.constantFrom('succeeded' as const, 'failed' as const),
      /** Outputs listed in the success report, which may omit some that were reported earlier. */
      listed: fc.shuffledSubarray(ids),
    })
    .chain((story) =>
      fc.record({
        story: fc.constant(story),
        // Each report arrives at least once before the run ends. Repeated reports arrive before and after the run ends.
        order: fc.array(fc.nat({ max: story.reports.length - 1 }), { maxLength: 6 }).chain((twice) =>
          fc.shuffledSubarray([...story.reports.keys(), ...twice], {
            minLength: story.reports.length + twice.length,
          }),
        ),
        late: fc.array(fc.nat({ max: story.reports.length - 1 }), { maxLength: 3 }),
      }),
    );

  test('an image run has the same result regardless of the order of its reports and of how often they are repeated', async () => {
    await fc.assert(
      fc.asyncProperty(stories, async ({ story, order, late }) => {
        const sendReport = async (indexes: number[]) => {
          const job = await startJob();
          for (const index of indexes) {
            expect(await report(job, story.reports[index] ?? {})).toBe('applied');
          }
          expect(await finish(job, story.status, story.listed)).toBe('applied');
          return job;
        };
        const inOrder = await sendReport([...story.reports.keys()]);
        const wild = await sendReport(order);
        for (const index of late) expect(await report(wild, story.reports[index] ?? {})).toBe('late');
        await finish(wild, story.status, story.listed);
        const end = await stateOf(wild);
        expect(end).toEqual(await stateOf(inOrder));
        const brought = new Set(story.reports.flatMap((each) => each.ids));
        if (story.status === 'succeeded') for (const id of story.listed) brought.add(id);
        expect(end).toMatchObject({ status: story.status, progress: null, note: null, work: 'done' });
        expect(new Set(end.variants.map(({ variant_id }) => variant_id))).toEqual(brought);
        expect(end.variants.map(({ position }) => position)).toEqual(end.variants.map((_, i) => i + 1));
      }),
      { seed, numRuns: 30 },
    );
  });

  test('an image run starts with its first report, which closes its trigger; a report without a run does neither', async () => {
    const job = await startJob();
    await report(job, { progress: 0.1, run: null });
    expect(await stateOf(job)).toMatchObject({ status: 'queued', progress: 0.1, work: 'pending' });
    await report(job, { progress: 0.2 });
    expect(await stateOf(job)).toMatchObject({
      status: 'running',
      ran: 'running',
      progress: 0.2,
      work: 'done',
    });
  });

  test('a report with less progress changes neither the progress nor the note of an image run, but its outputs count', async () => {
    const job = await startJob();
    await report(job, { progress: 0.6, note: 'Enlarging', ids: ['b'] });
    await report(job, { progress: 0.3, note: 'Drawing', ids: ['a'] });
    expect(await stateOf(job)).toMatchObject({ progress: 0.6, note: 'Enlarging', variants: [{}, {}] });
    await report(job, { note: 'Almost done' });
    expect(await stateOf(job)).toMatchObject({ progress: 0.6, note: 'Almost done' });
  });

  test('the sequence number of an image run increases for visible changes only', async () => {
    const job = await startJob();
    const sequence = async () =>
      (await db.sql`select status_seq from public.image_jobs where id = ${job}`)[0]?.status_seq;
    await report(job, { progress: 0.5, note: 'Drawing', ids: ['a'] });
    const before = await sequence();
    await report(job, { progress: 0.5, note: 'Drawing', ids: ['a'] });
    await report(job, { progress: 0.4 });
    expect(await sequence()).toBe(before);
    await report(job, { progress: 0.6 });
    expect(await sequence()).not.toBe(before);
  });

  test('an image run that fails keeps its images', async () => {
    const job = await startJob();
    await report(job, { ids: ['a', 'b'] });
    const [row] = await db.sql`select public.apply_image_callback(${job}, 'failed', 1) as answer`;
    expect(row?.answer).toMatchObject({ outcome: 'applied', status: 'failed', kept: 2 });
    expect(await stateOf(job)).toMatchObject({ status: 'failed', variants: [{}, {}] });
  });

  test('an image run cannot have more than 32 images', async () => {
    const job = await startJob();
    const many = Array.from({ length: 40 }, (_, i) => `v${i + 10}`);
    await report(job, { ids: many.slice(0, 20) });
    await report(job, { ids: many.slice(10) });
    const { variants } = await stateOf(job);
    expect(variants.map(({ variant_id }) => variant_id)).toEqual(many.slice(0, 32));
  });

  test('the progress of an image run is not changed by a report on another run or after a cancel', async () => {
    const job = await startJob();
    await db.sql`select public.cancel_image_job(${job})`;
    expect(await report(job, { progress: 0.5, ids: ['a'] })).toBe('canceled');
    await db.sql`select public.retry_image_job(${job})`;
    expect(await report(job, { progress: 0.5, ids: ['a'] })).toBe('stale_run');
    expect(await report(job, { progress: 0.5, run: 3 })).toBe('unknown_run');
    expect(await stateOf(job)).toMatchObject({ status: 'queued', progress: null, variants: [] });
    const [added] = await db.sql`
      select public.add_image_outputs(${job}, 1, ${db.sql.json(outputsOf(['a']))}) as answer`;
    expect(added?.answer.outcome).toBe('stale_run');
    expect(await report('00000000-0000-4000-8000-00000000dead', {})).toBe('not_found');
  });

  test('reports extend the deadline of an image run, but not beyond an hour after its start', async () => {
    const job = await startJob();
    await report(job, {});
    const deadline = async (started: string) => {
      await db.sql`update public.image_jobs set started_at = now() - ${started}::interval,
        deadline_at = now() + interval '1 minute' where id = ${job}`;
      await report(job, {});
      const [row] = await db.sql`select deadline_at = started_at + interval '1 hour' as is_limit,
        deadline_at > now() + interval '1 minute' as is_later from public.image_jobs where id = ${job}`;
      return { ...row };
    };
    expect(await deadline('20 minutes')).toEqual({ is_limit: false, is_later: true });
    expect(await deadline('58 minutes')).toEqual({ is_limit: true, is_later: true });
    // A deadline is never moved to an earlier time.
    expect(await deadline('2 hours')).toEqual({ is_limit: false, is_later: false });
  });

  test('reports on an image run that are too frequent are ignored', async () => {
    const job = await startJob();
    await report(job, { progress: 0.1 });
    await db.sql`update private.rate_buckets set tat = now() + interval '1 hour'
                  where key = ${`progress:image:${job}:1`}`;
    expect(await report(job, { progress: 0.2, ids: ['a'] })).toBe('too_often');
    expect(await stateOf(job)).toMatchObject({ progress: 0.1, variants: [] });
  });

  test('all reports on an image run that have the same outcome share one event', async () => {
    const job = await startJob();
    for (const progress of [0.1, 0.2, 0.45]) await report(job, { progress, note: 'Drawing' });
    await finish(job, 'succeeded', ['a']);
    await report(job, { progress: 0.9 });
    await report(job, { progress: 1 });
    const events = await db.sql`
      select status, outcome, reason from private.callback_events where subject_id = ${job} order by received_at`;
    expect(events.map((event) => ({ ...event }))).toEqual([
      { status: 'running', outcome: 'applied', reason: '45%: Drawing' },
      { status: 'succeeded', outcome: 'applied', reason: null },
      { status: 'running', outcome: 'late', reason: '100%' },
    ]);
  });
});

describe('a spec that is being processed', () => {
  const sendReport = async (id: string, progress: number | null, note: string | null = null, run = 1) =>
    (
      await db.sql`select public.report_spec_progress(${id}, 1800, 7200, ${run}, ${progress}, ${note}) as answer`
    )[0]?.answer;
  const progressOf = async (id: string) => ({
    ...(await db.sql`select progress, note from public.specs where id = ${id}`)[0],
  });

  test('a spec starts with its first report, and its progress never decreases', async () => {
    const id = await makeSpec(db.sql);
    expect(await sendReport(id, 0.5, 'Reading')).toMatchObject({ outcome: 'applied', status: 'processing' });
    expect(await specState(db.sql, id)).toMatchObject({
      status: 'processing',
      document: 'processing',
      job: 'processing',
      work: 'done',
    });
    await sendReport(id, 0.2, 'Opening https://files.example.com/a.pdf?token=abc');
    expect(await progressOf(id)).toEqual({ progress: 0.5, note: 'Reading' });
    await sendReport(id, 0.5, 'Reading https://files.example.com/a.pdf?token=abc');
    expect(await progressOf(id)).toEqual({ progress: 0.5, note: 'Reading https://files.example.com/a.pdf' });
  });

  test('of two executions that report a run at once, one takes it and the other gets duplicate', async () => {
    const id = await makeSpec(db.sql);
    const reportAs = async (execution: string, run = 1) =>
      (
        await db.sql`
          select public.report_spec_progress(${id}, 1800, 7200, ${run}, p_execution => ${execution}) as answer`
      )[0]?.answer.outcome;
    const names = ['a', 'b', 'c', 'd', 'e'];
    const outcomes = await Promise.all(names.map((name) => reportAs(name)));
    expect([...outcomes].sort()).toEqual(['applied', ...Array(4).fill('duplicate')]);
    const owner = names[outcomes.indexOf('applied')] ?? '';
    expect(await reportAs(owner)).toBe('applied');
    expect(await sendReport(id, 0.5)).toMatchObject({ outcome: 'applied' });
    expect(await reportAs(owner === 'a' ? 'b' : 'a')).toBe('duplicate');
    await db.sql`select public.apply_spec_callback(${id}, 'failed', 1, null, 'no text')`;
    await db.sql`select public.retry_spec(${id})`;
    expect(await reportAs('another', 2)).toBe('applied');
  });

  test('of two executions that report a run of an image at once, one takes it', async () => {
    const id = await startJob();
    const outcomes = await Promise.all(
      ['a', 'b'].map((name) =>
        db.sql`select public.report_image_progress(${id}, 600, 3600, 1, p_execution => ${name}) as answer`.then(
          ([row]) => row?.answer.outcome,
        ),
      ),
    );
    expect(outcomes.sort()).toEqual(['applied', 'duplicate']);
  });

  test('the progress of a spec is not changed by a report after its end, and a retry starts without progress', async () => {
    const id = await makeSpec(db.sql);
    await sendReport(id, 0.5, 'Reading');
    await db.sql`select public.apply_spec_callback(${id}, 'failed', 1, null, 'no text')`;
    expect(await progressOf(id)).toEqual({ progress: null, note: null });
    expect(await sendReport(id, 0.6)).toMatchObject({ outcome: 'late', status: 'failed' });
    await db.sql`select public.retry_spec(${id})`;
    expect(await sendReport(id, 0.7)).toMatchObject({ outcome: 'stale_run', status: 'pending' });
    expect(await progressOf(id)).toEqual({ progress: null, note: null });
  });

  test('a spec keeps its progress when the 2xx of its trigger is handled after a report', async () => {
    const id = await makeSpec(db.sql);
    const item = await claimFor(db.sql, id);
    await sendReport(id, 0.5);
    await db.sql`select public.work_dispatched(${item.id}, ${item.lease_token}, now())`;
    expect(await specState(db.sql, id)).toMatchObject({ status: 'processing', work: 'done' });
    expect(await progressOf(id)).toMatchObject({ progress: 0.5 });
    const [row] = await db.sql`select deadline_at > now() as ahead from public.specs where id = ${id}`;
    expect(row?.ahead).toBe(true);
  });
});

test('members of the project see that the workflow service does not accept a run, until it does', async () => {
  const job = await startJob();
  const user = randomUUID();
  await db.sql`insert into auth.users (id, email) values (${user}, ${`${user}@atelier.test`})`;
  await db.sql`insert into public.project_members (project_id, user_id, role) values (${project}, ${user}, 'viewer')`;
  const retrying = () =>
    signedIn(db.sql, user, async (sql) => {
      const [row] =
        await sql`select retrying, status_seq::int as seq from public.image_job_rows where id = ${job}`;
      return row;
    });
  const claim = async () => {
    await db.sql`update private.work_items set visible_at = now() where subject_id = ${job} and state = 'pending'`;
    const items = await db.sql`select * from public.work_claim(array['image_dispatch'], 'w', 100, 30)`;
    const item = items.find(({ subject_id }) => subject_id === job);
    return [item?.id, item?.lease_token] as const;
  };
  const before = await retrying();
  expect(before?.retrying).toBeNull();
  const [id, lease] = await claim();
  expect((await retrying())?.retrying).toBeNull();
  await db.sql`select public.work_failed(${id}, ${lease}, 'unreachable', 'HTTP 500', true)`;
  const nextAttemptAt = expect.any(String);
  expect(await retrying()).toEqual({
    retrying: { attempt: 2, maxAttempts: 14, nextAttemptAt },
    seq: before?.seq + 1,
  });
  const [, second] = await claim();
  expect((await retrying())?.retrying).toEqual({ attempt: 2, maxAttempts: 14, nextAttemptAt: null });
  await db.sql`select public.work_dispatched(${id}, ${second}, now() + interval '10 minutes')`;
  expect((await retrying())?.retrying).toBeNull();
});

test('administrators see that the workflow service does not accept a spec, and why, until it does', async () => {
  const id = await makeSpec(db.sql);
  const users = { admin: randomUUID(), member: randomUUID() };
  for (const user of Object.values(users)) {
    await db.sql`insert into auth.users (id, email) values (${user}, ${`${user}@atelier.test`})`;
  }
  await db.sql`update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = ${users.admin}`;
  const specs = (role: keyof typeof users) =>
    signedIn(
      db.sql,
      users[role],
      async (sql) => {
        const [row] = await sql`select public.read_spec(${id}) as read,
          jsonb_path_query_first(public.find_specs(), '$.specs[*].spec ? (@.id == $id)',
            jsonb_build_object('id', ${id}::text)) as found`;
        return [row?.read, row?.found];
      },
      role,
    );
  const expectRetrying = async (retrying: unknown) => {
    const [read, found] = await specs('admin');
    expect(read.retrying).toEqual(retrying);
    expect(found).toEqual(read);
  };
  const claim = async () => {
    await db.sql`update private.work_items set visible_at = now() where subject_id = ${id} and state = 'pending'`;
    return claimFor(db.sql, id);
  };
  const first = await claim();
  await expectRetrying(null);
  const { status_seq: seq } = await specState(db.sql, id);
  const error = 'GET http://n8n.example/hook?token=1 gave HTTP 500.';
  await db.sql`select public.work_failed(${first.id}, ${first.lease_token}, 'unreachable', ${error}, true)`;
  // The change of `status_seq` causes a broadcast.
  expect(await specState(db.sql, id)).toMatchObject({ status: 'pending', status_seq: seq + 1 });
  const reason = 'GET http://n8n.example/hook gave HTTP 500.';
  const [item] =
    await db.sql`select to_jsonb(visible_at) as at from private.work_items where subject_id = ${id}`;
  const retrying = { attempt: 2, maxAttempts: 14, reason };
  await expectRetrying({ ...retrying, nextAttemptAt: item?.at });
  expect(await specs('member')).toEqual([null, null]);

  const second = await claim();
  await expectRetrying({ ...retrying, nextAttemptAt: null });
  await db.sql`select public.work_dispatched(${second.id}, ${second.lease_token}, now() + interval '10 minutes')`;
  await expectRetrying(null);
});
