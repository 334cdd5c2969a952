'use client';

import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { showError } from '@/components/feedback/show-error';
import { documentHref } from '../document-url';
import type { ListedKey } from '../documents/documents-calls';
import type { Autosave } from './autosave';
import type { Closed } from './closed';

const words: Record<Closed, { said: string; reopen: string }> = {
  archived: {
    said: 'This document was archived while you were editing it. Your last changes are not saved.',
    reopen: 'Unarchive',
  },
  deleted: {
    said: 'This document was deleted, or you no longer have access to it. Your changes cannot be saved here.',
    reopen: 'Restore document',
  },
};

type ClosedNoticeProps = {
  closed: Closed;
  autosave: Autosave;
  /** Saves the content as a new document and returns its key. */
  onSaveAsNew: () => Promise<ListedKey>;
  /** Unarchives or restores the document, and shows the user any failure. */
  onReopen: () => Promise<void>;
};

/**
 * Says that the open document was archived or deleted elsewhere, or that the user may have lost access to it. Offers to
 * unarchive or restore it, or to save its content as a new document.
 */
export function ClosedNotice({ closed, autosave, onSaveAsNew, onReopen }: ClosedNoticeProps) {
  const [busy, setBusy] = useState<'reopen' | 'copy' | null>(null);
  const { said, reopen } = words[closed];
  const run = async (what: 'reopen' | 'copy', act: () => Promise<void>) => {
    setBusy(what);
    try {
      await act();
    } catch (error) {
      showError('The new document could not be created', error);
    } finally {
      setBusy(null);
    }
  };
  const copy = async () => {
    const key = await onSaveAsNew();
    // Use a full page load, because the editor of this document updates the page's URL at the same time. That update
    // would cancel a client-side navigation.
    window.location.assign(documentHref(key));
  };
  return (
    <Group role="alert" gap="xs">
      <IconAlertTriangle size={18} stroke={1.6} aria-hidden="true" />
      <Text size="sm" flex={1} miw={200}>
        {said}
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={busy === 'reopen'}
        disabled={busy === 'copy'}
        onClick={() =>
          void run('reopen', async () => {
            await onReopen();
            autosave.hurry();
          })
        }
      >
        {reopen}
      </Button>
      <Button
        size="xs"
        loading={busy === 'copy'}
        disabled={busy === 'reopen'}
        onClick={() => void run('copy', copy)}
      >
        Save as new document
      </Button>
    </Group>
  );
}
