import { z } from 'zod';

const flag = z.enum(['true', 'false']);

/** The schema of a query parameter that is `true` or `false`; default `false`. */
export const flagParam = flag.default('false').transform((value) => value === 'true');

/** The schema of a query parameter that is `true` or `false`, without a default. */
export const optionalFlagParam = flag.transform((value) => value === 'true').optional();
