import { z } from 'zod';

/** `?run=n` of the callback URL; without it the callback is for the current run. */
export const callbackQuery = z.object({
  run: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be a run number')
    .transform(Number)
    .optional()
    .meta({
      json: {
        type: 'integer',
        minimum: 1,
        description: 'The run, as in the callback URL; defaults to the current run.',
      },
    }),
});

/** Limit of a callback's body in bytes, far above the largest expected report. */
export const MAX_CALLBACK_BYTES = 1024 * 1024;

/** How deep a callback's body may be nested: `meta` may hold a whole graph of nodes. */
export const MAX_CALLBACK_DEPTH = 500;

const MAX_ERROR = 10_000;

/** The reason that a workflow service gives for a failure; only the first 10,000 characters are stored. */
export const reportedError = z
  .string()
  .overwrite((words) => (words.length > MAX_ERROR ? [...words].slice(0, MAX_ERROR).join('') : words))
  .meta({ json: { type: 'string', description: 'Truncated to 10,000 characters.' } });

/**
 * The response to a callback. `status` is the current state of the spec or job. A callback that is not applied is still
 * a success, so that the sender stops retrying; `reason` says why nothing changed.
 */
export const callbackAnswer = z.object({
  received: z.literal(true),
  applied: z.boolean(),
  status: z.string(),
  reason: z.string().optional(),
  /** The parts of an applied report that were ignored, described for people. */
  notes: z.array(z.string()).optional(),
});
