import { SWATCH_PART } from '../image-uses';
import type { ImageElement, MaterialElement, PageInput, TextElement } from '../page-model';
import { type ParagraphStyle, templateStyles } from '../styles/named-styles';
import type { Area } from './areas';
import type { TemplateImage, TemplateMaterial } from './template';

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

/** Estimates how many characters fit in a frame: a letter is about half as wide as the font size. */
function roomFor({ w, h }: Area, fontSize: number): number {
  const letter = fontSize * MM_PER_POINT * 0.52;
  const lines = Math.floor(h / (fontSize * MM_PER_POINT * 1.4));
  return Math.max(20, Math.floor(w / letter) * lines);
}

/** The style of tables and materials, whose size has to fit their contents into the layout. */
export const textOfFixedSize = {
  styleId: templateStyles.text.id,
  overrides: ['fontSize' as const],
};

/** Makes a text element from the text that fits: a heading of level 1, or a paragraph. */
export function textPart(
  id: string,
  area: Area,
  text: string,
  {
    heading = false,
    style = heading ? templateStyles.heading : templateStyles.text,
    ...look
  }: { heading?: boolean; style?: ParagraphStyle } & Partial<
    Pick<TextElement, 'fontSize' | 'color' | 'align' | 'padding' | 'overrides'>
  > = {},
): ElementInput {
  const fontSize = look.fontSize ?? 11;
  const runs = [{ text: asLine(text, Math.min(4000, roomFor(area, heading ? fontSize * 1.6 : fontSize))) }];
  const block = heading
    ? { type: 'heading' as const, level: 1 as const, runs }
    : { type: 'paragraph' as const, runs };
  return { id, type: 'text', ...area, ...look, styleId: style.id, blocks: [block] };
}

/** Makes an image element that fills its frame, or an empty frame if there is no image. */
export function imagePart(
  id: string,
  area: Area,
  image: TemplateImage | undefined,
  fit: ImageElement['fit'] = 'cover',
): ElementInput {
  const { imageId = null, path = null, alt = '' } = image ?? {};
  return { id, type: 'image', ...area, imageId, path, fit, alt: asLine(alt, 500) };
}

/** Returns the rows of a material that fit below its swatch, in a frame of this height in millimeters. */
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

/** Returns the first `max` items of `many`, or `few` empty ones when `many` has none. */
export function orEmpty<Item>(many: Item[], max: number, few: number): (Item | undefined)[] {
  return many.length > 0 ? many.slice(0, max) : Array.from({ length: few }, () => undefined);
}
