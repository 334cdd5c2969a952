import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ok, refused, startTestBackend, type TestBackend } from '@/tests/backend/support/start-test-backend';

// Queries that an app might use, from supabase-js's own test suites. The expected responses are those of PostgREST.

let backend: TestBackend;
let db: ReturnType<TestBackend['client']>;
beforeAll(async () => {
  backend = await startTestBackend();
  db = backend.client();
});
afterAll(() => backend.end());
beforeEach(async () => {
  const { sql } = backend;
  await sql`truncate public.users, public.channels, public.messages, public.best_friends, public.user_profiles
            restart identity cascade`;
  await sql`insert into public.users (username, data, age_range, status, catchphrase) values
    ('supabot', null, '[1,2)', 'ONLINE', to_tsvector('fat cat')),
    ('kiwicopple', null, '[25,35)', 'OFFLINE', to_tsvector('cat bat')),
    ('awailas', '{"team": {"name": "core"}}', '[25,35)', 'ONLINE', to_tsvector('bat rat')),
    ('dragarcia', null, '[20,30)', 'ONLINE', to_tsvector('rat fat'))`;
  await sql`insert into public.user_profiles values ('supabot', 'a bot')`;
  await sql`insert into public.channels (slug) values ('public'), ('random'), ('empty')`;
  await sql`insert into public.messages (message, username, channel_id) values
    ('Hello World', 'supabot', 1), ('Perfection is attained', 'supabot', 2), ('Good day', 'awailas', 1)`;
  await sql`insert into public.best_friends (first_user, second_user) values ('supabot', 'awailas')`;
});

const users = (columns = 'username') => db.from('users').select(columns).order('username');
type Rows = PromiseLike<{ data: unknown; error: unknown }>;
const names = async (query: Rows) =>
  (ok(await query) as { username: string }[]).map(({ username }) => username);

describe('embedded tables', () => {
  test('a table that also exists in another schema is embedded with its own columns', async () => {
    const found = ok(
      await db.from('users').select('username, messages(*)').eq('username', 'awailas').single(),
    );
    expect(found).toEqual({
      username: 'awailas',
      messages: [{ id: 3, message: 'Good day', username: 'awailas', channel_id: 1 }],
    });
    const whole = ok(await db.from('messages').select('*, users(*), channels(*)').eq('id', 1).single());
    expect(whole).toMatchObject({
      message: 'Hello World',
      users: { username: 'supabot', status: 'ONLINE', age_range: '[1,2)' },
      channels: { id: 1, slug: 'public', data: null },
    });
  });

  test('filters, or, order, limit and range on an embedded table do not affect the outer rows', async () => {
    const of = () => db.from('users').select('username, messages(id, message)').eq('username', 'supabot');
    const ids = async (query: Rows) =>
      (ok(await query) as { messages: { id: number }[] }[]).flatMap(({ messages }) =>
        messages.map(({ id }) => id),
      );
    expect(await ids(of().eq('messages.message', 'Hello World'))).toEqual([1]);
    expect(await ids(of().or('message.eq.Hello World,id.eq.2', { referencedTable: 'messages' }))).toEqual([
      1, 2,
    ]);
    expect(await ids(of().order('id', { referencedTable: 'messages', ascending: false }))).toEqual([2, 1]);
    expect(
      await ids(
        of()
          .order('channel_id', { referencedTable: 'messages', ascending: false })
          .order('username', { referencedTable: 'messages' }),
      ),
    ).toEqual([2, 1]);
    expect(
      await ids(of().order('id', { referencedTable: 'messages' }).limit(1, { referencedTable: 'messages' })),
    ).toEqual([1]);
    expect(
      await ids(
        of().order('id', { referencedTable: 'messages' }).range(1, 1, { referencedTable: 'messages' }),
      ),
    ).toEqual([2]);
  });

  test('!inner leaves out rows without a match; !left and a plain embedding keep them', async () => {
    expect(await names(users('username, messages!inner(id)'))).toEqual(['awailas', 'supabot']);
    expect(await names(users('username, messages!inner(id)').eq('messages.channel_id', 2))).toEqual([
      'supabot',
    ]);
    expect(await names(users('username, messages!left(id)'))).toHaveLength(4);
    expect(await names(users('username, messages(id)').is('messages', null))).toEqual([
      'dragarcia',
      'kiwicopple',
    ]);
  });

  test('a one-to-one relation is embedded as an object, or as null', async () => {
    const found = ok(await users('username, user_profiles(bio)').in('username', ['awailas', 'supabot']));
    expect(found).toEqual([
      { username: 'awailas', user_profiles: null },
      { username: 'supabot', user_profiles: { bio: 'a bot' } },
    ]);
    expect(ok(await db.from('user_profiles').select('bio, users(status)').single())).toEqual({
      bio: 'a bot',
      users: { status: 'ONLINE' },
    });
  });

  test('two foreign keys to one table need a hint, and are refused without one', async () => {
    const found = await db
      .from('best_friends')
      .select('id, first:users!first_user(username), second:users!best_friends_second_user_fkey(username)')
      .single();
    expect(ok(found)).toEqual({ id: 1, first: { username: 'supabot' }, second: { username: 'awailas' } });
    const vague = await db.from('best_friends').select('users(username)');
    expect([vague.status, refused(vague).code]).toEqual([300, 'PGRST201']);
  });

  test('several levels, spread columns and counts can be embedded', async () => {
    const nested = await db
      .from('channels')
      .select('slug, messages(message, users(username, user_profiles(bio)))')
      .eq('slug', 'random')
      .single();
    expect(ok(nested)).toEqual({
      slug: 'random',
      messages: [
        {
          message: 'Perfection is attained',
          users: { username: 'supabot', user_profiles: { bio: 'a bot' } },
        },
      ],
    });
    expect(ok(await db.from('messages').select('id, ...channels(slug)').eq('id', 2).single())).toEqual({
      id: 2,
      slug: 'random',
    });
    expect(ok(await db.from('channels').select('slug, messages(count)').order('id'))).toEqual([
      { slug: 'public', messages: [{ count: 2 }] },
      { slug: 'random', messages: [{ count: 1 }] },
      { slug: 'empty', messages: [{ count: 0 }] },
    ]);
  });

  test('rows can be sorted by a column of their parent', async () => {
    const found = await db
      .from('messages')
      .select('id, channels(slug)')
      .order('channels(slug)', { ascending: false })
      .order('id');
    expect(ok(found).map(({ id }) => id)).toEqual([2, 1, 3]);
  });
});

describe('filters', () => {
  test('filters compare, negate and combine', async () => {
    expect(await names(users().neq('username', 'supabot'))).toHaveLength(3);
    expect(await names(users().gt('username', 'd').lte('username', 'kiwicopple'))).toEqual([
      'dragarcia',
      'kiwicopple',
    ]);
    expect(await names(users().not('status', 'eq', 'OFFLINE'))).toHaveLength(3);
    expect(await names(users().or('status.eq.OFFLINE,username.eq.supabot'))).toEqual([
      'kiwicopple',
      'supabot',
    ]);
    expect(await names(users().or('and(status.eq.ONLINE,username.like.d*),username.in.(supabot)'))).toEqual([
      'dragarcia',
      'supabot',
    ]);
    expect(await names(users().match({ username: 'supabot', status: 'ONLINE' }))).toEqual(['supabot']);
    expect(await names(users().filter('username', 'in', '("supabot","awailas")'))).toEqual([
      'awailas',
      'supabot',
    ]);
    expect(await names(users().is('data', null))).toHaveLength(3);
    expect(await names(users().isDistinct('status', 'ONLINE'))).toEqual(['kiwicopple']);
  });

  test('patterns match with like, ilike, all of, any of, and regular expressions', async () => {
    expect(await names(users().like('username', '%supa%'))).toEqual(['supabot']);
    expect(await names(users().ilike('username', '%SUPA%'))).toEqual(['supabot']);
    expect(await names(users().likeAllOf('username', ['%supa%', '%bot%']))).toEqual(['supabot']);
    expect(await names(users().ilikeAnyOf('username', ['%SUPA%', '%KIWI%']))).toEqual([
      'kiwicopple',
      'supabot',
    ]);
    expect(await names(users().regexMatch('username', '^s.*t$'))).toEqual(['supabot']);
    expect(await names(users().regexIMatch('username', '^S.*T$'))).toEqual(['supabot']);
  });

  test('filters work on ranges, JSON and full text', async () => {
    expect(await names(users().rangeLt('age_range', '[2,25)'))).toEqual(['supabot']);
    expect(await names(users().rangeGt('age_range', '[2,25)'))).toEqual(['awailas', 'kiwicopple']);
    expect(await names(users().rangeAdjacent('age_range', '[2,25)'))).toEqual([
      'awailas',
      'kiwicopple',
      'supabot',
    ]);
    expect(await names(users().overlaps('age_range', '[2,25)'))).toEqual(['dragarcia']);
    expect(await names(users().containedBy('age_range', '[0,3)'))).toEqual(['supabot']);
    expect(await names(users().eq('data->team->>name', 'core'))).toEqual(['awailas']);
    expect(ok(await users('data->team->>name').eq('username', 'awailas'))).toEqual([{ name: 'core' }]);
    const search = (words: string, type?: 'plain' | 'phrase' | 'websearch') =>
      names(users().textSearch('catchphrase', words, { config: 'english', ...(type ? { type } : {}) }));
    expect(await search("'fat' & 'cat'")).toEqual(['supabot']);
    expect(await search('fat cat', 'plain')).toEqual(['supabot']);
    expect(await search('cat bat', 'phrase')).toEqual(['kiwicopple']);
    expect(await search('fat -cat', 'websearch')).toEqual(['dragarcia']);
  });
});

describe('forms of responses', () => {
  test('rows are returned by order with nulls, limit and range', async () => {
    const byData = await db.from('users').select('username').order('data', { nullsFirst: false }).limit(1);
    expect(ok(byData)).toEqual([{ username: 'awailas' }]);
    expect(await names(users().range(1, 2))).toEqual(['dragarcia', 'kiwicopple']);
  });

  test.each(['exact', 'planned', 'estimated'] as const)(
    'a count that is %s comes with rows and without',
    async (count) => {
      if (count === 'planned') await backend.sql`analyze public.users`;
      expect((await db.from('users').select('*', { count })).count).toBe(4);
      const head = await db.from('users').select('*', { count, head: true });
      expect([head.count, head.data]).toEqual([4, null]);
    },
  );

  test('csv is quoted where needed', async () => {
    await backend.sql`update public.channels set slug = 'a "quoted", slug' where id = 2`;
    const csv = ok(await db.from('channels').select('id, slug').in('id', [1, 2]).order('id').csv());
    expect(csv).toBe('id,slug\n1,public\n2,"a ""quoted"", slug"');
  });

  test('columns can be renamed and cast', async () => {
    expect(ok(await users('name:username, status::text').eq('username', 'supabot'))).toEqual([
      { name: 'supabot', status: 'ONLINE' },
    ]);
  });

  test('a view is read like a table', async () => {
    expect(await names(db.from('online_users').select('username').order('username'))).toEqual([
      'awailas',
      'dragarcia',
      'supabot',
    ]);
  });

  test('a missing table, column or row is an error', async () => {
    expect(refused(await db.from('missing').select()).code).toBe('PGRST205');
    const column = await db.from('users').select('missing');
    expect([column.status, refused(column).code]).toEqual([400, '42703']);
    const relation = await db.from('user_profiles').select('bio, channels(*)');
    expect([relation.status, refused(relation).code]).toEqual([400, 'PGRST200']);
    expect(refused(await db.from('users').select().eq('username', 'nobody').single()).code).toBe('PGRST116');
    expect(refused(await db.from('users').select().single()).code).toBe('PGRST116');
  });
});

describe('writing', () => {
  test('insert, upsert, update and delete return rows only if they are requested', async () => {
    const plain = await db.from('messages').insert({ message: 'foo', username: 'supabot', channel_id: 1 });
    expect([plain.status, plain.data, plain.error]).toEqual([201, null, null]);
    const row = { id: 4, message: 'bar', username: 'supabot', channel_id: 2 };
    expect(ok(await db.from('messages').upsert(row).select())).toEqual([row]);
    expect(
      ok(await db.from('messages').update({ channel_id: 1 }).eq('id', 4).select('channel_id').single()),
    ).toEqual({ channel_id: 1 });
    const gone = await db.from('messages').delete({ count: 'exact' }).eq('username', 'supabot').select('id');
    expect([gone.count, ok(gone).length]).toEqual([3, 3]);
    const quiet = await db.from('messages').delete().eq('id', 3);
    expect([quiet.status, quiet.data]).toEqual([204, null]);
  });

  test('an inserted row is returned with its parents', async () => {
    const row = { username: 'dragarcia', channel_id: 2 };
    expect(
      ok(await db.from('messages').insert(row).select('message, users(status), channels(slug)').single()),
    ).toEqual({
      message: 'nothing said',
      users: { status: 'ONLINE' },
      channels: { slug: 'random' },
    });
  });

  test('a bulk insert fills missing columns with null or their default', async () => {
    const rows = [
      { username: 'supabot', channel_id: 1, message: 'said' },
      { username: 'supabot', channel_id: 2 },
    ];
    const inserted = async (defaultToNull: boolean) =>
      ok(await db.from('messages').insert(rows, { defaultToNull }).select('message')).map(
        ({ message }) => message,
      );
    expect(await inserted(true)).toEqual(['said', null]);
    expect(await inserted(false)).toEqual(['said', 'nothing said']);
  });

  test('a bulk upsert with column defaults updates the columns of all its rows', async () => {
    const rows = [{ id: 1 }, { id: 2, message: 'changed' }].map((row) => ({
      ...row,
      username: 'supabot',
      channel_id: 1,
    }));
    const updated = db.from('messages').upsert(rows, { defaultToNull: false }).select('id, message');
    expect(ok(await updated)).toEqual([
      { id: 1, message: 'nothing said' },
      { id: 2, message: 'changed' },
    ]);
  });

  test('an upsert may use another unique column', async () => {
    const upsert = (ignoreDuplicates: boolean) =>
      db
        .from('channels')
        .upsert({ slug: 'public', data: { n: 1 } }, { onConflict: 'slug', ignoreDuplicates })
        .select('id, data');
    expect(ok(await upsert(true))).toEqual([]);
    expect(ok(await upsert(false))).toEqual([{ id: 1, data: { n: 1 } }]);
  });

  test('a change of more rows than allowed is refused and rolled back', async () => {
    const many = await db
      .from('users')
      .update({ data: { x: 1 } })
      .neq('username', 'nobody')
      .setHeader('Prefer', 'handling=strict,max-affected=2');
    expect([many.status, refused(many).code]).toEqual([400, 'PGRST124']);
    expect(await names(users().eq('data->>x', '1'))).toEqual([]);
  });

  test('a write that returns a different number of rows than requested is refused and rolled back', async () => {
    const both = ['awailas', 'dragarcia'];
    const refusedAll = [
      await db.from('users').update({ status: 'OFFLINE' }).in('username', both).select().single(),
      await db
        .from('users')
        .update({ status: 'OFFLINE' })
        .in('username', both)
        .select('messages(id)')
        .single(),
      await db.from('users').update({ status: 'OFFLINE' }).eq('username', 'nobody').select().single(),
      await db.from('messages').delete().eq('username', 'supabot').select().single(),
      await db.rpc('set_offline', { prefix: '' }).single(),
    ];
    for (const response of refusedAll)
      expect([response.status, refused(response).code]).toEqual([406, 'PGRST116']);
    expect(await names(users().eq('status', 'OFFLINE'))).toEqual(['kiwicopple']);
    expect((await db.from('messages').select('*', { count: 'exact', head: true })).count).toBe(3);

    const one = db.from('users').update({ status: 'OFFLINE' }).eq('username', 'awailas');
    expect(ok(await one.select('username, messages(id)').single())).toEqual({
      username: 'awailas',
      messages: [{ id: 3 }],
    });
    expect(await names(users().eq('status', 'OFFLINE'))).toEqual(['awailas', 'kiwicopple']);
  });
});

describe('functions', () => {
  test('a function is called by name and arguments, with arrays and defaults', async () => {
    expect(ok(await db.rpc('status_of', { name_param: 'supabot' }))).toBe('ONLINE');
    expect(ok(await db.rpc('status_of', { name_param: 'supabot' }, { get: true }))).toBe('ONLINE');
    expect(ok(await db.rpc('sum_up', { numbers: [1, 2, 3] }))).toBe(6);
    expect(ok(await db.rpc('sum_up', { numbers: [1, 2, 3], weight: 0.5 }, { get: true }))).toBe(3);
    const nothing = await db.rpc('nothing_done');
    expect([nothing.status, nothing.data, nothing.error]).toEqual([204, null, null]);
    const wrong = await db.rpc('status_of', { other: 1 });
    expect([wrong.status, refused(wrong).code]).toEqual([404, 'PGRST202']);
  });

  test('a function takes a row of a table as an argument', async () => {
    const call = (author: object) => db.rpc('messages_of', { author }).select('id').order('id');
    expect(ok(await call({ username: 'awailas' }))).toEqual([{ id: 3 }]);
    const whole = { username: 'supabot', data: { a: [1] }, age_range: '[1,2)', status: 'ONLINE' };
    expect(ok(await call(whole))).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test('a call that returns more rows than allowed is refused and rolled back', async () => {
    const call = (prefix: string) =>
      db.rpc('set_offline', { prefix }).setHeader('Prefer', 'handling=strict,max-affected=1');
    const many = await call('');
    expect([many.status, refused(many).code]).toEqual([400, 'PGRST124']);
    expect(await names(users().eq('status', 'OFFLINE'))).toEqual(['kiwicopple']);
    expect(await names(call('supabot'))).toEqual(['supabot']);
  });

  test('the rows that a function returns can be filtered, sorted, limited, counted and embedded like a table', async () => {
    const call = (options = {}) => db.rpc('users_with_prefix', { prefix: '' }, options);
    expect(await names(call().select('username').eq('status', 'OFFLINE'))).toEqual(['kiwicopple']);
    expect(await names(call().select('username').order('username').range(0, 1))).toEqual([
      'awailas',
      'dragarcia',
    ]);
    expect((await call({ count: 'exact' }).limit(2)).count).toBe(4);
    expect((await call({ count: 'exact', head: true })).count).toBe(4);
    expect(ok(await call().select('messages(id)').eq('username', 'awailas').single())).toEqual({
      messages: [{ id: 3 }],
    });
  });
});

test('the policies and views of a table can read the headers of the request', async () => {
  const read = db.from('request_headers').select('headers').setHeader('X-Mine', 'yes').single();
  expect(ok(await read)).toMatchObject({ headers: { 'x-mine': 'yes' } });
  const { headers } = ok(await db.from('request_headers').select('headers').single());
  expect(headers).not.toHaveProperty('x-mine');
});

test('functions can read the method and the path of each request', async () => {
  expect(ok(await db.rpc('request_line'))).toBe('POST /rpc/request_line');
  expect(ok(await db.rpc('request_line', undefined, { get: true }))).toBe('GET /rpc/request_line');
});
