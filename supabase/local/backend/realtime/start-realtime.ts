import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Tokens } from '@/supabase/local/backend/auth/tokens';
import { type ApiKeys, type Claims, identify } from '@/supabase/local/backend/caller';
import type { Database } from '@/supabase/local/backend/database';
import { channelAccess } from '@/supabase/local/backend/realtime/channel-access';
import { createHub } from '@/supabase/local/backend/realtime/hub';
import { limits } from '@/supabase/local/backend/realtime/limits';
import { startMessageFeed } from '@/supabase/local/backend/realtime/message-feed';
import { serveSocket } from '@/supabase/local/backend/realtime/socket-session';
import { requestUrl } from '@/supabase/local/backend/request-url';

export type Realtime = {
  /** Handles the WebSocket upgrades of the gateway's server. */
  attach(server: Server): void;
  stop(): Promise<void>;
};

/** Starts the realtime service: broadcasts (from the database and sockets) and presence on channels. */
export async function startRealtime(
  database: Database,
  keys: ApiKeys,
  tokens: Tokens,
  log: (line: string) => void,
): Promise<Realtime> {
  const hub = createHub();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: limits.message });
  const lastMessageAt = new WeakMap<object, number>();
  const stopFeed = await startMessageFeed(database, hub, log);
  const accessTo = (claims: Claims, topic: string) => channelAccess(database, claims, topic);

  const claimsOf = (credential: string) =>
    identify(keys, tokens, { apiKey: '', bearer: credential, userAgent: '' });

  function upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    const url = requestUrl(request);
    const apiKey = url?.searchParams.get('apikey') ?? '';
    const isOurs = url?.pathname === '/realtime/v1/websocket' && url.searchParams.get('vsn') === '2.0.0';
    const isKnown = apiKey === keys.publishableKey || apiKey === keys.secretKey;
    connection.on('error', () => connection.destroy());
    let isFull = sockets.clients.size >= limits.sockets;
    if (isFull && isOurs && isKnown) {
      // The oldest client that has joined nothing makes room.
      const idle = [...sockets.clients].find((socket) => hub.of(socket).length === 0);
      idle?.terminate();
      isFull = idle === undefined;
    }
    if (!isOurs || !isKnown || isFull) {
      const status = !isOurs ? '404 Not Found' : isKnown ? '503 Service Unavailable' : '401 Unauthorized';
      connection.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, connection, head, (socket) => {
      lastMessageAt.set(socket, Date.now());
      socket.on('message', () => lastMessageAt.set(socket, Date.now()));
      serveSocket(socket, apiKey, { hub, claimsOf, accessTo, log });
    });
  }

  const watch = setInterval(() => {
    for (const socket of sockets.clients) {
      if (Date.now() - (lastMessageAt.get(socket) ?? 0) > limits.silence) socket.terminate();
    }
  }, 10_000);
  watch.unref();

  return {
    attach: (server) => {
      server.on('upgrade', upgrade);
    },
    stop: async () => {
      stopFeed();
      clearInterval(watch);
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}
