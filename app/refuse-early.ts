import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { HttpError, problemResponse } from '@/lib/errors/problem';
import { secureResponse } from '@/lib/http/security-headers';
import { logger } from '@/lib/log/logger';
import { requestIdOf } from '@/lib/log/request-id';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const pageMethods = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Returns the methods allowed at a path. Pages have no server actions, so they need no POST. The API and Next's own
 * paths, such as those of its development tools, allow all methods that a route can handle.
 */
function allowedAt(path: string): string[] {
  return /^\/(api\/|_next\/|__nextjs)/.test(path) ? methods : pageMethods;
}

function refusalOf({ method = '', url = '' }: IncomingMessage): HttpError | null {
  const path = url.replace(/^https?:\/\/[^/?]*/i, '').split('?')[0] || '/';
  try {
    decodeURIComponent(path);
  } catch {
    return new HttpError('invalid_request', 'The URL has invalid percent-encoding.');
  }
  const allowed = allowedAt(path);
  if (allowed.includes(method)) return null;
  return new HttpError('method_not_allowed', `Use ${allowed.join(', ')}.`, {
    headers: { allow: allowed.join(', ') },
  });
}

function refuse(request: IncomingMessage, response: ServerResponse): boolean {
  const refusal = refusalOf(request);
  if (!refusal) return false;
  const headers = new Headers();
  for (const name of ['x-request-id', 'x-forwarded-proto']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  const requestId = requestIdOf(headers);
  const { method, url } = request;
  logger().info({ requestId, method, path: url?.slice(0, 500), status: refusal.status }, 'request');
  const refused = secureResponse(problemResponse(refusal, requestId), headers);
  response.writeHead(refused.status, { ...Object.fromEntries(refused.headers), connection: 'close' });
  void refused.text().then((text) => response.end(method === 'HEAD' ? '' : text));
  return true;
}

/**
 * Rejects requests that Next would handle badly. Next would respond with a plain-text 500 to a path with invalid
 * percent-encoding and to methods that `Request` does not accept, and it would buffer the body of a POST to a page.
 * Call this once in each app process.
 */
export function refuseEarly(): void {
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, ...event: [string | symbol, ...unknown[]]): boolean {
    const [name, request, response] = event;
    const isRefused = name === 'request' && refuse(request as IncomingMessage, response as ServerResponse);
    return isRefused || Reflect.apply(emit, this, event);
  } as typeof emit;
}
