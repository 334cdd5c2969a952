import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../setup/database';

let db: TestDatabase;
let project: string;
let elsewhere: string;
beforeAll(async () => {
  db = await createTestDatabase();
  const addProject = async (name: string): Promise<string> =>
    (await db.sql`insert into public.projects (name) values (${name}) returning id`)[0]?.id;
  project = await addProject('P');
  elsewhere = await addProject('Q');
});
afterAll(() => db?.drop());

type Added = { outcome: string; id: string };
async function add(name: string, bold = false, file = name, to = project): Promise<Added> {
  const bytes = Buffer.from(file).toString('base64');
  const [row] = await db.sql`
    select public.add_project_font(null, ${to}, ${name}, ${bold}, false, 'studio.ttf', ${bytes}) as answer`;
  return row?.answer;
}
const listed = async (of = project) =>
  (await db.sql`select id, name, bold from public.list_project_fonts(${of})`).map(({ id }) => id);
const read = async (ids: string[], of = project) =>
  (await db.sql`select bytes from public.read_project_fonts(${of}, ${ids})`).map(({ bytes }) =>
    Buffer.from(bytes, 'base64').toString(),
  );
const remove = async (id: string, of = project) =>
  (await db.sql`select public.remove_project_font(${of}, ${id}) as removed`)[0]?.removed;

test('a font belongs to its project, and a font of the same family and style replaces it', async () => {
  const first = await add('Studio', false, 'first');
  const bold = await add('Studio', true, 'bold');
  const other = await add('Studio', false, 'other', elsewhere);
  const second = await add('Studio', false, 'second');
  expect(await listed()).toEqual([second.id, bold.id]);
  expect(await read([first.id, second.id, other.id])).toEqual(['second']);
  expect(await remove(other.id)).toBe(false);
  expect(await remove(bold.id)).toBe(true);
  expect(await listed()).toEqual([second.id]);
  expect(await listed(elsewhere)).toEqual([other.id]);
});

test('a project has at most 24 fonts, and each can still be replaced', async () => {
  const count = (await listed()).length;
  for (let number = count; number < 24; number += 1) await add(`Font ${number}`);
  expect(await add('One more')).toEqual({ outcome: 'too_many' });
  expect(await add('Font 23')).toMatchObject({ outcome: 'created' });
  expect(await listed()).toHaveLength(24);
});

test('the fonts of a project have at most 16 MB together, and a larger font does not remove the one that it replaces', async () => {
  const [row] = await db.sql`insert into public.projects (name) values ('Large') returning id`;
  const large = 'x'.repeat(2 * 1024 * 1024);
  for (let number = 1; number < 8; number += 1) await add(`Font ${number}`, false, large, row?.id);
  const small = await add('Studio', false, large.slice(1), row?.id);
  expect(await add('One more', false, 'xx', row?.id)).toEqual({ outcome: 'too_many' });
  const most = await add('Studio', false, large, row?.id);
  expect(most).toMatchObject({ outcome: 'created' });
  expect(await read([small.id, most.id], row?.id)).toHaveLength(1);
  expect(await add('Font 9', false, 'x', row?.id)).toEqual({ outcome: 'too_many' });
  expect(await add('Font 1', false, 'x', row?.id)).toMatchObject({ outcome: 'created' });
  expect(await add('Font 9', false, 'x', row?.id)).toMatchObject({ outcome: 'created' });
  expect(await add('Font 1', false, large, row?.id)).toEqual({ outcome: 'too_many' });
  expect(await listed(row?.id)).toHaveLength(9);
});

test('the fonts of an archived project cannot be changed', async () => {
  const { id } = await add('Studio', false, 'kept', elsewhere);
  await db.sql`select public.archive_project(${elsewhere}, true)`;
  await expect(add('Studio', false, 'new', elsewhere)).rejects.toThrow('project_archived');
  await expect(remove(id, elsewhere)).rejects.toThrow('project_archived');
  expect(await read([id], elsewhere)).toEqual(['kept']);
  expect(await remove(randomUUID())).toBe(false);
});
