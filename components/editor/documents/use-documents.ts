'use client';

import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { DocumentState, DocumentSummary } from '@/lib/export/documents/schema';
import { isMissing } from '../saving/closed';
import { readDocuments, readSummary } from './documents-calls';

/** Returns the key of the queries that read documents of a project. */
export const documentsKey = (projectId: string) => ['documents', projectId] as const;

/** Reads the documents of a project that are in this state. */
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
 * Returns a document of a project, which the server has read, and its newer state once it is read again. `isGone` is set
 * if it was deleted in the meantime, or the user may no longer see it.
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
