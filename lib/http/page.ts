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

/** The `limit` of a list: plain digits, at least 1. Values above 100 are reduced to 100; the default is 20. */
export const limitParam = cutLimit.default(20).meta({ json: { ...limitInJson, default: 20 } });

/** Like `limitParam`, for a list that is returned whole when no limit is given. */
export const optionalLimitParam = cutLimit.meta({ json: limitInJson });

/** The `cursor` of a list: the `nextCursor` of the previous page. */
export const cursorParam = z.string().max(200).optional();

/** The position of a row in a list sorted newest first: `(created_at, id)`. */
export type Keyset = { createdAt: string; id: string };

/** Accepts exactly the format that the database returns, so that a forged cursor cannot cause a database error. */
const keyset = z.tuple([z.iso.datetime({ offset: true }).regex(/^[1-9]\d{3}-.*\+00:00$/), uuid]);

/** Decodes a cursor. Throws `invalid_request` if it does not have the format that `cutPage` produces. */
export function decodeCursor(cursor: string): Keyset {
  try {
    const [createdAt, id] = keyset.parse(JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))));
    return { createdAt, id };
  } catch {
    throw new HttpError('invalid_request', 'The cursor is not a cursor of this list.', {
      errors: [{ path: 'cursor', message: 'is not a cursor of this list' }],
    });
  }
}

/**
 * Returns the PostgREST filter for a keyset page: all rows after the given position, newest first. The bound on
 * `created_at` is outside of the `or`, where an index can use it, so a late page costs no more than the first.
 */
export function afterKeyset({ createdAt, id }: Keyset): string {
  return `and(created_at.lte."${createdAt}",or(created_at.lt."${createdAt}",id.lt.${id}))`;
}

/** Cuts `limit + 1` fetched rows down to a page. The extra row shows that more rows exist, so no count is needed. */
export function cutPage<Row extends { created_at: string; id: string }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const nextCursor =
    rows.length > limit && last
      ? btoa(JSON.stringify([last.created_at, last.id]))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
      : null;
  return { rows: page, nextCursor };
}
