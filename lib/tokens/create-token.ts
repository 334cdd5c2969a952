import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { accessTokenKey, makeAccessToken } from '@/lib/auth/access-token';
import type { Caller } from '@/lib/auth/caller';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import { logError } from '@/lib/log/log-error';
import { logger } from '@/lib/log/logger';
import { adminDb } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { CreatedToken, CreateTokenBody } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), id: uuid, created_at: z.string(), expires_at: z.string() }),
  z.object({ outcome: z.enum(['not_allowed', 'too_many']) }),
]);

const adminsOnly = () =>
  new HttpError(
    'forbidden',
    'Only an administrator can create this token. Choose a personal one without the role admin.',
  );

/**
 * Creates the account that a service acts as. The account is the author of what the service creates, and it has its own
 * rate limits. Nobody can sign in to it, because it has no password and its address cannot receive email.
 */
async function createServiceAccount(name: string): Promise<string> {
  const { data, error } = await adminDb().auth.admin.createUser({
    email: `service-${randomUUID()}@service.invalid`,
    email_confirm: true,
    user_metadata: { name },
  });
  if (error) {
    throw new HttpError('unavailable', 'The sign-in service is unavailable.', {
      retryAfter: 5,
      cause: error,
    });
  }
  return data.user.id;
}

/** Deletes the account of a service whose token could not be created. An error only leaves an unused account behind. */
async function deleteServiceAccount(id: string): Promise<void> {
  const { error } = await adminDb().auth.admin.deleteUser(id);
  if (error) logError(logger(), error, 'the account of a service without a token could not be deleted');
}

function store(creator: Caller, account: string, token: string, body: CreateTokenBody) {
  const args = {
    p_user: creator.userId,
    p_account: account,
    p_is_service: body.kind === 'service',
    p_name: body.name,
    p_role: body.role,
    p_key: accessTokenKey(token),
    p_hint: token.slice(-4),
    p_days: body.expiresInDays,
  };
  return callRpc('create_access_token', args, outcome);
}

/**
 * Creates a personal access token for the creator, or an access token for a new service. Only an admin can create a
 * token for a service or with the role `admin`. The database also checks the creator's current rights. Throws
 * `forbidden` or `unavailable`. Throws `state_conflict` if the creator has too many tokens.
 */
export async function createToken(creator: Caller, body: CreateTokenBody): Promise<CreatedToken> {
  const { name, role, kind } = body;
  const isService = kind === 'service';
  if ((isService || role === 'admin') && !creator.isAdmin) throw adminsOnly();
  const token = makeAccessToken();
  const account = isService ? await createServiceAccount(name) : creator.userId;
  const result = await store(creator, account, token, body).catch(async (error: unknown) => {
    // The database may have stored the token despite the error, but nobody has received it. Deleting a service's
    // account also deletes its token.
    if (isService) await deleteServiceAccount(account);
    throw error;
  });
  if (result.outcome !== 'created') {
    if (isService) await deleteServiceAccount(account);
    if (result.outcome === 'not_allowed') throw adminsOnly();
    throw new HttpError('state_conflict', 'You have 50 access tokens. Revoke one first.');
  }
  // An account may have no email address.
  const email = creator.email || null;
  return {
    id: result.id,
    name,
    kind,
    role,
    hint: token.slice(-4),
    owner: isService ? null : email,
    createdBy: email,
    createdAt: result.created_at,
    expiresAt: result.expires_at,
    lastUsedAt: null,
    token,
  };
}
