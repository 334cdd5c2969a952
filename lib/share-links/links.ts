import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import { type ShareLink, shareKind } from './schema';

// Makes some columns nullable, because the generated types never mark a function's result columns as nullable.
type Returned = Database['public']['Functions']['list_share_links']['Returns'][number];
type Nullable = 'created_by_email' | 'last_opened_at';
type LinkRow = Omit<Returned, Nullable> & { [Name in Nullable]: Returned[Name] | null };

/** Returns the active share links of a project, newest first. The caller must check access. Throws `unavailable`. */
export async function listShareLinks(projectId: string): Promise<ShareLink[]> {
  const rows: LinkRow[] = dataOf(await adminDb().rpc('list_share_links', { p_project: projectId }));
  return rows.map((row) => ({
    id: row.id,
    kind: shareKind.parse(row.kind),
    documentId: row.document_id,
    name: row.name,
    imageCount: row.image_count,
    allowDownload: row.allow_download,
    showPrompts: row.show_prompts,
    createdBy: row.created_by_email,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    openedCount: row.opened_count,
    lastOpenedAt: row.last_opened_at,
  }));
}

/** Revokes a share link of a project with immediate effect. Throws `not_found` or `unavailable`. */
export async function revokeShareLink(projectId: string, id: string): Promise<void> {
  const found = dataOf(await adminDb().rpc('revoke_share_link', { p_project: projectId, p_id: id }));
  if (!found) throw new HttpError('not_found');
}
