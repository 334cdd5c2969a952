import { z } from 'zod';

/**
 * Characters that hide or reorder text and have no use in a name: bidi embeddings, overrides and isolates, and control
 * characters other than `\t`, `\r` and `\n`.
 */
const hidden = /(?![\t\r\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Joiners and variation selectors, which text needs after emoji, marks and Arabic letters. */
const joiner = '(?:\\u200c|\\u200d|\\ufe0e|\\ufe0f)';
/**
 * Characters that display nothing and that text does not need. Does not match the bidi controls in `hidden`, because
 * those are rejected.
 */
const invisible = new RegExp(
  `(?!${joiner}|[\\u202a-\\u202e\\u2066-\\u2069])\\p{Default_Ignorable_Code_Point}|` +
    `(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\p{M}\\p{Script=Arabic}])${joiner}`,
  'gu',
);

const lineBreak = /[\r\n\t\v\f\u0085\u2028\u2029]/;

/**
 * Returns a schema for text of 1 to `max` code points, counted after trimming. Unless `multiline`, rejects tabs and
 * line breaks, and removes characters that match `invisible`, so that two names cannot differ only in those. Rejects
 * characters that match `hidden`, and unpaired surrogates, which Postgres cannot store.
 */
export function text({ max, multiline = false }: { max: number; multiline?: boolean }) {
  return z
    .string()
    .max(max * 4, { error: `must have at most ${max} characters`, abort: true })
    .overwrite((value) => (multiline ? value : value.replace(invisible, '')))
    .trim()
    .refine((value) => value.length > 0, 'must not be empty')
    .refine((value) => [...value].length <= max, `must have at most ${max} characters`)
    .refine((value) => value.isWellFormed(), 'must not contain broken characters')
    .refine((value) => !hidden.test(value), 'must not contain control characters')
    .refine((value) => multiline || !lineBreak.test(value), 'must be a single line')
    .meta({ json: { type: 'string', minLength: 1, maxLength: max } });
}
