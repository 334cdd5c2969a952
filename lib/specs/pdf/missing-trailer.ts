import { constants, inflateSync } from 'node:zlib';

type Compressed = { stream: number; index: number };
type Found = { root: number | null; highest: number; compressed: Map<number, Compressed> };

const DICTIONARY_CHARS = 4096;
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const isCatalog = /\/Type\s*\/Catalog\b/;

/** Returns the number and text of each object in an object stream, or [] if the stream cannot be decompressed. */
function unpack(dictionary: string, packed: Buffer): [number, string][] {
  const first = Number(/\/First\s+(\d{1,8})/.exec(dictionary)?.[1]);
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_STREAM_BYTES };
    const text = inflateSync(packed, options).toString('latin1');
    const numbers = text.slice(0, first).trim().split(/\s+/).map(Number);
    return numbers.flatMap((number, i): [number, string][] => {
      const [start = Number.NaN, end = text.length] = [numbers[i + 1], numbers[i + 3]];
      if (i % 2 === 1 || !(first + start < text.length)) return [];
      return [[number, text.slice(first + start, first + end)]];
    });
  } catch {
    return [];
  }
}

function findObjects(bytes: Buffer, text: string): Found {
  const found: Found = { root: null, highest: 0, compressed: new Map() };
  const note = (number: number, body: string) => {
    if (number > found.highest) found.highest = number;
    if (isCatalog.test(body)) found.root = number;
  };
  for (const object of text.matchAll(/\b(\d{1,7})\s+\d{1,5}\s+obj\b/g)) {
    const number = Number(object[1]);
    const start = object.index + object[0].length;
    const content = text.slice(start, start + DICTIONARY_CHARS);
    const [dictionary = ''] = content.split(/\bendobj\b|\bstream\b/, 1);
    note(number, dictionary);
    const opening = /\/Type\s*\/ObjStm\b/.test(dictionary) && /\bstream\r?\n/.exec(content);
    if (!opening) continue;
    const packed = bytes.subarray(start + opening.index + opening[0].length);
    for (const [index, [inner, body]] of unpack(dictionary, packed).entries()) {
      found.compressed.set(inner, { stream: number, index });
      note(inner, body);
    }
  }
  return found;
}

/**
 * Returns a cross-reference stream to append to a file whose own cross-references were cut off. The stream refers to
 * the last catalog and to the objects in object streams, which PDF.js does not search when it repairs a file. Returns
 * null for a file without a catalog, and for an encrypted file, which cannot be decrypted without the lost trailer.
 */
export function missingTrailer(bytes: Buffer): Buffer | null {
  const text = bytes.toString('latin1');
  if (/\/Filter\s*\/Standard\b/.test(text)) return null;
  const { root, highest, compressed } = findObjects(bytes, text);
  if (root === null) return null;
  const numbers = [...compressed.keys()].sort((a, b) => a - b);
  const own = highest + 1;
  const entries = Buffer.alloc(numbers.length * 7);
  for (const [row, number] of numbers.entries()) {
    const { stream = 0, index = 0 } = compressed.get(number) ?? {};
    entries.writeUInt8(2, row * 7);
    entries.writeUInt32BE(stream, row * 7 + 1);
    entries.writeUInt16BE(index & 0xffff, row * 7 + 5);
  }
  const ranges = numbers.map((number) => `${number} 1`).join(' ');
  // Closes the object in which the file was cut off.
  const end = '\n] >>\nendstream\nendobj\n';
  const startxref = bytes.length + end.length - Math.max(0, bytes.indexOf('%PDF-'));
  const dictionary = `/Type /XRef /Size ${own + 1} /Root ${root} 0 R /W [1 4 2] /Index [${ranges}]`;
  return Buffer.concat([
    Buffer.from(`${end}${own} 0 obj\n<< ${dictionary} /Length ${entries.length} >>\nstream\n`),
    entries,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${startxref}\n%%EOF\n`),
  ]);
}
