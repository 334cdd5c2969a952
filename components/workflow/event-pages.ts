import type { EventsResponse } from '@/lib/workflow/schema';

/**
 * Merges a reloaded first page into the shown list. Events loaded further down stay as long as there is no gap between
 * the two; otherwise only the first page remains. The event of progress reports moves up with each of them.
 */
export function withNewBeginning(shown: EventsResponse | null, begin: EventsResponse): EventsResponse {
  const last = begin.events.at(-1);
  const at = shown && last ? shown.events.findIndex(({ id }) => id === last.id) : -1;
  if (!shown || at < 0 || at === shown.events.length - 1) return begin;
  const moved = new Set(begin.events.map(({ id }) => id));
  const older = shown.events.slice(at + 1).filter(({ id }) => !moved.has(id));
  return { events: [...begin.events, ...older], nextCursor: shown.nextCursor };
}
