import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { retention } from '@/lib/queue/retention';
import { createTestDatabase, type TestDatabase } from '../setup/database';
import { imagesOfJob, jobWithImages } from './support/image-jobs';

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

/** Creates a job with `count` images and returns their ids. */
async function newImages(count: number, of = project): Promise<string[]> {
  const images = await imagesOfJob(db.sql, await jobWithImages(db.sql, of, count));
  return images.map(({ id }) => id);
}
const remove = (ids: string[]) => db.sql`select public.delete_images(${project}, ${ids})`;
const restore = (ids: string[]) =>
  db.sql`select public.restore_images(${project}, ${ids}, ${retention.deletedImagesS})`;

type Link = { key: string; id: string; outcome: string; image_count?: number };
/** Creates a share link for the project, with a random key instead of the hash of a token. */
async function share(
  kind: 'images' | 'gallery' | 'document',
  ids: string[] = [],
  prompts = false,
): Promise<Link> {
  const key = randomUUID();
  const [row] = await db.sql`
    select public.create_share_link(null, ${project}, ${kind}, 'Review', ${ids}, false, ${prompts}, ${key}, 7) as answer`;
  return { key, ...row?.answer };
}
async function opens({ key }: Pick<Link, 'key'>, count = false): Promise<boolean> {
  return (await db.sql`select 1 from public.open_share_link(${key}, ${count})`).length === 1;
}
const shownBy = async ({ key }: Link, limit = 100) =>
  (await db.sql`select id, prompt from public.list_shared_images(${key}, ${limit})`).map(
    ({ id, prompt }) => ({
      id,
      prompt,
    }),
  );
/** Returns whether visitors of a link can fetch an image's file. */
async function serves({ key }: Link, id: string): Promise<boolean> {
  return (await db.sql`select 1 from public.shared_image(${key}, ${id})`).length === 1;
}

test('a share link of images shows only those chosen images that are in its project and not deleted, and works while one is left', async () => {
  const [first = '', second = '', third = ''] = await newImages(3);
  const [foreign = ''] = await newImages(1, elsewhere);
  const link = await share('images', [first, second, foreign]);
  expect(link).toMatchObject({ outcome: 'created', image_count: 2 });
  expect(await shownBy(link)).toEqual([second, first].map((id) => ({ id, prompt: null })));
  expect(await Promise.all([first, third, foreign].map((id) => serves(link, id)))).toEqual([
    true,
    false,
    false,
  ]);
  await remove([first]);
  expect(await shownBy(link)).toEqual([{ id: second, prompt: null }]);
  expect(await serves(link, first)).toBe(false);
  await remove([second]);
  expect([await opens(link), await serves(link, second)]).toEqual([false, false]);
  await restore([second]);
  expect([await opens(link), await serves(link, second)]).toEqual([true, true]);
  expect(await share('images', [foreign, randomUUID()])).toMatchObject({ outcome: 'not_found' });
});

test('a share link of the gallery shows all images of its project, including later ones, and a link of the document shows none', async () => {
  const [early = ''] = await newImages(1);
  const [gallery, document] = [await share('gallery', [], true), await share('document')];
  const [late = ''] = await newImages(1);
  const [foreign = ''] = await newImages(1, elsewhere);
  expect((await shownBy(gallery, 1))[0]).toEqual({ id: late, prompt: 'A lobby' });
  expect(await Promise.all([early, late, foreign].map((id) => serves(gallery, id)))).toEqual([
    true,
    true,
    false,
  ]);
  expect(await shownBy(document)).toEqual([]);
  expect(await serves(document, early)).toBe(false);
});

test('a share link stops working when it expires or is revoked, counts its visits, and is removed 30 days after its end', async () => {
  const [image = ''] = await newImages(1);
  const [live, revoked, expired] = [await share('gallery'), await share('gallery'), await share('gallery')];
  await opens(live, true);
  await opens(live, true);
  await opens(live);
  const listed = await db.sql`
    select id, opened_count, last_opened_at is not null as opened from public.list_share_links(${project})`;
  expect(listed.find(({ id }) => id === live.id)).toMatchObject({ opened_count: 2, opened: true });

  const revoke = async (of: string, id: string) => {
    const [row] = await db.sql`select public.revoke_share_link(${of}, ${id}) as found`;
    return row?.found;
  };
  expect(await revoke(elsewhere, revoked.id)).toBe(false);
  expect(await revoke(project, revoked.id)).toBe(true);
  expect(await revoke(project, revoked.id)).toBe(false);
  await db.sql`update private.share_links set expires_at = now() - interval '1 second' where id = ${expired.id}`;
  for (const link of [revoked, expired, { ...live, key: randomUUID() }]) {
    expect([await opens(link, true), await shownBy(link), await serves(link, image)]).toEqual([
      false,
      [],
      false,
    ]);
  }
  const after = await db.sql`select id from public.list_share_links(${project})`;
  expect(after.map(({ id }) => id)).not.toContain(revoked.id);
  expect(after.map(({ id }) => id)).not.toContain(expired.id);

  const sweep = () => db.sql`select public.remove_ended_shares(${retention.shareLinksS}, 100)`;
  const left = async () =>
    (await db.sql`select id from private.share_links where id in (${live.id}, ${revoked.id}, ${expired.id})`)
      .length;
  await sweep();
  expect(await left()).toBe(3);
  const past = retention.shareLinksS + 60;
  await db.sql`update private.share_links set revoked_at = now() - make_interval(secs => ${past}) where id = ${revoked.id}`;
  await db.sql`update private.share_links set expires_at = now() - make_interval(secs => ${past}) where id = ${expired.id}`;
  await sweep();
  expect(await left()).toBe(1);

  await db.sql`update public.projects set deleted_at = now() where id = ${project}`;
  expect([await opens(live), await shownBy(live), await serves(live, image)]).toEqual([false, [], false]);
  await db.sql`update public.projects set deleted_at = null where id = ${project}`;
  expect(await opens(live)).toBe(true);
});

test('a project has at most 100 active share links', async () => {
  await db.sql`update private.share_links set revoked_at = now() where project_id = ${project}`;
  for (let n = 0; n < 100; n += 1) await share('document');
  const refused = await share('document');
  expect(refused).toMatchObject({ outcome: 'too_many' });
  await db.sql`
    update private.share_links set revoked_at = now()
     where id = (select id from private.share_links where revoked_at is null and project_id = ${project} limit 1)`;
  expect(await share('document')).toMatchObject({ outcome: 'created' });
});
