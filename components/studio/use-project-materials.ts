'use client';

import { useLocalStorage } from '@mantine/hooks';
import { z } from 'zod';
import { type MaterialPayload, materialPayload } from '@/lib/image-gen/schema';

const materials = z.array(materialPayload);
const none: MaterialPayload[] = [];

function readMaterials(text: string | undefined): MaterialPayload[] {
  try {
    return materials.parse(JSON.parse(text ?? '[]'));
  } catch {
    return none;
  }
}

/**
 * Returns the materials that a user has chosen for new images of a project, and their setter. They are stored in this
 * browser, separately for each user and project.
 */
export function useProjectMaterials(userId: string, projectId: string) {
  return useLocalStorage({
    key: `atelier:materials:${userId}:${projectId}`,
    defaultValue: none,
    deserialize: readMaterials,
  });
}
