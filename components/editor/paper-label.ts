import type { PaperPatch } from './fit-paper';

export const formatNames: Record<PaperPatch['format'], string> = {
  A4: 'A4',
  letter: 'Letter',
  A3: 'A3',
  '16:9': '16:9',
  square: 'Square',
  custom: 'Custom',
};

const millimeters = (value: number) => String(Math.round(value * 100) / 100);

/** Describes a paper, for example `A4, landscape`, `Square` or `120 × 80 mm`. */
export function paperLabel({ format, orientation, customSize }: PaperPatch): string {
  if (format === 'custom') {
    return `${millimeters(customSize.width)} × ${millimeters(customSize.height)} mm`;
  }
  return format === 'square' ? formatNames.square : `${formatNames[format]}, ${orientation}`;
}
