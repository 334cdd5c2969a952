import { randomUUID } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import type { ProblemCode } from '@/lib/errors/problem';
import { accountLink } from '@/lib/people/schema';
import { type Api, apiAt, expectProblem } from '@/tests/app/support/api';
import { openDatabase } from '@/tests/app/support/database';
import { cancelJob, retryJob, sendJob, startJob } from '@/tests/app/support/image-jobs';
import { liveClient } from '@/tests/app/support/live-client';
import { newAdmin, newUser, type Person, signIn } from '@/tests/app/support/people';
import { sendUpload, unique } from '@/tests/app/support/specs';
import { makeProject, makeTeam } from '@/tests/app/support/team';
import { makeUploader } from '@/tests/app/support/uploader';

const { url, env } = inject('atelier');
const authWith = (key = '') =>
  createClient(env.NEXT_PUBLIC_SUPABASE_URL ?? '', key, {
    auth: { persistSession: false, autoRefreshToken: false },
  }).auth;
const accounts = authWith(env.SUPABASE_SECRET_KEY).admin;

const remove = (person: Person) => accounts.deleteUser(person.id);
const ban = (person: Person) => accounts.updateUserById(person.id, { ban_duration: '24h' });
const demote = (person: Person) => accounts.updateUserById(person.id, { app_metadata: { role: 'none' } });
const signOut = async ({ token }: Person) => (await accounts.signOut(token, 'local')).error?.status ?? 204;

const newBrand = (api: Api) => api('/api/admin/brands', { json: { name: unique('Revoked') } });

describe.each([
  ['deleted', remove, 'unauthenticated'],
  ['banned', ban, 'unauthenticated'],
  ['demoted', demote, 'forbidden'],
] as const)('an admin who was just %s', (what, revoke, code) => {
  test(`an admin who was just ${what} cannot write, even with a token used a moment before`, async () => {
    const admin = await newAdmin(env);
    const api = apiAt(url, admin.headers);
    expect((await newBrand(api)).status).toBe(201);
    const someone = await newUser(env);
    const projectId = await makeProject(apiAt(url, someone.headers));
    await revoke(admin);
    expectProblem(await newBrand(api), code);
    const member = { json: { email: someone.email, role: 'owner' } };
    const added = await api(`/api/projects/${projectId}/members`, member);
    expectProblem(added, code === 'forbidden' ? 'not_found' : code);
    expectProblem(await sendJob(api, { projectId }), code === 'forbidden' ? 'not_found' : code);
  });

  test(`an upload of an admin who was just ${what} is refused and leaves nothing behind`, async () => {
    const { admin, person, silent, refused, sql } = await makeUploader('Revoked');
    await revoke(person);
    for (let n = 0; n < 2; n += 1) expectProblem(await refused(() => sendUpload(admin, silent)), code);
    await sql.end();
  });

  test(`an admin who was just ${what} cannot read either, once the account is checked`, async () => {
    const admin = await newAdmin(env);
    await revoke(admin);
    expectProblem(await apiAt(url, admin.headers)('/api/admin/specs'), code);
  });
});

test.each<[string, (editor: Person, owner: Api, projectPath: string) => Promise<unknown>, ProblemCode]>([
  ['whose account was just deleted', remove, 'unauthenticated'],
  ['who was just banned', ban, 'unauthenticated'],
  ['who just signed out', signOut, 'unauthenticated'],
  [
    'who was just removed from the project',
    ({ id }, owner, path) => owner(`${path}/members/${id}`, { method: 'DELETE' }),
    'not_found',
  ],
  [
    'who just became a viewer',
    ({ email }, owner, path) => owner(`${path}/members`, { json: { email, role: 'viewer' } }),
    'forbidden',
  ],
  ['whose project was just deleted', (_, owner, path) => owner(path, { method: 'DELETE' }), 'not_found'],
])(
  'an editor %s starts no image job, message or retry, and the calls are not counted',
  async (_, revoke, code) => {
    const { owner, editor, projectId } = await makeTeam();
    const jobId = await startJob(editor.api, { projectId });
    await cancelJob(editor.api, jobId);
    const sql = openDatabase();
    onTestFinished(() => sql.end());
    const stored = () => sql`
      select (select array_agg(tat) from private.rate_buckets where key = ${`costly:${editor.id}`}) as counted,
             (select array_agg(id) from public.image_jobs where project_id = ${projectId}) as jobs,
             (select array_agg(run) from public.image_runs where job_id = ${jobId}) as runs,
             (select array_agg(key) from private.idempotency_keys where user_id = ${editor.id}) as keys`;
    const before = await stored();
    await revoke(editor, owner.api, `/api/projects/${projectId}`);
    expectProblem(await sendJob(editor.api, { projectId }, { 'idempotency-key': randomUUID() }), code);
    expectProblem(await editor.api('/api/image-gen/messages', { json: { jobId, prompt: 'Warmer' } }), code);
    expectProblem(await retryJob(editor.api, jobId), code);
    expect(await stored()).toEqual(before);
  },
);

test('an owner who was just deleted or banned can no longer change the project', async () => {
  for (const revoke of [remove, ban]) {
    const owner = await newUser(env);
    const api = apiAt(url, owner.headers);
    const projectId = await makeProject(api);
    await revoke(owner);
    const member = { json: { email: 'member@atelier.test', role: 'owner' } };
    expectProblem(await api(`/api/projects/${projectId}/members`, member), 'unauthenticated');
    // The request above has cached that the account is revoked, so reads are refused too.
    expectProblem(await api(`/api/projects/${projectId}/pages`), 'unauthenticated');
  }
});

test('a request of a deleted account to create a project gets 401, not 500', async () => {
  const person = await newUser(env);
  const api = apiAt(url, person.headers);
  await makeProject(api);
  await remove(person);
  expectProblem(await api('/api/projects', { json: { name: unique('Project') } }), 'unauthenticated');
});

const newPassword = 'a long new password';
async function resetPassword({ id }: Person): Promise<number> {
  const admin = apiAt(url, (await newAdmin(env)).headers);
  const made = await admin(`/api/admin/people/${id}/link`, { json: { copy: true } });
  const token = accountLink.parse(made.body).url?.split('#')[1];
  return (await apiAt(url)('/api/account/link/password', { json: { token, password: newPassword } })).status;
}
async function changePassword({ email }: Person): Promise<number> {
  const elsewhere = await signIn(env, email);
  const json = { currentPassword: 'atelier-demo', newPassword };
  return (await apiAt(url, elsewhere.headers)('/api/account/password', { json })).status;
}
/** Changes the password in another session, without the app. */
async function changePasswordDirectly({ email }: Person): Promise<number> {
  const auth = authWith(env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY);
  await auth.signInWithPassword({ email, password: 'atelier-demo' });
  const changed = await auth.updateUser({ password: newPassword, current_password: 'atelier-demo' });
  return changed.error?.status ?? 200;
}
test.each([
  ['a password reset', resetPassword, 200],
  ['a change of the password', changePassword, 204],
  ['a change of the password at the sign-in service', changePasswordDirectly, 200],
  ['a sign-out', signOut, 204],
] as const)(
  'after %s, a token of the session reads nothing from the database and joins no channel',
  async (_, end, ended) => {
    const person = await newUser(env);
    const api = apiAt(url, person.headers);
    const projectId = await makeProject(api);
    const clients = [liveClient(env, person), liveClient(env, person)] as const;
    const [{ client, join }, later] = clients;
    const read = async () => {
      const answers = [
        await client.from('projects').select('id'),
        await client.from('brands').select('id'),
        await client.rpc('project_access', { p_project: projectId }),
      ];
      return answers.map(({ data, error }) => error ?? data.length > 0);
    };
    expect(await read()).toEqual([true, true, true]);
    expect(await join(`project:${projectId}`)).toBe('SUBSCRIBED');
    expect(await end(person)).toBe(ended);
    expect(await read()).toEqual([false, false, false]);
    expect(await later.join(`project:${projectId}`)).toMatch(/^CHANNEL_ERROR/);
    expectProblem(await api(`/api/projects/${projectId}/pages`), 'unauthenticated');
    for (const { end: disconnect } of clients) await disconnect();
  },
);
