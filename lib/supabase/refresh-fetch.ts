import { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import { fetchWithTimeout } from './fetch-with-timeout';

const ipAddress = z.union([z.ipv4(), z.ipv6()]);

/**
 * Returns the caller's IP address from the load balancer's header that `CLIENT_ADDRESS_HEADER` names. Returns null
 * without that setting, because any client could send such a header. Uses the last entry of a list, which the load
 * balancer itself adds.
 */
export function clientAddress(headers: Headers, header: string | undefined): string | null {
  const address = header && headers.get(header)?.split(',').at(-1)?.trim();
  return ipAddress.safeParse(address).data ?? null;
}

/**
 * Returns a `fetch` for refreshing the session of a request with these headers. Supabase limits refreshes per IP
 * address, and all of ours come from the same address, so the caller's address is forwarded if it is known. Supabase
 * accepts that only with the secret key.
 */
export function refreshFetch(headers: Headers, ms: number): typeof fetch {
  const env = serverEnv();
  const send = fetchWithTimeout(ms);
  const address = clientAddress(headers, env.CLIENT_ADDRESS_HEADER);
  if (!address) return send;
  return (input, init) => {
    const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    headers.set('sb-forwarded-for', address);
    headers.set('apikey', env.SUPABASE_SECRET_KEY);
    headers.set('authorization', `Bearer ${env.SUPABASE_SECRET_KEY}`);
    return send(input, { ...init, headers });
  };
}
