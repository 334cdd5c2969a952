import { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import { fetchWithTimeout } from './fetch-with-timeout';

const ipAddress = z.union([z.ipv4(), z.ipv6()]);

/**
 * Returns the client's IP address from `header`, or null if there is no header name or no valid address. Only a header
 * that the load balancer sets can be trusted. If the header lists several addresses, uses the last one, which the load
 * balancer itself adds.
 */
export function clientAddress(headers: Headers, header: string | undefined): string | null {
  const address = header && headers.get(header)?.split(',').at(-1)?.trim();
  return ipAddress.safeParse(address).data ?? null;
}

/**
 * Returns a `fetch` for refreshing the session of a request with these headers. Supabase limits refreshes per IP
 * address, and all requests of this server come from the same address, so the client's address is forwarded if it is
 * known. Supabase accepts a forwarded address only with the secret key.
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
