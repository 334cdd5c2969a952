import { z } from 'zod';
import { forgetAccount } from '@/lib/auth/account';
import { HttpError } from '@/lib/errors/problem';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { onePerson } from './queries';
import type { ChangePersonBody, Person } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['changed', 'own_account', 'last_admin']) }),
  z.object({ outcome: z.literal('not_found') }),
]);

/**
 * Grants or revokes the admin role, and disables or enables an account. Other instances may use a cached copy of the
 * account's previous state for up to a minute. A newly granted role takes effect in a session when the session's JWT is
 * renewed. Throws `not_found`, `unavailable`, or `state_conflict` if no administrator would be left or if the actor
 * would disable their own account.
 */
export async function changePerson(actorId: string, id: string, change: ChangePersonBody): Promise<Person> {
  const args = {
    p_actor: actorId,
    p_account: id,
    p_is_admin: change.isAdmin,
    p_is_disabled: change.isDisabled,
  };
  const result = accepted(await callRpc('change_account', args, outcome));
  switch (result.outcome) {
    case 'changed':
      forgetAccount(id);
      return onePerson(id);
    case 'own_account':
      throw new HttpError('state_conflict', 'You cannot disable your own account.');
    case 'last_admin':
      throw new HttpError('state_conflict', 'There must be at least one administrator who can sign in.');
  }
}
