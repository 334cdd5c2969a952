import { z } from 'zod';
import { cursorParam, limitParam } from '@/lib/http/page';
import { time } from '@/lib/http/time';
import { uuid } from '@/lib/http/uuid';

export const eventKinds = ['spec', 'image'] as const;
export const eventKind = z.enum(eventKinds);
export type EventKind = z.infer<typeof eventKind>;

export const eventDirections = ['sent', 'received'] as const;
export const eventDirection = z.enum(eventDirections);
export type EventDirection = z.infer<typeof eventDirection>;

export const eventOutcomes = [
  // Of a trigger: taken; a passing failure that is tried again; refused; and the last try.
  'accepted',
  'again',
  'refused',
  'given_up',
  // Of a callback.
  'applied',
  'duplicate',
  'late',
  'conflict',
  'stale_run',
  'unknown_run',
  'canceled',
] as const;
export const eventOutcome = z.enum(eventOutcomes);
export type EventOutcome = z.infer<typeof eventOutcome>;

/** A trigger that went to the workflow service, or a callback that came from it. */
export const workflowEvent = z.object({
  id: uuid,
  direction: eventDirection,
  kind: eventKind,
  /** The spec upload or the image job. */
  subjectId: uuid,
  /** Its file name or the begin of its prompt; null once it was deleted. */
  label: z.string().nullable(),
  projectId: uuid.nullable(),
  /** How it stands now. */
  subjectStatus: z.string().nullable(),
  run: z.int().nullable(),
  /** Which try of the run a trigger was; null for a callback. */
  attempt: z.int().nullable(),
  outcome: eventOutcome,
  /** What a callback reported; null for a trigger. */
  status: z.string().nullable(),
  reason: z.string().nullable(),
  createdAt: time,
  /** Whether its run is the latest one and may be followed by another. */
  canSendAgain: z.boolean(),
});
export type WorkflowEvent = z.infer<typeof workflowEvent>;
export const eventsAnswer = z.object({ events: z.array(workflowEvent), nextCursor: z.string().nullable() });
export type EventsAnswer = z.infer<typeof eventsAnswer>;

/** Query of `GET /api/admin/workflow/events`. `trouble=true` leaves out what went well. */
export const listEventsQuery = z.object({
  kind: eventKind.optional(),
  direction: eventDirection.optional(),
  subject: uuid.optional(),
  trouble: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  limit: limitParam,
  cursor: cursorParam,
});
export type ListEventsQuery = z.output<typeof listEventsQuery>;
