import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { sectionsResponse } from '@/lib/specs/sections/schema';
import { callbackResponse } from '@/lib/workflow/callback-schema';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { openDatabase, type SpecState, specStates } from '@/tests/app/support/database';
import { newAdmin } from '@/tests/app/support/people';
import { inParallel, poll } from '@/tests/app/support/poll';
import { readSpec, report, upload } from '@/tests/app/support/specs';
import { seededRandom } from '@/tests/fakes/workflow/modes';

const { url, env } = inject('atelier');
const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);
const random = seededRandom(seed);
const below = (n: number) => Math.floor(random() * n);

// `tests/sql/races.test.ts` tests hundreds of rounds in the database. This test sends fewer reports, but over HTTP.
const SPECS = 20;
/**
 * The number of different histories. For each history, one spec gets the reports in order, and `SPECS / HISTORIES`
 * other specs get the same reports together with reports that must be ignored.
 */
const HISTORIES = 10;
const RETRIED = 3;

let admin: Api;
let sql: Sql;

beforeAll(async () => {
  console.log(`seed of the callbacks: ${seed}`);
  admin = apiAt(url, (await newAdmin(env)).headers);
  sql = openDatabase();
});
afterAll(() => sql.end());

type Report = { id: string; run?: number; status: 'completed' | 'failed'; sections?: number; error?: string };
type Sent = Report & { forged?: boolean };

const send = ({ id, run, status, sections, error, forged }: Sent) =>
  report(
    apiAt(url),
    forged ? [undefined, '', 'x'.repeat(43), env.IMAGE_WEBHOOK_SECRET][below(4)] : env.WEBHOOK_SECRET,
    {
      spec_upload_id: id,
      status,
      ...(sections === undefined ? {} : { sections_count: sections }),
      ...(error === undefined ? {} : { error }),
    },
    run,
  );

/** Returns the result of a run as an honest service reports it; about one in four is a failure. */
function honest(id: string, run: number): Report {
  return below(4) === 0
    ? { id, run, status: 'failed', error: `reason ${below(1000)}` }
    : { id, run, status: 'completed', sections: below(50) };
}

function shuffled<T>(items: T[]): T[] {
  const order = items.map((item) => ({ item, at: random() }));
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

/**
 * Returns a random choice of reports to send after the true report on a run: repeats, contradictions, forged reports,
 * and reports about the previous run or a run that has not started. None of them may change the result of the run.
 */
function noise(truth: Report, run: number): Sent[] {
  const { id } = truth;
  const other = truth.status === 'completed' ? 'failed' : 'completed';
  return shuffled<Sent>([
    truth,
    { ...truth },
    { ...truth, run: undefined },
    { ...truth, sections: 999 },
    { id, run, status: other, sections: 77, error: 'contradiction' },
    { id, run: run + 1 + below(3), status: other, sections: 55 },
    ...(run > 1 ? [{ id, run: run - 1, status: other, sections: 33 } as const] : []),
    { id, run, status: other, sections: 11, forged: true },
    { id, status: other, forged: true },
  ]).slice(0, 3 + below(5));
}

/** Returns reports to send before the true report on a run. None of them may be taken for the true report. */
function early(id: string, run: number): Sent[] {
  return shuffled<Sent>([
    { id, run: run + 1, status: 'completed', sections: 66 },
    { id, run, status: 'failed', error: 'forged', forged: true },
    ...(run > 1 ? [{ id, run: run - 1, status: 'completed', sections: 44 } as const] : []),
  ]);
}

async function sendAll(reports: Sent[]): Promise<void> {
  for (const sent of reports) {
    const response = await send(sent);
    if (sent.forged) expectProblem(response, 'invalid_secret');
    else {
      expect(response.status, excerpt(response)).toBe(200);
      callbackResponse.parse(response.body);
    }
  }
}

const end = (states: SpecState[]) => states.map(({ id: _, ...state }) => state);

test(`reports on ${SPECS} specs in any order, doubled, late, stale, contradicting and forged have the same result as reports in order`, async () => {
  const make = (n: number) =>
    inParallel(Array.from({ length: n }), 6, () => upload(admin, { propertyName: 'Hotel [silent]' }));
  const inOrder = await make(HISTORIES);
  const wild = await make(SPECS);
  const truths = inOrder.map((id, i) =>
    i < RETRIED
      ? [{ id, run: 1, status: 'failed' as const, error: 'first try' }, honest(id, 2)]
      : [honest(id, 1)],
  );
  const retry = async (id: string) => {
    const response = await admin('/api/admin/specs/retry', { json: { specUploadId: id } });
    expect(response.status, excerpt(response)).toBe(202);
  };

  await inParallel(truths, 6, async ([first, second]) => {
    if (first) await sendAll([first]);
    if (!second) return;
    await retry(second.id);
    await sendAll([second]);
  });

  const lanes = wild.map((id, i) => truths[i % HISTORIES]?.map((truth) => ({ ...truth, id })) ?? []);
  await inParallel(shuffled(lanes), 8, async ([first, second]) => {
    if (!first) return;
    await sendAll([...early(first.id, 1), first]);
    await Promise.all(noise(first, 1).map((sent) => sendAll([sent])));
    if (!second) return;
    await retry(second.id);
    await sendAll(early(second.id, 2));
    // The true report of the second run races against more reports about the first run.
    await Promise.all([sendAll([second]), ...noise(first, 1).map((sent) => sendAll([{ ...sent, run: 1 }]))]);
    await Promise.all(noise(second, 2).map((sent) => sendAll([sent])));
  });

  const settled = async (ids: string[]) =>
    poll('all work items are closed', async () => {
      const states = await specStates(sql, ids);
      return states.every(({ work }) => work === 'done') && states;
    });
  const byInput = (states: SpecState[], ids: string[]) =>
    ids.map((id) => states.find((state) => state.id === id) as SpecState);
  const inOrderStates = byInput(await settled(inOrder), inOrder);
  const expected = wild.map((_, i) => inOrderStates[i % HISTORIES] as SpecState);
  const actual = byInput(await settled(wild), wild);

  expect(end(actual)).toEqual(end(expected));
  for (const state of actual) {
    expect([state.document, state.job]).toEqual([state.spec, state.spec]);
    expect(['completed', 'failed']).toContain(state.spec);
  }
  for (const ids of [inOrder, wild]) {
    const perHistory = ids.length / HISTORIES;
    const twice = await sql`
      select subject_id, run from private.callback_events
       where outcome = 'applied' and subject_id = any (${ids}) group by 1, 2 having count(*) <> 1`;
    expect(twice.length).toBe(0);
    const [applied] = await sql`
      select count(*)::int as n from private.callback_events where outcome = 'applied' and subject_id = any (${ids})`;
    expect(applied?.n).toBe(ids.length + RETRIED * perHistory);
  }
});

test('only one of several simultaneous reports on a run is applied, and all records agree', async () => {
  const ids = await inParallel(Array.from({ length: 6 }), 6, () =>
    upload(admin, { propertyName: 'Hotel [silent]' }),
  );
  await inParallel(ids, 4, async (id) => {
    const reports: Report[] = Array.from({ length: 6 }, (_, i) =>
      i % 2
        ? { id, run: 1, status: 'failed', error: `e${i}` }
        : { id, run: 1, status: 'completed', sections: i },
    );
    const responses = await Promise.all(shuffled(reports).map(send));
    const parsed = responses.map(({ body }) => callbackResponse.parse(body));
    expect(parsed.filter(({ applied }) => applied)).toHaveLength(1);
    for (const { applied, reason } of parsed) {
      if (!applied) expect(['duplicate', 'conflict']).toContain(reason);
    }
  });
  for (const state of await specStates(sql, ids)) {
    expect([state.document, state.job]).toEqual([state.spec, state.spec]);
    expect(state.spec === 'failed' ? state.error : state.sections).not.toBeNull();
  }
});

test('a report without a run number applies to the current run, and a report on an unknown spec gets 404', async () => {
  const id = await upload(admin, { propertyName: 'Hotel [silent]' });
  const response = await send({ id, status: 'completed', sections: 4 });
  expect(response.body).toEqual({ received: true, applied: true, status: 'completed' });
  const nobody = await send({ id: crypto.randomUUID(), status: 'completed' });
  expectProblem(nobody, 'not_found');
});

test('misnamed fields of a report are taken as they are meant, and slashes after the URL make no difference', async () => {
  const id = await upload(admin, { propertyName: 'Hotel [silent]' });
  const json = { specUploadId: id, status: 'completed', 'sections-count': 4 };
  const headers = { 'x-webhook-secret': env.WEBHOOK_SECRET ?? '' };
  const response = await apiAt(url)('/api/admin/specs/callback//', { json, headers });
  expect(response.body).toEqual({
    received: true,
    applied: true,
    status: 'completed',
    notes: ['specUploadId was taken as spec_upload_id.', 'sections-count was taken as sections_count.'],
  });
  expect(await readSpec(admin, id)).toMatchObject({ status: 'completed', sectionsCount: 4 });
});

test('a report on a spec that is being processed shows its progress until the result', async () => {
  const id = await upload(admin, { propertyName: '[silent]' });
  const sendReport = async (body: object) =>
    (await report(apiAt(url), env.WEBHOOK_SECRET, { spec_upload_id: id, ...body }, 1)).body;
  const running = { status: 'running', progress: 0.5, note: 'Reading page 3 of 6' };
  expect(await sendReport(running)).toEqual({ received: true, applied: true, status: 'processing' });
  const spec = await readSpec(admin, id);
  expect(spec).toMatchObject({ status: 'processing', progress: 0.5, note: 'Reading page 3 of 6' });
  expect([spec.startedAt, spec.progressAt, spec.deadlineAt]).not.toContain(null);
  expect(await sendReport({ status: 'completed', sections_count: 6 })).toMatchObject({ applied: true });
  expect(await sendReport(running)).toMatchObject({ applied: false, status: 'completed', reason: 'late' });
  expect(await readSpec(admin, id)).toMatchObject({ progress: null, note: null, sectionsCount: 6 });
});

test('a result with numbers as text and a bad section is applied without the bad section, and the response has notes', async () => {
  const id = await upload(admin, { propertyName: '[silent]' });
  const json = `[{"body":{"spec_upload_id":" =${id}","status":"SUCCESS ","sections_count":"12.5","sections":[
    {"title":"Curtains","page":"3","level":"1"},{"title":null},{"title":"Car\\u0000pets","page":0},"Lamps"]}}]`;
  const response = await apiAt(url)('/api/admin/specs/callback?run=1', {
    body: json,
    headers: { 'x-webhook-secret': env.WEBHOOK_SECRET ?? '' },
  });
  const notes = [
    'sections_count was changed from 12.5 to 13.',
    'Section 2 has no title and was left out.',
    'Section 3: page must be a whole number from 1 to 100,000 and was left out.',
  ];
  expect(response.body).toEqual({ received: true, applied: true, status: 'completed', notes });
  expect(await readSpec(admin, id)).toMatchObject({ status: 'completed', sectionsCount: 13 });
  const { sections } = sectionsResponse.parse((await admin(`/api/admin/specs/${id}/sections`)).body);
  expect(sections).toEqual([
    { title: 'Curtains', page: 3, level: 1, text: null },
    { title: 'Car\ufffdpets', page: null, level: 1, text: null },
    { title: 'Lamps', page: null, level: 1, text: null },
  ]);
});

test.each([
  [{ message: 'no text', code: 4 }, 'no text'],
  [['no text', 'no pages'], 'no text; no pages'],
])('a failure with the error %j ends the run of a spec that only the URL names', async (error, words) => {
  const id = await upload(admin, { propertyName: '[silent]' });
  const response = await apiAt(url)(`/api/admin/specs/callback?run=1&spec_upload_id=${id}`, {
    json: { status: 'failed', error },
    headers: { 'x-webhook-secret': env.WEBHOOK_SECRET ?? '' },
  });
  expect(response.body).toEqual({ received: true, applied: true, status: 'failed' });
  expect(await readSpec(admin, id)).toMatchObject({ status: 'failed', error: words });
});

test('the first execution that reports a spec takes it, and the id of an execution can be a number', async () => {
  const id = await upload(admin, { propertyName: '[silent]' });
  const reportAs = async (execution: unknown) => {
    const body = { spec_upload_id: id, status: 'running', execution };
    return (await report(apiAt(url), env.WEBHOOK_SECRET, body, 1)).body;
  };
  const response = { received: true, status: 'processing' };
  expect(await reportAs(17)).toEqual({ ...response, applied: true });
  expect(await reportAs('18')).toEqual({ ...response, applied: false, reason: 'duplicate' });
  expect(await reportAs('17')).toEqual({ ...response, applied: true });
  expect(await reportAs(undefined)).toEqual({ ...response, applied: true });
});
