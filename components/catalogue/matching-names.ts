/** Normalizes text for searching: trims it and removes differences in case, character width and accents. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

/** Returns the names that contain `typed`, in their original order. Returns all names if `typed` is blank. */
export function matching(names: string[], typed: string): string[] {
  const foldedQuery = foldText(typed);
  return foldedQuery === '' ? names : names.filter((name) => foldText(name).includes(foldedQuery));
}

/**
 * Returns a key that two names share if the server treats them as the same, for example if they differ only in case,
 * character width or the amount of whitespace. `private.name_key` in the database computes the same key.
 */
export const nameKey = (name: string) => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
