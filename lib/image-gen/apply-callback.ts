import { z } from 'zod';
import { withoutControls } from '@/lib/http/pasted-text';
import { uuid } from '@/lib/http/uuid';
import type { Log } from '@/lib/log/logger';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { CallbackResponse } from '@/lib/workflow/callback-schema';
import { respondToCallback } from '@/lib/workflow/respond-to-callback';
import { checkedOutput, checkOutputs, pathsOf, storageNotes } from './check-outputs';
import type { ImageResult } from './read-callback';
import { imageStatus } from './schema';

const unchanged = ['held', 'duplicate', 'late', 'conflict', 'stale_run', 'unknown_run', 'canceled'] as const;
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
    stored: z.array(checkedOutput),
    kept: z.int(),
    request_id: z.string().nullable(),
  }),
  z.object({ outcome: z.literal('not_found') }),
]);

/** Maximum length of a successful result's `error`, which becomes a note. The rest is cut off. */
const MAX_REASON = 500;
const NO_IMAGE = 'The image service reported success without an image.';

type Checked = Awaited<ReturnType<typeof checkOutputs>>;
type Result = { outputs?: Checked['good']; error?: string; notes?: string[] };

function apply(report: ImageResult, run: number | undefined, { outputs, error, notes }: Result) {
  const args = {
    p_id: report.job_id,
    p_status: report.status,
    p_run: run,
    p_outputs: outputs,
    p_error: error,
    p_notes: notes,
    p_paths: pathsOf(report),
  };
  return callRpc('apply_image_callback', args, outcome);
}

function keptNote(count: number): string {
  return count === 1
    ? 'The image that was reported before is kept.'
    : `The ${count} images that were reported before are kept.`;
}

/**
 * Applies the result that the workflow service reports for `run`. If `run` is undefined, or if the files belong to an
 * earlier run, the database finds the run. It also decides which result of a run wins. Checks the outputs of a success only if the success would be applied. Does not
 * check outputs again if a progress report has already stored them. A success without outputs remains a success, even
 * if the run has no images. A success whose outputs are all unusable fails the run, unless the run already has images.
 * The `error` of a success becomes a note, because it explains why images are missing. Throws `not_found`.
 */
export async function applyImageResult(
  report: ImageResult,
  run: number | undefined,
  log: Log,
): Promise<CallbackResponse> {
  const { job_id: subjectId, status, output_paths: outputs } = report;
  let { notes } = report;
  let good: Checked['good'] = [];
  let result = await apply(report, run, { error: status === 'failed' ? report.error : undefined });
  if (result.outcome === 'checkable') {
    const { project_id: projectId, run: current, stored } = result;
    const checked = await checkOutputs({ jobId: subjectId, projectId, run: current }, outputs, stored);
    good = checked.good;
    const hasImages = good.length + stored.length > 0;
    notes = [...notes, ...(hasImages || outputs.length > 0 ? checked.notes : [NO_IMAGE])];
    const reason = [...withoutControls(report.error ?? '')].slice(0, MAX_REASON).join('');
    if (reason !== '') notes = [...notes, reason];
    const isUsable = hasImages || outputs.length === 0;
    const unusable = { outputs: [], error: notes.join(' ') };
    result = await apply(report, current, isUsable ? { outputs: good, notes } : unusable);
  }
  if (result.outcome === 'checkable')
    throw new Error('A report with checked outputs must get a final outcome.');
  if ('kept' in result && result.kept > 0) notes = [...notes, keptNote(result.kept)];
  if (result.outcome === 'applied') notes = [...notes, ...storageNotes(good, result.stored)];
  return respondToCallback({ subjectId, run, status }, result, log, notes);
}
