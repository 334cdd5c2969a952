/**
 * Turns text into part of a file name that is valid on every system: one line of at most `max` code points, without
 * forbidden characters. The result can be empty.
 */
export function fileNamePart(text: string, max: number): string {
  const trimmed = (part: string) => part.replace(/^[ .]+|[ .]+$/g, '');
  const line = trimmed(text.normalize('NFC').replace(/[\p{C}\p{Z}\s\\/:*?"<>|]+/gu, ' '));
  return trimmed([...line].slice(0, max).join(''));
}

/**
 * Returns a function that makes file names unique by adding a number to repeated ones. Names that differ only in case
 * count as repeated, because some file systems ignore case.
 */
export function uniqueNames(): (stem: string, ending: string) => string {
  const taken = new Set<string>();
  return (stem, ending) => {
    for (let n = 1; ; n += 1) {
      const name = n === 1 ? `${stem}${ending}` : `${stem} (${n})${ending}`;
      if (taken.has(name.toLowerCase())) continue;
      taken.add(name.toLowerCase());
      return name;
    }
  };
}
