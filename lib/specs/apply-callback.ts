import { z } from 'zod';
import type { Log } from '@/lib/log/logger';
import { callRpc } from '@/lib/supabase/call-rpc';
import type { CallbackResponse } from '@/lib/workflow/callback-schema';
import { progressArgs, respondToCallback } from '@/lib/workflow/respond-to-callback';
import type { SpecProgressReport, SpecResult } from './read-callback';
import { specStatus } from './schema';
import type { ReportedSection } from './sections/schema';
import { specRuns } from './spec-runs';

const unchanged = ['held', 'late', 'stale_run', 'unknown_run'] as const;
const notFound = z.object({ outcome: z.literal('not_found') });
const found = { status: specStatus, request_id: z.string().nullable() };
const applied = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['applied', 'duplicate', 'conflict', ...unchanged]), ...found }),
  notFound,
]);
const reported = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.enum(['applied', 'duplicate', 'too_often', ...unchanged]), ...found }),
  notFound,
]);

/** Returns the sections in order, without exact duplicates. */
function withoutRepetitions(sections: ReportedSection[]): ReportedSection[] {
  return [...new Map(sections.map((each) => [JSON.stringify(each), each])).values()];
}

/**
 * Applies the result that the workflow service reports for a run of a spec. If `run` is undefined, uses the current
 * run. Once a result has been applied, later results of the same run change nothing. A report that changes nothing
 * still gets a success response, so that the sender stops retrying. Throws `not_found` or `unavailable`.
 */
export async function applySpecResult(
  { spec_upload_id: subjectId, status, sections_count, sections, error, notes }: SpecResult,
  run: number | undefined,
  log: Log,
): Promise<CallbackResponse> {
  const kept = withoutRepetitions(sections);
  const args = {
    p_id: subjectId,
    p_run: run,
    p_status: status,
    p_sections_count: sections_count,
    p_error: error,
    p_sections: kept.length > 0 ? kept : undefined,
  };
  const result = await callRpc('apply_spec_callback', args, applied);
  const repeated = sections.length - kept.length;
  const repetitions =
    repeated > 0 ? [`Sections that repeat another section were left out: ${repeated}.`] : [];
  return respondToCallback({ subjectId, run, status }, result, log, [...notes, ...repetitions]);
}

/**
 * Applies the progress and note that the workflow service reports for a spec that is queued or being processed. A
 * report on a finished run changes nothing. Throws `not_found` or `unavailable`.
 */
export async function reportSpecProgress(
  { spec_upload_id: subjectId, status, notes, ...report }: SpecProgressReport,
  run: number | undefined,
  log: Log,
): Promise<CallbackResponse> {
  const args = progressArgs(specRuns, { subjectId, run }, report);
  const result = await callRpc('report_spec_progress', args, reported);
  return respondToCallback({ subjectId, run, status }, result, log, notes);
}
