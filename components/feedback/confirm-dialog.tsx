'use client';

import { Button, Group, getDefaultZIndex, Modal, Text } from '@mantine/core';
import { useState } from 'react';
import type { Question } from './ask-to-confirm';

type ConfirmDialogProps = {
  /** Null while the dialog is closed. */
  question: Question | null;
  onClose: () => void;
};

/** Asks the user to confirm an action. Cancel has the initial focus, so that a stray Enter does not confirm. */
export function ConfirmDialog({ question, onClose }: ConfirmDialogProps) {
  // The dialog keeps its text while it fades out.
  const [shown, setShown] = useState(question);
  if (question && question !== shown) setShown(question);
  const confirm = () => {
    // A second click can arrive while the dialog fades out.
    if (!question) return;
    onClose();
    question.onConfirm();
  };
  return (
    // A confirmation can open on top of another dialog.
    <Modal
      opened={question !== null}
      onClose={onClose}
      title={shown?.title}
      zIndex={getDefaultZIndex('modal') + 1}
    >
      <Text size="sm">{shown?.text}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose} data-autofocus>
          {shown?.cancel ?? 'Cancel'}
        </Button>
        <Button color={(shown?.isDangerous ?? true) ? 'red' : undefined} onClick={confirm}>
          {shown?.action}
        </Button>
      </Group>
    </Modal>
  );
}
