import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { galleryResponse } from '@/lib/image-gen/schema';
import {
  member,
  membersResponse,
  type ProjectCardData,
  project,
  projectsResponse,
} from '@/lib/projects/schema';
import { type Api, apiAt, type CallOptions, excerpt, expectProblem } from '@/tests/app/support/api';
import { onePage } from '@/tests/app/support/exports';
import { startJob, waitForJob } from '@/tests/app/support/image-jobs';
import { newAdmin, newUser } from '@/tests/app/support/people';
import { addImage } from '@/tests/app/support/pictures';
import { unique } from '@/tests/app/support/specs';
import { makeProject, makeTeam, type Team } from '@/tests/app/support/team';

const { url, env } = inject('atelier');
let team: Team;
let admin: Api;

beforeAll(async () => {
  team = await makeTeam();
  admin = apiAt(url, (await newAdmin(env)).headers);
});

async function pagesOf(api: Api, limit: string, state = 'active'): Promise<ProjectCardData[]> {
  const seen: ProjectCardData[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = new URLSearchParams({ limit, state, ...(cursor ? { cursor } : {}) }).toString();
    const response = await api(`/api/projects?${query}`);
    expect(response.status, excerpt(response)).toBe(200);
    const page = projectsResponse.parse(response.body);
    seen.push(...page.projects);
    cursor = page.nextCursor;
  }
  return seen;
}

describe('a project', () => {
  test('a project belongs to the user who creates it', async () => {
    const name = unique('Harbor');
    const response = await team.stranger.api('/api/projects', { json: { name: `  ${name} ` } });
    expect(response.status, excerpt(response)).toBe(201);
    const created = project.parse(response.body);
    expect(created).toMatchObject({ name, role: 'owner' });
    expect(response.headers.get('location')).toBe(`/api/projects/${created.id}`);
    expect((await team.stranger.api(`/api/projects/${created.id}`)).body).toEqual(created);
    expectProblem(await team.owner.api(`/api/projects/${created.id}`), 'not_found');
    expect((await admin(`/api/projects/${created.id}`)).body).toEqual(created);
  });

  test('five project requests with one Idempotency-Key create one project', async () => {
    const { api } = team.stranger;
    const headers = { 'idempotency-key': randomUUID() };
    const json = { name: unique('Herd') };
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => api('/api/projects', { json, headers })),
    );
    for (const response of responses)
      expect([response.status, response.body]).toEqual([201, responses[0]?.body]);
    expectProblem(await api('/api/projects', { json: { name: 'Other' }, headers }), 'idempotency_mismatch');
  });

  test("projects are listed only for their members, newest first, with the member's role", async () => {
    const person = await newUser(env);
    const api = apiAt(url, person.headers);
    expect(await pagesOf(api, '20')).toEqual([]);
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) ids.unshift(await makeProject(api));
    await team.owner.api(`/api/projects/${team.projectId}/members`, {
      json: { email: person.email, role: 'viewer' },
    });
    for (const limit of ['1', '2', '5', '100']) {
      const listed = await pagesOf(api, limit);
      expect(listed.map(({ id }) => id)).toEqual([...ids, team.projectId]);
      expect(listed.map(({ role }) => role)).toEqual([...Array(4).fill('owner'), 'viewer']);
    }
    const all = projectsResponse.parse((await admin('/api/projects?limit=100')).body);
    expect(all.projects.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    expect(new Set(all.projects.map(({ role }) => role))).toEqual(new Set(['owner']));
  });
});

describe('the state of a project', () => {
  const stateOf = async (api: Api, id: string) => {
    const found = await Promise.all(
      (['active', 'archived', 'deleted'] as const).map(async (state) =>
        (await pagesOf(api, '100', state)).some((listed) => listed.id === id) ? [state] : [],
      ),
    );
    return found.flat();
  };

  test('a project can be renamed by an owner', async () => {
    const id = await makeProject(team.owner.api);
    const name = unique('Villa');
    const response = await team.owner.api(`/api/projects/${id}`, { method: 'PATCH', json: { name } });
    expect(project.parse(response.body)).toMatchObject({ id, name });
    expect((await team.owner.api(`/api/projects/${id}`)).body).toEqual(response.body);
  });

  test('an archived project is listed as archived, can be read as before, and refuses every change until it is unarchived', async () => {
    const { api } = team.owner;
    const id = await makeProject(api);
    const jobId = await startJob(api, { projectId: id, prompt: 'A lobby' });
    await waitForJob(api, jobId, 'succeeded');
    const archive = (archived: boolean) => api(`/api/projects/${id}/archive`, { json: { archived } });
    const response = await archive(true);
    expect(project.parse(response.body).archivedAt).not.toBeNull();
    expect((await archive(true)).body).toEqual(response.body);
    expect(await stateOf(api, id)).toEqual(['archived']);

    const images = galleryResponse.parse((await api(`/api/projects/${id}/gallery`)).body).images;
    const imageIds = images.map(({ variant }) => variant.id);
    expect(imageIds.length).toBeGreaterThan(0);
    for (const path of [`/api/projects/${id}/pages`, `/api/image-gen/jobs/${jobId}/messages`]) {
      expect((await api(path)).status, path).toBe(200);
    }
    expect((await api(`/api/projects/${id}/gallery/downloads`, { json: { imageIds } })).status).toBe(201);
    const calls: [path: string, options: CallOptions][] = [
      ['/api/image-gen/jobs', { json: { projectId: id, prompt: 'x' } }],
      ['/api/image-gen/messages', { json: { jobId, prompt: 'x' } }],
      [`/api/image-gen/jobs/${jobId}`, { method: 'PATCH', json: { name: 'x' } }],
      [`/api/projects/${id}/gallery/star`, { json: { imageIds, starred: true } }],
      [`/api/projects/${id}/gallery/delete`, { json: { imageIds } }],
      ['/api/export/pdf', { json: { projectId: id, pages: [onePage()] } }],
      [
        `/api/projects/${id}/pages`,
        { method: 'PUT', json: { version: 0, format: 'A4', orientation: 'portrait', cover: {}, pages: [] } },
      ],
    ];
    for (const [path, options] of calls) {
      const { detail } = expectProblem(await api(path, options), 'project_closed');
      expect(detail, path).toBe('The project is archived. An owner can unarchive it.');
    }
    await expect(addImage(api, id)).rejects.toThrow('409');

    expect(project.parse((await archive(false)).body).archivedAt).toBeNull();
    expect(await stateOf(api, id)).toEqual(['active']);
    await startJob(api, { projectId: id });
  });

  test('a deleted project is gone for all its members, and only an owner can list and restore it', async () => {
    const { owner, editor } = team;
    const id = await makeProject(owner.api);
    const email = editor.email;
    await owner.api(`/api/projects/${id}/members`, { json: { email, role: 'editor' } });
    const jobId = await startJob(editor.api, { projectId: id, prompt: 'A lobby' });
    expect((await owner.api(`/api/projects/${id}`, { method: 'DELETE' })).status).toBe(204);
    for (const api of [owner.api, editor.api, admin]) {
      for (const path of [
        `/api/projects/${id}`,
        `/api/projects/${id}/gallery`,
        `/api/image-gen/jobs/${jobId}`,
      ]) {
        expectProblem(await api(path), 'not_found');
      }
      expectProblem(await api('/api/image-gen/messages', { json: { jobId, prompt: 'x' } }), 'not_found');
    }
    expect(await stateOf(editor.api, id)).toEqual([]);
    expect(await stateOf(owner.api, id)).toEqual(['deleted']);
    const [listed] = await pagesOf(owner.api, '1', 'deleted');
    expect(listed).toMatchObject({ id, role: 'owner' });
    expect(listed?.restorableUntil).not.toBeNull();

    expectProblem(await editor.api(`/api/projects/${id}/restore`, { method: 'POST' }), 'forbidden');
    expectProblem(await team.stranger.api(`/api/projects/${id}/restore`, { method: 'POST' }), 'not_found');
    const restored = await owner.api(`/api/projects/${id}/restore`, { method: 'POST' });
    expect(project.parse(restored.body)).toMatchObject({ id, role: 'owner' });
    // The job can succeed before or after the project is restored.
    await waitForJob(editor.api, jobId, 'succeeded');
    expect(await stateOf(editor.api, id)).toEqual(['active']);
    expectProblem(await owner.api(`/api/projects/${id}/restore`, { method: 'POST' }), 'not_found');
  });

  test('the card of a project has its newest images with URLs, its members, and the time of the last activity', async () => {
    const { api } = team.owner;
    const id = await makeProject(api);
    const empty = (await pagesOf(api, '1'))[0];
    expect(empty).toMatchObject({ id, images: [], people: [{ userId: team.owner.id }], peopleCount: 1 });
    expect(empty?.activeAt).toBe(empty?.createdAt);
    await api('/api/account', { method: 'PUT', json: { name: 'Ada Bergen' } });
    expect((await pagesOf(api, '1'))[0]?.people).toMatchObject([{ name: 'Ada Bergen', picture: null }]);
    await waitForJob(api, await startJob(api, { projectId: id, prompt: 'A lobby' }), 'succeeded');
    const { images } = galleryResponse.parse((await api(`/api/projects/${id}/gallery`)).body);
    const card = (await pagesOf(api, '1'))[0];
    expect(card?.images.map((image) => image.id)).toEqual(
      images.slice(0, 4).map(({ variant }) => variant.id),
    );
    expect(card?.activeAt).toBe(images[0]?.variant.created_at);
    expect((await fetch(card?.images[0]?.url ?? '')).status).toBe(200);
  });
});

describe('members', () => {
  const set = (api: Api, id: string, email: string, role: string) =>
    api(`/api/projects/${id}/members`, { json: { email, role } });
  const remove = (api: Api, id: string, userId: string) =>
    api(`/api/projects/${id}/members/${userId}`, { method: 'DELETE' });
  const rolesOf = async (id: string) => {
    const { members } = membersResponse.parse((await admin(`/api/projects/${id}/members`)).body);
    return Object.fromEntries(members.map(({ userId, role }) => [userId, role]));
  };

  test('members can be added, change their role and be removed', async () => {
    const { owner, editor } = team;
    const id = await makeProject(owner.api);
    const added = await set(owner.api, id, editor.email.toUpperCase(), 'viewer');
    expect(added.status, excerpt(added)).toBe(201);
    expect(added.headers.get('location')).toBe(`/api/projects/${id}/members/${editor.id}`);
    expect(member.parse(added.body)).toMatchObject({ userId: editor.id, role: 'viewer' });
    expect((await editor.api(`/api/projects/${id}`)).body).toMatchObject({ role: 'viewer' });
    expectProblem(
      await editor.api('/api/image-gen/jobs', { json: { projectId: id, prompt: 'x' } }),
      'forbidden',
    );
    expect((await set(owner.api, id, editor.email, 'editor')).status).toBe(201);
    await startJob(editor.api, { projectId: id });
    expect(await rolesOf(id)).toEqual({ [owner.id]: 'owner', [editor.id]: 'editor' });
    expect((await remove(owner.api, id, editor.id)).status).toBe(204);
    expectProblem(await editor.api(`/api/projects/${id}`), 'not_found');
    expectProblem(await editor.api(`/api/image-gen/jobs?projectId=${id}`), 'not_found');
    expectProblem(await remove(owner.api, id, editor.id), 'not_found');
  });

  test('a project keeps at least one owner, even when two leave at once', async () => {
    const { owner, editor } = team;
    const id = await makeProject(owner.api);
    expectProblem(await set(owner.api, id, owner.email, 'editor'), 'state_conflict');
    expectProblem(await remove(owner.api, id, owner.id), 'state_conflict');
    expectProblem(await remove(admin, id, owner.id), 'state_conflict');
    await set(owner.api, id, editor.email, 'owner');
    const responses = await Promise.all([remove(admin, id, owner.id), remove(admin, id, editor.id)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 409]);
    expect(Object.values(await rolesOf(id))).toEqual(['owner']);
  });

  test('a new member needs an account, and only an owner learns whether an email has one', async () => {
    const email = `nobody-${randomUUID()}@atelier.test`;
    const response = await set(team.owner.api, team.projectId, email, 'viewer');
    expect(expectProblem(response, 'unknown_account').detail).toContain(email);
    for (const api of [team.editor.api, team.viewer.api]) {
      expectProblem(await set(api, team.projectId, email, 'owner'), 'forbidden');
    }
    expectProblem(await set(team.stranger.api, team.projectId, email, 'owner'), 'not_found');
  });

  test('a viewer can read a project but change nothing', async () => {
    const { api } = team.viewer;
    const { projectId } = team;
    const jobId = await startJob(team.editor.api, { projectId });
    for (const path of [
      `/api/projects/${projectId}`,
      `/api/projects/${projectId}/members`,
      `/api/projects/${projectId}/images`,
      `/api/image-gen/jobs?projectId=${projectId}`,
      `/api/image-gen/jobs/${jobId}`,
      `/api/image-gen/jobs/${jobId}/messages`,
    ]) {
      expect((await api(path)).status, path).toBe(200);
      const hidden = await team.stranger.api(path);
      const unknown = await team.stranger.api(
        path.replaceAll(projectId, randomUUID()).replaceAll(jobId, randomUUID()),
      );
      const words = ({ detail, title, code }: { detail: string; title: string; code: string }) => [
        detail,
        title,
        code,
      ];
      expect(words(expectProblem(hidden, 'not_found'))).toEqual(words(expectProblem(unknown, 'not_found')));
    }
    for (const [path, json] of [
      ['/api/image-gen/jobs', { projectId, prompt: 'x' }],
      [
        '/api/image-gen/jobs',
        { projectId, prompt: 'x', materialPayload: [{ imageUrl: 'http://10.0.0.1/a.png' }] },
      ],
      ['/api/image-gen/jobs', { projectId, prompt: 'x', inputImageId: 'no-image' }],
      ['/api/image-gen/messages', { jobId, prompt: 'x' }],
      [`/api/image-gen/jobs/${jobId}/cancel`, {}],
      [`/api/image-gen/jobs/${jobId}/retry`, {}],
      [`/api/projects/${projectId}/members`, { email: team.viewer.email, role: 'owner' }],
    ] as const) {
      expectProblem(await api(path, { json }), 'forbidden');
      expectProblem(await team.stranger.api(path, { json }), 'not_found');
    }
    await expect(addImage(api, projectId)).rejects.toThrow('403');
    await expect(addImage(team.stranger.api, projectId)).rejects.toThrow('404');
  });
});
