'use client';

import { Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ProjectNameForm } from '@/components/projects/project-name-form';
import { readAgain } from '@/hooks/read-again';
import { createSubmitOnce } from '@/hooks/submit-once';
import { useLastKnown } from '@/hooks/use-last-known';
import { useEditorContext } from '../use-editor';
import { templateOf } from './own-template';
import { createTemplate, templatesKey } from './own-template-calls';

type SaveTemplateDialogProps = {
  /** The page to save; null while the dialog is closed. */
  pageId: string | null;
  onClose: () => void;
};

/** Asks for a name and saves a page as a template for all projects. */
export function SaveTemplateDialog({ pageId, onClose }: SaveTemplateDialogProps) {
  const { store, projectId } = useEditorContext();
  const client = useQueryClient();
  const [submitOnce] = useState(createSubmitOnce);
  const shown = useLastKnown<string | null>(pageId ?? undefined, null);
  const page = store.get().document.pages.find(({ id }) => id === shown);
  return (
    <Modal opened={pageId !== null} onClose={onClose} title="Save page as template">
      {page && (
        <ProjectNameForm
          initial={page.title}
          description="Everyone who edits documents of the studio can use it."
          placeholder="e.g. Material board"
          action="Save"
          onSave={async (name) => {
            const body = { name, content: templateOf(store.get().document, page) };
            await submitOnce(JSON.stringify(body), (key) => createTemplate(projectId, body, key));
            onClose();
            notifications.show({ message: `${name} was saved. You find it under Templates.` });
            await readAgain(client, templatesKey);
          }}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}
