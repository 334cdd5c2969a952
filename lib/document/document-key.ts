/**
 * Identifies a document. A key without a `documentId` means the project's main document, whose id is the project's id.
 */
export type DocumentKey = { projectId: string; documentId?: string };

export function documentIdOf({ projectId, documentId = projectId }: DocumentKey): string {
  return documentId;
}

/**
 * Returns the query string for API calls about a document: `?documentId=…`, or an empty string for the main document.
 */
export function documentQueryOf(key: DocumentKey): string {
  return isMainDocument(key) ? '' : `?documentId=${documentIdOf(key)}`;
}

export function isMainDocument(key: DocumentKey): boolean {
  return documentIdOf(key) === key.projectId;
}
