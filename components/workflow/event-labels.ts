import type { EventOutcome, WorkflowEvent } from '@/lib/workflow-events/schema';

type Pill = { label: string; tone: 'quiet' | 'good' | 'bad' };

const pills: Record<EventOutcome, Pill> = {
  accepted: { label: 'Accepted', tone: 'good' },
  again: { label: 'Retrying', tone: 'quiet' },
  refused: { label: 'Rejected', tone: 'bad' },
  given_up: { label: 'Gave up', tone: 'bad' },
  applied: { label: 'Applied', tone: 'good' },
  held: { label: 'Held', tone: 'bad' },
  duplicate: { label: 'Duplicate, ignored', tone: 'quiet' },
  late: { label: 'Too late, ignored', tone: 'quiet' },
  conflict: { label: 'Conflicting, ignored', tone: 'quiet' },
  stale_run: { label: 'Outdated run, ignored', tone: 'quiet' },
  unknown_run: { label: 'Unknown run, ignored', tone: 'quiet' },
  canceled: { label: 'Already canceled, ignored', tone: 'quiet' },
};

/** Returns the label and tone of an event's outcome. An applied callback that reports a failure has the tone `bad`. */
export function outcomePill({ outcome, status }: Pick<WorkflowEvent, 'outcome' | 'status'>): Pill {
  if (outcome === 'applied' && status === 'failed') return { label: 'Failed', tone: 'bad' };
  return pills[outcome];
}

/** Returns the title of an event, such as `Trigger, run 2, attempt 3` or `Callback, run 2: completed`. */
export function eventTitle({ direction, run, attempt, status }: WorkflowEvent): string {
  const ofRun = run === null ? '' : `, run ${run}`;
  if (direction === 'sent') return `Trigger${ofRun}, attempt ${attempt ?? 1}`;
  return `Callback${ofRun}: ${status ?? 'not readable'}`;
}

/** Returns the ids of the events that offer "Try again": for each subject, the newest one with `canSendAgain`. */
export function sendableIds(events: WorkflowEvent[]): Set<string> {
  const subjects = new Set<string>();
  const ids = new Set<string>();
  for (const { id, subjectId, canSendAgain } of events) {
    if (!canSendAgain || subjects.has(subjectId)) continue;
    subjects.add(subjectId);
    ids.add(id);
  }
  return ids;
}
