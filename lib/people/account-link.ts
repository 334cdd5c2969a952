import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { type AccountLink, linkPurpose } from './schema';

/** Returns a new secret for a link, with 256 random bits. */
export function makeLinkToken(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Returns the key that identifies a link in database calls. The database stores only a hash of the key and never
 * receives the secret itself.
 */
export function linkKey(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns the URL of a link. Browsers do not send the part after `#`, so no server log contains the secret. */
export function linkUrl(token: string): string {
  return `${serverEnv().APP_URL}/set-password#${token}`;
}

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('linked'), purpose: linkPurpose, expires_at: z.string() }),
  z.object({ outcome: z.literal('mailed'), purpose: linkPurpose }),
  z.object({ outcome: z.literal('not_found') }),
  z.object({ outcome: z.literal('disabled') }),
]);

/**
 * Queues an email with a link for choosing a password. Without a mail server, or with `copy`, creates the link and
 * returns it instead. Throws `not_found`, `unavailable`, or `state_conflict` for a disabled account.
 */
export async function createAccountLink(personId: string, copy: boolean): Promise<AccountLink> {
  const token = copy || !serverEnv().SMTP_URL ? makeLinkToken() : null;
  const args = { p_account: personId, p_key: token === null ? undefined : linkKey(token) };
  const result = accepted(await callRpc('create_account_link', args, outcome));
  switch (result.outcome) {
    case 'linked':
      return {
        personId,
        purpose: result.purpose,
        url: token === null ? null : linkUrl(token),
        expiresAt: result.expires_at,
      };
    case 'mailed':
      return { personId, purpose: result.purpose, url: null, expiresAt: null };
    case 'disabled':
      throw new HttpError('state_conflict', 'The account is disabled. Enable it first.');
  }
}
