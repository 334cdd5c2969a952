import { SWATCH_PART } from '../image-uses';
import type { ImageElement, MaterialElement, PageInput, TextElement } from '../page-model';
import { type ParagraphStyle, templateStyles } from '../styles/named-styles';
import { type Area, cutTop, typeArea } from './areas';
import type { StyledPaper, TemplateImage, TemplateMaterial } from './template';

export const MM_PER_POINT = 25.4 / 72;
const MATERIAL_SIZE = 9;

type ElementInput = NonNullable<PageInput['elements']>[number];

/** Returns the text as a single line of at most `max` characters, without characters that the page model rejects. */
export function asLine(text: string, max: number): string {
  const line = text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length <= max
    ? line
    : `${line
        .slice(0, max - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trimEnd()}…`;
}

/**
 * Estimates how many characters fit in a frame, but returns at least 20. The width of a letter is about half the font
 * size.
 */
function roomFor({ w, h }: Area, fontSize: number): number {
  const letter = fontSize * MM_PER_POINT * 0.52;
  const lines = Math.floor(h / (fontSize * MM_PER_POINT * 1.4));
  return Math.max(20, Math.floor(w / letter) * lines);
}

/**
 * The style fields of the table and material elements that templates and the editor make. These elements have their own
 * font size instead of the style's, so that their content fits the layout.
 */
export const textOfFixedSize = {
  styleId: templateStyles.text.id,
  overrides: ['fontSize' as const],
};

/** Makes a text element with one paragraph, shortened to fit the area. */
export function textPart(
  id: string,
  area: Area,
  text: string,
  {
    style = templateStyles.text,
    ...look
  }: { style?: ParagraphStyle } & Partial<
    Pick<TextElement, 'fontSize' | 'color' | 'align' | 'padding' | 'overrides'>
  > = {},
): ElementInput {
  const runs = [{ text: asLine(text, Math.min(4000, roomFor(area, look.fontSize ?? 11))) }];
  return { id, type: 'text', ...area, ...look, styleId: style.id, blocks: [{ type: 'paragraph', runs }] };
}

/**
 * `scale` is the font size of a level 1 heading relative to that of its element, and `line` is the heading's line
 * height in ems. Both are as in the document style sheet. Descenders extend `below` ems under the last line.
 */
const HEADING = { scale: 1.6, line: 1.2, below: 0.2 };
/**
 * `letter` is the average width of a bold letter in ems. Because lines break between words, a line holds `lost` fewer
 * letters than its width allows.
 */
const BOLD = { letter: 0.6, lost: 3 };

/**
 * Makes the heading of a page. Returns the heading and the area below it. The heading has the font size of the
 * document's heading style, or `fontSize` if the document has no such style. Its frame is at least `height` millimeters
 * high, and grows with the title to at most half the height of `typeArea`. The title is shortened to as many characters
 * as fit in a third of the height of `typeArea`. The limit is never below 20 or above 120 characters.
 */
export function cutHeading(
  paper: StyledPaper,
  title: string,
  { fontSize = 12.5, height = 12 } = {},
): { heading: ElementInput; rest: Area } {
  const area = typeArea(paper);
  const style = paper.styles.find(({ id }) => id === templateStyles.heading.id);
  const size = style?.fontSize ?? fontSize;
  const em = size * HEADING.scale * MM_PER_POINT;
  const perLine = Math.max(1, Math.floor(area.w / (em * BOLD.letter)) - BOLD.lost);
  const maxLines = Math.floor(area.h / 3 / (em * HEADING.line));
  const text = asLine(title, Math.min(120, Math.max(20, maxLines * perLine)));
  const needed = (Math.ceil(text.length / perLine) * HEADING.line + HEADING.below) * em;
  const [top, rest] = cutTop(area, Math.max(height, Math.min(Math.ceil(needed), area.h / 2)));
  const blocks = [{ type: 'heading' as const, level: 1 as const, runs: [{ text }] }];
  const styleId = templateStyles.heading.id;
  return { heading: { id: 'heading', type: 'text', ...top, fontSize: size, styleId, blocks }, rest };
}

/** Makes an image element that takes up the area. Its frame is empty if there is no image. */
export function imagePart(
  id: string,
  area: Area,
  image: TemplateImage | undefined,
  fit: ImageElement['fit'] = 'cover',
): ElementInput {
  const { imageId = null, path = null, alt = '' } = image ?? {};
  return { id, type: 'image', ...area, imageId, path, fit, alt: asLine(alt, 500) };
}

/** Returns the rows of a material that fit below its swatch if its frame is `height` millimeters high. */
export function rowsThatFit(rows: MaterialElement['rows'], height: number): MaterialElement['rows'] {
  const title = 3 + MATERIAL_SIZE * MM_PER_POINT * 1.2;
  const row = 0.6 + MATERIAL_SIZE * MM_PER_POINT * 1.3;
  return rows.slice(0, Math.max(0, Math.floor((height * (1 - SWATCH_PART) - title) / row)));
}

/** Makes a material element with its swatch and data, or an empty one if there is no material. */
export function materialPart(id: string, area: Area, material: TemplateMaterial | undefined): ElementInput {
  const { materialId = '', title = 'Material', rows = [], ...look } = material ?? {};
  const shown = rowsThatFit(rows, area.h);
  return {
    ...{ id, type: 'material', ...area, materialId, title, ...look },
    ...{ ...textOfFixedSize, fontSize: MATERIAL_SIZE, rows: shown },
  };
}

/** Returns the first `max` items of `many`. If `many` is empty, returns `few` undefined items instead. */
export function orEmpty<Item>(many: Item[], max: number, few: number): (Item | undefined)[] {
  return many.length > 0 ? many.slice(0, max) : Array.from({ length: few }, () => undefined);
}
