'use client';

import { Modal } from '@mantine/core';
import { CopyOnce } from '@/components/format/copy-once';

type LinkDialogProps = {
  /** Null while no link is shown. */
  shown: { email: string; url: string; purpose: 'invitation' | 'reset' } | null;
  onClose: () => void;
};

/** Shows a link for choosing a password, with a button that copies it. The link cannot be shown again. */
export function LinkDialog({ shown, onClose }: LinkDialogProps) {
  return (
    <Modal
      opened={shown !== null}
      onClose={onClose}
      title={shown?.purpose === 'reset' ? 'Password link' : 'Invitation'}
      // A stray click or key must not hide a link that cannot be shown again.
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      {shown && (
        <CopyOnce
          noun="link"
          value={shown.url}
          notice={`It is not shown again. Give it to ${shown.email} only. It works once, ${
            shown.purpose === 'reset' ? 'within an hour' : 'within 7 days'
          }.`}
          onDone={onClose}
        />
      )}
    </Modal>
  );
}
