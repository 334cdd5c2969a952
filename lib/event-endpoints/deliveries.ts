import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { cutPage, decodeCursor } from '@/lib/http/page';
import { adminDb } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import {
  type DeliveriesResponse,
  deliveryState,
  type EventDelivery,
  eventType,
  type ListDeliveriesQuery,
  type sentAgainResponse,
} from './schema';

// Supabase's type generator never marks a function's columns as nullable, so the nullable ones are declared here.
type Row = Database['public']['Functions']['event_deliveries']['Returns'][number];
type DeliveryRow = Omit<Row, 'label' | 'reason' | 'next_attempt_at' | 'finished_at'> & {
  label: string | null;
  reason: string | null;
  next_attempt_at: string | null;
  finished_at: string | null;
};

function toDelivery(row: DeliveryRow): EventDelivery {
  return {
    id: row.id,
    eventId: row.event_id,
    type: eventType.parse(row.type),
    subjectId: row.subject_id,
    run: row.subject_run,
    label: row.label,
    endpointId: row.endpoint_id,
    endpointName: row.endpoint_name,
    state: deliveryState.parse(row.state),
    attempts: row.attempts,
    reason: row.reason,
    nextAttemptAt: row.next_attempt_at,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    canSendAgain: row.can_send_again,
  };
}

/**
 * Returns a page of event deliveries, newest first. Bypasses row level security, so it is for administrators only.
 * Throws `unavailable`, or `invalid_request` for an invalid cursor.
 */
export async function listDeliveries(query: ListDeliveriesQuery): Promise<DeliveriesResponse> {
  const before = query.cursor ? decodeCursor(query.cursor) : null;
  const found: DeliveryRow[] = dataOf(
    await adminDb().rpc('event_deliveries', {
      p_endpoint: query.endpoint,
      p_trouble: query.trouble,
      p_before: before?.createdAt,
      p_before_id: before?.id,
      p_limit: query.limit + 1,
    }),
  );
  const { rows, nextCursor } = cutPage(found, query.limit);
  return { deliveries: rows.map(toDelivery), nextCursor };
}

const outcome = z.enum(['queued', 'not_found', 'pending', 'paused']);

/**
 * Queues a delivery again under the same id. Throws `not_found`, or `state_conflict` if the delivery is still pending
 * or its endpoint is paused.
 */
export async function sendDeliveryAgain(id: string): Promise<z.output<typeof sentAgainResponse>> {
  const result = await callRpc('resend_event_delivery', { p_id: id }, outcome);
  if (result === 'not_found') throw new HttpError('not_found');
  if (result === 'pending') throw new HttpError('state_conflict', 'The event is still being sent.');
  if (result === 'paused') throw new HttpError('state_conflict', 'The endpoint is paused. Resume it first.');
  return { id, state: 'pending' };
}
