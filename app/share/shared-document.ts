import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { inDocumentThread } from '@/app/in-document-thread';
import { type DocumentKey, documentIdOf } from '@/lib/document/document-key';
import type { StoredImage } from '@/lib/document/schema';
import type { PackedDocument } from '@/lib/export/packed-document';
import { documentRows, documentVersion } from '@/lib/export/queries';
import { findImages } from '@/lib/export/snapshot';
import type { ReservedMemory } from '@/lib/http/reserved-memory';
import { sharedValue } from '@/lib/process/shared-value';
import { adminDb, adminTransfers } from '@/lib/supabase/admin';
import type { FetchThrough } from '@/lib/supabase/json-bytes';

/** Maps the image ids that visitors see to storage paths. */
type ImagePaths = Map<string, string>;

// The paths are cached, because browsers request a document's images one by one. Parsing the document for each request
// would take too long.
const pathsByVersion = sharedValue('shared-documents', () => new LRUCache<string, ImagePaths>({ max: 200 }));
const cacheKey = (key: DocumentKey, version: number) => `${documentIdOf(key)}:${version}`;

/** Returns the id of an image in visitors' URLs. It is a hash, because visitors must not see the storage path. */
export function visitorImageId({ path }: Pick<StoredImage, 'path'>): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}

/**
 * Returns a stored document, its images and the names of its project fonts. The caller must check access. Throws
 * `not_found` or `unavailable`.
 */
export async function readSharedDocument(
  key: DocumentKey,
  memory: ReservedMemory,
): Promise<{ document: PackedDocument; images: StoredImage[]; fontNames: string[] }> {
  const source = { dbThrough: (through: FetchThrough) => adminTransfers({ through }) };
  const rows = await documentRows(source, key, memory.take);
  const { document, imageKeys, fontNames } = await inDocumentThread('parseStored', { rows });
  const images = await findImages(key.projectId, imageKeys);
  const paths: ImagePaths = new Map(images.map((image) => [visitorImageId(image), image.path]));
  pathsByVersion.set(cacheKey(key, document.version), paths);
  return { document, images, fontNames };
}

/**
 * Returns the storage path of an image that a document shows, or null if the document shows no image with this id.
 * Throws `unavailable`, or `not_found` if there is no such document.
 */
export async function sharedDocumentImage(
  key: DocumentKey,
  imageId: string,
  memory: ReservedMemory,
): Promise<string | null> {
  const { version } = await documentVersion(adminDb(), key);
  const paths = pathsByVersion.get(cacheKey(key, version));
  if (paths) return paths.get(imageId) ?? null;
  const { images } = await readSharedDocument(key, memory);
  return images.find((image) => visitorImageId(image) === imageId)?.path ?? null;
}
