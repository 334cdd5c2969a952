import { pickOfVariant } from '@/components/editor/pickers/image-pick';
import type { MaterialName } from '@/components/editor/pickers/material-pick';
import type { ScheduleRow, TemplateContent, TemplateImage } from '@/lib/document/templates/template';
import type { ImageJob } from '@/lib/image-gen/schema';
import type { SwapWithJobs } from '@/lib/image-gen/swaps/schema';
import { swapTitle } from './swap-title';

/** Returns the material of a job that belongs to a swap. */
export function materialOfJob({
  materialIds,
  materialPayload,
}: ImageJob): MaterialName & { imageUrl?: string } {
  const [{ id = materialIds[0] ?? '', name = id, imageUrl } = {}] = materialPayload;
  return { id, name, imageUrl };
}

/**
 * Returns the jobs that appear on a document page. These are the jobs with a cover. The cover of a swap's job is always
 * an image with the material that the job was started for.
 */
export const jobsWithImage = ({ jobs }: SwapWithJobs) => jobs.filter(({ cover }) => cover !== null);

/** Returns the content of a document page: the images of a swap with captions, and the schedule of their materials. */
export function swapContent(swap: SwapWithJobs, schedule: ScheduleRow[]): TemplateContent {
  const { source, where } = swap;
  const title = swapTitle(where);
  const original: TemplateImage[] = source
    ? [{ ...pickOfVariant(source, `${title}: the original image`, ''), caption: 'Original' }]
    : [];
  const images = jobsWithImage(swap).flatMap((job): TemplateImage[] => {
    if (!job.cover) return [];
    const { name } = materialOfJob(job);
    return [{ ...pickOfVariant(job.cover, `${title}: ${name}`, ''), caption: name }];
  });
  return { title, text: '', images: [...original, ...images], materials: [], schedule };
}
