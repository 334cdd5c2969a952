import type { Attachment } from './attachment';
import { type ChunkPdf, readChunk, SpliceRefusal } from './chunk-pdf';
import { headingDepths } from './heading-depths';
import { pdfText, type Rename, renamed } from './pdf-values';
import { type PdfWriter, pdfWriter, type StreamSource } from './pdf-writer';
import { placeholderName } from './placeholder';
import { type ChunkStructure, readStructure } from './read-structure';
import { type PageLook, refinePart } from './refine-part';
import type { OutlineEntry } from './write-outline';
import { type JoinedParts, writeSharedObjects } from './write-shared-objects';
import { createYielder } from './yielder';

/**
 * An image to insert into a PDF. It consists of a JPEG with three components and, unless the image is opaque, a
 * deflated mask with one byte per pixel. Images with the same name are stored once.
 */
export type GraftedImage = {
  name: string;
  width: number;
  height: number;
  jpeg: StreamSource;
  mask: StreamSource | null;
};

export type Splice = {
  /** The parts, in the order of the document. */
  parts: SplicePart[];
  /** The expected number of pages. */
  pages: number;
  /** Names of placeholders that must be present; others are optional. */
  required: ReadonlySet<string>;
  /** Returns the image for a placeholder, or undefined if the placeholder is unknown. */
  image: (name: string) => GraftedImage | undefined;
  title: string;
  language: string;
  outline: OutlineEntry[];
  attachment: Attachment | null;
  /** The sRGB profile if the file follows PDF/A-2a, otherwise null. */
  archiveProfile: Uint8Array | null;
  /**
   * Returns the name of a page's destination, given the page's index. A link to `linkBase` plus this name leads to the
   * page.
   */
  anchor: (page: number) => string;
  /** Returns the number that PDF viewers show as a page's label, given the page's index. */
  pageNumber: (page: number) => number;
  /** Returns the title of a page, given its index. Links to the page get the title as their description. */
  pageTitle: (page: number) => string;
  linkBase: string;
};

/** A parsed part of a document that Chromium printed. */
export type SplicePart = {
  chunk: ChunkPdf;
  structure: ChunkStructure;
  /** Names of placeholders by object number. */
  placeholders: ReadonlyMap<number, string>;
};

/**
 * Parses a part of a document and applies `look`, if given, to its pages. Throws `SpliceRefusal` when the part does not
 * have the form that Chromium writes, or when it contains a JPEG that is not a placeholder.
 */
export async function readPart(pdf: Uint8Array, look?: PageLook): Promise<SplicePart> {
  const chunk = await readChunk(pdf);
  const placeholders = new Map<number, string>();
  for (const [number, { text, stream }] of chunk.objects) {
    if (!stream || !text.includes('/Filter /DCTDecode\n')) continue;
    const name = placeholderName(stream);
    if (name === null) throw new SpliceRefusal('The PDF contains an image that is not a placeholder.');
    placeholders.set(number, name);
  }
  const structure = readStructure(chunk);
  return { chunk: await refinePart(chunk, structure.parents, look), structure, placeholders };
}

function check({ parts, pages, required, image }: Splice): void {
  const found = parts.reduce((sum, { chunk }) => sum + chunk.pages.length, 0);
  if (found !== pages) throw new SpliceRefusal(`There are ${found} pages instead of ${pages}.`);
  const names = new Set(parts.flatMap(({ placeholders }) => [...placeholders.values()]));
  const missing = [...required].filter((name) => !names.has(name));
  if (missing.length > 0) {
    throw new SpliceRefusal(`${missing.length} of ${required.size} images are missing.`);
  }
  const unexpected = [...names].filter((name) => !image(name));
  if (unexpected.length > 0) throw new SpliceRefusal(`${unexpected.length} images are not expected.`);
}

/** Returns the two capital letters for a chunk's font tags, given the chunk's index. */
const fontTag = (index: number) => String.fromCharCode(65 + (Math.floor(index / 26) % 26), 65 + (index % 26));

/**
 * Writes an image (ISO 32000-1, 8.9.5) and its mask (11.6.5.3). Changes only the size, length and mask in Chromium's
 * dictionary.
 */
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

/** Returns a function that returns the next image's bytes on each call and reads one image ahead. */
function readAhead(images: GraftedImage[]): () => Promise<Uint8Array[]> {
  const left = images.values();
  const start = () => {
    const image = left.next().value;
    const bytes = image ? allOf(image.jpeg) : Promise.resolve([]);
    // Prevents an unhandled rejection if the consumer stops early and nothing awaits this promise.
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
  const anchors = new Map(Array.from({ length: splice.pages }, (_, page) => [anchor(page), page]));
  const depthOf = headingDepths();
  const imageAt = new Map<string, number>();
  const all: JoinedParts = { ...whole, pages: [], trees: [], kids: [], parents: [], ids: [], keys: 0 };

  /**
   * Turns a link to a sheet into a link to that sheet's page. Gives each link a description for screen readers.
   */
  const link = (text: string) => {
    if (!text.includes('/Subtype /Link\n')) return text;
    return text.replace(
      /\/A <<\/Type \/Action\n\/S \/URI\n\/URI (\(((?:[^()\\]|\\[\s\S])*)\))>>/,
      (action, uri: string, url: string) => {
        const name = url.startsWith(linkBase) ? url.slice(linkBase.length) : '';
        const page = anchors.get(name);
        return page === undefined
          ? `${action}\n/Contents ${uri}`
          : `/Dest /${name}\n/Contents ${pdfText(splice.pageTitle(page))}`;
      },
    );
  };
  const heading = (text: string) =>
    text.replace(/\/S \/H([1-6])\n/, (_, level: string) => `/S /H${depthOf(Number(level))}\n`);

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

    // `grafts` is in the order of the chunk's objects, so each call to `nextJpeg` in the loop below returns the bytes
    // of the right image.
    const nextJpeg = readAhead([...grafts.values()]);
    const giveWay = createYielder();
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
      else writer.value(object(number), heading(link(value)));
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
  const { root, info } = yield* writeSharedObjects(writer, all, splice);
  yield* writer.end(root, info);
}

/**
 * Joins PDFs from Chromium into one tagged PDF, which it yields in pieces. The PDF has one outline, working links and
 * destinations, and the real images in place of the placeholders. The same input always produces the same bytes. Throws
 * `SpliceRefusal`, before the first piece, when the parts are not as expected.
 */
export function splicePdfs(splice: Splice): AsyncGenerator<Uint8Array> {
  check(splice);
  return write(splice);
}
