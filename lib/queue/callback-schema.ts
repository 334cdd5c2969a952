import { z } from 'zod';

/** `?run=n` of the callback address; without it the current run is meant. */
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
        description: 'As in the callback address; the current run without it.',
      },
    }),
});

/** Bytes of a callback's body: every report that anybody may want to send. */
export const MAX_CALLBACK_BYTES = 1024 * 1024;

/** How deep a callback's body may be nested: `meta` may hold a whole graph of nodes. */
export const MAX_CALLBACK_DEPTH = 500;

const MAX_ERROR = 10_000;

/** The reason that a workflow service gives for a failure; only the first 10,000 characters are kept. */
export const reportedError = z
  .string()
  .overwrite((words) => (words.length > MAX_ERROR ? [...words].slice(0, MAX_ERROR).join('') : words))
  .meta({ json: { type: 'string', description: 'Cut to 10,000 characters.' } });

/**
 * The response to a callback. `status` is the state of the spec or job now. A callback that is not applied is still a
 * success for its sender, who then stops; `reason` says why it changed nothing.
 */
export const callbackAnswer = z.object({
  received: z.literal(true),
  applied: z.boolean(),
  status: z.string(),
  reason: z.string().optional(),
  /** What was left out of an applied report, in words. */
  notes: z.array(z.string()).optional(),
});
