import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { adminTransfers } from '@/lib/supabase/admin';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { type MergedNames, mergedResponse } from './schema';

/** The lists of names that admins can edit. */
export type ListOfNames = 'brands' | 'areas';

const notFound = z.object({ outcome: z.literal('not_found') });
const renamed = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('renamed'), name: z.string() }),
  z.object({ outcome: z.literal('exists'), name: z.string() }),
  notFound,
]);
const merged = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('merged'), ...mergedResponse.shape }),
  z.object({ outcome: z.enum(['same', 'unknown_target']) }),
  notFound,
]);

/** Renames a brand or an area type. Throws `not_found`, or `already_exists` with the existing spelling. */
export async function renameName(
  list: ListOfNames,
  name: string,
  newName: string,
): Promise<{ name: string }> {
  const args = { p_list: list, p_name: name, p_new_name: newName };
  const result = accepted(await callRpc('rename_in_list', args, renamed));
  if (result.outcome === 'renamed') return { name: result.name };
  throw new HttpError('already_exists', `“${result.name}” already exists. Merge the two instead.`, {
    members: { name: result.name },
  });
}

/**
 * Moves all specs of the brand or area type `name` to `into` and deletes `name`. Throws `not_found`, `invalid_request`,
 * `unknown_brand` or `unknown_area`.
 */
export async function mergeNames(list: ListOfNames, name: string, into: string): Promise<MergedNames> {
  const args = { p_list: list, p_name: name, p_into: into };
  const result = accepted(await callRpc('merge_in_list', args, merged, adminTransfers()));
  if (result.outcome === 'merged') return { name: result.name, specs: result.specs };
  if (result.outcome === 'same') {
    throw new HttpError('invalid_request', 'A name cannot be merged into itself.', {
      errors: [{ path: 'into', message: 'must be another name' }],
    });
  }
  throw new HttpError(list === 'brands' ? 'unknown_brand' : 'unknown_area', `There is no “${into}”.`);
}

/** Deletes a brand or area type that no spec uses. Throws `not_found` or `state_conflict`. */
export async function deleteName(list: ListOfNames, name: string): Promise<void> {
  const outcome = z.enum(['deleted', 'in_use', 'not_found']);
  const result = await callRpc('delete_in_list', { p_list: list, p_name: name }, outcome);
  if (result === 'not_found') throw new HttpError('not_found');
  if (result === 'in_use') {
    throw new HttpError('state_conflict', `“${name}” still has specs. Merge it into another name instead.`);
  }
}
