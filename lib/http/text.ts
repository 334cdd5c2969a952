import { z } from 'zod';

/** What hides or reorders text and no name or prompt needs: control characters but tab and line ends, bidi overrides. */
const hidden = /(?![\t\r\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/**
 * A text with bounds, counted in characters as people count them (code points) after trimming.
 * Refuses control characters and unpaired surrogates, which Postgres cannot keep.
 */
export function text({ max, multiline = false }: { max: number; multiline?: boolean }) {
  return z
    .string()
    .max(max * 4, { error: `must have at most ${max} characters`, abort: true })
    .trim()
    .refine((value) => value.length > 0, 'must not be empty')
    .refine((value) => [...value].length <= max, `must have at most ${max} characters`)
    .refine((value) => value.isWellFormed(), 'must not contain broken characters')
    .refine((value) => !hidden.test(value), 'must not contain control characters')
    .refine((value) => multiline || !/[\r\n\t]/.test(value), 'must be a single line')
    .meta({ json: { type: 'string', minLength: 1, maxLength: max } });
}
