import { countOf } from '@/components/format/count';
import { type DocumentImages, imageKey, type PageElement } from '@/lib/document/page-model';
import type { CopiedImage } from '@/lib/projects/copies/schema';

function keyOf(element: PageElement): string | null {
  return element.type === 'image' || element.type === 'material' ? imageKey(element) : null;
}

/** Returns the distinct keys of the elements' images that are not among `known`. */
export function unknownImages(elements: readonly PageElement[], known: DocumentImages): string[] {
  const keys = elements.map(keyOf).filter((key) => key !== null && !known.has(key));
  return [...new Set(keys)].filter((key) => key !== null);
}

/**
 * Returns the elements with their images replaced by the project's copies. Images in `asked` that were not copied are
 * removed from their elements, and `leftOut` is a message about them, or null if there are none.
 */
export function withCopies(
  elements: readonly PageElement[],
  asked: readonly string[],
  copied: readonly CopiedImage[],
): { elements: PageElement[]; leftOut: string | null } {
  const copies = new Map(copied.map(({ key, newKey }) => [key, newKey]));
  const without = asked.filter((key) => !copies.has(key));
  const results = elements.map((element): PageElement => {
    const key = keyOf(element);
    if (key === null || (element.type !== 'image' && element.type !== 'material')) return element;
    if (without.includes(key)) return { ...element, imageId: null, path: null };
    const copy = copies.get(key) ?? key;
    return copy === key ? element : { ...element, imageId: copy, path: null };
  });
  const count = without.length;
  const leftOut =
    count === 0
      ? null
      : `${countOf(count, 'image')} could not be copied: you have no access, or the file is missing or too large. ${count === 1 ? 'Its frame is' : 'Their frames are'} empty.`;
  return { elements: results, leftOut };
}
