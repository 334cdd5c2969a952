/**
 * Returns the initials of a name's first two words, or the first two letters of a name with one word. In an email
 * address, only the part before the `@` counts: `ada.bergen@example.com` gives `AB`. Returns `?` if there are no
 * letters.
 */
export function initialsOf(name: string | null): string {
  const words = (name ?? '').split('@')[0]?.match(/\p{L}+/gu) ?? [];
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => word.charAt(0)) : [words[0]?.slice(0, 2)];
  return letters.join('').toUpperCase() || '?';
}
