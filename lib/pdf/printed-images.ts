import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { imageUses, printedInches } from '@/lib/document/image-uses';
import type { DocumentImage, DocumentImages } from '@/lib/document/page-model';
import type { ExportQuality, StoredImage } from '@/lib/document/schema';
import { type ExportWarning, MAX_IMAGE_PIXELS } from '@/lib/document/schema';
import type { Sheet, SheetPlan } from '@/lib/document/sheets';
import { concurrencyLimit } from '@/lib/process/fair-queue';
import type { DerivativeFile } from './images/derivative-file';
import type { DerivativeStore } from './images/derivative-store';
import { DERIVATION, deriveImage, type ImageRefusal } from './images/derive-image';

const DPI: Record<ExportQuality, number> = { screen: 110, print: 200, archive: 300 };
const LOW_DPI = 150;
const MAX_FILE_BYTES = 50 * 1024 * 1024;
/** The limit on the total size of a document's SVG drawings. A drawing counts once per use. */
const MAX_DRAWN_BYTES = 8 * 1024 * 1024;
const WORDS: Record<ImageRefusal | 'missing' | 'foreign', string> = {
  foreign: 'The project does not have this image, so it is not printed.',
  missing: 'The image file is missing.',
  unreadable: 'The image file cannot be read.',
  too_many_pixels: `The image has too many pixels to print; the limit is ${MAX_IMAGE_PIXELS / 1_000_000} million.`,
};

// A decoded image takes up a lot of memory, so the process makes at most two images at a time. Each export queues at
// most two, so that other exports do not wait long.
const withSlot = concurrencyLimit(2);
/** Content hashes of stored files by path; they stay valid because stored files never change. */
const contents = new LRUCache<string, string>({ max: 20_000 });

export type ImageSettings = {
  quality: ExportQuality;
  /** Limit on the total size of the derived images in bytes. */
  maxBytes: number;
  /**
   * Returns the bytes of a stored file, or null when it is missing or larger than `maxBytes`. Throws when `signal`
   * aborts.
   */
  readFile: (path: string, maxBytes: number, signal: AbortSignal) => Promise<Uint8Array | null>;
  store: DerivativeStore;
  /** The store's folder for this export. */
  folder: string;
  /**
   * SVG source of each image that has one, keyed by the path of the image file. The SVG is printed in place of that
   * file, unless it does not fit into `MAX_DRAWN_BYTES`.
   */
  drawings?: ReadonlyMap<string, string>;
  /** Called with the number of images that are ready and the total number of images. */
  report?: (made: number, total: number) => void;
  signal: AbortSignal;
};
/** Thrown when the images of a document together exceed `maxBytes`. */
export class ImagesTooLarge extends Error {
  override name = 'ImagesTooLarge';
  readonly maxBytes: number;
  constructor(maxBytes: number) {
    super(`The images are larger than ${maxBytes} bytes together.`);
    this.maxBytes = maxBytes;
  }
}

export type PrintedImages = {
  /**
   * Waits until all images of these sheets are made. Throws `ImagesTooLarge`, any error from making an image, or the
   * signal's abort reason.
   */
  ready: (sheets: Sheet[]) => Promise<void>;
  /**
   * Returns the finished images for the renderer, each with the URL that `src` returns for its name. Omits drawings,
   * and images that cannot be printed.
   */
  images: (src: (name: string) => string) => DocumentImages;
  /** Returns the drawings for the renderer as data URLs. The browser prints them as vectors. */
  drawings: () => DocumentImages;
  /** Returns a finished image by its name. */
  file: (name: string) => DerivativeFile | undefined;
  /** Returns the warnings about images. Until an image is ready, it is reported as missing. */
  warnings: () => ExportWarning[];
};

type Use = ReturnType<typeof imageUses>[number];
const locationOf = ({ pageId, element }: Use) => ({ pageId, elementId: element?.id ?? null });
const sha256 = (value: string | Uint8Array) => createHash('sha256').update(value).digest('hex');

/**
 * Returns the images of a plan that are printed as vectors. Each use of a drawing counts toward `MAX_DRAWN_BYTES`,
 * because the HTML repeats the drawing. A drawing that no longer fits is printed as pixels.
 */
function drawnImages(
  planned: Use[],
  files: StoredImage[],
  drawings: ImageSettings['drawings'] = new Map(),
): DocumentImages {
  let room = MAX_DRAWN_BYTES;
  return new Map(
    files.flatMap(({ key, path, width, height }): [string, DocumentImage][] => {
      const svg = drawings.get(path);
      if (svg === undefined) return [];
      const bytes = svg.length * planned.filter((use) => use.key === key).length;
      if (bytes > room) return [];
      room -= bytes;
      const src = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
      return [[key, { src, width, height }]];
    }),
  );
}

/** Starts making a plan's images in the order of the sheets. Makes each image once, at the size of its largest use. */
export function printedImages(
  plan: SheetPlan,
  files: StoredImage[],
  { quality, maxBytes, readFile, store, folder, drawings, report = () => {}, signal }: ImageSettings,
): PrintedImages {
  const planned = imageUses(plan);
  const drawn = drawnImages(planned, files, drawings);
  const fileOf = new Map(files.map((file, index) => [file.key, { ...file, name: String(index) }]));
  const uses = planned.flatMap((use) => {
    const file = fileOf.get(use.key);
    return file && !drawn.has(use.key) ? [{ ...use, file, inches: printedInches(use, file) }] : [];
  });
  const widths = new Map<string, number>();
  for (const { key, inches } of uses) widths.set(key, Math.max(widths.get(key) ?? 0, inches * DPI[quality]));

  const isFine = quality === 'archive';
  const made = new Map<string, DerivativeFile | ImageRefusal | 'missing'>();
  let bytesMade = 0;
  const read = async (path: string) => {
    const bytes = await readFile(path, MAX_FILE_BYTES, signal);
    if (bytes) contents.set(path, sha256(bytes));
    return bytes;
  };
  const make = async (key: string, path: string, name: string) => {
    signal.throwIfAborted();
    const width = Math.ceil(widths.get(key) ?? 0);
    let bytes = contents.has(path) ? undefined : await read(path);
    const content = contents.get(path);
    if (bytes === null || content === undefined) return made.set(name, 'missing');
    const derive = async () => {
      bytes ??= await read(path);
      signal.throwIfAborted();
      return bytes ? deriveImage(bytes, width, isFine) : 'unreadable';
    };
    const target = { folder, name };
    const file = await store.place(
      sha256(`${DERIVATION} ${content} ${width}${isFine ? ' fine' : ''}`),
      target,
      derive,
    );
    if (typeof file === 'object') bytesMade += file.jpegBytes + file.maskBytes;
    if (bytesMade > maxBytes) throw new ImagesTooLarge(maxBytes);
    return made.set(name, file);
  };
  const ofThis = concurrencyLimit(2);
  const making = new Map<string, Promise<unknown>>();
  for (const { key, file } of uses) {
    if (making.has(key)) continue;
    const work = ofThis(() => withSlot(() => make(key, file.path, file.name)));
    work.then(() => report(made.size, making.size)).catch(() => undefined);
    making.set(key, work);
  }
  report(0, making.size);

  const isFile = (value: ReturnType<typeof made.get>) => typeof value === 'object';
  return {
    ready: async (sheets) => {
      const numbers = new Set(sheets.map(({ number }) => number));
      await Promise.all(
        uses.filter(({ sheet }) => numbers.has(sheet.number)).map(({ key }) => making.get(key)),
      );
    },
    images: (src) =>
      new Map(
        [...fileOf.values()]
          .filter(({ name }) => isFile(made.get(name)))
          .map(({ key, name, width, height }) => [key, { src: src(name), width, height }]),
      ),
    drawings: () => drawn,
    file: (name) => {
      const found = made.get(name);
      return typeof found === 'object' ? found : undefined;
    },
    warnings: () => [
      ...planned.flatMap((use): ExportWarning[] =>
        fileOf.has(use.key) ? [] : [{ code: 'image_missing', ...locationOf(use), message: WORDS.foreign }],
      ),
      ...uses.flatMap((use): ExportWarning[] => {
        const { file, inches } = use;
        const found = made.get(file.name) ?? 'missing';
        const dpi = Math.floor(file.width / inches);
        const location = locationOf(use);
        if (typeof found !== 'object') return [{ code: 'image_missing', ...location, message: WORDS[found] }];
        const message = `The image is printed at ${dpi} dpi; below ${LOW_DPI} dpi it looks coarse.`;
        return dpi < LOW_DPI ? [{ code: 'low_resolution', ...location, message }] : [];
      }),
    ],
  };
}
