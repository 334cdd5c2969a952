import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { ListOfNames } from './edit-names';

type NewName = {
  name: string;
  userId: string;
  idempotency: { key: string; bodySha256: string } | null;
};

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('created'), name: z.string() }),
  z.object({ outcome: z.literal('exists'), name: z.string() }),
  z.object({ outcome: z.literal('idempotency_mismatch') }),
]);

/**
 * Adds a brand or an area type. Two names count as the same if they differ only in case, compatibility forms (such as
 * full-width letters) or the amount of whitespace. Throws `already_exists` with the existing spelling, or
 * `idempotency_mismatch`.
 */
export async function createName(
  list: ListOfNames,
  { name, userId, idempotency }: NewName,
): Promise<{ name: string }> {
  const args = {
    p_list: list,
    p_user: userId,
    p_name: name,
    p_idempotency_key: idempotency?.key,
    p_request_sha256: idempotency?.bodySha256,
  };
  const result = accepted(await callRpc('create_in_list', args, outcome));
  if (result.outcome === 'created') return { name: result.name };
  throw new HttpError('already_exists', `“${result.name}” already exists.`, {
    members: { name: result.name },
  });
}
