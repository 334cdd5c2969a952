import type { CSSProperties } from 'react';
import { cssFontName } from '@/lib/document/font-library';
import type { TextBlock, TextRun } from '@/lib/document/page-model';
import { mm, pt } from './lengths';

declare module 'react' {
  interface CSSProperties {
    /** The font of the elements with the class `doc-font`. */
    '--doc-font'?: string;
  }
}

/** The size of superscript and subscript, relative to the text around it. */
const RAISED_SIZE = 0.65;

/**
 * Returns the class and the CSS that set the font of an element, where null is the standard font. `className` is the
 * element's own class.
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
  // A line height of 0 keeps the shifted text from increasing the spacing of its lines.
  const shifted = { verticalAlign: position === 'superscript' ? 'super' : 'sub', lineHeight: 0 };
  const fontSize = size === undefined ? `${RAISED_SIZE}em` : pt(Math.round(size * RAISED_SIZE * 100) / 100);
  return { ...shifted, fontSize };
}

/** Returns the class and the CSS of a run's own typography, or null if it has none. */
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

/** Returns the CSS of a block's spacing, or undefined if it has none of its own. */
export function blockStyle({
  spaceBefore,
  spaceAfter,
  lineHeight,
}: Partial<TextBlock>): CSSProperties | undefined {
  if (spaceBefore === undefined && spaceAfter === undefined && lineHeight === undefined) return undefined;
  return {
    ...(spaceBefore !== undefined && { marginTop: mm(spaceBefore) }),
    ...(spaceAfter !== undefined && { marginBottom: mm(spaceAfter) }),
    ...(lineHeight !== undefined && { lineHeight }),
  };
}
