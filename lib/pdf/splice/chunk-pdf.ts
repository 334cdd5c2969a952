import { createYielder } from './yielder';

/** Thrown when PDFs cannot be joined; the document is then printed in one piece. */
export class SpliceRefusal extends Error {
  override name = 'SpliceRefusal';
}

/**
 * An object of a PDF. `text`, decoded as Latin-1, consists of `n 0 obj`, the value and, unless the object has a stream,
 * `endobj`. `stream` contains the bytes of the object's stream.
 */
export type ChunkObject = { text: string; stream: Uint8Array | null };

/** A parsed PDF from Chromium. Section numbers in comments refer to ISO 32000-1. */
export type ChunkPdf = {
  /** One more than the highest object number. */
  size: number;
  /** The objects by number, in file order. */
  objects: ReadonlyMap<number, ChunkObject>;
  // Object numbers from the trailer (`root` and `info`) and from the catalog (the next four); 0 when missing.
  root: number;
  info: number;
  pageTree: number;
  dests: number;
  outlines: number;
  structure: number;
  /** Object numbers of the pages, in order. */
  pages: number[];
};

/** Returns the text of an object. Throws `SpliceRefusal` when the object is missing. */
export function objectText(objects: ChunkPdf['objects'], number: number): string {
  const found = objects.get(number);
  if (!found) throw new SpliceRefusal(`Object ${number} is missing.`);
  return found.text;
}

/** Returns the number of the object that a dictionary's key refers to, or 0 if the key refers to none. */
export function refOf(text: string, key: string): number {
  return Number(new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1] ?? 0);
}

/** Returns the numbers of all objects that a piece of PDF source refers to, in order. */
export function refsIn(text: string): number[] {
  return [...text.matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number));
}

// A cross-reference entry has 20 bytes: a ten-digit offset, a generation number, a letter and a line break (7.5.4).
const ENTRY = 20;
const STREAM = '>> stream\n';
const END_STREAM = '\nendstream\nendobj\n';

type Table = { starts: Map<number, number>; size: number; tableAt: number; trailer: string };

async function readTable(bytes: Buffer): Promise<Table> {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - 64));
  const tableAt = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1]);
  const head = /^xref\n0 (\d+)\n/.exec(bytes.toString('latin1', tableAt, tableAt + 40));
  if (!head) throw new SpliceRefusal('The PDF has no plain cross-reference table.');
  const size = Number(head[1]);
  const from = tableAt + head[0].length;
  const starts = new Map<number, number>();
  const giveWay = createYielder();
  for (let number = 1; number < size; number += 1) {
    await giveWay();
    const entry = bytes.toString('latin1', from + number * ENTRY, from + (number + 1) * ENTRY);
    if (!/^\d{10} \d{5} [nf]/.test(entry)) throw new SpliceRefusal('The cross-reference table is invalid.');
    if (entry[17] === 'n') starts.set(number, Number(entry.slice(0, 10)));
  }
  return { starts, size, tableAt, trailer: bytes.toString('latin1', from + size * ENTRY) };
}

function readObject(bytes: Buffer, number: number, start: number, end: number): ChunkObject {
  const streamEnd = end - END_STREAM.length;
  const hasStream = bytes.toString('latin1', streamEnd, end) === END_STREAM;
  const streamAt = hasStream ? bytes.indexOf(STREAM, start, 'latin1') : -1;
  if (hasStream && (streamAt < 0 || streamAt > streamEnd)) {
    throw new SpliceRefusal(`Object ${number} has a stream in an unknown form.`);
  }
  const text = bytes.toString('latin1', start, hasStream ? streamAt + 2 : end);
  if (!text.startsWith(`${number} 0 obj\n`) || !(hasStream || text.endsWith('\nendobj\n'))) {
    throw new SpliceRefusal(`Object ${number} is not where it should be.`);
  }
  const stream = hasStream ? bytes.subarray(streamAt + STREAM.length, streamEnd) : null;
  if (stream && Number(/\/Length (\d+)/.exec(text)?.[1]) !== stream.length) {
    throw new SpliceRefusal(`The length of object ${number} is wrong.`);
  }
  return { text, stream };
}

function findPages(objects: ChunkPdf['objects'], node: number, depth = 0): number[] {
  const value = objectText(objects, node);
  if (/\/Type \/Page\n/.test(value)) return [node];
  const kids = /\/Kids \[([^\]]*)\]/.exec(value)?.[1];
  if (kids === undefined || depth > 20) throw new SpliceRefusal('The page tree is invalid.');
  return refsIn(kids).flatMap((kid) => findPages(objects, kid, depth + 1));
}

/**
 * Parses a PDF in the form that Chromium writes. Throws `SpliceRefusal` for any other form, which a newer version of
 * Chromium may write.
 */
export async function readChunk(pdf: Uint8Array): Promise<ChunkPdf> {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const { starts, size, tableAt, trailer } = await readTable(bytes);
  const placed = [...starts].sort(([, a], [, b]) => a - b);
  const objects = new Map<number, ChunkObject>();
  const giveWay = createYielder();
  for (const [at, [number, start]] of placed.entries()) {
    await giveWay();
    objects.set(number, readObject(bytes, number, start, placed[at + 1]?.[1] ?? tableAt));
  }
  const root = refOf(trailer, 'Root');
  const catalog = objectText(objects, root);
  const pageTree = refOf(catalog, 'Pages');
  return {
    size,
    objects,
    root,
    info: refOf(trailer, 'Info'),
    pageTree,
    dests: refOf(catalog, 'Dests'),
    outlines: refOf(catalog, 'Outlines'),
    structure: refOf(catalog, 'StructTreeRoot'),
    pages: findPages(objects, pageTree),
  };
}
