import { type PageQuery, readParam } from '@/lib/http/page-params';
import { type ImageStatus, imageStatus, jobParams } from '@/lib/image-gen/schema';
import { swapParams } from '@/lib/image-gen/swaps/schema';

/** The studio's state in the URL: the open job, the open material swap (if no job is open) and the status filter. */
export type StudioUrl = { job: string | null; swap: string | null; status: ImageStatus | null };

/** Parses the query of a studio URL. Ignores invalid values, and all but the first value of a repeated parameter. */
export function parseStudioUrl(params: PageQuery | URLSearchParams): StudioUrl {
  const job = jobParams.shape.jobId.safeParse(readParam(params, 'job')).data ?? null;
  return {
    job,
    swap: job ? null : (swapParams.shape.swapId.safeParse(readParam(params, 'swap')).data ?? null),
    status: imageStatus.safeParse(readParam(params, 'status')).data ?? null,
  };
}

/** Returns the path and query of a project's studio page. */
export function studioHref(projectId: string, { job, swap, status }: Partial<StudioUrl> = {}): string {
  const query = new URLSearchParams();
  if (job) query.set('job', job);
  if (swap) query.set('swap', swap);
  if (status) query.set('status', status);
  const text = query.toString();
  return `/projects/${projectId}/studio${text ? `?${text}` : ''}`;
}
