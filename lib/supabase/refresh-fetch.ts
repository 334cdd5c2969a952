import { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import { fetchWithTimeout } from './fetch-with-timeout';

const ipAddress = z.union([z.ipv4(), z.ipv6()]);

/**
 * The address of the caller as the load balancer gives it in the header that `CLIENT_ADDRESS_HEADER` names; null without
 * the setting, since any client can write such a header. Of a list the last entry counts: the load balancer adds it itself.
 */
export function clientAddress(headers: Headers, header: string | undefined): string | null {
  const address = header && headers.get(header)?.split(',').at(-1)?.trim();
  return ipAddress.safeParse(address).data ?? null;
}

/**
 * A `fetch` for refreshing the session of whoever sent a request with these headers. Supabase limits refreshes by address,
 * and all of ours come from one: where the caller's is known it is passed on, which takes the secret key.
 */
export function refreshFetch(headers: Headers, ms: number): typeof fetch {
  const env = serverEnv();
  const send = fetchWithTimeout(ms);
  const address = clientAddress(headers, env.CLIENT_ADDRESS_HEADER);
  if (!address) return send;
  return (input, init) => {
    const given = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
    given.set('sb-forwarded-for', address);
    given.set('apikey', env.SUPABASE_SECRET_KEY);
    given.set('authorization', `Bearer ${env.SUPABASE_SECRET_KEY}`);
    return send(input, { ...init, headers: given });
  };
}
