import { subscribe } from 'node:diagnostics_channel';
import type { Server, ServerResponse } from 'node:http';

type Exchange = { response: ServerResponse; server: Server };

/**
 * Closes every connection after its current response. Otherwise, a closing server keeps a connection open as long as
 * requests arrive on it, and a load balancer never stops sending them.
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
 * Runs `stop` on SIGTERM or SIGINT and delays the exit of the process until it is done. On its own, Next would finish
 * its responses and then exit without waiting for our work.
 */
export function holdExitFor(stop: () => Promise<void>): void {
  let stopping = false;
  const hold = () => {
    if (stopping) return;
    stopping = true;
    closeAfterResponse();
    const stopped = stop();
    const exit = process.exit.bind(process);
    const later = (code?: number) => void stopped.finally(() => exit(code));
    process.exit = later as typeof process.exit;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, hold);
}
