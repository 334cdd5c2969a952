import { methods, route } from '@/lib/http/route';
import { after } from 'next/server';
import { nudgeLoop } from '@/lib/queue/loop';
import { retryMany } from '@/lib/specs/retry-many';
import { retriedManyResponse, retryManyBody } from '@/lib/specs/schema';

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  POST: route({
    access: 'admin',
    summary:
      'Sends many failed specs to the workflow service again: up to 500 by id, or all that match filters.',
    rate: 'costly',
    body: retryManyBody,
    status: 202,
    response: retriedManyResponse,
    location: () => '/api/admin/specs',
    handle: async ({ caller, body }) => {
      const response = await retryMany(caller.db, caller.userId, body);
      after(nudgeLoop);
      return response;
    },
  }),
});
