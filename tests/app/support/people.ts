import { randomUUID } from 'node:crypto';
import { createServerClient } from '@supabase/ssr';
import { createClient } from '@supabase/supabase-js';

type Env = Record<string, string>;
export type Person = { id: string; email: string; token: string; headers: { authorization: string } };

const password = 'atelier-demo';
/**
 * A bcrypt hash of `password` with the lowest cost factor, so that creating accounts and signing in are fast. The auth
 * service itself would use a higher cost factor.
 */
const passwordHash = '$2b$04$ZwIUiBD3Z2PAcYOgf5eTr.78NLknBqMXW1XIakmt1A0nUFt3WJ.G2';

function project(env: Env): [url: string, publishableKey: string] {
  return [env.NEXT_PUBLIC_SUPABASE_URL ?? '', env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? ''];
}

/** Signs in through the auth service, for tests that send a bearer token. */
export async function signIn(env: Env, email: string): Promise<Person> {
  const client = createClient(...project(env), { auth: { persistSession: false, autoRefreshToken: false } });
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  const token = data.session.access_token;
  return { id: data.user.id, email, token, headers: { authorization: `Bearer ${token}` } };
}

/** Signs in through the auth service the way the product's pages do; returns the session's cookies. */
export async function sessionCookies(env: Env, email: string): Promise<{ name: string; value: string }[]> {
  const jar = new Map<string, string>();
  const cookies = () => [...jar].map(([name, value]) => ({ name, value }));
  const client = createServerClient(...project(env), {
    cookies: {
      getAll: cookies,
      setAll: (changed) => {
        for (const { name, value } of changed) jar.set(name, value);
      },
    },
  });
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return cookies();
}

/** Signs in the way the product's pages do; returns the `Cookie` header that the browser would send. */
export async function signInWithCookies(env: Env, email: string): Promise<{ cookie: string }> {
  const cookies = await sessionCookies(env, email);
  return { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
}

async function newAccount(env: Env, kind: string, appMetadata: Record<string, string>): Promise<Person> {
  const service = createClient(env.NEXT_PUBLIC_SUPABASE_URL ?? '', env.SUPABASE_SECRET_KEY ?? '', {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const email = `${kind}-${randomUUID()}@atelier.test`;
  const { error } = await service.auth.admin.createUser({
    email,
    password_hash: passwordHash,
    email_confirm: true,
    app_metadata: appMetadata,
  });
  if (error) throw error;
  return signIn(env, email);
}

/**
 * Creates an admin for one test file. The test file can count the rows that this admin has created, without counting
 * rows that other test files create at the same time.
 */
export function newAdmin(env: Env): Promise<Person> {
  return newAccount(env, 'admin', { role: 'admin' });
}

/** Creates an account without roles or projects; its email begins with `kind`. */
export function newUser(env: Env, kind = 'user'): Promise<Person> {
  return newAccount(env, kind, {});
}
