import { z } from 'zod';

/** A day in UTC; every day that this accepts is valid in the database. */
export const dayParam = z.iso
  .date()
  .regex(/^[12]\d{3}-/, 'must be in the years 1000 to 2999')
  .meta({ json: { type: 'string', format: 'date', description: 'A day in UTC, inclusive.' } });
