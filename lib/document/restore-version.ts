import { MAX_MASTERS } from './masters';
import type { DocumentContent } from './schema';

/**
 * Returns a document with the pages in `pageIds` restored from an earlier version, or with all content of that version
 * if `pageIds` is null. A page that has been removed since then returns to its earlier position. The master of a
 * restored page is added if it is missing and there is room for it. Ids of pages that the earlier version does not have
 * are ignored.
 */
export function withRestored<Content extends DocumentContent>(
  current: Content,
  earlier: DocumentContent,
  pageIds: readonly string[] | null,
): Content {
  if (pageIds === null) return { ...current, ...earlier };
  const pages = [...current.pages];
  const masters = [...current.masters];
  for (const [index, page] of earlier.pages.entries()) {
    if (!pageIds.includes(page.id)) continue;
    const position = pages.findIndex(({ id }) => id === page.id);
    pages.splice(position < 0 ? index : position, position < 0 ? 0 : 1, page);
    const master = earlier.masters.find(({ id }) => id === page.masterId);
    const isMissing = master && !masters.some(({ id }) => id === master.id);
    if (isMissing && masters.length < MAX_MASTERS) masters.push(master);
  }
  return { ...current, pages, masters };
}
