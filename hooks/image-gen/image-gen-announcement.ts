import type { ImageStatus } from '@/lib/image-gen/schema';
import type { ImageGenState } from './image-gen-state';
import { titleOfJob } from './job-title';

const labels: Record<ImageStatus, string> = {
  queued: 'is queued',
  running: 'is being processed',
  succeeded: 'is ready',
  failed: 'has failed',
  canceled: 'was canceled',
};

/**
 * Returns `after`, with a new announcement if any shown job has changed status since `before`. Otherwise, adds the
 * announcement that `arrived` returns, if any.
 */
export function announced(before: ImageGenState, after: ImageGenState): ImageGenState {
  const rows = ({ jobs, current }: ImageGenState) =>
    new Map([...jobs, ...(current?.job ? [current.job] : [])].map((job) => [job.jobId, job]));
  const old = rows(before);
  const changed = [...rows(after).values()].filter((job) => {
    const status = old.get(job.jobId)?.status;
    return status !== undefined && status !== job.status;
  });
  if (changed.length === 0) {
    const announcement = arrived(before, after);
    return announcement ? { ...after, announcement } : after;
  }
  const text =
    changed.length <= 3
      ? changed.map((job) => `“${shortened(titleOfJob(job))}” ${labels[job.status]}.`).join(' ')
      : `${changed.length} images changed status.`;
  return { ...after, announcement: { text } };
}

/** Returns an announcement if the current job's run is in progress and has new images, otherwise null. */
function arrived(before: ImageGenState, after: ImageGenState): ImageGenState['announcement'] {
  const count = ({ current }: ImageGenState) =>
    current?.read === 'done' && current.job?.status === 'running'
      ? current.variants.filter(({ run }) => run === current.job?.run).length
      : null;
  const [old, now] = [count(before), count(after)];
  const job = after.current?.job;
  if (!job || old === null || now === null || now <= old || before.current?.jobId !== job.jobId) return null;
  return { text: `“${shortened(titleOfJob(job))}” has ${now} ${now === 1 ? 'image' : 'images'} so far.` };
}

function shortened(title: string): string {
  const characters = [...title];
  return characters.length <= 60 ? title : `${characters.slice(0, 59).join('')}…`;
}
