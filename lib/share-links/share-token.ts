import { createHash, randomBytes } from 'node:crypto';

const format = /^shr_[0-9a-f]{64}$/;

/** Returns a new share link token with 256 random bits. */
export function makeShareToken(): string {
  return `shr_${randomBytes(32).toString('hex')}`;
}

/** Returns whether a value has the format of a share link's token. */
export function isShareToken(value: string): boolean {
  return format.test(value);
}

/**
 * Returns the key that identifies a share link in database calls. The database stores only a hash of the key and never
 * receives the token, so Supabase's logs cannot contain the token.
 */
export function shareKey(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
