import { z } from 'zod';

/** The schema of a query parameter that is `true` or `false`, by default `false`. */
export const flagParam = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');
