import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Access } from '@/lib/auth/access';
import {
  accessTable,
  type CallerKind,
  callers,
  everyMethod,
  pathOf,
  type Row,
} from '@/tests/app/support/access-table';
import { type MadeToken, makeToken } from '@/tests/app/support/access-tokens';
import { type Api, apiAt, excerpt, expectProblem } from '@/tests/app/support/api';
import { newAdmin, type Person } from '@/tests/app/support/people';
import { loadRoute, routes } from '@/tests/app/support/route-files';
import { makeTeam, type Team } from '@/tests/app/support/team';

const { url, env } = inject('atelier');
let people: Record<'admin' | 'owner' | 'member' | 'viewer' | 'stranger', Person>;
let team: Team;
let admin: Api;
let tokens: MadeToken[];

beforeAll(async () => {
  team = await makeTeam();
  people = { ...team, member: team.editor, admin: await newAdmin(env) };
  admin = apiAt(url, people.admin.headers);
  tokens = [
    await makeToken(team.owner.api, { role: 'viewer' }),
    await makeToken(admin, { role: 'viewer', kind: 'service' }),
  ];
});

type Headers = Record<string, string>;
const bearer = (token: string | undefined): Headers => ({ authorization: `Bearer ${token}` });
const webhook = (secret: string | undefined): Headers => ({ 'x-webhook-secret': secret ?? '' });

/**
 * Returns four forgeries of a token: one with changed claims, one with a changed signature, one that is marked as
 * unsigned, and one whose signature is removed.
 */
function forgedTokens(token: string): string[] {
  const [header, claims = '', signature = ''] = token.split('.');
  const changed = JSON.parse(Buffer.from(claims, 'base64url').toString());
  changed.exp += 3600;
  const longer = Buffer.from(JSON.stringify(changed)).toString('base64url');
  const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  return [
    `${header}.${longer}.${signature}`,
    `${header}.${claims}.${other}`,
    `${unsigned}.${claims}.`,
    `${header}.${claims}`,
  ];
}

function secretHeaders(access: Access, kind: 'current' | 'previous' | 'other'): Headers {
  const secrets = {
    spec: [env.WEBHOOK_SECRET, env.WEBHOOK_SECRET_PREVIOUS],
    image: [env.IMAGE_WEBHOOK_SECRET, env.IMAGE_WEBHOOK_SECRET_PREVIOUS],
  };
  const [own, another] =
    access === 'image-workflow' ? [secrets.image, secrets.spec] : [secrets.spec, secrets.image];
  if (access === 'cron') return bearer(kind === 'current' ? env.CRON_SECRET : own[0]);
  if (kind === 'other') return { ...webhook(another[0]), ...bearer(env.CRON_SECRET) };
  return webhook(kind === 'current' ? own[0] : own[1]);
}

/** Returns the sets of headers to test for a kind of caller. For `anonymous`, they include invalid credentials. */
function credentials(kind: CallerKind, access: Access): Headers[] {
  const { token } = people.admin;
  const cases: Record<CallerKind, Headers[]> = {
    anonymous: [
      {},
      { authorization: '' },
      { authorization: token },
      { authorization: `Basic ${btoa('admin@atelier.test:atelier-demo')}` },
      bearer('not.a.token'),
      bearer(env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY),
      bearer(env.SUPABASE_SECRET_KEY),
      ...forgedTokens(token).map(bearer),
      bearer(`atl_${'0'.repeat(64)}`),
      bearer(`atl_${'0'.repeat(63)}`),
      { cookie: 'sb-127-auth-token=base64-e30' },
    ],
    stranger: [people.stranger.headers],
    viewer: [people.viewer.headers],
    token: tokens.map(({ headers }) => headers),
    member: [people.member.headers],
    owner: [people.owner.headers],
    admin: [people.admin.headers],
    secret: [secretHeaders(access, 'current')],
    previousSecret: [secretHeaders(access, 'previous')],
    wrongSecret: [
      webhook(''),
      webhook('x'),
      webhook('x'.repeat(43)),
      webhook(`${env.WEBHOOK_SECRET} x`),
      bearer('x'),
    ],
    otherSecret: [secretHeaders(access, 'other')],
  };
  return cases[kind];
}

async function prepare({ route, method, call }: Row) {
  const { params, query = '', ...options } = (await call?.({ admin, team, env })) ?? {};
  return { path: `${pathOf(route, params)}?${query}`, options: { method, ...options } };
}
const prepared = new Map<Row, ReturnType<typeof prepare>>();

/**
 * Returns a valid call to the row's route. Callers share one prepared call. Once a caller has changed something with
 * it, the test discards the call, and a new one is prepared.
 */
function callOf(row: Row): ReturnType<typeof prepare> {
  const call = prepared.get(row) ?? prepare(row);
  prepared.set(row, call);
  return call;
}

describe('the access table', () => {
  test('the access table names every route file and every method, and no other', async () => {
    const found: string[] = [];
    for (const route of routes) {
      const file = await loadRoute(route);
      const served = everyMethod.filter((method) => file[method]?.facts);
      // Handlers without `facts` only return 405. All others are made by `route()`.
      expect(served.length, route).toBeGreaterThan(0);
      found.push(...served.map((method) => `${method} ${route}`));
    }
    const named = accessTable.map(({ method, route }) => `${method} ${route}`);
    expect(named.sort()).toEqual(found.sort());
  });

  test('the access table gives every route the access that its code declares', async () => {
    for (const { route, method, access } of accessTable) {
      expect((await loadRoute(route))[method]?.facts?.access, `${method} ${route}`).toBe(access);
    }
  });
});

/**
 * Returns the first item of a list and, if the list has more items, another one. `index` selects the other item, so
 * that each item is tried on many routes.
 */
function twoOf<T>(list: T[], index: number): T[] {
  const [first, ...rest] = list;
  return [first, rest[index % rest.length]].filter((each) => each !== undefined);
}

/** The kinds of callers that send a secret instead of signing in. */
const withSecret: readonly CallerKind[] = ['secret', 'previousSecret', 'wrongSecret', 'otherSecret'];

/** The kinds of users, in the order of their rights. */
const users = ['stranger', 'viewer', 'member', 'owner', 'admin'] as const satisfies CallerKind[];

/** Returns the users who get another status than those with the next fewer or next more rights. */
function usersAtLimit({ statuses }: Row): CallerKind[] {
  return users.filter((kind, index) =>
    [users[index - 1], users[index + 1]].some((next) => next && statuses[next] !== statuses[kind]),
  );
}

describe.each(accessTable)('$method /api/$route', (row) => {
  const takesSecret = /workflow|cron/.test(row.access);
  const title = `${row.method} /api/${row.route} returns the status that the access table gives for %s`;
  /**
   * The callers of `npm test`: those without an account, strangers, and the users on both sides of each limit. On routes
   * that take a secret, those with a right or wrong secret.
   */
  const isCore = (kind: CallerKind) => {
    if (kind === 'anonymous') return true;
    if (!takesSecret) return kind === 'stranger' || usersAtLimit(row).includes(kind);
    // A successful call to the cron route works for up to 20 seconds.
    return withSecret.includes(kind) && !(row.access === 'cron' && kind === 'secret');
  };

  async function check(kind: CallerKind) {
    for (const headers of twoOf(credentials(kind, row.access), accessTable.indexOf(row))) {
      const { path, options } = await callOf(row);
      const response = await apiAt(url, headers)(path, options);
      if (response.status < 300 && row.method !== 'GET') prepared.delete(row);
      expect(response.status, `${JSON.stringify(headers)} ${excerpt(response)}`).toBe(row.statuses[kind]);
      if (response.status === 401) {
        expectProblem(response, takesSecret ? 'invalid_secret' : 'unauthenticated');
      } else if (response.status === 403) expectProblem(response, 'forbidden');
      else if (response.status === 404) expectProblem(response, 'not_found');
      else if (response.status === 202 || response.status === 201) {
        expect(response.headers.get('location')).toMatch(/^\/api\//);
      }
    }
  }

  test.each(callers.filter(isCore))(title, check);
  // These are the other users, access tokens, users on routes that take a secret, and secrets on all other routes.
  test.each(callers.filter((kind) => !isCore(kind)))(title, { tags: ['extended'] }, check);
});

describe.each(routes)('/api/%s', (route) => {
  test(`OPTIONS /api/${route} returns the methods that the route serves`, async () => {
    const rows = accessTable.filter((row) => row.route === route);
    const served = everyMethod.filter((method) => rows.some((row) => row.method === method));
    const response = await apiAt(url)(pathOf(route), { method: 'OPTIONS' });
    if (route.includes('[...')) return expectProblem(response, 'not_found');
    const allow = [...served, ...(served.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers.get('allow')?.split(', ').sort()).toEqual(allow.sort());
  });

  test(`/api/${route} returns 405 and Allow for methods that it does not serve`, async () => {
    const rows = accessTable.filter((row) => row.route === route);
    const served = everyMethod.filter((method) => rows.some((row) => row.method === method));
    const others = everyMethod.filter((method) => !served.includes(method));
    const allow = [...served, ...(served.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    for (const [index, method] of twoOf(others, routes.indexOf(route)).entries()) {
      const api = index === 0 ? admin : apiAt(url);
      const response = await api(pathOf(route), { method });
      expectProblem(response, 'method_not_allowed');
      expect(response.headers.get('allow')?.split(', ').sort(), method).toEqual(allow.sort());
    }
  });
});
