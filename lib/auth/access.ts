/**
 * Who may call a route. One value for each kind of caller; every route names one.
 * - `public`: anybody
 * - `signed-in`: any valid session or token
 * - `admin`: `app_metadata.role = 'admin'`
 * - `spec-workflow`, `image-workflow`: the workflow service, by its shared secret alone
 * - `cron`: the scheduler, by `CRON_SECRET`
 */
export type Access = 'public' | 'signed-in' | 'admin' | 'spec-workflow' | 'image-workflow' | 'cron';
