import { z } from 'zod';

/**
 * The fields of every trigger besides `type`, `data` and `callback`. `id` is the same for every attempt of a run, so a
 * receiver can ignore repeats.
 */
export const triggerBase = z.object({
  id: z.string(),
  timestamp: z.iso.datetime(),
  attempt: z.int().min(1),
  deadline_at: z.iso.datetime(),
  test: z
    .literal(true)
    .optional()
    .describe(
      'Only in a test that an administrator has started: report as usual. No spec or image depends on it.',
    ),
});

/** Where and how to report the result. Names the header for the callback secret, but does not contain the secret. */
export const triggerCallback = z.object({
  url: z.url(),
  secret_header: z.literal('x-webhook-secret'),
  fields: z.array(z.string()),
});
