import { readObject } from '@/lib/storage/objects';
import { imageUses, printedInches } from './document/image-uses';
import type { DocumentImages } from './document/page-model';
import type { SheetPlan } from './document/sheets';
import { IMAGE_ORIGIN } from './print-html';
import { type PrintImage, printImage } from './print-image';
import type { ExportWarning } from './schema';
import { slots } from './slots';
import type { Snapshot } from './snapshot';

const PRINT_DPI = 200;
const LOW_DPI = 150;
const MAX_FILE_BYTES = 50 * 1024 * 1024;

// Chromium asks for all images at once; decoded ones are large.
const oneOfFew = slots(2);

export type PrintedImages = {
  /** For the renderer. */
  images: DocumentImages;
  /** For the browser: the bytes of one image, made for its largest place; `onServed` has been told when it comes. */
  serve: (name: string) => Promise<PrintImage | null>;
  /** Known before, and complete once everything has been served. */
  warnings: ExportWarning[];
};

/** The images of a plan as derivatives of the size that they are printed in, made when the browser asks for them. */
export function printedImages(
  plan: SheetPlan,
  files: Snapshot['images'],
  onServed: (sheetsReady: number) => void,
): PrintedImages {
  const fileOf = new Map(files.map((file) => [file.key, file]));
  const uses = imageUses(plan).filter(({ key }) => fileOf.has(key));
  const names = new Map(files.map(({ key }, index) => [key, String(index)]));
  const inches = new Map<string, number>();
  const warnings: ExportWarning[] = [];
  for (const use of uses) {
    const file = fileOf.get(use.key);
    if (!file) continue;
    const printed = printedInches(use, file);
    inches.set(use.key, Math.max(inches.get(use.key) ?? 0, printed));
    const dpi = Math.floor(file.width / printed);
    if (dpi < LOW_DPI) {
      const message = `The image is printed at ${dpi} dpi; below ${LOW_DPI} it looks coarse.`;
      warnings.push({ code: 'low_resolution', pageId: pageIdOf(use), elementId: use.elementId, message });
    }
  }

  const lacking = new Map<number, Set<string>>(plan.sheets.map(({ number }) => [number, new Set()]));
  for (const { key, sheet } of uses) lacking.get(sheet.number)?.add(key);
  const served = (key: string) => {
    for (const keys of lacking.values()) keys.delete(key);
    onServed([...lacking.values()].filter((keys) => keys.size === 0).length);
  };
  const warnMissing = (key: string) => {
    for (const use of uses.filter((other) => other.key === key)) {
      const message = 'The image file is missing or cannot be read.';
      warnings.push({ code: 'image_missing', pageId: pageIdOf(use), elementId: use.elementId, message });
    }
  };

  const made = new Map<string, Promise<PrintImage | null>>();
  const make = async (key: string, path: string): Promise<PrintImage | null> => {
    const file = await readObject(path, MAX_FILE_BYTES);
    const image = file && (await printImage(file, (inches.get(key) ?? 0) * PRINT_DPI));
    if (!image) warnMissing(key);
    served(key);
    return image;
  };
  return {
    images: new Map(
      files.map(({ key, width, height }) => [
        key,
        { src: `${IMAGE_ORIGIN}${names.get(key)}`, width, height },
      ]),
    ),
    serve: async (name) => {
      const file = files[Number(name)];
      if (!file) return null;
      const image = made.get(file.key) ?? oneOfFew(() => make(file.key, file.path));
      made.set(file.key, image);
      return image;
    },
    warnings,
  };
}

function pageIdOf({ sheet }: ReturnType<typeof imageUses>[number]): string | null {
  return sheet.kind === 'page' ? sheet.page.id : null;
}
