import { z } from 'zod';
import { type Spec, specStatus } from '@/lib/specs/schema';

/** A change of one spec, as broadcast. */
export const specEvent = z.object({
  specUploadId: z.string(),
  status: z.union([specStatus, z.literal('deleted')]),
  statusSeq: z.number(),
  progress: z.number().nullable(),
});
export type SpecEvent = z.output<typeof specEvent>;

/** The latest event of each spec, by id. */
export type SpecEvents = Readonly<Record<string, SpecEvent>>;

/** Adds an event unless a later one is known. Nothing comes after a deletion. */
export function addEvent(events: SpecEvents, event: SpecEvent): SpecEvents {
  const known = events[event.specUploadId];
  const isOld =
    known !== undefined &&
    (known.status === 'deleted' || (event.status !== 'deleted' && event.statusSeq <= known.statusSeq));
  return isOld ? events : { ...events, [event.specUploadId]: event };
}

/**
 * The specs of a response with the events that are later than it. The response may be older than an event even if it
 * arrives after it.
 */
export function withEvents(specs: Spec[], events: SpecEvents): Spec[] {
  return specs.flatMap((spec) => {
    const event = events[spec.specUploadId];
    if (!event) return [spec];
    if (event.status === 'deleted') return [];
    if (event.statusSeq <= spec.statusSeq) return [spec];
    const { statusSeq, progress } = event;
    // The next read returns when the progress was reported.
    return [{ ...spec, status: event.status, statusSeq, progress, progressAt: null }];
  });
}
