import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { makeSpec } from './support/make-spec';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());
beforeEach(() => db.sql`delete from private.event_endpoints`);

const allTypes = [
  'spec.completed',
  'spec.failed',
  'image.succeeded',
  'image.failed',
  'export.completed',
  'export.failed',
];

async function addEndpoint(events: string[] = allTypes): Promise<string> {
  const [row] = await db.sql`
    select public.create_event_endpoint('Tracker', 'https://hooks.example/a', ${events}, 'whsec_x', 50) as answer`;
  return row?.answer.id;
}

/** Returns the types of a subject's events, oldest first. */
async function typesOf(subject: string): Promise<string[]> {
  const rows =
    await db.sql`select type from private.events where subject_id = ${subject} order by created_at, id`;
  return rows.map(({ type }) => type);
}

const reportSpec = (id: string, status: string, run = 1) =>
  db.sql`select public.apply_spec_callback(${id}, ${status}, ${run}, 3, 'no text')`;

async function makeImageJob(): Promise<string> {
  const [project] = await db.sql`insert into public.projects (name) values ('P') returning id`;
  const [row] = await db.sql`select public.create_image_job(null, ${project?.id}, 'a lobby') as answer`;
  return row?.answer.job_id;
}

async function makeExport(): Promise<string> {
  const [project] = await db.sql`insert into public.projects (name) values ('P') returning id`;
  const [row] = await db.sql`
    select public.create_export_job(null, ${project?.id}, '{}', '{}', ${'0'.repeat(64)}) as answer`;
  return row?.answer.job_id;
}

type Item = { id: string; subject_id: string; run: number; lease_token: string };

/** Claims all work items of a kind and returns the item of one subject. */
async function claim(kind: string, subject: string): Promise<Item> {
  await db.sql`update private.work_items set visible_at = now() where kind = ${kind} and state = 'pending'`;
  const items = await db.sql<Item[]>`select * from public.work_claim(array[${kind}], 'test', 1000, 30)`;
  const item = items.find((row) => row.subject_id === subject);
  if (!item) throw new Error('not claimed');
  return item;
}

/** Returns the only delivery of a subject's events. */
async function deliveryOf(subject: string) {
  const [row] = await db.sql`
    select d.* from private.event_deliveries d join private.events e on e.id = d.event_id where e.subject_id = ${subject}`;
  if (!row) throw new Error('no delivery');
  return row;
}

const shownDelivery = async (id: string) =>
  (await db.sql`select * from public.event_deliveries() where id = ${id}`)[0];

async function giveUp(delivery: string): Promise<void> {
  const item = await claim('event_delivery', delivery);
  await db.sql`select public.work_failed(${item.id}, ${item.lease_token}, 'refused', 'HTTP 410', false)`;
}

async function failedDelivery(): Promise<string> {
  const spec = await makeSpec(db.sql);
  await reportSpec(spec, 'completed');
  const { id } = await deliveryOf(spec);
  await giveUp(id);
  return id;
}

const endpointRow = async (id: string) =>
  (await db.sql`select * from public.event_endpoints() where id = ${id}`)[0];

describe('events', () => {
  test('a change of state writes one event, however often it is reported', async () => {
    await addEndpoint();
    const done = await makeSpec(db.sql);
    await Promise.all(['completed', 'completed', 'failed'].map((status) => reportSpec(done, status)));
    expect(await typesOf(done)).toHaveLength(1);
    const failed = await makeSpec(db.sql);
    await reportSpec(failed, 'failed');
    await db.sql`select public.retry_spec(${failed})`;
    await reportSpec(failed, 'completed', 1);
    await reportSpec(failed, 'completed', 2);
    expect(await typesOf(failed)).toEqual(['spec.failed', 'spec.completed']);
  });

  test('a late success writes an event after that of the timeout', async () => {
    await addEndpoint();
    const spec = await makeSpec(db.sql);
    const item = await claim('spec_dispatch', spec);
    await db.sql`select public.work_dispatched(${item.id}, ${item.lease_token}, now() - interval '1 minute')`;
    await db.sql`select public.work_reap()`;
    await reportSpec(spec, 'completed');
    expect(await typesOf(spec)).toEqual(['spec.failed', 'spec.completed']);
  });

  test('the end of an image job writes an event, but its cancellation does not', async () => {
    await addEndpoint();
    const [done, failed, canceled] = [await makeImageJob(), await makeImageJob(), await makeImageJob()];
    await db.sql`select public.apply_image_callback(${done}, 'succeeded', 1, '[]')`;
    await db.sql`select public.apply_image_callback(${failed}, 'failed', 1, null, 'no light')`;
    await db.sql`select public.cancel_image_job(${canceled})`;
    expect(await typesOf(done)).toEqual(['image.succeeded']);
    expect(await typesOf(failed)).toEqual(['image.failed']);
    expect(await typesOf(canceled)).toEqual([]);
  });

  test('the end of an export writes an event', async () => {
    await addEndpoint();
    const [done, failed] = [await makeExport(), await makeExport()];
    const first = await claim('pdf_export', done);
    await db.sql`select public.export_finished(${first.id}, ${first.lease_token}, 'exports/a.pdf', 10, 2)`;
    const second = await claim('pdf_export', failed);
    await db.sql`select public.work_failed(${second.id}, ${second.lease_token}, 'too_big', 'Too big.', false)`;
    expect(await typesOf(done)).toEqual(['export.completed']);
    expect(await typesOf(failed)).toEqual(['export.failed']);
    const [event] = await db.sql`select data from private.events where subject_id = ${done}`;
    expect(event?.data).toMatchObject({ status: 'completed', page_count: 2, size_bytes: 10, error: null });
  });

  test('a change that keeps the status writes no event', async () => {
    await addEndpoint();
    const spec = await makeSpec(db.sql);
    const [job, exported] = [await makeImageJob(), await makeExport()];
    await reportSpec(spec, 'completed');
    await db.sql`select public.apply_image_callback(${job}, 'succeeded', 1, '[]')`;
    const item = await claim('pdf_export', exported);
    await db.sql`select public.export_finished(${item.id}, ${item.lease_token}, 'exports/b.pdf', 10, 2)`;
    await db.sql`update public.spec_uploads set processing_status = processing_status where id = ${spec}`;
    await db.sql`update public.image_jobs set status = status where id = ${job}`;
    await db.sql`update public.export_jobs set status = status where id = ${exported}`;
    for (const id of [spec, job, exported]) expect(await typesOf(id)).toHaveLength(1);
  });

  test('an event and its deliveries are rolled back with the change', async () => {
    await addEndpoint();
    const spec = await makeSpec(db.sql);
    const undone = db.sql.begin(async (tx) => {
      await tx`select public.apply_spec_callback(${spec}, 'completed')`;
      throw new Error('roll back');
    });
    await expect(undone).rejects.toThrow('roll back');
    expect(await typesOf(spec)).toEqual([]);
  });

  test('each endpoint gets only the events that it subscribes to, and without endpoints nothing is written', async () => {
    const spec = await makeSpec(db.sql);
    await reportSpec(spec, 'completed');
    expect(await typesOf(spec)).toEqual([]);
    await addEndpoint(['spec.failed']);
    const wanting = await addEndpoint(['spec.completed', 'image.failed']);
    const next = await makeSpec(db.sql);
    await reportSpec(next, 'completed');
    expect(await deliveryOf(next)).toMatchObject({ endpoint_id: wanting, state: 'pending' });
  });

  test('an endpoint can be deleted with its deliveries and their work', async () => {
    const endpoint = await addEndpoint();
    const spec = await makeSpec(db.sql);
    await reportSpec(spec, 'completed');
    const { id } = await deliveryOf(spec);
    await db.sql`select public.delete_event_endpoint(${endpoint})`;
    expect(await db.sql`select 1 from private.work_items where subject_id = ${id}`).toEqual([]);
    expect(await db.sql`select public.delete_event_endpoint(${endpoint}) as was`).toEqual([{ was: false }]);
  });

  test('only the function for sending returns the secret and the header value of an endpoint', async () => {
    const endpoint = await addEndpoint();
    const change = (name: string | null, value: string | null) =>
      db.sql`select public.update_event_endpoint(${endpoint}, 'Board', ${allTypes}, ${name}, ${value}) as outcome`;
    expect(await change('x-token', null)).toEqual([{ outcome: 'no_value' }]);
    expect(await change('x-token', 'whsec_header')).toEqual([{ outcome: 'updated' }]);
    expect(await change('x-key', null)).toEqual([{ outcome: 'updated' }]);
    const spec = await makeSpec(db.sql);
    await reportSpec(spec, 'completed');
    const { id } = await deliveryOf(spec);
    const [sent] = await db.sql`select public.event_to_send(${id}, 1) as answer`;
    expect(sent?.answer).toMatchObject({ secret: 'whsec_x', type: 'spec.completed', is_paused: false });
    expect(sent?.answer).toMatchObject({ header_name: 'x-key', header_value: 'whsec_header' });
    expect(await endpointRow(endpoint)).toMatchObject({ name: 'Board', header_name: 'x-key' });
    const shown = [await endpointRow(endpoint), ...(await db.sql`select * from public.event_deliveries()`)];
    expect(JSON.stringify(shown)).not.toContain('whsec_');
    expect(await change(null, null)).toEqual([{ outcome: 'updated' }]);
    const [without] = await db.sql`select public.event_to_send(${id}, 1) as answer`;
    expect(without?.answer).toMatchObject({ header_name: null, header_value: null });
  });

  test('an event waits for the earlier events of its subject at its endpoint, until they are delivered or given up', async () => {
    const [first, second] = [await addEndpoint(), await addEndpoint(['spec.completed'])];
    const [spec, other] = [await makeSpec(db.sql), await makeSpec(db.sql)];
    for (const run of [1, 2]) {
      await reportSpec(spec, 'failed', run);
      await db.sql`select public.retry_spec(${spec})`;
    }
    await reportSpec(spec, 'completed', 3);
    await reportSpec(other, 'completed');
    /** Claims all due deliveries, and returns the endpoint, subject and run of each. */
    const claimDue = async () => {
      await db.sql`update private.work_items set visible_at = now() where lease_token is null and state = 'pending'`;
      return db.sql`
        select w.id, w.lease_token, d.endpoint_id, e.subject_id, e.run
          from public.work_claim(array['event_delivery'], 'test', 100, 30) w
          join private.event_deliveries d on d.id = w.subject_id join private.events e on e.id = d.event_id
         order by e.subject_id = ${other}, d.endpoint_id = ${second}`;
    };
    const [one, two, ...others] = await claimDue();
    expect(one).toMatchObject({ endpoint_id: first, subject_id: spec, run: 1 });
    expect(two).toMatchObject({ endpoint_id: second, subject_id: spec, run: 3 });
    expect(others).toMatchObject([{ subject_id: other }, { subject_id: other }]);
    // A failed attempt that is repeated still blocks the later events.
    await db.sql`select public.work_failed(${one?.id}, ${one?.lease_token}, 'unreachable', 'HTTP 503', true)`;
    const [again, ...none] = await claimDue();
    expect([again?.id, none]).toEqual([one?.id, []]);
    await db.sql`select public.event_delivered(${again?.id}, ${again?.lease_token})`;
    const [next] = await claimDue();
    expect(next).toMatchObject({ endpoint_id: first, subject_id: spec, run: 2 });
    await db.sql`select public.work_failed(${next?.id}, ${next?.lease_token}, 'refused', 'HTTP 410', false)`;
    expect(await claimDue()).toMatchObject([{ endpoint_id: first, subject_id: spec, run: 3 }]);
  });
});

describe('an endpoint that fails', () => {
  test('an endpoint is paused when it has failed for a day, but not before', async () => {
    const endpoint = await addEndpoint();
    await failedDelivery();
    expect(await endpointRow(endpoint)).toMatchObject({ last_error: 'HTTP 410', paused_at: null });
    await failedDelivery();
    expect((await endpointRow(endpoint))?.paused_at).toBeNull();
    await db.sql`update private.event_endpoints set failing_since = now() - interval '25 hours'`;
    await failedDelivery();
    expect((await endpointRow(endpoint))?.paused_at).not.toBeNull();
  });

  test('a success restarts the 24 hours after which a failing endpoint is paused', async () => {
    const endpoint = await addEndpoint();
    const delivery = await failedDelivery();
    await db.sql`update private.event_endpoints set failing_since = now() - interval '25 hours'`;
    expect(await db.sql`select public.resend_event_delivery(${delivery}) as outcome`).toEqual([
      { outcome: 'queued' },
    ]);
    const item = await claim('event_delivery', delivery);
    expect(item.run).toBe(2);
    await db.sql`select public.event_delivered(${item.id}, ${item.lease_token})`;
    expect(await endpointRow(endpoint)).toMatchObject({ failing_since: null, last_error: null });
    await failedDelivery();
    expect((await endpointRow(endpoint))?.paused_at).toBeNull();
  });

  test('deliveries to a paused endpoint are held, and are sent with the failed ones when it is resumed', async () => {
    const endpoint = await addEndpoint();
    const missed = await failedDelivery();
    await db.sql`update private.event_endpoints set paused_at = now()`;
    const spec = await makeSpec(db.sql);
    await reportSpec(spec, 'completed');
    const { id } = await deliveryOf(spec);
    const item = await claim('event_delivery', id);
    expect(await db.sql`select public.event_held(${item.id}, ${item.lease_token}) as held`).toEqual([
      { held: true },
    ]);
    expect(await shownDelivery(id)).toMatchObject({ state: 'held', attempts: 0 });
    expect(await db.sql`select public.resend_event_delivery(${id}) as outcome`).toEqual([
      { outcome: 'paused' },
    ]);
    const resume = () => db.sql`select public.resume_event_endpoint(${endpoint}) as queued`;
    expect(await resume()).toEqual([{ queued: 2 }]);
    expect(await resume()).toEqual([{ queued: 0 }]);
    for (const each of [missed, id]) expect(await claim('event_delivery', each)).toMatchObject({ run: 2 });
  });

  test('a held delivery shows the attempts before its endpoint was paused', async () => {
    await addEndpoint();
    const spec = await makeSpec(db.sql);
    await reportSpec(spec, 'completed');
    const { id } = await deliveryOf(spec);
    const first = await claim('event_delivery', id);
    await db.sql`select public.work_failed(${first.id}, ${first.lease_token}, 'refused', 'HTTP 503', true)`;
    await db.sql`update private.event_endpoints set paused_at = now()`;
    const second = await claim('event_delivery', id);
    await db.sql`select public.event_held(${second.id}, ${second.lease_token})`;
    expect(await shownDelivery(id)).toMatchObject({ state: 'held', attempts: 1 });
  });

  test('a delivery that is held while its endpoint is resumed is due again', async () => {
    await addEndpoint();
    const spec = await makeSpec(db.sql);
    await reportSpec(spec, 'completed');
    const { id } = await deliveryOf(spec);
    const item = await claim('event_delivery', id);
    expect(await db.sql`select public.event_held(${item.id}, ${item.lease_token}) as held`).toEqual([
      { held: false },
    ]);
    expect(await claim('event_delivery', id)).toMatchObject({ id: item.id, run: 1 });
  });

  test('concurrent changes, attempts, pauses, resumptions and deletions cause no deadlock', async () => {
    const specs = await Promise.all(Array.from({ length: 60 }, () => makeSpec(db.sql)));
    const [kept, deleted] = [await addEndpoint(), await addEndpoint()];
    const changes = specs.map((id) => () => reportSpec(id, 'completed'));
    const attempts = Array.from({ length: 60 }, (_, i) => async () => {
      await db.sql`update private.work_items set visible_at = now() where kind = 'event_delivery' and lease_token is null`;
      const items = await db.sql<
        Item[]
      >`select * from public.work_claim(array['event_delivery'], 'test', 4, 30)`;
      for (const { id, lease_token } of items) {
        if (i % 3 === 0) await db.sql`select public.event_held(${id}, ${lease_token})`;
        else if (i % 3 === 1) await db.sql`select public.event_delivered(${id}, ${lease_token})`;
        else await db.sql`select public.work_failed(${id}, ${lease_token}, 'refused', 'HTTP 410', false)`;
      }
    });
    const pauses = Array.from({ length: 20 }, () => async () => {
      await db.sql`update private.event_endpoints set paused_at = now(), failing_since = now() where id = ${kept}`;
      await db.sql`select public.resume_event_endpoint(${kept})`;
    });
    const deletion = () => db.sql`select public.delete_event_endpoint(${deleted})`;
    const mixed = [...changes, ...attempts, ...pauses, deletion, () => db.sql`select public.work_reap()`];
    // Interleave the calls, so that all kinds run at once on the ten connections.
    const order = mixed.map((act, i) => ({ act, place: (i * 37) % mixed.length }));
    await Promise.all(order.sort((a, b) => a.place - b.place).map(({ act }) => act()));
    const [left] = await db.sql`
      select count(*)::int as deliveries, count(*) filter (where d.state = 'pending' and w.id is null)::int as stuck
        from private.event_deliveries d left join private.work_items w
          on w.kind = 'event_delivery' and w.subject_id = d.id and w.run = d.run and w.state = 'pending'`;
    expect(left).toEqual({ deliveries: specs.length, stuck: 0 });
  });

  test('the holder of a lost lease cannot report a delivery', async () => {
    await addEndpoint();
    const spec = await makeSpec(db.sql);
    await reportSpec(spec, 'completed');
    const { id } = await deliveryOf(spec);
    const first = await claim('event_delivery', id);
    await claim('event_delivery', id);
    expect(await db.sql`select public.event_delivered(${first.id}, ${first.lease_token}) as ours`).toEqual([
      { ours: false },
    ]);
    expect(await db.sql`select public.resend_event_delivery(${id}) as outcome`).toEqual([
      { outcome: 'pending' },
    ]);
  });
});

describe('refused callbacks', () => {
  const note = (code: string, subject: string | null = null) =>
    db.sql`select public.note_refused_callback('spec', ${code}, 'No https://a.example/x?token=1', ${subject})`;
  const rows = (code: string) =>
    db.sql`select subject_id, times, detail from private.refused_callbacks where code = ${code} order by created_at, id`;
  beforeEach(() => db.sql`delete from private.refused_callbacks`);

  test('refused callbacks are counted per reason, id and minute, without signed URLs', async () => {
    const subject = randomUUID();
    // Calls are counted per minute, so there are two rows if a minute ends between the calls.
    for (let i = 0; i < 3; i += 1) await note('invalid_secret', subject);
    const found = await rows('invalid_secret');
    expect(found.reduce((sum, { times }) => sum + times, 0)).toBe(3);
    expect(found.length).toBeLessThanOrEqual(2);
    expect(found[0]).toMatchObject({ subject_id: subject, detail: 'No https://a.example/x' });
  });

  test('refused callbacks with many different ids do not fill the table', async () => {
    await db.sql`
      select public.note_refused_callback('spec', 'not_found', 'No', gen_random_uuid()) from generate_series(1, 100)`;
    const found = await rows('not_found');
    expect(found.length).toBeLessThanOrEqual(2 * 21);
    expect(found.reduce((sum, { times }) => sum + times, 0)).toBe(100);
  });

  test('refused callbacks for one reason do not displace those for another', async () => {
    await note('invalid_json');
    await db.sql`
      insert into private.refused_callbacks (source, code, detail, minute, times, subject_id)
      select 'spec', 'invalid_secret', 'No', now(), 1, gen_random_uuid() from generate_series(1, 1200)`;
    await note('invalid_secret');
    expect(await rows('invalid_secret')).toHaveLength(1000);
    expect(await rows('invalid_json')).toHaveLength(1);
  });
});

describe('tests of the workflow service', () => {
  test('a full test without callbacks keeps its first step and its last ones', async () => {
    const [created] = await db.sql`select public.create_workflow_test('image') as id`;
    for (let n = 1; n <= 22; n += 1) {
      await db.sql`
        select public.add_workflow_test_step(${created?.id}, 'image', ${db.sql.json({ step: 'sent', try: n })})`;
    }
    const [found] = await db.sql<{ steps: { try: number }[] }[]>`
      select steps from public.workflow_test(${created?.id})`;
    expect(found?.steps.map((step) => step.try)).toEqual([1, ...Array.from({ length: 19 }, (_, n) => n + 4)]);
  });

  test('a test keeps at most 20 steps, including its last ones, and accepts none after an hour or of another kind', async () => {
    const [created] = await db.sql`select public.create_workflow_test('spec') as id`;
    const add = (kind: string, step: string, status: string | null = null) => db.sql`
      select public.add_workflow_test_step(${created?.id}, ${kind}, ${db.sql.json({ step, status })}) as added`;
    const report = async (status: string, times: number) => {
      for (let i = 0; i < times; i += 1)
        expect(await add('spec', 'callback', status)).toEqual([{ added: true }]);
    };
    await add('spec', 'sent');
    await report('running', 25);
    await report('completed', 1);
    await add('spec', 'accepted');
    await report('running', 5);
    await report('failed', 20);
    const [found] = await db.sql<{ steps: { step: string; status: string | null }[] }[]>`
      select steps from public.workflow_test(${created?.id})`;
    expect(found?.steps).toHaveLength(20);
    expect(found?.steps.map(({ step, status }) => status ?? step)).toEqual([
      'sent',
      'completed',
      'accepted',
      ...Array<string>(17).fill('failed'),
    ]);
    expect(await add('image', 'callback')).toEqual([{ added: false }]);
    await db.sql`update private.workflow_tests set created_at = now() - interval '61 minutes'`;
    expect(await add('spec', 'callback')).toEqual([{ added: false }]);
  });
});
