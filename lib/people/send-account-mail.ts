import { z } from 'zod';
import type { WorkHandler, WorkItem, WorkOutcome } from '@/lib/queue/work';
import { adminDb } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import { dataOf } from '@/lib/supabase/database-error';
import { linkKey, linkUrl, makeLinkToken } from './account-link';
import { accountMessage } from './account-message';
import { linkPurpose } from './schema';
import { sendMail } from './send-mail';

const toSend = z.object({ email: z.string(), purpose: linkPurpose, expires_at: z.string() }).nullable();

/**
 * Sends a message with a link to choose a password. Each attempt makes a new link, so no secret is stored. Sends
 * nothing if the account does not exist or is disabled.
 */
export const sendAccountMail: WorkHandler = async (item: WorkItem): Promise<WorkOutcome> => {
  const token = makeLinkToken();
  const args = { p_mail: item.subjectId, p_key: linkKey(token) };
  const mail = await callRpc('account_mail_to_send', args, toSend);
  if (mail) {
    const failure = await sendMail(mail.email, accountMessage(mail.purpose, linkUrl(token)));
    if (failure) return { type: 'failed', code: failure.retryable ? 'unreachable' : 'refused', ...failure };
  }
  dataOf(await adminDb().rpc('account_mail_done', { p_id: item.id, p_token: item.leaseToken }));
  return { type: 'closed' };
};
