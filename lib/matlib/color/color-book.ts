import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '@/lib/log/logger';
import { readSnapshot, writeSnapshot } from '@/lib/matlib/cache/snapshot';
import type { Clock } from '@/lib/matlib/clock';
import type { SearchItem } from '@/lib/matlib/schema';
import { dominantColor } from './dominant-color';
import { fetchThumbnail } from './fetch-thumbnail';

/** Enough to find the dominant color, at a sixteenth of a thumbnail's cost for both sides. */
const COLOR_PX = 64;
const MAX_COLORS = 20_000;
const FAILURES_TO_STOP = 5;
const PAUSE_MS = 5 * 60_000;
/** New colours are shown in batches: each batch makes the kept answers old. */
const BATCH = 50;
/** What was found out before a crash is not asked for again. */
const SAVE_EVERY = 200;

const stored = z.object({
  form: z.literal(1),
  colors: z.record(
    z.string(),
    z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .nullable(),
  ),
});

export type ColorBookOptions = {
  folder: string;
  userAgent: string;
  /** Where thumbnails may be fetched from. */
  origins: readonly string[];
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** Thumbnails looked at at once; 0 leaves colours unknown. */
  atOnce: number;
};

/**
 * The dominant colour of each thumbnail, by the thumbnail's address (which changes with the picture). Found out once,
 * behind the scenes, a few at a time, and kept on the disk.
 */
export function createColorBook({ folder, userAgent, origins, clock, log, atOnce }: ColorBookOptions) {
  const file = join(folder, 'colors.json');
  const colors = new Map<string, string | null>();
  const wanted = new Set<string>();
  let version = 0;
  let opening: Promise<void> | undefined;
  let working: Promise<void> | undefined;
  let restUntil = 0;

  async function open(): Promise<void> {
    const found = await readSnapshot(file, stored);
    for (const [url, color] of Object.entries(found?.colors ?? {})) colors.set(url, color);
    if (found) version += 1;
  }

  async function save(): Promise<void> {
    // The oldest go first: a picture that was replaced is never asked for again.
    for (const url of colors.keys()) {
      if (colors.size <= MAX_COLORS) break;
      colors.delete(url);
    }
    await writeSnapshot(file, { form: 1, colors: Object.fromEntries(colors) }).catch((error: unknown) =>
      log.warn({ error }, 'the material colours could not be saved'),
    );
  }

  async function workThrough(): Promise<void> {
    let failures = 0;
    let fresh = 0;
    const worker = async () => {
      for (const url of wanted) {
        if (failures >= FAILURES_TO_STOP) return;
        wanted.delete(url);
        try {
          const image = await fetchThumbnail(url, COLOR_PX, { origins, userAgent });
          colors.set(url, image && (await dominantColor(image)));
          failures = 0;
          fresh += 1;
          if (fresh % BATCH === 0) version += 1;
          if (fresh % SAVE_EVERY === 0) await save();
        } catch (error) {
          failures += 1;
          if (failures === FAILURES_TO_STOP) log.warn({ error }, 'thumbnails cannot be had; colours wait');
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    // What failed is wanted again by the next search, but not at once.
    wanted.clear();
    if (failures > 0) restUntil = clock.now() + PAUSE_MS;
    if (fresh === 0) return;
    version += 1;
    await save();
  }

  return {
    /** Grows when there is something new to show. */
    version: () => version,
    /** Reads what was found out before; resolves at once when that was done. */
    ready: () => {
      opening ??= open();
      return opening;
    },
    colorOf: (url: string) => colors.get(url) ?? null,
    /** Sets the work on unknown colours going and does not wait for it. */
    findOut(items: Iterable<SearchItem>): void {
      if (working || atOnce === 0 || clock.now() < restUntil) return;
      for (const { thumbnail_url } of items) if (!colors.has(thumbnail_url)) wanted.add(thumbnail_url);
      if (wanted.size === 0) return;
      working = workThrough().finally(() => {
        working = undefined;
      });
    },
    /** Resolves when no work is under way. */
    idle: () => working ?? Promise.resolve(),
  };
}
export type ColorBook = ReturnType<typeof createColorBook>;
