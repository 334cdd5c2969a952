import {
  type ImageGenAction,
  type ImageGenState,
  imageGenReducer,
  type JobEvent,
} from '@/hooks/image-gen/image-gen-state';
import type { ImageJob, ImageMessage, ImageStatus, Variant } from '@/lib/image-gen/schema';

/** The id of the project that the records belong to. */
export const P = 'project';

export function jobOf(
  jobId: string,
  status: ImageStatus,
  statusSeq: number,
  more: Partial<ImageJob> = {},
): ImageJob {
  return {
    jobId,
    projectId: P,
    status,
    statusSeq,
    run: 1,
    prompt: `Room ${jobId}`,
    inputImageId: null,
    inputImagePath: null,
    pageId: null,
    materialIds: [],
    materialPayload: [],
    options: {},
    error: null,
    progress: null,
    progressAt: null,
    note: null,
    retrying: null,
    createdBy: null,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
    startedAt: null,
    finishedAt: null,
    deadlineAt: null,
    cover: null,
    ...more,
  };
}

export function variantOf(path: string, url: string): Variant {
  return {
    id: path,
    variant_id: path,
    number: 1,
    path,
    thumb_path: `${path}-thumb`,
    meta: null,
    url,
    thumb_url: `${url}-thumb`,
    width: 1,
    height: 1,
    run: 1,
    created_at: '2026-01-01T00:00:00Z',
    starred_at: null,
  };
}

export const messageOf = (jobId: string, ordinal = 1): ImageMessage => ({
  id: `${jobId}-${ordinal}`,
  jobId,
  ordinal,
  role: 'user',
  prompt: 'Room',
  variantId: null,
  materialIds: null,
  materialPayload: null,
  options: null,
  maskImageId: null,
  run: ordinal,
  status: 'queued',
  error: null,
  notes: [],
  createdBy: null,
  createdAt: '2026-01-01T00:00:00Z',
  startedAt: null,
  finishedAt: null,
});

export const apply = (state: ImageGenState, ...actions: ImageGenAction[]) =>
  actions.reduce(imageGenReducer, state);
export const pageOf = (nextCursor: string | null, ...jobs: ImageJob[]): ImageGenAction => ({
  type: 'jobs-read',
  status: null,
  response: { jobs, nextCursor },
  at: 0,
});
export const listOf = (...jobs: ImageJob[]) => pageOf(null, ...jobs);
export const eventOf = (jobId: string, status: ImageStatus, statusSeq: number, run = 1): JobEvent => ({
  jobId,
  status,
  statusSeq,
  run,
  progress: null,
});
export const statuses = ({ jobs }: ImageGenState) => jobs.map(({ status }) => status);
