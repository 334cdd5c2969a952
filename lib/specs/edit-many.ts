import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { adminTransfers } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { EditedMany, EditMany } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('edited'), count: z.int() }),
  z.object({ outcome: z.enum(['unknown_brand', 'unknown_area']) }),
]);

/**
 * Changes the brand, area and property of specs and of all their other versions. Does not change their status, runs or
 * files, and does not process them again. Throws `unknown_brand`, `unknown_area` or `unavailable`.
 */
export async function editMany(edit: EditMany): Promise<EditedMany> {
  const ids = [...new Set(edit.specUploadIds)];
  const args = {
    p_ids: ids,
    p_brand: edit.brandName,
    p_area: edit.area,
    p_property: edit.propertyName,
    p_clear_property: edit.clearProperty,
  };
  const result = await callRpc('edit_specs', args, outcome, adminTransfers());
  if (result.outcome !== 'edited') {
    const isBrand = result.outcome === 'unknown_brand';
    const detail = isBrand ? `There is no brand “${edit.brandName}”.` : `There is no area “${edit.area}”.`;
    throw new HttpError(result.outcome, detail);
  }
  return { edited: result.count, missing: ids.length - result.count };
}
