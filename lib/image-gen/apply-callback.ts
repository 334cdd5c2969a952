import { z } from 'zod';
import { HttpError } from '@/lib/http/problem';
import { uuid } from '@/lib/http/uuid';
import type { Log } from '@/lib/log/logger';
import type { callbackAnswer } from '@/lib/queue/callback-schema';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { type CheckedOutput, checkOutputs } from './check-outputs';
import { type ImageCallback, imageStatus } from './schema';

const unchanged = ['duplicate', 'late', 'conflict', 'stale_run', 'unknown_run', 'canceled'] as const;
const outcome = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('checkable'), run: z.int(), project_id: uuid }),
  z.object({
    outcome: z.enum(['applied', ...unchanged]),
    status: imageStatus,
    request_id: z.string().nullable(),
  }),
  z.object({ outcome: z.literal('not_found') }),
]);

const NO_IMAGE = 'The workflow service reported success without an image.';

type Result = { outputs?: CheckedOutput[]; error?: string; notes?: string[] };

async function apply(report: ImageCallback, run: number | undefined, { outputs, error, notes }: Result) {
  return outcome.parse(
    dataOf(
      await adminDb().rpc('apply_image_callback', {
        p_id: report.job_id,
        p_status: report.status,
        p_run: run,
        p_outputs: outputs,
        p_error: error,
        p_notes: notes,
      }),
    ),
  );
}

/**
 * Applies a report of the workflow service on a run; `run` undefined means the current run. The first result of a run
 * wins. The outputs of a success are only checked when it would apply: without outputs, the run succeeds without an
 * image; when none of the outputs is usable, it fails. Throws `not_found`.
 */
export async function applyImageCallback(
  report: ImageCallback,
  run: number | undefined,
  log: Log,
): Promise<z.infer<typeof callbackAnswer>> {
  const { job_id: subjectId, status, output_paths: outputs = [] } = report;
  const imageless = status === 'succeeded' && outputs.length === 0;
  let notes = imageless ? [NO_IMAGE] : [];
  let result = await apply(
    report,
    run,
    imageless ? { outputs: [], notes } : { error: status === 'failed' ? report.error : undefined },
  );
  if (result.outcome === 'checkable') {
    const job = { jobId: subjectId, projectId: result.project_id, run: result.run };
    const checked = await checkOutputs(job, outputs);
    notes = checked.notes;
    result = await apply(
      report,
      result.run,
      checked.good.length > 0 ? { outputs: checked.good, notes } : { outputs: [], error: notes.join(' ') },
    );
  }
  const orderedBy = 'request_id' in result ? result.request_id : null;
  log.info({ subjectId, run, status, outcome: result.outcome, orderedBy }, 'callback');
  if (result.outcome === 'not_found') throw new HttpError('not_found');
  if (result.outcome === 'checkable')
    throw new Error('A report with checked outputs must get a final outcome.');
  return result.outcome === 'applied'
    ? { received: true, applied: true, status: result.status, ...(notes.length > 0 ? { notes } : {}) }
    : { received: true, applied: false, status: result.status, reason: result.outcome };
}
