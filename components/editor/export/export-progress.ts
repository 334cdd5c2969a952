import type { ExportJob } from '@/lib/export/schema';

/** How many pages each export has rendered according to the broadcasts, by id. */
export type PagesDone = Readonly<Record<string, number>>;

/** Adds a live progress update; progress never goes back. */
export function progressed(known: PagesDone, event: { exportJobId: string; pagesDone: number }): PagesDone {
  return { ...known, [event.exportJobId]: Math.max(known[event.exportJobId] ?? 0, event.pagesDone) };
}

/** The exports of a response with the live progress, because a response can be older than an update. */
export function withProgress(jobs: ExportJob[], pagesDone: PagesDone): ExportJob[] {
  return jobs.map((job) => {
    const live = job.status === 'processing' ? pagesDone[job.jobId] : undefined;
    return live !== undefined && live > job.pagesDone ? { ...job, pagesDone: live } : job;
  });
}
