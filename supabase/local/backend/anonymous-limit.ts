import type { IncomingMessage } from 'node:http';
import { rateCounter } from '@/lib/rate-limit/rate-counter';

/** Calls per minute and address. Visitors only need some to sign in. */
const PER_MINUTE = 600;
/** Comparing a password keeps the backend's only thread busy for tens of milliseconds, longer than any other call. */
const SIGN_IN_COST = 3;
/** Calls per minute and address with an Atelier access token, which the database checks. They come from the app. */
const WITH_TOKEN_PER_MINUTE = 6_000;

function hasCredentials({ headers }: IncomingMessage, url: URL): boolean {
  const apiKey = String(headers.apikey ?? url.searchParams.get('apikey') ?? '');
  const hasSession = /^Bearer +(?!sb_publishable_)/i.test(headers.authorization ?? '');
  const isSignedUrl = url.pathname.startsWith('/storage/v1/object/') && url.searchParams.has('token');
  return hasSession || apiKey.startsWith('sb_secret_') || isSignedUrl;
}

/**
 * Returns a function that counts a call without credentials against the limit of its address, and returns the
 * milliseconds to wait, or 0 to allow the call. False credentials are refused before any work, so they are not counted.
 * Hosted Supabase has limits of its own.
 */
export function anonymousLimit(): (request: IncomingMessage, url: URL) => number {
  const count = rateCounter();
  return (request, url) => {
    if (hasCredentials(request, url)) return 0;
    const address = request.socket.remoteAddress;
    if (request.headers['x-atelier-token'] !== undefined)
      return count(`token:${address}`, WITH_TOKEN_PER_MINUTE);
    const isSignIn = url.pathname === '/auth/v1/token' && url.searchParams.get('grant_type') === 'password';
    return count(`anonymous:${address}`, PER_MINUTE, isSignIn ? SIGN_IN_COST : 1);
  };
}
