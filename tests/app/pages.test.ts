import { globSync } from 'node:fs';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { project } from '@/lib/projects/schema';
import { apiAt } from '@/tests/app/support/api';
import { newAdmin, signInWithCookies } from '@/tests/app/support/people';
import { upload } from '@/tests/app/support/specs';
import { makeTeam } from '@/tests/app/support/team';

const { url, env } = inject('atelier');

/** Every page and who may open it. Administrators may also open the pages of projects that they are not members of. */
const pages = {
  '': 'redirect',
  account: 'user',
  admin: 'redirect',
  'admin/catalogue': 'admin',
  'admin/people': 'admin',
  'admin/people/activity': 'admin',
  'admin/specs': 'admin',
  'admin/specs/[id]': 'admin',
  'admin/workflow': 'admin',
  docs: 'everyone',
  'forgot-password': 'everyone',
  materials: 'user',
  projects: 'user',
  'projects/[id]': 'redirect',
  'projects/[id]/document': 'member',
  'projects/[id]/gallery': 'member',
  'projects/[id]/studio': 'member',
  'set-password': 'everyone',
  'share/[token]': 'everyone',
  'sign-in': 'everyone',
  tokens: 'user',
} as const;
type PagePath = keyof typeof pages;
const pagesFor = (...access: string[]) =>
  (Object.keys(pages) as PagePath[]).filter((page) => access.includes(pages[page]));

const visitors = ['anonymous', 'stranger', 'viewer', 'admin'] as const;
type Visitor = (typeof visitors)[number];
let cookies: Record<Visitor, Record<string, string>>;
let ids: { project: string; spec: string };
let projectName: string;

beforeAll(async () => {
  const [team, admin] = await Promise.all([makeTeam(), newAdmin(env)]);
  cookies = {
    anonymous: {},
    stranger: await signInWithCookies(env, team.stranger.email),
    viewer: await signInWithCookies(env, team.viewer.email),
    admin: await signInWithCookies(env, admin.email),
  };
  const read = await team.viewer.api(`/api/projects/${team.projectId}`);
  projectName = project.parse(read.body).name;
  ids = { project: team.projectId, spec: await upload(apiAt(url, admin.headers)) };
});

const pathOf = (page: PagePath) =>
  `/${page.replace('[id]', page.startsWith('admin') ? ids.spec : ids.project).replace('[token]', 'unknown')}`;

async function open(visitor: Visitor, page: PagePath) {
  const response = await fetch(`${url}${pathOf(page)}`, { headers: cookies[visitor], redirect: 'manual' });
  const html = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    location: response.headers.get('location'),
    html,
    hasHeading: /<h1/.test(html),
  };
}

test('the table of pages names every page', () => {
  const files = globSync('app/**/page.tsx').map((file) =>
    file
      .replace(/^app\//, '')
      .replace(/\([^)]+\)\//g, '')
      .replace(/\/?page\.tsx$/, ''),
  );
  expect(Object.keys(pages).sort()).toEqual(files.sort());
});

describe('a page for users', () => {
  test.each(pagesFor('user', 'member', 'admin'))(
    '/%s sends a signed-out visitor to the sign-in page, which leads back to it',
    async (page) => {
      const { status, location, html } = await open('anonymous', page);
      const next = encodeURIComponent(pathOf(page));
      expect({ status, location }).toEqual({ status: 307, location: `/sign-in?next=${next}` });
      expect(html).not.toContain(projectName);
    },
  );

  test.each(pagesFor('user'))('/%s opens for every user', async (page) => {
    expect(await open('stranger', page)).toMatchObject({ status: 200, hasHeading: true });
  });
});

describe('a page for administrators', () => {
  test.each(pagesFor('admin'))('/%s opens only for administrators', async (page) => {
    const refused = await open('stranger', page);
    expect(refused).toMatchObject({ status: 403, hasHeading: false });
    expect(refused.html).toContain('Administrators only');
    expect(refused.html).not.toContain('spec.pdf');
    expect(await open('admin', page)).toMatchObject({ status: 200, hasHeading: true });
  });
});

describe('a page of a project', () => {
  test.each(pagesFor('member'))('/%s opens only for members and administrators', async (page) => {
    const refused = await open('stranger', page);
    expect(refused).toMatchObject({ status: 404, hasHeading: false });
    expect(refused.html).not.toContain(projectName);
    for (const visitor of ['viewer', 'admin'] as const) {
      const opened = await open(visitor, page);
      expect(opened).toMatchObject({ status: 200, hasHeading: true });
      expect(opened.html).toContain(projectName);
    }
  });

  test.each(['projects/[id]/studio', 'projects/[id]/gallery'] as const)(
    '/%s tells a viewer that the project can only be viewed',
    async (page) => {
      expect((await open('viewer', page)).html).toContain('View only');
    },
  );

  test('a project opens in its gallery for a viewer and in its studio for those who can edit it', async () => {
    const page = 'projects/[id]';
    expect(await open('anonymous', page)).toMatchObject({ status: 307 });
    expect(await open('stranger', page)).toMatchObject({ status: 404 });
    expect(await open('viewer', page)).toMatchObject({ location: `/projects/${ids.project}/gallery` });
    expect(await open('admin', page)).toMatchObject({ location: `/projects/${ids.project}/studio` });
  });
});

test('the start page leads administrators to the specs and other users to their projects', async () => {
  const found = await Promise.all(visitors.map((visitor) => open(visitor, '')));
  expect(found.map(({ location }) => location)).toEqual([
    '/sign-in?next=%2F',
    '/projects',
    '/projects',
    '/admin/specs',
  ]);
});

test.each(pagesFor('everyone'))('/%s opens without signing in', async (page) => {
  const { status, hasHeading } = await open('anonymous', page);
  const exists = page !== 'share/[token]';
  expect({ status, hasHeading }).toEqual({ status: exists ? 200 : 404, hasHeading: exists });
});

test.each(['sign-in', 'forgot-password'] as const)(
  'the form of /%s cannot be sent before the page has hydrated, which would put a password in the URL',
  async (page) => {
    const buttons = (await open('anonymous', page)).html.match(/<button[^>]*type="submit"[^>]*>/g);
    expect(buttons).toEqual([expect.stringMatching(/ disabled=""/)]);
  },
);

test('every page has a Content-Security-Policy that allows only scripts with its own nonce', async () => {
  const nonces = new Set<string>();
  const all = Object.keys(pages) as PagePath[];
  for (const page of all) {
    const { headers, html } = await open('admin', page);
    const policy = headers.get('content-security-policy') ?? '';
    const [, nonce = ''] = /script-src 'self' 'nonce-([^']+)' 'strict-dynamic';/.exec(policy) ?? [];
    expect(nonce, page).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    nonces.add(nonce);
    for (const directive of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"]) {
      expect(policy, page).toContain(directive);
    }
    expect(Object.fromEntries(headers), page).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': page === 'share/[token]' ? 'no-referrer' : 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
    expect(headers.get('strict-transport-security'), page).toBeNull();
    const scripts = html.match(/<script[^>]*>/g) ?? [];
    expect(
      scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`)),
      page,
    ).toEqual([]);
  }
  expect(nonces.size).toBe(all.length);
});

test('every response has the security headers, also redirects and static files that Next answers by itself', async () => {
  const html = await (await fetch(`${url}/sign-in`)).text();
  const fileWith = (end: string) =>
    Array.from(html.matchAll(/"(\/_next\/static\/[^"]+)"/g), ([, path = '']) => path).find((path) =>
      path.endsWith(end),
    ) ?? expect.unreachable();
  const script = fileWith('.js');
  const etag = (await fetch(url + script)).headers.get('etag') ?? '';
  const walk: [path: string, status: number, init?: RequestInit][] = [
    [script, 200],
    // Without this Cache-Control, `fetch` would ask for the whole file.
    [script, 304, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } }],
    [fileWith('.css'), 200],
    ['/icon.svg', 200],
    ['/icon.svg', 200, { method: 'HEAD' }],
    ['/_next/static/nowhere.js', 404],
    ['/_next/nowhere', 404],
    ['/_next/image?url=%2Ficon.svg&w=64&q=75', 404],
    ['/favicon.ico', 404],
    ['/nowhere', 404],
    ['/share/nowhere', 404],
    ['/share/nowhere/document', 404],
    ['/share/nowhere/images/nowhere', 404],
    ['/pdf-js/6.0.0/cmaps/UniJIS-UTF16-H.bcmap', 200],
    ['/pdf-js/6.0.0/wasm/nowhere.wasm', 404],
    ['/pdf-js/6.0.0/wasm/..%2Fpackage.json', 400],
    ['/', 307],
    ['/api', 404],
    ['/api/', 308],
    ['/api/health/', 308],
    ['/sign-in/', 308],
    ['/_next/', 308],
    ['//sign-in', 308],
    ['/api/health', 200],
    ['/api/health', 204, { method: 'OPTIONS' }],
    ['/api/health', 405, { method: 'POST' }],
    ['/api/projects', 401],
    ['/sign-in', 405, { method: 'POST' }],
    ['/%', 400],
  ];
  const answers = await Promise.all(
    walk.map(async ([path, expected, init]) => {
      const headers = { ...init?.headers, 'x-forwarded-proto': 'https' };
      const response = await fetch(url + path, { redirect: 'manual', ...init, headers });
      return { what: `${init?.method ?? 'GET'} ${path}`, expected, response };
    }),
  );
  expect(answers.map(({ what, response }) => [what, response.status])).toEqual(
    answers.map(({ what, expected }) => [what, expected]),
  );
  for (const { what, response } of answers) {
    const policy = what.includes('/api/')
      ? /^default-src 'none'; script-src 'wasm-unsafe-eval'; frame-ancestors 'none'/
      : /^default-src '(none|self)';.* frame-ancestors 'none'/;
    expect(Object.fromEntries(response.headers), what).toMatchObject({
      'content-security-policy': expect.stringMatching(policy),
      'x-content-type-options': 'nosniff',
      'referrer-policy': expect.stringMatching(/^(same-origin|no-referrer)$/),
      'permissions-policy': expect.stringContaining('camera=()'),
      'cross-origin-opener-policy': 'same-origin',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
    });
  }
  expect((await fetch(`${url}/api/health`)).headers.get('strict-transport-security')).toBeNull();
});
