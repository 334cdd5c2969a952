'use client';

import { Modal, type ModalProps } from '@mantine/core';
import { useState } from 'react';
import { useEscapeCloses } from '@/components/feedback/use-escape-closes';
import { ReportBusy } from './use-request';

/**
 * Shows a form in a dialog, which stays open while a request of the form runs: its response may hold a secret that
 * cannot be shown again.
 */
export function FormDialog({ onClose, closeOnEscape = true, children, ...modal }: ModalProps) {
  const [busy, setBusy] = useState(false);
  const escapeCloses = useEscapeCloses();
  return (
    <Modal
      onClose={() => {
        if (!busy) onClose();
      }}
      closeButtonProps={{ disabled: busy }}
      closeOnEscape={closeOnEscape && escapeCloses}
      {...modal}
    >
      <ReportBusy value={setBusy}>{children}</ReportBusy>
    </Modal>
  );
}
