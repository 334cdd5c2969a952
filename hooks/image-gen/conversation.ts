import { ApiError } from '@/lib/http/client';
import { coalesced } from '../coalesced';
import { MESSAGES_PAGE, readConversation, readMessagesPage } from './image-gen-calls';
import type { ImageGenStore } from './image-gen-state';

/** Creates the functions that select the current job and read its conversation into the store. */
export function createConversation({ get, dispatch }: ImageGenStore, projectId: string) {
  /** The next read fetches this many messages, but at least one page. Kept if a read fails. */
  let requestedCount = 0;

  const reader = coalesced(async (signal) => {
    const jobId = get().current?.jobId;
    if (!jobId) return;
    const count = requestedCount;
    requestedCount = 0;
    try {
      const conversation = await readConversation(jobId, count, signal);
      // The job id may come from the URL, and the job may belong to another project.
      if (conversation.job.projectId !== projectId) dispatch({ type: 'conversation-missing', jobId });
      else dispatch({ type: 'conversation-read', conversation, at: Date.now() });
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status === 404)
        dispatch({ type: 'conversation-missing', jobId });
      else {
        requestedCount = Math.max(requestedCount, count);
        dispatch({ type: 'read-failed', error });
      }
    }
  });

  /** Makes a job the current one; null clears the current job. Returns false if nothing changed. */
  const open = (jobId: string | null): boolean => {
    if ((get().current?.jobId ?? null) === jobId) return false;
    dispatch({ type: 'selected', jobId });
    requestedCount = 0;
    reader.stop();
    return true;
  };

  return {
    read: reader.run,
    stop: reader.stop,
    selectJob: (jobId: string | null) => {
      if (open(jobId)) void reader.run();
    },
    fetchMessages: (jobId: string) => {
      open(jobId);
      requestedCount = Number.POSITIVE_INFINITY;
      return reader.run();
    },
    fetchEarlierMessages: async () => {
      const { jobId, earlierCursor } = get().current ?? {};
      if (!jobId || !earlierCursor) return;
      try {
        const page = await readMessagesPage(jobId, MESSAGES_PAGE, earlierCursor);
        dispatch({ type: 'conversation-extended', jobId, page, at: Date.now() });
      } catch (error) {
        dispatch({ type: 'read-failed', error });
      }
    },
    /** Reads all shown messages again. */
    renew: () => {
      requestedCount = Math.max(requestedCount, get().current?.messages.length ?? 0);
      return reader.run();
    },
  };
}
