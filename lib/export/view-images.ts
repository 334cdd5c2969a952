import { signedUrls, VIEW_URL_S } from '@/lib/storage/objects';
import type { DocumentImages } from './document/page-model';
import type { Snapshot } from './snapshot';

/** The images of a document for a reader's own browser, by signed addresses. One whose file is gone is left out. */
export async function viewImages(images: Snapshot['images']): Promise<DocumentImages> {
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
