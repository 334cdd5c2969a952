import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { retention } from '@/lib/queue/retention';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { imagesOfJob, jobWithImages } from './support/image-jobs';
import { signedIn } from './support/sessions';

let db: TestDatabase;
let project: string;
let user: string;
beforeAll(async () => {
  db = await createTestDatabase();
  user = randomUUID();
  await db.sql`insert into auth.users (id, email) values (${user}, ${`${user}@atelier.test`})`;
});
afterAll(() => db?.drop());
beforeEach(async () => {
  const [row] = await db.sql`select public.create_project(${user}, 'P') as answer`;
  project = row?.answer.id;
});

async function create(of: { id?: string; copyOf?: string; title?: string } = {}) {
  const { id = randomUUID(), copyOf = null, title = '' } = of;
  const [row] = await db.sql`
    select public.create_document(${user}, ${project}, ${id}, 'Book', 'A4', 'portrait', 'en', '{}', '{}', ${copyOf})
      as answer`;
  const pages = JSON.stringify([{ id: 'p', title, elements: [] }]);
  if (title) await db.sql`update public.project_pages set pages = ${pages}::text::json where id = ${id}`;
  return { id, outcome: row?.answer.outcome };
}
async function save(version: number, document: string | null = null) {
  const [row] = await db.sql`
    select public.save_project_pages(${user}, ${project}, ${version}, 'A4', 'portrait', '{}', '[]', 'en', '{}',
      ${document}) as answer`;
  return row?.answer;
}
const remove = async (id: string) =>
  (await db.sql`select public.delete_document(${project}, ${id}) as removed`)[0]?.removed;
const restore = async (id: string) =>
  (
    await db.sql`select public.restore_document(${project}, ${id}, ${retention.deletedDocumentsS}) as answer`
  )[0]?.answer.outcome;
const archive = (id: string, archived: boolean) =>
  db.sql`select public.archive_document(${project}, ${id}, ${archived})`;
const titles = async (id: string) =>
  (await db.sql`select pages -> 0 ->> 'title' as title from public.project_pages where id = ${id}`)[0]?.title;
const versionsOf = async (id: string) =>
  (await db.sql`select version from public.list_document_versions(${project}, 100, p_document => ${id})`).map(
    ({ version }) => version,
  );
const share = async (document: string) => {
  const key = randomUUID();
  await db.sql`select public.create_share_link(${user}, ${project}, 'document', 'Review', '{}', false, false, ${key}, 7,
    ${document})`;
  return async () =>
    (await db.sql`select document_id from public.open_share_link(${key}, false)`)[0]?.document_id;
};

test('a save that names no document saves the main one, whose id is that of the project', async () => {
  const other = await create();
  expect(await save(0)).toEqual({ outcome: 'saved', version: 1 });
  expect(await save(1)).toEqual({ outcome: 'saved', version: 2 });
  const rows = await db.sql`
    select id, version from public.project_pages where project_id = ${project} order by version`;
  expect([...rows]).toEqual([
    { id: other.id, version: 1 },
    { id: project, version: 2 },
  ]);
  expect(await save(1, other.id)).toEqual({ outcome: 'saved', version: 2 });
});

test('a document of another project, and one that does not exist, cannot be saved or copied', async () => {
  const { id } = await create();
  const [elsewhere] = await db.sql`select public.create_project(${user}, 'Q') as answer`;
  project = elsewhere?.answer.id;
  for (const unknown of [id, randomUUID()]) {
    expect(await save(1, unknown)).toEqual({ outcome: 'not_found' });
    expect(await save(0, unknown)).toEqual({ outcome: 'not_found' });
    expect((await create({ copyOf: unknown })).outcome).toBe('not_found');
  }
});

test('a copy has the content of its original and no versions, and later saves do not change the original', async () => {
  const original = await create({ title: 'Original' });
  const copy = await create({ copyOf: original.id });
  expect(await titles(copy.id)).toBe('Original');
  await save(1, copy.id);
  expect(await titles(original.id)).toBe('Original');
  expect(await versionsOf(original.id)).toEqual([]);
  expect(await versionsOf(copy.id)).toEqual([1]);
});

test('the main document can be stored even after 99 other documents', async () => {
  for (let count = 1; count < 100; count += 1) expect((await create()).outcome).toBe('created');
  expect((await create()).outcome).toBe('too_many');
  expect((await create({ id: project })).outcome).toBe('created');
});

test('an export of an unknown document does not use up its idempotency key', async () => {
  const key = randomUUID();
  const request = async (document: string | null, bodyHash: string) => {
    const [row] = await db.sql`
      select public.create_export_job(${user}, ${project}, '{}', '{}', ${'a'.repeat(64)}, ${key}, ${bodyHash},
        ${document}) as answer`;
    return row?.answer.outcome;
  };
  expect(await request(randomUUID(), 'b'.repeat(64))).toBe('not_found');
  expect(await request(null, 'c'.repeat(64))).toBe('created');
});

test('a version of a deleted document cannot be named', async () => {
  const { id } = await create({ title: 'A' });
  const [row] = await db.sql`
    select public.keep_document_version(${project}, 1, 'Final', ${id}) as answer`;
  const version = row?.answer.id;
  expect(row?.answer.outcome).toBe('kept');
  await remove(id);
  const [named] =
    await db.sql`select public.name_document_version(${project}, ${version}, 'Other', ${id}) as answer`;
  expect(named?.answer).toEqual({ outcome: 'not_found' });
  const [again] = await db.sql`select public.keep_document_version(${project}, 1, 'Again', ${id}) as answer`;
  expect(again?.answer).toEqual({ outcome: 'not_found' });
});

test('a project has at most 100 documents, and a deleted one can be restored only if there is room', async () => {
  const first = await create();
  for (let count = 1; count < 100; count += 1) await create();
  expect((await create()).outcome).toBe('too_many');
  await remove(first.id);
  const last = await create();
  expect(last.outcome).toBe('created');
  expect(await restore(first.id)).toBe('too_many');
  expect(await restore(last.id)).toBe('not_found');
  expect(await restore(randomUUID())).toBe('not_found');
  await remove(last.id);
  expect(await restore(first.id)).toBe('restored');
});

test('an archived document can be read and copied, but not saved, and its versions cannot be named', async () => {
  const { id } = await create({ title: 'Kept' });
  await save(1, id);
  const [version] = await db.sql`
    select id from public.list_document_versions(${project}, 1, p_document => ${id})`;
  await archive(id, true);
  await expect(save(2, id)).rejects.toThrow('document_archived');
  await expect(
    db.sql`select public.name_document_version(${project}, ${version?.id}, 'Final', ${id})`,
  ).rejects.toThrow('document_archived');
  expect((await create({ copyOf: id })).outcome).toBe('created');
  await archive(id, false);
  expect(await save(2, id)).toEqual({ outcome: 'saved', version: 3 });
});

test('documents of an archived project cannot be created, renamed, archived or deleted', async () => {
  const { id } = await create();
  await db.sql`select public.archive_project(${project}, true)`;
  await expect(create()).rejects.toThrow('project_archived');
  await expect(db.sql`select public.rename_document(${project}, ${id}, 'Other')`).rejects.toThrow(
    'project_archived',
  );
  await expect(archive(id, true)).rejects.toThrow('project_archived');
  await expect(remove(id)).rejects.toThrow('project_archived');
});

test('the main document cannot be deleted', async () => {
  await save(0);
  expect(await remove(project)).toBe(false);
});

test('a deleted document is hidden with its versions and links until it is restored', async () => {
  const { id } = await create();
  await save(1, id);
  const open = await share(id);
  const openMain = await share(project);
  expect([await open(), await openMain()]).toEqual([id, project]);
  expect(await remove(id)).toBe(true);
  expect(await remove(id)).toBe(false);
  expect([await open(), await openMain()]).toEqual([undefined, project]);
  expect(await versionsOf(id)).toEqual([]);
  expect(await save(2, id)).toEqual({ outcome: 'not_found' });
  const seen = () =>
    signedIn(db.sql, user, (sql) => sql`select id from public.project_pages where id = ${id}`);
  expect(await seen()).toEqual([]);
  expect(await restore(id)).toBe('restored');
  expect(await seen()).toEqual([{ id }]);
  expect(await open()).toBe(id);
  expect(await versionsOf(id)).toEqual([1]);
});

test('a project keeps the 100 documents that were deleted last', async () => {
  const { id: oldest } = await create();
  const { id: second } = await create();
  const { id: open } = await create();
  await remove(oldest);
  await remove(second);
  const deleted = async () =>
    (
      await db.sql`select id from public.project_pages where project_id = ${project} and deleted_at is not null`
    ).map(({ id }) => id);
  await db.sql`insert into public.project_pages (id, project_id, deleted_at)
    select gen_random_uuid(), ${project}, clock_timestamp() from generate_series(1, 98)`;
  expect(await deleted()).toHaveLength(100);
  expect(await remove(open)).toBe(true);
  const left = await deleted();
  expect(left).toHaveLength(100);
  expect(left).not.toContain(oldest);
  expect(left).toEqual(expect.arrayContaining([second, open]));
});

test('the sweep removes documents that can no longer be restored, with their versions, exports and links', async () => {
  const { id } = await create();
  await save(1, id);
  await share(id);
  await db.sql`insert into public.export_jobs (project_id, document_id, snapshot, input_sha256)
    values (${project}, ${id}, '{}', ${'0'.repeat(64)})`;
  const sweep = async () =>
    (await db.sql`select public.remove_deleted_documents(${retention.deletedDocumentsS}, 100) as removed`)[0]
      ?.removed;
  await remove(id);
  expect(await sweep()).toBe(0);
  await db.sql`update public.project_pages
    set deleted_at = now() - make_interval(secs => ${retention.deletedDocumentsS + 60}) where id = ${id}`;
  expect(await restore(id)).toBe('not_found');
  expect(await sweep()).toBe(1);
  const [left] = await db.sql`select
    (select count(*)::int from private.document_versions where document_id = ${id}) as versions,
    (select count(*)::int from public.export_jobs where document_id = ${id}) as exports,
    (select count(*)::int from private.share_links where document_id = ${id}) as links`;
  expect({ ...left }).toEqual({ versions: 0, exports: 0, links: 0 });
});

test('a template is renamed and deleted only by its creator or an administrator, and keeps its images in storage', async () => {
  const [image] = await imagesOfJob(db.sql, await jobWithImages(db.sql, project, 1));
  const content = { pages: [{ id: 'p', elements: [{ type: 'image', path: image?.path ?? '' }] }] };
  const [row] = await db.sql`
    select public.create_page_template(${user}, ${project}, 'Board', ${JSON.stringify(content)}::text::json) as answer`;
  const { id } = row?.answer ?? {};
  const outcomeOf = async (query: PromiseLike<readonly { answer?: { outcome: string } }[]>) =>
    (await query)[0]?.answer?.outcome;
  const rename = (by: string | null, of = id) =>
    outcomeOf(db.sql`select public.rename_page_template(${of}, 'Other', ${by}) as answer`);
  const remove = (by: string | null) =>
    outcomeOf(db.sql`select public.delete_page_template(${id}, ${by}) as answer`);
  expect([await rename(randomUUID()), await remove(randomUUID())]).toEqual(['forbidden', 'forbidden']);
  expect([await rename(user), await rename(null)]).toEqual(['allowed', 'allowed']);
  expect(await rename(null, randomUUID())).toBe('not_found');
  const [listed] = await db.sql`select name, page_count from public.list_page_templates(1)`;
  expect({ ...listed }).toEqual({ name: 'Other', page_count: 1 });

  await db.sql`update public.image_variants set deleted_at = now() - interval '1 day' where id = ${image?.id ?? ''}`;
  const sweep = async () =>
    (await db.sql`select public.remove_deleted_images(60, 10) as removed`)[0]?.removed;
  expect(await sweep()).toBe(0);
  expect(await remove(user)).toBe('allowed');
  expect(await sweep()).toBe(1);
});

test('only members of the project can join the topic of one of its documents', async () => {
  const { id } = await create();
  const stranger = randomUUID();
  await db.sql`insert into auth.users (id, email) values (${stranger}, ${`${stranger}@atelier.test`})`;
  const canRead = async (as: string) => {
    const [row] = await signedIn(
      db.sql,
      as,
      (sql) => sql`select private.can_read_topic(${`document:${id}`}) as allowed`,
    );
    return row?.allowed;
  };
  expect(await canRead(user)).toBe(true);
  expect(await canRead(stranger)).toBe(false);
});
