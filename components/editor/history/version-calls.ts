import { z } from 'zod';
import { pageParams } from '@/hooks/pages';
import { type ProjectDocument, projectDocument } from '@/lib/document/schema';
import { type KeptVersion, keptResponse, versionsResponse } from '@/lib/export/schema';
import { callApi } from '@/lib/http/client';

type VersionsPage = { versions: KeptVersion[]; nextCursor: string | null };
const versionsPath = (projectId: string) => `/api/projects/${projectId}/pages/versions`;

/** Returns one page of the kept versions of a document, newest first. */
export function readVersions(
  projectId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<VersionsPage> {
  const query = new URLSearchParams(pageParams(30, cursor));
  return callApi(`${versionsPath(projectId)}?${query}`, { schema: versionsResponse, signal });
}

export function readVersion(
  projectId: string,
  versionId: string,
  signal: AbortSignal,
): Promise<ProjectDocument> {
  return callApi(`${versionsPath(projectId)}/${versionId}`, { schema: projectDocument, signal });
}

/** Keeps the current version and returns its id. Throws `state_conflict` if `version` is outdated. */
export async function keepVersion(projectId: string, version: number, name?: string): Promise<string> {
  const body = { version, name };
  const { id } = await callApi(versionsPath(projectId), { method: 'POST', body, schema: keptResponse });
  return id;
}

/** Names a version; null removes its name. */
export async function nameVersion(projectId: string, versionId: string, name: string | null): Promise<void> {
  const path = `${versionsPath(projectId)}/${versionId}`;
  await callApi(path, { method: 'PATCH', body: { name }, schema: z.undefined() });
}
