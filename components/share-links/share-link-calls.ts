import { z } from 'zod';
import { callApi } from '@/lib/http/client';
import {
  type CreatedShareLink,
  type CreateShareLinkBody,
  createdShareLink,
  type ShareLink,
  shareLinksResponse,
} from '@/lib/share-links/schema';

const pathOf = (projectId: string) => `/api/projects/${projectId}/share-links`;

/** Fetches the active share links of a project, newest first. */
export async function readShareLinks(projectId: string, signal: AbortSignal): Promise<ShareLink[]> {
  return (await callApi(pathOf(projectId), { schema: shareLinksResponse, signal })).shareLinks;
}

export function createShareLink(projectId: string, body: CreateShareLinkBody): Promise<CreatedShareLink> {
  return callApi(pathOf(projectId), { method: 'POST', body, schema: createdShareLink });
}

export async function revokeShareLink(projectId: string, { id }: ShareLink): Promise<void> {
  await callApi(`${pathOf(projectId)}/${id}`, { method: 'DELETE', schema: z.undefined() });
}
