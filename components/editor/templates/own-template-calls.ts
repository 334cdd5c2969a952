import { z } from 'zod';
import { pageParams } from '@/hooks/pages';
import {
  type FilledTemplate,
  filledTemplate,
  type PageTemplate,
  type PageTemplateContent,
  pageTemplate,
  templatesResponse,
} from '@/lib/export/page-templates/schema';
import { callApi } from '@/lib/http/client';

/** The key of the templates in the query cache. */
export const templatesKey = ['page-templates'] as const;

const listPath = (projectId: string) => `/api/projects/${projectId}/page-templates`;
const pathOf = (projectId: string, id: string) => `${listPath(projectId)}/${id}`;

/** Fetches one page of the list of saved templates, newest first. */
export async function readTemplates(
  projectId: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<{ items: PageTemplate[]; nextCursor: string | null }> {
  const query = new URLSearchParams(pageParams(12, cursor));
  const { templates, nextCursor } = await callApi(`${listPath(projectId)}?${query}`, {
    schema: templatesResponse,
    signal,
  });
  return { items: templates, nextCursor };
}

/** Returns a template with its pages. */
export function readTemplate(projectId: string, id: string, signal?: AbortSignal): Promise<FilledTemplate> {
  return callApi(pathOf(projectId, id), { schema: filledTemplate, signal });
}

/** Saves pages as a template. A repeated call with the same `idempotencyKey` does not save another template. */
export function createTemplate(
  projectId: string,
  body: { name: string; content: PageTemplateContent },
  idempotencyKey: string,
): Promise<PageTemplate> {
  return callApi(listPath(projectId), { method: 'POST', body, schema: pageTemplate, idempotencyKey });
}

export function renameTemplate(projectId: string, id: string, name: string): Promise<PageTemplate> {
  return callApi(pathOf(projectId, id), { method: 'PATCH', body: { name }, schema: pageTemplate });
}

export async function deleteTemplate(projectId: string, id: string): Promise<void> {
  await callApi(pathOf(projectId, id), { method: 'DELETE', schema: z.undefined() });
}
