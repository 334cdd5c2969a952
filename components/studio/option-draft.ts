import { z } from 'zod';
import {
  type ImageOptions,
  imageOptions,
  imageSize,
  MAX_COUNT,
  MAX_SIDE,
  MIN_SIDE,
} from '@/lib/image-gen/schema';

/** The options of a prompt, as typed. The workflow service chooses values for empty fields. */
export const optionDraft = z.object({
  /** A preset such as `1024x1024`, `custom`, or empty for an automatic size. */
  size: z.string(),
  width: z.string(),
  height: z.string(),
  count: z.string(),
  seed: z.string(),
  safety: z.string(),
});
export type OptionDraft = z.infer<typeof optionDraft>;

export const emptyOptionDraft: OptionDraft = {
  size: '',
  width: '1024',
  height: '1024',
  count: '',
  seed: '',
  safety: '',
};

export const sizePresets = [
  { value: '', label: 'Automatic', hint: 'Any size' },
  { value: '1024x1024', label: 'Square', hint: '1024 × 1024' },
  { value: '1536x1024', label: 'Landscape', hint: '1536 × 1024' },
  { value: '1024x1536', label: 'Portrait', hint: '1024 × 1536' },
  { value: '1920x1080', label: 'Wide', hint: '1920 × 1080' },
  { value: 'custom', label: 'Custom', hint: 'In pixels' },
];

export const counts = [
  { value: '', label: 'Automatic' },
  ...Array.from({ length: MAX_COUNT }, (_, i) => ({ value: String(i + 1), label: String(i + 1) })),
];

export type OptionErrors = Partial<Record<'size' | 'count' | 'seed' | 'safety', string>>;

/** Returns the size that is chosen or typed, or '' for an automatic size. */
export function sizeOf({ size, width, height }: OptionDraft): string {
  return size === 'custom' ? `${width.trim()}x${height.trim()}` : size;
}

/** Returns the options for the typed values, and an error message for each field that is not valid. */
export function optionsOf(draft: OptionDraft): {
  options: ImageOptions;
  errors: OptionErrors;
} {
  const errors: OptionErrors = {};
  const size = sizeOf(draft);
  if (size !== '' && !imageSize.safeParse(size).success) {
    errors.size = `Width and height must be whole numbers from ${MIN_SIDE} to ${MAX_SIDE}.`;
  }
  const seed = draft.seed.trim();
  const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(seed);
  if (seed !== '' && !(isNumber && imageOptions.shape.seed.safeParse(Number(seed)).success)) {
    errors.seed = 'The seed must be a number of at most 15 digits.';
  }
  const count = imageOptions.shape.count.safeParse(draft.count === '' ? undefined : Number(draft.count));
  if (!count.success) errors.count = `The number of images must be from 1 to ${MAX_COUNT}.`;
  const safety = draft.safety.trim();
  const level = imageOptions.shape.safety.safeParse(safety === '' ? undefined : safety);
  if (!level.success) errors.safety = `The safety level ${level.error.issues[0]?.message ?? 'is not valid'}.`;
  return {
    options: {
      ...(size ? { size } : {}),
      ...(seed ? { seed: Number(seed) } : {}),
      ...(count.data ? { count: count.data } : {}),
      ...(safety ? { safety } : {}),
    },
    errors,
  };
}

/** Returns the form's field values for these options. */
export function draftOfOptions({ size = '', seed, safety = '', count }: ImageOptions): OptionDraft {
  const isPreset = sizePresets.some(({ value }) => value === size);
  const [width = emptyOptionDraft.width, height = emptyOptionDraft.height] = isPreset ? [] : size.split('x');
  return {
    size: isPreset ? size : 'custom',
    width,
    height,
    count: count === undefined ? '' : String(count),
    seed: seed === undefined ? '' : String(seed),
    safety,
  };
}
