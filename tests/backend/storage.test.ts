import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '@/tests/app/support/poll';
import {
  ok,
  PASSWORD,
  refused,
  SECRET_KEY,
  sessionOf,
  startTestBackend,
  type TestBackend,
} from '@/tests/backend/support/start-test-backend';

type Client = ReturnType<TestBackend['client']>;

let backend: TestBackend;
let bob: Client;
let admin: Client;
let anon: Client;
let service: Client;
let bobId: string;

const PDF = { contentType: 'application/pdf' };
const big = Buffer.alloc(10 << 20);
for (let offset = 0; offset < big.length; offset += 4_096) big.writeUInt32BE(offset, offset);

beforeAll(async () => {
  backend = await startTestBackend();
  bob = await backend.signedIn('bob@example.com');
  admin = await backend.signedIn('admin@example.com');
  anon = backend.client();
  service = backend.client(SECRET_KEY);
  bobId = (await sessionOf(bob)).id;
  ok(await bob.storage.from('docs').upload(`${bobId}/big.pdf`, big, PDF));
});
afterAll(() => backend.end());

const docs = (client: Client = bob) => client.storage.from('docs');
const small = Buffer.from('%PDF-1.7 small');

/** Returns how many files are stored, and how many files are still being received. */
async function filesOnDisk(): Promise<{ stored: number; incoming: number }> {
  const root = join(backend.dataDir, 'storage');
  const folders = (await readdir(root)).filter((name) => name !== 'incoming');
  const files = await Promise.all(folders.map((name) => readdir(join(root, name))));
  return { stored: files.flat().length, incoming: (await readdir(join(root, 'incoming'))).length };
}

describe('buckets', () => {
  test('the service role reads the buckets that migrations create, and no client can change them', async () => {
    const bucket = ok(await service.storage.getBucket('docs'));
    expect(bucket).toMatchObject({
      public: false,
      file_size_limit: 20 << 20,
      allowed_mime_types: ['application/pdf', 'text/plain'],
    });
    expect(ok(await service.storage.listBuckets())).toContainEqual(bucket);
    expect(refused(await service.storage.getBucket('none'))).toMatchObject({ statusCode: '404' });
    for (const result of [
      await service.storage.createBucket('made'),
      await service.storage.updateBucket('docs', { public: true }),
      await service.storage.emptyBucket('docs'),
      await service.storage.deleteBucket('docs'),
    ]) {
      expect(refused(result).message).toContain('not available');
    }
    expect(ok(await service.storage.getBucket('docs'))).toEqual(bucket);
  });

  test('buckets are visible only to the service role unless a policy allows more', async () => {
    expect(ok(await bob.storage.listBuckets())).toEqual([]);
  });
});

describe('uploading', () => {
  test.each([
    ['Buffer', () => small],
    ['Blob, as a browser does', () => new Blob([small], { type: 'application/pdf' })],
    ['File with an odd name', () => new File([small], '../../ü".pdf', { type: 'application/pdf' })],
    ['stream', () => new Blob([small]).stream()],
    ['form', () => Object.assign(new FormData(), {})],
  ])('a %s can be uploaded', async (name, make) => {
    const key = `${bobId}/kinds/${name.replace(/\W/g, '_')}.pdf`;
    const body = make();
    if (body instanceof FormData) body.append('', new Blob([small], { type: 'application/pdf' }));
    const data = ok(await docs().upload(key, body, { ...PDF, duplex: 'half', metadata: { note: 'ü' } }));
    expect(data).toEqual({ id: expect.any(String), path: key, fullPath: `docs/${key}` });
    const got = ok(await docs().download(key));
    expect(Buffer.from(await got.arrayBuffer())).toEqual(small);
    expect(got.type).toBe('application/pdf');
    const info = ok(await docs().info(key));
    expect(info).toMatchObject({ name: key, size: small.length, contentType: 'application/pdf' });
    if (!(body instanceof FormData)) expect(info.metadata).toEqual({ note: 'ü' });
  });

  test('uploading a key again needs upsert, which replaces the bytes and leaves no old file', async () => {
    const key = `${bobId}/again.pdf`;
    ok(await docs().upload(key, small, PDF));
    const before = await filesOnDisk();
    expect(refused(await docs().upload(key, small, PDF))).toMatchObject({ status: 400, statusCode: '409' });
    ok(await docs().upload(key, Buffer.from('second'), { ...PDF, upsert: true }));
    ok(await docs().update(key, Buffer.from('third'), PDF));
    expect(await ok(await docs().download(key)).text()).toBe('third');
    expect(await filesOnDisk()).toEqual(before);
  });

  test('an upload that replaces a file succeeds also if the old file cannot be removed', async () => {
    const key = `${bobId}/stuck.pdf`;
    ok(await docs().upload(key, small, PDF));
    const [row] = await backend.sql`select version from storage.objects where name = ${key}`;
    const file = join(backend.dataDir, 'storage', row?.version.slice(0, 2), row?.version);
    await rm(file);
    // Put a folder in its place, which the backend cannot remove like a file.
    await mkdir(file);
    ok(await docs().upload(key, Buffer.from('second'), { ...PDF, upsert: true }));
    expect(await ok(await docs().download(key)).text()).toBe('second');
    await rmdir(file);
  });

  test('20 uploads of one key at once leave one object with one of their bodies', async () => {
    const key = `${bobId}/race.pdf`;
    const before = await filesOnDisk();
    const upload = (n: number) =>
      docs().upload(key, Buffer.from(`body ${n}`), { ...PDF, upsert: n % 2 === 0 });
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => upload(n)));
    expect(responses.filter(({ error }) => !error).length).toBeGreaterThanOrEqual(10);
    expect(await ok(await docs().download(key)).text()).toMatch(/^body \d+$/);
    expect(await filesOnDisk()).toEqual({ ...before, stored: before.stored + 1 });
  });

  test('policies, types, buckets and keys are checked before bytes are accepted', async () => {
    const before = await filesOnDisk();
    const refusals = [
      [docs(admin).upload(`${bobId}/evil.pdf`, small, PDF), '403', /row-level security/],
      [docs(anon).upload(`${bobId}/evil.pdf`, small, PDF), '403', /row-level security/],
      [docs(admin).upload(`${bobId}/big.pdf`, small, { ...PDF, upsert: true }), '403', /row-level security/],
      [docs().upload(`${bobId}/x.png`, small, { contentType: 'image/png' }), '415', /mime type image\/png/],
      [
        docs().upload(`${bobId}/x.png`, new Blob([small], { type: 'image/png' })),
        '415',
        /mime type image\/png/,
      ],
      [service.storage.from('none').upload('a.pdf', small, PDF), '404', /Bucket not found/],
      [docs().upload(`${bobId}/日本.pdf`, small, PDF), '400', /Invalid key/],
    ] as const;
    for (const [result, statusCode, message] of refusals) {
      const error = refused(await result);
      expect(error).toMatchObject({ status: 400, statusCode });
      expect(error.message).toMatch(message);
    }
    expect(await filesOnDisk()).toEqual(before);
  });

  test('a bucket can allow image/*', async () => {
    await backend.sql`insert into storage.buckets (id, name, allowed_mime_types)
      values ('images', 'images', array['image/*'])`;
    ok(await service.storage.from('images').upload('a.png', small, { contentType: 'image/png' }));
    expect(refused(await service.storage.from('images').upload('a.pdf', small, PDF)).statusCode).toBe('415');
  });

  test.each([
    ['Buffer', () => Buffer.alloc(21 << 20)],
    ['stream of unknown length', () => new Blob([Buffer.alloc(21 << 20)]).stream()],
    ['form', () => new Blob([Buffer.alloc(21 << 20)], { type: 'application/pdf' })],
  ])('an upload over the size limit of the bucket is refused: %s', async (name, make) => {
    const key = `${bobId}/huge-${name.length}.pdf`;
    const before = await filesOnDisk();
    const error = refused(await docs().upload(key, make(), { ...PDF, duplex: 'half' }));
    expect(error).toMatchObject({
      statusCode: '413',
      message: 'The object exceeded the maximum allowed size',
    });
    expect(await filesOnDisk()).toEqual(before);
    expect((await docs().exists(key)).data).toBe(false);
  });

  test('storage.objects is readable by SQL as on hosted Supabase', async () => {
    const [row] = await backend.sql`
      select bucket_id, name, (metadata ->> 'size')::bigint as size, metadata ->> 'mimetype' as type, owner_id,
        created_at > now() - interval '1 minute' as is_new
      from storage.objects where name = ${`${bobId}/big.pdf`}`;
    expect(row).toMatchObject({
      bucket_id: 'docs',
      size: String(big.length),
      type: 'application/pdf',
      owner_id: bobId,
      is_new: true,
    });
    const deleting = backend.sql`delete from storage.objects where name = 'x'`;
    await expect(deleting).rejects.toThrow(/Direct deletion from storage tables is not allowed/);
  });
});

describe('reading', () => {
  test('an object is downloaded unchanged, by those whom the policies allow', async () => {
    const key = `${bobId}/big.pdf`;
    expect(Buffer.from(await ok(await docs().download(key)).arrayBuffer()).equals(big)).toBe(true);
    expect(ok(await docs(admin).download(key)).size).toBe(big.length);
    expect(refused(await docs(anon).download(key)).message).toBeTruthy();
    const eve = { email: 'eve@example.com', password: PASSWORD, email_confirm: true };
    ok(await backend.client(SECRET_KEY).auth.admin.createUser(eve));
    const { token } = await sessionOf(await backend.signedIn(eve.email));
    const headers = { apikey: SECRET_KEY, authorization: `Bearer ${token}` };
    const result = await fetch(`${backend.url}/storage/v1/object/docs/${key}`, { headers });
    expect([result.status, (await result.json()).statusCode]).toEqual([400, '404']);
    expect([(await docs().exists(key)).data, (await docs().exists(`${bobId}/none`)).data]).toEqual([
      true,
      false,
    ]);
  });

  test('a list shows one level, files with metadata and folders without, and only objects that the caller may read', async () => {
    ok(await docs().upload(`${bobId}/list/b.pdf`, small, PDF));
    ok(await docs().upload(`${bobId}/list/a_1.pdf`, small, PDF));
    ok(await docs().upload(`${bobId}/list/sub/c.pdf`, small, PDF));
    const rows = ok(await docs().list(`${bobId}/list`));
    expect(rows.map(({ name, id, metadata }) => [name, id === null, metadata?.size])).toEqual([
      ['a_1.pdf', false, small.length],
      ['b.pdf', false, small.length],
      ['sub', true, undefined],
    ]);
    const names = async (options: object) =>
      ok(await docs().list(`${bobId}/list`, options)).map((row) => row.name);
    expect(await names({ sortBy: { column: 'name', order: 'desc' }, limit: 2 })).toEqual(['sub', 'b.pdf']);
    expect(await names({ search: 'a_' })).toEqual(['a_1.pdf']);
    expect(await names({ search: 'b_' })).toEqual([]);
    expect(ok(await docs(anon).list(`${bobId}/list`))).toEqual([]);
  });

  test('public buckets need no key', async () => {
    ok(await service.storage.from('pub').upload('p.txt', 'hi', { contentType: 'text/plain' }));
    const result = await fetch(anon.storage.from('pub').getPublicUrl('p.txt').data.publicUrl);
    expect([result.status, await result.text()]).toEqual([200, 'hi']);
    const hidden = await fetch(anon.storage.from('docs').getPublicUrl(`${bobId}/big.pdf`).data.publicUrl);
    expect(hidden.status).toBe(400);
  });

  test('a download that a browser would run is sandboxed', async () => {
    ok(await service.storage.from('pub').upload('x.html', '<script>', { contentType: 'text/html' }));
    const result = await fetch(anon.storage.from('pub').getPublicUrl('x.html').data.publicUrl);
    expect(result.headers.get('content-security-policy')).toContain('sandbox');
    expect(result.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('signed URLs', () => {
  const sign = async (seconds = 60, options = {}) =>
    ok(await docs().createSignedUrl(`${bobId}/big.pdf`, seconds, options)).signedUrl;

  test('a signed URL downloads the object with its headers', async () => {
    const result = await fetch(await sign());
    expect(Buffer.from(await result.arrayBuffer()).equals(big)).toBe(true);
    expect(Object.fromEntries(result.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(big.length),
      'accept-ranges': 'bytes',
      'cache-control': 'max-age=3600',
    });
    const plain = await fetch(await sign(60, { download: 'n.pdf' }), { method: 'HEAD' });
    expect(plain.headers.get('content-disposition')).toBe(
      `attachment; filename="n.pdf"; filename*=UTF-8''n.pdf`,
    );
    const name = encodeURIComponent('Ängel "1".pdf');
    const named = await fetch(`${await sign()}&download=${name}`, { method: 'HEAD' });
    expect(named.headers.get('content-disposition')).toBe(
      `attachment; filename="_ngel _1_.pdf"; filename*=UTF-8''%C3%84ngel%20%221%22.pdf`,
    );
  });

  test('a signed URL supports ranges', async () => {
    const url = await sign();
    const get = async (range: string) => {
      const result = await fetch(url, { headers: { range } });
      const bytes = Buffer.from(await result.arrayBuffer());
      return { status: result.status, bytes, range: result.headers.get('content-range') };
    };
    const { length } = big;
    const part = (from: number, to: number) => ({
      status: 206,
      bytes: big.subarray(from, to + 1),
      range: `bytes ${from}-${to}/${length}`,
    });
    expect(await get('bytes=100-199')).toEqual(part(100, 199));
    expect(await get('bytes=-50')).toEqual(part(length - 50, length - 1));
    expect(await get(`bytes=${length - 60}-`)).toEqual(part(length - 60, length - 1));
    expect(await get(`bytes=${length - 10}-${length + 10}`)).toEqual(part(length - 10, length - 1));
    expect(await get(`bytes=${length}-`)).toMatchObject({ status: 416, range: `bytes */${length}` });
    expect((await get('lines=1-2')).status).toBe(200);
  });

  test('a signed URL supports conditional requests', async () => {
    const url = await sign();
    const first = await fetch(url, { method: 'HEAD' });
    const etag = first.headers.get('etag') ?? '';
    const modified = first.headers.get('last-modified') ?? '';
    const status = async (headers: Record<string, string>) =>
      (await fetch(url, { method: 'HEAD', headers })).status;
    expect(await status({ 'if-none-match': etag })).toBe(304);
    expect(await status({ 'if-none-match': '"other"' })).toBe(200);
    expect(await status({ 'if-modified-since': modified })).toBe(304);
    expect(await status({ range: 'bytes=0-9', 'if-range': etag })).toBe(206);
    expect(await status({ range: 'bytes=0-9', 'if-range': '"other"' })).toBe(200);
  });

  test('a signed URL that is tampered with, used for another object, or expired is refused', async () => {
    ok(await docs().upload(`${bobId}/other.pdf`, small, PDF));
    const url = await sign();
    const read = async (address: string) => {
      const result = await fetch(address);
      return [result.status, (await result.json()).code];
    };
    expect(await read(`${url.slice(0, -4)}AAAA`)).toEqual([400, 'InvalidJWT']);
    expect(await read(url.replace('big.pdf', 'other.pdf'))).toEqual([400, 'InvalidSignature']);
    expect(await read(url.replace(/token=.*/, ''))).toEqual([400, 'InvalidJWT']);
    const { token } = ok(await docs().createSignedUploadUrl(`${bobId}/big2.pdf`));
    expect(await read(url.replace(/token=.*/, `token=${token}`))).toEqual([400, 'InvalidSignature']);
    const { storageSecret } = JSON.parse(await readFile(`${backend.dataDir}/backend-secrets.json`, 'utf8'));
    const expired = await new SignJWT({ url: `docs/${bobId}/big.pdf`, purpose: 'download' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(Math.floor(Date.now() / 1_000) - 1)
      .sign(new TextEncoder().encode(storageSecret));
    expect(await read(url.replace(/token=.*/, `token=${expired}`))).toEqual([400, 'InvalidJWT']);
  });

  test('a signed URL expires', async () => {
    const url = await sign(1);
    await eventually(
      async () => {
        const response = await fetch(url);
        const { message } = await response.json();
        expect([response.status, message]).toEqual([400, '"exp" claim timestamp check failed']);
      },
      { everyMs: 100 },
    );
  });

  test('signed URLs are created only for objects that the caller may read, each separately in a batch', async () => {
    const eve = backend.client();
    expect(refused(await docs(eve).createSignedUrl(`${bobId}/big.pdf`, 60)).statusCode).toBe('404');
    const batch = ok(await docs().createSignedUrls([`${bobId}/big.pdf`, `${bobId}/none.pdf`], 60));
    expect(batch.map(({ error, signedUrl }) => [Boolean(error), Boolean(signedUrl)])).toEqual([
      [false, true],
      [true, false],
    ]);
    expect((await fetch(String(batch[0]?.signedUrl), { method: 'HEAD' })).status).toBe(200);
    expect(refused(await docs().createSignedUrl(`${bobId}/big.pdf`, 0)).statusCode).toBe('400');
  });

  test('a call creates signed URLs for at least one and at most 1,000 paths', async () => {
    const paths = Array.from({ length: 1_001 }, (_, n) => `${bobId}/none-${n}.pdf`);
    const messages = await Promise.all(
      [[], paths].map(async (some) => refused(await docs().createSignedUrls(some, 60)).message),
    );
    expect(messages).toEqual([
      'body/paths must NOT have fewer than 1 items',
      'body/paths must NOT have more than 1000 items',
    ]);
    expect(ok(await docs().createSignedUrls(paths.slice(1), 60))).toHaveLength(1_000);
    expect(refused(await docs().remove([])).statusCode).toBe('400');
  });

  test('signed URLs work for keys with spaces and special characters', async () => {
    const key = `${bobId}/a b (1) & c=d+e,f@g.pdf`;
    ok(await docs().upload(key, small, PDF));
    const result = await fetch(ok(await docs().createSignedUrl(key, 60)).signedUrl);
    expect([result.status, Buffer.from(await result.arrayBuffer())]).toEqual([200, small]);
  });
});

describe('signed uploads', () => {
  test('a signed upload URL accepts one object from anyone, once', async () => {
    const slot = ok(await docs().createSignedUploadUrl(`${bobId}/slot.pdf`));
    const blob = new Blob([small], { type: 'application/pdf' });
    const data = ok(await docs(anon).uploadToSignedUrl(slot.path, slot.token, blob));
    expect(data.fullPath).toBe(`docs/${bobId}/slot.pdf`);
    const again = await docs(anon).uploadToSignedUrl(slot.path, slot.token, small, PDF);
    expect(refused(again).statusCode).toBe('409');
    const [row] = await backend.sql`select owner_id from storage.objects where name = ${`${bobId}/slot.pdf`}`;
    expect(row?.owner_id).toBe(bobId);
  });

  test('a signed upload URL accepts a plain PUT with a type and a body, and upserts if it was created with upsert', async () => {
    const slot = ok(await docs().createSignedUploadUrl(`${bobId}/put.pdf`, { upsert: true }));
    for (const body of ['one', 'two']) {
      const result = await fetch(slot.signedUrl, {
        method: 'PUT',
        headers: { 'content-type': 'application/pdf' },
        body,
      });
      expect([result.status, (await result.json()).Key]).toEqual([200, `docs/${bobId}/put.pdf`]);
    }
    expect(await ok(await docs().download(`${bobId}/put.pdf`)).text()).toBe('two');
  });

  test('a signed upload URL refuses a wrong token, path, type or size, and is created only if the caller may upload', async () => {
    const { path, token, signedUrl } = ok(await docs().createSignedUploadUrl(`${bobId}/refuse.pdf`));
    const put = async (to: string, withToken: string, body: Buffer, contentType = 'application/pdf') =>
      refused(await docs(anon).uploadToSignedUrl(to, withToken, body, { contentType })).statusCode;
    expect(await put(path, `${token.slice(0, -4)}AAAA`, small)).toBe('400');
    expect(await put(`${bobId}/elsewhere.pdf`, token, small)).toBe('400');
    for (const type of ['image/png', 'APPLICATION/PDF', 'application/pdf; charset=binary']) {
      const result = await fetch(signedUrl, {
        method: 'PUT',
        headers: { 'content-type': type },
        body: small,
      });
      expect([type, result.status, await result.json()]).toMatchObject([
        type,
        400,
        { statusCode: '415', message: `mime type ${type} is not supported` },
      ]);
    }
    expect(await put(path, token, Buffer.alloc(21 << 20))).toBe('413');
    expect((await docs().exists(path)).data).toBe(false);
    expect(refused(await docs(admin).createSignedUploadUrl(`${bobId}/evil.pdf`)).statusCode).toBe('403');
  });
});

test('objects are removed with their files, by those whom the policies allow, and not moved or copied', async () => {
  const key = `${bobId}/gone.pdf`;
  ok(await docs().upload(key, small, PDF));
  expect(refused(await docs().move(key, `${bobId}/moved.pdf`)).message).toContain('not available');
  expect(refused(await docs().copy(key, `${bobId}/copied.pdf`)).message).toContain('not available');
  expect(ok(await docs(anon).remove([key]))).toEqual([]);
  const before = await filesOnDisk();
  expect(ok(await docs().remove([key, `${bobId}/none.pdf`]))).toHaveLength(1);
  expect((await filesOnDisk()).stored).toBe(before.stored - 1);
});
