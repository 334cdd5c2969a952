import type { z } from 'zod';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { ListOfNames } from './edit-names';
import { importedResponse } from './schema';

/**
 * Adds the given brands or area types in one transaction, except those that already exist in any spelling. Importing
 * the same names again adds nothing.
 */
export function importNames(
  list: ListOfNames,
  names: string[],
  userId: string,
): Promise<z.infer<typeof importedResponse>> {
  return callRpc('import_names', { p_list: list, p_user: userId, p_names: names }, importedResponse);
}
