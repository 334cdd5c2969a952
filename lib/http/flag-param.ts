import { z } from 'zod';

/** A query parameter that is `true` or `false`; false when absent. */
export const flagParam = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');
