import { z } from 'zod';
import { HttpError } from '@/lib/http/problem';
import type { Log } from '@/lib/log/logger';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { type CheckedOutput, checkOutputs } from './check-outputs';
import { type ImageCallback, MAX_OUTPUTS } from './schema';

const unchanged = [
  'duplicate',
  'late',
  'conflict',
  'stale_run',
  'unknown_run',
  'canceled',
  'not_found',
] as const;
const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('checkable'), run: z.int(), project_id: z.uuid() }),
  z.object({ outcome: z.enum(['applied', ...unchanged]), request_id: z.string().nullish() }),
]);

async function apply(
  report: ImageCallback,
  run: number | undefined,
  outputs?: CheckedOutput[],
  error?: string,
) {
  return outcome.parse(
    dataOf(
      await adminDb().rpc('apply_image_callback', {
        p_id: report.job_id,
        p_status: report.status,
        p_run: run,
        p_outputs: outputs,
        p_error: error,
      }),
    ),
  );
}

/**
 * Applies what the workflow service reports on a run; `run` undefined means the current one. The first result of a run
 * stands. The outputs of a success are looked at only when it would apply; without one good output the run has failed.
 * Throws `not_found`.
 */
export async function applyImageCallback(report: ImageCallback, run: number | undefined, log: Log) {
  let result = await apply(report, run, undefined, report.error ?? undefined);
  if (result.outcome === 'checkable') {
    const job = { jobId: report.job_id, projectId: result.project_id, run: result.run };
    const outputs = report.output_paths ?? [];
    const { good, problems } =
      outputs.length > MAX_OUTPUTS
        ? { good: [], problems: [`There are ${outputs.length} outputs; at most ${MAX_OUTPUTS} are taken.`] }
        : await checkOutputs(job, outputs);
    const why = problems.join(' ') || 'The workflow service reported a success without any output.';
    result = await apply(report, result.run, good, good.length > 0 ? undefined : why);
  }
  const { job_id: subjectId, status } = report;
  const orderedBy = 'request_id' in result ? result.request_id : null;
  log.info({ subjectId, run, status, outcome: result.outcome, orderedBy }, 'callback');
  if (result.outcome === 'not_found') throw new HttpError('not_found');
  return result.outcome === 'applied'
    ? { received: true as const, applied: true }
    : { received: true as const, applied: false, reason: result.outcome };
}
