import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { HttpError, isHttpError } from '@/lib/errors/problem';
import { checkImage, withSupportedFormat } from '@/lib/storage/image-file';
import { jobPrefix } from '@/lib/storage/keys';
import { putObject, readStoredFile, removeObjects } from '@/lib/storage/objects';
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

type NewOutput = Omit<CheckedOutput, 'variant_id'> & { variant_id: string | null };
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

/** Returns a reader that, over all files, waits twice for one that does not exist yet. */
function patientReader() {
  const pauses = [1_000, 2_500];
  return async (path: string) => {
    for (;;) {
      const file = await readStoredFile(path, MAX_OUTPUT_BYTES);
      const ms = pauses.shift();
      if (file || ms === undefined) return file;
      await pause(ms);
    }
  };
}
type Read = ReturnType<typeof patientReader>;

/**
 * Checks a file of the job by its bytes, whatever its content type says. Stores a format that browsers show but we do
 * not accept as WebP in its place, corrects the content type, and removes a file that is no image.
 */
async function checkAt(path: string, { projectId, jobId, run }: Job, read: Read) {
  const prefix = jobPrefix(projectId, jobId);
  if (!isOwnPath(path, prefix)) throw new HttpError('invalid_image', 'The path does not belong to this job.');
  const folder = Number(/^(\d{1,6})\//.exec(path.slice(prefix.length))?.[1] ?? run);
  if (folder < run) throw new HttpError('invalid_image', `The path belongs to run ${folder}.`);
  const file = await read(path);
  if (!file) throw new HttpError('invalid_image', 'The file does not exist.');
  const source = { line: 'outputs', owner: projectId } as const;
  try {
    const bytes = await withSupportedFormat(file.bytes, source);
    const image = await checkImage(bytes, source);
    if (bytes !== file.bytes || file.contentType !== image.mimeType) {
      await putObject(path, bytes, { contentType: image.mimeType, replace: true });
    }
    return image;
  } catch (error) {
    if (isInvalidImage(error)) await removeObjects([path]);
    throw error;
  }
}

const isInvalidImage = (error: unknown) => isHttpError(error) && error.code === 'invalid_image';

/**
 * Returns the path of the thumbnail of the image at `imagePath`. Uses the workflow's thumbnail if it is a usable image
 * of the job. Otherwise stores `ours` next to the image.
 */
async function placeThumbnail(
  imagePath: string,
  usable: (path: string) => Promise<unknown>,
  thumbPath: string | undefined,
  ours: Buffer,
): Promise<string> {
  if (thumbPath) {
    const found = await usable(thumbPath).catch((error: unknown) => {
      if (isInvalidImage(error)) return null;
      throw error;
    });
    if (found) return thumbPath;
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
 * Returns the stored variant that the workflow reported with this id or, without an id, at this path. If an earlier run
 * used the same id, the stored `variant_id` has a prefix with the run number, such as `r2-`.
 */
function storedAs(
  id: string | null,
  path: string | null,
  { run }: Job,
  stored: CheckedOutput[],
): CheckedOutput | undefined {
  if (id === null) return stored.find((variant) => variant.path === path);
  return stored.find(({ variant_id }) => variant_id === id || variant_id === `r${run}-${id}`);
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
): Promise<{ good: NewOutput[]; notes: string[] }> {
  const good: NewOutput[] = [];
  const notes: string[] = [];
  const seen = new Set<string>();
  const read = patientReader();
  let free = MAX_OUTPUTS - stored.length;
  // Check one output at a time, because a decoded image is large.
  for (const [index, output] of outputs.slice(0, MAX_OUTPUTS).entries()) {
    const name = `Image ${index + 1}`;
    const id = output.variant_id === undefined ? null : fittingId(output.variant_id);
    const key = id === null ? `path ${output.path}` : `id ${id}`;
    if (seen.has(key)) {
      notes.push(`${name} was left out: another image has the same ${id === null ? 'path' : 'variant_id'}.`);
      continue;
    }
    const storedOutput = storedAs(id, output.path, job, stored);
    if (storedOutput) {
      if (output.path !== null && output.path !== storedOutput.path) {
        notes.push(`${name} was already reported with another path, which is kept.`);
      }
      good.push({ ...storedOutput, variant_id: id ?? storedOutput.variant_id });
      seen.add(key);
      continue;
    }
    if (free === 0) {
      notes.push(`${name} was left out: the run already has ${MAX_OUTPUTS} images.`);
      continue;
    }
    try {
      if (output.path === null) throw new HttpError('invalid_image', 'It has no path.');
      const image = await checkAt(output.path, job, read);
      const fits = JSON.stringify(output.meta ?? null).length <= MAX_META;
      if (!fits)
        notes.push(
          `The meta field of image ${index + 1} has more than ${MAX_META / 1024} KiB and was left out.`,
        );
      if (id !== null && id !== output.variant_id)
        notes.push(`The variant_id of image ${index + 1} was shortened to ${MAX_ID} characters.`);
      const usable = (path: string) => checkAt(path, job, read);
      good.push({
        variant_id: id,
        path: output.path,
        thumb_path: await placeThumbnail(output.path, usable, output.thumb_path, image.thumbnail),
        meta: fits ? (output.meta ?? null) : null,
        width: image.width,
        height: image.height,
      });
      seen.add(key);
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

export function pathsOf({ output_paths }: { output_paths: ReportedOutput[] }): string[] {
  return output_paths.flatMap(({ path }) => (path === null ? [] : [path]));
}

/** Returns what the sender should know about how its usable outputs were stored: other ids, and what was left out. */
export function storageNotes(good: NewOutput[], stored: CheckedOutput[]): string[] {
  return good.flatMap(({ variant_id: id, path }) => {
    const variants = stored.filter((each) => each.path === path);
    const [variant] = variants;
    if (!variant)
      return [`${path} was left out: the run has all its images, or one with the same variant_id.`];
    return variants.some(({ variant_id }) => variant_id === id)
      ? []
      : [`${path} is stored as ${variant.variant_id}.`];
  });
}
