import { join } from 'node:path';
import { z } from 'zod';
import type { Log } from '@/lib/log/logger';
import { readSnapshot, writeSnapshot } from '../cache/snapshot';
import type { Clock } from '../clock';
import type { SearchItem } from '../schema';
import { dominantColor } from './dominant-color';
import { fetchThumbnail } from './fetch-thumbnail';

/**
 * Width and height in pixels of the images to fetch. An image of this size has a sixteenth of a thumbnail's pixels,
 * which is enough to find the dominant color.
 */
const COLOR_PX = 64;
const MAX_COLORS = 20_000;
const FAILURES_TO_STOP = 5;
const PAUSE_MS = 5 * 60_000;
/** How many new colors to publish at a time. Each publication invalidates the cached responses. */
const BATCH = 50;
/** How many new colors to compute before saving all colors, so that a crash loses only a few. */
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

export type ColorCacheOptions = {
  folder: string;
  userAgent: string;
  /** The origins that thumbnails may be fetched from. */
  origins: readonly string[];
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** The number of concurrent downloads. With 0, no colors are computed. */
  atOnce: number;
};

/**
 * Caches the dominant color of each thumbnail by the thumbnail's URL, which changes with the image. Computes each color
 * once, in the background, a few at a time, and stores the colors on disk.
 */
export function createColorCache({ folder, userAgent, origins, clock, log, atOnce }: ColorCacheOptions) {
  const file = join(folder, 'colors.json');
  const colors = new Map<string, string | null>();
  const pending = new Set<string>();
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
    // Remove the oldest colors first, because they are the most likely to belong to replaced images.
    for (const url of colors.keys()) {
      if (colors.size <= MAX_COLORS) break;
      colors.delete(url);
    }
    await writeSnapshot(file, { form: 1, colors: Object.fromEntries(colors) }).catch((error: unknown) =>
      log.warn({ error }, 'failed to save the material colors'),
    );
  }

  async function workThrough(): Promise<void> {
    let failures = 0;
    let fresh = 0;
    const worker = async () => {
      for (const url of pending) {
        if (failures >= FAILURES_TO_STOP) return;
        pending.delete(url);
        try {
          const image = await fetchThumbnail(url, COLOR_PX, { origins, userAgent });
          colors.set(url, image && (await dominantColor(image)));
          failures = 0;
          fresh += 1;
          if (fresh % BATCH === 0) version += 1;
          if (fresh % SAVE_EVERY === 0) await save();
        } catch (error) {
          failures += 1;
          if (failures === FAILURES_TO_STOP)
            log.warn({ error }, 'thumbnails are unavailable; colors are paused');
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    // Forget the remaining thumbnails. After the pause, the first search whose response is not cached fills `pending`
    // again. It adds each thumbnail that is in the searched list and has no known color.
    pending.clear();
    if (failures > 0) restUntil = clock.now() + PAUSE_MS;
    if (fresh === 0) return;
    version += 1;
    await save();
  }

  return {
    /** Returns a number that increases when new colors are published. */
    version: () => version,
    /** Loads the stored colors on the first call. Later calls wait for the same load, if it is still running. */
    ready: () => {
      opening ??= open();
      return opening;
    },
    /** Returns the color of a thumbnail. Returns null if the color is unknown or the thumbnail has no color. */
    colorOf: (url: string) => colors.get(url) ?? null,
    /** Returns whether a thumbnail has no color, because it does not exist or is fully transparent. */
    isColorless: (url: string) => colors.get(url) === null,
    /** Starts computing unknown colors without waiting for the result. */
    computeUnknown(items: Iterable<SearchItem>): void {
      if (working || atOnce === 0 || clock.now() < restUntil) return;
      for (const { thumbnail_url } of items) if (!colors.has(thumbnail_url)) pending.add(thumbnail_url);
      if (pending.size === 0) return;
      working = workThrough().finally(() => {
        working = undefined;
      });
    },
    /** Resolves when no colors are being computed. */
    idle: () => working ?? Promise.resolve(),
  };
}
export type ColorCache = ReturnType<typeof createColorCache>;
