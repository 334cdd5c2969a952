import { cutPage, decodeCursor } from '@/lib/http/page';
import { adminDb } from '@/lib/supabase/admin';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import {
  type EventsResponse,
  eventDirection,
  eventKind,
  eventOutcome,
  type ListEventsQuery,
  type WorkflowEvent,
} from './schema';

// Makes some columns nullable, because the generated types never mark a function's result columns as nullable.
type Nullable<Row, Names extends keyof Row> = Omit<Row, Names> & { [Name in Names]: Row[Name] | null };
type EventRow = Nullable<
  Database['public']['Functions']['workflow_events']['Returns'][number],
  'run' | 'attempt' | 'status' | 'reason' | 'label' | 'project_id' | 'subject_status' | 'subject_run'
>;

/** The statuses that allow a retry, as in the database functions `retry_spec` and `retry_image_job`. */
const ended = { spec: ['failed'], image: ['failed', 'canceled'] };
const waiting = { spec: ['pending', 'processing'], image: ['queued', 'running'] };

function toEvent(row: EventRow): WorkflowEvent {
  const kind = eventKind.parse(row.source);
  const isCurrent = row.run === row.subject_run;
  return {
    id: row.id,
    direction: eventDirection.parse(row.direction),
    kind,
    subjectId: row.subject_id,
    label: row.label,
    projectId: row.project_id,
    subjectStatus: row.subject_status,
    run: row.run,
    attempt: row.attempt,
    outcome: eventOutcome.parse(row.outcome),
    status: row.status,
    reason: row.reason,
    createdAt: row.created_at,
    canSendAgain: isCurrent && ended[kind].includes(row.subject_status ?? ''),
    canApply: isCurrent && row.outcome === 'held' && waiting[kind].includes(row.subject_status ?? ''),
  };
}

/**
 * Returns a page of the triggers sent to the workflow service and the callbacks received from it, newest first.
 * Bypasses row level security, so it is for administrators only. Throws `unavailable`, or `invalid_request` for an
 * invalid cursor.
 */
export async function listEvents(query: ListEventsQuery): Promise<EventsResponse> {
  const before = query.cursor ? decodeCursor(query.cursor) : null;
  const found: EventRow[] = dataOf(
    await adminDb().rpc('workflow_events', {
      p_source: query.kind,
      p_direction: query.direction,
      p_subject: query.subject,
      p_trouble: query.trouble,
      p_before: before?.createdAt,
      p_before_id: before?.id,
      p_limit: query.limit + 1,
    }),
  );
  const { rows, nextCursor } = cutPage(found, query.limit);
  return { events: rows.map(toEvent), nextCursor };
}
