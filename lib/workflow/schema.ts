import { z } from 'zod';
import { time } from '@/lib/http/time';

/**
 * The current or next attempt to send a run to the workflow service, after an earlier one has failed. `nextAttemptAt`
 * is null during an attempt.
 */
export const retrying = z.object({
  attempt: z.int(),
  maxAttempts: z.int(),
  nextAttemptAt: time.nullable().optional(),
});
export type Retrying = z.infer<typeof retrying>;
