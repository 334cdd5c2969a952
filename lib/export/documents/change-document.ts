import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { retention } from '@/lib/queue/retention';
import { adminDb } from '@/lib/supabase/admin';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { dataOf } from '@/lib/supabase/database-error';
import { storeMainDocument, tooManyDocuments } from './create-document';

type Key = { projectId: string; documentId: string };

const argsOf = ({ projectId, documentId }: Key) => ({ p_project: projectId, p_document: documentId });

function requireFound(found: boolean): void {
  if (!found) throw new HttpError('not_found');
}

async function requireStored({ projectId, documentId }: Key, userId: string): Promise<void> {
  if (documentId === projectId) await storeMainDocument(projectId, userId);
}

/** Renames a document. Throws `not_found`, `project_closed` or `unavailable`. */
export async function renameDocument(key: Key, userId: string, name: string): Promise<void> {
  await requireStored(key, userId);
  requireFound(dataOf(await adminDb().rpc('rename_document', { ...argsOf(key), p_name: name })));
}

/**
 * Archives or unarchives a document. The content of an archived document cannot be changed. Throws `not_found`,
 * `project_closed` or `unavailable`.
 */
export async function archiveDocument(key: Key, userId: string, archived: boolean): Promise<void> {
  await requireStored(key, userId);
  requireFound(dataOf(await adminDb().rpc('archive_document', { ...argsOf(key), p_archived: archived })));
}

/**
 * Deletes a document. It can be restored for `retention.deletedDocumentsS` seconds. Throws `not_found`,
 * `project_closed`, `unavailable`, or `state_conflict` for a main document.
 */
export async function deleteDocument(key: Key): Promise<void> {
  if (key.documentId === key.projectId) {
    throw new HttpError(
      'state_conflict',
      'The main document of a project cannot be deleted. Archive it instead.',
    );
  }
  requireFound(dataOf(await adminDb().rpc('delete_document', argsOf(key))));
}

const outcome = z.object({ outcome: z.enum(['restored', 'not_found', 'too_many']) });

/**
 * Restores a deleted document. Throws `not_found` if the document is not deleted or can no longer be restored, or
 * `state_conflict` if the project has too many documents.
 */
export async function restoreDocument(key: Key): Promise<void> {
  const args = { ...argsOf(key), p_within_s: retention.deletedDocumentsS };
  const result = accepted(await callRpc('restore_document', args, outcome));
  if (result.outcome === 'too_many') throw tooManyDocuments();
}
