import { expect, inject } from 'vitest';
import {
  type CreateJobPayload,
  type ImageJob,
  imageJob,
  jobStartedResponse,
  messagesResponse,
  sentResponse,
} from '@/lib/image-gen/schema';
import { type Api, type ApiResponse, excerpt } from '@/tests/app/support/api';
import { poll } from '@/tests/app/support/poll';

/** A small image size, so that drawing takes almost no time. */
export const SMALL = '64x64';

/** Requests a job; the response is not checked. A tag in the prompt controls the fake workflow service. */
export function sendJob(
  api: Api,
  payload: Partial<CreateJobPayload> & { projectId: string },
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const json = { prompt: 'A lobby [silent]', options: { size: SMALL }, ...payload };
  return api('/api/image-gen/jobs', { json, headers });
}

/** Starts a job, expects it to be accepted, and returns its id. */
export async function startJob(
  api: Api,
  payload: Partial<CreateJobPayload> & { projectId: string },
): Promise<string> {
  const response = await sendJob(api, payload);
  expect(response.status, excerpt(response)).toBe(202);
  return jobStartedResponse.parse(response.body).jobId;
}

/** Sends a refinement, expects it to be accepted, and returns its message and run. */
export async function refine(api: Api, jobId: string, prompt: string, variantId?: string) {
  const response = await api('/api/image-gen/messages', { json: { jobId, prompt, variantId } });
  expect(response.status, excerpt(response)).toBe(202);
  expect(response.headers.get('location')).toBe(`/api/image-gen/jobs/${jobId}/messages`);
  return sentResponse.parse(response.body);
}

export const cancelJob = (api: Api, jobId: string): Promise<ApiResponse> =>
  api(`/api/image-gen/jobs/${jobId}/cancel`, { method: 'POST' });
export const retryJob = (api: Api, jobId: string): Promise<ApiResponse> =>
  api(`/api/image-gen/jobs/${jobId}/retry`, { method: 'POST' });

export async function readJob(api: Api, jobId: string): Promise<ImageJob> {
  const response = await api(`/api/image-gen/jobs/${jobId}`);
  expect(response.status, excerpt(response)).toBe(200);
  return imageJob.parse(response.body);
}

/** Waits until a job has this status. */
export function waitForJob(api: Api, jobId: string, status: ImageJob['status']): Promise<ImageJob> {
  return poll(`${jobId} becomes ${status}`, async () => {
    const found = await readJob(api, jobId);
    return found.status === status && found;
  });
}

/** Returns the chat and the variants of a job. */
export async function readChat(api: Api, jobId: string) {
  const response = await api(`/api/image-gen/jobs/${jobId}/messages`);
  expect(response.status, excerpt(response)).toBe(200);
  return messagesResponse.parse(response.body);
}

/** Sends a report the way the workflow service does. The URL contains `run` only if it is given. */
export function reportImage(
  api: Api,
  secret: string | undefined,
  body: Record<string, unknown>,
  run?: number,
): Promise<ApiResponse> {
  return api(`/api/image-gen/callback${run === undefined ? '' : `?run=${run}`}`, {
    json: body,
    headers: secret === undefined ? {} : { 'x-webhook-secret': secret },
  });
}

type SeenTrigger = { subject: string; run: number; asked: Record<string, unknown> };

/** Waits until the fake workflow service has received a run's trigger; returns the trigger's data. */
export function receivedTrigger(jobId: string, run = 1): Promise<Record<string, unknown>> {
  const control = inject('atelier').env.IMAGE_WORKFLOW_URL?.replace(/\/image$/, '/control') ?? '';
  return poll('the trigger', async () => {
    const { triggers } = (await (await fetch(control)).json()) as { triggers: SeenTrigger[] };
    return triggers.find((seen) => seen.subject === jobId && seen.run === run)?.asked;
  });
}
