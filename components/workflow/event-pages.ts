import type { EventsAnswer } from '@/lib/workflow/schema';

/**
 * Merges a reloaded first page into the shown list. Events loaded further down stay as long as there is no gap between
 * the two; otherwise only the first page remains.
 */
export function withNewBeginning(shown: EventsAnswer | null, begin: EventsAnswer): EventsAnswer {
  const last = begin.events.at(-1);
  const at = shown && last ? shown.events.findIndex(({ id }) => id === last.id) : -1;
  if (!shown || at < 0 || at === shown.events.length - 1) return begin;
  return { events: [...begin.events, ...shown.events.slice(at + 1)], nextCursor: shown.nextCursor };
}
