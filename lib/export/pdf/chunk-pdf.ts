/** Why PDFs cannot be joined; whoever asked prints in another way. */
export class SpliceRefusal extends Error {
  override name = 'SpliceRefusal';
}

/** A PDF as Chromium writes it, taken apart: section numbers are those of ISO 32000-1. */
export type ChunkPdf = {
  /** One more than the highest object number. */
  size: number;
  /** Numbers of its objects, in the order of the file. */
  objects: number[];
  /** An object without its stream: `n 0 obj`, its value, and `endobj` where there is no stream. Bytes as Latin-1. */
  text: (object: number) => string;
  /** The bytes between `stream` and `endstream`; null for an object that has none. */
  stream: (object: number) => Uint8Array | null;
  /** Objects that the trailer and the catalog name; 0 for one that is not there. */
  root: number;
  info: number;
  pageTree: number;
  dests: number;
  outlines: number;
  structure: number;
  /** Object numbers of the pages, in order. */
  pages: number[];
};

/** The object that a dictionary names under a key; 0 for none. */
export function refOf(text: string, key: string): number {
  return Number(new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1] ?? 0);
}

/** Every object that a text refers to, in order. */
export function refsIn(text: string): number[] {
  return [...text.matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number));
}

// An entry is 20 bytes: ten digits, a generation and a letter (7.5.4).
const ENTRY = 20;
const STREAM = '>> stream\n';
const END_STREAM = '\nendstream\nendobj\n';

type Table = { starts: Map<number, number>; size: number; tableAt: number; trailer: string };

function readTable(bytes: Buffer): Table {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - 64));
  const tableAt = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1]);
  const head = /^xref\n0 (\d+)\n/.exec(bytes.toString('latin1', tableAt, tableAt + 40));
  if (!head) throw new SpliceRefusal('It has no plain table of cross references.');
  const size = Number(head[1]);
  const from = tableAt + head[0].length;
  const starts = new Map<number, number>();
  for (let number = 1; number < size; number += 1) {
    const entry = bytes.toString('latin1', from + number * ENTRY, from + (number + 1) * ENTRY);
    if (!/^\d{10} \d{5} [nf]/.test(entry))
      throw new SpliceRefusal('Its table of cross references is broken.');
    if (entry[17] === 'n') starts.set(number, Number(entry.slice(0, 10)));
  }
  return { starts, size, tableAt, trailer: bytes.toString('latin1', from + size * ENTRY) };
}

function findPages(text: ChunkPdf['text'], node: number, depth = 0): number[] {
  const value = text(node);
  if (/\/Type \/Page\n/.test(value)) return [node];
  const kids = /\/Kids \[([^\]]*)\]/.exec(value)?.[1];
  if (kids === undefined || depth > 20) throw new SpliceRefusal('Its page tree is not one.');
  return refsIn(kids).flatMap((kid) => findPages(text, kid, depth + 1));
}

/** Takes a PDF of Chromium apart. Throws SpliceRefusal for any other form, of which a new version may have one. */
export function readChunk(pdf: Uint8Array): ChunkPdf {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const { starts, size, tableAt, trailer } = readTable(bytes);
  const objects = [...starts].sort(([, a], [, b]) => a - b).map(([number]) => number);
  const ends = new Map(objects.map((number, at) => [number, starts.get(objects[at + 1] ?? 0) ?? tableAt]));

  const extent = (number: number) => {
    const start = starts.get(number);
    const end = ends.get(number);
    if (start === undefined || end === undefined) throw new SpliceRefusal(`It lacks object ${number}.`);
    const hasStream = bytes.toString('latin1', end - END_STREAM.length, end) === END_STREAM;
    const streamAt = hasStream ? bytes.subarray(0, end).indexOf(STREAM, start, 'latin1') : -1;
    if (hasStream && streamAt < 0) throw new SpliceRefusal(`Object ${number} has a stream of unknown form.`);
    return { start, end, streamAt };
  };
  const text = (number: number) => {
    const { start, end, streamAt } = extent(number);
    const found = bytes.toString('latin1', start, streamAt < 0 ? end : streamAt + 2);
    if (!found.startsWith(`${number} 0 obj\n`) || (streamAt < 0 && !found.endsWith('\nendobj\n'))) {
      throw new SpliceRefusal(`Object ${number} is not where it should be.`);
    }
    return found;
  };
  const stream = (number: number) => {
    const { end, streamAt } = extent(number);
    if (streamAt < 0) return null;
    const found = bytes.subarray(streamAt + STREAM.length, end - END_STREAM.length);
    if (Number(/\/Length (\d+)/.exec(text(number))?.[1]) !== found.length) {
      throw new SpliceRefusal(`Object ${number} has another length than it says.`);
    }
    return found;
  };

  const root = refOf(trailer, 'Root');
  const catalog = text(root);
  const pageTree = refOf(catalog, 'Pages');
  return {
    size,
    objects,
    text,
    stream,
    root,
    info: refOf(trailer, 'Info'),
    pageTree,
    dests: refOf(catalog, 'Dests'),
    outlines: refOf(catalog, 'Outlines'),
    structure: refOf(catalog, 'StructTreeRoot'),
    pages: findPages(text, pageTree),
  };
}
