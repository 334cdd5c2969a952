import { foldedWords } from './fold-words';

/**
 * Matches the parts of a file name that can be ordered: versions, revision letters and dates. `private.file_stem` in
 * the database removes these parts, among others.
 */
const parts =
  /\b(?:(?:v|ver|version|rev|revision) ?(\d{1,3})(?: (\d{1,2}))?|(?:rev|revision) ([a-z])|((?:19|20)\d\d)(?: ?([01]\d)(?: ?([0-3]\d))?)?)\b/g;

/** The version, revision letter and date in a file name, each as a list of numbers. */
function versionOf(fileName: string) {
  const found: { number?: number[]; letter?: number[]; date?: number[] } = {};
  const words = foldedWords(fileName.replace(/\.pdf$/i, '').replace(/\s*\(\d+\)\s*$/, '')).join(' ');
  for (const [, major, minor, letter, ...date] of words.matchAll(parts)) {
    if (major) found.number = [Number(major), Number(minor ?? 0)];
    else if (letter) found.letter = [letter.charCodeAt(0)];
    else found.date = date.map((part) => Number(part ?? 0));
  }
  return found;
}

/**
 * Compares two file names by version number, then by revision letter, then by date. Returns a negative number if the
 * first file is older, a positive number if it is newer, and 0 if the names do not show which is older. For example,
 * `rev b` and `v2` cannot be compared.
 */
export function compareVersions(fileName: string, otherName: string): number {
  const [one, other] = [versionOf(fileName), versionOf(otherName)];
  for (const kind of ['number', 'letter', 'date'] as const) {
    const numbers = other[kind];
    const difference = numbers && one[kind]?.map((value, n) => value - (numbers[n] ?? 0)).find(Boolean);
    if (difference) return difference;
  }
  return 0;
}
