import { expect, test } from 'vitest';
import { withNewBeginning } from '@/components/workflow/event-pages';
import type { EventsResponse, WorkflowEvent } from '@/lib/workflow/schema';

const event = (id: string): WorkflowEvent => ({
  id,
  direction: 'sent',
  kind: 'spec',
  subjectId: 'c0000000-0000-4000-8000-000000000001',
  label: null,
  projectId: null,
  subjectStatus: null,
  run: 1,
  attempt: 1,
  outcome: 'accepted',
  status: null,
  reason: null,
  createdAt: '2026-01-01T00:00:00Z',
  canSendAgain: false,
});
const page = (ids: string, nextCursor: string | null = null): EventsResponse => ({
  events: [...ids].map(event),
  nextCursor,
});
const told = ({ events, nextCursor }: EventsResponse) => [events.map(({ id }) => id).join(''), nextCursor];

test.each([
  ['nothing is shown yet', null, page('ed', 'd'), ['ed', 'd']],
  ['nothing changed and the first page is all', page('ed', 'd'), page('ed', 'd'), ['ed', 'd']],
  ['more pages are shown than the first', page('edcba', null), page('fed', 'd'), ['fedcba', null]],
  ['an event below the first page has moved up', page('edcba', null), page('bed', 'd'), ['bedca', null]],
  ['there are more new events than fit on the first page', page('cba', null), page('gfe', 'e'), ['gfe', 'e']],
  ['all events are gone', page('cba', 'a'), page(''), ['', null]],
])('a reload of the first page merges correctly when %s', (_, shown, begin, expected) => {
  expect(told(withNewBeginning(shown, begin))).toEqual(expected);
});
