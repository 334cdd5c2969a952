import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

let db: TestDatabase;
let projectId: string;
beforeAll(async () => {
  db = await createTestDatabase();
  const [project] = await db.sql`insert into public.projects (name) values ('House') returning id`;
  projectId = project?.id;
});
afterAll(() => db?.drop());
beforeEach(async () => {
  await db.sql`delete from public.export_jobs`;
  await db.sql`delete from public.image_jobs`;
});

async function addUser(): Promise<string> {
  const id = randomUUID();
  await db.sql`insert into auth.users (id, email) values (${id}, ${`${id}@atelier.test`})`;
  return id;
}
async function order(userId: string | null, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    await db.sql`select public.create_export_job(${userId}, ${projectId}, '{}', '{}', ${'a'.repeat(64)})`;
  }
}

type Item = { id: string; lease_token: string; user_id: string };
/** Claims up to `limit` exports; returns them with their users, in no particular order. */
async function claim(limit: number): Promise<Item[]> {
  return db.sql<Item[]>`
    select c.id, c.lease_token, w.user_id
      from public.work_claim(array['pdf_export'], 'test', ${limit}, 30) c join private.work_items w on w.id = c.id`;
}
const finish = ({ id, lease_token }: Item) =>
  db.sql`select public.export_finished(${id}, ${lease_token}, 'exports/x.pdf', 10, 1, '[]')`;

/**
 * Runs all waiting exports, up to `places` at a time, and finishes them one after another. Before finishing each
 * export, calls `meanwhile` with the number of exports claimed so far. Returns the users of the exports in the order of
 * the claims.
 */
async function runAll(
  places: number,
  meanwhile: (taken: number) => Promise<void> = async () => {},
): Promise<string[]> {
  const running: Item[] = [];
  const taken: string[] = [];
  for (;;) {
    const items = await claim(places - running.length);
    running.push(...items);
    taken.push(...items.map(({ user_id }) => user_id));
    const [first] = running.splice(0, 1);
    if (!first) return taken;
    await meanwhile(taken.length);
    await finish(first);
  }
}

test.each([1, 2, 3])(
  'with %i at a time, an export is claimed before the waiting exports of a user who ordered six',
  async (places) => {
    const [first, second] = [await addUser(), await addUser()];
    await order(first, 6);
    let ordered = false;
    const taken = await runAll(places, async () => {
      if (!ordered) await order(second, 1);
      ordered = true;
    });
    expect(taken).toHaveLength(7);
    // Only the exports that were already in progress were claimed before the second user's export.
    expect(taken.indexOf(second)).toBe(places);
  },
);

test('two users with many waiting exports take turns, regardless of who was first', async () => {
  const [first, second] = [await addUser(), await addUser()];
  await order(first, 5);
  await order(second, 5);
  const taken = await runAll(1);
  expect(taken).toEqual(Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? first : second)));
});

test('a claim for several items takes one of each user before it takes a second one of any user', async () => {
  const users = [await addUser(), await addUser(), await addUser()];
  for (const user of users) await order(user, 4);
  await order(null, 1);
  const items = await claim(4);
  expect(new Set(items.map(({ user_id }) => user_id)).size).toBe(4);
});

test('a single user gets every slot, in the order of the exports', async () => {
  const user = await addUser();
  await order(user, 4);
  const waiting = await db.sql<{ id: string }[]>`select id from private.work_items order by id`;
  const [two, rest] = [await claim(2), await claim(5)];
  expect([...two, ...rest].map(({ id }) => id).sort()).toEqual(waiting.map(({ id }) => id).sort());
  expect(new Set(two.map(({ id }) => id))).toEqual(new Set(waiting.slice(0, 2).map(({ id }) => id)));
});

test('image jobs and specs take turns by user, too', async () => {
  const [first, second] = [await addUser(), await addUser()];
  for (const user of [first, first, first, second]) {
    await db.sql`select public.create_image_job(${user}, ${projectId}, 'a lobby')`;
  }
  const claimed = async () => {
    const [item] = await db.sql`
      select w.user_id from public.work_claim(array['image_dispatch', 'spec_dispatch'], 'test', 1, 30) c
        join private.work_items w on w.id = c.id`;
    return item?.user_id;
  };
  expect([await claimed(), await claimed(), await claimed()]).toEqual([first, second, first]);
});
