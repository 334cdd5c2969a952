import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { claimFor, makeSpec, specState } from './support/make-spec';

let db: TestDatabase;
let userId: string;
beforeAll(async () => {
  db = await createTestDatabase();
  userId = randomUUID();
  await db.sql`insert into auth.users (id, email) values (${userId}, 'order@atelier.test')`;
});
afterAll(() => db?.drop());

const report = async (id: string, status: 'completed' | 'failed', run = 1) =>
  (await db.sql`select public.apply_spec_callback(${id}, ${status}, ${run}) as answer`)[0]?.answer.outcome;

async function failedSpecs(count: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => makeSpec(db.sql)));
  for (const id of ids) await report(id, 'failed');
  return ids;
}
const retryMany = async (ids: string[]): Promise<number> =>
  (await db.sql`select public.retry_specs(${userId}, ${ids}) as n`)[0]?.n;

describe('retry_specs', () => {
  test('only failed specs start their next run, each once', async () => {
    const failed = await failedSpecs(2);
    const pending = await makeSpec(db.sql);
    const ids = [...failed, pending, randomUUID(), ...failed];
    expect(await retryMany(ids)).toBe(2);
    for (const id of failed) {
      expect(await specState(db.sql, id)).toMatchObject({
        run: 2,
        status: 'pending',
        document: 'pending',
        job: 'pending',
        work: 'pending',
        error: null,
      });
    }
    expect(await specState(db.sql, pending)).toMatchObject({ run: 1 });
    expect(await retryMany(ids)).toBe(0);
    expect(await retryMany([])).toBe(0);
  });

  test('runs started by retry_specs count as work of the user who retried, not of the uploader', async () => {
    const [id = ''] = await failedSpecs(1);
    await retryMany([id]);
    const items = await db.sql`
      select run, user_id = ${userId} as theirs from private.work_items where subject_id = ${id} order by run`;
    expect(items.map(({ run, theirs }) => [run, theirs])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  test('during concurrent bulk retries, single retries and late successes, each spec is corrected or restarted once', async () => {
    const ids = await failedSpecs(8);
    await db.sql`update public.spec_uploads set error_code = 'timeout' where id = any (${ids})`;
    const retryOne = async (id: string) => {
      const [row] = await db.sql`select public.retry_spec(${id}) as answer`;
      return row?.answer.outcome === 'retried' ? 1 : 0;
    };
    const correct = async (id: string) => ((await report(id, 'completed')) === 'applied' ? 1 : 0);
    const all = await Promise.all([
      ...ids.slice(0, 4).map(correct),
      retryMany(ids),
      retryMany([...ids].reverse()),
      ...ids.map(retryOne),
      ...ids.slice(4).map(correct),
    ]);
    expect(all.reduce((sum, changed) => sum + changed, 0)).toBe(ids.length);
    for (const id of ids) {
      const { run, status } = await specState(db.sql, id);
      expect([
        [1, 'completed'],
        [2, 'pending'],
      ]).toContainEqual([run, status]);
    }
  });
});

describe('retry_spec with p_again', () => {
  test('a completed or failed spec starts its next run, and one in progress does not', async () => {
    const again = async (id: string) =>
      (await db.sql`select public.retry_spec(${id}, ${userId}, true) as answer`)[0]?.answer;
    const id = await makeSpec(db.sql);
    expect(await again(id)).toEqual({ outcome: 'conflict', status: 'pending' });
    for (const [run, status] of [
      [1, 'completed'],
      [2, 'failed'],
    ] as const) {
      await report(id, status, run);
      expect(await again(id)).toEqual({ outcome: 'retried', run: run + 1 });
      expect(await specState(db.sql, id)).toMatchObject({
        run: run + 1,
        status: 'pending',
        work: 'pending',
        sections_count: null,
      });
    }
    expect(await again(randomUUID())).toEqual({ outcome: 'not_found' });
  });
});

const edit = async (
  ids: string[],
  change: { brand?: string; area?: string; property?: string; clear?: boolean },
) => {
  const { brand = null, area = null, property = null, clear = false } = change;
  const [row] = await db.sql`
    select public.edit_specs(${ids}, ${brand}, ${area}, ${property}, ${clear}) as answer`;
  return row?.answer;
};
const placeOf = async (id: string) =>
  (await db.sql`select brand_name, area, property_name from public.specs where id = ${id}`)[0];
const jobsOf = (id: string) =>
  db.sql`select run, brand_name, area, property_name from public.upload_jobs where spec_upload_id = ${id} order by run`;

describe('edit_specs', () => {
  test('an edit changes what it names and nothing else, and each spec is broadcast', async () => {
    await db.sql`insert into public.brands (name) values ('Zenith') on conflict do nothing`;
    const ids = [await makeSpec(db.sql), await makeSpec(db.sql)];
    await report(ids[0] ?? '', 'completed');
    const before = await Promise.all(ids.map((id) => specState(db.sql, id)));
    expect(await edit([...ids, randomUUID()], { brand: ' ZENITH' })).toEqual({ outcome: 'edited', count: 2 });
    for (const [n, id] of ids.entries()) {
      expect(await placeOf(id)).toEqual({ brand_name: 'Zenith', area: 'Area', property_name: 'Hotel' });
      const old = before[n];
      expect(await specState(db.sql, id)).toEqual({ ...old, status_seq: (old?.status_seq ?? 0) + 1 });
    }
    await edit(ids, { clear: true });
    expect(await placeOf(ids[0] ?? '')).toMatchObject({ brand_name: 'Zenith', property_name: null });
  });

  test('an unknown brand or area changes nothing', async () => {
    const id = await makeSpec(db.sql);
    expect(await edit([id], { brand: 'Nobody', property: 'X' })).toEqual({ outcome: 'unknown_brand' });
    expect(await edit([id], { area: 'Nowhere', property: 'X' })).toEqual({ outcome: 'unknown_area' });
    expect(await placeOf(id)).toMatchObject({ property_name: 'Hotel' });
  });

  test('the run under way keeps the names that it started with, and the next run has the new ones', async () => {
    const id = await makeSpec(db.sql);
    await edit([id], { property: 'Other' });
    await report(id, 'failed');
    await db.sql`select public.retry_spec(${id})`;
    expect((await jobsOf(id)).map((job) => [job.run, job.property_name])).toEqual([
      [1, 'Hotel'],
      [2, 'Other'],
    ]);
  });
});

describe('delete_specs', () => {
  test('specs are deleted in any state with all their records, and the paths of their files are returned', async () => {
    const [failed = ''] = await failedSpecs(1);
    const running = await makeSpec(db.sql);
    const item = await claimFor(db.sql, running);
    await db.sql`select public.work_dispatched(${item.id}, ${item.lease_token}, now() + interval '1 minute')`;
    const waiting = await makeSpec(db.sql);
    const ids = [failed, running, waiting];
    const [row] = await db.sql`select public.delete_specs(${[...ids, randomUUID(), failed]}) as paths`;
    expect(row?.paths.sort()).toEqual(ids.map((id) => `specs/brand/${id}/a.pdf`).sort());
    const left = await db.sql`
      select id from public.spec_uploads where id = any (${ids})
      union all select subject_id from private.work_items where subject_id = any (${ids})
      union all select id from public.documents where storage_path = any (${row?.paths})`;
    expect(left).toEqual([]);
    expect(await report(running, 'completed')).toBe('not_found');
  });
});
