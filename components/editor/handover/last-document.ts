import type { DocumentSummary } from '@/lib/export/documents/schema';

const nameOf = (projectId: string) => `atelier:document:${projectId}`;

/** Stores in this browser which of a project's documents the user last chose to add content to. */
export function rememberDocument(projectId: string, documentId: string): void {
  try {
    window.localStorage.setItem(nameOf(projectId), documentId);
  } catch {
    // Without storage (private window, full disk), the choice is not remembered.
  }
}

/**
 * Returns the document in `documents` that the user last chose to add content to. Defaults to the first document, or to
 * undefined if there is none.
 */
export function lastDocument(
  projectId: string,
  documents: readonly DocumentSummary[],
): DocumentSummary | undefined {
  let id: string | null = null;
  try {
    id = window.localStorage.getItem(nameOf(projectId));
  } catch {
    // Without storage, return the first document.
  }
  return documents.find((document) => document.id === id) ?? documents[0];
}
