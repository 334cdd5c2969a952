/** Returns the file name to store: a single line of at most 255 visible characters, or `fallback` if none are left. */
export function displayFileName(name: string, fallback: string): string {
  const clean = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return [...clean].slice(0, 255).join('') || fallback;
}
