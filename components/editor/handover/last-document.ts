import type { DocumentSummary } from '@/lib/export/documents/schema';

const nameOf = (projectId: string) => `atelier:document:${projectId}`;

/** Remembers in this browser to which document of a project the user last added something. */
export function rememberDocument(projectId: string, documentId: string): void {
  try {
    window.localStorage.setItem(nameOf(projectId), documentId);
  } catch {
    // Without storage (private window, full disk), the main document is suggested.
  }
}

/** Returns the document that the user last added to, if it is one of these, or else the first one. */
export function lastDocument(
  projectId: string,
  documents: readonly DocumentSummary[],
): DocumentSummary | undefined {
  let id: string | null = null;
  try {
    id = window.localStorage.getItem(nameOf(projectId));
  } catch {
    // As above.
  }
  return documents.find((document) => document.id === id) ?? documents[0];
}
