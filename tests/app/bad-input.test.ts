import fc from 'fast-check';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { RouteFacts } from '@/lib/http/route';
import { accessTable, type Method, pathOf, unknownId } from '@/tests/app/access-table';
import { type Answer, type Api, apiAt, type CallOptions, excerpt, expectProblem } from '@/tests/app/api';
import { openDatabase, type Written, writtenBy } from '@/tests/app/database';
import { brokenJson, rawParameters, wrongBodies } from '@/tests/app/mutations';
import { newAdmin } from '@/tests/app/people';
import { loadRoute } from '@/tests/app/route-files';
import { unique, upload } from '@/tests/app/specs';

const { url, env } = inject('atelier');
const seed = Number(process.env.ATELIER_SEED ?? Date.now() % 1e9);

let admin: Api;
let sql: Sql;
let userId: string;
let specId: string;

beforeAll(async () => {
  console.log(`seed of the bad input: ${seed}`);
  const person = await newAdmin(env);
  userId = person.id;
  admin = apiAt(url, { ...person.headers, 'x-webhook-secret': env.WEBHOOK_SECRET ?? '' });
  sql = openDatabase();
  specId = await upload(admin, { propertyName: '[silent]' });
});
afterAll(() => sql.end());

/** A right body for every route that takes JSON; nothing that it asks for exists, but where it creates. */
const rightBodies: Record<string, () => Record<string, unknown>> = {
  'POST admin/brands': () => ({ name: unique('Bad input') }),
  'POST admin/areas': () => ({ name: unique('Bad input') }),
  'POST admin/specs/retry': () => ({ specUploadId: unknownId }),
  'POST admin/specs/callback': () => ({
    spec_upload_id: unknownId,
    status: 'completed',
    sections_count: 3,
    error: 'no text',
  }),
};

type Target = { name: string; route: string; method: Method; path: string; facts: RouteFacts };
const targets: Target[] = [];
for (const { route, method } of accessTable) {
  const { facts } = (await loadRoute(route))[method] ?? {};
  if (!facts) throw new Error(`${method} ${route} is not served`);
  targets.push({
    name: `${method} ${route}`,
    route,
    method,
    path: pathOf(route),
    facts,
  });
}
const withBody = targets.filter(({ facts }) => facts.body);
const withQuery = targets.filter(({ facts }) => facts.query);
const withParams = targets.filter(({ facts }) => facts.params);
const rightBody = (name: string) => rightBodies[name]?.() ?? {};

function check(numRuns: number) {
  return { seed, numRuns, endOnFailure: false };
}

/** Everything that a refused call must leave as it was. */
async function state(): Promise<Written & { spec: unknown }> {
  const [spec] =
    await sql`select status_seq, processing_status, updated_at::text from public.spec_uploads where id = ${specId}`;
  return { ...(await writtenBy(sql, userId)), spec };
}

/** Calls, and expects a clear answer; of a refused call nothing may be written. */
async function refusedOrDone(path: string, options: CallOptions): Promise<Answer> {
  const before = await state();
  const answer = await admin(path, options);
  expect(answer.status, excerpt(answer)).toBeLessThan(500);
  if (answer.status >= 300) {
    expectProblem(answer);
    expect(await state()).toEqual(before);
  }
  return answer;
}

test('every route that takes JSON has a right body here, which passes', async () => {
  expect(withBody.map(({ name }) => name).sort()).toEqual(Object.keys(rightBodies).sort());
  for (const { name, path, method } of withBody) {
    const answer = await admin(path, { method, json: rightBody(name) });
    expect([201, 404], excerpt(answer)).toContain(answer.status);
  }
});

describe.each(withBody)('the body of $name', ({ name, path, method, facts }) => {
  test('is refused when the schema refuses it, with the place of each mistake', async () => {
    await fc.assert(
      fc.asyncProperty(wrongBodies(rightBody(name)), async (body) => {
        const text = JSON.stringify(body);
        const answer = await refusedOrDone(path, {
          method,
          body: text,
          headers: { 'content-type': 'application/json' },
        });
        const read: unknown = JSON.parse(text);
        const parsed = facts.body?.safeParse(read);
        if (text.includes('\\u0000') || /\\ud[89a-f]/i.test(text)) {
          expectProblem(answer, 'invalid_json');
        } else if (!parsed?.success) {
          const { errors = [] } = expectProblem(answer, 'invalid_request');
          const wrong = parsed?.error.issues.map((issue) => issue.path.join('.')) ?? [];
          expect(wrong).toEqual(expect.arrayContaining(errors.map((error) => error.path)));
          expect(errors.length).toBeGreaterThan(0);
        } else expect([200, 201, 202, 404, 409], excerpt(answer)).toContain(answer.status);
      }),
      check(40),
    );
  });

  test('that is not JSON is refused', async () => {
    await fc.assert(
      fc.asyncProperty(brokenJson(rightBody(name)), async (body) => {
        const headers = { 'content-type': 'application/json' };
        expectProblem(await refusedOrDone(path, { method, body, headers }), 'invalid_json');
      }),
      check(25),
    );
  });

  test('of another type, and one over 256 KiB, is refused', async () => {
    const text = JSON.stringify(rightBody(name));
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'multipart/form-data; boundary=x',
      '',
    ]) {
      const answer = await refusedOrDone(path, {
        method,
        body: Buffer.from(text),
        headers: type ? { 'content-type': type } : {},
      });
      expectProblem(answer, 'unsupported_media_type');
    }
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const large = JSON.stringify({ ...rightBody(name), more: 'x'.repeat(256 * 1024) });
    expectProblem(await refusedOrDone(path, { method, body: large, headers }), 'too_large');
    const chunked = new Blob([large]).stream();
    expectProblem(await refusedOrDone(path, { method, body: chunked, headers }), 'too_large');
  });
});

describe.each(withQuery)('the query of $name', ({ name, method, path, facts }) => {
  const names = Object.keys((facts.query as unknown as { shape: object }).shape);
  const call = (query: string) =>
    refusedOrDone(`${path}?${query}`, { method, ...(facts.body ? { json: rightBody(name) } : {}) });

  test('is refused when the schema refuses it', async () => {
    const one = fc.tuple(fc.constantFrom(...names, 'unknown', '__proto__', 'limit[]'), rawParameters);
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 3 }), async (pairs) => {
        const query = pairs.map(([key, value]) => `${key}=${value}`).join('&');
        const answer = await call(query);
        // Next drops this name before a route sees the address.
        const read = [...new URLSearchParams(query)].filter(([key]) => key !== '__proto__');
        const given = Object.fromEntries(read);
        const twice = read.length > Object.keys(given).length;
        if (
          twice ||
          read.some(([, value]) => value.includes('\0')) ||
          !facts.query?.safeParse(given).success
        ) {
          expectProblem(answer, 'invalid_request');
        } else if (given.cursor) expectProblem(answer, 'invalid_request');
        else expect([200, 404], `${query} ${excerpt(answer)}`).toContain(answer.status);
      }),
      check(80),
    );
  });

  test('with a parameter given twice is refused', async () => {
    for (const key of names) expectProblem(await call(`${key}=1&${key}=1`), 'invalid_request');
  });
});

describe.each(withParams)('the address of $name', ({ route, method }) => {
  test('with an id that is none is refused', async () => {
    const ids = [
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
    for (const id of ids) {
      const answer = await refusedOrDone(pathOf(route, id), { method });
      expectProblem(answer, 'invalid_request', 'not_found');
    }
    expectProblem(await refusedOrDone(pathOf(route), { method }), 'not_found');
  });
});

test.each(['', ' ', 'x'.repeat(201), 'with blank', 'ключ'])(
  'an Idempotency-Key %j is refused',
  async (key) => {
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
    const answer = await refusedOrDone('/api/admin/brands', { json: { name: unique('Key') }, headers });
    expectProblem(answer, 'invalid_request');
  },
);
