import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { inDocumentThread } from '@/app/in-document-thread';
import { type DocumentKey, documentIdOf } from '@/lib/document/document-key';
import { imageKey } from '@/lib/document/page-model';
import type { StoredImage } from '@/lib/document/schema';
import { HttpError } from '@/lib/errors/problem';
import { documentRows, documentVersion } from '@/lib/export/queries';
import { renderQuery } from '@/lib/export/schema';
import { findImages } from '@/lib/export/snapshot';
import { listFonts } from '@/lib/fonts/project-fonts';
import { readProjectFonts } from '@/lib/fonts/read-project-fonts';
import type { ReservedMemory } from '@/lib/http/reserved-memory';
import { concurrencyLimit } from '@/lib/process/fair-queue';
import { sharedValue } from '@/lib/process/shared-value';
import { limitShared } from '@/lib/rate-limit/limit';
import type { Share } from '@/lib/share-links/open-link';
import { adminDb, adminTransfers } from '@/lib/supabase/admin';
import type { FetchThrough } from '@/lib/supabase/json-bytes';
import { VISITORS } from '@/lib/threads/task-pool';

/** The storage paths of a document's images by their ids in visitors' URLs. */
type ImagePaths = ReadonlyMap<string, string>;

/** The origin of the page's images, as a source of a Content-Security-Policy. */
export const imageSource = "'self'";

const CACHED_CHARACTERS = 64 * 1024 * 1024;
/** Documents that are being rendered, or wait for it, before more visitors are asked to come back. */
const MAX_OPENING = 8;

/** Returns the id of an image in visitors' URLs. It is a hash, because visitors must not see the storage path. */
function visitorImageId({ path }: Pick<StoredImage, 'path'>): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 32);
}

type Opening = { share: Share; memory: ReservedMemory };

async function read({ share, memory }: Opening) {
  const source = { dbThrough: (through: FetchThrough) => adminTransfers({ through }) };
  const rows = await documentRows(source, share, memory.take);
  const parsed = await inDocumentThread('parseStored', { rows }, VISITORS);
  const images = await findImages(share.projectId, parsed.imageKeys);
  const paths: ImagePaths = new Map(images.map((image) => [visitorImageId(image), image.path]));
  return { ...parsed, images, paths };
}

async function render(opening: Opening): Promise<{ html: string; paths: ImagePaths }> {
  const { share, memory } = opening;
  const { document, images, fontNames, paths } = await read(opening);
  const { cover } = document;
  // If `includecover` is unset, include the cover only if it has content.
  const hasCover = document.includecover ?? (cover.title !== '' || imageKey(cover) !== null);
  const input = {
    document,
    projectName: share.projectName,
    query: renderQuery.parse({ includecover: String(hasCover) }),
    // The URLs are relative to the request's URL, so the page does not contain the token.
    images: new Map(
      images.map((image) => [image.key, { ...image, src: `document/images/${visitorImageId(image)}` }]),
    ),
    imageSource,
    projectFonts: await readProjectFonts(share.projectId, fontNames, memory.take),
  };
  return { html: await inDocumentThread('drawPreview', input, VISITORS), paths };
}

/** Opens each version of a document once, however many visitors it has, and one document at a time. */
const documents = sharedValue('shared-documents', () => {
  const oneAtATime = concurrencyLimit(1);
  let opening = 0;
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (opening >= MAX_OPENING) {
      const message = 'Many shared documents are being opened. Try again in a moment.';
      throw new HttpError('unavailable', message, { retryAfter: 5 });
    }
    opening += 1;
    try {
      return await oneAtATime(work);
    } finally {
      opening -= 1;
    }
  }
  const images = new LRUCache<string, ImagePaths, Opening>({
    max: 200,
    ignoreFetchAbort: true,
    fetchMethod: (_key, _stale, { context }) => inTurn(async () => (await read(context)).paths),
  });
  const pages = new LRUCache<string, string, Opening>({
    maxSize: CACHED_CHARACTERS,
    sizeCalculation: (html) => html.length,
    // Finish rendering for the visitors who wait, even if other documents fill the cache meanwhile.
    ignoreFetchAbort: true,
    fetchMethod: (key, _stale, { context }) =>
      inTurn(async () => {
        await limitShared(`shared-document:${documentIdOf(context.share)}`);
        const { html, paths } = await render(context);
        images.set(key, paths);
        return html;
      }),
  });
  return { images, pages };
});

/** Identifies everything that the page of a document is made from. Throws `not_found` or `unavailable`. */
async function renderingKey(share: Share): Promise<string> {
  const key: DocumentKey = share;
  const [{ version }, fonts] = await Promise.all([
    documentVersion(adminDb(), key),
    listFonts(share.projectId),
  ]);
  return JSON.stringify([documentIdOf(key), version, share.projectName, fonts.map(({ id }) => id)]);
}

/**
 * Returns the HTML page of the document that a share link shows. Throws `not_found`, `unavailable`, or `rate_limited` if
 * the document had to be rendered too often.
 */
export async function sharedPage(opening: Opening): Promise<string> {
  return documents.pages.forceFetch(await renderingKey(opening.share), { context: opening });
}

/**
 * Returns the storage path of an image that a shared document shows, or undefined if it shows no image with this id.
 * Throws `not_found` or `unavailable`.
 */
export async function sharedImagePath(opening: Opening, imageId: string): Promise<string | undefined> {
  const paths = await documents.images.forceFetch(await renderingKey(opening.share), { context: opening });
  return paths.get(imageId);
}
