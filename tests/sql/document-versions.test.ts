import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

const MB = 1024 * 1024;
const now = new Date('2026-11-20T12:00:00Z');
let db: TestDatabase;
let project: string;
let ada: string;
let ben: string;
beforeAll(async () => {
  db = await createTestDatabase();
  const addUser = async (): Promise<string> => {
    const id = randomUUID();
    await db.sql`insert into auth.users (id, email) values (${id}, ${`${id}@atelier.test`})`;
    return id;
  };
  [ada, ben] = [await addUser(), await addUser()];
});
afterAll(() => db?.drop());
beforeEach(async () => {
  const [row] = await db.sql`insert into public.projects (name) values ('P') returning id`;
  project = row?.id;
});

const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
const days = (count: number) => minutes(count * 24 * 60);
const page = (id: string, title = '') => ({ id, title, elements: [] });
const jsonOf = (value: unknown) => JSON.stringify(value);

/** Saves the document as `user` at the time `at`; returns its new version. */
async function save(user: string, at: Date, pages: object[] = [], cover = {}): Promise<number> {
  const [row] = await db.sql`
    insert into public.project_pages as d (id, project_id, pages, cover, updated_by, updated_at)
    values (${project}, ${project}, ${jsonOf(pages)}::text::json, ${jsonOf(cover)}::text::jsonb, ${user}, ${at})
    on conflict (id) do update
      set version = d.version + 1, pages = excluded.pages, cover = excluded.cover, updated_by = excluded.updated_by,
          updated_at = excluded.updated_at
    returning version`;
  return row?.version;
}
/** Adds a version that was saved at the time `at`. Stores the document first if it is not stored yet. */
async function add(
  version: number,
  at: Date,
  {
    name = null,
    printed = false,
    bytes = 1,
  }: { name?: string | null; printed?: boolean; bytes?: number } = {},
): Promise<void> {
  await db.sql`insert into public.project_pages (id, project_id) values (${project}, ${project})
    on conflict (id) do nothing`;
  await db.sql`
    insert into private.document_versions (project_id, document_id, version, name, printed, format, orientation, language, cover,
      settings, pages, page_hashes, rest_hash, images, bytes, created_at, kept_at)
    values (${project}, ${project}, ${version}, ${name}, ${printed}, 'A4', 'portrait', 'en', '{}', '{}', '[]', '{}', '', '{}',
      ${bytes}, ${at}, ${at})`;
}
const thin = (at: Date) => db.sql`select private.thin_document_versions(${project}, ${at})`;
const list = (limit = 500) => db.sql`select * from public.list_document_versions(${project}, ${limit})`;
const kept = async () => (await list()).map(({ version }) => version);
const answered = async (query: Promise<{ answer?: { outcome: string; id: string } }[]>) =>
  (await query)[0]?.answer;
const keep = (version: number, name: string | null = null) =>
  answered(
    db.sql`select public.keep_document_version(${project}, ${version}, ${name}) as answer`.then((rows) => [
      ...rows,
    ]),
  );
const rename = (id: string, name: string | null) =>
  answered(
    db.sql`select public.name_document_version(${project}, ${id}, ${name}) as answer`.then((rows) => [
      ...rows,
    ]),
  );

test('continuous saves by one person keep one version every 5 minutes, starting with the state before the first save', async () => {
  for (let minute = 0; minute <= 12; minute += 1) await save(ada, minutes(minute));
  // The saves in minutes 1, 6 and 11 keep the versions that they replace.
  expect(await kept()).toEqual([11, 6, 1]);
});

test('after a break, a save keeps the last state before the break', async () => {
  for (const minute of [0, 1, 2, 3, 30]) await save(ada, minutes(minute));
  expect(await kept()).toEqual([4, 1]);
});

test('when two people take turns, a save keeps the version that the other one saved, at most once a minute', async () => {
  const turns = [ada, ben, ada, ben, ada, ben];
  for (const [index, user] of turns.entries()) await save(user, minutes(index / 2));
  expect((await list()).map(({ version, saved_by }) => [version, saved_by])).toEqual([
    [5, ada],
    [3, ada],
    [1, ada],
  ]);
});

test('all versions of the last day stay, then one a day for 30 days, then one a week', async () => {
  const ages = [0.1, 0.2, 0.9, 1.6, 1.7, 2.6, 29.6, 29.9, 40, 41, 47];
  for (const [index, age] of ages.entries()) await add(ages.length - index, days(-age));
  await thin(now);
  // Only the newest version of a day or week stays. The versions that are 1.6 and 1.7 days old are from the same day,
  // and so are those that are 29.6 and 29.9 days old. Those that are 40 and 41 days old are from the same week.
  expect((await list()).map(({ created_at }) => (now.getTime() - created_at.getTime()) / 86_400_000)).toEqual(
    [0.1, 0.2, 0.9, 1.6, 2.6, 29.6, 40, 47],
  );
});

test('named and printed versions stay', async () => {
  await add(1, days(-40), { name: 'For the client' });
  await add(2, days(-39.9), { printed: true });
  await add(3, days(-39.8));
  await add(4, days(-39.7));
  await thin(now);
  expect(await kept()).toEqual([4, 2, 1]);
});

test('each kind of version is limited in number and to 64 MB, and the newest of each kind always stays', async () => {
  await add(1, minutes(-9), { name: 'Large', bytes: 60 * MB });
  await add(2, minutes(-8), { bytes: 1 });
  await add(3, minutes(-7), { bytes: 40 * MB });
  await add(4, minutes(-6), { bytes: 24 * MB });
  await add(5, minutes(-5), { printed: true, bytes: 10 });
  await add(6, minutes(-4), { printed: true, bytes: 70 * MB });
  await thin(now);
  expect(await kept()).toEqual([6, 4, 3, 1]);
  await db.sql`delete from private.document_versions where project_id = ${project}`;
  for (let version = 1; version <= 203; version += 1) await add(version, minutes(version - 300));
  for (let version = 301; version <= 302; version += 1) await add(version, minutes(-1), { printed: true });
  await thin(now);
  const versions = await kept();
  expect(versions).toHaveLength(202);
  expect(Math.min(...versions)).toBe(4);
});

test('the current version can be kept and named once, and a later version is a conflict', async () => {
  await save(ada, now);
  const { id } = (await keep(1)) ?? {};
  expect(await keep(1, 'First draft')).toEqual({ outcome: 'kept', id });
  await save(ada, minutes(1));
  expect(await keep(1, 'Again')).toEqual({ outcome: 'conflict', version: 2 });
  expect(await list()).toMatchObject([{ version: 1, name: 'First draft', saved_by: ada }]);
  expect(await rename(id ?? '', null)).toEqual({ outcome: 'kept', id });
  expect(await list()).toMatchObject([{ name: null }]);
  expect(await rename(randomUUID(), 'Other')).toEqual({ outcome: 'not_found' });
});

test('a document has at most 50 named versions with 64 MB together, and they can still be renamed', async () => {
  for (let version = 1; version <= 49; version += 1) await add(version, minutes(version), { name: 'N' });
  await add(50, minutes(50), { bytes: 64 * MB });
  await add(51, minutes(51));
  await add(52, minutes(52));
  const ids = (await list()).map(({ id }) => id);
  expect(await rename(ids[2], 'Too large')).toEqual({ outcome: 'too_many' });
  expect(await rename(ids[1], 'Fifty')).toMatchObject({ outcome: 'kept' });
  expect(await rename(ids[0], 'One more')).toEqual({ outcome: 'too_many' });
  expect(await rename(ids[1], 'Renamed')).toMatchObject({ outcome: 'kept' });
  expect(await rename(randomUUID(), 'Missing')).toEqual({ outcome: 'not_found' });
});

test('a version that cannot be kept under a name is not kept without one', async () => {
  for (let version = 1; version <= 50; version += 1) await add(version, minutes(version), { name: 'N' });
  await db.sql`update public.project_pages set version = 51 where id = ${project}`;
  expect(await keep(51, 'One more')).toEqual({ outcome: 'too_many' });
  expect(await kept()).not.toContain(51);
  expect(await keep(51)).toMatchObject({ outcome: 'kept' });
  expect(await keep(51, 'One more')).toEqual({ outcome: 'too_many' });
  expect((await list())[0]).toMatchObject({ version: 51, name: null });
});

test('the list counts the pages that differ from the version before, even if that is on its next page', async () => {
  await save(ada, minutes(0), [page('a'), page('b')]);
  await save(ada, minutes(10), [page('a'), page('b', 'New title'), page('c')]);
  await save(ada, minutes(20), [page('c')], { title: 'Cover' });
  await save(ada, minutes(30), []);
  const rows = await list();
  const none = { added: null, removed: null, changed: null, settings_changed: null };
  expect(rows).toMatchObject([
    { version: 3, page_count: 1, added: 0, removed: 2, changed: 0, settings_changed: true },
    { version: 2, page_count: 3, added: 1, removed: 0, changed: 1, settings_changed: false },
    { version: 1, page_count: 2, ...none },
  ]);
  const first = (await list(1))[0];
  const next = await db.sql`
    select * from public.list_document_versions(${project}, 1, ${first?.created_at}, ${first?.id})`;
  expect([first, ...next]).toEqual(rows.slice(0, 2));
});

test('an export keeps the version that it prints, unless its pages differ from it', async () => {
  await save(ada, now, [page('a')]);
  const started = async (pages: object[]) => {
    const snapshot = jsonOf({ cover: {}, masters: [], pages });
    const [row] = await db.sql`
      insert into public.export_jobs (project_id, snapshot, input_sha256)
      values (${project}, ${snapshot}::text::json, ${'0'.repeat(64)}) returning version_id`;
    return row?.version_id;
  };
  const id = await started([page('a')]);
  expect(await list()).toMatchObject([{ id, version: 1, printed: true }]);
  expect(await started([page('a')])).toBe(id);
  expect(await started([page('b')])).toBeNull();
});

test('an image that only a version shows is not removed', async () => {
  const path = `images/projects/${project}/jobs/x/1/v1`;
  const [created] = await db.sql`select public.create_image_job(${ada}, ${project}, 'A lobby') as answer`;
  const output = { variant_id: 'v1', path, thumb_path: null, meta: null, width: 1, height: 1 };
  await db.sql`select public.add_image_outputs(${created?.answer.job_id}, 1, ${db.sql.json([output])})`;
  await db.sql`update public.image_variants set deleted_at = now() - interval '60 days' where path = ${path}`;
  const removed = async () =>
    (await db.sql`select public.remove_deleted_images(86400, 10) as count`)[0]?.count;
  await save(ada, minutes(0), [], { path });
  await save(ada, minutes(10));
  expect(await kept()).toEqual([1]);
  expect(await removed()).toBe(0);
  await db.sql`delete from private.document_versions where project_id = ${project}`;
  expect(await removed()).toBe(1);
});

test('versions of an archived project cannot be kept or named', async () => {
  await save(ada, now);
  const { id } = (await keep(1)) ?? {};
  await db.sql`select public.archive_project(${project}, true)`;
  await expect(rename(id ?? '', 'Late')).rejects.toThrow('project_archived');
  await expect(keep(1)).rejects.toThrow('project_archived');
});
