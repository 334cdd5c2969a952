import { expect, inject } from 'vitest';
import type { ProjectRole } from '@/lib/auth/access';
import { project } from '@/lib/projects/schema';
import { type Api, apiAt, excerpt } from '@/tests/app/support/api';
import { newUser, type Person } from '@/tests/app/support/people';
import { unique } from '@/tests/app/support/specs';

type Member = Person & { api: Api };
/** The project of a test file, a member for each role, and an account that is not a member. */
export type Team = { projectId: string } & Record<ProjectRole | 'stranger', Member>;

async function makeMember(kind: string): Promise<Member> {
  const { url, env } = inject('atelier');
  const person = await newUser(env, kind);
  return { ...person, api: apiAt(url, person.headers) };
}

/** Creates a project and returns its id. */
export async function makeProject(api: Api, name = unique('Project')): Promise<string> {
  const response = await api('/api/projects', { json: { name } });
  expect(response.status, excerpt(response)).toBe(201);
  return project.parse(response.body).id;
}

/**
 * Creates a project with an owner, an editor and a viewer; the stranger has an account but is not a member of any
 * project.
 */
export async function makeTeam(): Promise<Team> {
  const [owner, editor, viewer, stranger] = await Promise.all([
    makeMember('owner'),
    makeMember('editor'),
    makeMember('viewer'),
    makeMember('stranger'),
  ]);
  const projectId = await makeProject(owner.api);
  for (const [role, { email }] of [
    ['editor', editor],
    ['viewer', viewer],
  ] as const) {
    const response = await owner.api(`/api/projects/${projectId}/members`, { json: { email, role } });
    expect(response.status, excerpt(response)).toBe(201);
  }
  return { projectId, owner, editor, viewer, stranger };
}
