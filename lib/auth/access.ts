/** The roles of a project's members, weakest first: `viewer` reads, `editor` works, `owner` manages. */
export const projectRoles = ['viewer', 'editor', 'owner'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** The roles that an access token can be limited to, weakest first: its project roles and `admin`, which has no limit. */
export const tokenRoles = [...projectRoles, 'admin'] as const;
export type TokenRole = (typeof tokenRoles)[number];

/**
 * Access levels of routes. Every route names one.
 * - `public`: no authentication
 * - `signed-in`: any valid session or access token; a write needs at least the role `owner` of an access token
 * - `session`: any valid session, but no access token
 * - `viewer`, `editor`, `owner`: a member of the project with this role or a higher one; the route defines the project
 * - `admin`: `app_metadata.role = 'admin'`
 * - `spec-workflow`, `image-workflow`: the workflow service, by its shared secret
 * - `cron`: the scheduler, by `CRON_SECRET`
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'session'
  | ProjectRole
  | 'admin'
  | 'spec-workflow'
  | 'image-workflow'
  | 'cron';
