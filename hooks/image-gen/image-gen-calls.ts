import { callApi } from '@/lib/http/client';
import {
  type CreateJobPayload,
  type ImageJob,
  type ImageStatus,
  imageJob,
  jobStartedResponse,
  jobsResponse,
  messagesResponse,
  retriedResponse,
  type SendMessagePayload,
  sentResponse,
} from '@/lib/image-gen/schema';
import {
  type CreateSwapPayload,
  type SwapWithJobs,
  swapStarted,
  swapWithJobs,
} from '@/lib/image-gen/swaps/schema';
import { type JobsPage, type LoadedConversation, type MessagesPage, meets } from './image-gen-state';

// All calls in this file throw the errors of `callApi`.

export const JOBS_PAGE = 24;
export const MESSAGES_PAGE = 20;
const MAX_PAGE = 100;

export type JobsQuery = { projectId: string; status: ImageStatus | null };

/** Fetches one page of jobs, newest first. */
export function readJobsPage(
  { projectId, status }: JobsQuery,
  limit: number,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<JobsPage> {
  const query = new URLSearchParams({ projectId, limit: String(limit) });
  if (status) query.set('status', status);
  if (cursor) query.set('cursor', cursor);
  return callApi(`/api/image-gen/jobs?${query}`, { schema: jobsResponse, signal });
}

/**
 * Fetches the newest `count` jobs, but at least one page. `Infinity` fetches all jobs. If there may be a gap between
 * the fetched jobs and the `shown` jobs, fetches more jobs, up to `shown.length` in total.
 */
export async function readJobs(
  query: JobsQuery,
  count: number,
  signal: AbortSignal,
  shown: ImageJob[] = [],
): Promise<JobsPage> {
  const jobs: ImageJob[] = [];
  let cursor: string | null = null;
  let goal = Math.max(count, JOBS_PAGE);
  do {
    const page = await readJobsPage(query, Math.min(goal - jobs.length, MAX_PAGE), cursor, signal);
    jobs.push(...page.jobs);
    cursor = page.nextCursor;
    goal = Math.max(count, JOBS_PAGE, meets(jobs, shown) ? 0 : shown.length);
  } while (cursor && jobs.length < goal);
  return { jobs, nextCursor: cursor };
}

export function readJob(jobId: string, signal?: AbortSignal): Promise<ImageJob> {
  return callApi(`/api/image-gen/jobs/${jobId}`, { schema: imageJob, signal });
}

/** Fetches the newest prompts of a job, or those before `cursor`, with their variants. Returns them oldest first. */
export function readMessagesPage(
  jobId: string,
  limit: number,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<MessagesPage> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (cursor) query.set('cursor', cursor);
  return callApi(`/api/image-gen/jobs/${jobId}/messages?${query}`, { schema: messagesResponse, signal });
}

/**
 * Fetches a job, then its newest `count` prompts with their variants, but at least one page. `Infinity` fetches all
 * prompts. Because the job is fetched first, the conversation is never older than the job's status.
 */
export async function readConversation(
  jobId: string,
  count: number,
  signal?: AbortSignal,
): Promise<LoadedConversation> {
  const job = await readJob(jobId, signal);
  const pages: MessagesPage[] = [];
  let cursor: string | null = null;
  let left = Math.max(count, MESSAGES_PAGE);
  do {
    const page: MessagesPage = await readMessagesPage(jobId, Math.min(left, MAX_PAGE), cursor, signal);
    pages.unshift(page);
    left -= page.messages.length;
    cursor = page.nextCursor;
  } while (cursor && left > 0);
  return {
    job,
    messages: pages.flatMap(({ messages }) => messages),
    variants: pages.flatMap(({ variants }) => variants),
    nextCursor: cursor,
  };
}

/** Starts a job and returns it. If the job starts but cannot be fetched, returns a queued job made from `payload`. */
export async function postJob(payload: CreateJobPayload, idempotencyKey: string): Promise<ImageJob> {
  const { jobId } = await callApi('/api/image-gen/jobs', {
    method: 'POST',
    body: payload,
    schema: jobStartedResponse,
    idempotencyKey,
  });
  return readJob(jobId).catch(() => unreadJob(jobId, payload));
}

function unreadJob(jobId: string, payload: CreateJobPayload): ImageJob {
  const now = new Date().toISOString();
  return {
    jobId,
    projectId: payload.projectId,
    status: 'queued',
    // Lower than any value from the server, so that the first fetched state replaces this one.
    statusSeq: 0,
    run: 1,
    prompt: payload.prompt,
    inputImageId: payload.inputImageId ?? null,
    inputImagePath: payload.inputImagePath ?? null,
    pageId: payload.pageId ?? null,
    materialIds: payload.materialIds ?? [],
    materialPayload: payload.materialPayload ?? [],
    options: payload.options ?? {},
    error: null,
    progress: null,
    progressAt: null,
    note: null,
    retrying: null,
    createdBy: null,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    finishedAt: null,
    deadlineAt: null,
    cover: null,
  };
}

export async function postMessage(body: SendMessagePayload, idempotencyKey: string): Promise<void> {
  await callApi('/api/image-gen/messages', { method: 'POST', body, schema: sentResponse, idempotencyKey });
}

/** Starts a material swap and returns its id. */
export async function postSwap(body: CreateSwapPayload, idempotencyKey: string): Promise<string> {
  const request = { method: 'POST', body, schema: swapStarted, idempotencyKey } as const;
  return (await callApi('/api/image-gen/swaps', request)).swapId;
}

export function readSwap(swapId: string, signal?: AbortSignal): Promise<SwapWithJobs> {
  return callApi(`/api/image-gen/swaps/${swapId}`, { schema: swapWithJobs, signal });
}

export function postJobCancel(jobId: string): Promise<ImageJob> {
  return callApi(`/api/image-gen/jobs/${jobId}/cancel`, { method: 'POST', schema: imageJob });
}

export async function postRetry(jobId: string): Promise<void> {
  await callApi(`/api/image-gen/jobs/${jobId}/retry`, { method: 'POST', schema: retriedResponse });
}

/**
 * Downloads the variant with this path from a new signed URL. `ordinal` identifies the variant's prompt. Returns null
 * if the variant no longer exists or storage does not return the whole file.
 */
export async function readVariant(jobId: string, ordinal: number, path: string): Promise<Blob | null> {
  const { variants } = await readMessagesPage(jobId, 1, String(ordinal + 1));
  const url = variants.find((variant) => variant.path === path)?.url;
  if (!url) return null;
  const response = await fetch(url).catch(() => null);
  return response?.ok ? response.blob().catch(() => null) : null;
}

/** Names a job, or removes its name. */
export function renameJob(jobId: string, name: string | null): Promise<ImageJob> {
  return callApi(`/api/image-gen/jobs/${jobId}`, { method: 'PATCH', body: { name }, schema: imageJob });
}
