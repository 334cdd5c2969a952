'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { readAgain } from '@/hooks/read-again';
import { useRealtimeTopic } from '@/hooks/use-realtime-topic';
import { documentsKey } from './use-documents';

const POLL_MS = 60_000;

/**
 * Returns a function that refetches a project's documents. The hook also refetches them when someone creates, renames,
 * archives, deletes or restores one. The browser page itself is not refreshed, because that would reload the editor.
 */
export function useRefreshDocuments(projectId: string): () => Promise<void> {
  const client = useQueryClient();
  const refresh = useCallback(() => readAgain(client, documentsKey(projectId)), [client, projectId]);
  useRealtimeTopic({
    topic: `project:${projectId}`,
    event: 'documents',
    pollMs: POLL_MS,
    onEvent: () => void refresh(),
    onResync: () => void refresh(),
    // A lost event does no harm, because the database refuses to save an archived or deleted document. Rare resyncs are
    // therefore enough.
    isUnfinished: () => false,
  });
  return refresh;
}
