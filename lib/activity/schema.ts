import { z } from 'zod';
import { dayParam } from '@/lib/http/day';
import { cursorParam, limitParam } from '@/lib/http/page';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

const action = z.string().regex(/^[a-z]{1,40}\.[a-z_]{1,40}$/, 'must be an action such as token.created');

/** One event of the audit log. Events are kept for two years. */
export const auditEvent = z.object({
  id: uuid,
  action,
  /** Null if the actor is unknown. */
  actorId: uuid.nullable(),
  /** Email address of the actor, or name of the service, at the time of the event. */
  actor: z.string().nullable(),
  subjectId: uuid.nullable(),
  /** What the event concerns: its name or email address at the time of the event, or a count such as `3 specs`. */
  subject: z.string().nullable(),
  details: z.string().nullable(),
  /** The `x-request-id` of the request, as in the app's log. */
  requestId: z.string().nullable(),
  createdAt: time,
});
export type AuditEvent = z.infer<typeof auditEvent>;

const filters = {
  actor: uuid.optional(),
  action: action.optional(),
  from: dayParam.optional(),
  to: dayParam.optional(),
};
export const activityFilters = z.object(filters);
export type ActivityFilters = z.output<typeof activityFilters>;
export const listActivityQuery = z.object({ ...filters, limit: limitParam, cursor: cursorParam });
export type ListActivityQuery = z.output<typeof listActivityQuery>;
export const activityResponse = z.object({ events: z.array(auditEvent), nextCursor: z.string().nullable() });
export type ActivityResponse = z.infer<typeof activityResponse>;

/** The accounts that appear as the actor of an event in the audit log. */
export const actorsResponse = z.object({ actors: z.array(z.object({ id: uuid, name: z.string() })) });
export const activityCsv = z.instanceof(ReadableStream<Uint8Array>);
