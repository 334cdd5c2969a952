import { z } from 'zod';
import { pageParams } from '@/hooks/pages';
import { type DocumentKey, documentIdOf, documentQueryOf } from '@/lib/document/document-key';
import { type ProjectDocument, projectDocument } from '@/lib/document/schema';
import { documentVersionsResponse, type KeptVersion, keptResponse } from '@/lib/export/schema';
import { callApi } from '@/lib/http/client';

type VersionsPage = { versions: KeptVersion[]; nextCursor: string | null };
const versionsPath = ({ projectId }: DocumentKey) => `/api/projects/${projectId}/pages/versions`;
const versionPath = (key: DocumentKey, versionId: string) =>
  `${versionsPath(key)}/${versionId}${documentQueryOf(key)}`;

/** Returns one page of the kept versions of a document, newest first. */
export function readDocumentVersions(
  key: DocumentKey,
  cursor: string | null,
  signal: AbortSignal,
): Promise<VersionsPage> {
  const query = new URLSearchParams({ documentId: documentIdOf(key), ...pageParams(30, cursor) });
  return callApi(`${versionsPath(key)}?${query}`, { schema: documentVersionsResponse, signal });
}

export function readVersion(
  key: DocumentKey,
  versionId: string,
  signal: AbortSignal,
): Promise<ProjectDocument> {
  return callApi(versionPath(key, versionId), { schema: projectDocument, signal });
}

/**
 * Keeps the current version and returns its id. Throws an `ApiError` with `state_conflict` if `version` is outdated or
 * the named versions would exceed their limits.
 */
export async function keepVersion(key: DocumentKey, version: number, name?: string): Promise<string> {
  const body = { version, name };
  const path = `${versionsPath(key)}${documentQueryOf(key)}`;
  const { id } = await callApi(path, { method: 'POST', body, schema: keptResponse });
  return id;
}

/** Names a version; null removes its name. */
export async function nameVersion(key: DocumentKey, versionId: string, name: string | null): Promise<void> {
  await callApi(versionPath(key, versionId), { method: 'PATCH', body: { name }, schema: z.undefined() });
}
