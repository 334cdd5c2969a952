import { z } from 'zod';
import { HttpError } from './problem';
import { uuid } from './uuid';

const cutLimit = z
  .string()
  .regex(/^\d{1,100}$/, 'must be a whole number in plain digits')
  .transform(Number)
  .refine((n) => n >= 1, 'must be at least 1')
  .transform((n) => Math.min(n, 100))
  .optional();
const limitInJson = { type: 'integer', minimum: 1, description: 'More than 100 is cut to 100.' };

/** `limit` of a list: plain digits, 1 or more; more than 100 is cut to 100; 20 when absent. */
export const limitParam = cutLimit.default(20).meta({ json: { ...limitInJson, default: 20 } });

/** The same for a list that comes whole when it is absent. */
export const optionalLimitParam = cutLimit.meta({ json: limitInJson });

/** `cursor` of a list: what the previous page gave as `nextCursor`. */
export const cursorParam = z.string().max(200).optional();

/** The place of a row in a list that runs newest first: `(created_at, id)`. */
export type Keyset = { createdAt: string; id: string };

/** Exactly the form that the database answers: what it would refuse never gets there. */
const keyset = z.tuple([z.iso.datetime({ offset: true }).regex(/^[1-9]\d{3}-.*\+00:00$/), uuid]);

/** Reads a cursor. Throws `invalid_request` when it is not one of ours. */
export function decodeCursor(cursor: string): Keyset {
  try {
    const [createdAt, id] = keyset.parse(JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))));
    return { createdAt, id };
  } catch {
    throw new HttpError('invalid_request', 'The cursor is not one that this list gave.', {
      errors: [{ path: 'cursor', message: 'is not a cursor of this list' }],
    });
  }
}

/**
 * The filter of a keyset page in PostgREST's words: everything after `place`, newest first. The bound on the time
 * stands outside of the alternative, where an index can be entered by it: a page far down costs what the first one does.
 */
export function afterKeyset({ createdAt, id }: Keyset): string {
  return `and(created_at.lte."${createdAt}",or(created_at.lt."${createdAt}",id.lt.${id}))`;
}

/**
 * Cuts `limit + 1` fetched rows to a page. The extra row only says that there is more, so no count is needed.
 */
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
