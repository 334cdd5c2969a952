import { z } from 'zod';
import type { ProjectRole } from '@/lib/auth/access';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { Member } from './schema';

const setOutcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('set'), user_id: uuid, created_at: z.string() }),
  z.object({ outcome: z.enum(['no_account', 'last_owner']) }),
]);
const removeOutcome = z.object({ outcome: z.enum(['removed', 'not_found', 'last_owner']) });

const lastOwner = () => new HttpError('state_conflict', 'A project must have at least one owner.');

/**
 * Adds a member by email address, or changes a member's role. Throws `unknown_account`, `unavailable`, or
 * `state_conflict` if no owner would be left.
 */
export async function setMember(projectId: string, email: string, role: ProjectRole): Promise<Member> {
  const args = { p_project: projectId, p_email: email, p_role: role };
  const result = await callRpc('set_project_member', args, setOutcome);
  switch (result.outcome) {
    case 'set':
      return { userId: result.user_id, email, role, createdAt: result.created_at };
    case 'no_account':
      throw new HttpError('unknown_account', `There is no account with the email address ${email}.`);
    case 'last_owner':
      throw lastOwner();
  }
}

/** Removes a member from a project. Throws `not_found`, `unavailable`, or `state_conflict` for the last owner. */
export async function removeMember(projectId: string, userId: string): Promise<void> {
  const args = { p_project: projectId, p_user: userId };
  const result = accepted(await callRpc('remove_project_member', args, removeOutcome));
  if (result.outcome === 'last_owner') throw lastOwner();
}
