import type { DocumentImages } from '@/lib/document/page-model';
import type { StoredImage } from '@/lib/document/schema';
import { signedUrls, VIEW_URL_S } from '@/lib/storage/objects';

/**
 * Returns the images of a document with signed URLs for the user's browser. Leaves out images whose file is missing.
 */
export async function viewImages(images: StoredImage[]): Promise<DocumentImages> {
  const urls = await signedUrls(
    images.map(({ path }) => path),
    VIEW_URL_S,
  );
  return new Map(
    images.flatMap(({ key, width, height }, index) => {
      const src = urls[index];
      return src ? [[key, { src, width, height }]] : [];
    }),
  );
}
