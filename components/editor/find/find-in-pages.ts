import type { PageData, PageElement } from '@/lib/document/page-model';
import { elementTexts } from '@/lib/document/sheet-texts';
import { plainText } from '../element-labels';

/** A match: a page or element that contains the text. `elementId` is null if it is in the page's title. */
export type Found = { pageId: string; elementId: string | null };

const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

function textOf(element: PageElement): string {
  if (element.type === 'text') return `${element.name}\n${plainText(element.blocks)}`;
  return [element.name, ...elementTexts(element).map(({ text }) => text)].join('\n');
}

/** Returns the matches of a text in page order. Case and accents are ignored. */
export function findInPages(pages: readonly PageData[], query: string): Found[] {
  const foldedQuery = folded(query.trim());
  if (foldedQuery === '') return [];
  return pages.flatMap((page): Found[] => {
    const inElements = page.elements
      .filter((element) => folded(textOf(element)).includes(foldedQuery))
      .map(({ id }) => ({ pageId: page.id, elementId: id }));
    const inTitle = folded(page.title).includes(foldedQuery) ? [{ pageId: page.id, elementId: null }] : [];
    return [...inTitle, ...inElements];
  });
}
