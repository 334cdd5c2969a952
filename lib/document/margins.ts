import type { SheetSize } from './sheets';

/** The margin of a new document in millimeters. */
export const STANDARD_MARGIN = 18;
/** A margin takes up at most this fraction of the shorter side of the paper. */
const MAX_PART = 0.25;

/** The minimum margin of the footer, equal to the space below it. */
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
 * Returns the margins on paper of a size. `margin` is the one margin of the document; documents older than this setting
 * have none, and print with the margins of that time.
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
