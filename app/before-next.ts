import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
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

/**
 * Rejects a request that Next would handle badly, and returns whether it did. Next would respond with a plain-text 500 to
 * a path with invalid percent-encoding and to methods that `Request` does not accept, and it would buffer the body of a
 * POST to a page.
 */
export function refuse(request: IncomingMessage, response: ServerResponse): boolean {
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

/**
 * Answers what Node could not parse. A URL and headers that are too long get a problem+json response, which Node's own
 * 431 would not be.
 */
export async function refuseUnparsed(error: NodeJS.ErrnoException, socket: Duplex): Promise<void> {
  if (!socket.writable) {
    socket.destroy(error);
    return;
  }
  if (error.code !== 'HPE_HEADER_OVERFLOW') {
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n\r\n`);
    return;
  }
  const detail = 'The URL and the headers of a request can have at most 16 KB together.';
  const refused = problemResponse(new HttpError('invalid_request', detail), randomUUID());
  logger().info({ requestId: refused.headers.get('x-request-id'), status: refused.status }, 'request');
  const body = Buffer.from(await refused.text());
  const headers = {
    ...securityHeaders(false),
    ...Object.fromEntries(refused.headers),
    'content-length': String(body.byteLength),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n`;
  socket.end(Buffer.concat([Buffer.from(head), body]), () => socket.destroy());
}

/**
 * Removes slashes after the URL of a callback. Next would redirect such a request, and many workflow services do not
 * repeat a POST at another URL.
 */
export function trimCallbackUrl(request: IncomingMessage): void {
  request.url = request.url?.replace(/^(\/api\/(?:admin\/specs|image-gen)\/callback)\/+(?=$|\?)/, '$1');
}

/**
 * Adds the security headers that the response does not set itself, just before its headers are sent. They are added to
 * all responses here, because some of them, such as redirects and static files, reach neither `proxy.ts` nor a route.
 */
export function secure(request: IncomingMessage, response: ServerResponse): void {
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
