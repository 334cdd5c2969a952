'use client';

import { Modal, type ModalProps } from '@mantine/core';
import { useState } from 'react';
import { useEscapeCloses } from '@/components/feedback/use-escape-closes';
import { ReportBusy } from './use-request';

/**
 * Shows a form in a dialog that stays open while the form's request runs, because the response may contain a secret
 * that no later response contains.
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
