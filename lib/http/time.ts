import { z } from 'zod';

const form = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$';

/** A time in a response, in UTC with milliseconds (`2026-11-21T09:30:00.000Z`), however the database formats it. */
export const time = z
  .string()
  .overwrite((value) => {
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? value : date.toISOString();
  })
  .meta({ json: { type: 'string', format: 'date-time', pattern: form } });
