import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from './uuid';

const cutLimit = z
  .string()
  .regex(/^\d{1,100}$/, 'must be a whole number in plain digits')
  .transform(Number)
  .refine((n) => n >= 1, 'must be at least 1')
  .transform((n) => Math.min(n, 100))
  .optional();
const limitInJson = { type: 'integer', minimum: 1, description: 'Values above 100 are reduced to 100.' };

/** Returns the schema of the `limit` of a list: plain digits, at least 1. Values above 100 are reduced to 100. */
export const limitWithDefault = (number: number) =>
  cutLimit.default(number).meta({ json: { ...limitInJson, default: number } });

export const limitParam = limitWithDefault(20);

/** Like `limitParam`, but without a default. */
export const optionalLimitParam = cutLimit.meta({ json: limitInJson });

const cursorDescription = 'The `nextCursor` of the previous page.';

/** The `cursor` of a list: the `nextCursor` of the previous page, which has only ASCII characters. */
export const cursorParam = z
  .string()
  .max(4_000)
  .regex(/^[\w+/=-]*$/, 'is not a cursor of this list')
  .optional()
  .meta({ description: cursorDescription });

/** The `cursor` of a list whose rows are numbered: the number of the previous page's last row. */
export const numberCursor = z
  .string()
  .regex(/^\d{1,9}$/, 'is not a cursor of this list')
  .transform(Number)
  .optional()
  .meta({ json: { type: 'string', pattern: '^\\d{1,9}$', description: cursorDescription } });

/** The position `(created_at, id)` of a row in a list sorted by time, newest or oldest first. */
export type Keyset = { createdAt: string; id: string };

/** The position of a row in a list sorted by a key. Rows with the same key are sorted newest first. */
export type KeyedKeyset = Keyset & { key: string };

/** Accepts exactly the format that the database returns, so that a forged cursor cannot cause a database error. */
const storedTime = z.iso.datetime({ offset: true }).regex(/^[1-9]\d{3}-[^.]*(\.\d{1,6})?\+00:00$/);
const keyset = z.tuple([storedTime, uuid]);
const keyedKeyset = z.tuple([...keyset.def.items, z.string().regex(/^[a-z0-9]+$/)]);

function encode(values: string[]): string {
  return btoa(JSON.stringify(values)).replaceAll('+', '-').replaceAll('/', '_');
}

function decode<Schema extends z.ZodType>(cursor: string, schema: Schema): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))));
  } catch {
    throw new HttpError('invalid_request', 'The cursor is not a cursor of this list.', {
      errors: [{ path: 'cursor', message: 'is not a cursor of this list' }],
    });
  }
}

/** Decodes a cursor. Throws `invalid_request` if it does not have the format that `cutPage` produces. */
export function decodeCursor(cursor: string): Keyset {
  const [createdAt, id] = decode(cursor, keyset);
  return { createdAt, id };
}

/**
 * Decodes a cursor of a list that is sorted by a key. Throws `invalid_request` if it does not have the format that
 * `cutPage` produces.
 */
export function decodeKeyedCursor(cursor: string): KeyedKeyset {
  const [createdAt, id, key] = decode(cursor, keyedKeyset);
  return { createdAt, id, key };
}

/**
 * Returns the PostgREST filter for a keyset page. It selects all rows after the given position in a list sorted newest
 * or oldest first. The bound on `created_at` is outside the `or`, so that Postgres can use an index. A late page then
 * costs no more than the first page.
 */
export function afterKeyset({ createdAt, id }: Keyset, order: 'newest' | 'oldest' = 'newest'): string {
  const is = order === 'newest' ? 'lt' : 'gt';
  return `and(created_at.${is}e."${createdAt}",or(created_at.${is}."${createdAt}",id.${is}.${id}))`;
}

/**
 * Cuts the fetched rows down to a page of at most `limit` rows. The caller fetches up to `limit + 1` rows. An extra row
 * shows that more rows exist, so no count is needed. For a list sorted by a key, the caller must pass `keyOf`, which
 * returns a row's key.
 */
export function cutPage<Row extends { created_at: string; id: string }>(
  rows: Row[],
  limit: number,
  keyOf?: (row: Row) => string,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  if (rows.length <= limit || !last) return { rows: page, nextCursor: null };
  const nextCursor = encode([last.created_at, last.id, ...(keyOf ? [keyOf(last)] : [])]);
  return { rows: page, nextCursor };
}
