import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { claimFor, makeSpec, specState } from './support/make-spec';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

const soon = () => new Date(Date.now() + 60_000);
const makeDue = (id: string) =>
  db.sql`update private.work_items set visible_at = now() where subject_id = ${id}`;

describe('durable work', () => {
  test('work is written in the transaction of its row and rolled back with it', async () => {
    const before = await db.sql`select count(*)::int as n from private.work_items`;
    await expect(
      db.sql.begin(async (tx) => {
        await makeSpec(tx as unknown as typeof db.sql);
        throw new Error('roll back');
      }),
    ).rejects.toThrow('roll back');
    expect(await db.sql`select count(*)::int as n from private.work_items`).toEqual(before);
    const id = await makeSpec(db.sql);
    expect(await specState(db.sql, id)).toMatchObject({ status: 'pending', work: 'pending', attempts: 0 });
  });

  test('concurrent workers never claim the same item', async () => {
    for (let i = 0; i < 40; i++) await makeSpec(db.sql);
    const claim = () =>
      db.sql<{ id: string }[]>`select id from public.work_claim(array['spec_dispatch'], 'w', 7, 30)`;
    const claims = (await Promise.all(Array.from({ length: 8 }, claim))).flat();
    // Workers that claim at the same time may leave items for later claims.
    for (let rest = await claim(); rest.length > 0; rest = await claim()) claims.push(...rest);
    const ids = claims.map((row) => row.id);
    expect(ids.length).toBeGreaterThanOrEqual(40);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('many waiting items of one kind leave half of the slots to another kind', async () => {
    await db.sql`update private.work_items set visible_at = now() + interval '1 hour' where state = 'pending'`;
    for (let i = 0; i < 6; i++) await makeSpec(db.sql);
    const [project] = await db.sql`insert into public.projects (name) values ('P') returning id`;
    for (let i = 0; i < 6; i++) await db.sql`select public.create_image_job(null, ${project?.id}, 'a lobby')`;
    const claim = async (limit: number) => {
      const rows = await db.sql<{ kind: string }[]>`
        select kind from public.work_claim(array['spec_dispatch', 'image_dispatch'], 'w', ${limit}, 30)`;
      return rows.map(({ kind }) => kind).sort();
    };
    const [image, spec] = ['image_dispatch', 'spec_dispatch'];
    expect(await claim(4)).toEqual([image, image, spec, spec]);
    expect(await claim(20)).toEqual([image, image, image, image, spec, spec, spec, spec]);
  });

  test('the reaper locks several specs in the order of their ids, so it cannot deadlock with a bulk change', async () => {
    const ids = [await makeSpec(db.sql), await makeSpec(db.sql)].sort();
    const [first = '', second = ''] = ids;
    // The item of the second spec was due first.
    await db.sql`
      update private.work_items set attempts = max_attempts,
             visible_at = now() - case when subject_id = ${second} then interval '2 hours' else interval '1 hour' end
       where subject_id = any (${ids})`;
    const lock = (sql: typeof db.sql, id: string) =>
      sql`select 1 from public.spec_uploads where id = ${id} for update`;
    let reaped: Promise<unknown> = Promise.resolve();
    await db.sql.begin(async (tx) => {
      const bulk = tx as unknown as typeof db.sql;
      await lock(bulk, first);
      reaped = db.sql`select public.work_reap()`.execute();
      await expect
        .poll(
          async () => (await db.sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'`).length,
        )
        .toBe(1);
      await lock(bulk, second);
    });
    await reaped;
    for (const id of ids) expect(await specState(db.sql, id)).toMatchObject({ status: 'failed' });
  });

  test('an accepted trigger changes the spec, its document and its job, once', async () => {
    const id = await makeSpec(db.sql);
    const item = await claimFor(db.sql, id);
    const done = () =>
      db.sql`select public.work_dispatched(${item.id}, ${item.lease_token}, ${soon()}) as ours`;
    expect(await done()).toEqual([{ ours: true }]);
    expect(await specState(db.sql, id)).toMatchObject({
      status: 'processing',
      document: 'processing',
      job: 'processing',
      work: 'done',
    });
    expect(await done()).toEqual([{ ours: false }]);
  });

  test('the holder of a lost lease can no longer change anything', async () => {
    const id = await makeSpec(db.sql);
    const first = await claimFor(db.sql, id);
    await makeDue(id);
    const second = await claimFor(db.sql, id);
    expect(second.attempts).toBe(2);
    expect(await db.sql`select public.work_heartbeat(${first.id}, ${first.lease_token}) as ours`).toEqual([
      { ours: false },
    ]);
    expect(
      await db.sql`select public.work_failed(${first.id}, ${first.lease_token}, 'x', 'x', true) as state`,
    ).toEqual([{ state: 'lost' }]);
    expect(await db.sql`select public.work_heartbeat(${second.id}, ${second.lease_token}) as ours`).toEqual([
      { ours: true },
    ]);
  });

  test('a retryable failure is tried again later, never before Retry-After', async () => {
    const id = await makeSpec(db.sql);
    const item = await claimFor(db.sql, id);
    expect(
      await db.sql`select public.work_failed(${item.id}, ${item.lease_token}, 'unreachable', 'HTTP 503', true, 120) as state`,
    ).toEqual([{ state: 'pending' }]);
    const [row] =
      await db.sql`select extract(epoch from visible_at - now())::int as s, last_error from private.work_items where id = ${item.id}`;
    expect(row?.s).toBeGreaterThanOrEqual(118);
    expect(row?.last_error).toBe('HTTP 503');
    expect((await specState(db.sql, id)).status).toBe('pending');
  });

  test('a refusal fails the spec at once, with its reason, and its detail is only in the list of triggers', async () => {
    const id = await makeSpec(db.sql);
    const item = await claimFor(db.sql, id);
    expect(
      await db.sql`
        select public.work_failed(${item.id}, ${item.lease_token}, 'refused', 'HTTP 422', false, p_detail => 'Wrong token.') as state`,
    ).toEqual([{ state: 'dead' }]);
    expect(await specState(db.sql, id)).toMatchObject({
      status: 'failed',
      document: 'failed',
      job: 'failed',
      error_code: 'refused',
      error: 'HTTP 422',
    });
    expect(await db.sql`select reason from private.trigger_events where subject_id = ${id}`).toEqual([
      { reason: 'HTTP 422 Wrong token.' },
    ]);
  });

  test('the last failed attempt, over ten minutes after the first, ends the work and fails the spec', async () => {
    const id = await makeSpec(db.sql);
    let pauses = 0;
    for (let attempt = 1; attempt <= 14; attempt++) {
      await makeDue(id);
      const item = await claimFor(db.sql, id);
      const [response] = await db.sql`
        select public.work_failed(${item.id}, ${item.lease_token}, 'unreachable', ${`HTTP ${attempt}`}, true) as state`;
      expect(response?.state).toBe(attempt < 14 ? 'pending' : 'dead');
      if (attempt === 14) break;
      const [row] = await db.sql`
        select extract(epoch from visible_at - now())::float as s from private.work_items where id = ${item.id}`;
      pauses += row?.s;
    }
    expect(pauses).toBeGreaterThan(600);
    expect(await specState(db.sql, id)).toMatchObject({
      status: 'failed',
      error_code: 'unreachable',
      error: 'HTTP 14',
    });
  });

  test('work whose worker is lost at the last attempt is reaped', async () => {
    const id = await makeSpec(db.sql);
    await db.sql`update private.work_items set attempts = max_attempts, visible_at = now() where subject_id = ${id}`;
    await db.sql`select public.work_reap()`;
    expect(await specState(db.sql, id)).toMatchObject({
      status: 'failed',
      error_code: 'unreachable',
      work: 'dead',
    });
  });

  test('releasing an item does not count the attempt', async () => {
    const id = await makeSpec(db.sql);
    const item = await claimFor(db.sql, id);
    expect(await db.sql`select public.work_release(${item.id}, ${item.lease_token}) as ours`).toEqual([
      { ours: true },
    ]);
    expect((await claimFor(db.sql, id)).attempts).toBe(1);
  });

  test('a run past its deadline fails with timeout', async () => {
    const id = await makeSpec(db.sql);
    const item = await claimFor(db.sql, id);
    await db.sql`select public.work_dispatched(${item.id}, ${item.lease_token}, now() - interval '1 second')`;
    await db.sql`select public.work_reap()`;
    expect(await specState(db.sql, id)).toMatchObject({ status: 'failed', error_code: 'timeout' });
  });

  test('deleting a spec deletes its work', async () => {
    const id = await makeSpec(db.sql);
    const [row] = await db.sql`select public.delete_specs(${[id]}) as paths`;
    expect(row?.paths).toEqual([`specs/brand/${id}/a.pdf`]);
    expect(await db.sql`select 1 from private.work_items where subject_id = ${id}`).toHaveLength(0);
    expect(await db.sql`select public.delete_specs(${[id]}) as paths`).toEqual([{ paths: [] }]);
  });
});

describe('the acceptance of a trigger', () => {
  const accepted = async (endpoint: string, acknowledged: boolean) => {
    const [row] =
      await db.sql`select public.trigger_accepted(${endpoint.repeat(64)}, ${acknowledged}) as accepted`;
    return row?.accepted;
  };
  const wait = (endpoint: string, minutes: number) => db.sql`
    update private.workflow_endpoints
       set unacknowledged_since = unacknowledged_since - make_interval(mins => ${minutes})
     where url_hash = ${endpoint.repeat(64)}`;

  test('a URL that never acknowledges accepts with every response', async () => {
    expect(await accepted('a', false)).toBe(true);
    expect(await accepted('a', false)).toBe(true);
  });

  test('a URL that has acknowledged once does not accept without an acknowledgment, and no other URL is affected', async () => {
    expect(await accepted('b', true)).toBe(true);
    expect(await accepted('b', false)).toBe(false);
    expect(await accepted('b', false)).toBe(false);
    expect(await accepted('c', false)).toBe(true);
    expect(await accepted('b', true)).toBe(true);
  });

  test('a URL that has not acknowledged for ten minutes accepts with every response again', async () => {
    await accepted('d', true);
    await accepted('d', false);
    await wait('d', 9);
    expect(await accepted('d', false)).toBe(false);
    await wait('d', 2);
    expect(await accepted('d', false)).toBe(true);
    expect(await accepted('d', false)).toBe(true);
  });

  test('responses without an acknowledgment count together only when they are close in time', async () => {
    await accepted('f', true);
    expect(await accepted('f', false)).toBe(false);
    await db.sql`
      update private.workflow_endpoints
         set unacknowledged_since = now() - interval '3 hours', unacknowledged_at = now() - interval '3 hours'
       where url_hash = ${'f'.repeat(64)}`;
    expect(await accepted('f', false)).toBe(false);
  });

  test('an acknowledgment starts the ten minutes anew', async () => {
    await accepted('e', true);
    await accepted('e', false);
    await wait('e', 11);
    await accepted('e', true);
    expect(await accepted('e', false)).toBe(false);
  });
});
