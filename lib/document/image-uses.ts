import { type ImageSource, imageKey, type PageElement } from './page-model';
import { placeImage } from './place-image';
import type { Sheet, SheetPlan } from './sheets';

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
  /** The factor from the page's own size to the printed size. */
  scale: number;
};

const MM_PER_INCH = 25.4;

function useOf(element: PageElement): Pick<Use, 'frame' | 'fit' | 'crop'> & ImageSource {
  const { w: width, h: height } = element;
  switch (element.type) {
    case 'image':
      return { ...element, frame: { width, height } };
    case 'material':
      return { ...element, frame: { width, height: height * SWATCH_PART }, fit: 'cover', crop: null };
    default:
      return { imageId: null, path: null, frame: { width, height }, fit: 'cover', crop: null };
  }
}

/** Returns every use of an image in a plan, sheet by sheet. */
export function imageUses({ sheets, size, pages }: SheetPlan): Use[] {
  return sheets.flatMap((sheet): Use[] => {
    if (sheet.kind === 'contents') return [];
    if (sheet.kind === 'cover') {
      const key = imageKey(sheet.cover);
      const frame = { width: size.width, height: size.height * COVER_IMAGE_PART };
      const use = { sheet, pageId: null, element: null, frame, crop: null, scale: 1 };
      return key === null ? [] : [{ ...use, key, fit: 'cover' }];
    }
    // In the order in which they are rendered.
    const layers = sheet.master ? [sheet.master, sheet.page] : [sheet.page];
    return layers.flatMap(({ id: pageId, elements }) =>
      elements.flatMap((element) => {
        const { frame, fit, crop, ...source } = useOf(element);
        const key = imageKey(source);
        return key === null ? [] : [{ key, sheet, pageId, element, frame, fit, crop, scale: pages.scale }];
      }),
    );
  });
}

/** Returns the width in inches at which the whole image is printed, including what the frame cuts off. */
export function printedInches(use: Use, image: Size): number {
  return (placeImage(use.frame, image, use.fit, use.crop).width * use.scale) / MM_PER_INCH;
}
