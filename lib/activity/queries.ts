import type { z } from 'zod';
import { cutPage, decodeCursor } from '@/lib/http/page';
import { adminDb } from '@/lib/supabase/admin';
import type { Database } from '@/lib/supabase/database.types';
import { dataOf } from '@/lib/supabase/database-error';
import type { ActivityResponse, actorsResponse, ListActivityQuery } from './schema';

// Supabase's type generator never marks the columns of a `returns table` function as nullable, so the nullable ones are
// declared here.
type Returned = Database['public']['Functions']['audit_events']['Returns'][number];
type Nullable = 'actor_id' | 'actor' | 'subject_id' | 'subject' | 'details' | 'request_id';
type EventRow = Omit<Returned, Nullable> & { [Name in Nullable]: Returned[Name] | null };

/**
 * Returns a page of the audit log, newest first. Bypasses row level security, so it is for administrators only. Throws
 * `unavailable`, or `invalid_request` for an invalid cursor.
 */
export async function listActivity(query: ListActivityQuery): Promise<ActivityResponse> {
  const cursor = query.cursor ? decodeCursor(query.cursor) : null;
  const found: EventRow[] = dataOf(
    await adminDb().rpc('audit_events', {
      p_actor: query.actor,
      p_action: query.action,
      p_from: query.from,
      p_to: query.to,
      p_before: cursor?.createdAt,
      p_before_id: cursor?.id,
      p_limit: query.limit + 1,
    }),
  );
  const { rows, nextCursor } = cutPage(found, query.limit);
  return {
    events: rows.map((row) => ({
      id: row.id,
      action: row.action,
      actorId: row.actor_id,
      actor: row.actor,
      subjectId: row.subject_id,
      subject: row.subject,
      details: row.details,
      requestId: row.request_id,
      createdAt: row.created_at,
    })),
    nextCursor,
  };
}

/**
 * Returns all accounts that appear as the actor of an event, sorted by name. For administrators only. Throws
 * `unavailable`.
 */
export async function listActors(): Promise<z.output<typeof actorsResponse>> {
  const rows = dataOf(await adminDb().rpc('audit_actors'));
  return { actors: rows.map(({ id, label }) => ({ id, name: label })) };
}
