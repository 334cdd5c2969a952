import { z } from 'zod';
import {
  type DocumentState,
  type DocumentSummary,
  documentSummary,
  documentsResponse,
} from '@/lib/export/documents/schema';
import { callApi } from '@/lib/http/client';

const listPath = (projectId: string) => `/api/projects/${projectId}/documents`;

/**
 * Identifies a document by its project and its id. Unlike a `DocumentKey`, it always has a document id, even for a main
 * document.
 */
export type ListedKey = { projectId: string; documentId: string };
const pathOf = ({ projectId, documentId }: ListedKey) => `${listPath(projectId)}/${documentId}`;

/** Returns a project's documents that have the given state. If the main document is among them, it comes first. */
export async function readDocuments(
  projectId: string,
  state: DocumentState,
  signal?: AbortSignal,
): Promise<DocumentSummary[]> {
  const response = await callApi(`${listPath(projectId)}?state=${state}`, {
    schema: documentsResponse,
    signal,
  });
  return response.documents;
}

/** Returns a document without its pages. */
export function readSummary(key: ListedKey, signal: AbortSignal): Promise<DocumentSummary> {
  return callApi(pathOf(key), { schema: documentSummary, signal });
}

/**
 * Creates a document without pages, or a copy of `copyOf`. Repeating a call with the same `idempotencyKey` within a day
 * does not create another document.
 */
export function createDocument(
  projectId: string,
  name: string,
  { copyOf, idempotencyKey }: { copyOf?: string; idempotencyKey?: string } = {},
): Promise<DocumentSummary> {
  const body = { name, copyOf };
  return callApi(listPath(projectId), { method: 'POST', body, schema: documentSummary, idempotencyKey });
}

export function renameDocument(key: ListedKey, name: string): Promise<DocumentSummary> {
  return callApi(pathOf(key), { method: 'PATCH', body: { name }, schema: documentSummary });
}

export function archiveDocument(key: ListedKey, archived: boolean): Promise<DocumentSummary> {
  return callApi(`${pathOf(key)}/archive`, { method: 'POST', body: { archived }, schema: documentSummary });
}

export async function deleteDocument(key: ListedKey): Promise<void> {
  await callApi(pathOf(key), { method: 'DELETE', schema: z.undefined() });
}

export function restoreDocument(key: ListedKey): Promise<DocumentSummary> {
  return callApi(`${pathOf(key)}/restore`, { method: 'POST', schema: documentSummary });
}
