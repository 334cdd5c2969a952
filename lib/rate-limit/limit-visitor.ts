import { serverEnv } from '@/lib/env/server';
import { clientAddress } from '@/lib/supabase/refresh-fetch';
import { limitInProcess } from './limit';

/**
 * Counts one call by a signed-out visitor against the limit for the visitor's IP address. Does nothing if the headers
 * contain no valid address. Without `CLIENT_ADDRESS_HEADER`, the address comes from `x-forwarded-for`, which clients
 * can forge unless a load balancer sets it. Throws `rate_limited`.
 */
export function limitVisitor(headers: Headers): void {
  const address = clientAddress(headers, serverEnv().CLIENT_ADDRESS_HEADER ?? 'x-forwarded-for');
  if (address) limitInProcess('other', `visitor:${address}`);
}
