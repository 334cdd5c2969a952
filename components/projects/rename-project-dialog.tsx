'use client';

import { Modal } from '@mantine/core';
import type { Project } from '@/lib/projects/schema';
import { renameProject } from './project-calls';
import { ProjectNameForm } from './project-name-form';

type RenameProjectDialogProps = {
  project: Project;
  opened: boolean;
  onClose: () => void;
  onRenamed: () => unknown;
};

/** Asks for a new name for a project and saves it. */
export function RenameProjectDialog({ project, opened, onClose, onRenamed }: RenameProjectDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Rename project">
      <ProjectNameForm
        initial={project.name}
        action="Rename"
        onSave={async (name) => {
          await renameProject(project.id, name);
          onClose();
          await onRenamed();
        }}
        onCancel={onClose}
      />
    </Modal>
  );
}
