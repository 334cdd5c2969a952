import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { HttpError, problemResponse } from '@/lib/http/problem';
import { secureAnswer } from '@/lib/http/security-headers';
import { logger } from '@/lib/log/logger';
import { requestIdOf } from '@/lib/log/request-id';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function refusalOf({ method = '', url = '' }: IncomingMessage): HttpError | null {
  if (!methods.includes(method)) {
    return new HttpError('method_not_allowed', undefined, { headers: { allow: methods.join(', ') } });
  }
  try {
    decodeURIComponent(url.split('?')[0] ?? '');
    return null;
  } catch {
    return new HttpError('invalid_request', 'The address has broken percent-encoding.');
  }
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
  const answer = secureAnswer(problemResponse(refusal, requestId), headers);
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), connection: 'close' });
  void answer.text().then((text) => response.end(method === 'HEAD' ? '' : text));
  return true;
}

/**
 * Answers requests that Next itself fails on, before our own code, with an error page of 500 and no headers of ours: a
 * path with broken percent-encoding, and methods that `Request` does not take. Call once in each app process.
 */
export function refuseMalformed(): void {
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, ...event: [string | symbol, ...unknown[]]): boolean {
    const [name, request, response] = event;
    const isRefused = name === 'request' && refuse(request as IncomingMessage, response as ServerResponse);
    return isRefused || Reflect.apply(emit, this, event);
  } as typeof emit;
}
