import { type ImageStatus, imageStatus, jobParams } from '@/lib/image-gen/schema';

/** What the studio shows, as its address says it: the open job, and which jobs are listed. */
export type StudioAddress = { job: string | null; status: ImageStatus | null };

/** Reads the query of a studio address. Whatever is not valid counts as absent; of a repeated one, the first. */
export function parseStudioAddress(
  query: URLSearchParams | Record<string, string | string[] | undefined>,
): StudioAddress {
  const read = (name: string) => {
    const value = query instanceof URLSearchParams ? query.get(name) : query[name];
    return Array.isArray(value) ? value[0] : value;
  };
  return {
    job: jobParams.shape.jobId.safeParse(read('job')).data ?? null,
    status: imageStatus.safeParse(read('status')).data ?? null,
  };
}

/** The address of a project's studio. */
export function studioHref(projectId: string, { job, status }: Partial<StudioAddress> = {}): string {
  const query = new URLSearchParams();
  if (job) query.set('job', job);
  if (status) query.set('status', status);
  const text = query.toString();
  return `/projects/${projectId}/studio${text ? `?${text}` : ''}`;
}
