import { type ChunkPdf, readChunk, SpliceRefusal } from './chunk-pdf';
import { givingWay } from './give-way';
import { type Rename, renamed } from './pdf-values';
import { type PdfWriter, pdfWriter, type StreamSource } from './pdf-writer';
import { placeholderName } from './placeholder';
import { type ChunkStructure, readStructure } from './read-structure';
import type { OutlineEntry } from './write-outline';
import { type Gathered, writeWhole } from './write-whole';

/**
 * An image as it goes into a PDF: a JPEG of three components, and a deflated mask of one byte a pixel. Those of one name
 * are one.
 */
export type GraftedImage = {
  name: string;
  width: number;
  height: number;
  jpeg: StreamSource;
  mask: StreamSource | null;
};

export type Splice = {
  /** In order. */
  parts: SplicePart[];
  /** How many pages there must be. */
  pages: number;
  /** Which placeholders must be there; others may be. */
  required: ReadonlySet<string>;
  /** The image for a placeholder; undefined for one that nobody has placed. */
  image: (name: string) => GraftedImage | undefined;
  title: string;
  language: string;
  outline: OutlineEntry[];
  /** The name of a page as a destination, by its index; a link to `linkBase` and such a name leads there. */
  anchor: (page: number) => string;
  linkBase: string;
};

/** What Chromium printed of a document, taken apart. */
export type SplicePart = {
  chunk: ChunkPdf;
  structure: ChunkStructure;
  /** Names of placeholders by their objects. */
  placeholders: ReadonlyMap<number, string>;
};

/** Takes a part of a document apart. Throws SpliceRefusal when it is not as Chromium writes PDFs. */
export async function readPart(pdf: Uint8Array): Promise<SplicePart> {
  const chunk = await readChunk(pdf);
  const placeholders = new Map<number, string>();
  for (const [number, { text, stream }] of chunk.objects) {
    if (!stream || !text.includes('/Filter /DCTDecode\n')) continue;
    const name = placeholderName(stream);
    if (name === null) throw new SpliceRefusal('It shows an image that it was not given.');
    placeholders.set(number, name);
  }
  return { chunk, structure: readStructure(chunk), placeholders };
}

function check({ parts, pages, required, image }: Splice): void {
  const found = parts.reduce((sum, { chunk }) => sum + chunk.pages.length, 0);
  if (found !== pages) throw new SpliceRefusal(`There are ${found} pages instead of ${pages}.`);
  const names = new Set(parts.flatMap(({ placeholders }) => [...placeholders.values()]));
  const lacking = [...required].filter((name) => !names.has(name));
  if (lacking.length > 0) {
    throw new SpliceRefusal(`${lacking.length} of ${required.size} images are not as they were placed.`);
  }
  const strange = [...names].filter((name) => !image(name));
  if (strange.length > 0) throw new SpliceRefusal(`${strange.length} images were not to be there.`);
}

/** Two capitals by a chunk's index. */
const fontTag = (index: number) => String.fromCharCode(65 + (Math.floor(index / 26) % 26), 65 + (index % 26));

/** Image dictionaries are ISO 32000-1, 8.9.5; masks 11.6.5.3. What else Chromium says of a JPEG is kept. */
async function* writeImage(writer: PdfWriter, number: number, dictionary: string, image: GraftedImage) {
  const { width, height, jpeg, mask } = image;
  const size = `/Width ${width}\n/Height ${height}`;
  const maskNumber = mask ? writer.reserve() : 0;
  const head = dictionary
    .replace(/\/Width \d+\n\/Height \d+/, maskNumber ? `${size}\n/SMask ${maskNumber} 0 R` : size)
    .replace(/\/Length \d+/, `/Length ${jpeg.length}`);
  yield* writer.stream(number, head, jpeg);
  if (!mask) return;
  const maskHead =
    `<</Type /XObject\n/Subtype /Image\n${size}\n/ColorSpace /DeviceGray\n/BitsPerComponent 8\n` +
    `/Filter /FlateDecode\n/Length ${mask.length}>>`;
  yield* writer.stream(maskNumber, maskHead, mask);
}

async function allOf({ pieces }: StreamSource): Promise<Uint8Array[]> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return read;
}

/** Gives the bytes of one image after the other; of the next one they are read while one is written. */
function readAhead(images: GraftedImage[]): () => Promise<Uint8Array[]> {
  const left = images.values();
  const start = () => {
    const image = left.next().value;
    const bytes = image ? allOf(image.jpeg) : Promise.resolve([]);
    // Whoever stops reading the PDF never asks for it.
    bytes.catch(() => undefined);
    return bytes;
  };
  let next = start();
  return () => {
    const current = next;
    next = start();
    return current;
  };
}

async function* write(splice: Splice): AsyncGenerator<Uint8Array> {
  const { parts, anchor, linkBase } = splice;
  const writer = pdfWriter();
  const whole = { pageTree: writer.reserve(), structure: writer.reserve(), document: writer.reserve() };
  const anchors = new Set(Array.from({ length: splice.pages }, (_, page) => anchor(page)));
  const imageAt = new Map<string, number>();
  const all: Gathered = { ...whole, pages: [], trees: [], kids: [], parents: [], ids: [], keys: 0 };

  const link = (text: string) => {
    if (!text.includes('/Subtype /Link\n')) return text;
    return text.replace(/\/A <<\/Type \/Action\n\/S \/URI\n\/URI \(([^()\\]*)\)>>/, (action, url: string) => {
      const name = url.startsWith(linkBase) ? url.slice(linkBase.length) : '';
      return anchors.has(name) ? `/Dest /${name}` : action;
    });
  };

  for (const [index, { chunk, structure, placeholders }] of parts.entries()) {
    const base = writer.reserveMany(chunk.size - 1) - 1;
    const given = new Map([[structure.document, whole.document]]);
    const object = (number: number) => given.get(number) ?? base + number;
    const skipped = new Set([chunk.root, chunk.info, chunk.dests, chunk.outlines, ...structure.holders]);
    const grafts = new Map<number, GraftedImage>();
    for (const [number, placeholder] of placeholders) {
      const image = splice.image(placeholder);
      if (!image) continue;
      const earlier = imageAt.get(image.name);
      if (earlier === undefined) {
        imageAt.set(image.name, object(number));
        grafts.set(number, image);
      } else {
        given.set(number, earlier);
        skipped.add(number);
      }
    }
    const idOf = new Map(
      structure.named.map(({ name }, at) => [
        name,
        `(${String(index).padStart(3, '0')}-${String(at).padStart(6, '0')})`,
      ]),
    );
    const isNaming = (text: string) => idOf.size > 0 && /\/(?:ID \(|Headers \[)/.test(text);
    const names: Omit<Rename, 'string'> = { object, structureKeys: all.keys, fontTag: fontTag(index) };

    // They come in the order of their objects, as `placeholders` does.
    const nextJpeg = readAhead([...grafts.values()]);
    const giveWay = givingWay();
    for (const [number, { text, stream }] of chunk.objects) {
      await giveWay();
      if (skipped.has(number)) continue;
      const string = isNaming(text)
        ? (literal: string) => idOf.get(literal) ?? literal
        : (literal: string) => literal;
      let value = renamed(text, { ...names, string }).replace(/\nendobj\n$/, '');
      const image = grafts.get(number);
      if (number === chunk.pageTree) {
        value = value.replace('/Type /Pages', `/Type /Pages\n/Parent ${whole.pageTree} 0 R`);
      }
      if (image) {
        const jpeg = { length: image.jpeg.length, pieces: await nextJpeg() };
        yield* writeImage(writer, object(number), value, { ...image, jpeg });
      } else if (stream)
        yield* writer.stream(object(number), value, { length: stream.length, pieces: [stream] });
      else writer.value(object(number), link(value));
    }
    const reference = (number: number) => `${object(number)} 0 R`;
    all.pages.push(...chunk.pages.map(object));
    all.trees.push(reference(chunk.pageTree));
    all.kids.push(...structure.kids.map(reference));
    all.parents.push(
      ...structure.parents.map((entry) => `${entry.key + all.keys} ${reference(entry.object)}`),
    );
    all.ids.push(...structure.named.map((entry) => `${idOf.get(entry.name)} ${reference(entry.object)}`));
    all.keys += structure.keys;
  }
  const { root, info } = writeWhole(writer, all, splice);
  yield* writer.end(root, info);
}

/**
 * Joins PDFs of Chromium into one, streaming: tagged, with one outline, links and named places through all of it, and
 * with the real images where placeholders were. The same input gives the same bytes. Throws SpliceRefusal before the
 * first byte when the parts are not as they should be.
 */
export function splicePdfs(splice: Splice): AsyncGenerator<Uint8Array> {
  check(splice);
  return write(splice);
}
