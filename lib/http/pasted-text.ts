import { z } from 'zod';

const controls = /\p{Cc}/gu;
const controlsInLines = /(?![\t\r\n])\p{Cc}/gu;
/** These reorder the text around them; isolates, which stay within their own bounds, are allowed. */
const overrides = /[\u202a-\u202e]/u;

/** The text without control characters, which become spaces, and without blanks around it. */
export function withoutControls(value: string, { multiline = false } = {}): string {
  return value.replace(multiline ? controlsInLines : controls, ' ').trim();
}

/**
 * A text as people paste it from elsewhere: control characters (a vertical tab from a slide, say) become spaces. Counted
 * in code points after trimming. Use `text` for names, which people type.
 */
export function pastedText({ max, multiline = false }: { max: number; multiline?: boolean }) {
  return z
    .string()
    .max(max * 4, { error: `must have at most ${max} characters`, abort: true })
    .overwrite((value) => withoutControls(value, { multiline }))
    .refine((value) => value.length > 0, 'must not be empty')
    .refine((value) => [...value].length <= max, `must have at most ${max} characters`)
    .refine((value) => value.isWellFormed(), 'must not contain broken characters')
    .refine((value) => !overrides.test(value), 'must not contain characters that reorder text')
    .meta({ json: { type: 'string', minLength: 1, maxLength: max } });
}
