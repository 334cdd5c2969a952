import { withSpan } from '@/lib/telemetry/with-span';

/** Runs `apply` in a span for the callback and labels the span with the outcome. */
export function traceCallback<Result extends { reason?: string }>(
  source: 'spec' | 'image',
  { subjectId, run }: { subjectId: string; run: number | undefined },
  apply: () => Promise<Result>,
): Promise<Result> {
  return withSpan('callback', { source }, async ({ label, note }) => {
    note({ subjectId, run });
    const response = await apply();
    label({ outcome: response.reason ?? 'applied' });
    return response;
  });
}
