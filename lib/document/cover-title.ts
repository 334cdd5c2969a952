import { COVER_IMAGE_PART } from './image-uses';
import type { Margins } from './margins';
import { type CoverSettings, imageKey } from './page-model';
import type { SheetSize } from './sheets';

const MM_PER_PT = 25.4 / 72;
/** Font sizes in points; a title takes the largest at which the cover's text fits. */
const SIZES = [34, 28, 24, 20, 17, 14, 12];
const LINE_HEIGHT = 1.1;
/** Font sizes of the other texts in points, and the space above them in millimeters, as in the style sheet. */
const SUBTITLE = { size: 14, above: 4 };
const DETAIL = { size: 10, above: 2 };
/** Average width of a letter in ems; a character that matches `WIDE` is one em wide. */
const LETTER = 0.56;
const WIDE = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/u;

/** Estimates the number of lines of a text at a font size, in lines of `width` points. */
function linesOf(text: string, size: number, width: number): number {
  let ems = 0;
  for (const letter of text) ems += WIDE.test(letter) ? 1 : LETTER;
  return Math.max(1, Math.ceil((ems * size) / width));
}

/** Returns the top of the cover's text in millimeters: below the image, if there is one. */
export function coverTextTop(cover: CoverSettings, size: SheetSize): number {
  return imageKey(cover) === null ? 0 : size.height * COVER_IMAGE_PART;
}

/** Returns the font size of the cover's title in points: smaller for a title that would not fit below the image. */
export function coverTitleSize(
  cover: CoverSettings,
  title: string,
  size: SheetSize,
  margins: Margins['cover'],
): number {
  const width = (size.width - 2 * margins.side) / MM_PER_PT;
  const height = size.height - coverTextTop(cover, size) - margins.top - margins.bottom;
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
