import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { readiness } from '@/app/readiness';
import { HttpError } from '@/lib/errors/problem';

const check = z.enum(['ok', 'failed']);

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'public',
    summary: 'Checks everything that the process depends on, and returns the size of the work queue.',
    docs: { codes: ['unavailable'] },
    status: 200,
    response: z.object({
      status: z.literal('ok'),
      checks: z.object({ database: check, storage: check, browser: check, disk: check }),
      queue: z.object({ pending: z.int(), oldestDueSeconds: z.int() }).nullable(),
      warnings: z.array(z.string()),
    }),
    handle: async () => {
      const { ready, checks, queue, warnings } = await readiness();
      if (ready) return { status: 'ok' as const, checks, queue, warnings };
      const failed = Object.entries(checks).flatMap(([name, state]) => (state === 'failed' ? [name] : []));
      throw new HttpError('unavailable', `Not ready: ${failed.join(', ')}.`, {
        members: { checks, queue, warnings },
        retryAfter: 5,
      });
    },
  }),
});
