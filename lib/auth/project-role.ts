import { HttpError } from '@/lib/errors/problem';
import { costlyBounds, rejectIfLimited } from '@/lib/rate-limit/limit';
import { databaseError } from '@/lib/supabase/database-error';
import { type ProjectRole, projectRoles, tokenRoles } from './access';
import type { Caller } from './caller';

/** How a route identifies the project of a call: its id, or the id of one of its image jobs or export jobs. */
export type ProjectOf = { projectId: string } | { imageJobId: string } | { exportJobId: string };

const strongest = 'owner';

/**
 * The caller's role in a project where the caller is a member with `memberRole`, like `private.own_role` in the
 * database. An admin has every right in every project, and the token of a service has its role there. No access token
 * gives more rights than its role.
 */
export function roleInProject(
  { isAdmin, limit }: Caller,
  memberRole: ProjectRole | null,
): ProjectRole | null {
  if (isAdmin) return strongest;
  const given = limit?.isService ? strongest : memberRole;
  if (!given) return null;
  return projectRoles.find((role) => role === given || role === limit?.role) ?? null;
}

/** Throws `forbidden` when the caller has an access token that is limited to a weaker role. */
export function requireTokenRole({ limit }: Caller, needed: ProjectRole): void {
  if (limit && tokenRoles.indexOf(limit.role) < tokenRoles.indexOf(needed)) {
    throw new HttpError('forbidden', `This needs an access token with the role ${needed}.`);
  }
}

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
    requireTokenRole(caller, needed);
    throw new HttpError('forbidden', `This needs the role ${needed} in the project.`);
  }
  rejectIfLimited(found.wait_ms);
  return found.project_id;
}
