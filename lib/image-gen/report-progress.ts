import { z } from 'zod';
import { uuid } from '@/lib/http/uuid';
import type { Log } from '@/lib/log/logger';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { CallbackResponse } from '@/lib/workflow/callback-schema';
import { type CallbackOutcome, progressArgs, respondToCallback } from '@/lib/workflow/respond-to-callback';
import { checkedOutput, checkOutputs, pathsOf, storageNotes } from './check-outputs';
import { imageRuns } from './image-runs';
import type { ImageProgressReport } from './read-callback';
import { imageStatus } from './schema';

const ended = ['late', 'canceled', 'stale_run'] as const;
const reported = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum(['applied', ...ended, 'unknown_run', 'duplicate', 'too_often']),
    status: imageStatus,
    run: z.int(),
    project_id: uuid,
    stored: z.array(checkedOutput),
    request_id: z.string().nullable(),
  }),
  z.object({ outcome: z.literal('not_found') }),
]);
const added = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['applied', ...ended]), status: imageStatus, stored: z.array(checkedOutput) }),
  z.object({ outcome: z.literal('not_found') }),
]);

/**
 * Applies a progress report. If the run is under way, stores the progress, the note and any new outputs. A report on a
 * finished run changes nothing. Throws `not_found`.
 */
export async function reportImageProgress(
  body: ImageProgressReport,
  run: number | undefined,
  log: Log,
): Promise<CallbackResponse> {
  const { job_id: subjectId, status, output_paths: outputs } = body;
  const args = { ...progressArgs(imageRuns, { subjectId, run }, body), p_paths: pathsOf(body) };
  const first = await callRpc('report_image_progress', args, reported);
  let { notes } = body;
  let last: CallbackOutcome = first;
  if (first.outcome === 'applied' && outputs.length > 0) {
    const job = { jobId: subjectId, projectId: first.project_id, run: first.run };
    const checked = await checkOutputs(job, outputs, first.stored);
    notes = [...notes, ...checked.notes];
    if (checked.good.length > 0) {
      const more = { p_id: subjectId, p_run: first.run, p_outputs: checked.good };
      const result = await callRpc('add_image_outputs', more, added);
      if ('stored' in result) notes = [...notes, ...storageNotes(checked.good, result.stored)];
      last = { ...result, request_id: first.request_id };
    }
  }
  return respondToCallback({ subjectId, run, status }, last, log, notes);
}
