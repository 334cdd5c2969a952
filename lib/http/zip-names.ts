/** Most systems limit a file name to 255 bytes. This limit leaves 25 bytes for a number and an ending. */
const MAX_BYTES = 230;
/** Names that Windows reserves for devices, with or without an ending. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Returns the beginning of a text: at most `max` code points and `MAX_BYTES` bytes. */
function cut(text: string, max: number): string {
  let bytes = 0;
  const fits = (point: string) => {
    bytes += Buffer.byteLength(point);
    return bytes <= MAX_BYTES;
  };
  return [...text].slice(0, max).filter(fits).join('');
}

/**
 * Turns text into part of a file name: one line of at most `max` code points, without characters that an operating
 * system forbids. The result can be empty.
 */
export function fileNamePart(text: string, max: number): string {
  const trimmed = (part: string) => part.replace(/^[ .]+|[ .]+$/g, '');
  const line = trimmed(text.normalize('NFC').replace(/[\p{C}\p{Z}\s\\/:*?"<>|]+/gu, ' '));
  return trimmed(cut(line, max)).replace(reserved, '$1_');
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
