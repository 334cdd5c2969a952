'use client';

import type { ComponentProps } from 'react';
import { NumberField } from './fields';

type TypographyNumber = Omit<ComponentProps<typeof NumberField>, 'label' | 'min' | 'max' | 'step' | 'unit'>;

/** A field for a font size in points. */
export const FontSizeField = (props: TypographyNumber) => (
  <NumberField label="Size" min={4} max={400} unit="pt" {...props} />
);

/** A field for a line height, as a multiple of the font size. */
export const LineHeightField = (props: TypographyNumber) => (
  <NumberField label="Line height" min={0.8} max={4} step={0.1} {...props} />
);

/** A field for the additional space after each character, in thousandths of the font size. */
export const TrackingField = (props: TypographyNumber) => (
  <NumberField label="Tracking" min={-100} max={1000} step={5} decimals={0} unit="‰" {...props} />
);
