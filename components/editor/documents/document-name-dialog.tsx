'use client';

import { Modal } from '@mantine/core';
import { ProjectNameForm } from '@/components/projects/project-name-form';
import { useLastKnown } from '@/hooks/use-last-known';

/** The dialog's labels and its initial name. `onSave` creates or renames the document and closes the dialog. */
export type Naming = {
  title: string;
  initial: string;
  action: string;
  onSave: (name: string) => Promise<void>;
};

type DocumentNameDialogProps = {
  /** Null while the dialog is closed. */
  naming: Naming | null;
  onClose: () => void;
};

export function DocumentNameDialog({ naming, onClose }: DocumentNameDialogProps) {
  // Keep the content while the dialog fades out.
  const shown = useLastKnown<Naming | null>(naming ?? undefined, null);
  return (
    <Modal opened={naming !== null} onClose={onClose} title={shown?.title}>
      {shown && (
        <ProjectNameForm
          initial={shown.initial}
          placeholder="e.g. Spec book"
          action={shown.action}
          onSave={shown.onSave}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}
