import type { IncomingMessage } from 'node:http';
import type { Claims } from '@/supabase/local/backend/caller';
import { readBody } from '@/supabase/local/backend/read-body';
import type { ChannelAccess } from '@/supabase/local/backend/realtime/channel-access';
import { isRecord } from '@/supabase/local/backend/realtime/frames';
import type { Hub } from '@/supabase/local/backend/realtime/hub';
import { limits } from '@/supabase/local/backend/realtime/limits';
import { json, type Reply } from '@/supabase/local/backend/reply';

export type BroadcastApiParts = {
  hub: Hub;
  accessTo(claims: Claims, topic: string): Promise<ChannelAccess>;
};

const tooMany = () => json({ message: 'Too many messages per second' }, 429, { 'retry-after': '1' });

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

async function sendOne(
  { hub, accessTo }: BroadcastApiParts,
  claims: Claims,
  request: IncomingMessage,
  url: URL,
) {
  const found = /\/broadcast\/([^/]+)\/events\/([^/]+)$/.exec(url.pathname);
  if (!found) return json({ message: 'Not found' }, 404);
  const [name, event] = found.slice(1).map(decoded);
  if (!name || !event) return json({ message: 'The URL is not valid' }, 400);
  if ([`realtime:${name}`, event].some((text) => Buffer.byteLength(text) > limits.name)) {
    return json({ message: 'The topic or the event is too long' }, 422);
  }
  const isPrivate = url.searchParams.get('private') === 'true';
  const bytes = await readBody(request, limits.message);
  if (!hub.accountOf(claims).broadcasts(bytes.length)) return tooMany();
  const isJson = /json/.test(request.headers['content-type'] ?? '');
  const payload = isJson ? parseJson(bytes) : bytes;
  if (payload === undefined) return json({ message: 'The body is not JSON' }, 422);
  if (isPrivate && !(await accessTo(claims, name)).write) {
    return json({ message: `You do not have permissions to write to this Channel topic: ${name}` }, 403);
  }
  hub.broadcast(name, isPrivate, { event, payload });
  return { status: 202 };
}

async function sendMany({ hub, accessTo }: BroadcastApiParts, claims: Claims, request: IncomingMessage) {
  const bytes = await readBody(request, limits.message);
  const body = parseJson(bytes);
  const messages = isRecord(body) && Array.isArray(body.messages) ? body.messages : null;
  if (!messages) return json({ errors: { messages: ["can't be blank"] } }, 422);
  if (!hub.accountOf(claims).broadcasts(bytes.length, messages.length)) return tooMany();
  for (const message of messages.filter(isRecord)) {
    const { topic, event, payload } = message;
    if (typeof topic !== 'string' || typeof event !== 'string') continue;
    const isPrivate = message.private === true;
    // As on hosted Supabase, a message that the sender is not allowed to send is dropped silently.
    if (isPrivate && !(await accessTo(claims, topic)).write) continue;
    hub.broadcast(topic, isPrivate, { event, payload });
  }
  return { status: 202 };
}

/**
 * Returns the handler that sends messages without a socket: POST /realtime/v1/api/broadcast for several messages, and
 * POST /realtime/v1/api/broadcast/<topic>/events/<event> for one.
 */
export function broadcastRoute(
  parts: BroadcastApiParts,
  claimsOf: (request: IncomingMessage, url: URL) => Promise<Claims>,
) {
  return async (request: IncomingMessage, url: URL): Promise<Reply> => {
    if (request.method !== 'POST') return json({ message: 'Not found' }, 404);
    const claims = await claimsOf(request, url);
    return url.pathname.endsWith('/api/broadcast')
      ? sendMany(parts, claims, request)
      : sendOne(parts, claims, request, url);
  };
}
