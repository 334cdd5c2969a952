import type { ProjectRole } from '@/lib/auth/access';
import type { Caller } from '@/lib/auth/caller';
import { roleInProject } from '@/lib/auth/project-role';
import { HttpError } from '@/lib/errors/problem';
import { afterKeyset, cutPage, decodeCursor } from '@/lib/http/page';
import { signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { Db } from '@/lib/supabase/request';
import { type Member, type Project, type ProjectImage, projectRole } from './schema';

type PageQuery = { limit: number; cursor?: string };
type ProjectRow = { id: string; name: string; created_at: string; archived_at: string | null };

/** Returns the caller's role in a project that the caller can see. */
export function roleOf(caller: Caller, [membership]: { role: string }[]): ProjectRole {
  return projectRole.parse(roleInProject(caller, membership ? projectRole.parse(membership.role) : null));
}

export function projectOf(row: ProjectRow, role: ProjectRole): Project {
  return { id: row.id, name: row.name, role, createdAt: row.created_at, archivedAt: row.archived_at };
}

/** Returns one project with the caller's role, or null when the caller cannot see it. Throws `unavailable`. */
export async function getProject(caller: Caller, id: string): Promise<Project | null> {
  const [row] = dataOf(
    await caller.db
      .from('projects')
      .select('id,name,created_at,archived_at,project_members(role)')
      .eq('project_members.user_id', caller.userId)
      .eq('id', id)
      .limit(1),
  );
  return row ? projectOf(row, roleOf(caller, row.project_members)) : null;
}

/**
 * Returns one project with the caller's role. Throws `unavailable`, or `not_found` when the caller cannot see the
 * project.
 */
export async function requireProject(caller: Caller, id: string): Promise<Project> {
  const found = await getProject(caller, id);
  if (!found) throw new HttpError('not_found');
  return found;
}

/**
 * Returns the members of a project in the order they joined. Callers must check access themselves. Throws
 * `unavailable`.
 */
export async function listMembers(projectId: string): Promise<Member[]> {
  const rows = dataOf(await adminDb().rpc('list_project_members', { p_project: projectId }));
  return rows.map((row) => ({
    userId: row.user_id,
    email: row.email,
    role: projectRole.parse(row.role),
    createdAt: row.created_at,
  }));
}

/**
 * Returns a page of a project's uploaded images except masks, newest first. Throws `invalid_request` or `unavailable`.
 */
export async function listImages(
  db: Db,
  projectId: string,
  query: PageQuery,
): Promise<{ images: ProjectImage[]; nextCursor: string | null }> {
  let page = db
    .from('document_images')
    .select('id,storage_path,width,height,file_name,created_at')
    .eq('project_id', projectId)
    .eq('is_mask', false)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(query.limit + 1);
  if (query.cursor) page = page.or(afterKeyset(decodeCursor(query.cursor)));
  const { rows, nextCursor } = cutPage(dataOf(await page), query.limit);
  const urls = await signedUrls(
    rows.map((row) => row.storage_path),
    VIEW_URL_S,
  );
  return {
    images: rows.map((row, i) => ({
      id: row.id,
      path: row.storage_path,
      url: urls[i] ?? null,
      width: row.width,
      height: row.height,
      fileName: row.file_name,
      createdAt: row.created_at,
    })),
    nextCursor,
  };
}
