import type { IncomingMessage } from 'node:http';
import { rateCounter } from '@/lib/rate-limit/rate-counter';
import { type ApiKeys, presented } from '@/supabase/local/backend/caller';

/** Calls per minute and address. */
const PER_MINUTE = 600;
/** Comparing a password keeps the backend's only thread busy for tens of milliseconds, longer than any other call. */
const SIGN_INS_PER_MINUTE = 200;

const jwt = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Returns whether a request presents something that is checked before any other work, so that a false one costs nothing. */
function hasCredentials({ headers, method }: IncomingMessage, url: URL, { secretKey }: ApiKeys): boolean {
  const { pathname, searchParams } = url;
  const { apiKey, bearer } = presented(headers, searchParams);
  if (jwt.test(bearer) || [apiKey, bearer].includes(secretKey)) return true;
  if (pathname.startsWith('/rest/v1/')) return headers['x-atelier-token'] !== undefined;
  if (pathname === '/auth/v1/token') return searchParams.get('grant_type') === 'refresh_token';
  return /^\/storage\/v1\/object\/(upload\/)?sign\//.test(pathname) && method !== 'POST';
}

/**
 * Returns a function that counts a call without credentials against the limit of its address, and returns the
 * milliseconds to wait, or 0 to allow the call. Hosted Supabase has limits of its own.
 */
export function anonymousLimit(keys: ApiKeys): (request: IncomingMessage, url: URL) => number {
  const count = rateCounter();
  return (request, url) => {
    if (hasCredentials(request, url, keys)) return 0;
    const address = request.socket.remoteAddress;
    const isSignIn = url.pathname === '/auth/v1/token';
    return isSignIn
      ? count(`sign-in:${address}`, SIGN_INS_PER_MINUTE)
      : count(`other:${address}`, PER_MINUTE);
  };
}
