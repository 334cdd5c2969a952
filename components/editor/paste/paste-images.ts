import { countOf } from '@/components/format/count';
import {
  type DocumentImages,
  type ImageSource,
  imageKey,
  imageSourcesOf,
  type PageElement,
} from '@/lib/document/page-model';
import type { CopiedImages } from '@/lib/projects/copies/schema';

/** Returns the distinct keys of the elements' images that are not among `known`. */
export function unknownImages(elements: readonly PageElement[], known: DocumentImages): string[] {
  const keys = elements.flatMap(imageSourcesOf).map(imageKey);
  return [...new Set(keys)].filter((key) => key !== null).filter((key) => !known.has(key));
}

const reasons = {
  not_available: 'you have no access, or the file is missing or too large',
  invalid_image: 'the file is not a valid image',
};

/**
 * Returns the elements with their images replaced by the copies in this project. Images that could not be copied are
 * removed from their elements. `leftOut` is a message about these images, or null if all were copied.
 */
export function withCopies(
  elements: readonly PageElement[],
  { images, failed }: CopiedImages,
): { elements: PageElement[]; leftOut: string | null } {
  const copies = new Map(images.map(({ key, newKey }) => [key, newKey]));
  const without = new Set(failed.map(({ key }) => key));
  const withCopy = <Source extends ImageSource>(source: Source): Source => {
    const key = imageKey(source);
    if (key === null) return source;
    if (without.has(key)) return { ...source, imageId: null, path: null };
    const copy = copies.get(key) ?? key;
    return copy === key ? source : { ...source, imageId: copy, path: null };
  };
  const results = elements.map((element): PageElement => {
    if (element.type === 'image' || element.type === 'material') return withCopy(element);
    if (element.type !== 'table' || imageSourcesOf(element).length === 0) return element;
    const rows = element.rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' ? cell : withCopy(cell))),
    );
    return { ...element, rows };
  });
  const count = failed.length;
  const why = [...new Set(failed.map(({ reason }) => reasons[reason]))].join('; or ');
  const leftOut =
    count === 0
      ? null
      : `${countOf(count, 'image')} could not be copied: ${why}. ${count === 1 ? 'Its frame is' : 'Their frames are'} empty.`;
  return { elements: results, leftOut };
}
