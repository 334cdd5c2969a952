import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const problem = {
  type: 'urn:atelier:problem:unavailable',
  title: 'A required service is unavailable',
  status: 503,
  detail: 'Atelier is restarting. Try again in a moment.',
  code: 'unavailable',
};

/** Starts a server that responds to every request with 503 and `Retry-After`. Returns a function that stops it. */
export function respondUnavailable(port: number, host: string): Promise<() => Promise<void>> {
  const server = createServer((_request, response) => {
    const requestId = randomUUID();
    const headers = {
      'content-type': 'application/problem+json',
      'retry-after': '2',
      connection: 'close',
      'x-request-id': requestId,
    };
    response.writeHead(503, headers).end(JSON.stringify({ ...problem, requestId }));
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve) => {
    // If the port can't be used, carry on: clients get a refused connection instead.
    server.once('error', () => resolve(async () => {}));
    server.listen(port, host, () => resolve(stop));
  });
}
