import { coverImagePlace } from './cover-layout';
import { type ImageSource, imageKey, type PageElement } from './page-model';
import { placeImage } from './place-image';
import type { Sheet, SheetPlan } from './sheets';
import { contentWidth, pictureOf } from './table-cells';
import { tilesOf } from './true-scale';
import { rowsWithinFrame } from './within-frame';

/** Fraction of a material frame's height that the swatch takes up; the scale bar, title and rows are below it. */
export const SWATCH_PART = 0.55;

type Size = { width: number; height: number };
type Use = {
  key: string;
  sheet: Sheet;
  /** The id of the page or master; null for the cover's own image. */
  pageId: string | null;
  /** Null for the cover's own image. */
  element: PageElement | null;
  frame: Size;
  fit: 'cover' | 'contain';
  crop: { x: number; y: number; w: number; h: number } | null;
  /** True if the image is a tile or in a table cell. It is then not certain that the image is visible. */
  isTile: boolean;
  /** Factor by which the page is scaled when it is printed. */
  scale: number;
};

const MM_PER_INCH = 25.4;

type ElementUse = Pick<Use, 'frame' | 'fit' | 'crop' | 'isTile'> & ImageSource;

function usesOf(element: PageElement): ElementUse[] {
  const { w: width, h: height } = element;
  switch (element.type) {
    case 'image':
      return [{ ...element, frame: { width, height }, isTile: false }];
    case 'material': {
      const swatch = { width, height: height * SWATCH_PART };
      const tiles = element.trueScale && tilesOf(swatch, element.trueScale);
      const use = { ...element, fit: 'cover' as const, crop: null };
      return tiles
        ? tiles.offsets.map(() => ({ ...use, frame: tiles, isTile: true }))
        : [{ ...use, frame: swatch, isTile: false }];
    }
    case 'table':
      return rowsWithinFrame(element).flatMap((row) =>
        row.flatMap((cell, column): ElementUse[] => {
          const picture = pictureOf(cell);
          if (!picture) return [];
          const { imageId, path } = picture;
          const frame = { width: contentWidth(element, column), height: picture.height };
          return [{ imageId, path, frame, fit: 'contain', crop: null, isTile: true }];
        }),
      );
    default:
      return [];
  }
}

/** Returns every use of an image in a plan, in the order in which the images are rendered. */
export function imageUses({ sheets, size, edge, pages }: SheetPlan): Use[] {
  return sheets.flatMap((sheet): Use[] => {
    // Layers in the order in which they are rendered.
    const layers = [sheet.master, sheet.kind === 'page' ? sheet.page : null].filter((page) => page !== null);
    const placed = layers.flatMap(({ id: pageId, elements }) =>
      elements.flatMap((element) =>
        usesOf(element).flatMap(({ frame, fit, crop, isTile, ...source }): Use[] => {
          const key = imageKey(source);
          const use = { sheet, pageId, element, frame, fit, crop, isTile, scale: pages.scale };
          return key === null ? [] : [{ ...use, key }];
        }),
      ),
    );
    const key = sheet.kind === 'cover' ? imageKey(sheet.cover) : null;
    if (sheet.kind !== 'cover' || key === null) return placed;
    const frame = coverImagePlace(sheet.cover, size, edge.bleed);
    const use = { sheet, pageId: null, element: null, frame, crop: null, isTile: false, scale: 1 };
    return [{ ...use, key, fit: 'cover' }, ...placed];
  });
}

/** Returns the width in inches at which the whole image would be printed, including what the frame cuts off. */
export function printedInches(use: Use, image: Size): number {
  return (placeImage(use.frame, image, use.fit, use.crop).width * use.scale) / MM_PER_INCH;
}
