import { z } from 'zod';
import { pageParams } from '@/hooks/pages';
import { callApi } from '@/lib/http/client';
import {
  imagesResponse,
  type Member,
  member,
  membersResponse,
  type Project,
  type ProjectCardData,
  type ProjectState,
  project,
  projectsResponse,
} from '@/lib/projects/schema';
import { memberWithEmail } from './member-rules';

export type ProjectCardsPage = { projects: ProjectCardData[]; nextCursor: string | null };

export function readProjects(
  state: ProjectState,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ProjectCardsPage> {
  const query = new URLSearchParams({ state, ...pageParams(24, cursor) });
  return callApi(`/api/projects?${query}`, { schema: projectsResponse, signal });
}

export function createProject(name: string, idempotencyKey: string): Promise<Project> {
  return callApi('/api/projects', { method: 'POST', body: { name }, schema: project, idempotencyKey });
}

export function renameProject(projectId: string, name: string): Promise<Project> {
  return callApi(`/api/projects/${projectId}`, { method: 'PATCH', body: { name }, schema: project });
}

export function archiveProject(projectId: string, archived: boolean): Promise<Project> {
  const path = `/api/projects/${projectId}/archive`;
  return callApi(path, { method: 'POST', body: { archived }, schema: project });
}

export async function deleteProject(projectId: string): Promise<void> {
  await callApi(`/api/projects/${projectId}`, { method: 'DELETE', schema: z.undefined() });
}

export function restoreProject(projectId: string): Promise<Project> {
  return callApi(`/api/projects/${projectId}/restore`, { method: 'POST', schema: project });
}

export async function readMembers(projectId: string, signal?: AbortSignal): Promise<Member[]> {
  return (await callApi(`/api/projects/${projectId}/members`, { schema: membersResponse, signal })).members;
}

/** Adds a member by email address, or changes the role of an existing member. */
export function setMember(projectId: string, email: string, role: Member['role']): Promise<Member> {
  return callApi(`/api/projects/${projectId}/members`, {
    method: 'POST',
    body: { email, role },
    schema: member,
  });
}

/**
 * Adds a user to a project by email address. If the user is already a member, changes nothing and returns that member.
 * Reads the members first, because the list on the screen can be outdated or missing, and `setMember` would change the
 * role of an existing member.
 */
export async function addMember(
  projectId: string,
  email: string,
  role: Member['role'],
): Promise<Member | undefined> {
  const existing = memberWithEmail(email, await readMembers(projectId));
  if (!existing) await setMember(projectId, email, role);
  return existing;
}

export async function removeMember(projectId: string, userId: string): Promise<void> {
  await callApi(`/api/projects/${projectId}/members/${userId}`, { method: 'DELETE', schema: z.undefined() });
}

/** Returns one page of the images that were uploaded to a project or copied into it, newest first. */
export function readImages(projectId: string, cursor: string | null, signal: AbortSignal) {
  const query = new URLSearchParams(pageParams(24, cursor));
  return callApi(`/api/projects/${projectId}/images?${query}`, { schema: imagesResponse, signal });
}
