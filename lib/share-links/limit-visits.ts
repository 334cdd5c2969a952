import { serverEnv } from '@/lib/env/server';
import { limitInProcess } from '@/lib/rate-limit/limit';
import { clientAddress } from '@/lib/supabase/refresh-fetch';
import { shareKey } from './share-token';

/** A link allows this many times the calls of a user, because it can have many visitors. */
const TIMES_PER_LINK = 10;

/**
 * Counts one call by a visitor, for the visitor's address and for the link. A client can forge its address unless
 * `CLIENT_ADDRESS_HEADER` is set, but not the link. Throws `rate_limited`.
 */
export function limitVisits(headers: Headers, token: string): void {
  const address = clientAddress(headers, serverEnv().CLIENT_ADDRESS_HEADER ?? 'x-forwarded-for');
  if (address) limitInProcess('other', `visitor:${address}`);
  limitInProcess('other', `share:${shareKey(token)}`, TIMES_PER_LINK);
}
