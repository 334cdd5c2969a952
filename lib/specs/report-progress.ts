import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import type { Log } from '@/lib/log/logger';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { callbackResponse } from '@/lib/workflow/callback-schema';
import { SPEC_DEADLINE_S, SPEC_LIMIT_S, type SpecProgress, specStatus } from './schema';

const reported = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum(['applied', 'late', 'stale_run', 'unknown_run', 'too_often']),
    status: specStatus,
    request_id: z.string().nullable(),
  }),
  z.object({ outcome: z.literal('not_found') }),
]);

/**
 * Applies a report on a spec that is being processed: its progress and its note. A report on a run that has ended changes
 * nothing. Throws `not_found`.
 */
export async function reportSpecProgress(
  { spec_upload_id: subjectId, status, progress, note }: SpecProgress,
  run: number | undefined,
  log: Log,
): Promise<z.infer<typeof callbackResponse>> {
  const result = reported.parse(
    dataOf(
      await adminDb().rpc('report_spec_progress', {
        p_id: subjectId,
        p_run: run,
        p_progress: progress,
        p_note: note,
        p_deadline_s: SPEC_DEADLINE_S,
        p_limit_s: SPEC_LIMIT_S,
      }),
    ),
  );
  const orderedBy = 'request_id' in result ? result.request_id : null;
  log.info({ subjectId, run, status, outcome: result.outcome, orderedBy }, 'callback');
  if (result.outcome === 'not_found') throw new HttpError('not_found');
  return result.outcome === 'applied'
    ? { received: true, applied: true, status: result.status }
    : { received: true, applied: false, status: result.status, reason: result.outcome };
}
