import { createHash } from 'node:crypto';
import { openBytes } from '@/lib/specs/pdf/open-pdf';

type Pixels = { width: number; height: number; pixels: Uint8ClampedArray };
export type PaintedPage = {
  /**
   * The operators with their arguments. A font is given by its name and size, a glyph by its code, character and width,
   * and an image by its dimensions and a hash of its pixels.
   */
  painted: string[];
  images: Pixels[];
};
type Store = { get: (id: string, use?: (value: unknown) => void) => unknown };

// The numbers of pdf.js operators.
/** Declares a dependency. */
const NEEDED = 1;
/** Transforms coordinates. The first transform of a page moves the origin to the upper left corner of the sheet. */
const TRANSFORM = 12;
/** Operators that mark content as tagged or as an artifact. */
const MARKS = [69, 70, 71];
const FONT = 37;
const GLYPHS = 44;
const IMAGE = 85;

/**
 * Rounds numbers to hundredths and turns typed arrays into plain arrays, for use with `JSON.stringify`. Numbers are
 * rounded because a placeholder is scaled slightly differently from the image that replaces it.
 */
function plainValue(_: string, value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value * 100) / 100;
  return ArrayBuffer.isView(value) && 'length' in value ? Array.from(value as Float32Array) : value;
}

async function readImage(page: { objs: Store; commonObjs: Store }, id: string): Promise<Pixels> {
  const store = id.startsWith('g_') ? page.commonObjs : page.objs;
  const found = await new Promise((resolve) => void store.get(id, resolve));
  const { width, height, data } = found as { width: number; height: number; data: Uint8ClampedArray };
  return { width, height, pixels: data };
}

/** Returns what pdf.js paints on each page of a PDF, operator by operator. */
export async function paintedPages(pdf: Uint8Array): Promise<PaintedPage[]> {
  const document = await openBytes(new Uint8Array(pdf), { fontExtraProperties: true });
  try {
    const pages: PaintedPage[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { fnArray, argsArray } = await page.getOperatorList();
      const result: PaintedPage = { painted: [], images: [] };
      for (const [index, operator] of fnArray.entries()) {
        const args = (argsArray[index] ?? []) as unknown[];
        if (operator === NEEDED || MARKS.includes(operator)) continue;
        if (operator === TRANSFORM && result.painted.length === 0) {
          // Leave out the vertical offset, which differs because the compared documents crop the sheet differently.
          result.painted.push(`origin ${JSON.stringify(args.slice(0, 5), plainValue)}`);
          continue;
        }
        if (operator === FONT) {
          const font = page.commonObjs.get(args[0] as string) as { name: string };
          // The tag of a font subset does not affect the font's appearance.
          result.painted.push(`font ${font.name.replace(/^[A-Z]{6}\+/, '')} ${args[1]}`);
        } else if (operator === GLYPHS) {
          const glyphs = args[0] as { unicode?: string; originalCharCode?: number; width?: number }[];
          const shown = glyphs.map((glyph) =>
            typeof glyph === 'number' ? glyph : [glyph.originalCharCode, glyph.unicode, glyph.width],
          );
          result.painted.push(`glyphs ${JSON.stringify(shown)}`);
        } else if (operator === IMAGE) {
          const image = await readImage(
            page as unknown as { objs: Store; commonObjs: Store },
            args[0] as string,
          );
          result.images.push(image);
          const digest = createHash('sha256').update(image.pixels).digest('hex');
          result.painted.push(`image ${image.width} × ${image.height} ${digest}`);
        } else result.painted.push(`${operator} ${JSON.stringify(args, plainValue)}`);
      }
      pages.push(result);
    }
    return pages;
  } finally {
    await document.loadingTask.destroy();
  }
}
