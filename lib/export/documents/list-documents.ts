import { type DocumentKey, documentIdOf, isMainDocument } from '@/lib/document/document-key';
import { restorableUntil, retention } from '@/lib/queue/retention';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { noDocument } from '../document-row';
import { type DocumentState, type DocumentSummary, MAIN_NAME, MAX_DOCUMENTS } from './schema';

// The callers of these functions must check access. The functions bypass row level security, because it hides deleted
// documents.

const columns = 'id,project_id,name,version,updated_at,updated_by,archived_at,deleted_at' as const;
type Row = {
  id: string;
  project_id: string;
  name: string;
  version: number;
  updated_at: string;
  updated_by: string | null;
  archived_at: string | null;
  deleted_at: string | null;
};

function summaryOf(row: Row): DocumentSummary {
  return {
    id: row.id,
    name: row.name,
    isMain: row.id === row.project_id,
    version: row.version,
    savedAt: row.updated_at,
    savedBy: row.updated_by,
    archivedAt: row.archived_at,
    restorableUntil: row.deleted_at && restorableUntil(row.deleted_at, retention.deletedDocumentsS),
  };
}

const unsavedMain = (projectId: string): DocumentSummary => ({
  id: projectId,
  name: MAIN_NAME,
  isMain: true,
  version: 0,
  savedAt: null,
  savedBy: null,
  archivedAt: null,
  restorableUntil: null,
});

/**
 * Returns a project's documents in the given state. The main document comes first, followed by the others, newest
 * first. For the state `deleted`, returns only documents that can still be restored, the most recently deleted first.
 * Throws `unavailable`.
 */
export async function listDocuments(projectId: string, state: DocumentState): Promise<DocumentSummary[]> {
  let listed = adminDb().from('project_pages').select(columns).eq('project_id', projectId);
  if (state === 'deleted') {
    const since = new Date(Date.now() - retention.deletedDocumentsS * 1000).toISOString();
    listed = listed.gt('deleted_at', since);
  } else {
    listed = listed.is('deleted_at', null);
  }
  const rows = dataOf(
    await listed
      .order(state === 'deleted' ? 'deleted_at' : 'created_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(MAX_DOCUMENTS),
  ).map(summaryOf);
  if (state === 'deleted') return rows;
  const main = rows.find(({ isMain }) => isMain) ?? unsavedMain(projectId);
  return [main, ...rows.filter(({ isMain }) => !isMain)].filter(
    ({ archivedAt }) => (archivedAt !== null) === (state === 'archived'),
  );
}

/** Returns one document without its content. Throws `not_found` or `unavailable`. */
export async function requireDocument(key: DocumentKey): Promise<DocumentSummary> {
  const [row] = dataOf(
    await adminDb()
      .from('project_pages')
      .select(columns)
      .eq('id', documentIdOf(key))
      .eq('project_id', key.projectId)
      .is('deleted_at', null)
      .limit(1),
  );
  if (row) return summaryOf(row);
  if (isMainDocument(key)) return unsavedMain(key.projectId);
  throw noDocument();
}
