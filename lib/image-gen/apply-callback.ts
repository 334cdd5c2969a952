import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import type { Log } from '@/lib/log/logger';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { callbackResponse } from '@/lib/workflow/callback-schema';
import { type CheckedOutput, checkedOutput, checkOutputs } from './check-outputs';
import { type ImageResult, imageStatus } from './schema';

const unchanged = ['duplicate', 'late', 'conflict', 'stale_run', 'unknown_run', 'canceled'] as const;
const outcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('checkable'),
    run: z.int(),
    project_id: uuid,
    stored: z.array(checkedOutput),
  }),
  z.object({
    outcome: z.enum(['applied', ...unchanged]),
    status: imageStatus,
    kept: z.int(),
    request_id: z.string().nullable(),
  }),
  z.object({ outcome: z.literal('not_found') }),
]);

const NO_IMAGE = 'The workflow service reported success without an image.';

type Result = { outputs?: CheckedOutput[]; error?: string; notes?: string[] };

async function apply(report: ImageResult, run: number | undefined, { outputs, error, notes }: Result) {
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

function keptNote(count: number): string {
  return count === 1
    ? 'The image that was reported before is kept.'
    : `The ${count} images that were reported before are kept.`;
}

/**
 * Applies the result that the workflow service reports for a run; `run` undefined means the current run. The first result
 * of a run wins. The outputs of a success are only checked when it would apply, and only those that were not reported
 * while the run was under way. Without outputs at all, the run succeeds without an image; when none of them is usable, it
 * fails. Throws `not_found`.
 */
export async function applyImageResult(
  report: ImageResult,
  run: number | undefined,
  log: Log,
): Promise<z.infer<typeof callbackResponse>> {
  const { job_id: subjectId, status, output_paths: outputs = [] } = report;
  let notes: string[] = [];
  let result = await apply(report, run, { error: status === 'failed' ? report.error : undefined });
  if (result.outcome === 'checkable') {
    const { project_id: projectId, run: current, stored } = result;
    const checked = await checkOutputs({ jobId: subjectId, projectId, run: current }, outputs, stored);
    const hasImages = checked.good.length + stored.length > 0;
    notes = hasImages || outputs.length > 0 ? checked.notes : [NO_IMAGE];
    const isUsable = hasImages || outputs.length === 0;
    const unusable = { outputs: [], error: notes.join(' ') };
    result = await apply(report, current, isUsable ? { outputs: checked.good, notes } : unusable);
  }
  const orderedBy = 'request_id' in result ? result.request_id : null;
  log.info({ subjectId, run, status, outcome: result.outcome, orderedBy }, 'callback');
  if (result.outcome === 'not_found') throw new HttpError('not_found');
  if (result.outcome === 'checkable')
    throw new Error('A report with checked outputs must get a final outcome.');
  if (result.outcome !== 'applied') {
    return { received: true, applied: false, status: result.status, reason: result.outcome };
  }
  if (result.kept > 0) notes = [...notes, keptNote(result.kept)];
  return { received: true, applied: true, status: result.status, ...(notes.length > 0 ? { notes } : {}) };
}
