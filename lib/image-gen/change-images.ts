import { z } from 'zod';
import { uuid } from '@/lib/http/uuid';
import { retention } from '@/lib/queue/retention';
import { accepted, callRpc } from '@/lib/supabase/call-rpc';
import type { changedResponse } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('changed'), ids: z.array(uuid) }),
  z.object({ outcome: z.literal('not_found') }),
]);
type Changed = z.output<typeof changedResponse>;

/**
 * Stars images of a project, or removes their stars. Throws `not_found` if all of the images are deleted or not in the
 * project.
 */
export async function starImages(projectId: string, imageIds: string[], starred: boolean): Promise<Changed> {
  const args = { p_project: projectId, p_ids: imageIds, p_starred: starred };
  return { imageIds: accepted(await callRpc('star_images', args, outcome)).ids };
}

/**
 * Marks images of a project as deleted. They can be restored for `retention.deletedImagesS` seconds. Throws `not_found`
 * if the project contains none of them.
 */
export async function deleteImages(projectId: string, imageIds: string[]): Promise<Changed> {
  const args = { p_project: projectId, p_ids: imageIds };
  return { imageIds: accepted(await callRpc('delete_images', args, outcome)).ids };
}

/**
 * Restores deleted images of a project. Throws `not_found` if all of them were deleted too long ago or are not in the
 * project.
 */
export async function restoreImages(projectId: string, imageIds: string[]): Promise<Changed> {
  const args = { p_project: projectId, p_ids: imageIds, p_within_s: retention.deletedImagesS };
  return { imageIds: accepted(await callRpc('restore_images', args, outcome)).ids };
}
