import { isUnderWay } from '@/hooks/image-gen/image-gen-state';
import type { ImageJob, ImageMessage, ImageStatus, Variant } from '@/lib/image-gen/schema';
import type { PromptSettings } from './refine-draft';

/** One prompt of a conversation with its status and variants. */
export type Run = {
  messageId: string;
  /** 1 for the first prompt of the job. */
  ordinal: number;
  run: number;
  prompt: string;
  status: ImageStatus;
  error: string | null;
  /** Messages about problems in a successful run, such as unusable images. */
  notes: string[];
  /** False if a broadcast has changed the run's status and the run's other details have not been read yet. */
  isRead: boolean;
  createdAt: string;
  /** How long the run took, in ms; null if it never started or has not finished. */
  duration: number | null;
  /** The variant that the prompt refines. Null if there is none, or if that variant is deleted or not loaded. */
  source: ShownVariant | null;
  hasSource: boolean;
  /**
   * Whether the prompt changes only a region of an image. The image is the source or, if `hasSource` is false, the
   * job's input image.
   */
  hasMask: boolean;
  /** The prompt's materials and options. If the prompt does not set its materials or its options, the job's apply. */
  settings: PromptSettings;
  variants: ShownVariant[];
};

/** A variant with its displayed label: `2.3` is the third image of the second prompt. */
export type ShownVariant = {
  variant: Variant;
  key: string;
  label: string;
  /** The prompt that generated the variant. */
  prompt: string;
  /** The ordinal of the prompt that generated the variant; 1 for the first prompt of the job. */
  ordinal: number;
  /** The user who sent the prompt. */
  createdBy: string | null;
};

/**
 * Returns the prompts of a conversation, oldest first, each with the variants of all its runs. If `messages` starts in
 * the middle of the conversation, `variants` must start there too.
 */
export function runsOf(job: ImageJob, messages: ImageMessage[], variants: Variant[]): Run[] {
  const runs: Run[] = [];
  let lastRun = 0;
  for (const message of messages) {
    const { prompt, ordinal } = message;
    const from = lastRun;
    const own = variants.filter(({ run }) => run > from && run <= message.run);
    // For the current run, use the job's status. It can come from a broadcast and be newer than the messages.
    const current = message.run === job.run;
    runs.push({
      messageId: message.id,
      ordinal,
      run: message.run,
      prompt,
      status: current ? job.status : message.status,
      error: current ? (job.error ?? message.error) : message.error,
      notes: message.notes,
      isRead: !current || job.status === message.status,
      createdAt: message.createdAt,
      duration: durationOf(current && job.finishedAt ? job : message),
      source: sourceOf(message, runs),
      hasSource: message.variantId !== null,
      hasMask: message.maskImageId !== null,
      settings: {
        materialIds: message.materialIds ?? job.materialIds,
        materialPayload: message.materialPayload ?? job.materialPayload,
        options: message.options ?? job.options,
      },
      variants: own.map((variant) => ({
        variant,
        key: variant.path,
        label: `${ordinal}.${variant.number}`,
        prompt,
        ordinal,
        createdBy: message.createdBy,
      })),
    });
    lastRun = message.run;
  }
  return runs;
}

function durationOf({
  startedAt,
  finishedAt,
}: Pick<ImageMessage, 'startedAt' | 'finishedAt'>): number | null {
  return startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : null;
}

function sourceOf({ variantId }: ImageMessage, before: Run[]): ShownVariant | null {
  if (variantId === null) return null;
  const named = before
    .flatMap((run) => run.variants)
    .filter(({ variant }) => variant.variant_id === variantId);
  return named.at(-1) ?? null;
}

/**
 * Returns the variant that a prompt refines by default, which is the last one of the conversation. Returns null if the
 * loaded prompts have no variants. The server has the same default, but also considers earlier prompts that are not
 * loaded.
 */
export function latestVariant(runs: Run[]): ShownVariant | null {
  return runs.flatMap((run) => run.variants).at(-1) ?? null;
}

/** Returns the prompt that generated an image. */
export function runOf({ ordinal }: ShownVariant, runs: Run[]): Run | undefined {
  return runs.find((run) => run.ordinal === ordinal);
}

/**
 * Returns the chain of refinements that led to an image, such as 1.2, 2.1 and 3.4. The chain starts with the oldest
 * image and ends with the image itself.
 */
export function chainOf(shown: ShownVariant, runs: Run[]): ShownVariant[] {
  const source = runOf(shown, runs)?.source;
  return source ? [...chainOf(source, runs), shown] : [shown];
}

/**
 * Estimates how many images the current run will have, and their aspect ratio, from the requested options and the
 * existing images. The default is four square images.
 */
export function expectedImages(job: ImageJob, runs: Run[]): { count: number; aspect: number } {
  const current = runs.at(-1);
  const { size = '', count } = current?.settings.options ?? job.options;
  const before = runs.filter(({ run, variants }) => run < job.run && variants.length > 0).at(-1);
  // Existing images are a better source for the aspect ratio than the requested size. However, images of an earlier
  // prompt are used only if the requested size has not changed since.
  const isResized = before !== undefined && before.settings.options.size !== current?.settings.options.size;
  const known = current?.variants.at(-1) ?? (isResized ? undefined : before?.variants.at(-1));
  const [width, height] = size.split('x').map(Number);
  const requested = width && height ? width / height : 1;
  return {
    count: count ?? before?.variants.length ?? 4,
    aspect: known ? known.variant.width / known.variant.height : requested,
  };
}

/** Returns how many images a prompt's latest run has made. `variants` also contains images of its earlier runs. */
export function ownImages({ run, variants }: Run): number {
  return variants.filter(({ variant }) => variant.run === run).length;
}

/**
 * Returns how many of the expected images of the current run are still to come. When a run succeeds, its new status
 * arrives before its images. Until the images are read, their placeholders must stay, or the page would shrink and grow
 * again.
 */
export function comingImages(run: Run, expected: number): number {
  const isComing = isUnderWay(run.status) || (run.status === 'succeeded' && !run.isRead);
  return isComing ? Math.max(0, expected - ownImages(run)) : 0;
}

/** Returns the seed that the workflow service reported for an image, if any. */
export function seedOf({ variant }: ShownVariant): number | string | undefined {
  const seed = variant.meta?.seed;
  return typeof seed === 'number' || typeof seed === 'string' ? seed : undefined;
}

/** Returns the text to copy for an image: its prompt and, if the workflow service reported one, its seed. */
export function promptAndSeed(shown: ShownVariant): string {
  const seed = seedOf(shown);
  return seed === undefined ? shown.prompt : `${shown.prompt}\nSeed: ${seed}`;
}

const endings: Record<string, string> = { 'image/png': '.png', 'image/jpeg': '.jpg', 'image/webp': '.webp' };

/**
 * Returns a file name like `harbor-lobby-2.3.png`. The extension comes from `mimeType`, because paths may have none.
 */
export function variantFileName({ label, prompt }: ShownVariant, mimeType: string): string {
  const words = prompt
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .split(' ')
    .slice(0, 5)
    .join('-')
    .slice(0, 60);
  return `${words || 'image'}-${label}${endings[mimeType] ?? ''}`;
}

/** Returns the usual duration of a run in ms: the median over the successful jobs, or null if there are none. */
export function usualDuration(jobs: ImageJob[]): number | null {
  const durations = jobs
    .flatMap((job) => (job.status === 'succeeded' ? (durationOf(job) ?? []) : []))
    .sort((a, b) => a - b);
  const middle = durations.length >> 1;
  const upper = durations[middle];
  if (upper === undefined) return null;
  const lower = durations.length % 2 === 0 ? durations[middle - 1] : upper;
  return (upper + (lower ?? upper)) / 2;
}
