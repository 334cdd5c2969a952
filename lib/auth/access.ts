/**
 * The roles of a project's members, weakest first. A `viewer` can read the project, an `editor` can also change its
 * content, and an `owner` can also manage the project and its members.
 */
export const projectRoles = ['viewer', 'editor', 'owner'] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** The roles of access tokens, weakest first. A token has at most the rights of its role; `admin` sets no limit. */
export const tokenRoles = [...projectRoles, 'admin'] as const;
export type TokenRole = (typeof tokenRoles)[number];

/**
 * The access levels of routes. Every route declares one.
 * - `public`: no authentication; routes for share links and set-password links check the link's token themselves
 * - `signed-in`: any valid session or access token; to write, an access token needs at least the role `owner`
 * - `session`: any valid session, but no access token
 * - `viewer`, `editor`, `owner`: a caller with at least this role in the project that the route specifies; see
 *   `roleInProject`
 * - `admin`: a user with `app_metadata.role = 'admin'`, or a service account; an access token needs the role `admin`
 * - `admin-session`: like `admin`, but no access token, because the access that the route grants outlives the token
 * - `spec-workflow`, `image-workflow`: the workflow service, authenticated by its shared secret
 * - `cron`: the scheduler, authenticated by `CRON_SECRET`
 */
export type Access =
  | 'public'
  | 'signed-in'
  | 'session'
  | ProjectRole
  | 'admin'
  | 'admin-session'
  | 'spec-workflow'
  | 'image-workflow'
  | 'cron';
