'use client';

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { DocumentState, DocumentSummary } from '@/lib/export/documents/schema';
import { isMissing } from '../saving/closed';
import { readDocuments, readSummary } from './documents-calls';

/** Returns the key prefix of all queries that read a project's documents. */
export const documentsKey = (projectId: string) => ['documents', projectId] as const;

/** Reads a project's documents that have the given state. */
export function useDocuments(
  projectId: string,
  state: DocumentState = 'active',
): UseQueryResult<DocumentSummary[]> {
  return useQuery({
    queryKey: [...documentsKey(projectId), state],
    queryFn: ({ signal }) => readDocuments(projectId, state, signal),
  });
}

/**
 * Returns the latest known state of a document, initially `given`. `isGone` is true if the document was deleted in the
 * meantime or the user can no longer see it.
 */
export function useDocumentSummary(
  projectId: string,
  given: DocumentSummary,
): { document: DocumentSummary; isGone: boolean } {
  const { data, error } = useQuery({
    queryKey: [...documentsKey(projectId), 'one', given.id],
    queryFn: ({ signal }) => readSummary({ projectId, documentId: given.id }, signal),
    initialData: given,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { document: data, isGone: isMissing(error) };
}
