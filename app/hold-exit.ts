import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Exchange = { request: IncomingMessage; response: ServerResponse; server: Server };

/**
 * Returns a function that closes the connections on which nothing has arrived yet. Browsers open some connections in
 * advance, and a closing server would otherwise wait for the first request on each of these connections.
 */
function trackUnused(): () => void {
  const unused = new Set<Socket>();
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { socket: Socket };
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  subscribe('http.server.request.start', (message) => {
    unused.delete((message as Exchange).request.socket);
  });
  return () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  };
}

/**
 * Closes every connection after its current response. Otherwise, a closing server would keep a connection open as long
 * as requests arrive on it, and a load balancer never stops sending requests on an open connection.
 */
function closeAfterResponse(): void {
  subscribe('http.server.request.start', (message) => {
    (message as Exchange).response.setHeader('connection', 'close');
  });
  subscribe('http.server.response.finish', (message) => {
    const { server } = message as Exchange;
    setImmediate(() => server.closeIdleConnections());
  });
}

/**
 * Runs `stop` on SIGTERM or SIGINT and delays the process's exit until `stop` is done. On its own, Next would finish
 * its responses and then exit without waiting for `stop`.
 */
export function holdExitFor(stop: () => Promise<void>): void {
  let stopping = false;
  const closeUnused = trackUnused();
  const hold = () => {
    if (stopping) return;
    stopping = true;
    closeAfterResponse();
    closeUnused();
    const stopped = stop();
    const exit = process.exit.bind(process);
    const later = (code?: number) => void stopped.finally(() => exit(code));
    process.exit = later as typeof process.exit;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, hold);
}
