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
/** The limit for callers without a session. They pass ids, filters and credentials only. */
const MAX_ANONYMOUS_BODY = 64 << 10;
const DROPPED = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'expect',
  'keep-alive',
]);

/** Takes the client's JSON body and returns the body to pass to the cores. */
export type ChangeJson = (value: unknown) => unknown;

export type BodyHooks = {
  /** Throws to reject the body. */
  check?: (body: Buffer) => void | Promise<void>;
  changeJson?: ChangeJson;
};

function changed(body: Buffer<ArrayBuffer>, change: ChangeJson): Buffer<ArrayBuffer> {
  try {
    return Buffer.from(JSON.stringify(change(JSON.parse(body.toString()))));
  } catch {
    // Pass on a body that is not JSON, so that the core reports the error.
    return body;
  }
}

/**
 * Passes a request to the REST or auth core and returns the response. Reads the whole body first, so that a slow client
 * does not occupy one of the few request slots. Throws InvalidToken, BodyTooLarge, or whatever `check` throws.
 */
export async function passOn(
  request: IncomingMessage,
  url: URL,
  lite: Lite,
  keys: ApiKeys,
  tokens: Tokens,
  { check = () => {}, changeJson }: BodyHooks = {},
): Promise<Passed> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !DROPPED.has(name)) headers.set(name, String(value));
  }
  const prefer = headers.get('prefer');
  // Hosted Supabase estimates a count only above 1000 rows. lite always uses the planner's estimate, which is far off
  // for a small table, so request an exact count.
  if (prefer) headers.set('prefer', prefer.replace('count=estimated', 'count=exact'));
  let role = headers.get('apikey') === keys.secretKey ? 'service_role' : 'anon';
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
  if (bearer && !bearer.startsWith('sb_')) {
    const verified = await tokens.verify(bearer);
    role = verified.claims.role;
    headers.set('authorization', `Bearer ${verified.inner}`);
  }
  const method = request.method ?? 'GET';
  const sent = await readBody(request, role === 'anon' ? MAX_ANONYMOUS_BODY : MAX_BODY);
  await check(sent);
  const body = changeJson ? changed(sent, changeJson) : sent;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // Turn HEAD into GET, because lite counts a function's rows only for GET. Node still sends no body in response to
  // HEAD.
  const isHeadOfCall = method === 'HEAD' && url.pathname.startsWith('/rest/v1/rpc/');
  const inner = new Request(url, {
    method: isHeadOfCall ? 'GET' : method,
    headers,
    ...(hasBody ? { body } : {}),
    redirect: 'manual',
  });
  const { response, error } = await lite.fetch(inner);
  const outgoing = Object.fromEntries(response.headers);
  delete outgoing['content-length'];
  delete outgoing['access-control-allow-origin'];
  delete outgoing['access-control-expose-headers'];
  const passed = { status: response.status, headers: outgoing, role };
  const whole = { ...passed, body: Buffer.from(await response.arrayBuffer()) };
  return error ? { ...whole, error } : whole;
}
