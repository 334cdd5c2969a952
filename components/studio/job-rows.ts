import type { ImageJob, ImageStatus } from '@/lib/image-gen/schema';

/** A row of the list: one job, or all listed jobs of a material swap. */
export type ListRow =
  | { kind: 'job'; job: ImageJob }
  | { kind: 'swap'; swapId: string; where: string; jobs: ImageJob[] };

/** Returns the rows of a list of jobs. A swap takes the position of its first job in the list. */
export function rowsOf(jobs: ImageJob[]): ListRow[] {
  const rows: ListRow[] = [];
  const swaps = new Map<string, ImageJob[]>();
  for (const job of jobs) {
    const { swapId, swapWhere } = job;
    if (!swapId) {
      rows.push({ kind: 'job', job });
      continue;
    }
    const existing = swaps.get(swapId);
    if (existing) {
      existing.push(job);
      continue;
    }
    const own = [job];
    swaps.set(swapId, own);
    rows.push({ kind: 'swap', swapId, where: swapWhere ?? '', jobs: own });
  }
  return rows;
}

/** Returns what a row opens: a job or a swap. */
export function targetOf(row: ListRow): { job: string; swap: null } | { job: null; swap: string } {
  return row.kind === 'job' ? { job: row.job.jobId, swap: null } : { job: null, swap: row.swapId };
}

/** Returns whether a row contains the open job or is the open swap. */
export function isOpenRow(row: ListRow, { job, swap }: { job: string | null; swap: string | null }): boolean {
  if (row.kind === 'job') return row.job.jobId === job;
  return row.swapId === swap || row.jobs.some(({ jobId }) => jobId === job);
}

const order: ImageStatus[] = ['running', 'queued', 'failed', 'canceled', 'succeeded'];

/** Returns the status to show for several jobs: `running` has the highest priority, `succeeded` the lowest. */
export function commonStatus(jobs: ImageJob[]): ImageStatus {
  return order.find((status) => jobs.some((job) => job.status === status)) ?? 'succeeded';
}
