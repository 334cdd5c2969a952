'use client';

import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { offerUndo } from '@/components/feedback/offer-undo';
import { showError } from '@/components/feedback/show-error';
import { countOf } from '@/components/format/count';
import { postDelete, postRestore, postStar } from './gallery-calls';

/** Images to change, and how to name them in a message, such as "Image 1.2". */
export type ChosenImages = { ids: string[]; name: string };

/** Names several images by their count, such as "3 images". */
export function imagesNamed(ids: string[]): ChosenImages {
  return { ids, name: countOf(ids.length, 'image') };
}

/** Actions that change images. Each resolves to whether it succeeded. */
export type ImageChanges = {
  star: (chosen: ChosenImages, starred: boolean) => Promise<boolean>;
  /** Deletes without asking first, then offers to undo the deletion. */
  remove: (chosen: ChosenImages) => Promise<boolean>;
  restore: (chosen: ChosenImages) => Promise<boolean>;
};

/**
 * Returns actions that change a project's images and show failures as notifications. `onChanged` must refetch the
 * images shown.
 */
export function useImageChanges(projectId: string, onChanged: () => Promise<unknown>): ImageChanges {
  return useMemo(() => {
    const run = async (title: string, act: () => Promise<unknown>): Promise<boolean> => {
      try {
        await act();
        return true;
      } catch (error) {
        showError(title, error);
        return false;
      } finally {
        // Refetch even after an error, because someone else may have changed the images.
        await onChanged();
      }
    };
    const restore = async ({ ids, name }: ChosenImages) => {
      const restored = await run(`${name} could not be restored`, () => postRestore(projectId, ids));
      if (restored) notifications.show({ message: `${name} restored.` });
      return restored;
    };
    return {
      star: ({ ids, name }, starred) => {
        const title = starred ? `${name} could not be starred` : `The star of ${name} could not be removed`;
        return run(title, () => postStar(projectId, ids, starred));
      },
      remove: async (chosen) => {
        const title = `${chosen.name} could not be deleted`;
        const removed = await run(title, () => postDelete(projectId, chosen.ids));
        if (removed) offerUndo(`${chosen.name} deleted.`, () => void restore(chosen));
        return removed;
      },
      restore,
    };
  }, [projectId, onChanged]);
}
