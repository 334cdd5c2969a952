import { z } from 'zod';

/** What every trigger carries, whatever it asks for. `id` is the same on every try of a run: take it once. */
export const triggerBase = z.object({
  id: z.string(),
  timestamp: z.iso.datetime(),
  attempt: z.int().min(1),
  deadline_at: z.iso.datetime(),
});

/** Where the result is reported; the secret itself is never sent. */
export const triggerCallback = z.object({
  url: z.url(),
  secret_header: z.literal('x-webhook-secret'),
  fields: z.array(z.string()),
});
