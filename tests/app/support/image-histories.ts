import { jobPrefix } from '@/lib/storage/keys';

export type Truth = { run: number } & (
  | { status: 'failed'; error: string }
  | { status: 'succeeded'; outputs: number }
);
/** One event in a job's life: a report from the workflow service, a user action, or a deadline that passes. */
export type Step =
  | ({ type: 'report' } & Truth)
  | { type: 'retry' }
  | { type: 'refine' }
  | { type: 'cancel'; run: number }
  | { type: 'timeout'; run: number };

/**
 * Returns `n` job histories, which cycle through the entries of `kinds`. Each history lists its events in the order in
 * which they happen. `below(k)` returns a random integer below `k`.
 */
export function makeHistories(n: number, below: (k: number) => number): Step[][] {
  const success = (run: number): Step => ({
    type: 'report',
    run,
    status: 'succeeded',
    outputs: 1 + below(2),
  });
  const failure = (run: number): Step => ({
    type: 'report',
    run,
    status: 'failed',
    error: `reason ${below(1000)}`,
  });
  const kinds: (() => Step[])[] = [
    () => [success(1)],
    () => [failure(1)],
    () => [failure(1), { type: 'retry' }, success(2)],
    () => [success(1), { type: 'refine' }, below(3) === 0 ? failure(2) : success(2)],
    () => [{ type: 'cancel', run: 1 }],
    () => [{ type: 'cancel', run: 1 }, { type: 'retry' }, success(2)],
    () => [{ type: 'timeout', run: 1 }, success(1)],
    () => [{ type: 'timeout', run: 1 }],
  ];
  return Array.from({ length: n }, (_, i) => kinds[i % kinds.length]?.() ?? []);
}

/** Returns the prefix of a job's output paths, and a function that builds the body of a report on the job. */
export function reportsOf(projectId: string, jobId: string) {
  const prefix = jobPrefix(projectId, jobId);
  return {
    prefix,
    body: (truth: Truth) =>
      truth.status === 'failed'
        ? { job_id: jobId, status: truth.status, error: truth.error }
        : {
            job_id: jobId,
            status: truth.status,
            output_paths: Array.from({ length: truth.outputs }, (_, i) => {
              const path = `${prefix}${truth.run}/${i + 1}.png`;
              // The image is its own thumbnail, because these tests check the order of reports and not the thumbnails.
              return { variant_id: `v${i + 1}`, path, thumb_path: path };
            }),
          },
  };
}
