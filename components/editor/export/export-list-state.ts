import type { ExportJob, ExportStatus } from '@/lib/export/schema';
import type { ExportsPage } from './export-calls';

export type ExportListState = {
  /** Newest first; null until loaded. */
  jobs: ExportJob[] | null;
  nextCursor: string | null;
};

export type ExportListAction =
  /** The first page, loaded or reloaded. */
  | { type: 'read'; page: ExportsPage }
  | { type: 'extended'; page: ExportsPage }
  /** One job, reloaded; a new one goes first. */
  | { type: 'changed'; job: ExportJob }
  /** A live progress update, without the rest of the job. */
  | { type: 'progressed'; jobId: string; pagesDone: number };

export const emptyExportList: ExportListState = { jobs: null, nextCursor: null };

const isOver = (status: ExportStatus) => status !== 'processing';

/** Returns the more advanced of two states of a job, because a response can be older than a live update. */
function newer(known: ExportJob | undefined, read: ExportJob): ExportJob {
  if (!known) return read;
  if (isOver(known.status) && !isOver(read.status)) return known;
  return isOver(read.status) ? read : { ...read, pagesDone: Math.max(known.pagesDone, read.pagesDone) };
}

/** The next state of the list. */
export function exportListReducer(state: ExportListState, action: ExportListAction): ExportListState {
  const known = new Map((state.jobs ?? []).map((job) => [job.jobId, job]));
  const merged = (jobs: ExportJob[]) => jobs.map((job) => newer(known.get(job.jobId), job));
  switch (action.type) {
    case 'read': {
      const { jobs: read, nextCursor } = action.page;
      const [newest] = read;
      const ids = new Set(read.map(({ jobId }) => jobId));
      // Keep jobs that were started while the page was loading.
      const begun = (state.jobs ?? []).filter(
        (job) => !ids.has(job.jobId) && (newest === undefined || job.createdAt > newest.createdAt),
      );
      const jobs = [...begun, ...merged(read)];
      const last = read.at(-1);
      // Keep older jobs as long as there is no gap between them and the new page.
      const older = (state.jobs ?? []).filter(
        (job) => !ids.has(job.jobId) && last !== undefined && job.createdAt <= last.createdAt,
      );
      const reaches = older.length > 0 && (state.jobs ?? []).some(({ jobId }) => ids.has(jobId));
      return reaches ? { ...state, jobs: [...jobs, ...older] } : { jobs, nextCursor };
    }
    case 'extended': {
      const more = action.page.jobs.filter(({ jobId }) => !known.has(jobId));
      return { jobs: [...(state.jobs ?? []), ...more], nextCursor: action.page.nextCursor };
    }
    case 'changed': {
      const { job } = action;
      if (!known.has(job.jobId)) return { ...state, jobs: [job, ...(state.jobs ?? [])] };
      const jobs = (state.jobs ?? []).map((other) => (other.jobId === job.jobId ? newer(other, job) : other));
      return { ...state, jobs };
    }
    case 'progressed': {
      const job = known.get(action.jobId);
      if (!job || isOver(job.status) || job.pagesDone >= action.pagesDone) return state;
      return exportListReducer(state, { type: 'changed', job: { ...job, pagesDone: action.pagesDone } });
    }
  }
}
