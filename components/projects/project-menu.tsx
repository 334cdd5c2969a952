'use client';

import { ActionIcon, Menu, Modal } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Project } from '@/lib/projects/schema';
import { DeleteProjectDialog } from './delete-project-dialog';
import { renameProject } from './project-calls';
import { ProjectNameForm } from './project-name-form';
import type { ProjectChanges } from './use-project-changes';

type ProjectMenuProps = {
  project: Project;
  changes: ProjectChanges;
  onRenamed: () => unknown;
  onDeleted: () => unknown;
  className?: string;
};

/** Shows the menu with which an owner renames, archives and deletes a project. Shows nothing to others. */
export function ProjectMenu({ project, changes, onRenamed, onDeleted, className }: ProjectMenuProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const close = () => setDialog(null);
  if (project.role !== 'owner') return null;
  return (
    <>
      <Menu position="bottom-end" width={180}>
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            className={className}
            aria-label={`More for ${project.name}`}
          >
            <IconDots size={18} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setDialog('rename')}>
            Rename
          </Menu.Item>
          {project.archivedAt === null ? (
            <Menu.Item leftSection={<IconArchive size={16} />} onClick={() => void changes.archive(project)}>
              Archive
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconArchiveOff size={16} />}
              onClick={() => void changes.unarchive(project)}
            >
              Unarchive
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => setDialog('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={dialog === 'rename'} onClose={close} title="Rename project">
        <ProjectNameForm
          initial={project.name}
          action="Rename"
          onSave={async (name) => {
            await renameProject(project.id, name);
            close();
            await onRenamed();
          }}
          onCancel={close}
        />
      </Modal>
      <DeleteProjectDialog
        name={project.name}
        opened={dialog === 'delete'}
        onClose={close}
        onDelete={async () => {
          const removed = await changes.remove(project);
          if (removed) await onDeleted();
          return removed;
        }}
      />
    </>
  );
}
