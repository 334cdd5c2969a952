import {
  imagesOf,
  MAX_ELEMENTS,
  MAX_IMAGES,
  MAX_PAGES,
  type PageData,
  type PageElement,
} from '@/lib/document/page-model';
import type { DocumentContent } from '@/lib/document/schema';

export type EditorDocument = DocumentContent;

/** A document with its open page and selection. */
export type EditorPlace = {
  document: EditorDocument;
  /** The open page; null while the document has none. */
  pageId: string | null;
  /** Ids of elements of the open page. */
  selected: readonly string[];
};

/**
 * The result of an action: the changed parts with an optional announcement, a message if the action is refused, or null
 * if nothing changes.
 */
export type Change = (Partial<EditorPlace> & { said?: string }) | { refused: string } | null;

export function openPage({ document, pageId }: EditorPlace): PageData | null {
  return document.pages.find(({ id }) => id === pageId) ?? null;
}

/** Returns the selected elements of the open page, in the page's order. */
export function selectedElements(place: EditorPlace): PageElement[] {
  const ids = new Set(place.selected);
  return openPage(place)?.elements.filter(({ id }) => ids.has(id)) ?? [];
}

/** Returns the document with `page` in place of the page with the same id. */
export function withPage(document: EditorDocument, page: PageData): EditorDocument {
  return { ...document, pages: document.pages.map((other) => (other.id === page.id ? page : other)) };
}

/** Returns the document with `elements` as the elements of the open page. */
export function withElements(place: EditorPlace, elements: readonly PageElement[]): EditorDocument {
  const page = openPage(place);
  return page ? withPage(place.document, { ...page, elements: [...elements] }) : place.document;
}

/** Returns a message when the pages exceed the limits of the page model, otherwise null. */
export function beyondLimits(pages: readonly PageData[]): string | null {
  if (pages.length > MAX_PAGES) return `A document has at most ${MAX_PAGES} pages.`;
  if (pages.some(({ elements }) => elements.length > MAX_ELEMENTS)) {
    return `A page has at most ${MAX_ELEMENTS} elements.`;
  }
  if (imagesOf([...pages]).length >= MAX_IMAGES) {
    return `A document must have fewer than ${MAX_IMAGES.toLocaleString('en')} images.`;
  }
  return null;
}
