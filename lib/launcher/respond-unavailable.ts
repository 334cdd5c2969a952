import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { isHttps, securityHeaders } from '@/lib/http/security-headers';
import { unavailablePage, unavailablePolicy } from './unavailable-page';

const causes = {
  building: {
    title: 'Atelier is being built',
    detail: 'The first start after an installation or a change takes a minute or two.',
  },
  restarting: { title: 'Atelier is restarting', detail: 'This takes a few seconds.' },
};

/**
 * Starts a server that responds to every request with 503 and `Retry-After`. A GET that accepts HTML gets a page that
 * reloads itself once Atelier responds; any other request gets problem+json. Returns a function that stops the server.
 */
export function respondUnavailable(
  port: number,
  host: string,
  cause: keyof typeof causes,
): Promise<() => Promise<void>> {
  const { title, detail } = causes[cause];
  const problem = {
    type: 'urn:atelier:problem:unavailable',
    title: 'A required service is unavailable',
    status: 503,
    detail: `${title}. Try again in a moment.`,
    code: 'unavailable',
  };
  const page = unavailablePage({ title, detail });
  const server = createServer((request, response) => {
    const requestId = randomUUID();
    const headers = {
      ...securityHeaders(isHttps(request.headers['x-forwarded-proto'])),
      'cache-control': 'no-store',
      'retry-after': '2',
      connection: 'close',
      'x-request-id': requestId,
    };
    const html = request.method === 'GET' && request.headers.accept?.includes('text/html');
    if (html) {
      const type = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': unavailablePolicy,
      };
      response.writeHead(503, { ...headers, ...type }).end(page);
    } else {
      const type = { 'content-type': 'application/problem+json' };
      response.writeHead(503, { ...headers, ...type }).end(JSON.stringify({ ...problem, requestId }));
    }
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return new Promise((resolve) => {
    // If the port can't be used, carry on without the server.
    server.once('error', () => resolve(async () => {}));
    server.listen(port, host, () => resolve(stop));
  });
}
