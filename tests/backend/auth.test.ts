import { createServerClient } from '@supabase/ssr';
import { createClient } from '@supabase/supabase-js';
import { hash } from 'bcryptjs';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ok,
  PASSWORD,
  PUBLISHABLE_KEY,
  refused,
  SECRET_KEY,
  sessionOf,
  startTestBackend,
  type TestBackend,
} from '@/tests/backend/support/start-test-backend';

let backend: TestBackend;
beforeAll(async () => {
  backend = await startTestBackend();
});
afterAll(() => backend.end());

const withKey = (token?: string, key = PUBLISHABLE_KEY) => ({
  apikey: key,
  ...(token ? { authorization: `Bearer ${token}` } : {}),
});

/** Creates an account and signs in to it. */
async function newAccount(email: string) {
  const account = {
    email,
    password: PASSWORD,
    email_confirm: true,
    user_metadata: { display_name: 'Alice' },
  };
  ok(await backend.client(SECRET_KEY).auth.admin.createUser(account));
  const client = await backend.signedIn(email);
  return { client, user: ok(await client.auth.getUser()).user };
}

describe('accounts', () => {
  test('sign-up by password, link or anonymously is refused, as the settings say', async () => {
    const { auth } = backend.client();
    const refusals = [
      await auth.signUp({ email: 'walk-in@example.com', password: PASSWORD }),
      await auth.signInWithOtp({ email: 'walk-in@example.com' }),
      await auth.signInAnonymously(),
    ].map(refused);
    expect(refusals.map(({ status, code }) => [status, code])).toEqual([
      [422, 'signup_disabled'],
      [422, 'otp_disabled'],
      [422, 'signup_disabled'],
    ]);
    const settings = await fetch(`${backend.url}/auth/v1/settings`, { headers: withKey() });
    expect(await settings.json()).toMatchObject({ disable_signup: true });
    expect(await backend.sql`select 1 from auth.users where email like 'walk-in%'`).toHaveLength(0);
  });

  test('the admin API creates an account, which runs the trigger on auth.users with real JSON', async () => {
    const { client, user } = await newAccount('alice@example.com');
    expect(user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
    expect(user?.user_metadata.display_name).toBe('Alice');
    expect(user?.identities).toHaveLength(1);
    const profile = ok(await client.from('profiles').select('email, display_name').single());
    expect(profile).toEqual({ email: 'alice@example.com', display_name: 'Alice' });
  });

  test('a refused sign-in has the documented code', async () => {
    const anon = backend.client().auth;
    const wrong = refused(await anon.signInWithPassword({ email: 'bob@example.com', password: 'nope' }));
    expect([wrong.status, wrong.code]).toEqual([400, 'invalid_credentials']);
  });

  test('users seeded by SQL can sign in, regardless of the case of the email address', async () => {
    const client = backend.client();
    const data = ok(await client.auth.signInWithPassword({ email: 'BOB@example.com', password: PASSWORD }));
    expect(data.user?.email).toBe('bob@example.com');
  });
});

describe('access tokens', () => {
  test('access tokens are ES256 with the claims of hosted Supabase', async () => {
    const { token, id } = await sessionOf(await backend.signedIn('admin@example.com'));
    const header = decodeProtectedHeader(token);
    expect(header).toMatchObject({ alg: 'ES256', typ: 'JWT' });
    expect(header.kid).toBeTruthy();
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      iss: `${backend.url}/auth/v1`,
      sub: id,
      aud: 'authenticated',
      role: 'authenticated',
      email: 'admin@example.com',
      phone: '',
      aal: 'aal1',
      is_anonymous: false,
      app_metadata: { role: 'admin', provider: 'email', providers: ['email'] },
      user_metadata: { display_name: 'Admin' },
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.any(String),
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(3_600);
  });

  test('getClaims() verifies a token with the key set alone, without requesting the user', async () => {
    const calls: string[] = [];
    const client = createClient(backend.url, PUBLISHABLE_KEY, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: {
        fetch: (input, init) => {
          calls.push(new URL(input instanceof Request ? input.url : input).pathname);
          return fetch(input, init);
        },
      },
    });
    ok(await client.auth.signInWithPassword({ email: 'admin@example.com', password: PASSWORD }));
    calls.length = 0;
    const first = ok(await client.auth.getClaims());
    expect(first.header.alg).toBe('ES256');
    expect(first.claims.app_metadata?.role).toBe('admin');
    expect(calls).toEqual(['/auth/v1/.well-known/jwks.json']);
    ok(await client.auth.getClaims());
    expect(calls).toHaveLength(1);
  });

  test('a refresh keeps amr and session_id, and picks up changed metadata', async () => {
    const { client, user } = await newAccount('refresh@example.com');
    const before = decodeJwt((await sessionOf(client)).token);
    const service = backend.client(SECRET_KEY);
    ok(await service.auth.admin.updateUserById(user?.id ?? '', { app_metadata: { role: 'admin' } }));
    ok(await client.auth.refreshSession());
    const after = decodeJwt((await sessionOf(client)).token);
    expect(after.amr).toEqual(before.amr);
    expect(after.session_id).toBe(before.session_id);
    expect(after.app_metadata).toMatchObject({ role: 'admin', provider: 'email' });
    expect(ok(await client.rpc('whoami')).app_role).toBe('admin');
    const removed = await service.auth.admin.updateUserById(user?.id ?? '', { app_metadata: { role: null } });
    expect(ok(removed).user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });
  });

  test('forged and unsigned tokens, and tokens with another algorithm, are refused by every service', async () => {
    const { token } = await sessionOf(await backend.signedIn('bob@example.com'));
    const claims = { ...decodeJwt(token), role: 'service_role' };
    const jwks = await fetch(`${backend.url}/auth/v1/.well-known/jwks.json`).then((response) =>
      response.json(),
    );
    const publicKey = new TextEncoder().encode(JSON.stringify(jwks.keys[0]));
    const { kid } = decodeProtectedHeader(token);
    const stranger = await generateKeyPair('ES256');
    const [, body = ''] = token.split('.');
    const bad = {
      tampered: `${token.slice(0, -4)}AAAA`,
      'key set as HS256 secret': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', ...(kid ? { kid } : {}) })
        .sign(publicKey),
      'own key under our kid': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', ...(kid ? { kid } : {}) })
        .sign(stranger.privateKey),
      'own key in the header': await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', jwk: await exportJWK(stranger.publicKey) })
        .sign(stranger.privateKey),
      unsigned: `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${body}.`,
      'not a token': 'a.b.c',
    };
    for (const [name, forged] of Object.entries(bad)) {
      const rest = await fetch(`${backend.url}/rest/v1/documents`, { headers: withKey(forged) });
      expect([name, rest.status, (await rest.json()).code]).toEqual([name, 401, 'PGRST301']);
      const user = await fetch(`${backend.url}/auth/v1/user`, { headers: withKey(forged) });
      expect([name, user.status, (await user.json()).error_code]).toEqual([name, 403, 'bad_jwt']);
      const storage = await fetch(`${backend.url}/storage/v1/bucket`, { headers: withKey(forged) });
      expect([name, storage.status, (await storage.json()).statusCode]).toEqual([name, 400, '403']);
      const admin = await fetch(`${backend.url}/auth/v1/admin/users`, { headers: withKey(forged) });
      expect([name, admin.status]).toEqual([name, 403]);
    }
  });

  test('an expired token is refused as expired', async () => {
    const { readFile } = await import('node:fs/promises');
    const { signingKey } = JSON.parse(await readFile(`${backend.dataDir}/backend-secrets.json`, 'utf8'));
    const { importJWK } = await import('jose');
    const expired = await new SignJWT({ role: 'authenticated', sub: '00000000-0000-4000-8000-000000000002' })
      .setProtectedHeader({ alg: 'ES256', kid: signingKey.kid })
      .setExpirationTime(Math.floor(Date.now() / 1_000) - 5)
      .sign(await importJWK(signingKey, 'ES256'));
    const response = await fetch(`${backend.url}/rest/v1/documents`, { headers: withKey(expired) });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'PGRST303', message: 'JWT expired' });
  });

  test('the secrets file is readable by its owner only', async () => {
    const { stat } = await import('node:fs/promises');
    expect((await stat(`${backend.dataDir}/backend-secrets.json`)).mode & 0o777).toBe(0o600);
  });
});

describe('the signed-in user', () => {
  test('a user can change their own metadata and password, but not app_metadata', async () => {
    const { client } = await newAccount('change@example.com');
    expect(ok(await client.auth.updateUser({ data: { x: 1 } })).user?.user_metadata.x).toBe(1);
    const { token } = await sessionOf(client);
    const response = await fetch(`${backend.url}/auth/v1/user`, {
      method: 'PUT',
      headers: { ...withKey(token), 'content-type': 'application/json' },
      body: JSON.stringify({ app_metadata: { role: 'admin' } }),
    });
    expect((await response.json()).app_metadata?.role).toBeUndefined();
    expect(ok(await client.auth.getUser()).user?.app_metadata.role).toBeUndefined();
    ok(await client.auth.updateUser({ password: 'password1234', current_password: PASSWORD }));
    ok(
      await backend
        .client()
        .auth.signInWithPassword({ email: 'change@example.com', password: 'password1234' }),
    );
  });

  test('a new password requires the current one, and ends the other sessions of the user', async () => {
    const email = 'new-password@example.com';
    const { client } = await newAccount(email);
    const other = await backend.signedIn(email);
    const set = async (current?: string) => {
      const current_password = current === undefined ? {} : { current_password: current };
      const { error } = await client.auth.updateUser({ password: 'password1234', ...current_password });
      return error && [error.status, error.code];
    };
    expect(await set()).toEqual([400, 'current_password_required']);
    expect(await set('')).toEqual([400, 'current_password_required']);
    expect(await set('password1234')).toEqual([400, 'current_password_invalid']);
    const { token } = await sessionOf(client);
    const encoded = await fetch(`${backend.url}/auth/v1/%75ser`, {
      method: 'PUT',
      headers: { ...withKey(token), 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'password1234' }),
    });
    expect(encoded.status).toBe(404);
    ok(await other.auth.refreshSession());
    expect(await set(PASSWORD)).toBeNull();
    expect((await other.auth.refreshSession()).error).not.toBeNull();
    ok(await client.auth.refreshSession());
  });

  test('wrong current passwords count as wrong sign-ins', async () => {
    const email = 'guessed-from-inside@example.com';
    const { client } = await newAccount(email);
    for (let n = 0; n < 10; n += 1) {
      const guess = { password: 'password1234', current_password: `wrong ${n}` };
      expect(refused(await client.auth.updateUser(guess)).code).toBe('current_password_invalid');
    }
    const right = { password: 'password1234', current_password: PASSWORD };
    expect(refused(await client.auth.updateUser(right)).status).toBe(429);
    const signIn = await backend.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect(refused(signIn).status).toBe(429);
  });

  test('signing out ends the session', async () => {
    const client = await backend.signedIn('bob@example.com');
    const { token } = await sessionOf(client);
    expect((await fetch(`${backend.url}/auth/v1/user`, { headers: withKey(token) })).status).toBe(200);
    await client.auth.signOut();
    expect((await fetch(`${backend.url}/auth/v1/user`, { headers: withKey(token) })).status).toBe(403);
  });

  test('a mailed recovery link redirects with a session that is signed with ES256', async () => {
    await newAccount('forgot@example.com');
    backend.lines.length = 0;
    ok(await backend.client().auth.resetPasswordForEmail('forgot@example.com'));
    const mail = backend.lines.find((line) => line.startsWith('mail to forgot@example.com')) ?? '';
    const link = new URL(/https?:\/\/\S+verify\S+/.exec(mail)?.[0] ?? '');
    const address = `${backend.url}/auth/v1/verify${link.search}`;
    const response = await fetch(address, { redirect: 'manual', headers: { apikey: PUBLISHABLE_KEY } });
    expect(response.status).toBe(303);
    const fragment = new URLSearchParams(response.headers.get('location')?.split('#')[1]);
    const token = fragment.get('access_token') ?? '';
    expect(decodeProtectedHeader(token).alg).toBe('ES256');
    expect(decodeJwt(token).amr).toEqual([{ method: 'otp', timestamp: expect.any(Number) }]);
    // The link replaces a forgotten password, so it does not require the current one.
    const set = await fetch(`${backend.url}/auth/v1/user`, {
      method: 'PUT',
      headers: { ...withKey(token), 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'password1234' }),
    });
    expect(set.status).toBe(200);
  });
});

describe('@supabase/ssr', () => {
  test('a session in cookies works in a new server client', async () => {
    const jar = new Map<string, string>();
    const create = () =>
      createServerClient(backend.url, PUBLISHABLE_KEY, {
        cookies: {
          getAll: () => [...jar].map(([name, value]) => ({ name, value })),
          setAll: (cookies) => {
            for (const { name, value } of cookies) value ? jar.set(name, value) : jar.delete(name);
          },
        },
      });
    ok(await create().auth.signInWithPassword({ email: 'admin@example.com', password: PASSWORD }));
    expect(jar.size).toBeGreaterThan(0);
    const later = create();
    expect(ok(await later.auth.getClaims()).claims.app_metadata?.role).toBe('admin');
    expect(ok(await later.auth.getUser()).user?.email).toBe('admin@example.com');
    expect(ok(await later.from('documents').select('id'))).toBeInstanceOf(Array);
  });
});

describe('the admin API', () => {
  test('the admin API creates, lists, reads, changes, bans and deletes users', {
    tags: ['extended'],
  }, async () => {
    const { admin } = backend.client(SECRET_KEY).auth;
    const email = 'made@example.com';
    const { user } = ok(
      await admin.createUser({
        email,
        password: PASSWORD,
        email_confirm: true,
        app_metadata: { role: 'admin' },
      }),
    );
    const id = user?.id ?? '';
    expect(user?.app_metadata).toMatchObject({ role: 'admin', provider: 'email' });
    expect(user?.identities).toHaveLength(1);
    expect(refused(await admin.createUser({ email, password: PASSWORD })).code).toBe('email_exists');
    const client = await backend.signedIn(email);
    expect(ok(await client.rpc('whoami')).app_role).toBe('admin');

    const list = ok(await admin.listUsers({ page: 1, perPage: 2 }));
    expect(list.users).toHaveLength(2);
    expect(Number('total' in list ? list.total : 0)).toBeGreaterThan(2);
    expect(ok(await admin.getUserById(id)).user?.email).toBe(email);
    ok(await admin.updateUserById(id, { user_metadata: { a: 0 } }));
    ok(await client.auth.refreshSession());
    ok(await admin.updateUserById(id, { password: 'another-password', user_metadata: { a: 1 } }));
    expect((await client.auth.refreshSession()).error).not.toBeNull();
    const changed = await backend.client().auth.signInWithPassword({ email, password: 'another-password' });
    expect(ok(changed).user?.user_metadata.a).toBe(1);
    const created = {
      email: 'banned@example.com',
      password: PASSWORD,
      email_confirm: true,
      ban_duration: '24h',
    };
    ok(await admin.createUser(created));
    expect(refused(await backend.client().auth.signInWithPassword(created)).code).toBe('user_banned');
    ok(await admin.updateUserById(id, { ban_duration: '24h' }));
    const banned = await backend.client().auth.signInWithPassword({ email, password: 'another-password' });
    expect(refused(banned).code).toBe('user_banned');
    ok(await admin.deleteUser(id));
    expect(refused(await admin.getUserById(id)).code).toBe('user_not_found');
  });

  test('an account that is created with the hash of a password signs in with that password', async () => {
    const { admin } = backend.client(SECRET_KEY).auth;
    const account = { email: 'hashed@example.com', email_confirm: true };
    expect(refused(await admin.createUser({ ...account, password_hash: PASSWORD })).status).toBe(400);
    ok(await admin.createUser({ ...account, password_hash: await hash(PASSWORD, 4) }));
    expect(ok(await (await backend.signedIn(account.email)).auth.getUser()).user.email).toBe(account.email);
  });

  test('the admin API refuses users and the publishable key', async () => {
    const user = await backend.signedIn('admin@example.com');
    expect(refused(await user.auth.admin.listUsers()).status).toBe(403);
    expect(refused(await backend.client().auth.admin.listUsers()).code).toBe('not_admin');
  });
});

describe('API keys', () => {
  test.each(['/rest/v1/documents', '/auth/v1/user', '/storage/v1/bucket', '/auth/v1/admin/users'])(
    '%s requires a known API key',
    async (path) => {
      expect((await fetch(backend.url + path)).status).toBe(401);
      const unknown = await fetch(backend.url + path, { headers: { apikey: 'sb_publishable_x' } });
      expect(unknown.status).toBe(401);
    },
  );

  test('the secret key is refused from a browser', async () => {
    const headers = { apikey: SECRET_KEY, 'user-agent': 'Mozilla/5.0 (X11)' };
    for (const path of ['/rest/v1/documents', '/storage/v1/bucket', '/auth/v1/admin/users']) {
      expect((await fetch(backend.url + path, { headers })).status).toBe(401);
    }
  });

  test('browsers on another origin may call the backend', async () => {
    for (const path of ['/auth/v1/token', '/rest/v1/documents', '/storage/v1/object/docs/a']) {
      const preflight = await fetch(backend.url + path, {
        method: 'OPTIONS',
        headers: {
          origin: 'http://127.0.0.1:3000',
          'access-control-request-headers': 'apikey, authorization',
        },
      });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
      expect(preflight.headers.get('access-control-allow-headers')).toContain('apikey');
    }
    const response = await fetch(`${backend.url}/auth/v1/settings`, { headers: { apikey: PUBLISHABLE_KEY } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('invalid bodies and guessed passwords', () => {
  const post = (path: string, body: string) =>
    fetch(`${backend.url}/auth/v1/${path}`, { method: 'POST', body, headers: withKey() });

  test.each([
    ['{"email":"bob@example.com","password":["password123"]}', 'a list as the password'],
    ['{"email":{"a":1},"password":"password123"}', 'an object as the email address'],
    ['{"email":"bob@example.com","password":"a\\u0000b"}', 'a NUL'],
    ['[1]', 'a list as body'],
    ['{', 'invalid JSON'],
  ])('the body %s (%s) gets 400, not 500', async (body) => {
    expect((await post('token?grant_type=password', body)).status).toBe(400);
  });

  test('too many wrong passwords block further sign-ins to that account, and to no other', async () => {
    await newAccount('guessed@example.com');
    const guess = (email: string, password: string) =>
      post('token?grant_type=password', JSON.stringify({ email, password })).then(({ status }) => status);
    for (let n = 0; n < 10; n += 1) expect(await guess('guessed@example.com', `wrong ${n}`)).toBe(400);
    expect(await guess('guessed@example.com', PASSWORD)).toBe(429);
    expect(await guess('Guessed@example.com ', PASSWORD)).toBe(429);
    const credentials = JSON.stringify({ email: 'guessed@example.com', password: PASSWORD });
    expect((await post('%74oken?grant_type=password', credentials)).status).toBe(404);
    expect(await guess('bob@example.com', PASSWORD)).toBe(200);
  });
});
