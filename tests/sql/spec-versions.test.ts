import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { findSpecs } from './support/find-specs';
import { claimFor, makeSpec, specState } from './support/make-spec';
import { signedIn } from './support/sessions';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db?.drop());

/** Uploads a spec and newer versions of it; returns their ids, oldest first. */
async function makeSeries(length: number, property: string = randomUUID()): Promise<string[]> {
  const ids = [await makeSpec(db.sql, { property })];
  while (ids.length < length) ids.push(await makeSpec(db.sql, { property, replaces: ids.at(-1) }));
  return ids;
}
const versionsOf = async (ids: string[]) => {
  const rows = await db.sql`
    select id, version, is_current from public.specs where id = any (${ids}) order by version, id`;
  return rows.map(({ id, version, is_current }) => [ids.indexOf(id), version, is_current]);
};
const refused = (options: Parameters<typeof makeSpec>[1]) =>
  makeSpec(db.sql, options).then(
    () => 'created',
    (error: Error) => /"outcome":"(\w+)"/.exec(error.message)?.[1],
  );
const remove = (...ids: string[]) => db.sql`select public.delete_specs(${ids})`;

/** Runs `work` as the API does for an administrator. */
async function asAdmin<Row>(work: (sql: TestDatabase['sql']) => Promise<Row>): Promise<Row> {
  const id = randomUUID();
  await db.sql`insert into auth.users (id, email, raw_app_meta_data)
    values (${id}, ${`${id}@x.test`}, '{"role":"admin"}')`;
  return signedIn(db.sql, id, work, 'admin');
}
const listed = async (sql: TestDatabase['sql'], all: boolean, q: string | null = null) =>
  (await findSpecs(sql, { q, limit: 1000, all_versions: all })).specs;
const counted = async (sql: TestDatabase['sql'], all: boolean, q: string | null = null) =>
  Object.entries((await findSpecs(sql, { q, all_versions: all })).counts).map(([status, n]) => ({
    status,
    n,
  }));

describe('the versions of a spec', () => {
  test('each version replaces the one before it, and only the newest is current', async () => {
    const ids = await makeSeries(3);
    expect(await versionsOf(ids)).toEqual([
      [0, 1, false],
      [1, 2, false],
      [2, 3, true],
    ]);
    expect(await versionsOf([await makeSpec(db.sql)])).toEqual([[0, 1, true]]);
  });

  test('a version that has been replaced cannot be replaced again, even by uploads at the same time', async () => {
    const property = randomUUID();
    const [first = '', second = ''] = await makeSeries(2, property);
    expect(await refused({ property, replaces: first })).toBe('replaced');
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => refused({ property, replaces: second })),
    );
    expect(outcomes.sort()).toEqual(['created', 'replaced', 'replaced', 'replaced', 'replaced']);
    const fork = db.sql`
      update public.spec_uploads set version = 1 where id = ${second}`;
    await expect(fork).rejects.toThrow('spec_uploads_version');
  });

  test('a version must have the brand, area and property of the spec that it replaces', async () => {
    const [id] = await makeSeries(1, 'Grand Hotel');
    expect(await refused({ property: 'Other', replaces: id })).toBe('other_place');
    expect(await refused({ property: null, replaces: id })).toBe('other_place');
    expect(await refused({ property: 'Grand Hotel', replaces: randomUUID() })).toBe('unknown_spec');
    expect(await refused({ property: ' GRAND  hotel', replaces: id })).toBe('created');
  });

  test('deleting the newest versions in any order makes the newest remaining one current', async () => {
    const ids = await makeSeries(4);
    await remove(ids[2] ?? '', ids[3] ?? '');
    expect(await versionsOf(ids)).toEqual([
      [0, 1, false],
      [1, 2, true],
    ]);
    await db.sql`select public.delete_specs(${[ids[1] ?? '']})`;
    expect(await versionsOf(ids)).toEqual([[0, 1, true]]);
    await remove(...ids);
    expect(await versionsOf(ids)).toEqual([]);
  });

  test('deleting a version in the middle leaves the numbers of the others unchanged', async () => {
    const property = randomUUID();
    const ids = await makeSeries(3, property);
    await remove(ids[1] ?? '');
    ids.push(await makeSpec(db.sql, { property, replaces: ids[2] }));
    expect(await versionsOf(ids)).toEqual([
      [0, 1, false],
      [2, 3, false],
      [3, 4, true],
    ]);
  });

  test('an edit of one version changes all of them, and counts only the specs that it names', async () => {
    const ids = await makeSeries(3);
    const [row] = await db.sql`select public.edit_specs(${ids.slice(1, 2)}, p_property => 'Moved') as answer`;
    expect(row?.answer).toEqual({ outcome: 'edited', count: 1 });
    const places = await db.sql`select distinct property_name from public.specs where id = any (${ids})`;
    expect(places.map(({ property_name }) => property_name)).toEqual(['Moved']);
  });

  test('uploads, edits and deletions of one series at the same time leave one current version', async () => {
    const property = randomUUID();
    const ids = await makeSeries(4, property);
    await Promise.allSettled([
      ...[1, 2, 3].map(() => refused({ property, replaces: ids[3] })),
      db.sql`select public.edit_specs(${ids.slice(0, 1)}, p_property => ${property})`,
      remove(ids[3] ?? ''),
      remove(ids[1] ?? '', ids[0] ?? ''),
      db.sql`select public.edit_specs(${ids.slice(2, 3)}, p_property => ${property})`,
    ]);
    const rows = await db.sql`
      select version, is_current from public.specs where property_name = ${property} order by version`;
    expect(rows.map(({ is_current }) => is_current)).toEqual(rows.map((_, n) => n === rows.length - 1));
    expect(rows.length).toBeGreaterThan(0);
  });
});

describe('the list of specs with versions', () => {
  const q = 'Quarry';

  test('the list, its search and its counts leave out replaced versions unless all are asked for', async () => {
    const ids = await makeSeries(3, q);
    const ofSeries = async (all: boolean, text: string | null) =>
      asAdmin(async (sql) => {
        const rows = await listed(sql, all, text);
        return rows.map(({ id }) => ids.indexOf(id)).filter((n) => n >= 0);
      });
    for (const text of [null, q]) {
      expect(await ofSeries(false, text)).toEqual([2]);
      expect((await ofSeries(true, text)).sort()).toEqual([0, 1, 2]);
    }
    expect(await asAdmin((sql) => counted(sql, false, q))).toEqual([{ status: 'pending', n: 1 }]);
    expect(await asAdmin((sql) => counted(sql, true, q))).toEqual([{ status: 'pending', n: 3 }]);
  });

  test('the counts without a search are those of the list, after every change', async () => {
    const ids = await makeSeries(3);
    await db.sql`select public.apply_spec_callback(${ids[0] ?? ''}, 'completed', 1)`;
    const sums = async (all: boolean) => {
      const [list, counts] = await asAdmin((sql) => Promise.all([listed(sql, all), counted(sql, all)]));
      return [list.length, counts.reduce((sum, { n }) => sum + n, 0)];
    };
    for (const change of [
      () => remove(ids[2] ?? ''),
      () => remove(ids[1] ?? ''),
      () => remove(ids[0] ?? ''),
    ]) {
      for (const all of [false, true]) {
        const [list, counts] = await sums(all);
        expect(counts).toBe(list);
      }
      await change();
    }
    const [list, counts] = await sums(true);
    expect(counts).toBe(list);
  });
});

describe('match_specs', () => {
  const match = async (files: object[]) =>
    (await db.sql`select n, file_name, version from public.match_specs(${db.sql.json(files as never)})`).map(
      ({ n, file_name, version }) => [n, file_name, version],
    );
  const file = (file_name: string, property: string | null = 'Match') => {
    return { file_name, brand: ' BRAND', area: 'area', property };
  };

  test('a file matches the current spec with the same brand, area and property whose name differs only by its version', async () => {
    const first = await makeSpec(db.sql, { property: 'Match', fileName: 'Lobby Finishes v1.pdf' });
    await makeSpec(db.sql, { property: 'Match', fileName: 'Lobby Finishes v2.pdf', replaces: first });
    await makeSpec(db.sql, { property: 'Match', fileName: 'Bedroom 12.pdf' });
    await makeSpec(db.sql, { property: null, fileName: 'lobby-finishes.pdf' });
    expect(
      await match([
        file('lobby_finishes_V3.PDF'),
        file('Lobby finishes 2026-11 final (2).pdf'),
        file('Lobby finishes Rev B.pdf'),
        file('Lobby.pdf'),
        file('Bedroom 13.pdf'),
        file('Lobby finishes.pdf', null),
        file('Lobby finishes.pdf', 'Elsewhere'),
        { ...file('Lobby finishes.pdf'), brand: 'Nobody' },
      ]),
    ).toEqual([
      [1, 'Lobby Finishes v2.pdf', 2],
      [2, 'Lobby Finishes v2.pdf', 2],
      [3, 'Lobby Finishes v2.pdf', 2],
      [6, 'lobby-finishes.pdf', 1],
    ]);
  });

  test('a name that becomes much longer when it is folded can be uploaded and matched', async () => {
    const fileName = `${'\ufdfa'.repeat(250)}.pdf`;
    await makeSpec(db.sql, { property: 'Match', fileName });
    expect(await match([file(fileName)])).toEqual([[1, fileName, 1]]);
  });

  test('a name that consists only of a version matches only itself', async () => {
    await makeSpec(db.sql, { property: 'Match', fileName: 'v2.pdf' });
    expect(await match([file('V2.pdf'), file('v3.pdf')])).toEqual([[1, 'v2.pdf', 1]]);
  });
});

describe('stop_spec', () => {
  const stop = async (id: string) => (await db.sql`select public.stop_spec(${id}) as answer`)[0]?.answer;

  test('a stopped spec has failed with a reason, and late callbacks change nothing', async () => {
    const id = await makeSpec(db.sql);
    const item = await claimFor(db.sql, id);
    await db.sql`select public.work_dispatched(${item.id}, ${item.lease_token}, now() + interval '1 minute')`;
    expect(await stop(id)).toEqual({ outcome: 'stopped' });
    const stopped = await specState(db.sql, id);
    expect(stopped).toMatchObject({ status: 'failed', error: 'Stopped by an administrator.', job: 'failed' });
    const outcome = async (status: string) =>
      (await db.sql`select public.apply_spec_callback(${id}, ${status}, 1) as answer`)[0]?.answer.outcome;
    expect([await outcome('completed'), await outcome('failed')]).toEqual(['conflict', 'duplicate']);
    const [late] = await db.sql`select public.report_spec_progress(${id}, 60, 60, 1, 0.5) as answer`;
    expect(late?.answer.outcome).toBe('late');
    expect(await stop(id)).toEqual({ outcome: 'stopped' });
    expect(await specState(db.sql, id)).toEqual(stopped);
  });

  test('a queued spec that is stopped is not sent, and can be retried', async () => {
    const id = await makeSpec(db.sql);
    await stop(id);
    expect(await specState(db.sql, id)).toMatchObject({ status: 'failed', work: 'canceled' });
    await db.sql`select public.retry_spec(${id})`;
    expect(await specState(db.sql, id)).toMatchObject({ status: 'pending', run: 2, work: 'pending' });
  });

  test('a spec that has finished cannot be stopped', async () => {
    const id = await makeSpec(db.sql);
    await db.sql`select public.apply_spec_callback(${id}, 'completed', 1)`;
    expect(await stop(id)).toEqual({ outcome: 'conflict', status: 'completed' });
    expect(await stop(randomUUID())).toEqual({ outcome: 'not_found' });
  });
});
