import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Spec, spec, uploadResponse } from '@/lib/specs/schema';
import { type Api, type ApiResponse, excerpt } from '@/tests/app/support/api';
import { form } from '@/tests/app/support/form';
import { poll } from '@/tests/app/support/poll';
import { type UploadParts, uploadParts } from '@/tests/app/support/upload-parts';

/** Uploads a spec; the response is not checked. */
export async function sendUpload(
  api: Api,
  parts: UploadParts = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const { body, headers: type } = form(await uploadParts(parts));
  return api('/api/admin/specs/upload', { method: 'POST', body, headers: { ...type, ...headers } });
}

/** Uploads a spec, expects it to be accepted, and returns its id. */
export async function upload(api: Api, parts: UploadParts = {}): Promise<string> {
  const response = await sendUpload(api, parts);
  expect(response.status, excerpt(response)).toBe(202);
  return uploadResponse.parse(response.body).specUploadId;
}

/** Reads a spec through the API, the way the pages do. */
export async function readSpec(api: Api, id: string): Promise<Spec> {
  const response = await api(`/api/admin/specs/${id}`);
  expect(response.status, excerpt(response)).toBe(200);
  return spec.parse(response.body);
}

/** Waits until a spec has this status. */
export function waitForStatus(api: Api, id: string, status: Spec['status']): Promise<Spec> {
  return poll(`${id} becomes ${status}`, async () => {
    const found = await readSpec(api, id);
    return found.status === status && found;
  });
}

/** Sends a report the way the workflow service does. The URL contains `run` only if it is given. */
export function report(
  api: Api,
  secret: string | undefined,
  body: Record<string, unknown>,
  run?: number,
): Promise<ApiResponse> {
  return api(`/api/admin/specs/callback${run === undefined ? '' : `?run=${run}`}`, {
    json: body,
    headers: secret === undefined ? {} : { 'x-webhook-secret': secret },
  });
}

/** Makes a name unique, so that no other test uses it. */
export function unique(name: string): string {
  return `${name} ${randomUUID().slice(0, 8)}`;
}
