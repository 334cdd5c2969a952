import type { CSSProperties } from 'react';
import { cssFontName, STANDARD_FONT } from '@/lib/document/font-library';
import type { BlockStyle, TextBlock, TextRun } from '@/lib/document/page-model';
import { mm, pt } from './lengths';
import { textAlign } from './text-align';

declare module 'react' {
  interface CSSProperties {
    /** The font of the elements with the class `doc-font`. */
    '--doc-font'?: string;
  }
}

/** The size of superscripts and subscripts, relative to the text around them. */
const RAISED_SIZE = 0.65;

/**
 * Returns the class and the CSS that set the font of an element. A `font` of null is the standard font. The returned
 * class includes `className`.
 */
export function fontProps(
  font: string | null,
  className: string,
): { className: string; style: CSSProperties } {
  if (font === null) return { className, style: {} };
  return { className: `${className} doc-font`, style: { '--doc-font': cssFontName(font) } };
}

type Typography = Pick<TextRun, 'font' | 'size' | 'color' | 'tracking' | 'position'>;

function sizeStyle({ size, position }: Typography): CSSProperties {
  if (!position) return size === undefined ? {} : { fontSize: pt(size) };
  // A line height of 0 keeps superscripts and subscripts from increasing the line spacing.
  const shifted = { verticalAlign: position === 'superscript' ? 'super' : 'sub', lineHeight: 0 };
  const fontSize = size === undefined ? `${RAISED_SIZE}em` : pt(Math.round(size * RAISED_SIZE * 100) / 100);
  return { ...shifted, fontSize };
}

/** Returns the class and the CSS of the typography that a run sets, or null if it sets none. */
export function runProps(run: Typography): { className?: string; style: CSSProperties } | null {
  const { font, color, tracking } = run;
  const style: CSSProperties = {
    ...(font !== undefined && { '--doc-font': cssFontName(font) }),
    ...sizeStyle(run),
    ...(color !== undefined && { color }),
    ...(tracking !== undefined && { letterSpacing: `${tracking / 1000}em` }),
  };
  if (Object.keys(style).length === 0) return null;
  return font === undefined ? { style } : { className: 'doc-font', style };
}

/**
 * Returns the CSS of a paragraph style. The CSS sets every property, because a block's style replaces all values that
 * the block would inherit from its element.
 */
function styleCss({
  font,
  fontSize,
  lineHeight,
  color,
  align,
  bold,
  tracking = 0,
}: BlockStyle): CSSProperties {
  return {
    '--doc-font': cssFontName(font ?? STANDARD_FONT),
    fontSize: pt(fontSize),
    lineHeight,
    color,
    textAlign: textAlign[align],
    fontWeight: bold ? 700 : 400,
    letterSpacing: `${tracking / 1000}em`,
  };
}

/** Returns the class and the CSS of a block's own format: its paragraph style, spacing and line height. */
export function blockProps({ style: named, spaceBefore, spaceAfter, lineHeight }: Partial<TextBlock>): {
  className?: string;
  style?: CSSProperties;
} {
  const style: CSSProperties = {
    ...(named && styleCss(named)),
    ...(spaceBefore !== undefined && { marginTop: mm(spaceBefore) }),
    ...(spaceAfter !== undefined && { marginBottom: mm(spaceAfter) }),
    ...(lineHeight !== undefined && { lineHeight }),
  };
  if (Object.keys(style).length === 0) return {};
  return named ? { className: 'doc-font', style } : { style };
}
