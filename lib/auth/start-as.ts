import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { costlyBounds, rateLimited } from '@/lib/rate-limit/limit';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { Database } from '@/lib/supabase/database.types';
import type { ProjectRole } from './access';
import { forgetAccount } from './account';
import { type Caller, unauthenticated } from './caller';
import { forbiddenRole } from './project-role';

type Functions = Database['public']['Functions'];
/** The database functions that check the rights of `p_caller` before they start work. */
type Start = {
  [Name in keyof Functions]: 'p_caller' extends keyof Functions[Name]['Args'] ? Name : never;
}[keyof Functions];

/**
 * A caller whose project role has not been checked yet, or whose admin role may have been revoked up to a minute ago, and
 * the role that the route requires.
 */
export type Starter = { caller: Caller; role: ProjectRole | 'admin' };

const refusal = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('not_found') }),
  z.object({ outcome: z.literal('unauthenticated') }),
  z.object({ outcome: z.literal('forbidden') }),
  z.object({ outcome: z.literal('rate_limited'), wait_ms: z.int() }),
]);

/**
 * Calls a database function that starts work, and returns its parsed outcome. The function checks the caller's role and
 * counts the call against the rate limit for costly calls in the same transaction. Throws `unauthenticated`,
 * `forbidden`, `rate_limited` or an error of `callRpc`. Throws `not_found` if the project or job does not exist or the
 * caller is not allowed to see it.
 */
export async function startAs<Name extends Start, Outcome extends z.ZodType>(
  { caller, role }: Starter,
  name: Name,
  args: Functions[Name]['Args'],
  outcome: Outcome,
): Promise<z.output<Outcome>> {
  const { p_burst: burst, p_interval_ms: interval_ms } = costlyBounds();
  const { claimsAdmin: claims_admin, sessionId: session_id, limit } = caller;
  const p_caller = { claims_admin, session_id, token_key: limit?.key ?? null, role, burst, interval_ms };
  const result = await callRpc(name, { ...args, p_caller }, z.looseObject({ outcome: z.string() }));
  const refused = refusal.safeParse(result).data;
  switch (refused?.outcome) {
    case 'not_found':
      throw new HttpError('not_found');
    case 'unauthenticated':
      forgetAccount(caller.userId);
      throw unauthenticated();
    case 'forbidden':
      // `authorize` has just accepted an admin, so its cached copy of the account is out of date.
      if (role === 'admin') forgetAccount(caller.userId);
      throw forbiddenRole(caller, role);
    case 'rate_limited':
      throw rateLimited(refused.wait_ms);
    default:
      return outcome.parse(result);
  }
}
