import { subscribe } from 'node:diagnostics_channel';
import type { Server, ServerResponse } from 'node:http';

type Exchange = { response: ServerResponse; server: Server };

/**
 * Ends every connection with the answer that is on its way. A server that closes lets a kept connection go on for as
 * long as requests come in over it, and a load balancer's never rest.
 */
function keepNoConnection(): void {
  subscribe('http.server.request.start', (message) => {
    (message as Exchange).response.setHeader('connection', 'close');
  });
  subscribe('http.server.response.finish', (message) => {
    const { server } = message as Exchange;
    setImmediate(() => server.closeIdleConnections());
  });
}

/**
 * Runs `stop` at SIGTERM or SIGINT, and lets the process end only when it is done: Next, which answers what is under way
 * and then ends the process, knows nothing of our work.
 */
export function holdExitFor(stop: () => Promise<void>): void {
  let stopping = false;
  const hold = () => {
    if (stopping) return;
    stopping = true;
    keepNoConnection();
    const stopped = stop();
    const exit = process.exit.bind(process);
    const later = (code?: number) => void stopped.finally(() => exit(code));
    process.exit = later as typeof process.exit;
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, hold);
}
