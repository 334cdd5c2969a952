import { z } from 'zod';

/** The field of a callback's body that names the spec or image job. The callback URL has a parameter of this name. */
export const idFields = { spec: 'spec_upload_id', image: 'job_id' } as const;

const idInUrl = z
  .string()
  .optional()
  .meta({
    json: {
      type: 'string',
      format: 'uuid',
      description: 'The id, as in the callback URL; used if the body has none.',
    },
  });

/** The run that a callback URL names. */
export const runParam = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, 'must be a run number')
  .transform(Number)
  .optional()
  .meta({
    json: {
      type: 'integer',
      minimum: 1,
      description:
        'The run, as in the callback URL. Without it, the run is found by the reported files; a report without files is about the current run.',
    },
  });

/** The query of the callback URL of each kind, such as `?run=1&job_id=…`. */
export const callbackQuery = {
  spec: z.object({ run: runParam, [idFields.spec]: idInUrl }),
  image: z.object({ run: runParam, [idFields.image]: idInUrl }),
};

/** The size limit of a callback's body, in bytes. */
export const MAX_CALLBACK_BYTES = 1024 * 1024;

/** Maximum nesting depth of a callback's body. It is large because `meta` may contain a graph of nodes. */
export const MAX_CALLBACK_DEPTH = 500;

/** The reason that a workflow service gives for a failure or for missing images. */
export const reportedError = z
  .string()
  .meta({ json: { type: 'string', description: 'Truncated to 10,000 characters.' } });

/** Maximum length of the id of an execution, which is cut. */
export const MAX_EXECUTION = 200;

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
    .optional()
    .meta({
      json: { type: 'string', description: 'What is being done, for people. Truncated to 200 characters.' },
    }),
  execution: z
    .string()
    .optional()
    .meta({
      json: {
        type: 'string',
        maxLength: MAX_EXECUTION,
        description:
          'The id of the workflow execution that sends the report. The first execution that reports on a run takes it. Reports from other executions get the reason `duplicate`.',
      },
    }),
};

/** The statuses of specs, of image jobs, and of the reports that a test of the workflow service receives. */
const subjectStatus = z.enum([
  ...(['pending', 'processing', 'completed'] as const),
  ...(['queued', 'running', 'succeeded', 'failed', 'canceled'] as const),
]);

/** Why a callback was not applied. */
export const unappliedReason = z.enum([
  'held',
  'duplicate',
  'conflict',
  'late',
  'stale_run',
  'unknown_run',
  'canceled',
  'too_often',
]);

/**
 * The response to a callback. `status` is the current status of the spec or job. A callback that names an existing spec
 * or job but is not applied still gets a success response, so that the sender stops retrying. `reason` then says why
 * nothing changed.
 */
export const callbackResponse = z.object({
  received: z.literal(true),
  applied: z.boolean(),
  status: subjectStatus,
  reason: unappliedReason.optional(),
  /** Human-readable remarks on an applied report: what was left out, cut, changed or misnamed. */
  notes: z.array(z.string()).optional(),
});
export type CallbackResponse = z.infer<typeof callbackResponse>;
