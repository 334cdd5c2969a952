import { imageKey, imagesOf, type PageData, type PageElement } from '@/lib/document/page-model';
import { type ProjectDocument, projectDocument } from '@/lib/document/schema';
import type { Bytes } from '@/lib/http/join-bytes';

/** Returns whether an element shows an image, or affects which rows, and thus which images, a table shows. */
function isNeeded(page: PageData, element: PageElement): boolean {
  if (element.type === 'table' && (element.flowId ?? element.continues) !== undefined) return true;
  return imagesOf([{ ...page, elements: [element] }]).length > 0;
}

const withoutTexts = (page: PageData): PageData => ({
  ...page,
  elements: page.elements.filter((element) => isNeeded(page, element)),
});

/**
 * Parses a saved document from JSON in UTF-8. Returns the document with only the elements that show an image or affect
 * where an image is shown, and the distinct keys of its images. Runs in a worker thread, because the document can be
 * large.
 */
export function onlyImages(saved: Bytes): { document: ProjectDocument; keys: string[] } {
  const document = projectDocument.parse(JSON.parse(new TextDecoder().decode(saved)));
  const pages = document.pages.map(withoutTexts);
  const masters = document.masters.map(withoutTexts);
  const cover = imageKey(document.cover);
  const keys = imagesOf([...masters, ...pages]).map(({ key }) => key);
  return {
    document: { ...document, pages, masters },
    keys: [...new Set(cover === null ? keys : [cover, ...keys])],
  };
}
