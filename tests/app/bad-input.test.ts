import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { checkInput } from '@/lib/http/parse';
import { MAX_JSON_BYTES } from '@/lib/http/read-json';
import type { RouteFacts } from '@/lib/http/route';
import { accessTable, type Method, pathOf, unknownId } from '@/tests/app/support/access-table';
import {
  type Api,
  type ApiResponse,
  apiAt,
  type CallOptions,
  excerpt,
  expectProblem,
} from '@/tests/app/support/api';
import { openDatabase, type Written, writtenBy } from '@/tests/app/support/database';
import { form } from '@/tests/app/support/form';
import { cancelJob, startJob } from '@/tests/app/support/image-jobs';
import { brokenJson, rawParameters, wrongBodies } from '@/tests/app/support/mutations';
import { newAdmin, newUser, signInWithCookies } from '@/tests/app/support/people';
import { addImage } from '@/tests/app/support/pictures';
import { rightBody } from '@/tests/app/support/right-bodies';
import { loadRoute } from '@/tests/app/support/route-files';
import { unique, upload, waitForStatus } from '@/tests/app/support/specs';
import { makeProject } from '@/tests/app/support/team';

const { url, env } = inject('atelier');
const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);

let admin: Api;
let sql: Sql;
let userId: string;
let specId: string;
let projectId: string;
/** The id of a canceled job, which accepts another prompt or a retry. */
let jobId: string;
let image: { id: string; path: string };

beforeAll(async () => {
  console.log(`seed of the bad input: ${seed}`);
  const person = await newAdmin(env);
  userId = person.id;
  admin = apiAt(url, person.headers);
  sql = openDatabase();
  specId = await upload(admin, { propertyName: '[silent]' });
  projectId = await makeProject(admin);
  image = await addImage(admin, projectId);
  // Wait until the spec is `processing`. From then on, only the calls of these tests can change it, so the tests can
  // check that a refused call leaves it unchanged.
  await waitForStatus(admin, specId, 'processing');
  jobId = await startJob(admin, { projectId });
  await cancelJob(admin, jobId);
});
afterAll(() => sql.end());

type Target = { name: string; route: string; method: Method; facts: RouteFacts };
const targets: Target[] = [];
for (const { route, method } of accessTable) {
  const { facts } = (await loadRoute(route))[method] ?? {};
  if (!facts) throw new Error(`${method} ${route} is not served`);
  targets.push({
    name: `${method} ${route}`,
    route,
    method,
    facts,
  });
}
const withBody = targets.filter(({ facts }) => facts.body);
const withQuery = targets.filter(({ facts }) => facts.query);
const withParams = targets.filter(({ facts }) => facts.params);
const withForm = targets.filter(({ facts }) => facts.form);
const secretOf = (route: string) =>
  (route.startsWith('image-gen') ? env.IMAGE_WEBHOOK_SECRET : env.WEBHOOK_SECRET) ?? '';
/**
 * Returns the path of a route. In it, `id` is the id of the test's project for routes under `projects/`, and `jobId` is
 * the id of the test's image job for other routes. All other ids are unknown.
 */
const pathIn = (route: string) =>
  pathOf(route, route.startsWith('projects/') ? { id: projectId } : { jobId });
/** The query parameters that a valid call needs, by method and route. */
const rightQueries: Record<string, () => string> = {
  'GET image-gen/jobs': () => `projectId=${projectId}&`,
  'GET export/jobs': () => `projectId=${projectId}&`,
  'GET projects/[id]/pages/images': () => 'key=images/none&width=320&',
};
const bodyOf = (name: string) =>
  rightBody(name, { projectId, imageId: image.id, imagePath: image.path, jobId });

/** The calls with an additional rate limit that cannot be configured. */
const hasOwnLimit = ['POST account/reset', 'POST account/password'];

const emptyForm = form([{ name: 'other', value: 'x' }]);

// A few runs are enough, because `tests/lib/wrong-bodies.test.ts` tests the parsing with hundreds of bodies.
function check(numRuns: number) {
  return { seed, numRuns, endOnFailure: false };
}

/** Reads everything that a refused call must leave unchanged. */
async function state(): Promise<Written & { spec: unknown; job: unknown }> {
  const [spec] =
    await sql`select status_seq, processing_status, updated_at::text from public.spec_uploads where id = ${specId}`;
  const [job] =
    await sql`select status_seq, status, updated_at::text from public.image_jobs where id = ${jobId}`;
  // Ignore the job if it is no longer canceled. After an accepted prompt, the dispatcher may change it at any time.
  const still = job?.status === 'canceled' ? job : null;
  return { ...(await writtenBy(sql, userId)), spec, job: still };
}

/** The state before the calls that were refused since the last accepted call; undefined if there are none. */
let before: Awaited<ReturnType<typeof state>> | undefined;

/** Sends a call and expects a status below 500. A refused call must leave everything unchanged. */
async function refusedOrDone(path: string, options: CallOptions): Promise<ApiResponse> {
  before ??= await state();
  const secret = { 'x-webhook-secret': secretOf(path.slice('/api/'.length)) };
  const response = await admin(path, { ...options, headers: { ...secret, ...options.headers } });
  expect(response.status, excerpt(response)).toBeLessThan(500);
  if (response.status >= 300) expectProblem(response);
  else before = undefined;
  return response;
}

// Reading the state costs more than a refused call. The state is therefore compared only once after each test, for all
// calls that were refused since the last accepted one.
afterEach(async () => {
  if (!before) return;
  const expected = before;
  before = await state();
  expect(before).toEqual(expected);
});

test('every route that takes JSON accepts a valid body', async () => {
  for (const { name, route, method } of withBody) {
    const response = await refusedOrDone(pathIn(route), { method, json: bodyOf(name) });
    if (response.status === 400) expectProblem(response, 'wrong_password');
    else expect([200, 201, 202, 204, 404], excerpt(response)).toContain(response.status);
  }
});

describe.each(withBody)('the body of $name', ({ name, route, method, facts }) => {
  test(`${name} refuses a body that its schema rejects, and returns the path of each mistake`, {
    tags: ['extended'],
  }, async () => {
    await fc.assert(
      fc.asyncProperty(wrongBodies(bodyOf(name)), async (body) => {
        const text = JSON.stringify(body);
        const response = await refusedOrDone(pathIn(route), {
          method,
          body: text,
          headers: { 'content-type': 'application/json' },
        });
        const read: unknown = JSON.parse(text);
        if (facts.interpretBody) {
          // `tests/lib/read-callback.test.ts` tests which bodies are accepted.
          if (response.status === 400) expectProblem(response, 'invalid_request');
          else expect([200, 404], excerpt(response)).toContain(response.status);
          return;
        }
        const parsed = facts.body && checkInput(facts.body, read);
        if (text.includes('\\u0000') || /\\ud[89a-f]/i.test(text)) {
          expectProblem(response, 'invalid_json');
        } else if (!parsed?.success) {
          const { errors = [] } = expectProblem(response, 'invalid_request');
          const wrong = parsed?.error.issues.map((issue) => issue.path.join('.')) ?? [];
          expect(wrong).toEqual(expect.arrayContaining(errors.map((error) => error.path)));
          expect(errors.length).toBeGreaterThan(0);
        } else if (response.status === 400) {
          expectProblem(response, 'unknown_account', 'unknown_brand', 'unknown_area', 'wrong_password');
        } else if (response.status === 429 && hasOwnLimit.includes(name)) {
          expectProblem(response, 'rate_limited');
        } else expect([200, 201, 202, 204, 404, 409], excerpt(response)).toContain(response.status);
      }),
      check(12),
    );
  });

  test(`${name} refuses a body that is not JSON`, { tags: ['extended'] }, async () => {
    await fc.assert(
      fc.asyncProperty(brokenJson(bodyOf(name), facts.maxDepth), async (body) => {
        const headers = { 'content-type': 'application/json' };
        const response = await refusedOrDone(pathIn(route), { method, body, headers });
        // Where characters that cannot be stored are replaced, the body is JSON but has no id.
        const codes = ['invalid_json', ...(facts.interpretBody ? ['invalid_request' as const] : [])] as const;
        expectProblem(response, ...codes);
      }),
      check(6),
    );
  });

  test(`${name} reads a body of any content type, because the caller has a token, and refuses one over its size limit`, {
    tags: ['extended'],
  }, async () => {
    const limit = facts.maxBytes ?? MAX_JSON_BYTES;
    const text = JSON.stringify(bodyOf(name));
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      const response = await refusedOrDone(pathIn(route), {
        method,
        body: Buffer.from(text),
        headers: type ? { 'content-type': type } : {},
      });
      if (facts.access === 'public') expectProblem(response, 'unsupported_media_type');
      else if (response.status === 400) expectProblem(response, 'wrong_password');
      else if (response.status === 429 && hasOwnLimit.includes(name)) expectProblem(response, 'rate_limited');
      else expect([200, 201, 202, 204, 404, 409], excerpt(response)).toContain(response.status);
    }
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const large = JSON.stringify({ ...bodyOf(name), more: 'x'.repeat(limit) });
    expectProblem(await refusedOrDone(pathIn(route), { method, body: large, headers }), 'too_large');
    const chunked = new Blob([large]).stream();
    expectProblem(await refusedOrDone(pathIn(route), { method, body: chunked, headers }), 'too_large');
  });
});

describe.each(withQuery)('the query of $name', ({ name, route, method, facts }) => {
  const names = Object.keys((facts.query as unknown as { shape: object }).shape);
  const full = (query: string) => `${rightQueries[name]?.() ?? ''}${query}`;
  const call = (query: string) =>
    refusedOrDone(`${pathIn(route)}?${full(query)}`, {
      method,
      ...(facts.body ? { json: bodyOf(name) } : {}),
    });

  // The body may create something (201) or be based on an outdated version (409).
  const allowed = facts.body ? [200, 201, 204, 404, 409] : [200, 404];

  test(`${name} refuses a query that its schema rejects`, { tags: ['extended'] }, async () => {
    const one = fc.tuple(fc.constantFrom(...names, 'unknown', '__proto__', 'limit[]'), rawParameters);
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 3 }), async (pairs) => {
        const query = pairs.map(([key, value]) => `${key}=${value}`).join('&');
        const response = await call(query);
        // Next.js drops `__proto__` before a route reads the URL.
        const read = [...new URLSearchParams(full(query))].filter(([key]) => key !== '__proto__');
        const given = Object.fromEntries(read);
        const twice = read.length > Object.keys(given).length;
        if (
          twice ||
          read.some(([, value]) => value.includes('\0')) ||
          !(facts.query && checkInput(facts.query, given).success)
        ) {
          expectProblem(response, 'invalid_request');
        } else if (given.cursor) {
          // If an id in the path does not exist, the route responds before it reads the cursor.
          expectProblem(response, 'invalid_request', ...(facts.params ? (['not_found'] as const) : []));
        } else expect(allowed, `${query} ${excerpt(response)}`).toContain(response.status);
      }),
      check(20),
    );
  });

  test(`${name} refuses a query parameter that is given twice`, async () => {
    for (const key of names) expectProblem(await call(`${key}=1&${key}=1`), 'invalid_request');
  });
});

describe.each(withParams)('the path of $name', ({ name, route, method, facts }) => {
  test(`${name} refuses a path with an invalid id`, async () => {
    const body = facts.body ? { json: bodyOf(name) } : facts.form ? emptyForm : {};
    const all = [
      '1',
      'null',
      `${unknownId}x`,
      '%00',
      '%20',
      `${unknownId}%00`,
      '..%2f..',
      '%2e%2e%2fbrands',
      'x'.repeat(2000),
      '%F0%9F%8E%A8',
      '*',
    ];
    // Try three ids on each route, and the next three ids on the next route.
    const index = withParams.findIndex((each) => each.name === name);
    const ids = [0, 1, 2].map((n) => all[(index * 3 + n) % all.length] ?? '');
    const parameters = [...route.matchAll(/\[(.+?)\]/g)].map(([, parameter]) => parameter ?? '');
    for (const id of ids) {
      for (const parameter of parameters) {
        const path = pathOf(route, { id: projectId, [parameter]: id });
        expectProblem(await refusedOrDone(path, { method, ...body }), 'invalid_request', 'not_found');
      }
    }
    const path = `${pathOf(route)}?${rightQueries[name]?.() ?? ''}`;
    expectProblem(await refusedOrDone(path, { method, ...body }), 'not_found');
  });
});

test('only a call with a cookie needs a JSON content type', async () => {
  const { email } = await newUser(env);
  const withCookie = apiAt(url, await signInWithCookies(env, email));
  const call = (api: Api, type: string) =>
    api('/api/projects', {
      body: JSON.stringify({ name: unique('Typed') }),
      headers: { 'content-type': type },
    });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    expectProblem(await call(withCookie, type), 'unsupported_media_type');
    expect((await call(admin, type)).status).toBe(201);
  }
  expect((await call(withCookie, 'application/vnd.api+json')).status).toBe(201);
  before = undefined;
});

test('a body over the limit is refused, also if it is compressed', async () => {
  const large = { name: unique('Brand'), more: 'x'.repeat(5 * 1024 * 1024) };
  expectProblem(await refusedOrDone('/api/admin/brands', { json: large }), 'too_large');
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
  const body = new Uint8Array(gzipSync(JSON.stringify(large)));
  expect(body.byteLength).toBeLessThan(MAX_JSON_BYTES);
  expectProblem(await refusedOrDone('/api/admin/brands', { body, headers }), 'too_large');
});

test('a compressed body is read, and a content-encoding that is not supported is refused by name', async () => {
  const body = new Uint8Array(brotliCompressSync(JSON.stringify({ name: unique('Compressed') })));
  const compressed = (encoding: string) => ({ body, headers: { 'content-encoding': encoding } });
  expect((await refusedOrDone('/api/admin/brands', compressed('br'))).status).toBe(201);
  const refused = await refusedOrDone('/api/admin/brands', compressed('zstd'));
  expect(expectProblem(refused, 'unsupported_media_type').errors?.[0]?.path).toBe('content-encoding');
  expect(refused.headers.get('accept-encoding')).toBe('gzip, deflate, br');
  const { headers, ...rest } = emptyForm;
  const upload = { ...rest, headers: { ...headers, 'content-encoding': 'gzip' } };
  const unread = await refusedOrDone('/api/admin/specs/upload', upload);
  expect(expectProblem(unread, 'unsupported_media_type').errors?.[0]?.path).toBe('content-encoding');
});

test('a long URL gets 400, even if its head is too long to be parsed', async () => {
  for (const cursor of ['é'.repeat(4_000), '語'.repeat(4_000), 'x'.repeat(20_000)]) {
    const response = await refusedOrDone(`/api/projects?cursor=${encodeURIComponent(cursor)}`, {});
    expectProblem(response, 'invalid_request');
  }
});

describe('an id that names nothing', () => {
  const job = (more: object) => ({ projectId, prompt: 'x', ...more });
  const pages = [{ id: 'p', elements: [] }];
  const missing: [path: () => string, body: () => unknown, fields: string[], method?: string][] = [
    [() => '/api/image-gen/jobs', () => job({ inputImageId: unknownId }), ['inputImageId']],
    [() => '/api/image-gen/jobs', () => job({ inputImageId: 'img-12' }), ['inputImageId']],
    [() => '/api/image-gen/jobs', () => job({ inputImagePath: 'images/x' }), ['inputImagePath']],
    [
      () => '/api/image-gen/jobs',
      () => job({ inputImageId: 'img-12', inputImagePath: 'x' }),
      ['inputImageId', 'inputImagePath'],
    ],
    [() => '/api/image-gen/messages', () => ({ jobId, prompt: 'x', variantId: 'v9' }), ['variantId']],
    [
      () => '/api/image-gen/swaps',
      () => ({ projectId, variantId: unknownId, where: 'the floor', materials: [{ id: 'oak' }] }),
      ['variantId'],
    ],
    [() => '/api/export/pdf', () => ({ projectId, documentId: unknownId, pages }), ['documentId']],
    [
      () => `/api/projects/${projectId}/pages?documentId=${unknownId}`,
      () => ({ version: 0, pages }),
      ['documentId'],
      'PUT',
    ],
    [() => `/api/projects/${projectId}/documents`, () => ({ name: 'x', copyOf: unknownId }), ['copyOf']],
    [
      () => `/api/projects/${projectId}/share-links`,
      () => ({ kind: 'document', name: 'x', documentId: unknownId }),
      ['documentId'],
    ],
    [
      () => `/api/projects/${projectId}/share-links`,
      () => ({ kind: 'images', name: 'x', imageIds: [unknownId] }),
      ['imageIds'],
    ],
    [() => `/api/projects/${projectId}/gallery/downloads`, () => ({ imageIds: [unknownId] }), ['imageIds']],
    [
      () => `/api/projects/${projectId}/images/material`,
      () => ({ materialId: 'no_such_material' }),
      ['materialId'],
    ],
  ];

  test('an id that names nothing in a project is named to members, and not to others', async () => {
    const stranger = apiAt(url, (await newUser(env)).headers);
    for (const [path, body, fields, method = 'POST'] of missing) {
      const options = { method, json: body() };
      const problem = expectProblem(await refusedOrDone(path(), options), 'not_found');
      expect(problem.errors?.map((error) => error.path)).toEqual(fields);
      const hidden = expectProblem(await stranger(path(), options), 'not_found');
      expect([hidden.detail, hidden.errors]).toEqual(['Not found.', undefined]);
    }
  });

  test('the id of a spec that does not exist is named', async () => {
    for (const action of ['retry', 'stop', 'process-again']) {
      const response = await refusedOrDone(`/api/admin/specs/${action}`, {
        json: { specUploadId: unknownId },
      });
      expect(expectProblem(response, 'not_found').errors).toEqual([
        { path: 'specUploadId', message: 'names no spec' },
      ]);
    }
    const json = { specUploadIds: [unknownId] };
    const download = await refusedOrDone('/api/admin/specs/batch/downloads', { json });
    expect(expectProblem(download, 'not_found').errors?.[0]?.path).toBe('specUploadIds');
  });
});

test('a misnamed parameter, field or option is refused with the name that is meant', async () => {
  const list = await refusedOrDone(`/api/image-gen/jobs?projectId=${projectId}&Status=failed`, {});
  expect(expectProblem(list, 'invalid_request').errors).toEqual([
    { path: 'Status', message: 'is not known (did you mean status?)' },
  ]);
  const job = await refusedOrDone('/api/image-gen/jobs', { json: { project_id: projectId, prompt: 'x' } });
  expect(expectProblem(job, 'invalid_request').detail).toBe(
    'project_id is not known (did you mean projectId?).',
  );
  const body = { project_id: projectId, pages: [] };
  const exported = await refusedOrDone('/api/export/pdf', { json: body });
  expect(expectProblem(exported, 'invalid_request').errors?.[0]?.path).toBe('project_id');
});

test.each(['', ' ', 'x'.repeat(201), 'with blank', 'ключ'])(
  'an Idempotency-Key %j is refused',
  async (key) => {
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
    const response = await refusedOrDone('/api/admin/brands', { json: { name: unique('Key') }, headers });
    expectProblem(response, 'invalid_request');
  },
);

describe('multipart forms', () => {
  test.each(withForm)(
    '$name refuses a body that is not a form, and a form without a file',
    async ({ route, method }) => {
      const path = pathIn(route);
      const json = { json: { file: 'x' } };
      expectProblem(await refusedOrDone(path, { method, ...json }), 'unsupported_media_type');
      expectProblem(await refusedOrDone(path, { method }), 'unsupported_media_type');
      expectProblem(
        await refusedOrDone(path, { method, ...emptyForm }),
        'invalid_request',
        'invalid_multipart',
      );
      const headers = { 'content-type': 'multipart/form-data' };
      expectProblem(await refusedOrDone(path, { method, body: 'x', headers }), 'invalid_multipart');
    },
  );
});
