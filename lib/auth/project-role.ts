import { HttpError } from '@/lib/http/problem';
import { costlyBounds, requireTurn } from '@/lib/rate-limit/take';
import { databaseError } from '@/lib/supabase/database-error';
import { type ProjectRole, projectRoles } from './access';
import type { Caller } from './caller';

/** How a route identifies the project of a call: its id, or the id of one of its image jobs or export jobs. */
export type ProjectOf = { projectId: string } | { imageJobId: string } | { exportJobId: string };

/**
 * Requires a role of at least `needed` in the project and returns the project's id. Throws `not_found` for a project
 * that the caller may not see, with the same detail as for an unknown id, and `forbidden` when the role is too weak.
 * A costly start is counted in the same query: `rate_limited`.
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
