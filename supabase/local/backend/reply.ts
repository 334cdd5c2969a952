import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type Reply = {
  status: number;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array | Readable;
};

export function json(body: unknown, status = 200, headers: Reply['headers'] = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  };
}

/** Returns CORS headers that allow any origin and any header, as hosted Supabase does. */
export function corsHeaders(request: IncomingMessage): Record<string, string> {
  if (request.method !== 'OPTIONS') {
    return {
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'content-range, content-location, x-total-count, x-supabase-api-version, link',
    };
  }
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS',
    'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '86400',
  };
}

const LINGER_MS = 10_000;

/**
 * Drains the unread request body for up to 10 s, because most clients read the response only after sending the whole
 * body.
 */
function discardRest(request: IncomingMessage): void {
  request.unpipe();
  request.resume();
  const timer = setTimeout(() => request.destroy(), LINGER_MS);
  request.once('close', () => clearTimeout(timer));
}

/** Sends a reply. Does not throw if the client disconnects. */
export async function sendReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
): Promise<void> {
  const { body } = reply;
  const closing = request.complete ? {} : { connection: 'close' };
  response.writeHead(reply.status, { ...corsHeaders(request), ...reply.headers, ...closing });
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    response.end(body);
  } else {
    await pipeline(body, response).catch(() => response.destroy());
  }
  if (!request.complete) discardRest(request);
}
