import { setTimeout as sleep } from 'node:timers/promises';
import { http } from 'msw';
import sharp from 'sharp';
import { pngThatClaims, textFile } from '@/tests/fakes/workflow/bad-pictures';
import { sendCallback, sendResult, startPace } from '@/tests/fakes/workflow/callback';
import {
  type Drawing,
  drawThumb,
  drawVariant,
  type ImageType,
} from '@/tests/fakes/workflow/drawing/draw-variant';
import { hash32 } from '@/tests/fakes/workflow/drawing/rolls';
import { fetchPicture, putIntoSlot, type RetryOptions } from '@/tests/fakes/workflow/image-files';
import {
  countOf,
  isPut,
  type Output,
  reportedOutputs,
  variantId,
} from '@/tests/fakes/workflow/image-outputs';
import { type ImageTrigger, imageTriggerSchema } from '@/tests/fakes/workflow/image-trigger';
import type { Mode } from '@/tests/fakes/workflow/modes';
import { respondToTrigger } from '@/tests/fakes/workflow/respond-to-trigger';
import { readSignedTrigger } from '@/tests/fakes/workflow/signed-trigger';
import type { FakeState, Plan } from '@/tests/fakes/workflow/state';

// Includes all three types that the app's storage accepts, because the app has to handle each of them.
const TYPES: ImageType[] = ['image/png', 'image/jpeg', 'image/webp', 'image/jpeg'];
// Only this many variants, counted from the first, come with thumbnails. The app makes the thumbnails of the others.
const THUMBS = 2;
const LONGEST_SIDE = 4096;
/** How long after the callback the mode `late-file` puts a file. */
const LATE_FILE_MS = 300;

type ImageResult =
  | { job_id: string; status: 'succeeded'; output_paths: Output[] }
  | { job_id: string; status: 'failed'; error: string };
type ImageProgress = {
  job_id: string;
  status: 'running';
  progress: number;
  note: string;
  output_paths: Output[];
};
type Put = () => Promise<void>;
type Sources = Pick<Drawing, 'parent' | 'input' | 'mask'>;

/**
 * Handles `POST /image`: accepts a run of an image job, draws its variants, uploads them to the slots and calls
 * back.
 */
export function imageHandlers(state: FakeState, base: string) {
  return [
    http.post(`${base}/image`, async ({ request }) => {
      const trigger = await readSignedTrigger(request, state.settings.signingSecret, imageTriggerSchema);
      if (trigger instanceof Response) return trigger;
      const { type, id, attempt, data } = trigger;
      const subject = { type, id, attempt, subject: data.job_id, name: data.prompt, run: data.run };
      const asked = askedFor(trigger);
      return respondToTrigger(state, { ...subject, asked }, request.signal, (plan, signal) =>
        generateImages(state, trigger, plan, signal),
      );
    }),
  ];
}

/** Returns the data of the trigger and the paths of its slots, without signed URLs, for `/control`. */
function askedFor({ data, upload }: ImageTrigger): Record<string, unknown> {
  const { input_image, variant, mask, ...rest } = data;
  return {
    ...rest,
    slots: upload.slots.map(({ path }) => path),
    thumbnail_slots: upload.thumbnail_slots.map(({ path }) => path),
    input_image: input_image && { ...input_image, url: undefined },
    variant: variant && { ...variant, url: undefined },
    mask: mask && { ...mask, url: undefined },
  };
}

async function generateImages(
  state: FakeState,
  trigger: ImageTrigger,
  plan: Plan,
  signal: AbortSignal,
): Promise<void> {
  if (plan.mode === 'silent') return;
  const { id, data, callback, deadline_at } = trigger;
  const pace = startPace(plan, deadline_at, signal);
  const about = { id, subject: data.job_id, run: data.run };
  const secret = state.settings.imageWebhookSecret;
  const to = { url: callback.url, secretHeader: callback.secret_header, secret };
  const count = countOf(data);
  const onDrawn = async (output: Output, number: number) => {
    await pace(number / count);
    if (plan.mode !== 'partial' || number === count) return;
    await sendCallback(state, about, { ...to, body: progressOf(data, output, number) }, signal);
  };
  const late: Put[] = [];
  const result = await drawAll(state, trigger, plan.mode, late, onDrawn, signal);
  await pace(1);
  const right = { ...to, body: result };
  const failure = (reason: string) => failed(data.job_id, reason);
  await Promise.all([
    sendResult(state, about, plan.mode, right, failure, signal),
    ...late.map(async (put) => {
      await sleep(LATE_FILE_MS, undefined, { signal });
      await put();
    }),
  ]);
}

function progressOf(data: ImageTrigger['data'], output: Output, number: number): ImageProgress {
  const count = countOf(data);
  const note = `Image ${number} of ${count} is finished.`;
  return {
    job_id: data.job_id,
    status: 'running',
    progress: number / count,
    note,
    output_paths: [output],
  };
}

async function drawAll(
  state: FakeState,
  trigger: ImageTrigger,
  mode: Mode,
  late: Put[],
  onDrawn: (output: Output, number: number) => Promise<void>,
  signal: AbortSignal,
): Promise<ImageResult> {
  const { job_id } = trigger.data;
  const retry = { retryBaseMs: state.retryBaseMs, signal };
  try {
    const sources = await state.inSlot(() => fetchSources(trigger, retry));
    const outputs: Output[] = [];
    for (let number = 1; number <= countOf(trigger.data); number += 1) {
      const output = await state.inSlot(() => makeVariant(trigger, number, mode, sources, late, retry));
      outputs.push(output);
      await onDrawn(output, number);
    }
    return { job_id, status: 'succeeded', output_paths: reportedOutputs(mode, outputs, trigger) };
  } catch (error) {
    signal.throwIfAborted();
    return failed(job_id, error instanceof Error ? error.message : String(error));
  }
}

/** Fetches only images in the app's storage. Does not fetch the `imageUrl` of a material, which may be on any host. */
async function fetchSources({ data }: ImageTrigger, retry: RetryOptions): Promise<Sources> {
  const { variant, input_image, mask } = data;
  // If there is a mask, keep the image that it applies to without lossy compression. Outside the mask, the pixels of a
  // PNG result must be identical to the pixels of this image.
  const kept = { lossless: mask != null };
  return {
    parent: variant && (await fetchPicture('variant to refine', variant.url, retry, kept)),
    input: input_image && (await fetchPicture('input image', input_image.url, retry, variant ? {} : kept)),
    mask: mask ? await fetchPicture('mask', mask.url, retry, kept) : null,
  };
}

async function makeVariant(
  { data, upload }: ImageTrigger,
  number: number,
  mode: Mode,
  sources: Sources,
  late: Put[],
  retry: RetryOptions,
): Promise<Output> {
  retry.signal.throwIfAborted();
  const { run, prompt, options } = data;
  const seed = firstSeed(data) + number - 1;
  const meta = { seed, model: 'fake', prompt };
  const slot = upload.slots[number - 1];
  const thumbSlot = number <= THUMBS ? upload.thumbnail_slots[number - 1] : undefined;
  if (!slot) throw new Error(`there is no slot for variant ${number}`);
  const thumb = thumbSlot ? { thumb_path: thumbSlot.path } : {};
  const output = { variant_id: variantId(run, number), path: slot.path, ...thumb, meta };
  if (!isPut(mode, number)) return output;

  const type = TYPES[(number - 1) % TYPES.length] ?? 'image/png';
  // A mask fits only an image of its own size, so the mask's size replaces the requested one.
  const size = drawnSize(data.mask ?? options.size);
  const drawing = { prompt, seed, run, ...size, materials: materialsOf(data), ...sources };
  const picture = await drawVariant(drawing, type);
  const file = await fileFor(mode, picture, type);
  const put = () => putIntoSlot(slot.url, file.bytes, file.type, retry);
  if (mode === 'late-file' && number === 1) late.push(put);
  else await put();
  if (thumbSlot) await putIntoSlot(thumbSlot.url, await drawThumb(picture), 'image/webp', retry);
  return output;
}

/** Returns the file that a mode puts for a picture, with its content type, or null for none. */
async function fileFor(
  mode: Mode,
  picture: Buffer,
  type: ImageType,
): Promise<{ bytes: Buffer; type: string | null }> {
  switch (mode) {
    case 'text-as-png':
      return { bytes: textFile, type: 'image/png' };
    case 'huge-dimensions':
      return { bytes: pngThatClaims(30_000), type: 'image/png' };
    case 'octet-stream':
      return { bytes: picture, type: 'application/octet-stream' };
    case 'no-type':
      return { bytes: picture, type: null };
    case 'gif':
      return { bytes: await sharp(picture).gif().toBuffer(), type: 'image/gif' };
    case 'avif':
      return { bytes: await sharp(picture).avif({ effort: 0 }).toBuffer(), type: 'image/avif' };
    default:
      return { bytes: picture, type };
  }
}

/** Returns the requested size, scaled down so that no side is longer than `LONGEST_SIDE`. */
function drawnSize({ width, height }: { width: number; height: number }) {
  const shrink = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  const side = (asked: number) => Math.max(1, Math.round(asked * shrink));
  return { width: side(width), height: side(height) };
}

/**
 * Returns the seed of the first variant; the seed of each further variant is one higher. Without a requested seed, each
 * run has a different seed.
 */
function firstSeed(data: ImageTrigger['data']): number {
  const { job_id, run, options } = data;
  const { seed } = options;
  if (seed === undefined) return hash32(job_id, run);
  // Counting up from a fraction or a huge number would not give distinct integers, so hash such a seed.
  return Number.isSafeInteger(seed) && Number.isSafeInteger(seed + countOf(data))
    ? seed
    : hash32(String(seed));
}

function materialsOf({ material_ids, materials }: ImageTrigger['data']): string[] {
  const named = materials.flatMap(({ id, name }) => id ?? name ?? []);
  return [...new Set([...material_ids, ...named])];
}

function failed(job_id: string, error: string): ImageResult {
  return { job_id, status: 'failed', error };
}
