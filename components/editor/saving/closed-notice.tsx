'use client';

import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { showError } from '@/components/feedback/show-error';
import { putDocument } from '../document-calls';
import { documentHref } from '../document-url';
import { createDocument } from '../documents/documents-calls';
import type { EditorStore } from '../editor-store';
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
  projectId: string;
  /** The name of the document. */
  name: string;
  store: EditorStore;
  autosave: Autosave;
  /** Unarchives or restores the document; shows failures itself. */
  onReopen: () => Promise<void>;
};

/**
 * Says that the open document was archived or deleted elsewhere, or that the user may have lost access to it. Offers to
 * unarchive or restore it, or to save its content as a new document.
 */
export function ClosedNotice({ closed, projectId, name, store, autosave, onReopen }: ClosedNoticeProps) {
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
    const { document } = store.get();
    const { id, version } = await createDocument(projectId, `${[...name].slice(0, 100).join('')} (copy)`);
    const key = { projectId, documentId: id };
    await putDocument(key, document, version);
    // The new document contains the changes, so discard them here. Ignore a failed read: the old document may have been
    // deleted.
    const theirs = await autosave.takeTheirs().catch(() => null);
    if (theirs)
      store.dispatch({ type: 'document-replaced', document: theirs, message: 'Saved as a new document.' });
    // Use a full page load: the editor of this document updates the page's URL at the same time, which would cancel a
    // client-side navigation.
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
