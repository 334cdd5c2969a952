import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf, messageOf } from '@/lib/errors/error-parts';
import { StartError } from '@/lib/errors/start-error';
import { anonymousLimit } from '@/supabase/local/backend/anonymous-limit';
import type { ApiKeys } from '@/supabase/local/backend/caller';
import { BodyTooLarge } from '@/supabase/local/backend/read-body';
import { isLostConnection } from '@/supabase/local/backend/replaceable';
import { json, type Reply, sendReply } from '@/supabase/local/backend/reply';
import { requestUrl } from '@/supabase/local/backend/request-url';

/** Milliseconds after which a call beyond the limit gets its response. */
const REFUSAL_MS = 1_000;

export type Route = (request: IncomingMessage, url: URL) => Promise<Reply>;

function replyToError(error: unknown): Reply {
  if (error instanceof BodyTooLarge) return json({ message: error.message }, 413);
  if (isLostConnection(error))
    return json({ message: 'The database is unavailable' }, 503, { 'retry-after': '1' });
  return json({ message: 'Internal server error' }, 500);
}

/** Creates the HTTP server. It selects the route by path prefix, limits calls without
 * credentials, and turns thrown errors into responses. */
export function createGateway(
  routes: Record<string, Route>,
  keys: ApiKeys,
  log: (line: string) => void,
): Server {
  const limit = anonymousLimit(keys);

  async function respond(request: IncomingMessage): Promise<Reply> {
    if (request.method === 'OPTIONS') return { status: 204 };
    const url = requestUrl(request);
    if (!url) return json({ message: 'Invalid URL' }, 400);
    const waitMs = limit(request, url);
    if (waitMs > 0) {
      // A client that ignores Retry-After would otherwise keep the backend busy with refusals.
      await sleep(REFUSAL_MS);
      const seconds = Math.ceil(waitMs / 1000);
      return json({ message: 'Too many requests' }, 429, { 'retry-after': String(seconds) });
    }
    const address = request.url ?? '/';
    const prefix = Object.keys(routes).find((start) => address.startsWith(start));
    const route = prefix === undefined ? undefined : routes[prefix];
    return route ? route(request, url) : json({ message: 'no Route matched with those values' }, 404);
  }

  return createServer({ keepAliveTimeout: 65_000 }, (request: IncomingMessage, response: ServerResponse) => {
    respond(request)
      .catch((error: unknown) => {
        if (!request.destroyed)
          log(`gateway: ${request.method} ${request.url?.split('?')[0]}: ${messageOf(error)}`);
        return replyToError(error);
      })
      .then((reply) => sendReply(request, response, reply))
      .catch((error: unknown) => log(`gateway: ${messageOf(error)}`));
  });
}

/** Listens on 127.0.0.1 and returns the port. Throws StartError if the port can't be used. */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const reason =
        codeOf(error) === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${error.message})`;
      reject(new StartError(`Port ${port} on 127.0.0.1 ${reason}; set SUPABASE_LOCAL_PORT to another port.`));
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });
}
