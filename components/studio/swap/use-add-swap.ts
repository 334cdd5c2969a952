'use client';

import { notifications } from '@mantine/notifications';
import { useRef, useState } from 'react';
import { documentHref } from '@/components/editor/document-url';
import { readDocuments } from '@/components/editor/documents/documents-calls';
import { type Addition, additionOf } from '@/components/editor/handover/add-to-document';
import { lastDocument } from '@/components/editor/handover/last-document';
import { notifyAdded } from '@/components/editor/handover/notify-added';
import { missingMessage } from '@/components/editor/handover/page-content';
import { SendError, saveAddition } from '@/components/editor/handover/save-addition';
import { readSchedule } from '@/components/editor/pickers/material-pick';
import { showError } from '@/components/feedback/show-error';
import type { SwapWithJobs } from '@/lib/image-gen/swaps/schema';
import { jobsWithImage, materialOfJob, swapContent } from './swap-content';

/** A page to add. `shown` lists the paths of its images, so that a change of the swap's images can be detected. */
type Prepared = { shown: string; addition: Addition };

/**
 * Returns `add` and `busy`. `add` adds a swap as a new page to a document, and shows the outcome as a notification. It
 * uses the document to which the user last chose to add content or, without one, the project's first document. `busy`
 * is true while `add` is running.
 */
export function useAddSwap(projectId: string) {
  const [busy, setBusy] = useState(false);
  // Kept so that a retry after a lost response does not add the page twice.
  const prepared = useRef<Prepared | null>(null);

  const prepare = async (swap: SwapWithJobs): Promise<Addition> => {
    const jobs = jobsWithImage(swap);
    const shown = [swap.source, ...jobs.map(({ cover }) => cover)].map((image) => image?.path).join('\n');
    if (prepared.current?.shown === shown) return prepared.current.addition;
    const { rows, missing } = await readSchedule(jobs.map(materialOfJob));
    if (missing > 0) {
      notifications.show({ color: 'yellow', message: missingMessage(missing) });
    }
    const addition = additionOf(swapContent(swap, rows));
    prepared.current = { shown, addition };
    return addition;
  };

  const add = async (swap: SwapWithJobs) => {
    setBusy(true);
    try {
      const documents = await readDocuments(projectId, 'active');
      const key = { projectId, documentId: lastDocument(projectId, documents)?.id };
      const { pageId, isSaved } = await saveAddition(key, await prepare(swap), { kind: 'new' });
      prepared.current = null;
      const title = isSaved ? 'Added as a new page' : 'Added as a new page, but not saved yet';
      notifyAdded(title, documentHref(key, pageId), isSaved);
    } catch (error) {
      showError("Couldn't add to the document", error instanceof SendError ? error.cause : error);
    } finally {
      setBusy(false);
    }
  };
  return { add, busy };
}
