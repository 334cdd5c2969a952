import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';

const deflated = promisify(deflate);

/**
 * Objects per object stream (ISO 32000-1, 7.5.7). A higher number makes the file smaller, but slows down reading a
 * single object.
 */
const PACKED = 500;
/**
 * The number of object streams that may still be pending when another stream is written. If more are pending, the
 * oldest ones are written before that stream. An object stream is not written as soon as it is deflated, because the
 * order of the objects would then depend on timing.
 */
const AHEAD = 8;
/** Pieces shorter than this many bytes are joined with the following ones. */
const PIECE = 1 << 16;

/** Supplies a stream's bytes, which need not all be in memory; `length` must be exact. */
export type StreamSource = { length: number; pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array> };

export type PdfWriter = {
  /** Reserves the number of an object that is written later. */
  reserve: () => number;
  /** Reserves consecutive object numbers; returns the first. */
  reserveMany: (count: number) => number;
  /** Adds an object that is not a stream. It is written later, in an object stream. */
  value: (number: number, value: string) => void;
  /**
   * Writes a stream after its dictionary, which must contain the stream's length and the filter, if any. Throws if the
   * number of bytes from `source` is not its `length`.
   */
  stream: (number: number, dictionary: string, source: StreamSource) => AsyncGenerator<Uint8Array>;
  /** Writes the remaining objects and the cross-reference stream. */
  end: (root: number, info: number) => AsyncGenerator<Uint8Array>;
};

type Packed = { number: number; value: string }[];
/** A pending object stream: its number, the values for its dictionary, and its bytes. */
type Pack = { holder: number; count: number; first: number; body: Promise<Buffer> };
type Position = { kind: 'at'; offset: number } | { kind: 'packed'; stream: number; index: number };

/**
 * Returns the data of a cross-reference stream (7.5.8). Each object's entry has seven bytes: one for the type, four for
 * the object's offset or the number of its object stream, and two for its index in the object stream.
 */
function crossReferences(positions: Map<number, Position>, size: number): Buffer {
  const table = Buffer.alloc(size * 7);
  table.writeUInt16BE(0xffff, 5);
  for (const [number, position] of positions) {
    const at = number * 7;
    table[at] = position.kind === 'at' ? 1 : 2;
    table.writeUInt32BE(position.kind === 'at' ? position.offset : position.stream, at + 1);
    table.writeUInt16BE(position.kind === 'at' ? 0 : position.index, at + 5);
  }
  return table;
}

/**
 * Returns a writer that produces a PDF 1.5 file from front to back. Objects without a stream are packed into object
 * streams, and little more than the objects' positions stays in memory.
 */
export function pdfWriter(): PdfWriter {
  const positions = new Map<number, Position>();
  let next = 1;
  let position = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const hash = createHash('md5');
  let packed: Packed = [];
  const packs: Pack[] = [];

  const put = (bytes: string | Uint8Array) => {
    const piece = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    hash.update(piece);
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
  // The bytes after the version mark the file as binary (7.5.2).
  put('%PDF-1.5\n%\xd3\xeb\xe9\xe1\n');

  const reserveMany = (count: number) => {
    const first = next;
    next += count;
    return first;
  };
  async function* write(number: number, dictionary: string, { length, pieces }: StreamSource) {
    positions.set(number, { kind: 'at', offset: position });
    put(`${number} 0 obj\n${dictionary}\nstream\n`);
    let written = 0;
    for await (const piece of pieces) {
      written += piece.byteLength;
      if (piece.byteLength < PIECE) put(piece);
      else {
        yield* flush(0);
        // Hash only the length of a large piece, such as an image, because hashing its bytes would take too long.
        hash.update(String(piece.byteLength));
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
      positions.set(number, { kind: 'packed', stream: holder, index: at });
      index.push(`${number} ${offset}`);
      offset += value.length + 1;
    }
    const head = `${index.join(' ')}\n`;
    const text = `${head}${packed.map(({ value }) => value).join('\n')}\n`;
    const body = deflated(Buffer.from(text, 'latin1'));
    // Prevents an unhandled rejection if the consumer stops early and nothing awaits this promise.
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
      positions.set(number, { kind: 'at', offset });
      const id = hash.copy().digest('hex');
      const table = await deflated(crossReferences(positions, next));
      const dictionary =
        `<</Type /XRef /Size ${next} /W [1 4 2] /Root ${root} 0 R /Info ${info} 0 R ` +
        `/ID [<${id}> <${id}>] /Filter /FlateDecode /Length ${table.length}>>`;
      yield* write(number, dictionary, { length: table.length, pieces: [table] });
      put(`startxref\n${offset}\n%%EOF\n`);
      yield* flush(0);
    },
  };
}
