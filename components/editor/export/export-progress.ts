import { countOf } from '@/components/format/count';
import type { ExportJob } from '@/lib/export/schema';

type Done = Pick<ExportJob, 'pagesDone' | 'imagesDone' | 'imagesTotal'>;

/** The progress that broadcasts reported, by export id. */
export type LiveProgress = Readonly<Record<string, Done>>;

/** Returns the higher value of each count, because progress never decreases. */
const furthest = (one: Done, other: Done): Done => ({
  pagesDone: Math.max(one.pagesDone, other.pagesDone),
  imagesDone: Math.max(one.imagesDone, other.imagesDone),
  imagesTotal: Math.max(one.imagesTotal, other.imagesTotal),
});

/** Returns `current` updated with a progress broadcast. */
export function progressed(
  current: LiveProgress,
  { exportJobId, ...done }: Done & { exportJobId: string },
): LiveProgress {
  return { ...current, [exportJobId]: furthest(current[exportJobId] ?? done, done) };
}

/**
 * Returns whether an export is missing from both `jobs` and `live`, for example because someone has just started it.
 */
export function isUnknown(
  exportJobId: string,
  jobs: readonly ExportJob[] | null,
  live: LiveProgress,
): boolean {
  return !(exportJobId in live) && !jobs?.some(({ jobId }) => jobId === exportJobId);
}

/** Updates `jobs` with the progress from broadcasts, which can be newer than the response that contained `jobs`. */
export function withProgress(jobs: ExportJob[], live: LiveProgress): ExportJob[] {
  return jobs.map((job) => {
    const done = job.status === 'processing' ? live[job.jobId] : undefined;
    return done ? { ...job, ...furthest(job, done) } : job;
  });
}

/**
 * Returns how many images of a running export are ready, as text. Returns null if all are ready, if there are none, or
 * if they have not been counted yet.
 */
export function imageProgress({ imagesDone, imagesTotal }: Done): string | null {
  return imagesDone < imagesTotal ? `${imagesDone} of ${countOf(imagesTotal, 'image')} ready` : null;
}
