/**
 * Returns up to two letters of a name, or of the name in an email address, such as AB for ada.bergen@example.com.
 * Returns `?` if the text has no letters.
 */
export function initialsOf(name: string | null): string {
  const words = (name ?? '').split('@')[0]?.match(/\p{L}+/gu) ?? [];
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => word.charAt(0)) : [words[0]?.slice(0, 2)];
  return letters.join('').toUpperCase() || '?';
}
