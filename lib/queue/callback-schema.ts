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
/** What a callback is answered: an unapplied one is still a success for its sender, who then stops. */
export const callbackAnswer = z.object({
  received: z.literal(true),
  applied: z.boolean(),
  reason: z.string().optional(),
});
