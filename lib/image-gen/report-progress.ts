import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { uuid } from '@/lib/http/uuid';
import type { Log } from '@/lib/log/logger';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import type { callbackResponse } from '@/lib/workflow/callback-schema';
import { type CheckedOutput, checkedOutput, checkOutputs } from './check-outputs';
import { IMAGE_DEADLINE_S, IMAGE_LIMIT_S, type ImageProgress, imageStatus } from './schema';

const ended = ['late', 'canceled', 'stale_run'] as const;
const reported = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum(['applied', ...ended, 'unknown_run', 'too_often']),
    status: imageStatus,
    run: z.int(),
    project_id: uuid,
    stored: z.array(checkedOutput),
    request_id: z.string().nullable(),
  }),
  z.object({ outcome: z.literal('not_found') }),
]);
const added = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['applied', ...ended]), status: imageStatus }),
  z.object({ outcome: z.literal('not_found') }),
]);

async function report({ job_id, progress, note }: ImageProgress, run: number | undefined) {
  return reported.parse(
    dataOf(
      await adminDb().rpc('report_image_progress', {
        p_id: job_id,
        p_run: run,
        p_progress: progress,
        p_note: note,
        p_deadline_s: IMAGE_DEADLINE_S,
        p_limit_s: IMAGE_LIMIT_S,
      }),
    ),
  );
}

async function addOutputs(jobId: string, run: number, outputs: CheckedOutput[]) {
  return added.parse(
    dataOf(await adminDb().rpc('add_image_outputs', { p_id: jobId, p_run: run, p_outputs: outputs })),
  );
}

/**
 * Applies a report on a run that is under way: its progress, its note and the outputs that are not stored yet. A report on
 * a run that has ended changes nothing. Throws `not_found`.
 */
export async function reportImageProgress(
  body: ImageProgress,
  run: number | undefined,
  log: Log,
): Promise<z.infer<typeof callbackResponse>> {
  const { job_id: subjectId, status, output_paths: outputs = [] } = body;
  const first = await report(body, run);
  let notes: string[] = [];
  let last: z.infer<typeof reported | typeof added> = first;
  if (first.outcome === 'applied' && outputs.length > 0) {
    const job = { jobId: subjectId, projectId: first.project_id, run: first.run };
    const checked = await checkOutputs(job, outputs, first.stored);
    notes = checked.notes;
    if (checked.good.length > 0) last = await addOutputs(subjectId, first.run, checked.good);
  }
  const orderedBy = 'request_id' in first ? first.request_id : null;
  log.info({ subjectId, run, status, outcome: last.outcome, orderedBy }, 'callback');
  if (last.outcome === 'not_found') throw new HttpError('not_found');
  return last.outcome === 'applied'
    ? { received: true, applied: true, status: last.status, ...(notes.length > 0 ? { notes } : {}) }
    : { received: true, applied: false, status: last.status, reason: last.outcome };
}
