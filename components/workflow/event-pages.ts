import type { EventsAnswer } from '@/lib/workflow/schema';

/**
 * The list after its beginning was read again: what was read further down stays behind it, as long as nothing is
 * missing between.
 */
export function withNewBeginning(shown: EventsAnswer | null, begin: EventsAnswer): EventsAnswer {
  const last = begin.events.at(-1);
  const at = shown && last ? shown.events.findIndex(({ id }) => id === last.id) : -1;
  if (!shown || at < 0 || at === shown.events.length - 1) return begin;
  return { events: [...begin.events, ...shown.events.slice(at + 1)], nextCursor: shown.nextCursor };
}
