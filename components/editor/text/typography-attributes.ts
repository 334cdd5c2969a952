import { z } from 'zod';
import { blockSpacing, textRun } from '@/lib/document/page-model';
import { withoutUndefined } from '@/lib/document/without-undefined';

const { font, size, color, colorId, tracking, position } = textRun.shape;
const typography = z.object({
  font: font.catch(undefined),
  size: size.catch(undefined),
  color: color.catch(undefined),
  colorId: colorId.catch(undefined),
  tracking: tracking.catch(undefined),
  position: position.catch(undefined),
});
const spacing = z.object({
  spaceBefore: blockSpacing.spaceBefore.catch(undefined),
  spaceAfter: blockSpacing.spaceAfter.catch(undefined),
  lineHeight: blockSpacing.lineHeight.catch(undefined),
});

/** The properties that override the element's typography in a run. */
export type Typography = z.output<typeof typography>;
/** The properties that override the element's spacing in a block. */
export type Spacing = z.output<typeof spacing>;

/** Returns the valid typography among the attributes of a mark; the rich-text editor has null for unset ones. */
export function ownTypography(attributes: unknown): Typography {
  return withoutUndefined(typography.parse(attributes ?? {}));
}

/** Returns the valid spacing among the attributes of a block. */
export function ownSpacing(attributes: unknown): Spacing {
  return withoutUndefined(spacing.parse(attributes ?? {}));
}
