import { callApi } from '@/lib/http/client';
import {
  type CreateJobPayload,
  type ImageJob,
  type ImageStatus,
  imageJob,
  jobsAnswer,
  messagesAnswer,
  retriedAnswer,
  sentAnswer,
  startedAnswer,
} from '@/lib/image-gen/schema';
import type { Conversation, JobsPage } from './image-gen-state';

export const JOBS_PAGE = 24;
const MAX_PAGE = 100;

type JobsQuery = { projectId: string; status: ImageStatus | null };

/** One page of jobs, newest first. */
export function readJobsPage(
  { projectId, status }: JobsQuery,
  limit: number,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<JobsPage> {
  const query = new URLSearchParams({ projectId, limit: String(limit) });
  if (status) query.set('status', status);
  if (cursor) query.set('cursor', cursor);
  return callApi(`/api/image-gen/jobs?${query}`, { schema: jobsAnswer, signal });
}

/** As many pages as it takes to show `count` jobs again. */
export async function readJobs(query: JobsQuery, count: number, signal: AbortSignal): Promise<JobsPage> {
  let page = await readJobsPage(query, Math.min(Math.max(count, JOBS_PAGE), MAX_PAGE), null, signal);
  while (page.nextCursor && page.jobs.length < count) {
    const limit = Math.min(count - page.jobs.length, MAX_PAGE);
    const next = await readJobsPage(query, limit, page.nextCursor, signal);
    page = { jobs: [...page.jobs, ...next.jobs], nextCursor: next.nextCursor };
  }
  return page;
}

export function readJob(jobId: string, signal?: AbortSignal): Promise<ImageJob> {
  return callApi(`/api/image-gen/jobs/${jobId}`, { schema: imageJob, signal });
}

/** A job, then its chat and variants: in this order the chat is never older than the job's state. */
export async function readConversation(jobId: string, signal?: AbortSignal): Promise<Conversation> {
  const job = await readJob(jobId, signal);
  const chat = await callApi(`/api/image-gen/jobs/${jobId}/messages`, { schema: messagesAnswer, signal });
  return { job, ...chat };
}

/** Starts a job and reads it. Once it was started this succeeds, whether it can be read just now or not. */
export async function postJob(payload: CreateJobPayload, idempotencyKey: string): Promise<ImageJob> {
  const { jobId } = await callApi('/api/image-gen/jobs', {
    method: 'POST',
    body: payload,
    schema: startedAnswer,
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
    // Below any that the server gives, so that the first reading replaces it.
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
    createdBy: null,
    createdAt: now,
    updatedAt: now,
    startedAt: null,
    finishedAt: null,
    deadlineAt: null,
    cover: null,
  };
}

export async function postMessage(
  body: { jobId: string; prompt: string; variantId?: string },
  idempotencyKey: string,
): Promise<void> {
  await callApi('/api/image-gen/messages', { method: 'POST', body, schema: sentAnswer, idempotencyKey });
}

export function postCancel(jobId: string): Promise<ImageJob> {
  return callApi(`/api/image-gen/jobs/${jobId}/cancel`, { method: 'POST', schema: imageJob });
}

export async function postRetry(jobId: string): Promise<void> {
  await callApi(`/api/image-gen/jobs/${jobId}/retry`, { method: 'POST', schema: retriedAnswer });
}

/** The bytes of a variant, read with a fresh address; null when storage cannot give them. */
export async function readVariant(jobId: string, path: string): Promise<Blob | null> {
  const { variants } = await callApi(`/api/image-gen/jobs/${jobId}/messages`, { schema: messagesAnswer });
  const url = variants.find((variant) => variant.path === path)?.url;
  if (!url) return null;
  const response = await fetch(url).catch(() => null);
  return response?.ok ? response.blob() : null;
}
