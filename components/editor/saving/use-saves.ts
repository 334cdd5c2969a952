'use client';

import { z } from 'zod';
import { useRealtimeTopic } from '@/hooks/use-realtime-topic';
import { documentVersionResponse } from '@/lib/export/schema';
import { readDocumentVersion } from '../document-calls';
import type { Autosave } from './autosave';

const POLL_MS = 15_000;
const saveEvent = documentVersionResponse.extend({ documentId: z.string() });

/** Calls `onVersion` after each save of a document by any user. Can skip or repeat a version. */
export function useSaves(projectId: string, documentId: string, onVersion: Autosave['onVersion']): void {
  useRealtimeTopic({
    topic: `project:${projectId}`,
    event: 'document',
    pollMs: POLL_MS,
    onEvent: (payload) => {
      const saved = saveEvent.safeParse(payload).data;
      if (saved?.documentId === documentId) onVersion(saved.version, saved.savedBy);
    },
    onResync: () => {
      readDocumentVersion({ projectId, documentId }).then(
        ({ version, savedBy }) => onVersion(version, savedBy),
        // Ignore a failed read: the next event or resync makes up for it.
        () => undefined,
      );
    },
    // A lost event does no harm: the next event, resync or save makes up for it.
    isUnfinished: () => false,
  });
}
