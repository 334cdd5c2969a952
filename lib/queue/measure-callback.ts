import { measured } from '@/lib/telemetry/measured';

/** Traces how a callback is applied, with its outcome as a label. */
export function measureCallback<Answer extends { reason?: string }>(
  source: 'spec' | 'image',
  { subjectId, run }: { subjectId: string; run: number | undefined },
  apply: () => Promise<Answer>,
): Promise<Answer> {
  return measured('callback', { source }, async ({ label, note }) => {
    note({ subjectId, run });
    const answer = await apply();
    label({ outcome: answer.reason ?? 'applied' });
    return answer;
  });
}
