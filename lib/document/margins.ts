import type { SheetSize } from './sheets';

/** The margin of a new document in millimeters. */
export const STANDARD_MARGIN = 18;
/** Maximum margin as a fraction of the shorter side of the paper. */
const MAX_PART = 0.25;

/** Minimum margin to the left and right of the footer in millimeters, equal to the space below the footer. */
const MIN_FOOTER = 7;

/** The margins of a document in millimeters. */
export type Margins = {
  /** The margin of pages, for snapping and templates. */
  page: number;
  /** The space to the left of the title and to the right of the number in a page's footer. */
  footer: number;
  contents: number;
  cover: { top: number; side: number; bottom: number };
};

/**
 * Returns the margins for a paper size. `margin` is the document's margin setting. It is null in documents that are
 * older than the setting. These documents keep their former margins.
 */
export function marginsOf(margin: number | null, { width, height }: SheetSize): Margins {
  const most = Math.min(width, height) * MAX_PART;
  const within = (value: number) => Math.min(value, most);
  const all = (former: number) => within(margin ?? former);
  return {
    page: all(STANDARD_MARGIN),
    footer: within(Math.max(margin ?? 12, MIN_FOOTER)),
    contents: all(20),
    cover: { top: within(8), side: all(22), bottom: all(24) },
  };
}
