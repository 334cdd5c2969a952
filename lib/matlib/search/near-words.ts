/** Shorter words have too many neighbours that mean something else. */
const SHORTEST = 4;
const TWO_SLIPS_FROM = 7;

/**
 * How many slips of the fingers part two words: a letter too much, too few, wrong, or two that changed places (optimal
 * string alignment). Whatever is more than `max` is `max + 1`.
 */
export function slipsBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let slips = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        slips = Math.min(slips, (before[j - 2] ?? 0) + 1);
      }
      row.push(slips);
      least = Math.min(least, slips);
    }
    if (least > max) return max + 1;
    before = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 0, max + 1);
}

/** Of `known`, the words that somebody may have meant who typed `word`, with the slips in it. */
export function nearWords(word: string, known: Iterable<string>): { word: string; slips: number }[] {
  if (word.length < SHORTEST) return [];
  const near: { word: string; slips: number }[] = [];
  for (const other of known) {
    // Who slips twice still begins with the right letter; else nonsense finds something, too.
    const long = Math.max(word.length, other.length) >= TWO_SLIPS_FROM && word[0] === other[0];
    const max = other.length < SHORTEST ? 0 : long ? 2 : 1;
    const slips = slipsBetween(word, other, max);
    if (slips > 0 && slips <= max) near.push({ word: other, slips });
  }
  return near;
}
