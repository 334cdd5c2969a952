import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, inflate } from 'node:zlib';

/** The position of an object: a byte offset in the file, or the number of the object stream that contains it. */
export type ObjectPosition = { at: number } | { inStream: number };

/**
 * A cross-reference section. `trailer` is the text of its trailer dictionary. `find` returns the position of an object,
 * or null if the section has no such object. `heldBytes` is the section's memory use in bytes.
 */
export type XrefSection = {
  trailer: string;
  find: (objectNumber: number) => Promise<ObjectPosition | null>;
  heldBytes: number;
};

const DICTIONARY_BYTES = 16 * 1024;
const STREAM_BYTES = 4 * 1024 * 1024;
const ENTRY_BYTES = 20;
const MAX_SUBSECTIONS = 200;

const inflateBytes = promisify(inflate);

/** Reads up to `length` bytes from `position`, as Latin-1 text. */
export async function readFileText(file: FileHandle, position: number, length: number): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.toString('latin1', 0, bytesRead);
}

/**
 * Returns the text of the object at `position` up to its `endobj` or stream, and the position where that text ends.
 * Returns null if no object is there, if its number is not `objectNumber` (null allows any number), or if its text is
 * longer than about 16 KB.
 */
export async function readObjectAt(file: FileHandle, position: number, objectNumber: number | null) {
  const text = await readFileText(file, position, DICTIONARY_BYTES);
  const head = /^\s{0,8}(\d{1,10})\s+\d{1,5}\s+obj\b/.exec(text);
  if (!head || (objectNumber !== null && Number(head[1]) !== objectNumber)) return null;
  const end = text.search(/\bendobj\b|\bstream\r?\n/);
  return end < 0 ? null : { dictionary: text.slice(head[0].length, end), streamAt: position + end };
}

/** Returns the integer value of a dictionary's key, or null. */
export function integerOf(dictionary: string, key: string): number | null {
  const value = new RegExp(`/${key}\\s+(\\d{1,12})\\b(?!\\s+\\d+\\s+R\\b)`).exec(dictionary)?.[1];
  return value === undefined ? null : Number(value);
}

/** Returns the object number that a dictionary's key refers to, or null. */
export function referenceOf(dictionary: string, key: string): number | null {
  const value = new RegExp(`/${key}\\s+(\\d{1,10})\\s+\\d{1,5}\\s+R\\b`).exec(dictionary)?.[1];
  return value === undefined ? null : Number(value);
}

/**
 * Returns the inflated bytes of a stream whose only filter is Flate, or null for any other object. Throws if inflating
 * fails or yields more than 4 MB.
 */
export async function readStream(
  file: FileHandle,
  { dictionary, streamAt }: { dictionary: string; streamAt: number },
): Promise<Buffer | null> {
  if (!/\/Filter\s*(?:\[\s*)?\/FlateDecode\s*(?:\]\s*)?(?:\/|>>)/.test(dictionary)) return null;
  const opening = /^stream\r?\n/.exec(await readFileText(file, streamAt, 8))?.[0].length;
  if (!opening) return null;
  const length = Math.min(integerOf(dictionary, 'Length') ?? STREAM_BYTES, STREAM_BYTES);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, streamAt + opening);
  return inflateBytes(buffer.subarray(0, bytesRead), {
    maxOutputLength: STREAM_BYTES,
    finishFlush: constants.Z_SYNC_FLUSH,
  });
}

/**
 * Reverses the PNG predictors None and Up, which cross-reference streams usually use. Returns null for any other
 * predictor.
 */
function undoPredictor(bytes: Buffer, columns: number): Buffer | null {
  const rows = Math.floor(bytes.length / (columns + 1));
  const plain = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const filter = bytes[row * (columns + 1)];
    if (filter !== 0 && filter !== 2) return null;
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const above = filter === 2 && row > 0 ? (plain[at - columns] ?? 0) : 0;
      plain[at] = (bytes[row * (columns + 1) + 1 + column] ?? 0) + above;
    }
  }
  return plain;
}

async function readTable(file: FileHandle, position: number): Promise<XrefSection | null> {
  const subsections: { first: number; count: number; at: number }[] = [];
  let at = position;
  for (let n = 0; n < MAX_SUBSECTIONS; n += 1) {
    const head = /^\s{0,8}(\d{1,10})\s+(\d{1,10})[ \t]*\r?\n?/.exec(await readFileText(file, at, 40));
    if (!head) break;
    const [whole, first, count] = head;
    at += whole.length;
    subsections.push({ first: Number(first), count: Number(count), at });
    at += Number(count) * ENTRY_BYTES;
  }
  const text = await readFileText(file, at, DICTIONARY_BYTES);
  const end = text.indexOf('startxref');
  if (!/^\s{0,8}trailer\b/.test(text) || end < 0) return null;
  return {
    trailer: text.slice(0, end),
    heldBytes: text.length,
    find: async (number) => {
      const part = subsections.find(({ first, count }) => number >= first && number < first + count);
      if (!part) return null;
      const entry = await readFileText(file, part.at + (number - part.first) * ENTRY_BYTES, ENTRY_BYTES);
      const offset = /^(\d{10}) \d{5} n[ \r\n]/.exec(entry)?.[1];
      return offset === undefined ? null : { at: Number(offset) };
    },
  };
}

async function readXrefStream(file: FileHandle, position: number): Promise<XrefSection | null> {
  const object = await readObjectAt(file, position, null);
  if (!object) return null;
  const { dictionary } = object;
  const widths = /\/W\s*\[\s*(\d)\s+(\d)\s+(\d)\s*\]/.exec(dictionary)?.slice(1).map(Number);
  const decoded = await readStream(file, object);
  if (!widths || !decoded) return null;
  const [typeWidth = 0, middle = 0, last = 0] = widths;
  if (typeWidth > 1 || middle < 1 || middle > 6 || last > 6) return null;
  const width = typeWidth + middle + last;
  const predictor = integerOf(dictionary, 'Predictor') ?? 1;
  if (predictor !== 1 && (predictor < 10 || integerOf(dictionary, 'Columns') !== width)) return null;
  const entries = predictor === 1 ? decoded : undoPredictor(decoded, width);
  if (!entries) return null;
  const index = /\/Index\s*\[([\d\s]*)\]/.exec(dictionary)?.[1]?.trim().split(/\s+/).map(Number);
  const ranges = index ?? [0, integerOf(dictionary, 'Size') ?? 0];
  return {
    trailer: dictionary,
    heldBytes: entries.length,
    find: async (number) => {
      let row = 0;
      for (let i = 0; i + 1 < ranges.length; i += 2) {
        const [first = 0, count = 0] = ranges.slice(i, i + 2);
        if (number >= first && number < first + count) {
          const at = (row + number - first) * width;
          if (at + width > entries.length) return null;
          const type = typeWidth === 0 ? 1 : entries[at];
          const value = entries.readUIntBE(at + typeWidth, middle);
          if (type === 1) return { at: value };
          return type === 2 ? { inStream: value } : null;
        }
        row += count;
      }
      return null;
    },
  };
}

/**
 * Reads the cross-reference section at `position`: a table with its trailer, or a stream (ISO 32000-1, 7.5.4 and
 * 7.5.8). Returns null or throws for a section that it cannot read. PDF.js may still be able to read such a section.
 */
export async function readXrefSection(file: FileHandle, position: number): Promise<XrefSection | null> {
  const keyword = /^\s{0,8}xref\b/.exec(await readFileText(file, position, 16));
  return keyword ? readTable(file, position + keyword[0].length) : readXrefStream(file, position);
}
