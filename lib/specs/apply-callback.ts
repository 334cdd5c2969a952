import { z } from 'zod';
import type { Log } from '@/lib/log/logger';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { callbackResponse } from '@/lib/workflow/callback-schema';
import { progressArgs, respondToCallback } from '@/lib/workflow/respond-to-callback';
import { type SpecProgress, type SpecResult, specStatus } from './schema';
import { specRuns } from './spec-runs';

const unchanged = ['late', 'stale_run', 'unknown_run'] as const;
const notFound = z.object({ outcome: z.literal('not_found') });
const found = { status: specStatus, request_id: z.string().nullable() };
const applied = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['applied', 'duplicate', 'conflict', ...unchanged]), ...found }),
  notFound,
]);
const reported = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['applied', 'too_often', ...unchanged]), ...found }),
  notFound,
]);

/**
 * Applies the result that the workflow service reports for a spec; `run` undefined means the current run. The first
 * result of a run wins, and a report that changes nothing is still a success, so that the sender stops retrying. Throws
 * `not_found`.
 */
export async function applySpecResult(
  { spec_upload_id: subjectId, status, sections_count, error }: SpecResult,
  run: number | undefined,
  log: Log,
): Promise<z.infer<typeof callbackResponse>> {
  const args = { p_id: subjectId, p_run: run, p_status: status, p_sections: sections_count, p_error: error };
  const result = await callRpc('apply_spec_callback', args, applied);
  return respondToCallback({ subjectId, run, status }, result, log);
}

/**
 * Applies a report on a spec that is being processed: its progress and its note. A report on a run that has finished
 * changes nothing. Throws `not_found`.
 */
export async function reportSpecProgress(
  { spec_upload_id: subjectId, status, ...report }: SpecProgress,
  run: number | undefined,
  log: Log,
): Promise<z.infer<typeof callbackResponse>> {
  const args = progressArgs(specRuns, { subjectId, run }, report);
  const result = await callRpc('report_spec_progress', args, reported);
  return respondToCallback({ subjectId, run, status }, result, log);
}
