import { z } from 'zod';
import { type Spec, specStatus } from '@/lib/specs/schema';

/** A change to one spec, as broadcast. */
export const specEvent = z.object({
  specUploadId: z.string(),
  status: z.union([specStatus, z.literal('deleted')]),
  statusSeq: z.number(),
  progress: z.number().nullable(),
});
export type SpecEvent = z.output<typeof specEvent>;

/** The latest event of each spec, by id. */
export type SpecEvents = Readonly<Record<string, SpecEvent>>;

/**
 * Adds an event unless `events` already holds the same event or a later one of the same spec. A deletion is always the
 * last event of a spec.
 */
export function addEvent(events: SpecEvents, event: SpecEvent): SpecEvents {
  const latest = events[event.specUploadId];
  const isOld =
    latest !== undefined &&
    (latest.status === 'deleted' || (event.status !== 'deleted' && event.statusSeq <= latest.statusSeq));
  return isOld ? events : { ...events, [event.specUploadId]: event };
}

/**
 * Applies newer events to the specs of a response, and removes deleted specs. An event can be newer than the response
 * even if the event arrived first.
 */
export function withEvents(specs: Spec[], events: SpecEvents): Spec[] {
  return specs.flatMap((spec) => {
    const event = events[spec.specUploadId];
    if (!event) return [spec];
    if (event.status === 'deleted') return [];
    if (event.statusSeq <= spec.statusSeq) return [spec];
    const { status, statusSeq, progress } = event;
    const retrying = status === 'pending' ? spec.retrying : null;
    // The event does not say when the progress was reported. The next read will.
    return [{ ...spec, status, statusSeq, progress, progressAt: null, retrying }];
  });
}
