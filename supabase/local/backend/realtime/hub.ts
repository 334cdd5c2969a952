import { LRUCache } from 'lru-cache';
import type { WebSocket } from 'ws';
import type { Claims } from '@/supabase/local/backend/caller';
import type { ChannelAccess } from '@/supabase/local/backend/realtime/channel-access';
import { type BroadcastBody, encodeBroadcast, encodeFrame } from '@/supabase/local/backend/realtime/frames';
import { type Budget, createBudget, limits } from '@/supabase/local/backend/realtime/limits';

/** The use of the service by one user, or by all callers with the same API key and no user. */
export type Account = { sockets: Set<WebSocket>; broadcasts: Budget; presences: Budget };

/** One client's membership in one topic. */
export type Channel = {
  socket: WebSocket;
  joinRef: string | null;
  /** `realtime:<name>`, as sent by clients. */
  topic: string;
  name: string;
  isPrivate: boolean;
  wantsOwn: boolean;
  wantsAck: boolean;
  claims: Claims;
  account: Account;
  access: ChannelAccess;
  presenceKey: string;
  presence: Record<string, unknown> | null;
  expiry?: NodeJS.Timeout;
};

type Presences = Record<string, { metas: Record<string, unknown>[] }>;

export type Hub = {
  accountOf(claims: Claims): Account;
  add(channel: Channel): void;
  remove(channel: Channel): void;
  find(socket: WebSocket, topic: string): Channel | undefined;
  of(socket: WebSocket): Channel[];
  /**
   * Sends a broadcast to all members of a topic who may read it. Skips `except`. A private and a public topic with the
   * same name are separate.
   */
  broadcast(name: string, isPrivate: boolean, body: BroadcastBody, except?: Channel): void;
  presences(channel: Channel): Presences;
  setPresence(channel: Channel, meta: Record<string, unknown> | null): void;
};

/**
 * Sends `data` to a socket if it is open. Terminates a socket that has too much unsent data; its client reconnects and
 * fetches the current state.
 */
export function push(socket: WebSocket, data: string | Buffer): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > limits.unsent) socket.terminate();
  else socket.send(data);
}

/** Creates a hub that keeps track of the members of each topic. */
export function createHub(): Hub {
  const members = new Map<string, Set<Channel>>();
  // The limit only keeps the map from growing. An account that drops out starts again with full budgets.
  const accounts = new LRUCache<string, Account>({ max: 10_000 });
  const bySocket = new WeakMap<WebSocket, Map<string, Channel>>();
  const channelsOf = (socket: WebSocket) => [...(bySocket.get(socket)?.values() ?? [])];
  const keyOf = (name: string, isPrivate: boolean) => `${isPrivate ? 'private' : 'public'}:${name}`;
  const membersOf = (name: string, isPrivate: boolean) => members.get(keyOf(name, isPrivate)) ?? new Set();

  function sendPresence(channel: Channel, joins: Presences, leaves: Presences): void {
    const { topic } = channel;
    const data = encodeFrame({
      joinRef: null,
      ref: null,
      topic,
      event: 'presence_diff',
      payload: { joins, leaves },
    });
    for (const other of membersOf(channel.name, channel.isPrivate)) push(other.socket, data);
  }

  const only = ({ presenceKey, presence }: Channel): Presences =>
    presence ? { [presenceKey]: { metas: [presence] } } : {};

  return {
    accountOf: ({ sub, role }) => {
      const key = sub ?? role;
      const account = accounts.get(key) ?? {
        sockets: new Set(),
        broadcasts: createBudget(limits.broadcasts),
        presences: createBudget(limits.presences),
      };
      accounts.set(key, account);
      return account;
    },
    add: (channel) => {
      const { socket, topic, name, isPrivate, account } = channel;
      account.sockets.add(socket);
      members.set(keyOf(name, isPrivate), membersOf(name, isPrivate).add(channel));
      bySocket.set(socket, (bySocket.get(socket) ?? new Map<string, Channel>()).set(topic, channel));
    },
    remove: (channel) => {
      const key = keyOf(channel.name, channel.isPrivate);
      const group = members.get(key);
      if (!group?.delete(channel)) return;
      const { socket, topic, account } = channel;
      bySocket.get(socket)?.delete(topic);
      if (!channelsOf(socket).some((other) => other.account === account)) account.sockets.delete(socket);
      clearTimeout(channel.expiry);
      if (group.size === 0) members.delete(key);
      else if (channel.presence) sendPresence(channel, {}, only(channel));
    },
    find: (socket, topic) => bySocket.get(socket)?.get(topic),
    of: channelsOf,
    broadcast: (name, isPrivate, body, except) => {
      let data: string | Buffer | undefined;
      for (const channel of membersOf(name, isPrivate)) {
        if (channel === except || !channel.access.read) continue;
        data ??= encodeBroadcast(channel.topic, body);
        push(channel.socket, data);
      }
    },
    presences: (channel) => {
      const all: Presences = {};
      for (const { presenceKey, presence } of membersOf(channel.name, channel.isPrivate)) {
        if (!presence) continue;
        all[presenceKey] ??= { metas: [] };
        all[presenceKey].metas.push(presence);
      }
      return all;
    },
    setPresence: (channel, meta) => {
      const leaves = only(channel);
      channel.presence = meta;
      sendPresence(channel, only(channel), leaves);
    },
  };
}
