import { z } from 'zod';
import { HttpError } from '@/lib/http/problem';
import type { callbackAnswer } from '@/lib/queue/callback-schema';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { callbackBody } from './schema';

const outcome = z.object({
  outcome: z.enum(['applied', 'duplicate', 'late', 'conflict', 'stale_run', 'unknown_run', 'not_found']),
});

/**
 * Applies what the workflow service reports on a spec; `run` undefined means the current one. The first result of a
 * run stands, and a report that changes nothing is still a success for its sender, who then stops. Throws `not_found`.
 */
export async function applySpecCallback(
  report: z.infer<typeof callbackBody>,
  run: number | undefined,
): Promise<z.infer<typeof callbackAnswer>> {
  const result = outcome.parse(
    dataOf(
      await adminDb().rpc('apply_spec_callback', {
        p_id: report.spec_upload_id,
        p_run: run,
        p_status: report.status,
        p_sections: report.sections_count ?? undefined,
        p_error: report.error ?? undefined,
      }),
    ),
  );
  if (result.outcome === 'not_found') throw new HttpError('not_found');
  return result.outcome === 'applied'
    ? { received: true, applied: true }
    : { received: true, applied: false, reason: result.outcome };
}
