import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { adminDb } from '@/lib/supabase/admin';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import { type EventEndpoint, eventType } from './schema';

// Supabase's type generator never marks a function's columns as nullable, so the nullable ones are declared here.
type Row = Database['public']['Functions']['event_endpoints']['Returns'][number];
type EndpointRow = Omit<Row, 'failing_since' | 'last_error' | 'paused_at'> & {
  failing_since: string | null;
  last_error: string | null;
  paused_at: string | null;
};

/** Returns all endpoints, oldest first, without their secrets. For administrators only. */
export async function listEndpoints(): Promise<EventEndpoint[]> {
  const rows: EndpointRow[] = dataOf(await adminDb().rpc('event_endpoints', {}));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events.map((type) => eventType.parse(type)),
    failingSince: row.failing_since,
    lastError: row.last_error,
    pausedAt: row.paused_at,
    createdAt: row.created_at,
  }));
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
