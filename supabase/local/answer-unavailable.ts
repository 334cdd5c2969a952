import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const problem = {
  type: 'urn:atelier:problem:unavailable',
  title: 'A required service is unavailable',
  status: 503,
  detail: 'Atelier is starting again. Try again in a moment.',
  code: 'unavailable',
};

/** Answers every request to an address with 503 and `Retry-After`; resolves with how to stop that. */
export function answerUnavailable(port: number, host: string): Promise<() => Promise<void>> {
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
    // Without it clients are refused, which they must be ready for in any case.
    server.once('error', () => resolve(async () => {}));
    server.listen(port, host, () => resolve(stop));
  });
}
