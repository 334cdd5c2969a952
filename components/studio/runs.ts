import type { ImageJob, ImageMessage, ImageStatus, Variant } from '@/lib/image-gen/schema';

/** One prompt of a conversation with its status and variants. */
export type Run = {
  messageId: string;
  /** 1 for the first prompt of the job. */
  ordinal: number;
  run: number;
  prompt: string;
  status: ImageStatus;
  error: string | null;
  /** Messages about parts of a successful result that were left out. */
  notes: string[];
  /** False while the status comes from a broadcast and its details are still loading. */
  isRead: boolean;
  createdAt: string;
  /** How long the run took, in ms; null until it finishes. */
  duration: number | null;
  /** The variant that the prompt refines. */
  source: ShownVariant | null;
  variants: ShownVariant[];
};

/** A variant with its displayed label: `2.3` is the third image of the second prompt. */
export type ShownVariant = {
  variant: Variant;
  key: string;
  label: string;
  /** The prompt that generated the variant, and that prompt's ordinal. */
  prompt: string;
  ordinal: number;
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
    // The job's status can come from a broadcast and be newer than the messages.
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
      variants: own.map((variant) => ({
        variant,
        key: variant.path,
        label: `${ordinal}.${variant.number}`,
        prompt,
        ordinal,
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

/** Returns the variant that a prompt refines by default. As on the server, it is the last one of the latest run. */
export function latestVariant(runs: Run[]): ShownVariant | null {
  return runs.flatMap((run) => run.variants).at(-1) ?? null;
}

/**
 * Estimates how many images the current run will have, and their aspect ratio, from the images so far. Without any, the
 * count is 4 and the aspect ratio that of the requested size.
 */
export function expectedImages(job: ImageJob, runs: Run[]): { count: number; aspect: number } {
  const before = runs.filter(({ run, variants }) => run < job.run && variants.length > 0).at(-1)?.variants;
  const known = runs.at(-1)?.variants.at(-1) ?? before?.at(-1);
  if (known) return { count: before?.length ?? 4, aspect: known.variant.width / known.variant.height };
  const [width, height] = (job.options.size ?? '').split('x').map(Number);
  return { count: 4, aspect: width && height ? width / height : 1 };
}

/** Returns the prompt and, if the workflow reported one, the seed: enough to generate the image again. */
export function promptAndSeed({ variant, prompt }: ShownVariant): string {
  const seed = variant.meta?.seed;
  return typeof seed === 'number' || typeof seed === 'string' ? `${prompt}\nSeed: ${seed}` : prompt;
}

const endings: Record<string, string> = { 'image/png': '.png', 'image/jpeg': '.jpg', 'image/webp': '.webp' };

/** Returns a file name like `harbor-lobby-2.3.png`. The extension comes from `mimeType`: paths may have none. */
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

/** Returns the usual duration of a run in ms, the median of the successful jobs, or null if there are none. */
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
