import { z } from 'zod';
import { forgetAccount } from '@/lib/auth/account';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { adminDb } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import { databaseError } from '@/lib/supabase/database-error';
import { linkKey } from './account-link';
import { setPassword } from './auth-service';
import { type LinkInfo, linkPurpose } from './schema';

const found = z.object({ email: z.string(), purpose: linkPurpose, expires_at: z.string() }).nullable();

const unusable = () =>
  new HttpError('not_found', 'This link has expired or was already used. Ask for a new one.');

/** Returns whose link this is and what it is for. Throws `unavailable`, or `not_found` if the link cannot be used. */
export async function readLink(token: string): Promise<LinkInfo> {
  const link = await callRpc('account_link', { p_key: linkKey(token) }, found);
  if (!link) throw unusable();
  return { email: link.email, purpose: link.purpose, expiresAt: link.expires_at };
}

/**
 * Sets the password of the account that a link belongs to. If `name` is given, also sets the account's name. Signs out
 * all of the account's sessions and invalidates all of its links. Returns the account's email address. Throws
 * `not_found` if the link cannot be used, `invalid_request` if the password is too weak, or `unavailable`. After
 * `invalid_request` or `unavailable`, the link becomes usable again within 30 seconds.
 */
export async function setPasswordByLink(token: string, password: string, name?: string): Promise<string> {
  const { email } = await readLink(token);
  const key = linkKey(token);
  const userId = await callRpc('claim_account_link', { p_key: key }, uuid.nullable());
  if (!userId) throw unusable();
  try {
    await setPassword(userId, password, 'password');
  } catch (error) {
    await adminDb().rpc('release_account_link', { p_key: key });
    throw error;
  }
  const { error, status } = await adminDb().rpc('finish_account_link', { p_key: key, p_name: name });
  if (error) throw databaseError(error, status);
  forgetAccount(userId);
  return email;
}
