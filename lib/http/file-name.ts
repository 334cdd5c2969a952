/**
 * Returns the file name to store: a single line of at most 255 code points without control or format characters, or
 * `fallback` if nothing is left.
 */
export function displayFileName(name: string, fallback: string): string {
  const clean = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  return [...clean].slice(0, 255).join('') || fallback;
}
