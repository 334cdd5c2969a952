import type { WebSocket } from 'ws';
import type { Claims } from '@/supabase/local/backend/caller';
import type { ChannelAccess } from '@/supabase/local/backend/realtime/channel-access';
import { type BroadcastBody, encodeBroadcast, encodeFrame } from '@/supabase/local/backend/realtime/frames';

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
  access: ChannelAccess;
  presenceKey: string;
  presence: Record<string, unknown> | null;
  expiry?: NodeJS.Timeout;
};

type Presences = Record<string, { metas: Record<string, unknown>[] }>;

export type Hub = {
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

// Maximum number of unsent bytes per client. A client that exceeds it has stopped reading and is disconnected. It then
// reconnects and fetches the current state.
const MAX_BUFFERED = 8 << 20;

/** Sends `data` to a socket if it is open. Terminates a socket that has too much unsent data. */
export function push(socket: WebSocket, data: string | Buffer): void {
  if (socket.readyState !== socket.OPEN) return;
  if (socket.bufferedAmount > MAX_BUFFERED) socket.terminate();
  else socket.send(data);
}

/** Creates a hub that keeps track of the members of each topic. */
export function createHub(): Hub {
  const members = new Map<string, Set<Channel>>();
  const bySocket = new WeakMap<WebSocket, Map<string, Channel>>();
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
    add: (channel) => {
      const { socket, topic, name, isPrivate } = channel;
      members.set(keyOf(name, isPrivate), membersOf(name, isPrivate).add(channel));
      bySocket.set(socket, (bySocket.get(socket) ?? new Map<string, Channel>()).set(topic, channel));
    },
    remove: (channel) => {
      const key = keyOf(channel.name, channel.isPrivate);
      const group = members.get(key);
      if (!group?.delete(channel)) return;
      bySocket.get(channel.socket)?.delete(channel.topic);
      clearTimeout(channel.expiry);
      if (group.size === 0) members.delete(key);
      else if (channel.presence) sendPresence(channel, {}, only(channel));
    },
    find: (socket, topic) => bySocket.get(socket)?.get(topic),
    of: (socket) => [...(bySocket.get(socket)?.values() ?? [])],
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
