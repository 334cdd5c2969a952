import { randomUUID } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import { messageOf } from '@/lib/errors/error-parts';
import type { Claims } from '@/supabase/local/backend/caller';
import { type ChannelAccess, FULL_ACCESS } from '@/supabase/local/backend/realtime/channel-access';
import {
  decodeFrame,
  encodeFrame,
  isRecord,
  type SocketFrame,
} from '@/supabase/local/backend/realtime/frames';
import { type Channel, type Hub, push } from '@/supabase/local/backend/realtime/hub';
import { createBudget, limits } from '@/supabase/local/backend/realtime/limits';

export type SessionParts = {
  hub: Hub;
  /** Returns the claims of a token or API key. Throws if it is invalid. */
  claimsOf(credential: string): Promise<Claims>;
  accessTo(claims: Claims, topic: string): Promise<ChannelAccess>;
  log(line: string): void;
};

const MAX_TIMER = 2 ** 31 - 1;

/** Serves the realtime protocol on one socket until it closes. `apiKey` is the key that the socket was opened with. */
export function serveSocket(socket: WebSocket, apiKey: string, parts: SessionParts): void {
  const { hub, claimsOf, accessTo, log } = parts;

  function send(
    joinRef: string | null,
    ref: string | null,
    topic: string,
    event: string,
    payload: object,
  ): void {
    push(socket, encodeFrame({ joinRef, ref, topic, event, payload: { ...payload } }));
  }

  function reply({ joinRef, ref, topic }: SocketFrame, status: 'ok' | 'error', response: object = {}): void {
    send(joinRef, ref, topic, 'phx_reply', { status, response });
  }

  function shut(channel: Channel, message: string): void {
    hub.remove(channel);
    const { joinRef, topic, name } = channel;
    send(joinRef, null, topic, 'system', { extension: 'system', status: 'error', message, channel: name });
    send(joinRef, joinRef, topic, 'phx_close', {});
  }

  function closeWhenExpired(channel: Channel): void {
    clearTimeout(channel.expiry);
    const { exp } = channel.claims;
    if (!exp) return;
    const delay = Math.min(Math.max(0, exp * 1_000 - Date.now()), MAX_TIMER);
    channel.expiry = setTimeout(() => shut(channel, 'Token has expired'), delay);
  }

  async function join(frame: SocketFrame): Promise<void> {
    const { topic, payload } = frame;
    const config = isRecord(payload.config) ? payload.config : {};
    const broadcast = isRecord(config.broadcast) ? config.broadcast : {};
    const presence = isRecord(config.presence) ? config.presence : {};
    const changes = Array.isArray(config.postgres_changes) ? config.postgres_changes : [];
    const name = topic.replace(/^realtime:/, '');
    const presenceKey = typeof presence.key === 'string' && presence.key ? presence.key : randomUUID();
    const refuse = (reason: string) => reply(frame, 'error', { reason });

    const old = hub.find(socket, topic);
    if (old) hub.remove(old);
    if (changes.length > 0) {
      return refuse(
        'postgres_changes is not available in the local backend; use broadcast from the database',
      );
    }
    if (!topic.startsWith('realtime:') || !name)
      return refuse('TopicNameRequired: You must provide a topic name');
    if ([topic, presenceKey].some((text) => Buffer.byteLength(text) > limits.name))
      return refuse('The topic or the presence key is too long');
    // Clients keep the entries of a topic in an object, which a key such as `constructor` would break.
    if (presenceKey in {}) return refuse('The presence key is reserved');
    if (hub.of(socket).length >= limits.channelsPerSocket)
      return refuse('ChannelRateLimitReached: Too many channels');
    let claims: Claims;
    try {
      claims = await claimsOf(typeof payload.access_token === 'string' ? payload.access_token : apiKey);
    } catch {
      return refuse('InvalidJWTToken: Token is invalid or has expired');
    }
    const isPrivate = config.private === true;
    const access = isPrivate ? await accessTo(claims, name) : FULL_ACCESS;
    if (!access.read) {
      return refuse(`Unauthorized: You do not have permissions to read from this Channel topic: ${name}`);
    }
    if (socket.readyState !== socket.OPEN) return;
    const account = hub.accountOf(claims);
    if (!account.sockets.has(socket) && account.sockets.size >= limits.socketsPerAccount)
      return refuse('ConnectionRateLimitReached: Too many connections of this account');
    const channel: Channel = {
      socket,
      joinRef: frame.joinRef,
      topic,
      name,
      isPrivate,
      wantsOwn: broadcast.self === true,
      wantsAck: broadcast.ack === true,
      claims,
      account,
      access,
      presenceKey,
      presence: null,
    };
    hub.add(channel);
    closeWhenExpired(channel);
    reply(frame, 'ok', { postgres_changes: [] });
    send(frame.joinRef, null, topic, 'presence_state', hub.presences(channel));
  }

  async function renewToken(channel: Channel, token: unknown): Promise<void> {
    try {
      channel.claims = await claimsOf(String(token));
      if (channel.isPrivate) channel.access = await accessTo(channel.claims, channel.name);
    } catch {
      return shut(channel, 'Token is invalid or has expired');
    }
    if (!channel.access.read)
      return shut(channel, 'You do not have permissions to read from this Channel topic');
    closeWhenExpired(channel);
  }

  async function handle(frame: SocketFrame, bytes: number): Promise<void> {
    const { topic, event, payload } = frame;
    if (topic === 'phoenix') return reply({ ...frame, joinRef: null }, 'ok');
    if (event === 'phx_join') return join(frame);
    const channel = hub.find(socket, topic);
    if (!channel) {
      return event === 'phx_leave'
        ? reply(frame, 'ok')
        : reply(frame, 'error', { reason: 'unmatched topic' });
    }
    if (event === 'phx_leave') {
      hub.remove(channel);
      reply(frame, 'ok');
      return send(frame.joinRef, frame.ref, topic, 'phx_close', {});
    }
    if (event === 'access_token') return renewToken(channel, payload.access_token);
    if (event === 'broadcast') {
      const { write } = channel.access;
      if (write && !channel.account.broadcasts(bytes)) return shut(channel, 'Too many messages per second');
      const body = { event: String(payload.event ?? ''), payload: payload.payload };
      if (write) hub.broadcast(channel.name, channel.isPrivate, body, channel.wantsOwn ? undefined : channel);
      if (channel.wantsAck) reply(frame, write ? 'ok' : 'error');
      return;
    }
    if (event === 'presence') {
      if (!channel.access.presence) return reply(frame, 'error', { reason: 'Unauthorized' });
      if (!channel.account.presences()) return shut(channel, 'Client presence rate limit exceeded');
      const meta = isRecord(payload.payload) ? payload.payload : {};
      if (Buffer.byteLength(JSON.stringify(meta)) > limits.presence)
        return shut(channel, 'Track message size exceeded');
      hub.setPresence(channel, payload.event === 'track' ? { ...meta, phx_ref: randomUUID() } : null);
      return reply(frame, 'ok');
    }
    reply(frame, 'error', { reason: `unknown event ${event}` });
  }

  const messages = createBudget(limits.messages);
  // Handle messages one at a time, so that a broadcast does not overtake the join before it.
  let queue = Promise.resolve();
  socket.on('message', (data: RawData, isBinary: boolean) => {
    if (socket.readyState !== socket.OPEN) return;
    const bytes = data as Buffer;
    if (!messages(bytes.length)) return socket.close(1008, 'Too many messages per second');
    queue = queue.then(async () => {
      let frame: SocketFrame | null = null;
      try {
        frame = decodeFrame(bytes, isBinary);
        if (frame) await handle(frame, bytes.length);
      } catch (error) {
        log(`realtime: ${messageOf(error)}`);
        if (frame) reply(frame, 'error', { reason: 'internal error' });
        else socket.close(1003, 'not a message of this protocol');
      }
    });
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    // No channel can be added after this, because a join checks that the socket is open just before it adds a channel.
    for (const channel of hub.of(socket)) hub.remove(channel);
  });
}
