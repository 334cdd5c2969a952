import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

const deflated = promisify(deflate);

/** Objects of one object stream (ISO 32000-1, 7.5.7): more make it smaller, and slower to open at a single one. */
const PACKED = 500;
/** So many object streams are deflated beside the writing of what comes after them; a fixed number, for the same bytes each time. */
const AHEAD = 8;
/** What is shorter is joined with what comes after it. */
const PIECE = 1 << 16;

/** A stream's bytes, which need not be in memory; `length` must be right. */
export type StreamSource = { length: number; pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array> };

export type PdfWriter = {
  /** The number of an object that is still to be written. */
  reserve: () => number;
  /** Reserves so many numbers in a row; answers the first. */
  reserveMany: (count: number) => number;
  /** Takes an object that is no stream; it is written, packed with others, later on. */
  value: (number: number, value: string) => void;
  /** Writes a stream under its dictionary, which says its length and filter. Throws if it is not that long. */
  stream: (number: number, dictionary: string, source: StreamSource) => AsyncGenerator<Uint8Array>;
  /** Writes what is left and the cross references. */
  end: (root: number, info: number) => AsyncGenerator<Uint8Array>;
};

type Packed = { number: number; value: string }[];
/** An object stream on its way: its number, what its dictionary says, and its bytes. */
type Pack = { holder: number; count: number; first: number; body: Promise<Buffer> };
type Place = { kind: 'at'; offset: number } | { kind: 'packed'; stream: number; index: number };

/** The table of cross references as a stream (7.5.8): a kind, a place in four bytes, an index in two. */
function crossReferences(places: Map<number, Place>, size: number): Buffer {
  const table = Buffer.alloc(size * 7);
  table.writeUInt16BE(0xffff, 5);
  for (const [number, place] of places) {
    const at = number * 7;
    table[at] = place.kind === 'at' ? 1 : 2;
    table.writeUInt32BE(place.kind === 'at' ? place.offset : place.stream, at + 1);
    table.writeUInt16BE(place.kind === 'at' ? 0 : place.index, at + 5);
  }
  return table;
}

/** Writes a PDF 1.5 from front to back: whatever is no stream is packed, and little is kept but where objects are. */
export function pdfWriter(): PdfWriter {
  const places = new Map<number, Place>();
  let next = 1;
  let position = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let packed: Packed = [];
  const packs: Pack[] = [];

  const put = (bytes: string | Uint8Array) => {
    const piece = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    waiting.push(piece);
    waitingBytes += piece.length;
    position += piece.length;
  };
  function* flush(atLeast: number): Generator<Uint8Array> {
    if (waitingBytes < atLeast || waitingBytes === 0) return;
    const piece = Buffer.concat(waiting, waitingBytes);
    waiting = [];
    waitingBytes = 0;
    yield piece;
  }
  // The mark after the version says that the file is binary (7.5.2).
  put('%PDF-1.5\n%\xd3\xeb\xe9\xe1\n');

  const reserveMany = (count: number) => {
    const first = next;
    next += count;
    return first;
  };
  async function* write(number: number, dictionary: string, { length, pieces }: StreamSource) {
    places.set(number, { kind: 'at', offset: position });
    put(`${number} 0 obj\n${dictionary}\nstream\n`);
    let written = 0;
    for await (const piece of pieces) {
      written += piece.byteLength;
      if (piece.byteLength < PIECE) put(piece);
      else {
        yield* flush(0);
        position += piece.byteLength;
        yield piece;
      }
      yield* flush(PIECE);
    }
    if (written !== length) throw new Error(`A stream has ${written} bytes instead of ${length}.`);
    put('\nendstream\nendobj\n');
    yield* flush(PIECE);
  }
  const pack = () => {
    const holder = reserveMany(1);
    let offset = 0;
    const index: string[] = [];
    for (const [at, { number, value }] of packed.entries()) {
      places.set(number, { kind: 'packed', stream: holder, index: at });
      index.push(`${number} ${offset}`);
      offset += value.length + 1;
    }
    const head = `${index.join(' ')}\n`;
    const text = `${head}${packed.map(({ value }) => value).join('\n')}\n`;
    const body = deflated(Buffer.from(text, 'latin1'));
    // Whoever stops reading never asks for it.
    body.catch(() => undefined);
    packs.push({ holder, count: packed.length, first: head.length, body });
    packed = [];
  };
  async function* writePacks(left: number) {
    while (packs.length > left) {
      const { holder, count, first, body } = packs.shift() as Pack;
      const bytes = await body;
      const dictionary = `<</Type /ObjStm /N ${count} /First ${first} /Filter /FlateDecode /Length ${bytes.length}>>`;
      yield* write(holder, dictionary, { length: bytes.length, pieces: [bytes] });
    }
  }

  return {
    reserve: () => reserveMany(1),
    reserveMany,
    value: (number, value) => {
      packed.push({ number, value });
      if (packed.length >= PACKED) pack();
    },
    stream: async function* (number, dictionary, source) {
      yield* writePacks(AHEAD);
      yield* write(number, dictionary, source);
    },
    end: async function* (root, info) {
      if (packed.length > 0) pack();
      yield* writePacks(0);
      const number = reserveMany(1);
      const offset = position;
      places.set(number, { kind: 'at', offset });
      const table = await deflated(crossReferences(places, next));
      const dictionary =
        `<</Type /XRef /Size ${next} /W [1 4 2] /Root ${root} 0 R /Info ${info} 0 R ` +
        `/Filter /FlateDecode /Length ${table.length}>>`;
      yield* write(number, dictionary, { length: table.length, pieces: [table] });
      put(`startxref\n${offset}\n%%EOF\n`);
      yield* flush(0);
    },
  };
}
