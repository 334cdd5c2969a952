import { z } from 'zod';
import { withoutControls } from '@/lib/http/pasted-text';

/** The query of the callback URL, `?run=n`. Without `run`, the callback is for the current run. */
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

/** The size limit of a callback's body, in bytes. */
export const MAX_CALLBACK_BYTES = 1024 * 1024;

/** Maximum nesting depth of a callback's body. It is large because `meta` may contain a graph of nodes. */
export const MAX_CALLBACK_DEPTH = 500;

const MAX_ERROR = 10_000;

/** The reason that a workflow service gives for a failure or for missing images, truncated to 10,000 characters. */
export const reportedError = z
  .string()
  .overwrite((text) => (text.length > MAX_ERROR ? [...text].slice(0, MAX_ERROR).join('') : text))
  .meta({ json: { type: 'string', description: 'Truncated to 10,000 characters.' } });

const MAX_NOTE = 200;

/** The fields that progress reports of specs and images share. */
export const progressReport = {
  status: z.literal('running'),
  progress: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'From 0 to 1. Progress never goes back.' }),
  note: z
    .string()
    .overwrite((text) => [...withoutControls(text)].slice(0, MAX_NOTE).join(''))
    .optional()
    .meta({
      json: { type: 'string', description: 'What is being done, for people. Truncated to 200 characters.' },
    }),
};

/**
 * The response to a callback. `status` is the current status of the spec or job. A callback that names an existing spec
 * or job but is not applied still gets a success response, so that the sender stops retrying. `reason` then says why
 * nothing changed.
 */
export const callbackResponse = z.object({
  received: z.literal(true),
  applied: z.boolean(),
  status: z.string(),
  reason: z.string().optional(),
  /** Human-readable remarks on an applied report, for example that outputs were ignored. */
  notes: z.array(z.string()).optional(),
});
