'use client';

import { Modal, type ModalProps } from '@mantine/core';
import { useState } from 'react';
import { ReportBusy } from './use-request';

/**
 * Shows a form in a dialog, which stays open while a request of the form runs: its response may hold a secret that
 * cannot be shown again.
 */
export function FormDialog({ onClose, children, ...modal }: ModalProps) {
  const [busy, setBusy] = useState(false);
  return (
    <Modal
      onClose={() => {
        if (!busy) onClose();
      }}
      closeButtonProps={{ 'aria-label': 'Close', disabled: busy }}
      {...modal}
    >
      <ReportBusy value={setBusy}>{children}</ReportBusy>
    </Modal>
  );
}
