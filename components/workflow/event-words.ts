import type { EventOutcome, WorkflowEvent } from '@/lib/workflow/schema';

type Look = { label: string; tone: 'quiet' | 'good' | 'bad' };

const looks: Record<EventOutcome, Look> = {
  accepted: { label: 'Accepted', tone: 'good' },
  again: { label: 'Not taken, tried again', tone: 'quiet' },
  refused: { label: 'Refused', tone: 'bad' },
  given_up: { label: 'Given up', tone: 'bad' },
  applied: { label: 'Applied', tone: 'good' },
  duplicate: { label: 'Repeat, ignored', tone: 'quiet' },
  late: { label: 'Too late, ignored', tone: 'quiet' },
  conflict: { label: 'Contradicts the first, ignored', tone: 'quiet' },
  stale_run: { label: 'Of an earlier run, ignored', tone: 'quiet' },
  unknown_run: { label: 'Of no run, ignored', tone: 'quiet' },
  canceled: { label: 'Canceled before, ignored', tone: 'quiet' },
};

/** What became of a trigger or a callback, in a few words. A failure that was reported and applied is still a bad one. */
export function outcomeLook({ outcome, status }: Pick<WorkflowEvent, 'outcome' | 'status'>): Look {
  if (outcome === 'applied' && status === 'failed') return { label: 'Applied: failed', tone: 'bad' };
  return looks[outcome];
}

/** What happened: `Trigger, run 2, attempt 3` or `Callback, run 2: completed`. */
export function eventTitle({ direction, run, attempt, status }: WorkflowEvent): string {
  const ofRun = run === null ? '' : `, run ${run}`;
  if (direction === 'sent') return `Trigger${ofRun}, attempt ${attempt ?? 1}`;
  return `Callback${ofRun}: ${status ?? 'no status'}`;
}

/** The events whose subject may be sent again, one for each subject: the newest. */
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
