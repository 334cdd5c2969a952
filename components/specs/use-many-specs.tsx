'use client';

import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { askToConfirm } from '@/components/feedback/ask-to-confirm';
import { describeError } from '@/components/feedback/describe-error';
import { showError } from '@/components/feedback/show-error';
import { countOf } from '@/components/format/count';
import { MAX_SPECS_AT_ONCE } from '@/lib/specs/schema';
import { deleteSpecs, prepareSpecDownload, type Retried } from './spec-calls';

function retriedText({ retried, skipped }: Retried): string {
  const restarted = `${countOf(retried, 'spec')} restarted.`;
  if (skipped === 0) return restarted;
  return skipped === 1
    ? `${restarted} 1 was not: it has not failed or no longer exists.`
    : `${restarted} ${skipped.toLocaleString('en')} were not: they have not failed or no longer exist.`;
}

export type ManyAction = 'retry' | 'download' | 'delete';

/**
 * Returns actions that retry, download and (after confirmation) delete many specs. Retrying and deleting show their
 * result in a notification. The browser shows the progress of a download, so a download shows a notification only if it
 * cannot start.
 */
export function useManySpecs(onChanged: () => void) {
  const [busy, setBusy] = useState<ManyAction | null>(null);

  /** Runs an action and shows its result in a notification. Returns whether it succeeded. */
  const run = async (action: ManyAction, title: string, act: () => Promise<string>) => {
    setBusy(action);
    try {
      notifications.show({ message: await act() });
      return true;
    } catch (error) {
      notifications.show({ title, message: describeError(error), color: 'red', autoClose: 10_000 });
      return false;
    } finally {
      setBusy(null);
      onChanged();
    }
  };

  return {
    busy,
    retry: (send: () => Promise<Retried>) =>
      run('retry', 'Not all specs could be retried', async () => retriedText(await send())),
    download: async (ids: string[]) => {
      if (ids.length > MAX_SPECS_AT_ONCE) {
        notifications.show({
          message: `One download has at most ${MAX_SPECS_AT_ONCE} specs. Select fewer.`,
          color: 'red',
        });
        return;
      }
      setBusy('download');
      try {
        const link = document.createElement('a');
        link.href = await prepareSpecDownload(ids);
        link.download = 'Specs.zip';
        link.click();
      } catch (error) {
        showError('The specs could not be downloaded', error);
      } finally {
        setBusy(null);
      }
    },
    remove: (ids: string[], onDeleted: () => void) => {
      const specs = countOf(ids.length, 'spec');
      askToConfirm({
        title: `Delete ${specs}?`,
        text: (
          <>
            {ids.length === 1
              ? 'The spec is deleted with its file and its attempts.'
              : `All ${specs} are deleted with their files and attempts.`}{' '}
            This cannot be undone.
          </>
        ),
        action: `Delete ${specs}`,
        onConfirm: () =>
          void run('delete', 'Not all specs could be deleted', async () => {
            const deleted = await deleteSpecs(ids);
            onDeleted();
            return `${countOf(deleted, 'spec')} ${deleted === 1 ? 'was' : 'were'} deleted.`;
          }),
      });
    },
  };
}
