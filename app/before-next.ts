import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { HttpError, problemResponse } from '@/lib/errors/problem';
import { isHttps, securityHeaders } from '@/lib/http/security-headers';
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
  const { method, url, headers } = request;
  const requestId = requestIdOf(new Headers({ 'x-request-id': String(headers['x-request-id'] ?? '') }));
  logger().info({ requestId, method, path: url?.slice(0, 500), status: refusal.status }, 'request');
  const refused = problemResponse(refusal, requestId);
  response.writeHead(refused.status, { ...Object.fromEntries(refused.headers), connection: 'close' });
  void refused.text().then((text) => response.end(method === 'HEAD' ? '' : text));
  return true;
}

/** Adds the security headers that the response does not set itself, just before its headers are sent. */
function secure(request: IncomingMessage, response: ServerResponse): void {
  const { writeHead } = response;
  const defaults = securityHeaders(isHttps(request.headers['x-forwarded-proto']));
  response.writeHead = function (this: ServerResponse, ...head: unknown[]) {
    for (const [name, value] of Object.entries(defaults)) {
      // Headers in `head` replace these.
      if (!this.headersSent && !this.hasHeader(name)) this.setHeader(name, value);
    }
    return Reflect.apply(writeHead, this, head);
  } as typeof writeHead;
}

/**
 * Handles each request before Next does. Adds the security headers to all responses, because some of them, such as
 * redirects and static files, reach neither `proxy.ts` nor a route. Rejects requests that Next would handle badly: Next
 * would respond with a plain-text 500 to a path with invalid percent-encoding and to methods that `Request` does not
 * accept, and it would buffer the body of a POST to a page. Call this once in each app process.
 */
export function actBeforeNext(): void {
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, ...event: [string | symbol, ...unknown[]]): boolean {
    const [name, request, response] = event;
    if (name === 'request') {
      secure(request as IncomingMessage, response as ServerResponse);
      if (refuse(request as IncomingMessage, response as ServerResponse)) return true;
    }
    return Reflect.apply(emit, this, event);
  } as typeof emit;
}
