import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createClient } from '@supabase/supabase-js';
import { beforeAll, expect, inject, test } from 'vitest';
import { imageJob } from '@/lib/image-gen/schema';
import { projectsResponse } from '@/lib/projects/schema';
import { type AccessToken, tokensResponse } from '@/lib/tokens/schema';
import { type MadeToken, makeToken } from '@/tests/app/support/access-tokens';
import { type Api, apiAt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { onePage } from '@/tests/app/support/exports';
import { cancelJob, sendJob, startJob } from '@/tests/app/support/image-jobs';
import { newAdmin, newUser, type Person, signInWithCookies } from '@/tests/app/support/people';
import { unique } from '@/tests/app/support/specs';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';
import { logFile } from '@/tests/setup/provided';

const { url, env, dataDir } = inject('atelier');
const accounts = createClient(env.NEXT_PUBLIC_SUPABASE_URL ?? '', env.SUPABASE_SECRET_KEY ?? '', {
  auth: { persistSession: false, autoRefreshToken: false },
}).auth.admin;

let team: Team;
let person: Person;
let admin: Api;
beforeAll(async () => {
  [team, person] = await Promise.all([makeTeam(), newAdmin(env)]);
  admin = apiAt(url, person.headers);
});

const apiOf = ({ headers }: MadeToken) => apiAt(url, headers);
const newBrand = (api: Api) => api('/api/admin/brands', { json: { name: unique('Token') } });

async function listed(api: Api, path = '/api/tokens', filter = ''): Promise<AccessToken[]> {
  return tokensResponse.parse((await api(`${path}?limit=100${filter}`)).body).tokens;
}

async function roleIn(api: Api, projectId: string): Promise<string | undefined> {
  const { projects } = projectsResponse.parse((await api('/api/projects?limit=100')).body);
  return projects.find(({ id }) => id === projectId)?.role;
}

test('a script with the token of an editor reads, generates images, saves and exports like the editor', async () => {
  const { projectId, editor } = team;
  const script = apiOf(await makeToken(editor.api, { role: 'owner' }));
  expect(await roleIn(script, projectId)).toBe('editor');
  const jobId = await startJob(script, { projectId });
  const job = imageJob.parse((await script(`/api/image-gen/jobs/${jobId}`)).body);
  expect(job.createdBy).toBe(editor.id);
  await cancelJob(script, jobId);
  const { body } = await script(`/api/projects/${projectId}/pages`);
  const saved = await script(`/api/projects/${projectId}/pages`, { method: 'PUT', json: body });
  expect(saved.status).toBe(200);
  expect((await script('/api/export/pdf', { json: { projectId, pages: [onePage()] } })).status).toBe(202);
  expectProblem(
    await script(`/api/projects/${projectId}/members`, { json: { email: editor.email, role: 'owner' } }),
    'forbidden',
  );
  expectProblem(await script(`/api/projects/${await makeProject(team.owner.api)}`), 'not_found');
});

test("a token's role limits the owner's rights, and the error names the required role", async () => {
  const { projectId, owner } = team;
  const script = apiOf(await makeToken(owner.api, { role: 'viewer' }));
  expect(await roleIn(script, projectId)).toBe('viewer');
  const { detail } = expectProblem(await sendJob(script, { projectId }), 'forbidden');
  expect(detail).toBe('This needs an access token with the role editor.');
  expectProblem(await script('/api/projects', { json: { name: unique('Token') } }), 'forbidden');
  expect(
    (await apiOf(await makeToken(owner.api, { role: 'owner' }))(`/api/projects/${projectId}`)).status,
  ).toBe(200);
});

test("an admin's token has admin rights only with the role admin, and only admins can create such a token", async () => {
  expectProblem(await team.owner.api('/api/tokens', { json: { name: 'x', role: 'admin' } }), 'forbidden');
  expectProblem(
    await team.owner.api('/api/tokens', { json: { name: 'x', role: 'viewer', kind: 'service' } }),
    'forbidden',
  );
  const script = apiOf(await makeToken(admin, { role: 'admin' }));
  expect((await newBrand(script)).status).toBe(201);
  expect((await script('/api/admin/specs?q=nothing')).body).toMatchObject({ specs: [] });
  expectProblem(await newBrand(apiOf(await makeToken(admin, { role: 'owner' }))), 'forbidden');
});

test('a service token has its role in every project and its own name, and outlives its creator', async () => {
  const { projectId } = team;
  const creator = await newAdmin(env);
  const made = await makeToken(apiAt(url, creator.headers), { role: 'editor', kind: 'service' });
  await accounts.deleteUser(creator.id);
  const script = apiOf(made);
  expect(await roleIn(script, projectId)).toBe('editor');
  const jobId = await startJob(script, { projectId });
  const job = imageJob.parse((await script(`/api/image-gen/jobs/${jobId}`)).body);
  expect([creator.id, null]).not.toContain(job.createdBy);
  expectProblem(await newBrand(script), 'forbidden');
  const [found] = (await listed(admin, '/api/admin/tokens')).filter(({ id }) => id === made.id);
  expect(found).toMatchObject({ kind: 'service', owner: null, createdBy: null });
  expect((await admin(`/api/admin/tokens/${made.id}`, { method: 'DELETE' })).status).toBe(204);
  expectProblem(await script('/api/projects'), 'unauthenticated');
});

test('the list of all tokens can be limited to the valid service tokens that a person created', async () => {
  const creator = await newAdmin(env);
  const api = apiAt(url, creator.headers);
  const own = await makeToken(api, { role: 'viewer' });
  const made = await makeToken(api, { role: 'editor', kind: 'service' });
  const expired = await makeToken(api, { role: 'viewer', kind: 'service' });
  await makeToken(admin, { role: 'viewer', kind: 'service' });
  const sql = openDatabase();
  await sql`update private.access_tokens set expires_at = now() where id = ${expired.id}`;
  await sql.end();
  const idsOf = async (filter: string) =>
    (await listed(admin, '/api/admin/tokens', `&createdBy=${creator.id}${filter}`)).map(({ id }) => id);
  expect(await idsOf('')).toEqual([expired.id, made.id, own.id]);
  expect(await idsOf('&kind=service')).toEqual([expired.id, made.id]);
  expect(await idsOf('&kind=personal')).toEqual([own.id]);
  expect(await idsOf('&kind=service&valid=true')).toEqual([made.id]);
  const disabled = await admin(`/api/admin/people/${creator.id}`, {
    method: 'PATCH',
    json: { isDisabled: true },
  });
  expect(disabled.status).toBe(200);
  // The personal token has ended with the account. The service token has not.
  expect(await idsOf('&valid=true')).toEqual([made.id]);
  expectProblem(await admin('/api/admin/tokens?createdBy=x'), 'invalid_request');
});

test('the token is shown once, and the list and the log never contain it', async () => {
  const someone = await newUser(env);
  const api = apiAt(url, someone.headers);
  const requestId = randomUUID();
  const { token, headers, ...made } = await makeToken(api, { role: 'viewer' });
  expect(token).toMatch(/^atl_[0-9a-f]{64}$/);
  expect(await listed(api)).toEqual([made]);
  expect(made).toMatchObject({ owner: someone.email, lastUsedAt: null });
  await apiAt(url, headers)('/api/projects', { headers: { 'x-request-id': requestId } });
  const [used] = await listed(api);
  expect(used?.lastUsedAt).not.toBeNull();
  expect(JSON.stringify(used)).not.toContain(token.slice(0, -4));
  await expect.poll(() => readFile(logFile(dataDir), 'utf8')).toContain(requestId);
  expect(await readFile(logFile(dataDir), 'utf8')).not.toContain(token.slice(4));
});

test('only its owner, an admin and the token itself can revoke a token, with immediate effect', async () => {
  const { owner, editor } = team;
  const tokens = await Promise.all([1, 2, 3].map(() => makeToken(owner.api, { role: 'owner' })));
  const [first, second, third] = tokens as [MadeToken, MadeToken, MadeToken];
  expectProblem(await editor.api(`/api/tokens/${first.id}`, { method: 'DELETE' }), 'not_found');
  expectProblem(await editor.api(`/api/admin/tokens/${first.id}`, { method: 'DELETE' }), 'forbidden');
  for (const [made, api, path] of [
    [first, owner.api, 'tokens'],
    [second, admin, 'admin/tokens'],
    [third, apiOf(third), 'tokens'],
  ] as const) {
    expect((await apiOf(made)('/api/projects')).status).toBe(200);
    expect((await api(`/api/${path}/${made.id}`, { method: 'DELETE' })).status).toBe(204);
    expectProblem(await apiOf(made)('/api/projects'), 'unauthenticated');
    expectProblem(await newBrand(apiOf(made)), 'unauthenticated');
  }
});

test('a token cannot create another token', async () => {
  const script = apiOf(await makeToken(admin, { role: 'admin' }));
  const { detail } = expectProblem(
    await script('/api/tokens', { json: { name: 'x', role: 'viewer' } }),
    'forbidden',
  );
  expect(detail).toContain('Access tokens cannot be used here');
});

test('a token of a banned, deleted or demoted account loses its rights immediately, including for reads', async () => {
  const banned = await newUser(env);
  const script = apiOf(await makeToken(apiAt(url, banned.headers), { role: 'owner' }));
  expect((await script('/api/matlib/categories')).status).toBe(200);
  await accounts.updateUserById(banned.id, { ban_duration: '24h' });
  expectProblem(await script('/api/matlib/categories'), 'unauthenticated');
  await accounts.deleteUser(banned.id);
  expectProblem(await script('/api/projects'), 'unauthenticated');
  const demoted = await newAdmin(env);
  const other = apiOf(await makeToken(apiAt(url, demoted.headers), { role: 'admin' }));
  expect((await other('/api/admin/specs')).status).toBe(200);
  await accounts.updateUserById(demoted.id, { app_metadata: { role: 'none' } });
  expectProblem(await other('/api/admin/specs'), 'forbidden');
  expectProblem(await newBrand(other), 'forbidden');
});

test('a token needs no origin, and an invalid token is rejected even with a valid session', async () => {
  const { headers } = await makeToken(admin, { role: 'admin' });
  const cookies = await signInWithCookies(env, person.email);
  const evil = { origin: 'https://evil.example' };
  expect((await newBrand(apiAt(url, { ...headers, ...cookies, ...evil }))).status).toBe(201);
  const authorization = headers.authorization.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const response = await newBrand(apiAt(url, { authorization, ...cookies, origin: url }));
  expect(expectProblem(response, 'unauthenticated').detail).toBe(
    'The access token is unknown, expired or revoked.',
  );
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
});
