import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { SaveSections } from './schema';

const changed = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['saved', 'conflict']), version: z.int() }),
  z.object({ outcome: z.literal('not_found') }),
  z.object({ outcome: z.literal('unread') }),
]);

function versionOf(result: z.infer<typeof changed>): { version: number } {
  const found = accepted(result);
  if (found.outcome === 'unread') {
    throw new HttpError('state_conflict', 'The PDF has not been read yet. Try again in a moment.');
  }
  if (found.outcome === 'conflict') {
    throw new HttpError('state_conflict', 'The sections have changed in the meantime. Reload them.', {
      members: { currentVersion: found.version },
    });
  }
  return { version: found.version };
}

/**
 * Replaces the sections of a spec with corrected ones and keeps the originals. Throws `not_found`, or `state_conflict`
 * if the PDF has not been read yet or if the sections have changed since `version`. In the latter case, the error
 * contains `currentVersion`.
 */
export async function saveSections(id: string, { version, sections }: SaveSections) {
  const args = { p_id: id, p_version: version, p_sections: sections };
  return versionOf(await callRpc('save_spec_sections', args, changed));
}

/**
 * Replaces the corrected sections of a spec with the original ones. Throws `not_found`, or `state_conflict` with
 * `currentVersion` if the sections have changed since `version`.
 */
export async function restoreSections(id: string, version: number) {
  return versionOf(await callRpc('restore_spec_sections', { p_id: id, p_version: version }, changed));
}
