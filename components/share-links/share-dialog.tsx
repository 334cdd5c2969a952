'use client';

import { Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { OfflineBanner } from '@/components/feedback/offline-banner';
import { useEscapeCloses } from '@/components/feedback/use-escape-closes';
import { CopyOnce } from '@/components/format/copy-once';
import { useOnline } from '@/hooks/use-online';
import type { CreatedShareLink, ShareKind } from '@/lib/share-links/schema';
import { NewShareForm } from './new-share-form';
import { ShareLinkList } from './share-link-list';

type ShareDialogProps = {
  projectId: string;
  /** The selected images, which can be shared on their own. */
  imageIds?: string[];
  /** What is chosen at first. */
  initialKind: ShareKind;
  opened: boolean;
  onClose: () => void;
};

/** Creates share links of a project, and lists those that work. */
export function ShareDialog({ projectId, imageIds = [], initialKind, opened, onClose }: ShareDialogProps) {
  const [created, setCreated] = useState<CreatedShareLink | null>(null);
  const [busy, setBusy] = useState(false);
  const online = useOnline();
  const escapeCloses = useEscapeCloses();
  const close = () => {
    // Stay open while the request runs: the URL in its response cannot be shown again.
    if (busy) return;
    setCreated(null);
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      size="lg"
      title={created ? created.name : 'Share'}
      // A stray click or key must not hide a URL that cannot be shown again.
      closeOnClickOutside={created === null}
      closeOnEscape={created === null && escapeCloses}
      closeButtonProps={{ 'aria-label': 'Close', disabled: busy }}
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
            imageIds={imageIds}
            initialKind={initialKind}
            busy={busy}
            onBusy={setBusy}
            onCreated={setCreated}
          />
          <ShareLinkList projectId={projectId} />
        </Stack>
      )}
    </Modal>
  );
}
