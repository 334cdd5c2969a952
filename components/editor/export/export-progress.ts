import type { ExportJob } from '@/lib/export/schema';

/** How many pages each export has rendered according to broadcasts, by export id. */
export type PagesDone = Readonly<Record<string, number>>;

/** Applies a progress broadcast. Progress never decreases. */
export function progressed(current: PagesDone, event: { exportJobId: string; pagesDone: number }): PagesDone {
  return { ...current, [event.exportJobId]: Math.max(current[event.exportJobId] ?? 0, event.pagesDone) };
}

/** Adds the broadcast progress to the exports in a response, which can be older than the broadcasts. */
export function withProgress(jobs: ExportJob[], pagesDone: PagesDone): ExportJob[] {
  return jobs.map((job) => {
    const live = job.status === 'processing' ? pagesDone[job.jobId] : undefined;
    return live !== undefined && live > job.pagesDone ? { ...job, pagesDone: live } : job;
  });
}
