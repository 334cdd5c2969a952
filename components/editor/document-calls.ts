import { type DocumentKey, documentQueryOf } from '@/lib/document/document-key';
import type { DocumentImages } from '@/lib/document/page-model';
import type { PrintedCharacters } from '@/lib/document/printed-characters';
import { type ProjectDocument, projectDocument } from '@/lib/document/schema';
import {
  type DocumentVersion,
  documentImagesResponse,
  documentVersionResponse,
  printedCharactersResponse,
} from '@/lib/export/schema';
import { callApi } from '@/lib/http/client';
import { type CopiedImages, copiedImagesResponse, MAX_COPIED_IMAGES } from '@/lib/projects/copies/schema';
import { contentOf, type EditorDocument } from './editor-change';

const pagesPath = (key: DocumentKey) => `/api/projects/${key.projectId}/pages${documentQueryOf(key)}`;

export function readDocument(key: DocumentKey, signal?: AbortSignal): Promise<ProjectDocument> {
  return callApi(pagesPath(key), { schema: projectDocument, signal });
}

/** Returns the version of the document on the server, and who saved it. */
export function readDocumentVersion(key: DocumentKey): Promise<DocumentVersion> {
  const path = `/api/projects/${key.projectId}/pages/version${documentQueryOf(key)}`;
  return callApi(path, { schema: documentVersionResponse });
}

/**
 * Saves the document and returns its new version. `version` is the version that the save replaces. Throws
 * `state_conflict` if `version` is outdated.
 */
export async function putDocument(
  key: DocumentKey,
  document: EditorDocument,
  version: number,
): Promise<number> {
  const response = await callApi(pagesPath(key), {
    method: 'PUT',
    body: { ...contentOf(document), version },
    // The response repeats the pages; only the version is new.
    schema: projectDocument.pick({ version: true }),
  });
  return response.version;
}

/** Returns the characters that exports can print. */
export function readPrintedCharacters(signal: AbortSignal): Promise<PrintedCharacters> {
  return callApi('/api/export/characters', { schema: printedCharactersResponse, signal });
}

/** Copies images from other projects into the project. `failed` lists the images that could not be copied. */
export async function copyImages(projectId: string, keys: string[]): Promise<CopiedImages> {
  const copied: CopiedImages = { images: [], failed: [] };
  for (let from = 0; from < keys.length; from += MAX_COPIED_IMAGES) {
    const { images, failed } = await callApi(`/api/projects/${projectId}/images/copy`, {
      method: 'POST',
      body: { keys: keys.slice(from, from + MAX_COPIED_IMAGES) },
      schema: copiedImagesResponse,
    });
    copied.images.push(...images);
    copied.failed.push(...failed);
  }
  return copied;
}

/** Returns image URLs and sizes by image key. Omits images that the project does not have. */
export async function readDocumentImages(
  projectId: string,
  keys: string[],
  signal?: AbortSignal,
): Promise<DocumentImages> {
  const { images } = await callApi(`/api/projects/${projectId}/pages/images`, {
    method: 'POST',
    body: { keys },
    schema: documentImagesResponse,
    signal,
  });
  return new Map(images.map(({ key, url, width, height }) => [key, { src: url, width, height }]));
}
