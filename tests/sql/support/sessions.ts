import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '../../setup/database';

type Sql = TestDatabase['sql'];
/** What a JWT contains: its account, the id of its session, and the role in `app_metadata`. */
export type Session = { account: string; id?: string; role?: string };

export async function openSession(sql: Sql, account: string, role?: string) {
  const id = randomUUID();
  await sql`insert into auth.sessions (id, user_id) values (${id}, ${account})`;
  return { account, id, ...(role === undefined ? {} : { role }) };
}

/** Runs `work` as PostgREST does for a request with the JWT of this session. `headers` are those of the request. */
export function inSession<T>(
  sql: Sql,
  { account, id, role }: Session,
  work: (sql: Sql) => Promise<T>,
  headers: Record<string, string> = {},
): Promise<T> {
  const claims = { sub: account, session_id: id, role: 'authenticated', app_metadata: { role } };
  return sql.begin(async (tx) => {
    await tx`select set_config('role', 'authenticated', true),
      set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
      set_config('request.headers', ${JSON.stringify(headers)}, true)`;
    return work(tx as unknown as Sql);
  }) as Promise<T>;
}

/** Runs `work` as PostgREST does for a request of this account, which has just signed in. */
export async function signedIn<T>(
  sql: Sql,
  account: string,
  work: (sql: Sql) => Promise<T>,
  role?: string,
): Promise<T> {
  return inSession(sql, await openSession(sql, account, role), work);
}
