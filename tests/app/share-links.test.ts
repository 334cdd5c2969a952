import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import type { Sql } from 'postgres';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { PageInput } from '@/lib/document/page-model';
import { projectDocument } from '@/lib/document/schema';
import { documentSummary } from '@/lib/export/documents/schema';
import type { Variant } from '@/lib/image-gen/schema';
import { type CreatedShareLink, createdShareLink, shareLinksResponse } from '@/lib/share-links/schema';
import { type ApiResponse, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { textElement } from '@/tests/app/support/exports';
import { readChat, startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { signInWithCookies } from '@/tests/app/support/people';
import { addImage, picture, replaceFile } from '@/tests/app/support/pictures';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';
import { tablePages } from '@/tests/pdf/support/heavy-pages';

const { url, env } = inject('atelier');
const visitor = apiAt(url);
let team: Team;
let sql: Sql;
let images: Variant[];
let foreign: Variant;

beforeAll(async () => {
  team = await makeTeam();
  sql = openDatabase();
  images = await imagesIn(team.projectId, 'A secret lobby');
  const [other] = await imagesIn(await makeProject(team.editor.api), 'Elsewhere');
  if (!other) throw new Error('the other project has no image');
  foreign = other;
});
afterAll(() => sql.end());

async function imagesIn(projectId: string, prompt: string): Promise<Variant[]> {
  const jobId = await startJob(team.editor.api, { projectId, prompt });
  await waitForJob(team.editor.api, jobId, 'succeeded');
  return (await readChat(team.editor.api, jobId)).variants;
}

/** Returns a picture with EXIF data, like a camera's photo. */
async function photo(): Promise<Buffer> {
  return sharp(await picture())
    .withExif({ IFD0: { ImageDescription: 'A secret place' } })
    .png()
    .toBuffer();
}

const linksPath = () => `/api/projects/${team.projectId}/share-links`;
const send = (body: object): Promise<ApiResponse> =>
  team.editor.api(linksPath(), { json: { name: 'Review', ...body } });

/** A link, and the path of its page. */
type Link = CreatedShareLink & { path: string };
async function share(body: object): Promise<Link> {
  const response = await send(body);
  expect(response.status, excerpt(response)).toBe(201);
  const link = createdShareLink.parse(response.body);
  return { ...link, path: new URL(link.url).pathname };
}
async function listed() {
  const response = await team.editor.api(linksPath());
  return shareLinksResponse.parse(response.body).shareLinks;
}
const revoke = ({ id }: Link) => team.editor.api(`${linksPath()}/${id}`, { method: 'DELETE' });
const imagePath = ({ path }: Link, id: string | undefined) => `${path}/images/${id}`;

function expectHidden({ headers }: ApiResponse): void {
  expect(headers.get('x-robots-tag')).toBe('noindex, nofollow');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
}

test('a link to chosen images shows only those, and its page counts as one visit', async () => {
  const [chosen, other] = images;
  const link = await share({ kind: 'images', imageIds: [chosen?.id] });
  const page = await visitor(link.path);
  expect(page.status).toBe(200);
  expectHidden(page);
  expect(page.headers.get('cache-control')).toContain('no-store');
  expect(page.headers.get('content-security-policy')).toMatch(/script-src 'self' 'nonce-/);
  expect(page.text).toContain('<meta name="robots" content="noindex, nofollow"/>');
  expect(page.text).toContain(`images/${chosen?.id}`);
  for (const hidden of [other?.id, 'A secret lobby', team.projectId, chosen?.path, team.editor.email]) {
    expect(page.text).not.toContain(hidden);
  }

  const image = await visitor(imagePath(link, chosen?.id));
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  expectHidden(image);
  expect(image.headers.get('cache-control')).toBe('private, max-age=3600');
  expect(image.headers.get('content-disposition')).toBeNull();
  expect(image.headers.get('content-security-policy')).toContain("default-src 'none'");
  const thumbnail = await visitor(`${imagePath(link, chosen?.id)}?thumbnail=true`);
  expect([thumbnail.status, thumbnail.text === image.text]).toEqual([200, false]);
  expectProblem(await visitor(`${imagePath(link, chosen?.id)}?download=true`), 'not_found');
  for (const id of [other?.id, foreign.id, randomUUID(), 'x', "'", '..%2f..%2fetc']) {
    expectProblem(await visitor(imagePath(link, id)), 'not_found');
  }
  expectProblem(await visitor(`${link.path}/document`), 'not_found');
  expect((await listed()).find(({ id }) => id === link.id)).toMatchObject({ imageCount: 1, openedCount: 1 });
});

test('a link to the gallery offers prompts and downloads only if it was created with them, and shows no image of another project', async () => {
  const link = await share({ kind: 'gallery', allowDownload: true, showPrompts: true });
  const page = await visitor(link.path);
  expect(page.text).toContain('A secret lobby');
  await replaceFile(images[1]?.path ?? '', await photo());
  const download = await visitor(`${imagePath(link, images[1]?.id)}?download=true`);
  expect(download.headers.get('content-disposition')).toMatch(
    /^attachment; filename="Project-[\w.-]+-1\.2\.(png|jpg|webp)"$/,
  );
  expect([download.text.includes('IEND'), download.text.includes('A secret place')]).toEqual([true, false]);
  expectProblem(await visitor(imagePath(link, foreign.id)), 'not_found');
  const [newest, next] = await sql`
    select id, to_json(created_at) as at from public.gallery_images where project_id = ${team.projectId}
     and deleted_at is null order by created_at desc, id desc limit 2`;
  const older = await visitor(`${link.path}?after=${btoa(JSON.stringify([newest?.at, newest?.id]))}`);
  expect([older.text.includes(newest?.id), older.text.includes(next?.id)]).toEqual([false, true]);
  expect((await listed()).find(({ id }) => id === link.id)).toMatchObject({ openedCount: 1 });
  // If the parameter is not a valid cursor, the first page is shown.
  expect((await visitor(`${link.path}?after=x`)).text).toContain(`images/${images[0]?.id}`);
});

test('a file that is not an image is not sent to visitors, regardless of its content type in storage', async () => {
  const [image] = await imagesIn(team.projectId, 'A bar');
  const link = await share({ kind: 'images', imageIds: [image?.id] });
  await replaceFile(image?.path ?? '', Buffer.from('<script>alert(document.domain)</script>'));
  expectProblem(await visitor(imagePath(link, image?.id)), 'not_found');
});

test('an unknown, an expired and a revoked link, and one whose images are deleted, give the same page and no file', async () => {
  const imageIds = [(await imagesIn(team.projectId, 'A cinema'))[0]?.id];
  // Only the last link shows images that are deleted below, so the others have just one reason not to work.
  const [expired, revoked, emptied] = [
    await share({ kind: 'document' }),
    await share({ kind: 'document' }),
    await share({ kind: 'images', imageIds }),
  ];
  for (const link of [expired, revoked, emptied]) expect((await visitor(link.path)).status).toBe(200);
  await sql`update private.share_links set expires_at = now() where id = ${expired.id}`;
  expect((await revoke(revoked)).status).toBe(204);
  expectProblem(await revoke(revoked), 'not_found');
  await team.editor.api(`/api/projects/${team.projectId}/gallery/delete`, { json: { imageIds } });
  const unknown = { ...emptied, path: `/share/shr_${'0'.repeat(64)}` };
  for (const link of [expired, revoked, emptied, unknown, { ...unknown, path: '/share/x' }]) {
    const page = await visitor(link.path);
    expect([page.status, page.text.includes('This link does not work')]).toEqual([404, true]);
    expectHidden(page);
    expect(page.text).not.toContain('Project-');
    expectProblem(await visitor(imagePath(link, imageIds[0])), 'not_found');
    expectProblem(await visitor(`${link.path}/document`), 'not_found');
    expectProblem(await visitor(`${link.path}/document/images/x`), 'not_found');
  }
  const ids = (await listed()).map(({ id }) => id);
  for (const { id } of [expired, revoked, emptied]) expect(ids).not.toContain(id);
});

test('a link to the document shows its pages as they were last saved, with their images and no others', async () => {
  const upload = await addImage(team.editor.api, team.projectId, await photo());
  const [generated, other] = images;
  const pagesPath = `/api/projects/${team.projectId}/pages`;
  const save = async (elements: object[]) => {
    const { body } = await team.editor.api(pagesPath);
    const response = await team.editor.api(pagesPath, {
      method: 'PUT',
      json: { ...projectDocument.parse(body), pages: [{ id: 'p', elements }] },
    });
    expect(response.status, excerpt(response)).toBe(200);
  };
  const frame = { type: 'image', w: 50, h: 50, y: 20 };
  await save([
    textElement('a', 'Salt and timber'),
    { ...frame, id: 'b', x: 20, imageId: upload.id },
    { ...frame, id: 'c', x: 90, path: generated?.path },
  ]);
  const link = await share({ kind: 'document' });
  const page = await visitor(link.path);
  expect([page.status, page.text.includes(`${link.path}/document`)]).toEqual([200, true]);
  const drawn = await visitor(`${link.path}/document`);
  expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expectHidden(drawn);
  expect(drawn.headers.get('content-security-policy')).toMatch(
    /default-src 'none'.*img-src 'self'.*frame-ancestors 'self'/,
  );
  expect(drawn.text).toContain('Salt and timber');
  expect(drawn.text).not.toContain(team.projectId);
  const sources = [...drawn.text.matchAll(/src="(document\/images\/\w+)"/g)];
  const files = sources.map(([, src]) => `${link.path}/${src}`);
  expect(files).toHaveLength(2);
  for (const file of files) {
    const { status, headers, text } = await visitor(file);
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(text).not.toContain('A secret place');
  }
  expectProblem(await visitor(imagePath(link, generated?.id)), 'not_found');
  expectProblem(await visitor(imagePath(link, other?.id)), 'not_found');
  const gallery = await share({ kind: 'gallery' });
  expectProblem(await visitor(files[0]?.replace(link.path, gallery.path) ?? ''), 'not_found');

  await save([textElement('a', 'Only text')]);
  expect((await visitor(`${link.path}/document`)).text).toContain('Only text');
  for (const file of files) expectProblem(await visitor(file), 'not_found');
});

const documentPath = (projectId: string, documentId: string) =>
  `/api/projects/${projectId}/pages?documentId=${documentId}`;

async function shareNewDocument(pages: PageInput[]): Promise<{ link: Link; documentId: string }> {
  const path = `/api/projects/${team.projectId}/documents`;
  const created = await team.editor.api(path, { json: { name: `Shared ${randomUUID()}` } });
  const { id: documentId } = documentSummary.parse(created.body);
  await saveShared(documentId, pages);
  return { link: await share({ kind: 'document', documentId }), documentId };
}

async function saveShared(documentId: string, pages: PageInput[]): Promise<void> {
  const path = documentPath(team.projectId, documentId);
  const { version } = projectDocument.parse((await team.editor.api(path)).body);
  const response = await team.editor.api(path, { method: 'PUT', json: { version, pages } });
  expect(response.status, excerpt(response)).toBe(200);
}

/** Runs `work` and returns the milliseconds that it used up of the rate limit for rendering a document. */
async function usedDuring(documentId: string, work: () => Promise<unknown>): Promise<number> {
  const key = `costly:shared-document:${documentId}`;
  const [before] = await sql`insert into private.rate_buckets (key, tat)
    values (${key}, date_trunc('second', now()) + interval '30 seconds')
    on conflict (key) do update set tat = excluded.tat returning extract(epoch from tat) * 1000 as ms`;
  await work();
  const [after] =
    await sql`select extract(epoch from tat) * 1000 as ms from private.rate_buckets where key = ${key}`;
  return Number(after?.ms) - Number(before?.ms);
}

const page = (text: string): PageInput[] => [{ id: 'p', elements: [textElement('a', text)] }];

test('each version of a shared document is rendered once for all its visitors, within its rate limit', async () => {
  const { link, documentId } = await shareNewDocument(page('Linen'));
  const open = () => visitor(`${link.path}/document`);
  const usedByMany = await usedDuring(documentId, async () => {
    const visits = await Promise.all(Array.from({ length: 6 }, open));
    for (const { status, text } of visits) expect([status, text.includes('Linen')]).toEqual([200, true]);
    expect((await open()).status).toBe(200);
  });
  await saveShared(documentId, page('Wool'));
  const usedByOne = await usedDuring(documentId, async () => expect((await open()).text).toContain('Wool'));
  expect(usedByOne).toBeGreaterThan(0);
  expect(usedByMany).toBe(usedByOne);
  await saveShared(documentId, page('Silk'));
  await sql`update private.rate_buckets set tat = now() + interval '130 seconds'
    where key = ${`costly:shared-document:${documentId}`}`;
  expectProblem(await open(), 'rate_limited');
});

test('when many shared documents are opened at once, some visitors are asked to come back', async () => {
  const heavy = await shareNewDocument(tablePages(8, 8));
  const others = await Promise.all(Array.from({ length: 11 }, (_, n) => shareNewDocument(page(`Room ${n}`))));
  const links = [heavy, ...others].map(({ link }) => `${link.path}/document`);
  const visits = await Promise.all(links.map((path) => visitor(path)));
  const refused = visits.filter(({ status }) => status !== 200);
  expect(refused).not.toEqual([]);
  for (const response of refused) {
    expectProblem(response, 'unavailable');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  for (const path of links) expect((await visitor(path)).status).toBe(200);
});

test('a link gives no right to the API or the database', async () => {
  const link = await share({ kind: 'gallery', allowDownload: true });
  const token = link.path.slice('/share/'.length);
  const attempts: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${token}` },
    { cookie: `token=${token}` },
  ];
  for (const headers of attempts) {
    for (const path of ['', '/gallery', '/pages', '/share-links', '/members']) {
      expectProblem(await apiAt(url, headers)(`/api/projects/${team.projectId}${path}`), 'unauthenticated');
    }
  }
  const apikey = env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? '';
  const backend = apiAt(env.NEXT_PUBLIC_SUPABASE_URL ?? '', { apikey });
  const opened = await backend('/rest/v1/rpc/open_share_link', { json: { p_key: token, p_count: false } });
  expect([401, 403, 404]).toContain(opened.status);
  for (const method of ['POST', 'PUT', 'DELETE']) {
    expectProblem(await visitor(link.path, { method }), 'method_not_allowed');
    expectProblem(await visitor(imagePath(link, images[0]?.id), { method }), 'method_not_allowed');
  }
});

test('a link can be created only with images of the project, an allowed duration and a name, and the list does not contain its URL', async () => {
  for (const body of [
    { kind: 'images' },
    { kind: 'images', imageIds: [] },
    { kind: 'images', imageIds: Array.from({ length: 501 }, () => images[0]?.id) },
    { kind: 'gallery', imageIds: [images[0]?.id] },
    { kind: 'studio' },
    { kind: 'gallery', expiresInDays: 8 },
    { kind: 'gallery', name: ' ' },
  ]) {
    expectProblem(await send(body), 'invalid_request');
  }
  expectProblem(await send({ kind: 'images', imageIds: [foreign.id] }), 'not_found');
  const link = await share({ kind: 'gallery', expiresInDays: 30 });
  expect(Date.parse(link.expiresAt) - Date.parse(link.createdAt)).toBe(30 * 24 * 60 * 60_000);
  expect(link.createdBy).toBe(team.editor.email);
  const response = await team.editor.api(linksPath());
  expect(response.text).toContain(link.id);
  expect(response.text).not.toContain('shr_');
  const elsewhere = await makeProject(team.editor.api);
  const path = `/api/projects/${elsewhere}/share-links/${link.id}`;
  expectProblem(await team.editor.api(path, { method: 'DELETE' }), 'not_found');
  expect((await visitor(link.path)).status).toBe(200);
});

test('outside of the API, only share links and the files of the PDF reader have routes', () => {
  const outside = globSync('app/**/route.ts').filter((file) => !file.startsWith('app/api/'));
  expect(outside.sort()).toEqual([
    'app/pdf-js/[version]/[folder]/[file]/route.ts',
    'app/share/[token]/document/images/[imageId]/route.ts',
    'app/share/[token]/document/route.ts',
    'app/share/[token]/images/[imageId]/route.ts',
  ]);
});

test('a viewer who opens a project gets its gallery, and an editor its studio', async () => {
  for (const [member, part] of [
    [team.viewer, 'gallery'],
    [team.editor, 'studio'],
  ] as const) {
    const api = apiAt(url, await signInWithCookies(env, member.email));
    const response = await api(`/projects/${team.projectId}`);
    expect(response.headers.get('location')).toMatch(new RegExp(`/projects/${team.projectId}/${part}$`));
  }
});
