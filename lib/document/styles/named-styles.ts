import { z } from 'zod';
import { color, id, line, type styleField, textElement, unique } from '../page-model';

// The brand kit: the paragraph styles and colors that a document defines once and uses everywhere. Each element stores
// its own copy of the values that its style and colors define. The README of `lib/document` explains why.

export const MAX_STYLES = 50;
export const MAX_NAMED_COLORS = 50;

const name = line(60).min(1, 'must not be empty');

export const namedColor = z.object({ id, name, color });

const { font, fontSize, lineHeight, color: ink, colorId, align, bold, tracking } = textElement.shape;
export const paragraphStyle = z.object({
  id,
  name,
  font,
  fontSize,
  lineHeight,
  color: ink,
  /** The id of the named color that `color` is copied from. */
  colorId,
  align,
  bold,
  tracking,
});

export const documentColors = z
  .array(namedColor)
  .max(MAX_NAMED_COLORS, `must have at most ${MAX_NAMED_COLORS} colors`)
  .superRefine(unique('color'))
  .default([]);
export const documentStyles = z
  .array(paragraphStyle)
  .max(MAX_STYLES, `must have at most ${MAX_STYLES} styles`)
  .superRefine(unique('style'))
  .default([]);

export type NamedColor = z.output<typeof namedColor>;
export type ParagraphStyle = z.output<typeof paragraphStyle>;
export type OverridableField = z.output<typeof styleField>;

/**
 * The initial versions of the styles that templates and most new elements with text refer to by id. A reference takes
 * effect only in a document that has a style with this id.
 */
export const templateStyles = {
  heading: paragraphStyle.parse({ id: 'heading', name: 'Heading', fontSize: 12.5 }),
  text: paragraphStyle.parse({ id: 'text', name: 'Text' }),
  caption: paragraphStyle.parse({ id: 'caption', name: 'Caption', fontSize: 9, color: '#5a6068' }),
};
