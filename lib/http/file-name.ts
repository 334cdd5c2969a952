/** The file name as it is stored: a single line of visible characters, at most 255. */
export function displayFileName(name: string, fallback: string): string {
  const clean = name
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return [...clean].slice(0, 255).join('') || fallback;
}
