import { http } from 'msw';
import { pngThatClaims, textFile } from '@/tests/fakes/workflow/bad-pictures';
import { callbacksFor, sendCallback, startPace } from '@/tests/fakes/workflow/callback';
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
      const asked = askedFor(data);
      return respondToTrigger(state, { ...subject, asked }, request.signal, (plan, signal) =>
        generateImages(state, trigger, plan, signal),
      );
    }),
  ];
}

/** Returns the data of the trigger without its signed URLs, for `/control`. */
function askedFor({ input_image, variant, mask, ...rest }: ImageTrigger['data']): Record<string, unknown> {
  return {
    ...rest,
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
  const about = { id, subject: data.job_id };
  const secret = state.settings.imageWebhookSecret;
  const to = { url: callback.url, secretHeader: callback.secret_header, secret };
  const count = countOf(data);
  const onDrawn = async (output: Output, number: number) => {
    await pace(number / count);
    if (plan.mode !== 'partial' || number === count) return;
    await sendCallback(state, about, { ...to, body: progressOf(data, output, number) }, signal);
  };
  const result = await drawAll(state, trigger, plan.mode, onDrawn, signal);
  await pace(1);
  const right = { ...to, body: result };
  for (const each of callbacksFor(plan.mode, right, (reason) => failed(data.job_id, reason))) {
    await sendCallback(state, about, each, signal);
  }
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
  onDrawn: (output: Output, number: number) => Promise<void>,
  signal: AbortSignal,
): Promise<ImageResult> {
  const { job_id } = trigger.data;
  const retry = { retryBaseMs: state.retryBaseMs, signal };
  try {
    const sources = await state.inSlot(() => fetchSources(trigger, retry));
    const outputs: Output[] = [];
    for (let number = 1; number <= countOf(trigger.data); number += 1) {
      const output = await state.inSlot(() => makeVariant(trigger, number, mode, sources, retry));
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
  const bad = badPicture(mode);
  await putIntoSlot(slot.url, bad ?? picture, bad ? 'image/png' : type, retry);
  if (thumbSlot) await putIntoSlot(thumbSlot.url, await drawThumb(picture), 'image/webp', retry);
  return output;
}

function badPicture(mode: Mode): Buffer | null {
  if (mode === 'text-as-png') return textFile;
  return mode === 'huge-dimensions' ? pngThatClaims(30_000) : null;
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
