import { coverTextPlace } from './cover-layout';
import type { Margins } from './margins';
import type { CoverSettings } from './page-model';
import type { SheetSize } from './sheets';

const MM_PER_PT = 25.4 / 72;
/** Font sizes in points for a title without a set size. The largest one at which the cover's text fits is used. */
const SIZES = [34, 28, 24, 20, 17, 14, 12];
const LINE_HEIGHT = 1.1;
/** The font size of the subtitle in points, and the space above it in millimeters, as in the style sheet. */
const SUBTITLE = { size: 14, above: 4 };
/**
 * The font size (in points) of the client and of the date, and the space above each (in millimeters), as in the style
 * sheet.
 */
const DETAIL = { size: 10, above: 2 };
/** Average width of a letter in ems; a character that matches `WIDE` is one em wide. */
const LETTER = 0.56;
const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/u;

/** Estimates how many lines of `width` points the text takes up at a font size. */
function linesOf(text: string, size: number, width: number): number {
  let ems = 0;
  for (const letter of text) ems += WIDE.test(letter) ? 1 : LETTER;
  return Math.max(1, Math.ceil((ems * size) / width));
}

/**
 * Returns the font size of the cover's title in points. If the cover's settings contain no size, returns the largest of
 * `SIZES` at which the cover's text fits, or the smallest if none fits.
 */
export function coverTitleSize(
  cover: CoverSettings,
  title: string,
  size: SheetSize,
  margins: Margins['cover'],
): number {
  if (cover.titleSize !== null) return cover.titleSize;
  const place = coverTextPlace(cover, size);
  const width = (place.width - 2 * margins.side) / MM_PER_PT;
  const height = place.height - margins.top - margins.bottom;
  const others = [
    { text: cover.subtitle, ...SUBTITLE },
    { text: cover.client, ...DETAIL },
    { text: cover.date, ...DETAIL },
  ].filter(({ text }) => text !== '');
  const taken = others.reduce(
    (sum, { text, size: points, above }) =>
      sum + above + linesOf(text, points, width) * points * 1.4 * MM_PER_PT,
    0,
  );
  const room = (height - taken) / MM_PER_PT;
  const fits = (points: number) => linesOf(title, points, width) * points * LINE_HEIGHT <= room;
  return SIZES.find(fits) ?? SIZES.at(-1) ?? 12;
}
