import { pageParams } from '@/hooks/pages';
import { callApi } from '@/lib/http/client';
import {
  changedResponse,
  type GalleryImage,
  type GalleryMaterial,
  galleryMaterialsResponse,
  galleryResponse,
  imageDownloadResponse,
} from '@/lib/image-gen/schema';
import { apiFilters, type GalleryFilters, galleryFiltersQuery } from './gallery-url';

export const GALLERY_PAGE = 48;

export type ImagesPage = { images: GalleryImage[]; nextCursor: string | null };

/**
 * Fetches one page of a project's images, newest first. Throws what `callApi` throws, like every function in this file.
 */
export function readGallery(
  projectId: string,
  filters: GalleryFilters,
  cursor: string | null,
  signal: AbortSignal,
): Promise<ImagesPage> {
  const query = new URLSearchParams(galleryFiltersQuery(apiFilters(filters)));
  for (const [name, value] of Object.entries(pageParams(GALLERY_PAGE, cursor))) query.set(name, value);
  return callApi(`/api/projects/${projectId}/gallery?${query}`, { schema: galleryResponse, signal });
}

/** Fetches the materials that the images of a project use, sorted by name. */
export async function readGalleryMaterials(
  projectId: string,
  signal: AbortSignal,
): Promise<GalleryMaterial[]> {
  const path = `/api/projects/${projectId}/gallery/materials`;
  return (await callApi(path, { schema: galleryMaterialsResponse, signal })).materials;
}

/** Requests a change to images and returns the ids of the images that now have the requested state. */
async function change(projectId: string, action: string, body: object): Promise<string[]> {
  const path = `/api/projects/${projectId}/gallery/${action}`;
  return (await callApi(path, { method: 'POST', body, schema: changedResponse })).imageIds;
}

export function postStar(projectId: string, imageIds: string[], starred: boolean): Promise<string[]> {
  return change(projectId, 'star', { imageIds, starred });
}

export function postDelete(projectId: string, imageIds: string[]): Promise<string[]> {
  return change(projectId, 'delete', { imageIds });
}

export function postRestore(projectId: string, imageIds: string[]): Promise<string[]> {
  return change(projectId, 'restore', { imageIds });
}

/** Prepares a download of images and returns its URL. */
export async function prepareImageDownload(projectId: string, imageIds: string[]): Promise<string> {
  const path = `/api/projects/${projectId}/gallery/downloads`;
  const { downloadId } = await callApi(path, {
    method: 'POST',
    body: { imageIds },
    schema: imageDownloadResponse,
  });
  return `${path}/${downloadId}`;
}
