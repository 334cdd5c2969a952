import type { DocumentImages } from '@/lib/export/document/page-model';
import { documentImagesAnswer, type ProjectDocument, projectDocument } from '@/lib/export/schema';
import { callApi } from '@/lib/http/client';
import type { EditorDocument } from './editor-change';

export function readDocument(projectId: string, signal?: AbortSignal): Promise<ProjectDocument> {
  return callApi(`/api/projects/${projectId}/pages`, { schema: projectDocument, signal });
}

/** Saves over the version that is named, and answers the new one. */
export async function putDocument(
  projectId: string,
  { format, orientation, cover, pages }: EditorDocument,
  version: number,
): Promise<number> {
  const answer = await callApi(`/api/projects/${projectId}/pages`, {
    method: 'PUT',
    body: { version, format, orientation, cover, pages },
    // The pages come back as they were sent: only the version is news.
    schema: projectDocument.pick({ version: true }),
  });
  return answer.version;
}

/** Where to show images from, by their keys; those that the project does not have are missing. */
export async function readDocumentImages(
  projectId: string,
  keys: string[],
  signal?: AbortSignal,
): Promise<DocumentImages> {
  const { images } = await callApi(`/api/projects/${projectId}/pages/images`, {
    method: 'POST',
    body: { keys },
    schema: documentImagesAnswer,
    signal,
  });
  return new Map(images.map(({ key, url, width, height }) => [key, { src: url, width, height }]));
}
