'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useCallback } from 'react';
import { readAgain } from '@/hooks/read-again';
import { useRealtimeTopic } from '@/hooks/use-realtime-topic';
import { documentsKey } from './use-documents';

const POLL_MS = 60_000;

/**
 * Returns a function that reads the documents of a project again, and the page that shows one of them. Also does so when
 * someone creates, renames, archives, deletes or restores a document.
 */
export function useRefreshDocuments(projectId: string): () => Promise<void> {
  const router = useRouter();
  const client = useQueryClient();
  const refresh = useCallback(() => {
    router.refresh();
    return readAgain(client, documentsKey(projectId));
  }, [router, client, projectId]);
  useRealtimeTopic({
    topic: `project:${projectId}`,
    event: 'documents',
    pollMs: POLL_MS,
    onEvent: () => void refresh(),
    onResync: () => void readAgain(client, documentsKey(projectId)),
    // A lost event does no harm: the database refuses to save an archived document.
    isUnfinished: () => false,
  });
  return refresh;
}
