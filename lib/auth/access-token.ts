import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { uuid } from '@/lib/http/uuid';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { tokenRoles } from './access';

/** Format of an access token. Its prefix makes it easy to find a token that was published by mistake. */
const format = /^atl_[0-9a-f]{64}$/;

/** Returns a new access token with 256 random bits. */
export function makeAccessToken(): string {
  return `atl_${randomBytes(32).toString('hex')}`;
}

/** Returns whether a value has the format of an access token. */
export function isAccessToken(value: string): boolean {
  return format.test(value);
}

/**
 * Returns the key that identifies a token in the database. The database never receives the token itself, so no gateway
 * or database log can contain it. The database stores only a hash of the key, so reading the database does not reveal a
 * usable key.
 */
export function accessTokenKey(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

const holder = z.object({
  account_id: uuid,
  email: z.string(),
  role: z.enum(tokenRoles),
  is_service: z.boolean(),
  is_admin: z.boolean(),
});
export type TokenHolder = z.infer<typeof holder>;

/**
 * Returns the account that the access token with this key acts for. Returns null if the token is unknown, expired or
 * revoked, or if its account was deleted or banned. Not cached, so a revocation takes effect at once. Throws
 * `unavailable`.
 */
export async function tokenHolder(key: string): Promise<TokenHolder | null> {
  const [row] = dataOf(await adminDb().rpc('use_access_token', { p_key: key }));
  return row ? holder.parse(row) : null;
}
