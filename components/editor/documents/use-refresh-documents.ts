'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { readAgain } from '@/hooks/read-again';
import { useRealtimeTopic } from '@/hooks/use-realtime-topic';
import { documentsKey } from './use-documents';

const POLL_MS = 60_000;

/**
 * Returns a function that refetches a project's documents. The hook also refetches them when someone creates, renames,
 * archives, deletes or restores one. Neither refreshes the page itself, because that would reload the editor.
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
    // Rare resyncs are enough: a lost event does no harm, because the database refuses to save an archived or deleted
    // document.
    isUnfinished: () => false,
  });
  return refresh;
}
