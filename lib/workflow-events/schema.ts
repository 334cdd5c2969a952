import { z } from 'zod';
import { flagParam } from '@/lib/http/flag-param';
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
  // Outcomes of triggers. After `again`, Atelier sends the trigger again. After `refused`, it does not try again
  // automatically. `given_up` means that the last attempt failed.
  'accepted',
  'again',
  'refused',
  'given_up',
  // Outcomes of callbacks. `held` means that the callback named no run and may be about an earlier one; it counts only
  // if nothing else arrives before the deadline. A callback that could not be read is `refused`.
  'applied',
  'held',
  'duplicate',
  'late',
  'conflict',
  'stale_run',
  'unknown_run',
  'canceled',
] as const;
export const eventOutcome = z.enum(eventOutcomes);
export type EventOutcome = z.infer<typeof eventOutcome>;

/** A trigger sent to the workflow service, or a callback received from it. */
export const workflowEvent = z.object({
  id: uuid,
  direction: eventDirection,
  kind: eventKind,
  /** The id of the spec upload or image job. */
  subjectId: uuid,
  /** The file name or the start of the prompt; null if the spec or job was deleted. */
  label: z.string().nullable(),
  projectId: uuid.nullable(),
  /** The current status of the spec or job. */
  subjectStatus: z.string().nullable(),
  run: z.int().nullable(),
  /** The number of the attempt within the trigger's run; null for a callback. */
  attempt: z.int().nullable(),
  outcome: eventOutcome,
  /** The reported status of a callback; null for a trigger, and for a callback that could not be read. */
  status: z.string().nullable(),
  reason: z.string().nullable(),
  createdAt: time,
  /** Whether the event's run is the latest one and can be retried. */
  canSendAgain: z.boolean(),
  /** Whether this is a held callback whose run is still waiting for a result. */
  canApply: z.boolean(),
});
export type WorkflowEvent = z.infer<typeof workflowEvent>;
export const eventsResponse = z.object({ events: z.array(workflowEvent), nextCursor: z.string().nullable() });
export type EventsResponse = z.infer<typeof eventsResponse>;

export const eventParams = z.object({ id: uuid });
export const appliedResponse = z.object({ applied: z.boolean(), status: z.string() });

/**
 * The query of `GET /api/admin/workflow/events`. `trouble=true` excludes accepted triggers, and applied callbacks that
 * do not report a failure.
 */
export const listEventsQuery = z.object({
  kind: eventKind.optional(),
  direction: eventDirection.optional(),
  subject: uuid.optional(),
  trouble: flagParam,
  limit: limitParam,
  cursor: cursorParam,
});
export type ListEventsQuery = z.output<typeof listEventsQuery>;
