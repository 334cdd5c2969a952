import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { type Spec, spec, uploadAnswer } from '@/lib/specs/schema';
import { type Answer, type Api, excerpt } from '@/tests/app/api';
import { form } from '@/tests/app/form';
import { poll } from '@/tests/app/poll';
import { type UploadParts, uploadParts } from '@/tests/app/upload-parts';

/** Uploads a spec; the answer is not judged. */
export async function sendUpload(
  api: Api,
  parts: UploadParts = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const { body, headers: type } = form(await uploadParts(parts));
  return api('/api/admin/specs/upload', { method: 'POST', body, headers: { ...type, ...headers } });
}

/** Uploads a spec that is taken; answers its id. */
export async function upload(api: Api, parts: UploadParts = {}): Promise<string> {
  const answer = await sendUpload(api, parts);
  expect(answer.status, excerpt(answer)).toBe(202);
  return uploadAnswer.parse(answer.body).specUploadId;
}

/** Reads a spec as the pages do. */
export async function readSpec(api: Api, id: string): Promise<Spec> {
  const answer = await api(`/api/admin/specs/${id}`);
  expect(answer.status, excerpt(answer)).toBe(200);
  return spec.parse(answer.body);
}

/** Waits until a spec stands as wanted. */
export function waitForStatus(api: Api, id: string, status: Spec['status']): Promise<Spec> {
  return poll(`${id} becomes ${status}`, async () => {
    const found = await readSpec(api, id);
    return found.status === status && found;
  });
}

/** A report as the workflow service sends it. `run` undefined: an address without a run, as documented. */
export function report(
  api: Api,
  secret: string | undefined,
  body: Record<string, unknown>,
  run?: number,
): Promise<Answer> {
  return api(`/api/admin/specs/callback${run === undefined ? '' : `?run=${run}`}`, {
    json: body,
    headers: secret === undefined ? {} : { 'x-webhook-secret': secret },
  });
}

/** A name that no other test has. */
export function unique(name: string): string {
  return `${name} ${randomUUID().slice(0, 8)}`;
}
