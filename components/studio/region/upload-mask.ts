import { newKey } from '@/hooks/new-key';
import { sendForm } from '@/lib/http/upload';
import { projectImage } from '@/lib/projects/schema';
import { maskFile } from './draw-mask';
import type { Region } from './region';

// Caches one upload per region, so that sending a prompt again does not store another mask.
const uploads = new WeakMap<Region, Promise<string>>();

async function upload(projectId: string, { marks, picture, label }: Region): Promise<string> {
  const file = await maskFile(marks, picture, `Mask of image ${label}.png`);
  const form = new FormData();
  form.set('file', file, file.name);
  const path = `/api/projects/${projectId}/images`;
  return (await sendForm(path, { form, idempotencyKey: newKey(), schema: projectImage })).id;
}

/**
 * Uploads a region's mask to the project and returns the id of the stored image. Throws what `maskFile` and
 * `sendForm` throw.
 */
export function uploadMask(projectId: string, region: Region): Promise<string> {
  const existing = uploads.get(region);
  if (existing) return existing;
  const started = upload(projectId, region);
  uploads.set(region, started);
  started.catch(() => uploads.delete(region));
  return started;
}
