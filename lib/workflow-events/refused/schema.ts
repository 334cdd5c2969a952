import { z } from 'zod';
import { cursorParam, limitParam } from '@/lib/http/page';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';
import { eventKind } from '../schema';

/**
 * A group of refused callbacks with the same kind, error code and subject within the same minute. If callbacks are
 * refused too often to write each one, `times` also counts some callbacks with other subjects or from earlier minutes.
 */
export const refusedCallback = z.object({
  id: uuid,
  kind: eventKind,
  /** The error code in the responses. */
  code: z.string(),
  /** The error detail in the last response. */
  detail: z.string(),
  /** The id that the bodies named; null if they named none, or if too many ids were named in this minute. */
  subjectId: uuid.nullable(),
  times: z.int(),
  createdAt: time,
  lastAt: time,
});
export type RefusedCallback = z.infer<typeof refusedCallback>;
export const refusedResponse = z.object({
  callbacks: z.array(refusedCallback),
  nextCursor: z.string().nullable(),
});
export type RefusedResponse = z.infer<typeof refusedResponse>;

/** The query of `GET /api/admin/workflow/refused`. */
export const listRefusedQuery = z.object({ limit: limitParam, cursor: cursorParam });
export type ListRefusedQuery = z.output<typeof listRefusedQuery>;
