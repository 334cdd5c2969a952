import { z } from 'zod';
import { cursorParam, limitParam } from '@/lib/http/page';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';
import { eventKind } from '../schema';

/** Callbacks that were refused for one reason within one minute. */
export const refusedCallback = z.object({
  id: uuid,
  kind: eventKind,
  /** The error code of the response. */
  code: z.string(),
  /** The detail of the response. */
  detail: z.string(),
  /** The id that the body named; null if it named none, or if too many were named in this minute. */
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

/** Query of `GET /api/admin/workflow/refused`. */
export const listRefusedQuery = z.object({ limit: limitParam, cursor: cursorParam });
export type ListRefusedQuery = z.output<typeof listRefusedQuery>;
