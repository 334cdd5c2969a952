'use client';

import { type Pages, usePages } from '@/hooks/use-pages';
import type { ProjectImage } from '@/lib/projects/schema';
import { readImages } from './project-calls';

/**
 * Returns the images that were uploaded to a project or copied into it, newest first. Reads them each time `enabled`
 * becomes true.
 */
export function useProjectImages(projectId: string, enabled = true): Pages<ProjectImage> {
  return usePages({
    queryKey: ['project-images', projectId],
    read: async (cursor, signal) => {
      const { images, nextCursor } = await readImages(projectId, cursor, signal);
      return { items: images, nextCursor };
    },
    enabled,
  });
}
