import { methods, route } from '@/lib/http/route';
import { z } from 'zod';
import { version } from '@/lib/env/version';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'public',
    summary: 'Checks that the process responds, without checking its dependencies.',
    status: 200,
    response: z.object({ status: z.literal('ok'), version: z.string() }),
    handle: () => ({ status: 'ok' as const, version }),
  }),
});
