import { HttpError } from '@/lib/http/problem';
import { checkImage } from '@/lib/storage/image-file';
import { jobPrefix } from '@/lib/storage/keys';
import { putObject, readObject } from '@/lib/storage/objects';
import type { CallbackOutput } from './schema';

/** The limit of the bucket: nothing larger can be there. */
const MAX_OUTPUT_BYTES = 50 * 1024 * 1024;

/** An output that may be shown. */
export type CheckedOutput = {
  variant_id: string;
  path: string;
  thumb_path: string;
  meta: NonNullable<CallbackOutput['meta']> | null;
  width: number;
  height: number;
};

type Job = { jobId: string; projectId: string; run: number };

/** A path byte for byte below the job's own prefix, with nothing in it that storage could read in another way. */
function isOwnPath(path: string, prefix: string): boolean {
  return (
    path.startsWith(prefix) &&
    /^[\w./-]+$/.test(path) &&
    !/(^|\/)\.{0,2}(\/|$)/.test(path.slice(prefix.length))
  );
}

async function checkAt(path: string, { projectId, jobId }: Job) {
  const prefix = jobPrefix(projectId, jobId);
  if (!isOwnPath(path, prefix)) throw new HttpError('invalid_image', 'The path is not one of this job.');
  const bytes = await readObject(path, MAX_OUTPUT_BYTES);
  if (!bytes) throw new HttpError('invalid_image', 'There is no such file.');
  return checkImage(bytes, { line: 'outputs', owner: projectId });
}

/** A thumbnail of the workflow's that is not a usable image of the job is replaced by ours. */
async function placeThumbnail(job: Job, output: CallbackOutput, ours: Buffer): Promise<string> {
  if (output.thumb_path) {
    const usable = await checkAt(output.thumb_path, job).catch((error: unknown) => {
      if (error instanceof HttpError && error.code === 'invalid_image') return null;
      throw error;
    });
    if (usable) return output.thumb_path;
  }
  // Named after its picture: reports that come at the same time write the same bytes to the same place.
  const path = `${output.path}.thumb.webp`;
  await putObject(path, ours, { contentType: 'image/webp', replace: true });
  return path;
}

/**
 * Looks at what a workflow says it made: each file must lie below the job's prefix, be there and really be an image.
 * Answers the good ones, in their order, and says in words what was wrong with the others.
 * Throws `unavailable` when storage is away.
 */
export async function checkOutputs(
  job: Job,
  outputs: CallbackOutput[],
): Promise<{ good: CheckedOutput[]; problems: string[] }> {
  const good: CheckedOutput[] = [];
  const problems: string[] = [];
  // One after the other: a decoded image is large.
  for (const [index, output] of outputs.entries()) {
    try {
      const image = await checkAt(output.path, job);
      good.push({
        variant_id: output.variant_id,
        path: output.path,
        thumb_path: await placeThumbnail(job, output, image.thumbnail),
        meta: output.meta ?? null,
        width: image.width,
        height: image.height,
      });
    } catch (error) {
      if (!(error instanceof HttpError) || error.code !== 'invalid_image') throw error;
      problems.push(`Output ${index + 1}: ${error.message}`);
    }
  }
  return { good, problems };
}
