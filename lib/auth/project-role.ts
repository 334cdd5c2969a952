import { HttpError } from '@/lib/errors/problem';
import { retention } from '@/lib/queue/retention';
import { dataOf } from '@/lib/supabase/database-error';
import { type ProjectRole, projectRoles, tokenRoles } from './access';
import { accountNow } from './account';
import { type Caller, unauthenticated } from './caller';

/**
 * How a route identifies the project: by its id, or by the id of one of its image jobs, export jobs or image swaps.
 * `deletedProjectId` finds only deleted projects; the route that restores a project uses it. The other ids do not find
 * deleted projects.
 */
export type ProjectOf =
  | { projectId: string }
  | { imageJobId: string }
  | { exportJobId: string }
  | { imageSwapId: string }
  | { deletedProjectId: string };

const strongest = 'owner';

/**
 * Returns the caller's role in a project, by the same rules as `private.project_role` in the database. `memberRole` is
 * the caller's role as a member of the project, or null for a non-member. Admins have every right in every project. A
 * service token gives its role in every project. An access token never gives more rights than its own role.
 */
export function roleInProject(
  { isAdmin, limit }: Caller,
  memberRole: ProjectRole | null,
): ProjectRole | null {
  if (isAdmin) return strongest;
  const granted = limit?.isService ? strongest : memberRole;
  if (!granted) return null;
  return projectRoles.find((role) => role === granted || role === limit?.role) ?? null;
}

const isTokenWeaker = ({ limit }: Caller, needed: ProjectRole) =>
  limit !== null && tokenRoles.indexOf(limit.role) < tokenRoles.indexOf(needed);

/** Returns the error for a caller who is no admin, or whose access token or project membership is weaker than `needed`. */
export function forbiddenRole(caller: Caller, needed: ProjectRole | 'admin'): HttpError {
  if (needed === 'admin') return new HttpError('forbidden', 'This needs the admin role.');
  return isTokenWeaker(caller, needed)
    ? new HttpError('forbidden', `This needs an access token with the role ${needed}.`)
    : new HttpError('forbidden', `This needs the role ${needed} in the project.`);
}

/** Throws `forbidden` if the caller's access token is limited to a role weaker than `needed`. */
export function requireTokenRole(caller: Caller, needed: ProjectRole): void {
  if (isTokenWeaker(caller, needed)) throw forbiddenRole(caller, needed);
}

/** Returns the error for a project that the caller does not see. It may be hidden because the session has just ended. */
async function unseen({ userId, sessionId }: Caller): Promise<HttpError> {
  const hasEnded = sessionId !== null && !(await accountNow(userId, sessionId)).isActive;
  return hasEnded ? unauthenticated() : new HttpError('not_found');
}

async function projectOfSwap(caller: Caller, swapId: string): Promise<string> {
  const [swap] = dataOf(await caller.db.from('image_swaps').select('project_id').eq('id', swapId).limit(1));
  if (!swap) throw await unseen(caller);
  return swap.project_id;
}

/** Returns the arguments with which `project_access` finds the project. */
async function projectArgs(caller: Caller, of: ProjectOf) {
  if ('projectId' in of) return { p_project: of.projectId };
  if ('imageJobId' in of) return { p_image_job: of.imageJobId };
  if ('exportJobId' in of) return { p_export_job: of.exportJobId };
  if ('imageSwapId' in of) return { p_project: await projectOfSwap(caller, of.imageSwapId) };
  return { p_project: of.deletedProjectId, p_deleted_within_s: retention.deletedProjectsS };
}

/**
 * Returns the project's id if the caller has at least the role `needed` in the project. Throws the same `not_found`
 * error for an unknown id and for a project that the caller is not allowed to see. Throws `unauthenticated` if the
 * session has just ended, and `forbidden` if the role is too weak.
 */
export async function requireProjectRole(
  caller: Caller,
  of: ProjectOf,
  needed: ProjectRole,
): Promise<string> {
  const [found] = dataOf(await caller.db.rpc('project_access', await projectArgs(caller, of)));
  if (!found) throw await unseen(caller);
  const roles: readonly string[] = projectRoles;
  if (roles.indexOf(found.role) < roles.indexOf(needed)) throw forbiddenRole(caller, needed);
  return found.project_id;
}
