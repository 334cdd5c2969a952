'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { readAgain } from '@/hooks/read-again';
import { useRealtimeTopic } from '@/hooks/use-realtime-topic';
import { documentsKey } from './use-documents';

const POLL_MS = 60_000;

/**
 * Returns a function that reads the documents of a project again. Also reads them when someone creates, renames,
 * archives, deletes or restores one. The page itself is not refreshed, because that would reload the editor.
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
    // A lost event does no harm: the database refuses to save an archived document.
    isUnfinished: () => false,
  });
  return refresh;
}
