import { HttpError } from '@/lib/errors/problem';
import { retention } from '@/lib/queue/retention';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';

function requireFound(found: boolean): void {
  if (!found) throw new HttpError('not_found');
}

/** Renames a project. Throws `not_found` or `unavailable`. */
export async function renameProject(projectId: string, name: string): Promise<void> {
  requireFound(dataOf(await adminDb().rpc('rename_project', { p_project: projectId, p_name: name })));
}

/**
 * Archives or unarchives a project. While a project is archived, new work is rejected, and its content cannot be
 * changed. Work that has already started continues. Throws `not_found` or `unavailable`.
 */
export async function archiveProject(projectId: string, archived: boolean): Promise<void> {
  requireFound(
    dataOf(await adminDb().rpc('archive_project', { p_project: projectId, p_archived: archived })),
  );
}

/** Deletes a project, which an owner can restore for a limited time. Throws `not_found` or `unavailable`. */
export async function deleteProject(projectId: string): Promise<void> {
  requireFound(dataOf(await adminDb().rpc('delete_project', { p_project: projectId })));
}

/**
 * Restores a deleted project. Throws `unavailable`, or `not_found` if it is not deleted or can no longer be restored.
 */
export async function restoreProject(projectId: string): Promise<void> {
  const args = { p_project: projectId, p_within_s: retention.deletedProjectsS };
  requireFound(dataOf(await adminDb().rpc('restore_project', args)));
}
