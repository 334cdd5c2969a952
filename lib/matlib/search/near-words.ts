/** Minimum length of a word for typo correction. Shorter words are close to too many unrelated words. */
const SHORTEST = 3;
const TWO_TYPOS_FROM = 7;

/**
 * Returns the edit distance between two words (optimal string alignment): an extra, missing or wrong letter counts as
 * one, and so does a swap of two adjacent letters. Returns `max + 1` for any distance above `max`.
 */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let typos = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        typos = Math.min(typos, (before[j - 2] ?? 0) + 1);
      }
      row.push(typos);
      least = Math.min(least, typos);
    }
    if (least > max) return max + 1;
    before = last;
    last = row;
  }
  return Math.min(last[b.length] ?? 0, max + 1);
}

/** Returns the largest number of typos at which a typed word still matches a known word. */
function allowedTypos(word: string, other: string): number {
  const isSameStart = word[0] === other[0];
  // In a short word, the first letter must be right or missing.
  if (Math.min(word.length, other.length) <= SHORTEST)
    return isSameStart || other.length > word.length ? 1 : 0;
  // Allow two typos only in a long word whose first letter is right, so that nonsense does not match.
  return Math.max(word.length, other.length) >= TWO_TYPOS_FROM && isSameStart ? 2 : 1;
}

/** Returns a bit mask of a word's letters. Comparing two masks quickly rules out words that share too few letters. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let i = 0; i < word.length; i += 1) bits |= 1 << (word.charCodeAt(i) % 32);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** Returns a function that finds the known words that a misspelled word may mean. */
export function createNearWords(known: Iterable<string>) {
  const words = [...known]
    .filter((word) => word.length >= SHORTEST)
    .map((word) => ({ word, letters: lettersOf(word) }));
  return (word: string): { word: string; typos: number }[] => {
    if (word.length < SHORTEST) return [];
    const letters = lettersOf(word);
    const near: { word: string; typos: number }[] = [];
    for (const other of words) {
      const max = allowedTypos(word, other.word);
      if (Math.abs(word.length - other.word.length) > max) continue;
      // An extra, missing or wrong letter changes at most two bits, and a swap changes none.
      if (countBits(letters ^ other.letters) > 2 * max) continue;
      const typos = editDistance(word, other.word, max);
      if (typos > 0 && typos <= max) near.push({ word: other.word, typos });
    }
    return near;
  };
}
