import { jobPrefix, projectPrefix } from '@/lib/storage/keys';
import { signedUploadUrls, signedUrls } from '@/lib/storage/objects';
import { adminDb } from '@/lib/supabase/admin';
import { dataOf } from '@/lib/supabase/database-error';
import { dispatchRuns } from '@/lib/workflow/dispatch-run';
import { imageRuns } from './image-runs';
import { imageOptions } from './schema';

/** Number of images to make room for if the prompt does not say how many it wants. */
const USUAL_COUNT = 4;

/** Maximum number of prompts to send. If a conversation has more, only the latest are sent. */
const MAX_MESSAGES = 200;

async function readJob(jobId: string) {
  const [job] = dataOf(
    await adminDb()
      .from('image_jobs')
      .select(
        'id,project_id,run,prompt,input_image_path,page_id,material_ids,material_payload,options,document_images(id,storage_path,width,height)',
      )
      .eq('id', jobId)
      .limit(1),
  );
  return job;
}
type Job = NonNullable<Awaited<ReturnType<typeof readJob>>>;

/** Returns a job's latest prompts in chronological order, each with the number of its latest run. */
async function conversation(jobId: string) {
  const messages = dataOf(
    await adminDb()
      .from('image_messages')
      .select('id,prompt,variant_id,variant_run,image_runs(run)')
      .eq('job_id', jobId)
      .order('ordinal', { ascending: false })
      .order('run', { ascending: false, referencedTable: 'image_runs' })
      .limit(1, { referencedTable: 'image_runs' })
      .limit(MAX_MESSAGES),
  );
  return messages
    .map(({ image_runs: [latest], ...message }) => ({ ...message, run: latest?.run ?? 0 }))
    .sort((a, b) => a.run - b.run);
}
type Message = Awaited<ReturnType<typeof conversation>>[number];

/**
 * Returns a prompt's own mask, materials and options. The materials and options are null if the prompt uses those of
 * the job.
 */
async function ownSettings(message: Message | undefined) {
  if (!message) return null;
  const [row] = dataOf(
    await adminDb()
      .from('image_messages')
      .select('material_ids,material_payload,options,document_images(id,storage_path,width,height)')
      .eq('id', message.id)
      .limit(1),
  );
  return row ?? null;
}
type OwnSettings = Awaited<ReturnType<typeof ownSettings>>;

/** Returns the variant that a prompt refines, or null if it refines none or the variant was deleted. */
async function sourceVariant(jobId: string, message: Message) {
  if (message.variant_id === null || message.variant_run === null) return null;
  const [variant] = dataOf(
    await adminDb()
      .from('image_variants')
      .select('variant_id,run,path,width,height')
      .eq('job_id', jobId)
      .eq('run', message.variant_run)
      .eq('variant_id', message.variant_id)
      .is('deleted_at', null)
      .limit(1),
  );
  return variant ?? null;
}

function uploadOf({ id, storage_path: path, width, height }: NonNullable<Job['document_images']>) {
  return { id, path, width, height };
}

/**
 * Returns the image that the job starts from, which is an upload or the variant at `input_image_path` in the same
 * project. Returns null if there is no such image.
 */
async function inputOf(job: Job) {
  if (job.document_images) return uploadOf(job.document_images);
  if (!job.input_image_path?.startsWith(projectPrefix(job.project_id))) return null;
  const [row] = dataOf(
    await adminDb()
      .from('image_variants')
      .select('path,width,height')
      .eq('path', job.input_image_path)
      .is('deleted_at', null)
      .limit(1),
  );
  return row ? { id: null, ...row } : null;
}

/**
 * Returns the files that a run starts from, with signed URLs that outlive the run's initial deadline. `missing` is true
 * if any of the files no longer exists.
 */
async function sources(job: Job, current: Message | undefined, own: OwnSettings) {
  const variant = current ? await sourceVariant(job.id, current) : null;
  const input = await inputOf(job);
  const mask = own?.document_images ? uploadOf(own.document_images) : null;
  const paths = [input, variant, mask].flatMap((file) => (file ? [file.path] : []));
  const urls = await signedUrls(paths, 2 * imageRuns.deadlineS);
  const urlOf = new Map(paths.map((path, i) => [path, urls[i] ?? null]));
  const signed = <File extends { path: string }>({ path, ...rest }: File) => ({
    ...rest,
    url: urlOf.get(path),
  });
  return {
    missing:
      urls.includes(null) ||
      (job.input_image_path !== null && !input) ||
      (current?.variant_id != null && !variant),
    input_image: input && signed(input),
    variant: variant && signed(variant),
    mask: mask && signed(mask),
  };
}

/** Returns signed upload URLs for `count` images and as many thumbnails. */
export async function uploadSlots(prefix: string, attempt: number, count: number) {
  const paths = Array.from({ length: count }, (_, i) => `${prefix}${attempt}-${i + 1}`);
  const all = await signedUploadUrls([...paths, ...paths.map((path) => `${path}-thumb`)]);
  return { prefix, slots: all.slice(0, count), thumbnail_slots: all.slice(count) };
}

/** Sends runs of image jobs to the workflow service. */
export const dispatchImage = dispatchRuns(imageRuns, async (item) => {
  const job = await readJob(item.subjectId);
  if (!job || job.run !== item.run) return null;
  const messages = await conversation(job.id);
  const current = messages.at(-1);
  const own = await ownSettings(current);
  const { missing, ...from } = await sources(job, current, own);
  if (missing) return { missing: 'An image that this prompt starts from was deleted.' };
  const options = imageOptions.parse(own?.options ?? job.options);
  const prefix = `${jobPrefix(job.project_id, job.id)}${job.run}/`;
  // Each attempt has its own paths, so that a later attempt cannot collide with the files of an earlier one.
  const upload = await uploadSlots(prefix, item.attempt, options.count ?? USUAL_COUNT);
  return {
    type: 'image.generate',
    data: {
      job_id: job.id,
      project_id: job.project_id,
      run: job.run,
      prompt: current?.prompt ?? job.prompt,
      messages: messages.map(({ run, prompt, variant_id }) => ({ run, prompt, variant_id })),
      page_id: job.page_id,
      ...from,
      material_ids: own?.material_ids ?? job.material_ids,
      materials: own?.material_payload ?? job.material_payload,
      options,
    },
    upload,
  };
});
