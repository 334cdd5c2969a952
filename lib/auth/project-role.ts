import { HttpError } from '@/lib/http/problem';
import { costlyBounds, requireTurn } from '@/lib/rate-limit/take';
import { databaseError } from '@/lib/supabase/database-error';
import { type ProjectRole, projectRoles } from './access';
import type { Caller } from './caller';

/** What a route says of the project that a call is about: its id, or the image job or export job that belongs to it. */
export type ProjectOf = { projectId: string } | { imageJobId: string } | { exportJobId: string };

/**
 * Lets a caller go on who has at least `needed` in the project, and answers the project's id. What the caller may not
 * see does not exist for them: `not_found`, the same words as for an unknown id. A weaker role: `forbidden`.
 * A costly start is counted with the same question: `rate_limited`.
 */
export async function requireProjectRole(
  caller: Caller,
  of: ProjectOf,
  needed: ProjectRole,
  isCostly = false,
): Promise<string> {
  const { data, error, status } = await caller.db.rpc('project_access', {
    p_project: 'projectId' in of ? of.projectId : undefined,
    p_image_job: 'imageJobId' in of ? of.imageJobId : undefined,
    p_export_job: 'exportJobId' in of ? of.exportJobId : undefined,
    ...(isCostly ? costlyBounds() : {}),
  });
  if (error) throw databaseError(error, status);
  const found = data[0];
  if (!found) throw new HttpError('not_found');
  const roles: readonly string[] = projectRoles;
  if (roles.indexOf(found.role) < roles.indexOf(needed)) {
    throw new HttpError('forbidden', `This needs the role ${needed} in the project.`);
  }
  requireTurn(found.wait_ms);
  return found.project_id;
}
