import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createClient, type RealtimeChannel, type WebSocketLikeConstructor } from '@supabase/supabase-js';
import { importJWK, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '@/tests/app/support/poll';
import {
  ok,
  PASSWORD,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  sessionOf,
  startTestBackend,
  type TestBackend,
} from '@/tests/backend/support/start-test-backend';

type Client = ReturnType<TestBackend['client']>;
type Message = { event: string; payload: Record<string, unknown>; meta?: { id: string } };

let backend: TestBackend;
let bob: Client;
let bob2: Client;
let admin: Client;
let anon: Client;
let service: Client;
let bobId: string;

async function joinable(email: string): Promise<Client> {
  const client = await backend.signedIn(email);
  await client.realtime.setAuth();
  return client;
}

beforeAll(async () => {
  backend = await startTestBackend();
  bob = await joinable('bob@example.com');
  bob2 = await joinable('bob@example.com');
  admin = await joinable('admin@example.com');
  anon = backend.client();
  service = backend.client(SECRET_KEY);
  bobId = (await sessionOf(bob)).id;
});
afterEach(async () => {
  await Promise.all([bob, bob2, admin, anon, service].map((client) => client.removeAllChannels()));
});
afterAll(async () => {
  for (const client of [bob, bob2, admin, anon, service]) client.realtime.disconnect();
  await backend.end();
});

function subscribe(channel: RealtimeChannel): Promise<string> {
  return new Promise((resolve) => {
    channel.subscribe((status, error) => {
      if (status !== 'CLOSED') resolve(error ? `${status}: ${error.message}` : status);
    });
  });
}

const until = (check: () => void) => eventually(check, { everyMs: 5 });
const ofUser = (client: Client, id = bobId, broadcast = {}) =>
  client.channel(`user:${id}`, { config: { private: true, broadcast } });
const collect = (channel: RealtimeChannel, event = '*') => {
  const messages: Message[] = [];
  channel.on('broadcast', { event }, (message) => messages.push(message as unknown as Message));
  return messages;
};
/** Returns an access token that expires after this many seconds. */
async function signToken(sub: string, seconds: number): Promise<string> {
  const { signingKey } = JSON.parse(await readFile(`${backend.dataDir}/backend-secrets.json`, 'utf8'));
  return new SignJWT({ role: 'authenticated', sub })
    .setProtectedHeader({ alg: 'ES256', kid: signingKey.kid })
    .setExpirationTime(Math.floor(Date.now() / 1_000) + seconds)
    .sign(await importJWK(signingKey, 'ES256'));
}
let number = 0;
const addDocument = async (fields = {}) =>
  ok(
    await bob
      .from('documents')
      .insert({ title: `doc ${++number}`, ...fields })
      .select('id, title')
      .single(),
  );

describe('private topics', () => {
  test('the owner can join a private topic; other users, anonymous callers and forged tokens cannot', async () => {
    expect(await subscribe(ofUser(bob))).toBe('SUBSCRIBED');
    expect(await subscribe(ofUser(admin))).toMatch(/CHANNEL_ERROR.*Unauthorized/);
    expect(await subscribe(ofUser(anon))).toMatch(/CHANNEL_ERROR.*Unauthorized/);
    const forger = backend.client();
    await forger.realtime.setAuth('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4Iiwicm9sZSI6InNlcnZpY2Vfcm9sZSJ9.xxxx');
    expect(await subscribe(ofUser(forger))).toMatch(/CHANNEL_ERROR.*InvalidJWTToken/);
    forger.realtime.disconnect();
  });

  test('policies can read app_metadata, and the service role may join any topic', async () => {
    const join = (client: Client) => subscribe(client.channel('admin', { config: { private: true } }));
    expect(await join(admin)).toBe('SUBSCRIBED');
    expect(await join(bob)).toMatch(/CHANNEL_ERROR/);
    expect(await join(service)).toBe('SUBSCRIBED');
  });

  test('a join leaves no probe message', async () => {
    await subscribe(ofUser(bob));
    const [row] = await backend.sql`select count(*)::int as n from realtime.messages where event = 'probe'`;
    expect(row?.n).toBe(0);
  });
});

describe('broadcast from the database', () => {
  test('messages for inserts, updates and deletes arrive with their records', async () => {
    const channel = ofUser(bob);
    const messages = collect(channel);
    await subscribe(channel);
    const { id, title } = await addDocument();
    ok(await bob.from('documents').update({ amount: 5 }).eq('id', id).select());
    ok(await bob.from('documents').delete().eq('id', id).select());
    await until(() => expect(messages).toHaveLength(3));
    expect(messages.map(({ event }) => event)).toEqual(['INSERT', 'UPDATE', 'DELETE']);
    expect(messages[0]?.payload).toMatchObject({
      operation: 'INSERT',
      table: 'documents',
      schema: 'public',
      record: { id, title },
      old_record: null,
    });
    expect(messages[0]?.meta?.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(messages[1]?.payload).toMatchObject({ record: { amount: 5 }, old_record: { amount: 0 } });
    expect(messages[2]?.payload).toMatchObject({ record: null, old_record: { amount: 5 } });
  });

  test('realtime.send() in a trigger reaches its topic and no other', async () => {
    const watched = admin.channel('admin', { config: { private: true } });
    const jobs = collect(watched, 'job');
    const own = collect(ofUser(bob));
    await subscribe(watched);
    const document = await addDocument();
    ok(await service.from('jobs').insert({ document_id: document.id }).select());
    ok(await service.rpc('claim_jobs', { p_worker: 'rt', p_limit: 1 }));
    await until(() => expect(jobs).toHaveLength(1));
    expect(jobs[0]?.payload).toMatchObject({ status: 'running' });
    expect(own).toHaveLength(0);
  });

  test('a transaction that is rolled back delivers nothing', async () => {
    const channel = ofUser(bob);
    const messages = collect(channel);
    await subscribe(channel);
    const { error } = await bob.from('documents').insert([{ title: `kept? ${++number}` }, { title: '' }]);
    expect(error?.code).toBe('23514');
    await addDocument({ title: 'the next one' });
    await until(() => expect(messages.length).toBeGreaterThan(0));
    expect(messages.map(({ payload }) => payload.record)).toMatchObject([{ title: 'the next one' }]);
  });

  test('records far larger than a notification arrive', async () => {
    const channel = ofUser(bob);
    const messages = collect(channel);
    await subscribe(channel);
    await addDocument({ meta: { s: 'x'.repeat(100_000) } });
    await until(() => expect(messages).toHaveLength(1));
    expect(messages[0]?.payload.record).toMatchObject({ meta: { s: 'x'.repeat(100_000) } });
  });

  test('400 messages of one statement arrive in order, read in batches', async () => {
    const channel = ofUser(bob);
    const messages = collect(channel);
    await subscribe(channel);
    const rows = Array.from({ length: 400 }, (_, n) => ({ title: `batch ${number} ${n}`, amount: n }));
    ok(await bob.from('documents').insert(rows).select('id'));
    await until(() => expect(messages).toHaveLength(400));
    const amounts = messages.map(({ payload }) => (payload.record as { amount: number }).amount);
    expect(amounts).toEqual(rows.map((row) => row.amount));
  });

  test('old messages are deleted when the backend starts, and new ones are kept', async () => {
    await backend.sql`insert into realtime.messages (topic, extension, event, inserted_at)
      values ('old', 'broadcast', 'old', now() - interval '25 hours'), ('new', 'broadcast', 'new', now())`;
    const { startMessageFeed } = await import('@/supabase/local/backend/realtime/message-feed');
    const { openDatabase } = await import('@/supabase/local/backend/database');
    const { createHub } = await import('@/supabase/local/backend/realtime/hub');
    const database = openDatabase(backend.databaseUrl, 2);
    const stop = await startMessageFeed(database, createHub(), () => {});
    await until(async () => {
      const rows = await backend.sql`select topic from realtime.messages where topic in ('old', 'new')`;
      expect(rows.map((row) => row.topic)).toEqual(['new']);
    });
    stop();
    await database.close();
  });
});

describe('broadcast between clients', () => {
  test('a broadcast reaches the other client, is acknowledged, and does not reach its sender', async () => {
    const sender = ofUser(bob, bobId, { ack: true, self: false });
    const own = collect(sender);
    const receiver = ofUser(bob2);
    const messages = collect(receiver, 'cursor');
    await subscribe(sender);
    await subscribe(receiver);
    expect(await sender.send({ type: 'broadcast', event: 'cursor', payload: { x: 1, u: 'é✓' } })).toBe('ok');
    await until(() => expect(messages).toHaveLength(1));
    expect(messages[0]).toMatchObject({ event: 'cursor', payload: { x: 1, u: 'é✓' } });
    expect(own).toHaveLength(0);
  });

  test('bytes are broadcast as bytes', async () => {
    const sender = bob.channel('room', { config: { broadcast: { self: true, ack: true } } });
    const messages = collect(sender, 'bytes');
    await subscribe(sender);
    const payload = new Uint8Array([1, 2, 255]).buffer;
    await sender.send({ type: 'broadcast', event: 'bytes', payload });
    await until(() => expect(messages).toHaveLength(1));
    expect(new Uint8Array(messages[0]?.payload as unknown as ArrayBuffer)).toEqual(
      new Uint8Array([1, 2, 255]),
    );
  });

  test('private and public channels of one name do not mix', async () => {
    const open = anon.channel(`user:${bobId}`);
    const leaked = collect(open);
    expect(await subscribe(open)).toBe('SUBSCRIBED');
    const own = ofUser(bob);
    const messages = collect(own);
    await subscribe(own);
    await addDocument();
    await until(() => expect(messages).toHaveLength(1));
    expect(leaked).toHaveLength(0);
  });
});

describe('presence', () => {
  test('members see who joins and leaves', async () => {
    const one = bob.channel('room', { config: { presence: { key: 'bob' } } });
    const two = admin.channel('room', { config: { presence: { key: 'admin' } } });
    for (const channel of [one, two]) {
      channel.on('presence', { event: 'sync' }, () => {});
      await subscribe(channel);
    }
    await one.track({ n: 1 });
    await two.track({ n: 2 });
    await until(() => {
      for (const channel of [one, two]) {
        expect(Object.keys(channel.presenceState()).sort()).toEqual(['admin', 'bob']);
      }
    });
    await admin.removeChannel(two);
    await until(() => expect(Object.keys(one.presenceState())).toEqual(['bob']));
  });
});

describe('tokens', () => {
  test('a refreshed token keeps the channel open', async () => {
    const channel = ofUser(bob);
    const messages = collect(channel);
    await subscribe(channel);
    ok(await bob.auth.refreshSession());
    await bob.realtime.setAuth();
    await addDocument();
    await until(() => expect(messages).toHaveLength(1));
    expect(channel.state).toBe('joined');
  });

  test('an expired token closes the channel, and nothing more arrives', async () => {
    const token = await signToken(bobId, 2);
    const client = backend.client();
    await client.realtime.setAuth(token);
    const channel = ofUser(client);
    const messages = collect(channel);
    expect(await subscribe(channel)).toBe('SUBSCRIBED');
    await until(() => expect(channel.state).toBe('closed'));
    const own = ofUser(bob);
    const received = collect(own);
    await subscribe(own);
    await addDocument();
    await until(() => expect(received).toHaveLength(1));
    expect(messages).toHaveLength(0);
    client.realtime.disconnect();
  });

  test("another user's token closes the channel", async () => {
    const client = await joinable('bob@example.com');
    const channel = ofUser(client);
    await subscribe(channel);
    await client.realtime.setAuth((await sessionOf(admin)).token);
    await until(() => expect(channel.state).toBe('closed'));
    client.realtime.disconnect();
  });
});

describe('limits', () => {
  // Each test uses its own accounts, because an account's use counts over all its sockets.
  const newAccount = () => signToken(randomUUID(), 3_600);

  type Frame = [joinRef: string | null, ref: string | null, topic: string, event: string, payload: unknown];
  /** Opens a socket without a client library, which would stop sending when its channel is closed. */
  async function openSocket() {
    const address = `${backend.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=`;
    const socket = new WebSocket(address + PUBLISHABLE_KEY);
    const frames: Frame[] = [];
    socket.on('message', (data) => frames.push(JSON.parse(String(data))));
    const closed = new Promise<number>((resolve) => socket.once('close', resolve));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const send = (event: string, payload: object, topic = 'crowded') =>
      socket.send(JSON.stringify(['1', event, `realtime:${topic}`, event, payload]));
    /** Returns the reply to a join, such as `{ status: 'ok' }`. */
    async function join(token: string, topic?: string, config = {}) {
      const before = frames.length;
      send('phx_join', { access_token: token, config }, topic);
      const isReply = ([, ref, , event]: Frame) => ref === 'phx_join' && event === 'phx_reply';
      await until(() => expect(frames.slice(before).some(isReply)).toBe(true));
      return frames.slice(before).find(isReply)?.[4] as { status: string };
    }
    return { socket, frames, closed, send, join };
  }

  const track = (payload: object) => ['presence', { event: 'track', payload }] as const;
  const broadcast = (event: string, text = '') =>
    ['broadcast', { type: 'broadcast', event, payload: { text } }] as const;

  /** Sends a message many times while others are on the topic. Returns the flooder and the frames that others got. */
  async function flood([event, payload]: readonly [string, object], times: number) {
    const [watcher, flooder, sender] = [await openSocket(), await openSocket(), await openSocket()];
    for (const { join } of [watcher, flooder, sender]) {
      expect(await join(await newAccount())).toMatchObject({ status: 'ok' });
    }
    for (let n = 0; n < times; n++) flooder.send(event, payload);
    const passed = async () => {
      sender.send(...broadcast('after'));
      const isAfter = ([, , , , payload]: Frame) => (payload as { event?: string }).event === 'after';
      await until(() => expect(watcher.frames.some(isAfter)).toBe(true));
      expect(watcher.socket.readyState).toBe(WebSocket.OPEN);
      for (const { socket } of [watcher, flooder, sender]) socket.close();
      // The first frames are the reply to the join and the entries that were present.
      return watcher.frames.slice(2).filter((frame) => !isAfter(frame)).length;
    };
    return { flooder, passed };
  }

  test.each([
    ['a presence entry over 4 KB', track({ s: 'x'.repeat(4 << 10) }), 10, 'Track message size exceeded', 0],
    ['many presence entries', track({ s: 'x' }), 100, 'Client presence rate limit exceeded', 99],
    ['many broadcasts', broadcast('many', 'x'.repeat(16 << 10)), 100, 'Too many messages per second', 99],
  ])('%s close only the channel of the sender', async (_, message, times, error, most) => {
    const { flooder, passed } = await flood(message, times);
    const payloads = () => flooder.frames.map((frame) => frame[4]);
    const unmatched = { status: 'error', response: { reason: 'unmatched topic' } };
    await until(() => expect(payloads().at(-1)).toEqual(unmatched));
    expect(payloads()).toContainEqual(expect.objectContaining({ status: 'error', message: error }));
    expect(await passed()).toBeLessThanOrEqual(most);
  });

  test.each([
    ['a message over 256 KB', track({ s: 'x'.repeat(2 << 20) }), 20, 1009],
    ['more messages than the limit', track({}), 5_000, 1008],
  ])('%s close only the socket of the sender', async (_, message, times, code) => {
    const { flooder, passed } = await flood(message, times);
    expect(await flooder.closed).toBe(code);
    expect(await passed()).toBeLessThan(500);
  });

  test('a presence entry and names within the limits are passed on, and longer names are refused', async () => {
    const [one, two] = [await openSocket(), await openSocket()];
    const token = await newAccount();
    const key = 'k'.repeat(255);
    const topic = 't'.repeat(255 - 'realtime:'.length);
    await one.join(token, topic);
    expect(await two.join(token, topic, { presence: { key } })).toMatchObject({ status: 'ok' });
    const entry = { s: 'x'.repeat(4_000) };
    two.send(...track(entry), topic);
    await until(() => {
      const joins = { [key]: { metas: [{ ...entry, phx_ref: expect.any(String) }] } };
      expect(one.frames.map((frame) => frame[4])).toContainEqual({ joins, leaves: {} });
    });
    const reason = 'The topic or the presence key is too long';
    const refusal = { status: 'error', response: { reason } };
    expect(await one.join(token, `${topic}t`)).toEqual(refusal);
    expect(await one.join(token, 'crowded', { presence: { key: `${key}k` } })).toEqual(refusal);
    expect(await one.join(token, 'crowded', { presence: { key: '__proto__' } })).toMatchObject({
      response: { reason: 'The presence key is reserved' },
    });
    for (const { socket } of [one, two]) socket.close();
  });

  test('a socket has at most 100 channels, and an account at most 100 sockets', async () => {
    const token = await newAccount();
    const sockets = await Promise.all(Array.from({ length: 101 }, openSocket));
    const [first, ...others] = sockets;
    for (let n = 0; n < 100; n++) {
      expect(await first?.join(token, `topic-${n}`)).toMatchObject({ status: 'ok' });
    }
    expect(await first?.join(token, 'one-more')).toMatchObject({
      response: { reason: 'ChannelRateLimitReached: Too many channels' },
    });
    const replies = await Promise.all(others.map(({ join }) => join(token)));
    expect(replies.filter(({ status }) => status === 'ok')).toHaveLength(99);
    const refusal = {
      status: 'error',
      response: { reason: 'ConnectionRateLimitReached: Too many connections of this account' },
    };
    const refused = others[replies.findIndex(({ status }) => status === 'error')];
    expect(await refused?.join(token)).toEqual(refusal);
    expect(await refused?.join(await newAccount())).toMatchObject({ status: 'ok' });
    first?.socket.close();
    const extra = await openSocket();
    await until(async () => expect(await extra.join(token)).toMatchObject({ status: 'ok' }));
    for (const { socket } of [...others, extra]) socket.close();
  });

  test('beyond 1,000 sockets, those that have joined nothing make room for new ones', {
    tags: ['extended'],
  }, async () => {
    const token = await newAccount();
    const member = await openSocket();
    expect(await member.join(token)).toMatchObject({ status: 'ok' });
    const idle = await Promise.all(Array.from({ length: 1_100 }, openSocket));
    const isOpen = ({ socket }: Awaited<ReturnType<typeof openSocket>>) => socket.readyState === socket.OPEN;
    await until(async () => expect(idle.filter(isOpen).length).toBeLessThan(1_000));
    expect(isOpen(member)).toBe(true);
    const next = await openSocket();
    expect(await next.join(token)).toMatchObject({ status: 'ok' });
    for (const { socket } of [...idle, member, next]) socket.close();
  });
});

describe('the connection', () => {
  test('postgres_changes is refused with a message', async () => {
    const channel = bob
      .channel('changes')
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'documents' }, () => {});
    expect(await subscribe(channel)).toMatch(/CHANNEL_ERROR.*postgres_changes is not available/);
  });

  test('a cut connection is opened again and its channel joins again', async () => {
    const sockets: WebSocket[] = [];
    const transport: object = new Proxy(WebSocket, {
      construct: (target, args: ConstructorParameters<typeof WebSocket>) => {
        const socket = new target(...args);
        sockets.push(socket);
        return socket;
      },
    });
    const options = {
      auth: { persistSession: false },
      realtime: { transport: transport as WebSocketLikeConstructor },
    };
    const client = createClient(backend.url, PUBLISHABLE_KEY, options);
    ok(await client.auth.signInWithPassword({ email: 'bob@example.com', password: PASSWORD }));
    await client.realtime.setAuth();
    const channel = ofUser(client);
    const messages = collect(channel);
    const statuses: string[] = [];
    await new Promise<void>((resolve) => {
      channel.subscribe((status) => {
        statuses.push(status);
        if (status === 'SUBSCRIBED') resolve();
      });
    });
    sockets[0]?.terminate();
    await until(() => expect(statuses.filter((status) => status === 'SUBSCRIBED')).toHaveLength(2));
    await addDocument();
    await until(() => expect(messages).toHaveLength(1));
    client.realtime.disconnect();
  });

  test('heartbeats get a reply, an unknown key is refused, and a broken message closes the connection', async () => {
    const address = `${backend.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=`;
    const refusal = new Promise((resolve) => {
      new WebSocket(`${address}sb_publishable_wrong`).on('error', (error) => resolve(error.message));
    });
    expect(await refusal).toContain('401');
    // Any web page can open a WebSocket to this machine, and a browser sends the path `//` unchanged, so the backend
    // must handle it.
    const malformed = new Promise((resolve) => {
      const { port } = new URL(backend.url);
      const request = get({
        port,
        path: '//',
        headers: { connection: 'Upgrade', upgrade: 'websocket' },
      });
      request.on('response', ({ statusCode }) => resolve(statusCode));
    });
    expect(await malformed).toBe(404);
    const socket = new WebSocket(address + PUBLISHABLE_KEY);
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify([null, '7', 'phoenix', 'heartbeat', {}]));
    const response = await new Promise((resolve) => socket.once('message', (data) => resolve(String(data))));
    expect(JSON.parse(String(response))).toEqual([
      null,
      '7',
      'phoenix',
      'phx_reply',
      { status: 'ok', response: {} },
    ]);
    socket.send('{not json');
    expect(await new Promise((resolve) => socket.once('close', resolve))).toBe(1003);
  });

  test('each of 50 inserts in a row arrives once, in order', async () => {
    const channel = ofUser(bob);
    const messages = collect(channel);
    await subscribe(channel);
    const added: string[] = [];
    for (let n = 0; n < 50; n++) added.push((await addDocument()).title);
    await until(() => expect(messages.length).toBeGreaterThanOrEqual(50));
    expect(messages.map(({ payload }) => (payload as { record: { title: string } }).record.title)).toEqual(
      added,
    );
  });

  test('a leave is acknowledged', async () => {
    const channel = ofUser(bob);
    await subscribe(channel);
    expect(await bob.removeChannel(channel)).toBe('ok');
  });

  test('a client without a session uses its key', async () => {
    const client = createClient(backend.url, PUBLISHABLE_KEY);
    expect(await subscribe(client.channel('lobby'))).toBe('SUBSCRIBED');
    client.realtime.disconnect();
  });
});
