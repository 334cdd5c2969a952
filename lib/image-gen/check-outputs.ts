import { createHash } from 'node:crypto';
import { z } from 'zod';
import { HttpError } from '@/lib/errors/problem';
import { checkImage } from '@/lib/storage/image-file';
import { jobPrefix } from '@/lib/storage/keys';
import { putObject, readObject } from '@/lib/storage/objects';
import type { ReportedOutput } from './read-callback';
import { anyJson, MAX_OUTPUTS } from './schema';

/** The file size limit of the storage bucket. */
export const MAX_OUTPUT_BYTES = 50 * 1024 * 1024;
const MAX_PATH = 500;
const MAX_ID = 128;
const MAX_META = 16 * 1024;

/** An output that passed the checks in `checkOutputs`. */
export const checkedOutput = z.object({
  variant_id: z.string(),
  path: z.string(),
  thumb_path: z.string().nullable(),
  meta: z.record(z.string(), anyJson).nullable(),
  width: z.int(),
  height: z.int(),
});
export type CheckedOutput = z.infer<typeof checkedOutput>;

type Job = { jobId: string; projectId: string; run: number };

/** Returns whether a path is below `prefix` and has no characters or segments that storage could normalize. */
function isOwnPath(path: string, prefix: string): boolean {
  return (
    path.length <= MAX_PATH &&
    path.startsWith(prefix) &&
    /^[\w./-]+$/.test(path) &&
    !/(^|\/)\.{0,2}(\/|$)/.test(path.slice(prefix.length))
  );
}

async function checkAt(path: string, { projectId, jobId }: Job) {
  const prefix = jobPrefix(projectId, jobId);
  if (!isOwnPath(path, prefix)) throw new HttpError('invalid_image', 'The path does not belong to this job.');
  const bytes = await readObject(path, MAX_OUTPUT_BYTES);
  if (!bytes) throw new HttpError('invalid_image', 'The file does not exist.');
  return checkImage(bytes, { line: 'outputs', owner: projectId });
}

/**
 * Returns the path of the thumbnail of the image at `imagePath`. Uses the workflow's thumbnail if it is a usable image of the job.
 * Otherwise stores `ours` next to the image.
 */
async function placeThumbnail(
  job: Job,
  imagePath: string,
  thumbPath: string | undefined,
  ours: Buffer,
): Promise<string> {
  if (thumbPath) {
    const usable = await checkAt(thumbPath, job).catch((error: unknown) => {
      if (error instanceof HttpError && error.code === 'invalid_image') return null;
      throw error;
    });
    if (usable) return thumbPath;
  }
  // Derive the path from the image's path, so that concurrent reports write the same bytes to the same path.
  const path = `${imagePath}.thumb.webp`;
  await putObject(path, ours, { contentType: 'image/webp', replace: true });
  return path;
}

/**
 * Shortens an id that is longer than `MAX_ID`. Replaces its end with a hash of the whole id, so that different ids stay
 * different.
 */
function fittingId(id: string): string {
  if (id.length <= MAX_ID) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 16);
  return `${id.slice(0, MAX_ID - 1 - hash.length).replace(/[\ud800-\udbff]$/, '')}-${hash}`;
}

/**
 * Returns the stored variant that the workflow reported with this id. If an earlier run used the same id, the stored
 * `variant_id` has a prefix with the run number, such as `r2-`.
 */
function storedAs(id: string, { run }: Job, stored: CheckedOutput[]): CheckedOutput | undefined {
  return stored.find(({ variant_id }) => variant_id === id || variant_id === `r${run}-${id}`);
}

/**
 * Gives each output without an id that of the stored variant with its path or, if there is none, the next free one of
 * `v1`, `v2` and so on.
 */
function withIds(outputs: ReportedOutput[], { run }: Job, stored: CheckedOutput[]) {
  const taken = new Set([
    ...outputs.map(({ variant_id }) => variant_id),
    ...stored.map(({ variant_id }) => variant_id.replace(new RegExp(`^r${run}-`), '')),
  ]);
  let number = 1;
  return outputs.map((output) => {
    const known = output.variant_id ?? stored.find(({ path }) => path === output.path)?.variant_id;
    while (known === undefined && taken.has(`v${number}`)) number += 1;
    return { ...output, variant_id: known ?? `v${number++}` };
  });
}

/**
 * Checks the outputs that a workflow reports. Each file must exist, be below the job's prefix, and be an image. Outputs
 * in `stored` passed this check before and stay as they are. A run has at most `MAX_OUTPUTS` outputs, including the
 * stored ones. Returns the usable outputs in the order of `outputs`, and notes about what was changed or left out.
 * There are no notes about thumbnails. If outputs were reported but none is usable, there is at least one note. Throws
 * `unavailable` if storage is down.
 */
export async function checkOutputs(
  job: Job,
  outputs: ReportedOutput[],
  stored: CheckedOutput[],
): Promise<{ good: CheckedOutput[]; notes: string[] }> {
  const good: CheckedOutput[] = [];
  const notes: string[] = [];
  const ids = new Set<string>();
  let free = MAX_OUTPUTS - stored.length;
  // Check one output at a time, because a decoded image is large.
  for (const [index, output] of withIds(outputs.slice(0, MAX_OUTPUTS), job, stored).entries()) {
    const name = `Image ${index + 1}`;
    const id = fittingId(output.variant_id);
    if (ids.has(id)) {
      notes.push(`${name} was left out: another image has the same variant_id.`);
      continue;
    }
    const storedOutput = storedAs(id, job, stored);
    if (storedOutput) {
      if (output.path !== null && output.path !== storedOutput.path) {
        notes.push(`${name} was already reported with another path, which is kept.`);
      }
      good.push({ ...storedOutput, variant_id: id });
      ids.add(id);
      continue;
    }
    if (free === 0) {
      notes.push(`${name} was left out: the run already has ${MAX_OUTPUTS} images.`);
      continue;
    }
    try {
      if (output.path === null) throw new HttpError('invalid_image', 'It has no path.');
      const image = await checkAt(output.path, job);
      const fits = JSON.stringify(output.meta ?? null).length <= MAX_META;
      if (!fits)
        notes.push(
          `The meta field of image ${index + 1} has more than ${MAX_META / 1024} KiB and was left out.`,
        );
      if (id !== output.variant_id)
        notes.push(`The variant_id of image ${index + 1} was shortened to ${MAX_ID} characters.`);
      good.push({
        variant_id: id,
        path: output.path,
        thumb_path: await placeThumbnail(job, output.path, output.thumb_path, image.thumbnail),
        meta: fits ? (output.meta ?? null) : null,
        width: image.width,
        height: image.height,
      });
      ids.add(id);
      free -= 1;
    } catch (error) {
      if (!(error instanceof HttpError) || error.code !== 'invalid_image') throw error;
      const { message } = error;
      notes.push(`${name} could not be read: ${message.charAt(0).toLowerCase()}${message.slice(1)}`);
    }
  }
  if (outputs.length > MAX_OUTPUTS) {
    notes.push(`${outputs.length} images were reported; the first ${MAX_OUTPUTS} were used.`);
  }
  return { good, notes };
}
