import { createHash } from 'node:crypto';
import { serverEnv } from '@/lib/env/server';
import { HttpError } from '@/lib/errors/problem';
import { limitRare } from '@/lib/rate-limit/limit';
import { adminDb } from '@/lib/supabase/admin';
import { databaseError } from '@/lib/supabase/database-error';

/** The limit per address: three messages at once, then one every ten minutes. */
const PER_ADDRESS = { burst: 3, intervalMs: 10 * 60_000 };
/** The limit for all addresses together: 60 messages at once, then one every two seconds. */
const ALL = { burst: 60, intervalMs: 2_000 };

/**
 * Queues a message with a link for choosing a new password. Behaves the same whether or not the address has an account,
 * because the account is looked up only when the message is sent. Throws `rate_limited`, `unavailable`, or
 * `state_conflict` if no mail server is configured.
 */
export async function requestReset(email: string): Promise<void> {
  if (!serverEnv().SMTP_URL) {
    throw new HttpError(
      'state_conflict',
      'This installation sends no email. Ask an administrator for a link to a new password.',
    );
  }
  // The key is a hash, so that stored counts do not contain the addresses.
  const address = createHash('sha256').update(email.toLowerCase()).digest('hex');
  await limitRare(`reset:${address}`, PER_ADDRESS.burst, PER_ADDRESS.intervalMs);
  await limitRare('resets', ALL.burst, ALL.intervalMs);
  const { error, status } = await adminDb().rpc('request_password_reset', { p_email: email });
  if (error) throw databaseError(error, status);
}
