import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import { type ChangeEndpointBody, type EventEndpoint, eventType } from './schema';

// Supabase's type generator never marks a function's columns as nullable, so the nullable ones are declared here.
type Row = Database['public']['Functions']['event_endpoints']['Returns'][number];
type EndpointRow = Omit<Row, 'header_name' | 'failing_since' | 'last_error' | 'paused_at'> & {
  header_name: string | null;
  failing_since: string | null;
  last_error: string | null;
  paused_at: string | null;
};

/** Returns all endpoints, oldest first, without their secrets and header values. For administrators only. */
export async function listEndpoints(): Promise<EventEndpoint[]> {
  const rows: EndpointRow[] = dataOf(await adminDb().rpc('event_endpoints', {}));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events.map((type) => eventType.parse(type)),
    headerName: row.header_name,
    failingSince: row.failing_since,
    lastError: row.last_error,
    pausedAt: row.paused_at,
    createdAt: row.created_at,
  }));
}

const changed = z.enum(['updated', 'not_found', 'no_value']);

/** Changes an endpoint. Throws `not_found`, or `invalid_request` if its header would have no value. */
export async function changeEndpoint(
  id: string,
  { name, events, header }: ChangeEndpointBody,
): Promise<void> {
  const args = { p_id: id, p_name: name, p_events: events, p_header_name: header?.name };
  const result = await callRpc('update_event_endpoint', { ...args, p_header_value: header?.value }, changed);
  if (result === 'not_found') throw new HttpError('not_found');
  if (result === 'no_value') {
    const errors = [{ path: 'header.value', message: 'is missing' }];
    throw new HttpError('invalid_request', 'header.value is missing.', { errors });
  }
}

/** Deletes an endpoint and its deliveries. Throws `not_found`. */
export async function deleteEndpoint(id: string): Promise<void> {
  const existed = dataOf(await adminDb().rpc('delete_event_endpoint', { p_id: id }));
  if (!existed) throw new HttpError('not_found');
}

/**
 * Resumes a paused endpoint and queues every delivery that it has missed since it began to fail. Does nothing if the
 * endpoint is not paused. Throws `not_found`.
 */
export async function resumeEndpoint(id: string): Promise<{ id: string; queued: number }> {
  const queued = await callRpc('resume_event_endpoint', { p_id: id }, z.int().nullable());
  if (queued === null) throw new HttpError('not_found');
  return { id, queued };
}
