import { foldText } from '@/components/catalogue/matching-names';
import type { UploadFacts } from './upload-tray-state';

/** The existing brand and area names. Guesses of brands and areas are limited to these. */
export type KnownNames = { brands: string[]; areas: string[] };

/** Splits a file's path into the names of its folders and of the file itself. */
export const pathParts = (path: string) => path.split('/').filter((part) => part !== '' && part !== '.');

const wordsOf = (text: string) => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns whether `words` contains the words of `name` consecutively and in order. */
function hasInARow(words: string[], name: string[]): boolean {
  return words.some((_, start) => name.every((word, index) => words[start + index] === word));
}

/**
 * Returns a function that finds one of the `names` in a text. If the text contains several names, the function returns
 * the one with the most words. If several names have the most words, the function returns the longest of them. If the
 * text contains none of the names, the function returns undefined.
 */
function finder(names: string[]): (text: string) => string | undefined {
  const candidates = names
    .map((name) => ({ name, words: wordsOf(name) }))
    .filter(({ words }) => words.length > 0)
    .sort((a, b) => b.words.length - a.words.length || b.name.length - a.name.length);
  return (text) => {
    const words = wordsOf(text);
    return candidates.find((entry) => hasInARow(words, entry.words))?.name;
  };
}

/**
 * Returns a function that guesses a spec's brand, area and property from its file's path. The function looks for brands
 * and areas first in the name of the file, then in the names of its folders from the innermost outward. It ignores
 * case, accents and separators. The property is the name of a folder below the outermost folder that names a brand. The
 * name of this folder must contain no area and have at most 120 characters. If several folders qualify, the function
 * uses the innermost one.
 */
export function guessFrom({ brands, areas }: KnownNames): (path: string) => Partial<UploadFacts> {
  const findBrand = finder(brands);
  const findArea = finder(areas);
  return (path) => {
    const parts = pathParts(path);
    const innerFirst = parts.toReversed();
    const find = (findName: typeof findBrand) => innerFirst.map(findName).find((name) => name !== undefined);
    const brandName = find(findBrand);
    const area = find(findArea);
    const brandAt = parts.findIndex((part) => findBrand(part) !== undefined);
    const below = brandAt < 0 ? [] : parts.slice(brandAt + 1, -1);
    const propertyName = below.findLast((folder) => findArea(folder) === undefined && folder.length <= 120);
    return {
      ...(brandName !== undefined && { brandName }),
      ...(area !== undefined && { area }),
      ...(propertyName !== undefined && { propertyName }),
    };
  };
}
