import { z } from 'zod';
import { pageParams } from '@/hooks/pages';
import { callApi } from '@/lib/http/client';
import {
  imagesResponse,
  type Member,
  member,
  membersResponse,
  type Project,
  project,
  projectsResponse,
} from '@/lib/projects/schema';

export type ProjectsPage = { projects: Project[]; nextCursor: string | null };

export function readProjects(cursor: string | null, signal: AbortSignal): Promise<ProjectsPage> {
  const query = new URLSearchParams(pageParams(24, cursor));
  return callApi(`/api/projects?${query}`, { schema: projectsResponse, signal });
}

export function createProject(name: string, idempotencyKey: string): Promise<Project> {
  return callApi('/api/projects', { method: 'POST', body: { name }, schema: project, idempotencyKey });
}

export async function readMembers(projectId: string, signal: AbortSignal): Promise<Member[]> {
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

export async function removeMember(projectId: string, userId: string): Promise<void> {
  await callApi(`/api/projects/${projectId}/members/${userId}`, { method: 'DELETE', schema: z.undefined() });
}

/** Returns one page of the images uploaded to a project, newest first. */
export function readImages(projectId: string, cursor: string | null, signal: AbortSignal) {
  const query = new URLSearchParams(pageParams(24, cursor));
  return callApi(`/api/projects/${projectId}/images?${query}`, { schema: imagesResponse, signal });
}
