import { z } from 'zod';

/** The modes of the fake, each with a description of how it handles a trigger. */
export const modeDescriptions = {
  ok: '202, works, calls back',
  slow: 'ok, after ten times the delay',
  late: 'ok, but only after the deadline of the trigger',
  fast: 'calls back before it responds to the trigger',
  silent: '202, never calls back',
  partial: 'ok, with progress on the way, and each image as soon as it is drawn',
  twice: 'the same callback doubled',
  conflict: 'completed, then failed',
  'stale-run': 'out of order: first a callback for the run before, then the right one',
  garbage: 'first a callback that is not JSON, then the right one',
  'wrong-secret': 'calls back with a secret that is not ours',
  fail: 'calls back with failed and a reason',
  refuse: '422',
  broken: '500, always',
  unavailable: '503 with Retry-After',
  flaky: '500 for the first tries of an id, then ok',
  restarting: 'cuts the connection, then 200 "starting up", then 404 twice, then ok',
  hang: 'never responds to the trigger',
  reset: 'cuts the connection without taking the work',
  'lost-response': 'takes the work, then cuts the connection',
  outside: 'images: reports paths outside the prefix',
  'text-as-png': 'images: puts a text as image/png',
  'huge-dimensions': 'images: puts a tiny PNG that claims 30000 x 30000 pixels',
  'no-outputs': 'images: succeeded, with an empty list',
  'hundred-outputs': 'images: succeeded, with a hundred outputs',
  'missing-object': 'images: reports paths that nothing was put to',
  'one-bad': 'images: three good variants and one that was never put',
  paths: 'images: reports each output as its path alone',
  'no-ids': 'images: reports the outputs without variant_id',
  'bad-section': 'specs: two more sections, without a title and with page 0',
  'numbers-as-text': 'ok, but every number in the callback is text',
  list: 'ok, but the body of the callback is in a list',
  completed: 'ok, but the status of the callback is `Completed`, also for images',
  'error-object': 'calls back with failed and an object as error',
  nul: 'calls back with failed and a reason with a NUL',
  'no-run': 'ok, but the URL of the callback names neither run nor id',
  'late-no-run': 'no-run, but only once a later run of the same job or spec has been triggered',
  redelivered: 'no-run, and the same callback again once a later run has been triggered',
  'fail-redelivered': 'redelivered, but with failed and a reason',
  'not-json': 'calls back with a form only',
  'one-by-one': 'images: one success for each image, all at once',
  'same-id': 'images: reports all outputs with the same variant_id',
  'slash-path': 'images: reports paths with a slash in front',
  'no-bucket': 'images: reports paths without the bucket',
  'reused-path': 'images: no-run, with the paths of the first run',
  'late-file': 'images: puts the first file a moment after the callback',
  'octet-stream': 'images: puts files as application/octet-stream',
  'no-type': 'images: puts files without a content type',
  gif: 'images: puts GIF files',
  avif: 'images: puts AVIF files',
} as const;

export type Mode = keyof typeof modeDescriptions;
/** All modes. For a spec trigger, modes that are meant for images act like `ok`. */
export const modes = Object.keys(modeDescriptions) as [Mode, ...Mode[]];
export const modeSchema = z.enum(modes);
export type Weights = Partial<Record<Mode, number>>;

const TAG = /\[([a-z-]+?)(-once)?\]/;

/**
 * Returns the mode that a tag in a name or prompt sets, such as `fail` for `Grand Hotel [fail]`. With `[fail-once]`,
 * runs after the first get `ok`. Returns null without a tag or for an unknown mode.
 */
export function modeFromName(name: string | null, run: number): Mode | null {
  const tag = TAG.exec(name ?? '');
  const mode = modeSchema.safeParse(tag?.[1]);
  if (!mode.success) return null;
  return tag?.[2] && run > 1 ? 'ok' : mode.data;
}

/** Picks a mode by weight; `roll` is in [0, 1). Returns `ok` when no weight is above 0. */
export function pickMode(weights: Weights, roll: number): Mode {
  const weighted = modes.map((mode) => ({ mode, weight: weights[mode] ?? 0 }));
  let left = roll * weighted.reduce((sum, { weight }) => sum + weight, 0);
  for (const { mode, weight } of weighted) {
    if (weight > 0 && left < weight) return mode;
    left -= weight;
  }
  return 'ok';
}

/** Creates a repeatable source of numbers in [0, 1): the same seed gives the same sequence (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
