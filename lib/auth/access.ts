/** The roles of a project's members, weakest first: `viewer` reads, `editor` works, `owner` manages. */
export const projectRoles = ['viewer', 'editor', 'owner'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/**
 * Who may call a route. One value for each kind of caller; every route names one.
 * - `public`: anybody
 * - `signed-in`: any valid session or token
 * - `viewer`, `editor`, `owner`: a member of the project with this role or a stronger one; the route says which project
 * - `admin`: `app_metadata.role = 'admin'`
 * - `spec-workflow`, `image-workflow`: the workflow service, by its shared secret alone
 * - `cron`: the scheduler, by `CRON_SECRET`
 */
export type Access =
  | 'public'
  | 'signed-in'
  | ProjectRole
  | 'admin'
  | 'spec-workflow'
  | 'image-workflow'
  | 'cron';
