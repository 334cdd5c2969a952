import type { ImageJob, ImageMessage, ImageStatus, Variant } from '@/lib/image-gen/schema';

/** One prompt of a conversation and what became of it. */
export type Run = {
  messageId: string;
  /** 1 for the first prompt of the job. */
  ordinal: number;
  run: number;
  prompt: string;
  status: ImageStatus;
  error: string | null;
  /** What a run that succeeded lacks, in words. */
  notes: string[];
  /** False while the state came live and what belongs to it is still being read. */
  isRead: boolean;
  createdAt: string;
  /** The variant that it was refined from. */
  source: ShownVariant | null;
  variants: ShownVariant[];
};

/** A variant with the name that people see: `2.3` is the third image of the second prompt. */
export type ShownVariant = {
  variant: Variant;
  key: string;
  label: string;
  /** Those of the prompt that it came of. */
  prompt: string;
  ordinal: number;
};

/**
 * The conversation as it is shown: each prompt with the images of all the runs that served it, oldest first. Where the
 * messages begin in the middle of a conversation, so must the variants.
 */
export function runsOf(job: ImageJob, messages: ImageMessage[], variants: Variant[]): Run[] {
  const runs: Run[] = [];
  let lastRun = 0;
  for (const message of messages) {
    const { prompt, ordinal } = message;
    const from = lastRun;
    const own = variants.filter(({ run }) => run > from && run <= message.run);
    // A state that came live is newer than the chat that was read.
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
      source: sourceOf(message, runs),
      variants: own.map((variant, i) => ({
        variant,
        key: variant.path,
        label: `${ordinal}.${i + 1}`,
        prompt,
        ordinal,
      })),
    });
    lastRun = message.run;
  }
  return runs;
}

function sourceOf({ variantId }: ImageMessage, before: Run[]): ShownVariant | null {
  if (variantId === null) return null;
  const named = before
    .flatMap((run) => run.variants)
    .filter(({ variant }) => variant.variant_id === variantId);
  return named.at(-1) ?? null;
}

/** The variant that a prompt refines when none is chosen: the server takes the last one of the latest run. */
export function latestVariant(runs: Run[]): ShownVariant | null {
  return runs.flatMap((run) => run.variants).at(-1) ?? null;
}

/** What to paste elsewhere to get this image again: its prompt, and its seed if the workflow told one. */
export function promptAndSeed({ variant, prompt }: ShownVariant): string {
  const seed = variant.meta?.seed;
  return typeof seed === 'number' || typeof seed === 'string' ? `${prompt}\nSeed: ${seed}` : prompt;
}

const endings: Record<string, string> = { 'image/png': '.png', 'image/jpeg': '.jpg', 'image/webp': '.webp' };

/** A file name for a variant: `harbour-lobby-2.3.png`. Its path need not tell what kind of image it is. */
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

/** How long a run usually takes, in ms: the median of the jobs given that have succeeded; null without any. */
export function usualDuration(jobs: ImageJob[]): number | null {
  const durations = jobs
    .flatMap(({ status, startedAt, finishedAt }) =>
      status === 'succeeded' && startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : [],
    )
    .sort((a, b) => a - b);
  const middle = durations.length >> 1;
  const upper = durations[middle];
  if (upper === undefined) return null;
  const lower = durations.length % 2 === 0 ? durations[middle - 1] : upper;
  return (upper + (lower ?? upper)) / 2;
}

/** Whether a run of this status is still going on. */
export function isUnderWay(status: ImageStatus): boolean {
  return status === 'queued' || status === 'running';
}
