import { type ImageSource, imageKey, type PageElement } from './page-model';
import { placeImage } from './place-image';
import type { Sheet, SheetPlan } from './sheets';
import { contentWidth, pictureOf } from './table-cells';
import { tilesOf } from './true-scale';
import { rowsWithinFrame } from './within-frame';

/** The swatch takes up this fraction of the height of a material's frame; the name and data are below it. */
export const SWATCH_PART = 0.55;
/** The image takes up this fraction of a cover's height. */
export const COVER_IMAGE_PART = 0.6;

type Size = { width: number; height: number };
type Use = {
  key: string;
  sheet: Sheet;
  /** The id of the page or master; null on the cover. */
  pageId: string | null;
  /** Null on the cover. */
  element: PageElement | null;
  frame: Size;
  fit: 'cover' | 'contain';
  crop: { x: number; y: number; w: number; h: number } | null;
  /** Whether the image is one of several tiles or in a cell, of which some may be hidden. */
  isTile: boolean;
  /** The factor from the page's own size to the printed size. */
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

/** Returns the size of the image of a cover, which extends into the bleed at the edges of the sheet. */
export function coverImageFrame({ width, height }: Size, bleed: number): Size {
  return { width: width + 2 * bleed, height: height * COVER_IMAGE_PART + bleed };
}

/** Returns every use of an image in a plan, sheet by sheet. */
export function imageUses({ sheets, size, edge, pages }: SheetPlan): Use[] {
  return sheets.flatMap((sheet): Use[] => {
    if (sheet.kind === 'contents') return [];
    if (sheet.kind === 'cover') {
      const key = imageKey(sheet.cover);
      const frame = coverImageFrame(size, edge.bleed);
      const use = { sheet, pageId: null, element: null, frame, crop: null, isTile: false, scale: 1 };
      return key === null ? [] : [{ ...use, key, fit: 'cover' }];
    }
    // In the order in which they are rendered.
    const layers = sheet.master ? [sheet.master, sheet.page] : [sheet.page];
    return layers.flatMap(({ id: pageId, elements }) =>
      elements.flatMap((element) =>
        usesOf(element).flatMap(({ frame, fit, crop, isTile, ...source }) => {
          const key = imageKey(source);
          const use = { sheet, pageId, element, frame, fit, crop, isTile, scale: pages.scale };
          return key === null ? [] : [{ ...use, key }];
        }),
      ),
    );
  });
}

/** Returns the width in inches at which the whole image is printed, including what the frame cuts off. */
export function printedInches(use: Use, image: Size): number {
  return (placeImage(use.frame, image, use.fit, use.crop).width * use.scale) / MM_PER_INCH;
}
