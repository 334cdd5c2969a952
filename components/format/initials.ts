/** Returns up to two letters from the name in an email address, such as AB for ada.bergen@example.com. */
export function initialsOf(email: string | null): string {
  const words = (email ?? '').split('@')[0]?.match(/\p{L}+/gu) ?? [];
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => word.charAt(0)) : [words[0]?.slice(0, 2)];
  return letters.join('').toUpperCase() || '?';
}
