import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { makeSpec, specState } from './support/make-spec';

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
  test('only the failed ones of many specs start their next run, each once', async () => {
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

  test('the runs of a retry of many count as work of the user who retried, not of the uploader', async () => {
    const [id = ''] = await failedSpecs(1);
    await retryMany([id]);
    const items = await db.sql`
      select run, user_id = ${userId} as theirs from private.work_items where subject_id = ${id} order by run`;
    expect(items.map(({ run, theirs }) => [run, theirs])).toEqual([
      [1, false],
      [2, true],
    ]);
  });

  test('a retry of many, single retries and late successes at once: each spec is corrected or started once', async () => {
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
