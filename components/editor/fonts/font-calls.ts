import { z } from 'zod';
import { fontsResponse, type ProjectFont, projectFont } from '@/lib/fonts/schema';
import { callApi } from '@/lib/http/client';
import { sendForm } from '@/lib/http/upload';

export const fontsKey = (projectId: string) => ['project-fonts', projectId];

export async function readFonts(projectId: string, signal: AbortSignal): Promise<ProjectFont[]> {
  const { fonts } = await callApi(`/api/projects/${projectId}/fonts`, { schema: fontsResponse, signal });
  return fonts;
}

export function postFont(projectId: string, file: File): Promise<ProjectFont> {
  const form = new FormData();
  form.set('file', file);
  return sendForm(`/api/projects/${projectId}/fonts`, { form, schema: projectFont });
}

export async function deleteFont(projectId: string, id: string): Promise<void> {
  await callApi(`/api/projects/${projectId}/fonts/${id}`, { method: 'DELETE', schema: z.undefined() });
}
