'use client';

import { ActionIcon, Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { onDemand } from '@/components/feedback/on-demand';
import type { Project } from '@/lib/projects/schema';
import type { ProjectChanges } from './use-project-changes';

const RenameProjectDialog = onDemand(
  () => import('./rename-project-dialog').then((file) => file.RenameProjectDialog),
  { opened: false },
);
const DeleteProjectDialog = onDemand(
  () => import('./delete-project-dialog').then((file) => file.DeleteProjectDialog),
  { opened: false },
);

type ProjectMenuProps = {
  project: Project;
  changes: ProjectChanges;
  onRenamed: () => unknown;
  onDeleted: () => unknown;
  className?: string;
};

/** Shows the menu that lets an owner rename, archive, unarchive and delete a project. Shows nothing to other users. */
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
      <RenameProjectDialog
        project={project}
        opened={dialog === 'rename'}
        onClose={close}
        onRenamed={onRenamed}
      />
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
