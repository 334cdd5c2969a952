'use client';

import { z } from 'zod';
import { useRealtimeTopic } from '@/hooks/use-realtime-topic';
import { documentVersionResponse } from '@/lib/export/schema';
import { readDocumentVersion } from '../document-calls';
import type { Autosave } from './autosave';

const POLL_MS = 15_000;
const saveEvent = documentVersionResponse.extend({ documentId: z.string() });

/** Calls `onVersion` when any user saves the document. Can skip a version or report it more than once. */
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
    // No extra resyncs are needed, because a lost event does no harm. The next event, resync or save makes up for it.
    isUnfinished: () => false,
  });
}
