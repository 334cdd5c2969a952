import { z } from 'zod';

const controls = /\p{Cc}/gu;
const controlsInLines = /(?![\t\r\n])\p{Cc}/gu;
/** Bidi controls that reorder the surrounding text. Isolates, which only affect their own content, are allowed. */
const overrides = /[\u202a-\u202e]/u;
const allOverrides = new RegExp(overrides, 'gu');

/** Replaces control characters with spaces and trims the text. With `multiline`, keeps tabs and line breaks. */
export function withoutControls(value: string, { multiline = false } = {}): string {
  return value.replace(multiline ? controlsInLines : controls, ' ').trim();
}

/**
 * Returns a schema for text that people paste from elsewhere. Control characters (such as a vertical tab from a slide)
 * become spaces. `max` counts code points after trimming. `dropsOverrides` drops bidi overrides instead of rejecting
 * the text. For names, which people type, use `text`.
 */
export function pastedText({
  max,
  multiline = false,
  dropsOverrides = false,
}: {
  max: number;
  multiline?: boolean;
  dropsOverrides?: boolean;
}) {
  return z
    .string()
    .max(max * 4, { error: `must have at most ${max} characters`, abort: true })
    .overwrite((value) =>
      withoutControls(dropsOverrides ? value.replace(allOverrides, '') : value, { multiline }),
    )
    .refine((value) => value.length > 0, 'must not be empty')
    .refine((value) => [...value].length <= max, `must have at most ${max} characters`)
    .refine((value) => value.isWellFormed(), 'must not contain broken characters')
    .refine((value) => !overrides.test(value), 'must not contain characters that reorder text')
    .meta({ json: { type: 'string', minLength: 1, maxLength: max } });
}
