import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { isHttps, securityHeaders } from '../http/security-headers.ts';
import { unavailablePage, unavailablePolicy } from './unavailable-page.ts';

const causes = {
  starting: { title: 'Atelier is starting', detail: 'This takes a few seconds.' },
  building: {
    title: 'Atelier is being built',
    detail: 'The first start after an installation or a change takes a minute or two.',
  },
  restarting: { title: 'Atelier is restarting', detail: 'This takes a few seconds.' },
};

type Cause = keyof typeof causes;

/** Returns whether a request is for a page: it asks for HTML, or is not for the API and accepts anything. */
function wantsPage({ method, url = '', headers: { accept = '*/*' } }: IncomingMessage): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return accept.includes('text/html') || (!/^\/(api|_next)\//.test(url) && accept.includes('*/*'));
}

export type Placeholder = {
  /** Changes the reason that the responses give. */
  show: (cause: Cause) => void;
  stop: () => Promise<void>;
};

/**
 * Starts a server that responds to every request with 503 and `Retry-After`. A request for a page gets a page that
 * reloads itself once Atelier responds; any other request gets problem+json.
 */
export function respondUnavailable(port: number, host: string, first: Cause): Promise<Placeholder> {
  let cause = first;
  const server = createServer((request, response) => {
    const requestId = randomUUID();
    const headers = {
      ...securityHeaders(isHttps(request.headers['x-forwarded-proto'])),
      'cache-control': 'no-store',
      'retry-after': '2',
      connection: 'close',
      'x-request-id': requestId,
    };
    const { title, detail } = causes[cause];
    if (wantsPage(request)) {
      const type = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': unavailablePolicy,
      };
      response.writeHead(503, { ...headers, ...type }).end(unavailablePage({ title, detail }));
    } else {
      const type = { 'content-type': 'application/problem+json' };
      const problem = {
        type: 'urn:atelier:problem:unavailable',
        title: 'A required service is unavailable',
        status: 503,
        detail: `${title}. Try again in a moment.`,
        code: 'unavailable',
      };
      response.writeHead(503, { ...headers, ...type }).end(JSON.stringify({ ...problem, requestId }));
    }
  });
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const show = (next: Cause) => {
    cause = next;
  };
  return new Promise((resolve) => {
    // If the port can't be used, carry on without the server.
    server.once('error', () => resolve({ show, stop: async () => {} }));
    server.listen(port, host, () => resolve({ show, stop }));
  });
}
