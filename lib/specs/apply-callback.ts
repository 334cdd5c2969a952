import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import type { Log } from '@/lib/log/logger';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { callbackResponse } from '@/lib/workflow/callback-schema';
import { type SpecResult, specStatus } from './schema';

const outcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum(['applied', 'duplicate', 'late', 'conflict', 'stale_run', 'unknown_run']),
    status: specStatus,
    request_id: z.string().nullable(),
  }),
  z.object({ outcome: z.literal('not_found') }),
]);

/**
 * Applies the result that the workflow service reports for a spec; `run` undefined means the current run. The first result of a run
 * wins, and a report that changes nothing is still a success, so that the sender stops retrying. Throws `not_found`.
 */
export async function applySpecResult(
  report: SpecResult,
  run: number | undefined,
  log: Log,
): Promise<z.infer<typeof callbackResponse>> {
  const result = outcome.parse(
    dataOf(
      await adminDb().rpc('apply_spec_callback', {
        p_id: report.spec_upload_id,
        p_run: run,
        p_status: report.status,
        p_sections: report.sections_count,
        p_error: report.error,
      }),
    ),
  );
  const { spec_upload_id: subjectId, status } = report;
  const orderedBy = 'request_id' in result ? result.request_id : null;
  log.info({ subjectId, run, status, outcome: result.outcome, orderedBy }, 'callback');
  if (result.outcome === 'not_found') throw new HttpError('not_found');
  return result.outcome === 'applied'
    ? { received: true, applied: true, status: result.status }
    : { received: true, applied: false, status: result.status, reason: result.outcome };
}
