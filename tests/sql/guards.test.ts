import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { claimFor, makeSpec } from './support/make-spec';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

async function createBrand(
  name: string,
  key: string | null = null,
  hash: string | null = null,
  user = '00000000-0000-4000-8000-000000000001',
) {
  await db.sql`insert into auth.users (id, email) values (${user}, ${`${user}@x.test`}) on conflict do nothing`;
  const [row] =
    await db.sql`select public.create_in_list('brands', ${user}, ${name}, ${key}, ${hash}) as answer`;
  return row?.answer;
}

describe('names', () => {
  test('names are compared regardless of case, width and whitespace', async () => {
    expect(await createBrand('Ａｃｍｅ  Größe')).toEqual({ outcome: 'created', name: 'Ａｃｍｅ  Größe' });
    expect(await createBrand('acme größe')).toEqual({ outcome: 'exists', name: 'Ａｃｍｅ  Größe' });
    expect(await createBrand('acme GRÖSSE')).toMatchObject({ outcome: 'created' });
  });

  test('only one of eight brands with the same name created at once is kept', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => createBrand('Twice At Once')));
    expect(responses.filter((response) => response.outcome === 'created')).toHaveLength(1);
  });
});

describe('idempotency keys', () => {
  test('an idempotency key returns the same result for the same request, and a mismatch for a different one', async () => {
    const key = randomUUID();
    const first = await createBrand('Once', key, 'h1');
    expect(await createBrand('Once', key, 'h1')).toEqual(first);
    expect(await createBrand('Other', key, 'h2')).toEqual({ outcome: 'idempotency_mismatch' });
    expect(await createBrand('Other', key, 'h2', randomUUID())).toMatchObject({ outcome: 'created' });
  });

  test('requests with one idempotency key at the same moment all get the same result', async () => {
    const key = randomUUID();
    const responses = await Promise.all(Array.from({ length: 8 }, () => createBrand('Herd', key, 'h')));
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(responses[0]).toEqual({ outcome: 'created', name: 'Herd' });
  });

  test('an idempotency key of a refused request may be used again', async () => {
    const key = randomUUID();
    await createBrand('Taken');
    expect(await createBrand('Taken', key, 'h')).toMatchObject({ outcome: 'exists' });
    await db.sql`delete from public.brands where name = 'Taken'`;
    expect(await createBrand('Taken', key, 'h')).toMatchObject({ outcome: 'created' });
  });
});

describe('duplicate files', () => {
  test('the same file is refused unless it is explicitly kept', async () => {
    const sha256 = randomBytes(32).toString('hex');
    await makeSpec(db.sql, { sha256 });
    await expect(makeSpec(db.sql, { sha256 })).rejects.toThrow('duplicate');
    await makeSpec(db.sql, { sha256, keep: true });
    expect(await db.sql`select 1 from public.documents where sha256 = ${sha256}`).toHaveLength(2);
  });

  test('the same file for another property, or for none, is another spec', async () => {
    const sha256 = randomBytes(32).toString('hex');
    for (const property of ['Grand Hotel', 'Hotel am See', null]) {
      await makeSpec(db.sql, { sha256, property });
      await expect(makeSpec(db.sql, { sha256, property })).rejects.toThrow('duplicate');
    }
    await expect(makeSpec(db.sql, { sha256, property: ' grand  HOTEL' })).rejects.toThrow('duplicate');
  });

  test('the same file may be uploaded again after a failure, and the failed spec can still be retried or corrected', async () => {
    const sha256 = randomBytes(32).toString('hex');
    const report = async (id: string, status: string) =>
      (await db.sql`select public.apply_spec_callback(${id}, ${status}) as answer`)[0]?.answer.outcome;
    const failed = await makeSpec(db.sql, { sha256 });
    await report(failed, 'failed');
    const timedOut = await makeSpec(db.sql, { sha256 });
    const item = await claimFor(db.sql, timedOut);
    await db.sql`select public.work_failed(${item.id}, ${item.lease_token}, 'timeout', 'gave up', false)`;
    const again = await makeSpec(db.sql, { sha256 });
    await expect(makeSpec(db.sql, { sha256 })).rejects.toThrow(again);
    const [retried] = await db.sql`select public.retry_spec(${failed}) as answer`;
    expect(retried?.answer.outcome).toBe('retried');
    expect(await report(timedOut, 'completed')).toBe('applied');
  });

  test('only one of five uploads of the same file at once is created', async () => {
    const sha256 = randomBytes(32).toString('hex');
    const made = await Promise.allSettled(Array.from({ length: 5 }, () => makeSpec(db.sql, { sha256 })));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await db.sql`select 1 from public.documents where sha256 = ${sha256}`).toHaveLength(1);
  });
});

describe('rate_take', () => {
  const take = async (key: string, burst: number, ms: number, count = 1) => {
    const [row] = await db.sql<{ wait: number }[]>`
      select public.rate_take(${key}, ${burst}, ${ms}, ${count}) as wait`;
    return row?.wait ?? -1;
  };

  test('rate_take allows a burst and then returns the time to wait', async () => {
    const key = randomUUID();
    for (let i = 0; i < 5; i++) expect(await take(key, 5, 60_000)).toBe(0);
    const wait = await take(key, 5, 60_000);
    expect(wait).toBeGreaterThan(50_000);
    expect(wait).toBeLessThanOrEqual(60_000);
    expect(await take(randomUUID(), 5, 60_000)).toBe(0);
  });

  test.each([
    [-1_000_000, -1_000_000],
    [60, -1_000],
    [-60, 1_000],
    [0, 1_000],
    [60, 0],
  ])('rate_take refuses the bounds %i and %i ms, which could reset a limit', async (burst, ms) => {
    const key = randomUUID();
    for (let i = 0; i < 3; i++) expect(await take(key, 3, 60_000)).toBe(0);
    await expect(take(key, burst, ms)).rejects.toThrow('must be positive');
    expect(await take(key, 3, 60_000)).toBeGreaterThan(0);
  });

  test('rate_take counts concurrent calls exactly', async () => {
    const key = randomUUID();
    const waits = await Promise.all(Array.from({ length: 30 }, () => take(key, 10, 60_000)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  });

  test('rate_take counts several requests completely or not at all', async () => {
    const key = randomUUID();
    // The interval is an hour, so no capacity becomes available during the test.
    expect(await take(key, 10, 3_600_000, 8)).toBe(0);
    expect(await take(key, 10, 3_600_000, 3)).toBeGreaterThan(0);
    expect(await take(key, 10, 3_600_000, 2)).toBe(0);
    expect(await take(key, 10, 3_600_000)).toBeGreaterThan(0);
    expect(await take(randomUUID(), 10, 3_600_000, 11)).toBe(0);
    await expect(take(key, 10, 3_600_000, 0)).rejects.toThrow(/must be positive/);
  });
});
