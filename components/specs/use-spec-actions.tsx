'use client';

import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { showError } from '@/components/feedback/show-error';
import type { Spec } from '@/lib/specs/schema';
import { deleteSpec, processSpecAgain, readDownloadUrl, retrySpec, stopSpec } from './spec-calls';

type Action = 'retry' | 'again' | 'stop' | 'delete' | 'download';
/** `onRetried` is called after an attempt to retry, stop or reprocess the spec, even if the attempt failed. */
type After = { onRetried: () => void; onDeleted: () => void };

/**
 * Returns the actions on a spec, and `busy`, the action that is running. `processAgain`, `stop` and `remove` ask for
 * confirmation first. Failures are shown as notifications.
 */
export function useSpecActions(spec: Spec, { onRetried, onDeleted }: After) {
  const [busy, setBusy] = useState<Action | null>(null);
  const { specUploadId, fileName } = spec;

  const run = async (action: Action, title: string, act: () => Promise<void>) => {
    setBusy(action);
    try {
      await act();
    } catch (error) {
      showError(title, error);
    } finally {
      setBusy(null);
    }
  };

  return {
    busy,
    retry: () =>
      run('retry', `${fileName} could not be retried`, async () => {
        await retrySpec(specUploadId).finally(onRetried);
      }),
    processAgain: () =>
      askToConfirm({
        title: 'Process this spec again?',
        text: (
          <>
            <strong>{fileName}</strong> is sent to the workflow service again. The new result replaces the
            current one.
          </>
        ),
        action: 'Process again',
        isDangerous: false,
        onConfirm: () =>
          void run('again', `${fileName} could not be processed again`, async () => {
            await processSpecAgain(specUploadId).finally(onRetried);
          }),
      }),
    stop: () =>
      askToConfirm({
        title: 'Stop this spec?',
        text: (
          <>
            <strong>{fileName}</strong> is marked as failed, and later reports from the workflow service are
            ignored. You can try again afterwards.
          </>
        ),
        action: 'Stop',
        cancel: 'Keep processing',
        onConfirm: () =>
          void run('stop', `${fileName} could not be stopped`, async () => {
            await stopSpec(specUploadId).finally(onRetried);
          }),
      }),
    download: () =>
      run('download', `${fileName} could not be downloaded`, async () => {
        const url = await readDownloadUrl(specUploadId);
        if (!url) {
          notifications.show({
            message: 'File storage is unavailable. Try again in a moment.',
            color: 'red',
          });
          return;
        }
        const link = document.createElement('a');
        link.href = url;
        // Open another tab, because a download in this one would trigger the warning about uploads in progress.
        link.target = '_blank';
        link.rel = 'noopener';
        link.click();
      }),
    remove: () =>
      askToConfirm({
        title: 'Delete this spec?',
        text: (
          <>
            This permanently deletes <strong>{fileName}</strong> and its history.
          </>
        ),
        action: 'Delete spec',
        cancel: 'Keep spec',
        onConfirm: () =>
          void run('delete', `${fileName} could not be deleted`, async () => {
            await deleteSpec(specUploadId);
            notifications.show({ message: `${fileName} was deleted.` });
            onDeleted();
          }),
      }),
  };
}
