'use client';

import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { offerUndo } from '@/components/feedback/offer-undo';
import { showError } from '@/components/feedback/show-error';
import type { Project } from '@/lib/projects/schema';
import { archiveProject, deleteProject, restoreProject } from './project-calls';

type Named = Pick<Project, 'id' | 'name'>;

/** Actions that change the state of a project. They show failures as notifications. */
export type ProjectChanges = {
  archive: (project: Named) => Promise<void>;
  unarchive: (project: Named) => Promise<void>;
  /**
   * Deletes the project and offers to undo the deletion. Resolves to whether the deletion succeeded. If it did, the
   * caller must leave the project's page or refetch the list of projects.
   */
  remove: (project: Named) => Promise<boolean>;
  restore: (project: Named) => Promise<void>;
};

/** Returns actions that change projects. `onChanged` must refetch the projects that the page shows. */
export function useProjectChanges(onChanged: () => unknown): ProjectChanges {
  return useMemo(() => {
    const run = async (title: string, act: () => Promise<unknown>): Promise<boolean> => {
      try {
        await act();
        return true;
      } catch (error) {
        showError(title, error);
        return false;
      } finally {
        // Refetch even after an error, because another owner may have changed the project.
        await onChanged();
      }
    };
    const unarchive = async ({ id, name }: Named) => {
      if (await run(`${name} could not be unarchived`, () => archiveProject(id, false))) {
        notifications.show({ message: `${name} unarchived.` });
      }
    };
    const restore = async ({ id, name }: Named) => {
      if (await run(`${name} could not be restored`, () => restoreProject(id))) {
        notifications.show({ message: `${name} restored.` });
      }
    };
    return {
      unarchive,
      restore,
      archive: async (project) => {
        const title = `${project.name} could not be archived`;
        if (await run(title, () => archiveProject(project.id, true))) {
          offerUndo(`${project.name} archived.`, () => void unarchive(project));
        }
      },
      remove: async (project) => {
        try {
          await deleteProject(project.id);
        } catch (error) {
          showError(`${project.name} could not be deleted`, error);
          return false;
        }
        offerUndo(`${project.name} deleted.`, () => void restore(project));
        return true;
      },
    };
  }, [onChanged]);
}
