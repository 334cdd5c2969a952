import { createClient } from '@supabase/supabase-js';
import sharp from 'sharp';
import { expect, inject } from 'vitest';
import { projectImage } from '@/lib/projects/schema';
import { jobPrefix } from '@/lib/storage/keys';
import { type Api, type ApiResponse, excerpt } from '@/tests/app/support/api';
import { form } from '@/tests/app/support/form';

type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'tiff' | 'avif';

/** Returns an image of a single, random color. */
export async function picture(width = 64, height = 48, format: Format = 'png'): Promise<Uint8Array> {
  const [r, g, b] = Array.from({ length: 3 }, () => Math.floor(Math.random() * 256));
  const background = { r, g, b };
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();
}

/** Uploads an input image; the response is not checked. */
export function sendImage(
  api: Api,
  projectId: string,
  file: Uint8Array,
  { fileName = 'picture.png', type = 'image/png', key = '' } = {},
): Promise<ApiResponse> {
  const { body, headers } = form([{ name: 'file', value: file, fileName, type }]);
  const keyed = { ...headers, ...(key ? { 'idempotency-key': key } : {}) };
  return api(`/api/projects/${projectId}/images`, { method: 'POST', body, headers: keyed });
}

/** Uploads an input image and expects it to be accepted. */
export async function addImage(api: Api, projectId: string, file?: Uint8Array) {
  const response = await sendImage(api, projectId, file ?? (await picture()));
  expect(response.status, excerpt(response)).toBe(201);
  return projectImage.parse(response.body);
}

/** Opens the `images` bucket with the secret key, which bypasses row level security. */
function imageFiles() {
  const { env } = inject('atelier');
  const auth = { persistSession: false, autoRefreshToken: false };
  const client = createClient(env.NEXT_PUBLIC_SUPABASE_URL ?? '', env.SUPABASE_SECRET_KEY ?? '', { auth });
  return client.storage.from('images');
}
const keyOf = (path: string) => path.slice('images/'.length);

/** Replaces a stored file, bypassing all checks. */
export async function replaceFile(path: string, file: Uint8Array): Promise<void> {
  const { error } = await imageFiles().upload(keyOf(path), file, { contentType: 'image/png', upsert: true });
  if (error) throw error;
}

type OutputLocation = { projectId: string; jobId: string; run: number; name: string };

/** Uploads an output of a run through a signed URL, the way the workflow service does; returns its path. */
export async function putOutput(
  { projectId, jobId, run, name }: OutputLocation,
  file?: Uint8Array,
): Promise<string> {
  const path = `${jobPrefix(projectId, jobId)}${run}/${name}`;
  const { data, error } = await imageFiles().createSignedUploadUrl(keyOf(path));
  if (error) throw error;
  const response = await fetch(data.signedUrl, {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: new Uint8Array(file ?? (await picture())),
  });
  expect(response.status).toBe(200);
  return path;
}
