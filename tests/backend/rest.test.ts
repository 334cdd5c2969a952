import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  ok,
  PUBLISHABLE_KEY,
  refused,
  SECRET_KEY,
  sessionOf,
  startTestBackend,
  type TestBackend,
} from '@/tests/backend/support/start-test-backend';

type Client = ReturnType<TestBackend['client']>;

let backend: TestBackend;
let anon: Client;
let service: Client;
let admin: Client;
let bob: Client;
let bobId: string;

beforeAll(async () => {
  backend = await startTestBackend();
  anon = backend.client();
  service = backend.client(SECRET_KEY);
  admin = await backend.signedIn('admin@example.com');
  bob = await backend.signedIn('bob@example.com');
  bobId = (await sessionOf(bob)).id;
});
afterAll(() => backend.end());
beforeEach(() => backend.sql`truncate public.documents cascade`);

const addDocuments = async (count: number) =>
  ok(
    await bob
      .from('documents')
      .insert(
        Array.from({ length: count }, (_, n) => ({
          title: `D${String(n).padStart(2, '0')}`,
          amount: n,
          tags: n % 2 ? ['odd', 'x'] : ['even'],
          meta: { n, kind: n % 2 ? 'odd' : 'even' },
        })),
      )
      .select('id, title'),
  );
const addDocument = async () => {
  const [document] = await addDocuments(1);
  if (!document) throw new Error('no document');
  return document;
};

describe('types', () => {
  test('defaults, generated columns, numbers, times, JSON and arrays are returned in the format of PostgREST', async () => {
    const row = ok(
      await bob
        .from('documents')
        .insert({ title: 'My Doc', meta: { a: [1, { b: 2 }] }, tags: ['x', 'y'], amount: 12.3 })
        .select()
        .single(),
    );
    expect(row).toMatchObject({
      owner_id: bobId,
      slug: 'my-doc',
      amount: 12.3,
      tags: ['x', 'y'],
      meta: { a: [1, { b: 2 }] },
      version: 1,
    });
    expect(row.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
  });

  test('rows are returned as csv', async () => {
    await addDocuments(2);
    const csv = ok(await bob.from('documents').select('title, amount').order('title').csv());
    expect(csv.split('\n')[0]).toBe('title,amount');
    expect(csv).toContain('D01,1');
  });
});

describe('access rights', () => {
  test('row level security, app_metadata in policies and the service role are respected', async () => {
    const { id } = await addDocument();
    ok(await service.from('documents').insert({ title: 'admin one', owner_id: (await sessionOf(admin)).id }));
    expect(ok(await bob.from('documents').select('title'))).toEqual([{ title: 'D00' }]);
    expect(ok(await admin.from('documents').select('title'))).toHaveLength(2);
    expect(ok(await service.from('documents').select('title'))).toHaveLength(2);
    expect(
      ok(await admin.from('documents').update({ title: 'h' }).eq('title', 'admin one').select()),
    ).toHaveLength(1);
    const foreign = await bob.from('documents').insert({ title: 'x', owner_id: (await sessionOf(admin)).id });
    expect([foreign.status, refused(foreign).code]).toEqual([403, '42501']);
    expect(ok(await bob.from('documents').update({ amount: 99 }).eq('id', id).select('version'))).toEqual([
      { version: 2 },
    ]);
  });

  test('REVOKEs of migrations are respected, even after other tables were used', async () => {
    const denied = await anon.from('documents').select();
    expect([denied.status, refused(denied).code]).toEqual([401, '42501']);
    const document = await addDocument();
    const write = await bob.from('jobs').insert({ document_id: document.id });
    expect([write.status, refused(write).code]).toEqual([403, '42501']);
    const call = await bob.rpc('claim_jobs', { p_worker: 'x' });
    expect([call.status, refused(call).code]).toEqual([403, '42501']);
    const anonymous = await anon.rpc('claim_jobs', { p_worker: 'x' });
    expect([anonymous.status, refused(anonymous).code]).toEqual([401, '42501']);
  });

  test('private schemas and the storage schema are not served', async () => {
    expect(refused(await service.schema('private').from('secrets').select()).code).toBe('PGRST106');
    expect(refused(await service.schema('storage').from('objects').select()).code).toBe('PGRST106');
  });

  test("a user's token takes precedence over the secret key", async () => {
    const { token } = await sessionOf(bob);
    const response = await fetch(`${backend.url}/rest/v1/rpc/whoami`, {
      method: 'POST',
      headers: { apikey: SECRET_KEY, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await response.json()).toMatchObject({ cur: 'authenticated', uid: bobId });
  });

  test('the auth functions of SQL know the caller', async () => {
    expect(ok(await admin.rpc('whoami'))).toMatchObject({
      role: 'authenticated',
      email: 'admin@example.com',
      cur: 'authenticated',
      app_role: 'admin',
    });
    expect(ok(await anon.rpc('whoami'))).toMatchObject({ uid: null, cur: 'anon' });
    expect(ok(await service.rpc('whoami'))).toMatchObject({ cur: 'service_role' });
  });
});

describe('refused statements', () => {
  test.each([
    ['a violated check constraint', { title: '' }, 400, '23514'],
    ['a value for a generated column', { title: 'g', slug: 'g' }, 400, '428C9'],
    ['null in a required column', { title: null }, 400, '23502'],
    ['invalid text for a type', { title: 'n', amount: 'abc' }, 400, '22P02'],
    ['a number that is out of range', { title: 'n', amount: 1e12 }, 400, '22003'],
    ['an unknown column', { title: 'q', nope: 1 }, 400, 'PGRST204'],
  ])('an insert with %s is refused', async (_name, row: Record<string, unknown>, status, code) => {
    const response = await bob.from('documents').insert([row]);
    expect([response.status, refused(response).code]).toEqual([status, code]);
  });

  test('a duplicate, a missing parent and an unknown enum value are refused', async () => {
    await addDocument();
    const unique = await bob.from('documents').insert({ title: 'D00' });
    expect([unique.status, refused(unique).code]).toEqual([409, '23505']);
    // Postgres hides the duplicate key from callers to whom row level security applies.
    expect(refused(unique).details).toBeNull();
    const seen = await service.from('documents').insert({ title: 'D00', owner_id: bobId });
    expect(refused(seen).details).toContain('already exists');
    const missing = await service
      .from('jobs')
      .insert({ document_id: '00000000-0000-4000-8000-0000000000ff' });
    expect([missing.status, refused(missing).code]).toEqual([409, '23503']);
    const value = await service.from('jobs').insert({ status: 'nope' });
    expect([value.status, refused(value).code]).toEqual([400, '22P02']);
  });

  test('an unknown table and an unknown function get 404', async () => {
    const table = await bob.from('nope').select();
    expect([table.status, refused(table).code]).toEqual([404, 'PGRST205']);
    const call = await bob.rpc('nope');
    expect([call.status, refused(call).code]).toEqual([404, 'PGRST202']);
  });

  test.each([
    ['P0001', 400],
    ['PT409', 409],
    ['PT404', 404],
    ['PT503', 503],
    ['22023', 400],
    ['23505', 409],
    ['42501', 403],
    ['55P03', 500],
    ['53100', 503],
  ])('RAISE with %s returns %i with message, detail and hint', async (code, status) => {
    const response = await bob.rpc('boom', { p_code: code });
    expect([response.status, refused(response)]).toMatchObject([
      status,
      { code, message: `boom ${code}`, details: 'a detail', hint: 'a hint' },
    ]);
  });

  // PostgREST endlessly retries a call that fails with one of these codes. A function that always fails with such a
  // code would hold a connection forever, so the local backend stops after 20 attempts.
  test.each(['40001', '40P01'])('a call that fails with %s is repeated until it succeeds', async (code) => {
    await backend.sql`select setval('private.attempts', 1, false)`;
    expect(ok(await bob.rpc('fail_at_first', { p_code: code, p_times: 4 }))).toBe(5);
    const lasting = await bob.rpc('boom', { p_code: code });
    expect([lasting.status, refused(lasting).code]).toEqual([500, code]);
  });

  test("a statement ends at the timeout of its function or, without one, of its caller's role", async () => {
    const timeouts = async (client: Client) => ok(await client.rpc('timeouts'));
    expect(await timeouts(anon)).toEqual({ statement: '3s', lock: '8s' });
    expect(await timeouts(bob)).toEqual({ statement: '8s', lock: '8s' });
    expect(await timeouts(service)).toEqual({ statement: '8s', lock: '8s' });
    await backend.sql`alter role authenticated set statement_timeout = '50ms'`;
    const [slow, patient] = [await bob.rpc('nap'), await bob.rpc('patient_nap')];
    await backend.sql`alter role authenticated set statement_timeout = '8s'`;
    expect([slow.status, refused(slow).code]).toEqual([500, '57014']);
    ok(patient);
  });

  test('malformed JSON gets 400', async () => {
    const { token } = await sessionOf(bob);
    const response = await fetch(`${backend.url}/rest/v1/documents`, {
      method: 'POST',
      headers: {
        apikey: PUBLISHABLE_KEY,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
      },
      body: '{"title":',
    });
    expect(response.status).toBe(400);
  });
});

describe('reading', () => {
  test('embedded tables support select, inner filter, order, limit and count', async () => {
    const { id } = await addDocument();
    ok(await service.from('jobs').insert([{ document_id: id }, { document_id: id }]));
    const one = ok(
      await bob.from('documents').select('title, profiles(email), jobs(id, status)').eq('id', id).single(),
    );
    expect(one).toMatchObject({ title: 'D00', profiles: { email: 'bob@example.com' } });
    expect(one.jobs).toHaveLength(2);
    const inner = await bob.from('documents').select('title, jobs!inner(status)').eq('jobs.status', 'done');
    expect(ok(inner)).toEqual([]);
    const last = await bob
      .from('documents')
      .select('jobs(id)')
      .order('id', { referencedTable: 'jobs', ascending: false })
      .limit(1, { referencedTable: 'jobs' })
      .single();
    expect(ok(last).jobs).toEqual([{ id: Math.max(...one.jobs.map((job) => job.id)) }]);
    expect(ok(await bob.from('documents').select('jobs(count)').single())).toEqual({ jobs: [{ count: 2 }] });
  });

  test('counts and ranges are returned', async () => {
    await addDocuments(12);
    const page = await bob.from('documents').select('title', { count: 'exact' }).order('title').range(0, 4);
    expect([page.status, page.count, ok(page).length]).toEqual([206, 12, 5]);
    const head = await bob.from('documents').select('*', { count: 'exact', head: true });
    expect(head.count).toBe(12);
    const beyond = await bob.from('documents').select('*', { count: 'exact' }).range(100, 110);
    expect([beyond.status, refused(beyond).code]).toEqual([416, 'PGRST103']);
  });

  test('keyset pages by time and id do not overlap', async () => {
    await addDocuments(12);
    const page = () =>
      bob
        .from('documents')
        .select('id, created_at')
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(5);
    const first = ok(await page());
    const last = first.at(-1);
    const after = `created_at.lt."${last?.created_at}",and(created_at.eq."${last?.created_at}",id.lt.${last?.id})`;
    const second = ok(await page().or(after));
    expect(second).toHaveLength(5);
    expect(new Set([...first, ...second].map((row) => row.id)).size).toBe(10);
  });

  test('filters find rows by JSON, arrays, patterns, lists and ranges', async () => {
    await addDocuments(10);
    const titles = async (query: PromiseLike<{ data: { title: string }[] | null; error: unknown }>) => {
      const { data, error } = await query;
      expect(error).toBeNull();
      return data?.length;
    };
    const table = () => bob.from('documents').select('title');
    expect(await titles(table().eq('meta->>kind', 'odd'))).toBe(5);
    expect(await titles(table().contains('meta', { kind: 'even' }))).toBe(5);
    expect(await titles(table().contains('tags', ['x']))).toBe(5);
    expect(await titles(table().overlaps('tags', ['even', 'none']))).toBe(5);
    expect(await titles(table().ilike('title', 'd0%'))).toBe(10);
    expect(await titles(table().in('title', ['D00', 'D01', 'Z']))).toBe(2);
    expect(await titles(table().not('title', 'ilike', 'd0%'))).toBe(0);
    expect(await titles(table().gte('amount', 3).lt('amount', 6))).toBe(3);
  });

  test('single refuses a missing row, and maybeSingle returns null', async () => {
    const none = await bob.from('documents').select().eq('title', 'zzz').single();
    expect([none.status, refused(none).code]).toEqual([406, 'PGRST116']);
    const maybe = await bob.from('documents').select().eq('title', 'zzz').maybeSingle();
    expect([maybe.data, maybe.error]).toEqual([null, null]);
  });
});

describe('writing', () => {
  test('a bulk insert sets missing keys to null, and to their default only on request', async () => {
    const rows = [{ title: 'full', version: 7, big: 1 }, { title: 'bare' }];
    const refusal = await bob.from('documents').insert(rows);
    expect([refusal.status, refused(refusal).code]).toEqual([400, '23502']);
    const inserted = await bob
      .from('documents')
      .insert(rows, { defaultToNull: false })
      .select('title, version, big');
    expect(ok(inserted)).toEqual([
      { title: 'full', version: 7, big: 1 },
      { title: 'bare', version: 1, big: null },
    ]);
    const again = await bob
      .from('documents')
      .upsert([{ title: 'full', version: 9 }, { title: 'new' }], {
        onConflict: 'owner_id,title',
        defaultToNull: false,
      })
      .select('title, big');
    expect(ok(again)).toEqual([
      { title: 'full', big: 1 },
      { title: 'new', big: null },
    ]);
  });

  test('bulk insert, upsert, ignored duplicates, optimistic update and delete work', async () => {
    await addDocuments(30);
    const key = { owner_id: bobId, title: 'D00' };
    const upserted = await bob
      .from('documents')
      .upsert({ ...key, amount: 5 }, { onConflict: 'owner_id,title' })
      .select('amount, version');
    expect(ok(upserted)).toEqual([{ amount: 5, version: 2 }]);
    const ignored = await bob
      .from('documents')
      .upsert({ ...key, amount: 7 }, { onConflict: 'owner_id,title', ignoreDuplicates: true })
      .select('amount');
    expect(ok(ignored)).toEqual([]);
    const stale = bob.from('documents').update({ amount: 1 }).eq('title', 'D00').eq('version', 1).select();
    expect(ok(await stale)).toEqual([]);
    expect(ok(await bob.from('documents').delete().eq('title', 'D29').select('title'))).toEqual([
      { title: 'D29' },
    ]);
  });
});

describe('functions', () => {
  test('functions may return sets, be filtered, be called by GET, and return nothing', async () => {
    const document = await addDocument();
    ok(await service.from('jobs').insert([{ document_id: document.id }, { document_id: document.id }]));
    const claimed = ok(
      await service.rpc('claim_jobs', { p_worker: 'w1', p_limit: 2 }).select('status, locked_by'),
    );
    expect(claimed).toEqual([
      { status: 'running', locked_by: 'w1' },
      { status: 'running', locked_by: 'w1' },
    ]);
    expect(ok(await bob.rpc('my_stats'))).toEqual([{ n: 1, total: 0 }]);
    expect(ok(await bob.rpc('my_stats', {}, { get: true }))).toEqual([{ n: 1, total: 0 }]);
  });

  test('workers that claim concurrently never get the same job', async () => {
    const document = await addDocument();
    ok(await service.from('jobs').insert(Array.from({ length: 40 }, () => ({ document_id: document.id }))));
    const workers = Array.from({ length: 8 }, (_, n) =>
      service.rpc('claim_jobs', { p_worker: `w${n}`, p_limit: 5 }),
    );
    const jobs = (await Promise.all(workers)).flatMap((response) => ok(response) as { id: number }[]);
    expect(jobs).toHaveLength(40);
    expect(new Set(jobs.map((job) => job.id)).size).toBe(40);
  });
});

test('80 mixed requests at once all get responses, each for its own caller', async () => {
  await addDocuments(5);
  const responses = await Promise.all(
    Array.from({ length: 80 }, async (_, n) => {
      const [client, id] = n % 3 === 0 ? [admin, 'admin'] : n % 3 === 1 ? [bob, 'bob'] : [anon, null];
      if (n % 8 === 7) return (await backend.signedIn('bob@example.com')) !== null;
      if (n % 4 === 0) return (await client.rpc('whoami')).data?.email === (id && `${id}@example.com`);
      if (n % 4 === 1) return (await client.storage.listBuckets()).error === null;
      if (n % 4 === 2)
        return (await service.from('documents').insert({ title: `c${n}`, owner_id: bobId })).error === null;
      return (await service.from('documents').select('id, profiles(email)')).error === null;
    }),
  );
  expect(responses.every(Boolean)).toBe(true);
});

describe('callers without credentials', () => {
  const callFrom = (localAddress: string, headers: Record<string, string> = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const url = `${backend.url}/nothing`;
      get(url, { localAddress, headers: { apikey: PUBLISHABLE_KEY, ...headers } }, (response) => {
        response.resume();
        resolve(response);
      }).on('error', reject);
    });

  test('are limited by address, while other addresses and signed-in users are not', async () => {
    const untilRefused = async (headers: Record<string, string> = {}) => {
      let last = await callFrom('127.0.0.2', headers);
      for (let calls = 0; calls < 1_000 && last.statusCode !== 429; calls++)
        last = await callFrom('127.0.0.2', headers);
      return last;
    };
    const refusedCall = await untilRefused();
    expect(refusedCall.statusCode).toBe(429);
    expect(Number(refusedCall.headers['retry-after'])).toBeGreaterThan(0);
    expect((await callFrom('127.0.0.3')).statusCode).toBe(404);
    const falseCredentials: Record<string, string>[] = [
      { authorization: `Bearer  ${PUBLISHABLE_KEY}` },
      { authorization: 'Bearer a b' },
      { authorization: 'Bearer sb_secret_x' },
      { apikey: 'sb_secret_x' },
      { 'x-atelier-token': 'x' },
    ];
    for (const headers of falseCredentials) expect((await untilRefused(headers)).statusCode).toBe(429);
    const { token } = await sessionOf(bob);
    const withSession = await callFrom('127.0.0.2', { authorization: `Bearer ${token}` });
    expect(withSession.statusCode).toBe(404);
  });

  test('cannot send large bodies, which signed-in users can', async () => {
    const send = (client: Client) =>
      client.from('documents').insert({ title: 'x', meta: { text: 'x'.repeat(100_000) } });
    expect((await send(anon)).status).toBe(413);
    expect((await send(bob)).status).toBe(201);
  });
});
