import { LRUCache } from 'lru-cache';
import { sharedValue } from '@/lib/process/shared-value';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

/** The current state of an account. A session's JWT can be up to an hour old, so it may show an earlier state. */
export type AccountState = { isActive: boolean; isAdmin: boolean };

const CACHE_MS = 60_000;
const FAILURE_CACHE_MS = 5_000;
const LIMIT_MS = 2_000;

const accounts = sharedValue(
  'accounts',
  () => new LRUCache<string, Promise<AccountState>>({ max: 20_000, ttl: CACHE_MS }),
);

const keyOf = (userId: string, sessionId: string) => `${userId} ${sessionId}`;

async function read(userId: string, sessionId: string, signal?: AbortSignal): Promise<AccountState> {
  const query = adminDb().rpc('account_state', { p_user: userId, p_session: sessionId });
  const [row] = dataOf(await (signal ? query.abortSignal(signal) : query));
  return { isActive: row?.is_active === true, isAdmin: row?.is_admin === true };
}

/**
 * Reads the current state of an account from the database, caches it and returns it. If the session has ended, the
 * account counts as inactive. Throws `unavailable`.
 */
export async function accountNow(userId: string, sessionId: string): Promise<AccountState> {
  const account = await read(userId, sessionId);
  accounts.set(keyOf(userId, sessionId), Promise.resolve(account));
  return account;
}

/** Removes an account from this process's cache. The account's next request to this process reads its current state. */
export function forgetAccount(userId: string): void {
  for (const key of accounts.keys()) if (key.startsWith(`${userId} `)) accounts.delete(key);
}

/**
 * Returns the state of an account, which can be up to a minute old. Never throws, because routes that need no database
 * must keep working. While the database is unavailable, the account counts as active, and the session's JWT alone
 * decides whether it is an admin.
 */
export function recentAccount(userId: string, sessionId: string): Promise<AccountState> {
  const key = keyOf(userId, sessionId);
  const cached = accounts.get(key);
  if (cached) return cached;
  const account = read(userId, sessionId, AbortSignal.timeout(LIMIT_MS)).catch(() => {
    const unknown = { isActive: true, isAdmin: true };
    accounts.set(key, Promise.resolve(unknown), { ttl: FAILURE_CACHE_MS });
    return unknown;
  });
  accounts.set(key, account);
  return account;
}
