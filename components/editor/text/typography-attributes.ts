import { z } from 'zod';
import { blockFormat, textRun } from '@/lib/document/page-model';
import { withoutUndefined } from '@/lib/document/without-undefined';

// Invalid values count as unset, because pasted HTML can contain any value, even where an object is expected.
const { font, size, color, colorId, tracking, position } = textRun.shape;
const typography = z
  .object({
    font: font.catch(undefined),
    size: size.catch(undefined),
    color: color.catch(undefined),
    colorId: colorId.catch(undefined),
    tracking: tracking.catch(undefined),
    position: position.catch(undefined),
  })
  .catch({});
const format = z
  .object({
    style: blockFormat.style.catch(undefined),
    spaceBefore: blockFormat.spaceBefore.catch(undefined),
    spaceAfter: blockFormat.spaceAfter.catch(undefined),
    lineHeight: blockFormat.lineHeight.catch(undefined),
  })
  .catch({});

/** The properties of a run that override its text element's typography. */
export type Typography = z.output<typeof typography>;
/** The paragraph style and the spacing of a block. */
export type BlockFormat = z.output<typeof format>;

/** Returns the valid typography in a mark's attributes. The rich-text editor uses null for unset attributes. */
export function ownTypography(attributes: unknown): Typography {
  return withoutUndefined(typography.parse(attributes));
}

/** Returns the valid format in a block's attributes. */
export function ownFormat(attributes: unknown): BlockFormat {
  const own = withoutUndefined(format.parse(attributes));
  return own.style ? { ...own, style: withoutUndefined(own.style) } : own;
}
