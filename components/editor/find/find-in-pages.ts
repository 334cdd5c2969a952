import type { PageData, PageElement } from '@/lib/document/page-model';
import { elementTexts } from '@/lib/document/sheet-texts';
import { flowedPages } from '@/lib/document/table-flow';
import { plainText } from '../element-labels';

/** A match: a page or element that contains the text. `elementId` is null if the match is in the page's title. */
export type FoundPlace = { pageId: string; elementId: string | null };

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

function textOf(element: PageElement): string {
  if (element.type === 'text') return `${element.name}\n${plainText(element.blocks)}`;
  return [element.name, ...elementTexts(element).map(({ text }) => text)].join('\n');
}

/**
 * Returns the matches for `query` in page order. Case and accents are ignored. In a table that spans pages, a match
 * belongs to the frame that shows the matching row, so opening the match opens the right page.
 */
export function findInPages(pages: readonly PageData[], query: string): FoundPlace[] {
  const foldedQuery = folded(query.trim());
  if (foldedQuery === '') return [];
  return flowedPages(pages).flatMap((page): FoundPlace[] => {
    const inElements = page.elements
      .filter((element) => folded(textOf(element)).includes(foldedQuery))
      .map(({ id }) => ({ pageId: page.id, elementId: id }));
    const inTitle = folded(page.title).includes(foldedQuery) ? [{ pageId: page.id, elementId: null }] : [];
    return [...inTitle, ...inElements];
  });
}
