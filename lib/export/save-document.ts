import { z } from 'zod';
import { HttpError } from '@/lib/http/problem';
import { adminTransfers } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { MAX_DOCUMENT_BYTES, type ProjectDocument } from './schema';

const outcome = z.object({ outcome: z.enum(['saved', 'conflict']), version: z.int() });

/**
 * Checks the size of a document with its defaults, which can exceed the size that was sent: a stored document must be
 * small enough to be sent back. Throws `too_large`.
 */
export function requireKeepable(document: unknown): void {
  if (Buffer.byteLength(JSON.stringify(document)) <= MAX_DOCUMENT_BYTES) return;
  const words = `With all its settings, the document has more than ${MAX_DOCUMENT_BYTES >> 20} MB.`;
  throw new HttpError('too_large', words);
}

/**
 * Saves a project's document over the version that it is based on, and returns it with its new version.
 * Throws `too_large`, or `state_conflict` with `currentVersion` when there is a newer version.
 */
export async function saveDocument(
  projectId: string,
  document: ProjectDocument,
  userId: string,
): Promise<ProjectDocument> {
  requireKeepable(document);
  const { version, format, orientation, cover, pages } = document;
  const result = outcome.parse(
    dataOf(
      await adminTransfers().rpc('save_project_pages', {
        p_user: userId,
        p_project: projectId,
        p_version: version,
        p_format: format,
        p_orientation: orientation,
        p_cover: cover,
        p_pages: pages,
      }),
    ),
  );
  if (result.outcome === 'conflict') {
    throw new HttpError('state_conflict', `The pages have since been saved as version ${result.version}.`, {
      members: { currentVersion: result.version },
    });
  }
  return { ...document, version: result.version };
}
