import { LRUCache } from 'lru-cache';
import { sharedValue } from '@/lib/process/shared-value';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

/** The current state of an account. A session's token only shows the state when it was issued, up to an hour ago. */
export type Account = { isActive: boolean; isAdmin: boolean };

const CACHE_MS = 60_000;
const FAILURE_CACHE_MS = 5_000;
const LIMIT_MS = 2_000;

const accounts = sharedValue(
  'accounts',
  () => new LRUCache<string, Promise<Account>>({ max: 20_000, ttl: CACHE_MS }),
);

async function ask(userId: string, signal?: AbortSignal): Promise<Account> {
  const query = adminDb().rpc('account_state', { p_user: userId });
  const [row] = dataOf(await (signal ? query.abortSignal(signal) : query));
  return { isActive: row?.is_active === true, isAdmin: row?.is_admin === true };
}

/** Returns the current state of an account from the database, and caches it. Throws `unavailable`. */
export async function accountNow(userId: string): Promise<Account> {
  const account = await ask(userId);
  accounts.set(userId, Promise.resolve(account));
  return account;
}

/**
 * Returns the state of an account, at most a minute old. Never throws: routes that need no database must keep working,
 * so while the database is unavailable, the account counts as active and the token alone decides who is an admin.
 */
export function recentAccount(userId: string): Promise<Account> {
  const known = accounts.get(userId);
  if (known) return known;
  const asked = ask(userId, AbortSignal.timeout(LIMIT_MS)).catch(() => {
    const unknown = { isActive: true, isAdmin: true };
    accounts.set(userId, Promise.resolve(unknown), { ttl: FAILURE_CACHE_MS });
    return unknown;
  });
  accounts.set(userId, asked);
  return asked;
}
