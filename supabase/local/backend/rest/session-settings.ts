import type { PostgresConnection } from '@supabase/lite/postgres';
import { type Kysely, sql } from 'kysely';

type Session = {
  auth?: { role?: string; uid?: string; jwt?: object };
  storage?: { operation?: string };
};

/** Returns a request's path as PostgREST reports it, without the gateway's prefix. */
const restPath = (url: string) => new URL(url).pathname.replace(/^\/rest\/v1/, '');

/**
 * Selects the value of a setting that was set for `role` with `alter role`. If it was not set for `role`, selects the
 * value that was set for `authenticator`, as PostgREST does.
 */
function roleSetting(name: string, role: string) {
  return sql`(select substr(setting, ${name.length + 2}) from pg_catalog.pg_roles, unnest(rolconfig) setting
    where rolname in (${role}, 'authenticator') and starts_with(setting, ${`${name}=`})
    order by rolname = 'authenticator' limit 1)`;
}

/** Selects the statement timeout of the function that a request calls, if the function has one, as PostgREST does. */
function functionTimeout(path: string) {
  const name = path.startsWith('/rpc/') ? path.slice('/rpc/'.length) : '';
  return sql`(select split_part(setting, '=', 2) from pg_catalog.pg_proc, unnest(proconfig) setting
    where pronamespace = 'public'::regnamespace and proname = ${name} and starts_with(setting, 'statement_timeout=')
    limit 1)`;
}

/**
 * Makes lite set the role, timeouts and other settings of a request as PostgREST does. By itself, lite sets no timeouts,
 * and it sets `request.headers` only for function calls.
 */
export function applySettings(
  connection: PostgresConnection,
  currentRequest: () => Pick<Request, 'method' | 'url' | 'headers'> | undefined,
): void {
  Object.assign(connection, {
    applyJwtSessionContext: async (db: Kysely<unknown>, { auth, storage }: Session) => {
      const role = auth?.role || 'anon';
      const claims = auth?.jwt ? JSON.stringify(auth.jwt) : '';
      const request = currentRequest();
      const path = request ? restPath(request.url) : '';
      await sql`select set_config('role', ${role}, true),
        set_config('request.jwt.claim.sub', ${String(auth?.uid ?? '')}, true),
        set_config('request.jwt.claim.role', ${role}, true),
        set_config('request.jwt.claims', ${claims}, true),
        set_config('request.headers', ${JSON.stringify(Object.fromEntries(request?.headers ?? []))}, true),
        set_config('request.method', ${request?.method ?? ''}, true),
        set_config('request.path', ${path}, true),
        set_config('response.status', '', true), set_config('response.headers', '', true),
        set_config('storage.operation', ${storage?.operation ?? ''}, true),
        set_config('statement_timeout',
          coalesce(${functionTimeout(path)}, ${roleSetting('statement_timeout', role)}, '0'), true),
        set_config('lock_timeout', coalesce(${roleSetting('lock_timeout', role)}, '0'), true)`.execute(db);
    },
    // Do nothing. lite calls `applyJwtSessionContext` first, which also sets the settings of a function call.
    applyRpcRequestGucs: async () => {},
  });
}
