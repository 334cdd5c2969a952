import { z } from 'zod';
import type { DocumentKey } from '@/lib/document/document-key';
import { HttpError } from '@/lib/errors/problem';
import type { Bytes } from '@/lib/http/join-bytes';
import { cutPage, decodeCursor } from '@/lib/http/page';
import { uuid } from '@/lib/http/uuid';
import { adminDb, adminTransfers } from '@/lib/supabase/admin';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import { dataOf } from '@/lib/supabase/database-error';
import { readingJson } from '@/lib/supabase/json-bytes';
import { noDocument } from './document-row';
import { requireDocument } from './documents/list-documents';
import { type KeptVersion, type listVersionsQuery, MAX_NAMED_BYTES, MAX_NAMED_VERSIONS } from './schema';

// Callers of this module's functions must check access.

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('kept'), id: uuid }),
  z.object({ outcome: z.literal('conflict'), version: z.int() }),
  z.object({ outcome: z.literal('too_many') }),
  z.object({ outcome: z.literal('not_found') }),
]);

function requireKept(result: z.output<typeof outcome>, missing?: () => HttpError): string {
  const done = accepted(result, missing);
  if (done.outcome === 'conflict') {
    throw new HttpError('state_conflict', `The pages have since been saved as version ${done.version}.`, {
      members: { currentVersion: done.version },
    });
  }
  if (done.outcome === 'too_many') {
    const limits = `${MAX_NAMED_VERSIONS} named versions, with ${MAX_NAMED_BYTES >> 20} MB together`;
    throw new HttpError('state_conflict', `A document can have ${limits}. Remove a name first.`);
  }
  return done.id;
}

/**
 * Keeps the current version of a document, with an optional name, and returns the kept version's id. Throws
 * `not_found`, or `state_conflict` if `version` is not the current version or the named versions would exceed their
 * limits.
 */
export async function keepVersion(
  { projectId, documentId }: DocumentKey,
  version: number,
  name?: string | null,
): Promise<string> {
  const args = {
    p_project: projectId,
    p_document: documentId,
    p_version: version,
    p_name: name ?? undefined,
  };
  return requireKept(await callRpc('keep_document_version', args, outcome), noDocument);
}

/**
 * Names a version, or removes its name. Throws `not_found`, or `state_conflict` if the named versions would exceed
 * their limits.
 */
export async function nameVersion(
  { projectId, documentId }: DocumentKey,
  versionId: string,
  name: string | null,
): Promise<void> {
  const args = {
    p_project: projectId,
    p_document: documentId,
    p_id: versionId,
    p_name: name ?? undefined,
  };
  requireKept(await callRpc('name_document_version', args, outcome));
}

/**
 * Returns a page of a document's kept versions, newest first. Throws `not_found`, `invalid_request` or `unavailable`.
 */
export async function listDocumentVersions(
  projectId: string,
  { documentId, limit, cursor }: z.output<typeof listVersionsQuery>,
): Promise<{ versions: KeptVersion[]; nextCursor: string | null }> {
  const after = cursor ? decodeCursor(cursor) : null;
  if (documentId) await requireDocument({ projectId, documentId });
  const found = dataOf(
    await adminDb().rpc('list_document_versions', {
      p_project: projectId,
      p_document: documentId,
      p_limit: limit + 1,
      p_before: after?.createdAt,
      p_before_id: after?.id,
    }),
  );
  const { rows, nextCursor } = cutPage(found, limit);
  const versions = rows.map(({ added, removed, changed, settings_changed: settings, ...row }) => ({
    id: row.id,
    version: row.version,
    name: row.name,
    printed: row.printed,
    savedBy: row.saved_by,
    createdAt: row.created_at,
    pageCount: row.page_count,
    // These four columns are null for the oldest kept version, contrary to the generated types.
    changes: added === null ? null : { added, removed, changed, settings },
  }));
  return { versions, nextCursor };
}

/**
 * Returns a JSON array with the row of a kept version, as unparsed UTF-8 (see `parseStored`). Calls `take` with the
 * size of each chunk. Throws `not_found`.
 */
export async function versionRows(
  { projectId, documentId }: DocumentKey,
  versionId: string,
  take: (size: number) => void,
): Promise<Bytes> {
  const args = { p_project: projectId, p_document: documentId, p_id: versionId };
  const rows = await readingJson(
    (through) => adminTransfers({ through }).rpc('read_document_version', args),
    take,
  );
  // An empty array (`[]`) means that there is no such version.
  if (rows.byteLength <= '[]'.length) throw new HttpError('not_found');
  return rows;
}
