import { z } from 'zod';

const DAY_MS = 24 * 60 * 60_000;

/** A day in UTC. Accepts only days that the database can store. */
export const dayParam = z.iso
  .date()
  .regex(/^[12]\d{3}-/, 'must be in the years 1000 to 2999')
  .meta({ json: { type: 'string', format: 'date', description: 'A day in UTC, inclusive.' } });

/** Converts a range of days in UTC to times: `from` is inclusive, and `before` is exclusive. */
export function timesOf({ from, to }: { from?: string; to?: string }): { from?: string; before?: string } {
  return {
    from: from && `${from}T00:00:00.000Z`,
    before: to && new Date(Date.parse(to) + DAY_MS).toISOString(),
  };
}

/** Returns the first of `count` consecutive days, the last of which is the day of `now`. Days are in UTC. */
export function firstOfLastDays(count: number, now: number): string {
  return new Date(now - (count - 1) * DAY_MS).toISOString().slice(0, 10);
}
