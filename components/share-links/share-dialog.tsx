'use client';

import { Stack } from '@mantine/core';
import { useState } from 'react';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { FormDialog } from '@/components/form/form-dialog';
import { CopyOnce } from '@/components/format/copy-once';
import { useOnline } from '@/hooks/use-online';
import type { CreatedShareLink, ShareKind } from '@/lib/share-links/schema';
import { NewShareForm } from './new-share-form';
import { ShareLinkList } from './share-link-list';

type ShareDialogProps = {
  projectId: string;
  /** The document that is selected initially; the main document if undefined. */
  documentId?: string;
  /** The ids of the selected images. A link can share these images without the rest of the gallery. */
  imageIds?: string[];
  /** The kind that is selected initially. */
  initialKind: ShareKind;
  opened: boolean;
  onClose: () => void;
};

/** Shows a dialog that creates share links for a project and lists the active ones. */
export function ShareDialog(props: ShareDialogProps) {
  const { projectId, documentId, imageIds = [], initialKind, opened, onClose } = props;
  const [created, setCreated] = useState<CreatedShareLink | null>(null);
  const online = useOnline();
  const close = () => {
    setCreated(null);
    onClose();
  };
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      size="lg"
      title={created ? created.name : 'Share'}
      // A stray click or key must not hide a URL that cannot be shown again.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null}
    >
      {created ? (
        <CopyOnce
          noun="link"
          value={created.url}
          notice="It is not shown again. Anyone with the link can open it."
          onDone={close}
        />
      ) : (
        <Stack gap="xl">
          {!online && <OfflineBanner />}
          <NewShareForm
            projectId={projectId}
            documentId={documentId}
            imageIds={imageIds}
            initialKind={initialKind}
            onCreated={setCreated}
          />
          <ShareLinkList projectId={projectId} />
        </Stack>
      )}
    </FormDialog>
  );
}
