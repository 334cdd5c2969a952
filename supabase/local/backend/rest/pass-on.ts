import type { IncomingMessage } from 'node:http';
import type { Tokens } from '@/supabase/local/backend/auth/tokens';
import type { ApiKeys } from '@/supabase/local/backend/caller';
import { readBody } from '@/supabase/local/backend/read-body';
import type { Lite } from '@/supabase/local/backend/rest/lite';
import type { StatementError } from '@/supabase/local/backend/rest/statement-error';

export type Passed = {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  error?: StatementError;
  role: string;
};

const MAX_BODY = 64 << 20;
const DROPPED = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'keep-alive',
]);

/**
 * Hands a request to the REST and auth cores and returns their answer. The body is read whole first, so that a slow
 * sender never holds one of the few places inside. Throws InvalidToken for a bad access token, and
 * what `check` throws for the body.
 */
export async function passOn(
  request: IncomingMessage,
  url: URL,
  lite: Lite,
  keys: ApiKeys,
  tokens: Tokens,
  check: (body: Buffer) => void = () => {},
): Promise<Passed> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !DROPPED.has(name)) headers.set(name, String(value));
  }
  let role = headers.get('apikey') === keys.secretKey ? 'service_role' : 'anon';
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (bearer && !bearer.startsWith('sb_')) {
    const verified = await tokens.verify(bearer);
    role = verified.claims.role;
    headers.set('authorization', `Bearer ${verified.inner}`);
  }
  const body = await readBody(request, MAX_BODY);
  check(body);
  const method = request.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const inner = new Request(url, { method, headers, ...(hasBody ? { body } : {}), redirect: 'manual' });
  const { response, error } = await lite.fetch(inner);
  const outgoing = Object.fromEntries(response.headers);
  delete outgoing['content-length'];
  delete outgoing['access-control-allow-origin'];
  delete outgoing['access-control-expose-headers'];
  const passed = { status: response.status, headers: outgoing, role };
  const answer = { ...passed, body: Buffer.from(await response.arrayBuffer()) };
  return error ? { ...answer, error } : answer;
}
